//! What was lent to agents and is not confirmed yet: its texts, so that whoever confirms it need not send them back.

use std::collections::HashMap;

use parking_lot::Mutex;
use perihelion::{Namespace, Timestamp};

/// Of so many sessions the texts are known; of more, those whose lease ends first are forgotten.
const SESSIONS_MAX: usize = 1024;

/// The texts of loans. A session has one loan at a time.
#[derive(Default)]
pub(crate) struct Loans(Mutex<HashMap<(Namespace, String), Lent>>);

/// What a session was lent.
struct Lent {
    loan: String,
    until: Timestamp,
    texts: Vec<String>,
}

/// Which loan of which session.
#[derive(Debug, Clone)]
pub(crate) struct Whose {
    pub(crate) namespace: Namespace,
    pub(crate) session: String,
    pub(crate) loan: String,
}

impl Whose {
    fn place(&self) -> (Namespace, String) {
        (self.namespace.clone(), self.session.clone())
    }
}

impl Loans {
    /// Keeps the texts of a loan until its lease is over.
    pub(crate) fn keep(&self, whose: &Whose, texts: Vec<String>, now: Timestamp, until: Timestamp) {
        let mut all = self.0.lock();
        all.retain(|_, lent| lent.until > now);
        let lent = all.entry(whose.place()).or_insert_with(|| Lent {
            loan: whose.loan.clone(),
            until,
            texts: Vec::new(),
        });
        if lent.loan != whose.loan {
            // The loan before it was taken back when this one was made.
            (lent.loan, lent.texts) = (whose.loan.clone(), Vec::new());
        }
        lent.until = until;
        lent.texts.extend(texts);
        while all.len() > SESSIONS_MAX {
            let first = all.iter().min_by_key(|(_, lent)| lent.until).map(|(place, _)| place.clone());
            let Some(first) = first else { break };
            all.remove(&first);
        }
    }

    /// The texts of a loan, if they are known.
    pub(crate) fn texts(&self, whose: &Whose) -> Vec<String> {
        let all = self.0.lock();
        let lent = all.get(&whose.place()).filter(|lent| lent.loan == whose.loan);
        lent.map(|lent| lent.texts.clone()).unwrap_or_default()
    }

    /// Forgets a loan that has ended.
    pub(crate) fn end(&self, whose: &Whose) {
        let mut all = self.0.lock();
        if all.get(&whose.place()).is_some_and(|lent| lent.loan == whose.loan) {
            all.remove(&whose.place());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whose(session: &str, loan: &str) -> Whose {
        let namespace = "team/a".parse().unwrap();
        Whose { namespace, session: session.to_owned(), loan: loan.to_owned() }
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn texts(words: &[&str]) -> Vec<String> {
        words.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_loan_is_known_until_it_ends_or_another_one_takes_its_place() {
        let loans = Loans::default();
        let (first, second) = (whose("회의", "1-7"), whose("회의", "2-9"));
        loans.keep(&first, texts(&["金曜日"]), at(0), at(60));
        assert_eq!(loans.texts(&first), ["金曜日"]);
        assert!(loans.texts(&second).is_empty() && loans.texts(&whose("other", "1-7")).is_empty());
        loans.keep(&second, texts(&["x"]), at(1), at(61));
        assert!(loans.texts(&first).is_empty(), "the first was taken back");
        loans.end(&first);
        assert_eq!(loans.texts(&second), ["x"], "only a loan itself ends");
        loans.end(&second);
        assert!(loans.texts(&second).is_empty());
    }

    #[test]
    fn loans_of_nothing_but_memories_have_one_number_and_keep_all_their_texts() {
        let loans = Loans::default();
        loans.keep(&whose("s", "0"), texts(&["one"]), at(0), at(60));
        loans.keep(&whose("s", "0"), texts(&["two"]), at(1), at(61));
        assert_eq!(loans.texts(&whose("s", "0")), ["one", "two"]);
    }

    #[test]
    fn what_nobody_confirms_is_forgotten_when_its_lease_is_over_or_there_is_too_much() {
        let loans = Loans::default();
        loans.keep(&whose("old", "1"), texts(&["x"]), at(0), at(60));
        loans.keep(&whose("new", "1"), texts(&["y"]), at(60), at(120));
        assert!(loans.texts(&whose("old", "1")).is_empty());
        for number in 0..SESSIONS_MAX {
            loans.keep(&whose(&format!("{number}"), "1"), texts(&["z"]), at(61), at(121));
        }
        assert!(loans.texts(&whose("new", "1")).is_empty(), "its lease ends first");
        assert_eq!(loans.texts(&whose("0", "1")), ["z"]);
    }
}

//! How notes are lent and given, on any shelf.

use std::sync::Arc;
use std::time::Duration;

use jiff::SignedDuration;
use peri_types::{Clock, MemoryId, Namespace};

use super::{LEASE, Told, namespace, take, ten_times};
use crate::{
    Asked, Confirmed, Draft, Item, Loan, Notes, NotesError, Priority, Progress, Session, Shelf, Wanted,
};

pub(super) fn story(shelf: &Arc<dyn Shelf>) -> Told {
    let clock = Clock::manual("2026-02-10T09:00:00Z".parse()?);
    let notes = Notes::new(Arc::clone(shelf), clock.clone(), |text: &str| text.chars().count());
    let teller = Teller { notes, clock, me: session("나"), other: session("다른 세션") };
    teller.a_loan_counts_when_it_is_confirmed()?;
    teller.a_loan_that_nobody_confirmed_comes_back()?;
    teller.the_next_loan_of_a_session_takes_back_the_last()?;
    teller.whoever_comes_too_late_is_told()?;
    teller.the_digest_is_given_once_for_each_beginning()?;
    teller.an_occasion_asks_for_notes_once()?;
    teller.whose_session_it_is_is_kept()?;
    teller.of_ten_sessions_one_is_lent_the_notes()?;
    teller.memories_are_told_what_is_new()
}

struct Teller {
    notes: Notes,
    clock: Clock,
    me: Session,
    other: Session,
}

fn session(name: &str) -> Session {
    name.parse().expect("a plain name is a name")
}

fn texts(items: &[Item]) -> Vec<&str> {
    items.iter().map(|item| item.text.as_str()).collect()
}

/// The notes of another session that a loan has.
fn over(loan: &Loan) -> Vec<&str> {
    loan.handover.as_ref().map(|over| texts(&over.items)).unwrap_or_default()
}

impl Teller {
    fn pass(&self, time: Duration) {
        self.clock.advance(SignedDuration::try_from(time).unwrap_or(SignedDuration::MAX));
    }

    fn add(&self, own: &Namespace, session: &Session, text: &str) -> Result<(), NotesError> {
        self.pass(Duration::from_millis(1));
        self.notes.update(own, session, |record, now| {
            record.observed_at = now;
            record.sheet.add(Draft::new(Priority::Medium, text), now);
        })?;
        Ok(())
    }

    /// A digest, a note of one's own that was asked for, and one of another session.
    fn prepare(&self, name: &str) -> Result<Namespace, Box<dyn std::error::Error>> {
        let own = namespace(name)?;
        self.add(&own, &self.other, "남의 것")?;
        self.add(&own, &self.me, "내 것")?;
        self.notes.update_digest(&own, |digest, now| {
            digest.sheet.add(Draft::new(Priority::High, "始终用中文"), now);
        })?;
        Ok(own)
    }

    fn lend(&self, own: &Namespace, session: &Session) -> Result<Loan, NotesError> {
        self.notes.lend(own, session, Wanted::ALL, LEASE)
    }

    /// That everything there is can be lent to a session.
    fn expect_all(&self, loan: &Loan) {
        assert!(loan.digest.as_ref().is_some_and(|digest| digest.sheet.items().count() == 1));
        assert_eq!((texts(&loan.new), over(loan)), (vec!["내 것"], vec!["남의 것"]));
    }

    fn a_loan_counts_when_it_is_confirmed(&self) -> Told {
        let (own, notes) = (self.prepare("lend/confirmed")?, &self.notes);
        let loan = self.lend(&own, &self.me)?;
        self.expect_all(&loan);
        assert_eq!(loan.own, None, "nobody asked for it");
        let handed = ["기억 하나".to_owned(), "남의 것".to_owned()];
        for _ in 0..2 {
            assert_eq!(notes.confirm(&own, &self.me, &loan.id, &handed)?, Confirmed::Done);
        }
        assert!(self.lend(&own, &self.me)?.is_empty());
        let known = notes.handed_out(&own, &self.me)?.entries;
        assert_eq!(known.iter().map(|one| one.text.as_str()).collect::<Vec<_>>(), handed);
        // Nothing is lent, and something was recalled.
        let nothing = self.lend(&own, &self.me)?;
        let recalled = ["기억 둘".to_owned()];
        assert_eq!(notes.confirm(&own, &self.me, &nothing.id, &recalled)?, Confirmed::Done);
        assert_eq!(notes.handed_out(&own, &self.me)?.entries.len(), 3);
        self.add(&own, &self.me, "둘째")?;
        self.add(&own, &self.me, "셋째")?;
        let wanted = Wanted::NOTHING.with_digest().with_handover();
        assert!(notes.lend(&own, &self.me, wanted, LEASE)?.is_empty(), "they are not wanted");
        assert_eq!(texts(&self.lend(&own, &self.me)?.new), ["둘째", "셋째"]);
        Ok(())
    }

    fn a_loan_that_nobody_confirmed_comes_back(&self) -> Told {
        let (own, notes) = (self.prepare("lend/lost")?, &self.notes);
        let third = session("셋째");
        self.expect_all(&self.lend(&own, &self.me)?);
        assert_eq!(over(&self.lend(&own, &third)?), ["내 것"], "what is lent is not lent again");
        self.add(&own, &self.other, "더")?;
        assert_eq!(over(&self.lend(&own, &third)?), ["더"], "what is new is");
        self.pass(LEASE);
        let loan = self.lend(&own, &third)?;
        assert_eq!(over(&loan), ["남의 것", "더"], "the lease is over");
        assert_eq!(notes.confirm(&own, &third, &loan.id, &[])?, Confirmed::Done);
        let loan = self.lend(&own, &self.me)?;
        assert_eq!((loan.digest.is_some(), texts(&loan.new), over(&loan)), (true, vec!["내 것"], vec![]));
        Ok(())
    }

    fn the_next_loan_of_a_session_takes_back_the_last(&self) -> Told {
        let (own, notes) = (self.prepare("lend/again")?, &self.notes);
        let first = self.lend(&own, &self.me)?;
        let second = self.lend(&own, &self.me)?;
        self.expect_all(&second);
        assert_eq!(notes.confirm(&own, &self.me, &first.id, &["x".to_owned()])?, Confirmed::TooLate);
        assert!(notes.handed_out(&own, &self.me)?.entries.is_empty(), "nothing counts as given");
        notes.give_back(&own, &self.me, &first.id)?;
        notes.give_back(&own, &self.me, &second.id)?;
        assert_eq!(notes.confirm(&own, &self.me, &second.id, &[])?, Confirmed::TooLate);
        let third = notes.lend(&own, &self.me, Wanted::ALL, Duration::MAX)?;
        self.expect_all(&third);
        // Whatever is wanted next, what was lent is free.
        assert!(notes.lend(&own, &self.me, Wanted::NOTHING, LEASE)?.is_empty());
        assert_eq!(over(&self.lend(&own, &session("누구"))?), ["내 것"]);
        assert_eq!(over(&self.lend(&own, &session("또 누구"))?), ["남의 것"]);
        assert_eq!(notes.confirm(&own, &self.me, &third.id, &[])?, Confirmed::TooLate);
        Ok(())
    }

    fn whoever_comes_too_late_is_told(&self) -> Told {
        let (own, notes) = (self.prepare("lend/late")?, &self.notes);
        let slow = self.lend(&own, &self.me)?;
        self.pass(LEASE * 3);
        let fast = notes.lend(&own, &session("빠른"), Wanted::NOTHING.with_handover(), LEASE)?;
        assert_eq!(over(&fast), ["내 것"], "the session that was observed last");
        assert_eq!(notes.confirm(&own, &session("빠른"), &fast.id, &[])?, Confirmed::Done);
        // Nobody has taken what was lent, so that the lease was over does no harm.
        assert_eq!(notes.confirm(&own, &self.me, &slow.id, &[])?, Confirmed::Done);
        self.add(&own, &self.other, "더")?;
        let slow = self.lend(&own, &self.me)?;
        self.pass(LEASE);
        let fast = self.lend(&own, &session("빠른"))?;
        assert_eq!((over(&slow), over(&fast)), (vec!["더"], vec!["더"]));
        assert_eq!(notes.confirm(&own, &self.me, &slow.id, &[])?, Confirmed::TooLate);
        assert_eq!(notes.confirm(&own, &session("빠른"), &fast.id, &[])?, Confirmed::Done);
        for bad in ["", "1-0", "아무거나", "99"] {
            assert_eq!(notes.confirm(&own, &self.me, &bad.parse()?, &[])?, Confirmed::TooLate, "{bad}");
            notes.give_back(&own, &self.me, &bad.parse()?)?;
        }
        // What was lent of a session that is forgotten since must not be used.
        self.add(&own, &self.other, "잊을 것")?;
        let loan = self.lend(&own, &self.me)?;
        notes.forget(&own, &self.other)?;
        assert_eq!(notes.confirm(&own, &self.me, &loan.id, &[])?, Confirmed::TooLate);
        Ok(())
    }

    fn the_digest_is_given_once_for_each_beginning(&self) -> Told {
        let (own, notes) = (self.prepare("lend/digest")?, &self.notes);
        let wanted = Wanted::NOTHING.with_digest();
        let has = |session: &Session| -> Result<bool, NotesError> {
            Ok(take(notes, &own, session, wanted)?.is_some_and(|loan| loan.digest.is_some()))
        };
        assert!(has(&self.me)? && !has(&self.me)? && has(&self.other)?);
        assert_eq!(notes.begin(&own, &self.me, None, "비움 1")?, Asked::First);
        assert!(has(&self.me)? && !has(&self.me)?);
        assert_eq!(notes.begin(&own, &self.me, None, "비움 1")?, Asked::Again);
        assert!(!has(&self.me)?, "the same occasion");
        // It begins again while the digest is being given.
        assert_eq!(notes.begin(&own, &self.me, None, "二")?, Asked::First);
        let loan = notes.lend(&own, &self.me, wanted, LEASE)?;
        assert_eq!(notes.begin(&own, &self.me, None, "三")?, Asked::First);
        assert_eq!(notes.confirm(&own, &self.me, &loan.id, &[])?, Confirmed::TooLate);
        assert!(has(&self.me)?);
        let empty = namespace("lend/digest/none")?;
        assert!(notes.lend(&empty, &self.me, wanted, LEASE)?.is_empty());
        Ok(())
    }

    fn an_occasion_asks_for_notes_once(&self) -> Told {
        let (own, notes) = (self.prepare("lend/flags")?, &self.notes);
        let wanted = Wanted::NOTHING.with_own().with_new();
        let raise = |occasion: &str| notes.raise_inject_flag(&own, &self.me, occasion);
        assert_eq!((raise("압축 1")?, raise("압축 1")?), (Asked::First, Asked::Again));
        let loan = take(notes, &own, &self.me, wanted)?.ok_or("nobody else takes it")?;
        assert!(loan.own.is_some_and(|record| record.sheet.items().count() == 1));
        assert!(loan.new.is_empty(), "it is among the others");
        assert!(notes.lend(&own, &self.me, wanted, LEASE)?.is_empty(), "and counts as given");
        assert_eq!(raise("압축 1")?, Asked::Again, "although it was taken");
        assert!(notes.lend(&own, &self.me, wanted, LEASE)?.is_empty());
        // It is raised again while the notes are being given.
        assert_eq!(raise("二")?, Asked::First);
        let loan = notes.lend(&own, &self.me, wanted, LEASE)?;
        assert_eq!(raise("三")?, Asked::First);
        assert_eq!(notes.confirm(&own, &self.me, &loan.id, &[])?, Confirmed::Done);
        let loan = take(notes, &own, &self.me, wanted)?.ok_or("nobody else takes it")?;
        assert!(loan.own.is_some() && notes.lend(&own, &self.me, wanted, LEASE)?.is_empty());
        // Asked for before there are any, they are given when there are.
        let early = session("이른");
        assert_eq!(notes.raise_inject_flag(&own, &early, "1")?, Asked::First);
        assert!(notes.lend(&own, &early, wanted, LEASE)?.is_empty());
        self.add(&own, &early, "이제")?;
        assert!(notes.lend(&own, &early, wanted, LEASE)?.own.is_some());
        Ok(())
    }

    fn whose_session_it_is_is_kept(&self) -> Told {
        let (own, notes) = (namespace("lend/user")?, &self.notes);
        let user = || -> Result<Option<String>, NotesError> {
            Ok(notes.record(&own, &self.me)?.and_then(|record| record.user))
        };
        assert_eq!(notes.begin(&own, &self.me, Some("김민수"), "1")?, Asked::First);
        assert_eq!(notes.record(&own, &self.me)?, None, "that is no note");
        self.add(&own, &self.me, "하나")?;
        assert_eq!(user()?.as_deref(), Some("김민수"));
        assert_eq!(notes.begin(&own, &self.me, None, "2")?, Asked::First);
        assert_eq!(user()?.as_deref(), Some("김민수"));
        assert_eq!(notes.begin(&own, &self.me, Some("李雷"), "3")?, Asked::First);
        assert_eq!(user()?.as_deref(), Some("李雷"));
        Ok(())
    }

    fn of_ten_sessions_one_is_lent_the_notes(&self) -> Told {
        let (own, notes) = (namespace("lend/ten")?, &self.notes);
        self.add(&own, &self.other, "하나뿐")?;
        let wanted = Wanted::NOTHING.with_handover();
        let lent = ten_times(|number| notes.lend(&own, &session(&number.to_string()), wanted, LEASE));
        let lent = lent.into_iter().collect::<Result<Vec<_>, _>>()?;
        assert_eq!(lent.iter().filter(|loan| !loan.is_empty()).count(), 1);
        Ok(())
    }

    fn memories_are_told_what_is_new(&self) -> Told {
        let (own, notes) = (self.prepare("lend/told")?, &self.notes);
        let untold = notes.untold(&own, &self.me)?;
        assert_eq!((untold.len(), untold[0].item.text.as_str(), &untold[0].before), (1, "내 것", &None));
        let memory = MemoryId::from_bytes([7; 16]);
        let told = crate::Told { item: untold[0].item.id, version: untold[0].version.clone(), memory };
        notes.tell(&own, &self.me, std::slice::from_ref(&told))?;
        notes.tell(&own, &self.me, std::slice::from_ref(&told))?;
        assert!(notes.untold(&own, &self.me)?.is_empty());
        assert_eq!(notes.told(&own, &self.me)?, std::slice::from_ref(&told));
        assert_eq!(notes.untold(&own, &self.other)?.len(), 1, "each session has its own");
        let draft = Draft::of(&untold[0].item);
        for changed in [
            Draft { text: "내 것, 고침".to_owned(), ..draft.clone() },
            Draft { priority: Priority::High, ..draft.clone() },
            Draft { progress: Progress::Done, ..draft.clone() },
        ] {
            notes.update(&own, &self.me, |record, _| {
                record.sheet.revise(changed.clone());
            })?;
            let untold = notes.untold(&own, &self.me)?;
            assert_eq!(untold.len(), 1, "{changed:?}");
            assert_eq!(untold[0].before.as_ref(), Some(&told));
        }
        let moved =
            Draft { date: Some(jiff::civil::date(2026, 3, 1)), kind: Some("decision".to_owned()), ..draft };
        notes.update(&own, &self.me, |record, _| {
            record.sheet.revise(moved.clone());
        })?;
        assert!(notes.untold(&own, &self.me)?.is_empty(), "it says the same");
        let untold = notes.untold_digest(&own)?;
        assert_eq!(untold.len(), 1);
        let told = crate::Told { item: untold[0].item.id, version: untold[0].version.clone(), memory };
        notes.tell_digest(&own, std::slice::from_ref(&told))?;
        assert!(notes.untold_digest(&own)?.is_empty() && notes.told_digest(&own)? == [told]);
        Ok(())
    }
}

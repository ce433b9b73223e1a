//! What is read of long and noisy conversations.

use parking_lot::Mutex;
use std::sync::Arc;

use peri_companion::{
    Condensed, Condensing, Event, Observed, Observing, Promoting, Promotion, Settings, ThinkError, Thinker,
    When,
};
use peri_notes::{Message, Speaker};

use crate::support::*;

/// A scribe that remembers what it was given.
#[derive(Clone, Default)]
struct Attentive(Arc<Mutex<Vec<Vec<Message>>>>);

impl Thinker for Attentive {
    fn observe(&self, given: &Observing<'_>) -> Result<Observed, ThinkError> {
        self.0.lock().push(given.messages.to_vec());
        Scribe.observe(given)
    }

    fn reflect(&self, given: &Condensing<'_>) -> Result<Condensed, ThinkError> {
        Scribe.reflect(given)
    }

    fn promote(&self, given: &Promoting<'_>) -> Result<Promotion, ThinkError> {
        Scribe.promote(given)
    }

    fn compact(&self, given: &Condensing<'_>) -> Result<Condensed, ThinkError> {
        Scribe.compact(given)
    }
}

#[test]
fn a_long_backlog_is_observed_in_parts_none_of_which_is_too_long() {
    let attentive = Attentive::default();
    let settings = Settings { observe_tokens_max: 300, message_tokens_max: 100, ..Settings::default() };
    let desk = Desk::in_memory(attentive.clone(), settings);
    let texts: Vec<String> =
        (0..200).map(|number| format!("말 {number}: {}", "这句话很长。".repeat(number % 40))).collect();
    desk.keep(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    let events = desk.step(When::Now);
    let seen = attentive.0.lock();
    assert_eq!(events.len(), seen.len());
    assert!(seen.len() > 20, "{} parts", seen.len());
    for part in seen.iter() {
        let tokens: usize = part.iter().map(|message| peri_tokens::count(&message.text) + 4).sum();
        assert!(tokens <= 300, "{tokens}");
    }
    assert_eq!(seen.iter().map(Vec::len).sum::<usize>(), 200);
    assert!(desk.pending().is_empty());
}

#[test]
fn what_tools_said_is_counted_and_not_read() {
    let attentive = Attentive::default();
    let desk = Desk::in_memory(attentive.clone(), Settings::default());
    let data = serde_json::json!({ "rows": vec!["값"; 100] }).to_string();
    let messages = [
        said(Speaker::Tool, &data),
        said(Speaker::System, "be brief"),
        said(Speaker::Assistant, &format!("결과는 이렇습니다:\n{data}\n끝.")),
        said(Speaker::User, &data),
    ];
    let turned = desk.companion.keep(&team(), &desk.session, &messages, &[]).unwrap();
    assert_eq!((turned.kept, turned.left_out.messages), (2, 2));
    let events = desk.step(When::Now);
    let [Event::Observed { left_out, messages: 2, .. }] = &events[..] else { panic!("{events:?}") };
    assert!(left_out.parts == 2 && left_out.tokens > 100, "{left_out:?}");
    let seen = attentive.0.lock();
    assert!(seen[0].iter().all(|message| !message.text.contains("값")), "{seen:?}");
    assert!(seen[0][0].text.contains("결과는") && seen[0][0].text.contains("끝."), "{seen:?}");
}

#[test]
fn keys_are_not_even_kept() {
    let desk = Desk::in_memory(Scribe, Settings::default());
    let key = format!("ghp_{}", "q7Zk2Vw9Xb4Lm8Tn1Rc6Yd3Hs5Jf0PgA9bX2");
    let messages = [user(&format!("토큰은 여기: {key} 이걸 써줘"))];
    let turned = desk.companion.keep(&team(), &desk.session, &messages, std::slice::from_ref(&key)).unwrap();
    assert_eq!((turned.kept, turned.redacted), (1, 1));
    let handed_out = desk.notes().handed_out(&team(), &desk.session).unwrap().entries;
    assert!(!desk.pending()[0].contains(&key) && !handed_out[0].text.contains(&key));
    assert!(desk.pending()[0].contains("이걸 써줘"));
}

#[test]
fn keys_are_not_kept_of_what_a_loan_was_handed_out_with() {
    let desk = Desk::in_memory(Scribe, Settings::default());
    let key = format!("ghp_{}", "q7Zk2Vw9Xb4Lm8Tn1Rc6Yd3Hs5Jf0PgA9bX2");
    desk.keep(&["하나"]);
    assert!(has_observed(&desk.step(When::Now)));
    let wanted = peri_notes::Wanted::NOTHING.with_new();
    let loan = desk.notes().lend(&team(), &desk.session, wanted, std::time::Duration::MAX).unwrap();
    assert_eq!(loan.new.len(), 1);
    let texts = [format!("기억에서: {key}"), "하나".to_owned()];
    let confirmed = desk.companion.confirm(&team(), &desk.session, &loan.id, &texts).unwrap();
    assert_eq!(confirmed, peri_notes::Confirmed::Done);
    let handed_out = desk.notes().handed_out(&team(), &desk.session).unwrap().entries;
    assert_eq!((handed_out.len(), handed_out[1].text.as_str()), (2, "하나"));
    assert!(handed_out[0].text.starts_with("기억에서") && !handed_out[0].text.contains(&key));
}

#[test]
fn messages_with_nothing_in_them_are_observed_without_anybody_being_asked() {
    let attentive = Attentive::default();
    let desk = Desk::in_memory(attentive.clone(), Settings::default());
    desk.keep(&["  ", "\n"]);
    assert!(has_observed(&desk.step(When::Now)));
    assert!(attentive.0.lock().is_empty() && desk.pending().is_empty() && desk.items().is_empty());
}

#[test]
fn a_turn_that_is_told_again_is_not_kept_again() {
    let desk = Desk::in_memory(Scribe, Settings::default());
    let messages = [user("하나"), user("하나"), user("二")];
    let keep = || desk.companion.keep(&team(), &desk.session, &messages, &[]).unwrap();
    let first = keep();
    assert_eq!((first.kept, first.repeated), (2, 1));
    let second = keep();
    assert_eq!((second.kept, second.repeated), (0, 3));
    assert_eq!(desk.pending(), ["하나", "二"]);
    assert!(has_observed(&desk.step(When::Now)));
    assert_eq!(keep().kept, 0, "neither when it was observed");
    let later = Message { at: at("2026-03-10T09:00:01Z"), ..user("하나") };
    assert_eq!(desk.companion.keep(&team(), &desk.session, &[later], &[]).unwrap().kept, 1);
}

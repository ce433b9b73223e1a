//! What may be spent in a day is never exceeded.

use std::time::Duration;

use jiff::{SignedDuration, civil::Date};
use peri_llm::{Outcome, Provider, Refusal, Request};
use serde_json::json;

use crate::server::{Step, complains, completion, reply, says};
use crate::support::*;

fn day() -> Date {
    "2026-03-02".parse().unwrap()
}

fn spent(desk: &Desk) -> u64 {
    desk.client.ledger().spent(day()).unwrap()
}

/// What one call reserves: found out by not allowing anything.
fn worst(request: &Request) -> u64 {
    let desk = desk_with(Provider::OpenAi, vec![says("네")], |settings| settings.tokens_per_day = 0);
    match desk.client.ask(request) {
        Err(Refusal::CapReached { wanted, cap: 0, spent: 0, .. }) => wanted,
        other => panic!("{other:?}"),
    }
}

#[test]
fn nothing_is_sent_when_the_worst_case_does_not_fit() {
    let worst = worst(&words());
    for (allowed, sent) in [(worst - 1, 0), (worst, 1)] {
        let desk =
            desk_with(Provider::OpenAi, vec![says("네")], |settings| settings.tokens_per_day = allowed);
        let result = desk.client.ask(&words());
        assert_eq!(desk.server.seen().len(), sent);
        assert_eq!(result.is_ok(), sent == 1);
        if let Err(error) = result {
            assert!(error.is_transient() && error.to_string().contains("tomorrow"), "{error}");
            let call = &desk.client.ledger().calls(at("2026-03-02T00:00:00Z"), 9).unwrap()[0];
            assert_eq!((call.outcome, call.attempts, call.tokens_spent), (Outcome::Refused, 0, 0));
        }
    }
}

#[test]
fn a_prompt_in_any_language_reserves_at_least_what_it_can_cost() {
    let text = "회의 会议 🔴 ﷺ ".repeat(100);
    let request = Request { system: "시스템".to_owned(), ..Request::new("test", &text) };
    // No vocabulary makes more tokens than there are bytes, of the text or of its compatibility form.
    assert!(worst(&request) >= (text.len() + 9 + 4096) as u64);
    assert!(worst(&structured()) > worst(&words()), "the schema costs as well");
}

#[test]
fn what_was_spent_is_the_larger_of_what_the_server_says_and_what_we_count() {
    let usage = |tokens_in: u64, tokens_out: u64| {
        let mut body = completion("The answer is seven people, as I said before.");
        body["usage"] = json!({"prompt_tokens": tokens_in, "completion_tokens": tokens_out});
        reply(200, "", body.to_string())
    };
    let more = desk(vec![usage(300, 100)]);
    let answer = more.client.ask(&words()).unwrap();
    assert_eq!((answer.tokens_in, answer.tokens_out, spent(&more)), (300, 100, 400));
    let less = desk(vec![usage(0, 0)]);
    let answer = less.client.ask(&words()).unwrap();
    assert!(answer.tokens_in >= 15 && answer.tokens_out == 11, "{answer:?}");
    assert_eq!(spent(&less), answer.tokens_in + answer.tokens_out);
}

#[test]
fn what_nobody_can_say_counts_in_full_and_what_was_not_taken_counts_nothing() {
    let full = worst(&words());
    let mut unsaid = completion("네");
    unsaid["usage"] = json!(null);
    for (step, expected) in [
        (complains(401, "no"), 0),
        (complains(429, "later"), 0),
        (complains(503, "overloaded"), 0),
        (complains(500, "oops"), full),
        (complains(504, "timeout"), full),
        (Step::Bytes(Vec::new()), full),
        (Step::Silence, full),
        (reply(200, "", "garbage"), full),
        (reply(200, "", unsaid.to_string()), full),
    ] {
        let desk = desk_with(Provider::OpenAi, vec![step], |settings| {
            settings.attempts_max = 1;
            settings.attempt_timeout = Duration::from_millis(300);
        });
        let result = desk.client.ask(&words());
        assert_eq!(spent(&desk), expected, "{result:?}");
    }
}

#[test]
fn trying_again_ends_where_the_day_does() {
    let full = worst(&words());
    let desk = desk_with(Provider::OpenAi, vec![complains(500, "oops")], |settings| {
        settings.tokens_per_day = 2 * full + 1;
    });
    let error = desk.client.ask(&words()).unwrap_err();
    assert!(matches!(error, Refusal::CapReached { spent, .. } if spent == 2 * full), "{error}");
    assert_eq!(desk.server.seen().len(), 2);
}

#[test]
fn a_new_day_begins_at_midnight_utc() {
    let full = worst(&words());
    let desk = desk_with(Provider::OpenAi, vec![says("네")], |settings| settings.tokens_per_day = full);
    desk.client.ask(&words()).unwrap();
    desk.clock.advance(SignedDuration::from_hours(10) - SignedDuration::from_millis(1));
    assert!(matches!(desk.client.ask(&words()), Err(Refusal::CapReached { .. })));
    desk.clock.advance(SignedDuration::from_millis(1));
    desk.client.ask(&words()).unwrap();
    assert_eq!(desk.client.ledger().spent("2026-03-03".parse().unwrap()), Ok(spent(&desk)));
}

#[test]
fn many_threads_at_once_do_not_spend_more() {
    let full = worst(&words());
    let mut body = completion("네");
    // As much as it could cost.
    body["usage"] = json!({"prompt_tokens": full - 200, "completion_tokens": 200});
    let desk = desk_with(Provider::OpenAi, vec![reply(200, "", body.to_string())], |settings| {
        settings.tokens_per_day = 5 * full + full / 2;
        settings.breaker_failures = 1000;
    });
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..5).for_each(|_| drop(desk.client.ask(&words()))));
        }
    });
    assert_eq!((desk.server.seen().len(), spent(&desk)), (5, 5 * full));
}

#[test]
fn without_a_record_nothing_is_asked() {
    let desk = desk(vec![says("네")]);
    std::fs::write(desk.folder.path().join("llm"), "a file where the folder should be").unwrap();
    let error = desk.client.ask(&words()).unwrap_err();
    assert!(matches!(error, Refusal::Ledger(_)), "{error}");
    assert!(desk.server.seen().is_empty());
}

//! What is tried again, after how long, and when not.

use std::net::TcpListener;
use std::time::Duration;

use jiff::SignedDuration;
use peri_llm::{Client, Pace, Provider, Refusal};
use peri_types::Clock;

use crate::server::{Step, complains, reply, says};
use crate::support::*;

fn status_of(error: &Refusal) -> Option<(u16, u32)> {
    match error {
        Refusal::Status { status, attempts, .. } => Some((*status, *attempts)),
        _ => None,
    }
}

#[test]
fn what_may_pass_is_tried_again_after_growing_waits() {
    for status in [408, 409, 429, 500, 502, 503, 504, 529] {
        let desk = desk(vec![complains(status, "later"), complains(status, "later"), says("네")]);
        let answer = desk.client.ask(&words()).unwrap();
        assert_eq!((answer.text.as_str(), answer.attempts), ("네", 3), "{status}");
        let waits = desk.pace.waits();
        let bounds = [250..=500, 500..=1000];
        assert!(
            bounds.iter().zip(&waits).all(|(bound, wait)| bound.contains(&wait.as_millis())),
            "{waits:?}"
        );
        assert_eq!(waits.len(), 2);
    }
}

#[test]
fn what_will_not_pass_is_not_tried_again() {
    for status in [401, 402, 403, 404, 405, 410, 413, 451] {
        let desk = desk(vec![complains(status, "키가 틀렸습니다")]);
        let error = desk.client.ask(&structured()).unwrap_err();
        assert_eq!(status_of(&error), Some((status, 1)));
        assert!(error.to_string().contains("키가 틀렸습니다"), "{error}");
        assert!(!error.is_transient());
        assert_eq!(desk.server.seen().len(), 1);
    }
}

#[test]
fn trying_ends_after_the_attempts_that_are_allowed() {
    let desk = desk(vec![complains(503, "down")]);
    let error = desk.client.ask(&words()).unwrap_err();
    assert_eq!(status_of(&error), Some((503, 4)));
    assert!(error.is_transient());
    assert_eq!((desk.server.seen().len(), desk.pace.waits().len()), (4, 3));
}

#[test]
fn a_server_says_how_long_to_wait_within_bounds() {
    let limited = |header: &str| reply(429, &format!("retry-after: {header}\r\n"), "{}");
    let date = "Mon, 02 Mar 2026 14:01:00 GMT";
    let desk = desk(vec![limited("20"), limited("999999"), limited(date), says("네")]);
    desk.client.ask(&words()).unwrap();
    let waits: Vec<_> = desk.pace.waits().iter().map(Duration::as_secs).collect();
    // The date is in the past when it arrives: then the wait is the usual one.
    assert_eq!(waits, [20, 60, 1]);
}

#[test]
fn the_deadline_ends_trying_before_a_wait_that_would_exceed_it() {
    let limited = reply(429, "retry-after: 40\r\n", "{}");
    let desk = desk_with(Provider::OpenAi, vec![limited], |settings| {
        settings.deadline = Duration::from_secs(100);
    });
    assert_eq!(status_of(&desk.client.ask(&words()).unwrap_err()), Some((429, 3)));
    assert_eq!(desk.pace.waits(), [Duration::from_secs(40); 2]);
}

#[test]
fn servers_that_are_silent_or_hang_up_are_unreachable_and_named() {
    let half = Step::Bytes(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{\"choices\":".to_vec());
    let nothing = Step::Bytes(Vec::new());
    let nonsense = Step::Bytes(b"220 smtp.example.org ESMTP\r\n".to_vec());
    for step in [half, nothing, nonsense, Step::Silence] {
        let desk = desk_with(Provider::OpenAi, vec![step], |settings| {
            settings.attempts_max = 2;
            settings.attempt_timeout = Duration::from_millis(300);
        });
        let error = desk.client.ask(&words()).unwrap_err();
        assert!(matches!(error, Refusal::Unreachable { attempts: 2, .. }), "{error}");
        assert!(error.to_string().contains(&desk.server.address()), "{error}");
        assert_eq!(desk.server.seen().len(), 2);
    }
}

#[test]
fn a_server_that_comes_back_is_heard() {
    let half = Step::Bytes(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{\"choices\":".to_vec());
    let desk = desk(vec![half, Step::Bytes(Vec::new()), says("다시 왔습니다")]);
    assert_eq!(desk.client.ask(&words()).unwrap().text, "다시 왔습니다");
}

#[test]
fn nobody_at_the_address_is_unreachable_and_costs_nothing() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let clock = Clock::manual(at("2026-03-02T14:00:00Z"));
    let folder = tempfile::tempdir().unwrap();
    let settings = settings(Provider::OpenAi, &format!("http://127.0.0.1:{port}"));
    let client = Client::with_pace(settings, clock.clone(), folder.path(), Pace::manual(&clock)).unwrap();
    let error = client.ask(&words()).unwrap_err();
    assert!(matches!(error, Refusal::Unreachable { attempts: 4, .. }), "{error}");
    assert_eq!(client.ledger().spent("2026-03-02".parse().unwrap()), Ok(0));
}

#[test]
fn a_redirect_is_not_followed() {
    let elsewhere = desk(vec![says("stolen")]);
    let location = format!("location: {}/chat/completions\r\n", elsewhere.server.address());
    for status in [301, 302, 303, 307, 308] {
        let desk = desk(vec![reply(status, &location, "")]);
        let error = desk.client.ask(&words()).unwrap_err();
        assert_eq!(status_of(&error), Some((status, 1)), "{error}");
        assert!(error.to_string().contains("sends elsewhere"), "{error}");
    }
    assert!(elsewhere.server.seen().is_empty());
}

#[test]
fn after_failures_in_a_row_nothing_is_sent_for_a_while() {
    let down = complains(503, "down");
    let desk = desk_with(Provider::OpenAi, vec![down.clone(), down.clone(), down, says("네")], |settings| {
        settings.attempts_max = 1;
        settings.breaker_failures = 3;
    });
    for _ in 0..3 {
        assert_eq!(status_of(&desk.client.ask(&words()).unwrap_err()), Some((503, 1)));
    }
    let error = desk.client.ask(&words()).unwrap_err();
    assert!(
        matches!(&error, Refusal::Paused { until, .. } if *until == at("2026-03-02T14:01:00Z")),
        "{error}"
    );
    assert_eq!(desk.server.seen().len(), 3);
    desk.clock.advance(SignedDuration::from_secs(60));
    assert_eq!(desk.client.ask(&words()).unwrap().text, "네");
}

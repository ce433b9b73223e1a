//! Servers that fail: what is tried again, how long is waited, and when a server is left in peace.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use peri_embed::Engine as _;
use peri_embed_remote::{Address, Pace, RemoteError};
use peri_types::patience;

use crate::server::{Server, Step, complains, meaning, reply, truth};
use crate::support::{clock, desk, desk_with, said, settings, start};

#[test]
fn what_may_go_away_by_itself_is_tried_again() {
    let torn = reply(200, "content-length: 5000\r\n", "{\"data\": [");
    for failure in [
        complains(429, "slow down"),
        complains(500, "고장"),
        complains(503, "故障"),
        Step::Bytes(Vec::new()),
        Step::Bytes(b"HTTP/1.1 200 x\r\ncontent-length: 5000\r\n\r\n{\"data\": [".to_vec()),
        torn,
    ] {
        let desk = desk(move |number, request| if number == 0 { failure.clone() } else { truth(request) });
        assert_eq!(desk.engine.embed(&["차 tea"]).unwrap(), [Some(meaning("차 tea"))]);
        let waits = desk.pace.waits();
        assert!(waits.len() == 1 && waits[0] >= Duration::from_millis(125), "{waits:?}");
    }
}

#[test]
fn a_server_may_ask_for_a_longer_wait_but_not_for_any() {
    for (header, seconds) in
        [("7", 7), ("Mon, 02 Mar 2026 14:00:09 GMT", 9), ("86400", 15), ("나중에", 0), ("-3", 0)]
    {
        let limited = reply(429, &format!("retry-after: {header}\r\n"), "{}");
        let desk = desk(move |number, request| if number == 0 { limited.clone() } else { truth(request) });
        desk.engine.embed(&["tea"]).unwrap();
        assert_eq!(desk.pace.waits()[0].as_secs(), seconds, "{header}");
    }
}

#[test]
fn attempts_and_time_are_bounded() {
    let often = desk(|_, _| complains(500, "no"));
    let error = said(often.engine.embed(&["tea"]));
    assert!(matches!(error, RemoteError::Refused { status: 500, attempts: 3, .. }), "{error:?}");
    assert_eq!(often.server.seen().len(), 3);
    let waits = often.pace.waits();
    assert!(waits.len() == 2 && waits.iter().all(|wait| *wait <= Duration::from_millis(500)), "{waits:?}");

    let short = desk_with(Server::answering(|_, _| reply(429, "retry-after: 9\r\n", "{}")), |settings| {
        settings.deadline = Duration::from_secs(10);
    });
    let error = said(short.engine.embed(&["tea"]));
    assert!(matches!(error, RemoteError::Refused { status: 429, attempts: 2, .. }), "{error:?}");
}

#[test]
fn a_server_that_says_nothing_or_drips_is_left_after_the_timeout() {
    let drip = Step::Drip(b"HTTP/1.1 200 x\r\ncontent-length: 100000\r\n\r\n".repeat(100));
    for step in [Step::Silence, drip] {
        let desk = desk_with(Server::stepping(vec![step]), |settings| {
            settings.attempt_timeout = Duration::from_millis(100);
            settings.attempts_max = 2;
        });
        let error = said(desk.engine.embed(&["tea"]));
        assert!(matches!(error, RemoteError::Unreachable { attempts: 2, .. }), "{error:?}");
    }
}

#[test]
fn what_no_repetition_mends_is_not_repeated() {
    for status in [400, 401, 403, 404, 413, 422, 301, 307] {
        let desk = desk(move |_, _| reply(status, "location: http://127.0.0.1:1/elsewhere\r\n", "{}"));
        let error = said(desk.engine.embed(&["tea"]));
        assert!(
            matches!(error, RemoteError::Refused { status: told, attempts: 1, .. } if told == status),
            "{error:?}"
        );
        assert_eq!(desk.server.seen().len(), 1);
    }
}

#[test]
fn a_server_that_fails_again_and_again_rests_until_one_question_finds_it_well() {
    let well = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&well);
    let desk = desk(
        move |_, request| {
            if told.load(Ordering::SeqCst) { truth(request) } else { complains(500, "no") }
        },
    );
    for _ in 0..2 {
        said(desk.engine.embed(&["tea"]));
    }
    let asked = desk.server.seen().len();
    let error = said(desk.engine.embed(&["tea"]));
    assert!(matches!(&error, RemoteError::Resting { until, .. } if *until > desk.clock.now()), "{error:?}");
    assert_eq!(desk.server.seen().len(), asked, "it is left in peace");
    assert!(desk.engine.trouble().unwrap().contains("127.0.0.1"));

    desk.clock.advance(SignedDuration::from_secs(31));
    said(desk.engine.embed(&["tea"]));
    assert_eq!(desk.server.seen().len(), asked + 1, "whoever tries does so once");
    well.store(true, Ordering::SeqCst);
    assert!(matches!(said(desk.engine.embed(&["tea"])), RemoteError::Resting { .. }));
    desk.clock.advance(SignedDuration::from_secs(31));
    assert_eq!(desk.engine.embed(&["tea"]).unwrap(), [Some(meaning("tea"))]);
    assert_eq!(desk.engine.trouble(), None);
}

#[test]
fn a_text_that_the_server_refuses_is_no_reason_to_rest() {
    let desk = desk(|_, _| complains(400, "too long"));
    for _ in 0..5 {
        assert!(matches!(said(desk.engine.embed(&["tea"])), RemoteError::Refused { status: 400, .. }));
    }
    assert_eq!(desk.engine.trouble(), None);
}

#[test]
fn an_address_where_nobody_is_is_named() {
    let clock = clock();
    let pace = Pace::manual(&clock);
    let engine = start(settings("http://127.0.0.1:1/v1"), &clock, &pace).unwrap();
    let error = said(engine.embed(&["tea"]));
    assert!(
        matches!(&error, RemoteError::Unreachable { place, attempts: 3, .. } if place.contains("127.0.0.1:1"))
    );
    assert!(clock.now() > "2026-03-02T14:00:00Z".parse::<Timestamp>().unwrap());
}

#[test]
fn settings_without_meaning_are_refused_before_anything_is_sent() {
    let server = Server::answering(|_, request| truth(request));
    let clock = clock();
    let pace = Pace::manual(&clock);
    type Change = fn(&mut peri_embed_remote::RemoteSettings);
    let changes: [Change; 6] = [
        |settings| settings.model = " ".to_owned(),
        |settings| settings.dimensions = Some(0),
        |settings| settings.attempts_max = 0,
        |settings| settings.batch_texts_max = 0,
        |settings| settings.deadline = Duration::ZERO,
        |settings| settings.address = Address::parse("http://models.example.org").unwrap(),
    ];
    for change in changes {
        let mut settings = settings(&server.address());
        change(&mut settings);
        assert!(matches!(said(start(settings, &clock, &pace)), RemoteError::Settings { .. }));
    }
    assert_eq!(server.seen().len(), 0);
}

#[test]
fn a_server_that_says_nothing_is_waited_for_as_long_as_the_caller_may_wait() {
    let day = Duration::from_secs(24 * 3600);
    let desk = desk_with(Server::stepping(vec![Step::Silence]), |settings| {
        (settings.attempt_timeout, settings.deadline) = (day, day);
        settings.attempts_max = 1;
    });
    let error = patience::within(Duration::from_millis(50), || said(desk.engine.embed(&["tea"])));
    assert!(matches!(error, RemoteError::Unreachable { .. }), "{error:?}");
    assert_eq!(desk.server.seen().len(), 1);
    let error = patience::within(Duration::ZERO, || said(desk.engine.embed(&["tea"])));
    assert!(matches!(error, RemoteError::NotAsked { .. }), "{error:?}");
    assert_eq!(desk.server.seen().len(), 1, "whoever has no time does not ask");
}

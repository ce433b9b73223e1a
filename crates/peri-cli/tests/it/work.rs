//! Working memory as people and scripts see it: values under keys, for a while.

use serde_json::{Value, json};

use super::configuration::check;
use super::support::{Peri, text};

/// Moves the ends of all values so many seconds nearer.
fn hurry(peri: &Peri, seconds: i64) {
    let database = rusqlite::Connection::open(peri.home().join("perihelion.db")).unwrap();
    let millis = seconds * 1000;
    database.execute_batch(&format!("UPDATE memories SET expires_at = expires_at - {millis};")).unwrap();
}

/// How long a value stays from its setting on, in seconds.
fn seconds(receipt: &Value) -> Option<i64> {
    let at = |key: &str| receipt["item"][key].as_str()?.parse::<jiff::Timestamp>().ok();
    Some(at("expires_at")?.as_second() - at("set_at")?.as_second())
}

#[test]
fn a_value_is_held_under_its_key_and_its_session_until_it_is_cleared() {
    let peri = Peri::new();
    assert!(peri.ok(&["work", "set", "주제", "부산", "이사", "준비"]).starts_with("set 주제 until 20"));
    assert_eq!(peri.ok(&["work", "get", "주제"]), "부산 이사 준비\n");
    peri.ok(&["work", "set", "主题", "搬家", "--session", "信"]);
    assert_eq!(peri.ok(&["work", "get", "主题", "--session", "信"]), "搬家\n");
    assert!(peri.ok(&["work", "set", "주제", "다른 것"]).starts_with("replaced 주제 until "));
    let listed = peri.ok(&["work", "list"]);
    assert!(listed.starts_with("주제  다른 것  until ") && listed.lines().count() == 1, "{listed}");
    assert_eq!(peri.ok(&["work", "sessions"]), "1 of 12  (default)\n1 of 12  信\n");
    assert_eq!(peri.ok(&["work", "clear", "주제"]), "cleared 1 value\n");
    assert_eq!(peri.ok(&["work", "clear", "--all", "--session", "信"]), "cleared 1 value\n");
    assert_eq!(peri.ok(&["work", "clear", "--all"]), "cleared 0 values\n");
    let empty = peri.run(&["work", "sessions"]);
    assert!(empty.out.is_empty() && empty.err.contains("working memory of default is empty"), "{empty:?}");
    let empty = peri.run(&["work", "list", "--session", "信"]);
    assert!(empty.err.contains("nothing is held in the working memory of \"信\""), "{empty:?}");
}

#[test]
fn any_json_comes_back_as_it_went_in() {
    let peri = Peri::new();
    for value in [
        json!({ "단계": [1, 2.5, null], "草稿": { "a": true } }),
        json!([]),
        json!({}),
        json!(false),
        json!(0),
        json!(-7.25),
        json!("a \"text\""),
        json!([null]),
    ] {
        let written = value.to_string();
        peri.ok(&["work", "set", "k", "--json-value", "--", &written]);
        assert_eq!(peri.json(&["work", "get", "k"])["item"]["value"], value);
        let shown = peri.ok(&["work", "get", "k"]);
        let expected = value.as_str().map_or(written, ToOwned::to_owned);
        assert_eq!(shown.trim_end_matches('\n'), expected);
    }
    // What is not said to be JSON is a text, whatever it looks like.
    peri.ok(&["work", "set", "k", "17"]);
    assert_eq!(peri.json(&["work", "get", "k"])["item"]["value"], "17");
}

#[test]
fn a_value_may_be_piped_in_and_the_session_named_by_the_environment() {
    let peri = Peri::new().with("PERI_SESSION", "letter");
    let run = peri.run_with(&["work", "set", "draft"], "안녕하세요,\n두 번째 줄\n".as_bytes());
    assert_eq!((run.code, run.err.as_str()), (0, ""), "a known variable must not warn");
    assert_eq!(peri.ok(&["work", "get", "draft"]), "안녕하세요,\n두 번째 줄\n");
    assert_eq!(peri.ok(&["work", "sessions"]), "1 of 12  letter\n");
    assert!(peri.ok(&["work", "list"]).starts_with("draft  안녕하세요, 두 번째 줄  until "));
    let long = "부산으로 이사한다 ".repeat(30);
    peri.ok(&["work", "set", "long", long.trim()]);
    assert!(peri.ok(&["work", "list"]).contains(long.trim()), "a pipe gets the whole value");
    let other = peri.run(&["work", "get", "draft", "--session", "another"]);
    assert_eq!((other.code, other.out.as_str()), (3, ""), "an argument goes before the environment");
    let json = peri.run_with(&["work", "set", "draft", "-", "--json-value"], b"{\"a\": 1}\n");
    assert_eq!(json.code, 0, "{json:?}");
    assert_eq!(peri.ok(&["work", "get", "draft"]), "{\"a\":1}\n");
    let blank = Peri::new().with("PERI_SESSION", " ");
    blank.ok(&["work", "set", "a", "b"]);
    assert_eq!(blank.ok(&["work", "sessions"]), "1 of 12  (default)\n");
}

#[test]
fn what_is_not_held_is_told_with_an_exit_code_of_its_own() {
    let peri = Peri::new();
    for verb in ["get", "clear"] {
        let run = peri.run(&["work", verb, "없음"]);
        assert_eq!((run.code, run.out.as_str()), (3, ""), "{run:?}");
        assert!(run.err.contains("nothing is held under \"없음\" in the namespace's own"), "{run:?}");
    }
    let run = peri.run(&["work", "get", "없음", "--json"]);
    assert_eq!((run.code, run.out.as_str()), (3, "{\"item\":null}\n"));
    assert_eq!(peri.run(&["-q", "work", "get", "없음"]).err, "");
}

#[test]
fn a_value_that_has_expired_is_gone_from_every_command() {
    let peri = Peri::new();
    peri.ok(&["work", "set", "plain", "x", "--importance", "0.1"]);
    peri.ok(&["work", "set", "endless", "tea", "--ttl", "none"]);
    hurry(&peri, 901);
    assert_eq!(peri.run(&["work", "get", "plain"]).code, 3);
    assert_eq!(peri.ok(&["work", "list"]), "endless  tea  without an end\n");
    assert!(!peri.ok(&["list"]).contains("  x\n"));
}

#[test]
fn what_mattered_becomes_an_episode_when_its_time_is_over() {
    let peri = Peri::new();
    peri.ok(&["work", "set", "plan", "부산으로 이사한다", "--importance", "0.9", "--ttl", "2h"]);
    hurry(&peri, 7201);
    peri.ok(&["sweep"]);
    let listed = peri.json(&["list", "--layer", "episodic"])["memories"].clone();
    assert_eq!(text(&listed[0]["content"]), "부산으로 이사한다");
    assert_eq!(peri.run(&["work", "get", "plan"]).code, 3);
}

#[test]
fn a_time_to_live_says_how_long_a_value_stays() {
    let peri = Peri::new();
    for (given, expected) in [
        ("90s", Some(90)),
        ("15min", Some(900)),
        ("7d", Some(604_800)),
        ("none", None),
        ("0", None),
        ("0s", None),
    ] {
        assert_eq!(seconds(&peri.json(&["work", "set", "k", "v", "--ttl", given])), expected, "{given}");
    }
}

#[test]
fn secrets_are_taken_out_of_values_and_the_person_is_told() {
    let peri = Peri::new();
    let run = peri.run(&["work", "set", "k", "ghp_abcdefghijklmnopqrstuvwxyz0123456789"]);
    assert!(run.err.contains("1 secret was taken out"), "{run:?}");
    assert!(!peri.ok(&["work", "get", "k"]).contains("ghp_"));
}

#[test]
fn bad_values_are_refused_and_what_is_held_stays() {
    let peri = Peri::new();
    peri.ok(&["work", "set", "k", "kept"]);
    for (args, words) in [
        (&["set"][..], "<KEY>"),
        (&["set", "k"], "the value is empty"),
        (&["set", "k", "  "], "the value is empty"),
        (&["set", "", "x"], "the key is empty"),
        (&["set", "k", "{bad", "--json-value"], "the value is not JSON"),
        (&["set", "k", "null", "--json-value"], "the value is empty"),
        (&["set", "k", "x", "--ttl", "15m"], "15min"),
        (&["set", "k", "x", "--ttl", "잠시"], "is not a time"),
        (&["set", "k", "x", "--importance", "2"], "between 0 and 1"),
        (&["set", "k", "x", "--session", ""], "the session is empty"),
        (&["set", "k", "x", "-n", "team/*"], "exactly one namespace"),
        (&["clear"], "<KEY|--all>"),
        (&["clear", "k", "--all"], "cannot be used with"),
        (&["fly"], "unrecognized subcommand"),
    ] {
        let run = peri.run(&[&["work"], args].concat());
        assert_eq!(run.code, 2, "{args:?}: {run:?}");
        assert!(run.err.contains(words), "{args:?}: {run:?}");
    }
    assert_eq!(peri.ok(&["work", "get", "k"]), "kept\n");
    let large = peri.run_with(&["work", "set", "k"], &vec![b'x'; 1 << 20]);
    assert!(large.code == 2 && large.err.contains("limits.content_bytes_max"), "{large:?}");
}

#[test]
fn the_settings_say_how_long_and_how_many_values_stay() {
    let lasting = |peri: &Peri| match seconds(&peri.json(&["work", "set", "k", "v"])) {
        Some(seconds) => format!("{seconds} seconds"),
        None => "no end".to_owned(),
    };
    check(("working.ttl_seconds", "60"), lasting, "900 seconds", "60 seconds");
    check(("working.ttl_seconds", "0"), lasting, "900 seconds", "no end");
    let room = |peri: &Peri| {
        peri.ok(&["work", "set", "first", "x"]);
        let run = peri.run(&["work", "set", "second", "y"]);
        format!("{}and {}", run.err, peri.ok(&["work", "list"]).lines().count())
    };
    check(("working.capacity", "1"), room, "and 2", "first left to make room\nand 1");
    let any = |peri: &Peri| {
        room(peri);
        format!("holds {}", peri.ok(&["work", "sessions"]))
    };
    check(("working.capacity", "0"), any, "holds 2 of 12", "holds 2  (default)");
}

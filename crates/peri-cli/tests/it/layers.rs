//! How memories move between layers and leave them, and that each setting of the layers counts.

use serde_json::Value;

use super::configuration::check;
use super::support::{Peri, text};

fn episode(peri: &Peri, content: &str, importance: &str) -> String {
    peri.remember(&[content, "--layer", "episodic", "--importance", importance])
}

/// What a sweep after so many days did, in words.
fn swept_after(peri: &Peri, days: i64) -> String {
    peri.age(days);
    peri.ok(&["sweep"])
}

#[test]
fn a_promoted_memory_takes_the_place_of_its_sources_until_that_is_undone() {
    let peri = Peri::new();
    let korean = episode(&peri, "어제 도자기를 구웠다", "0.5");
    let chinese = episode(&peri, "昨天我做了陶器", "0.5");
    let run = peri.run(&["promote", &korean, &chinese]);
    assert!(run.out.starts_with("promoted to long_term as "), "{run:?}");
    let id = run.out.trim().rsplit(' ').next().unwrap().to_owned();
    assert!(
        run.err.contains(&format!(
            "the 2 memories it was made from are put aside; `peri promote --undo {id}` brings them back"
        )),
        "{run:?}"
    );
    assert_eq!(peri.json(&["list"])["memories"].as_array().map(Vec::len), Some(1));
    assert!(peri.ok(&["get", &id]).contains("promoted from  episodic"));
    assert!(peri.ok(&["get", &korean]).contains(&format!("promoted to    {id}")));
    // Both tell of the other, and neither of a time at which nothing happened.
    let history = peri.ok(&["history", &korean]);
    assert!(history.contains("promoted to    long_term\n") && !history.contains("replaced by"), "{history}");
    let history = peri.ok(&["history", &id]);
    assert_eq!(history.matches("promoted from  episodic\n").count(), 2, "{history}");
    let wrong = peri.run(&["promote", "--undo", &korean]);
    assert_eq!(wrong.code, 4, "{wrong:?}");
    assert!(wrong.err.contains(&format!("`peri promote --undo {id}` brings it back")), "{wrong:?}");
    let undone = peri.ok(&["promote", "--undo", &id]);
    assert!(undone.starts_with("brought back 2 memories\n") && undone.contains("陶器"), "{undone}");
    assert_eq!(peri.recall(&["도자기"]), ["어제 도자기를 구웠다"]);
    assert!(peri.ok(&["get", &korean]).contains("promotion      undone"));
    let again = peri.ok(&["-q", "promote", &korean]);
    assert_eq!(text(&peri.json(&["get", again.trim()])["memory"]["layer"]), "long_term");
}

#[test]
fn a_layer_may_be_named_and_one_that_is_not_longer_is_refused() {
    let peri = Peri::new();
    let held = text(&peri.json(&["work", "set", "k", "tea"])["item"]["id"]);
    assert_eq!(peri.json(&["promote", &held, "--to", "long-term"])["memory"]["layer"], "long_term");
    let id = episode(&peri, "the kiln is hot", "0.5");
    let lasting = peri.remember(&["Bruno plays chess"]);
    for (args, code, words) in [
        (&["promote"][..], 2, "<ID>"),
        (&["promote", &id, "--to", "deep"], 2, "episodic"),
        (&["promote", &id, "--to", "working"], 4, "kept for as long already"),
        (&["promote", &lasting], 4, "cannot be promoted"),
        (&["promote", "--undo", &id], 4, "was not promoted from others"),
        (&["promote", "--undo", &id, &lasting], 2, "one memory at a time"),
        (&["promote", "--undo", &id, "--to", "working"], 2, "cannot be used with"),
        (&["promote", &id, "-n", "elsewhere"], 3, "no memory"),
        (&["promote", "없는 것"], 2, "is not a memory id"),
        (&["promote", "0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a"], 3, "no memory"),
        (&["sweep", "-n", "team"], 2, "has no meaning here"),
        (&["sweep", "extra"], 2, "unexpected argument"),
    ] {
        let run = peri.run(args);
        assert_eq!(run.code, code, "{args:?}: {run:?}");
        assert!(run.err.contains(words), "{args:?}: {run:?}");
    }
    assert_eq!(text(&peri.json(&["get", &id])["memory"]["layer"]), "episodic");
}

#[test]
fn a_sweep_tells_what_it_did_and_again_finds_nothing_to_do() {
    let peri = Peri::new();
    assert_eq!(peri.ok(&["sweep"]), "nothing to do: nothing has reached the end of its time\n");
    let gone = episode(&peri, "the bus was late", "0.1");
    episode(&peri, "이사 날짜는 3월 2일이다", "0.9");
    peri.age(31);
    let run = peri.run(&["sweep"]);
    assert_eq!(run.out, "1 outlived the time of episodes, 1 promoted\n", "{run:?}");
    assert!(run.err.contains("peri trash list"), "{run:?}");
    assert!(peri.ok(&["trash", "list"]).contains(&gone));
    assert_eq!(peri.json(&["list"])["memories"][0]["layer"], "long_term");
    assert_eq!(peri.json(&["sweep"])["outlived"], 0);
}

#[test]
fn maintaining_tells_what_left_its_layer_and_counts_what_was_purged_apart_from_it() {
    let peri = Peri::new();
    let old = peri.remember(&["an old note"]);
    peri.ok(&["forget", &old]);
    let database = rusqlite::Connection::open(peri.home().join("perihelion.db")).unwrap();
    database.execute_batch("UPDATE memories SET trashed_at = trashed_at - 31 * 86400000;").unwrap();
    drop(database);
    episode(&peri, "the bus was late", "0.1");
    peri.age(31);
    let told = peri.ok(&["maintain"]);
    assert!(told.starts_with("1 outlived the time of episodes\n1 memory purged"), "{told}");
}

#[test]
fn the_settings_say_for_how_long_episodes_are_kept() {
    let act = |peri: &Peri| {
        episode(peri, "the bus was late", "0.1");
        swept_after(peri, 10)
    };
    check(("episodic.retention_days", "5"), act, "nothing to do", "1 outlived");
    let longer = |peri: &Peri| {
        episode(peri, "the bus was late", "0.1");
        swept_after(peri, 31)
    };
    check(("episodic.retention_days", "0"), longer, "1 outlived", "nothing to do");
}

#[test]
fn the_settings_say_what_long_term_memory_lets_go() {
    let act = |peri: &Peri| {
        for content in ["the kiln is in the shed", "Ana prefers tea"] {
            peri.remember(&[content, "--importance", "0.5"]);
        }
        swept_after(peri, 10);
        format!("{} in the trash", peri.held().1)
    };
    check(("long_term.items_max", "1"), act, "0 in the trash", "1 in the trash");
    check(("long_term.score_min", "0.99"), act, "0 in the trash", "2 in the trash");
    check(("long_term.idle_days_max", "5"), act, "0 in the trash", "2 in the trash");
    let imported = |peri: &Peri| {
        let other = Peri::new();
        other.remember(&["Ana prefers tea", "--importance", "0.5"]);
        peri.configure("[long_term]\nscore_min = 0.99\n");
        peri.ok(&["import", &peri.file("other.jsonl", other.ok(&["export", "-q"]))]);
        peri.ok(&["sweep"]);
        format!("{} in the trash", peri.held().1)
    };
    check(("long_term.grace_days", "0"), imported, "0 in the trash", "1 in the trash");
}

#[test]
fn the_settings_say_what_is_promoted() {
    let important = |peri: &Peri| {
        episode(peri, "the deadline is on Friday", "0.8");
        swept_after(peri, 31)
    };
    check(("promotion.enabled", "false"), important, "1 promoted", "1 outlived");
    check(("promotion.importance_min", "0.9"), important, "1 promoted", "1 outlived");
    let used = |peri: &Peri| {
        episode(peri, "the deadline is on Friday", "0.1");
        peri.recall(&["deadline"]);
        swept_after(peri, 31)
    };
    check(("promotion.recalls_min", "1"), used, "1 outlived", "1 promoted");
    let repeated = |peri: &Peri| {
        for (session, content) in [
            ("monday", "We deploy the billing service on Fridays"),
            ("tuesday", "We deploy the billing service every Friday"),
        ] {
            peri.remember(&[content, "--session", session, "--speaker", "Ana", "--importance", "0.3"]);
        }
        swept_after(peri, 31)
    };
    check(("promotion.repeats_min", "2"), repeated, "2 outlived", "2 promoted");
    let twice = |peri: &Peri| {
        peri.configure("[promotion]\nrepeats_min = 2\n");
        repeated(peri)
    };
    check(("promotion.repeat_cosine_min", "1"), twice, "2 promoted", "2 outlived");
}

#[test]
fn bad_settings_of_layers_are_refused_with_a_reason() {
    for (setting, words) in [
        ("working.ttl_seconds = -1", "takes a whole number, zero or more"),
        ("working.ttl_seconds = 99999999999999", "more than 31557600000"),
        ("working.capacity = \"many\"", "takes a whole number"),
        ("working.sweep_seconds = 0", "at least 1"),
        ("working.sweep_seconds = 100000", "more than 86400"),
        ("episodic.retention_days = 400000", "more than 365250"),
        ("long_term.items_max = -1", "takes a whole number"),
        ("long_term.score_min = 1.5", "1.5 is not between 0 and 1"),
        ("long_term.idle_days_max = 400000", "more than 365250"),
        ("long_term.grace_days = 0.5", "takes a whole number"),
        ("promotion.enabled = \"yes\"", "takes true or false"),
        ("promotion.importance_min = -0.1", "is not between 0 and 1"),
        ("promotion.recalls_min = 0", "at least 1"),
        ("promotion.repeats_min = 1", "at least 2"),
        ("promotion.repeat_cosine_min = \"near\"", "takes a number"),
        ("snapshots.kept = 0", "at least 1"),
        ("snapshots.interval_seconds = 99999999", "more than 31622400"),
        ("snapshots.episodes = -1", "takes a whole number"),
        ("reports.daily = 1", "takes true or false"),
        ("reports.kept_days = 400000", "more than 365250"),
        ("time_zone = \"Asia/서울\"", "there is no time zone \"Asia/서울\"; write a name such as Asia/Seoul"),
        ("time_zone = 9", "takes a text"),
    ] {
        let peri = Peri::new();
        peri.configure(setting);
        let run = peri.run(&["stats"]);
        let key = setting.split(' ').next().unwrap();
        assert_eq!(run.code, 2, "{setting}: {run:?}");
        assert!(run.err.contains(key) && run.err.contains(words), "{setting}: {}", run.err);
        assert!(!peri.home().join("perihelion.db").exists(), "{setting}: nothing may be opened");
    }
}

#[test]
fn a_report_of_the_day_counts_what_moved() {
    let peri = Peri::new();
    let id = episode(&peri, "어제 도자기를 구웠다", "0.5");
    peri.ok(&["promote", &id]);
    let report: Value = peri.json(&["report"]);
    assert!(report.to_string().contains("promot"), "{report}");
    assert!(peri.ok(&["report"]).contains("promoted from episodic to long"));
}

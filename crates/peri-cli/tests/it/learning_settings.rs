//! Each setting of learning and of the workers changes something that a person can see.

use super::configuration::check;
use super::learn::strategy;
use super::support::{Peri, text};

/// What recall offers beside memories.
fn offered(peri: &Peri) -> String {
    for words in ["deploy billing to staging before production", "deploy billing only after the tests pass"] {
        strategy(peri, words);
    }
    let found = peri.json(&["recall", "how do I deploy billing"]);
    format!("{} offered", found["patterns"].as_array().map_or(0, Vec::len))
}

#[test]
fn the_settings_of_offers_say_how_many_patterns_and_how_relevant_they_are() {
    check(("learning.patterns_offered", "1"), offered, "2 offered", "1 offered");
    check(("learning.patterns_offered", "0"), offered, "2 offered", "0 offered");
    check(("learning.offer_score_min", "1"), offered, "2 offered", "0 offered");
}

/// A pattern's term after so many tasks that followed it and went well.
fn term(peri: &Peri) -> String {
    let id = strategy(peri, "deploy billing to staging before production");
    for number in 0..3 {
        let task = format!("배포 {number}");
        peri.ok(&["learn", "record", "--task", &task, "--outcome", "success", "--pattern", &id]);
    }
    peri.ok(&["learn", "distil"]);
    format!("{} term", text(&peri.json(&["learn", "show", &id])["pattern"]["term"]))
}

#[test]
fn the_settings_of_promotion_say_when_a_pattern_is_kept_for_good() {
    check(("learning.promote_uses", "4"), term, "long term", "short term");
    check(("learning.promote_quality", "1"), term, "long term", "short term");
}

/// How many patterns are offered after the bank was tended.
fn held(peri: &Peri, promoted: bool) -> String {
    for words in
        ["deploy billing to staging first", "ask the owner before deleting a branch", "先备份数据库再迁移"]
    {
        let id = strategy(peri, words);
        if promoted {
            peri.ok(&["learn", "promote", &id]);
        }
    }
    // What somebody told is left alone for a day.
    let database = rusqlite::Connection::open(peri.home().join("perihelion.db")).unwrap();
    database.execute("UPDATE patterns SET created_at = created_at - 172800000", []).unwrap();
    drop(database);
    peri.ok(&["learn", "record", "--task", "배포", "--outcome", "success"]);
    peri.ok(&["learn", "distil"]);
    format!("{} held", peri.json(&["learn", "patterns"])["patterns"].as_array().unwrap().len())
}

#[test]
fn the_sizes_of_the_bank_say_how_many_patterns_stay() {
    check(("learning.short_max", "1"), |peri| held(peri, false), "3 held", "1 held");
    check(("learning.long_max", "2"), |peri| held(peri, true), "3 held", "2 held");
}

#[test]
fn trajectories_kept_says_how_many_recorded_tasks_stay() {
    let act = |peri: &Peri| {
        for number in 0..4 {
            peri.ok(&["learn", "record", "--task", &format!("과제 {number}"), "--outcome", "success"]);
        }
        peri.ok(&["learn", "distil"]);
        peri.ok(&["learn", "distil"]);
        format!("{} kept", peri.json(&["learn", "stats"])["trajectories"])
    };
    check(("learning.trajectories_kept", "2"), act, "4 kept", "2 kept");
}

/// Feedback for so many questions, then an attempt to learn from it.
fn trained(peri: &Peri, questions: usize) -> String {
    let ids: Vec<String> =
        (0..3).map(|number| peri.remember(&[&format!("the kiln {number} is in shed {number}")])).collect();
    for number in 0..questions {
        let query = format!("where is kiln number {number}");
        peri.ok(&[
            "feedback",
            "--query",
            &query,
            "--used",
            &ids[number % 3],
            "--not-used",
            &ids[(number + 1) % 3],
        ]);
    }
    let trial = peri.json(&["learn", "train"]);
    if trial["namespaces"][0]["adapter"].is_null() { "not tried".to_owned() } else { "a trial".to_owned() }
}

#[test]
fn adaptation_and_mode_say_whether_and_after_how_much_feedback_is_learned() {
    check(("learning.adaptation", "off"), |peri| trained(peri, 45), "a trial", "not tried");
    check(("learning.mode", "research"), |peri| trained(peri, 45), "a trial", "not tried");
}

#[test]
fn the_settings_of_workers_say_which_run_how_often_and_on_what() {
    let row = |peri: &Peri| {
        let table = peri.ok(&["workers", "status"]);
        table.lines().find(|line| line.starts_with("map")).unwrap().to_owned()
    };
    check(("workers.map.enabled", "false"), row, "due", "off");
    check(("workers.map.interval_seconds", "7200"), row, "10m", "2h");
    let counted = |peri: &Peri| {
        let all = peri.json(&["workers", "run", "--all"]);
        format!("{} ran", all["results"].as_array().unwrap().len())
    };
    check(("workers.audit.enabled", "false"), counted, "12 ran", "11 ran");
    let workspace = |peri: &Peri| {
        std::fs::create_dir_all(peri.home().join("code")).unwrap();
        let run = peri.run(&["workers", "run", "map"]);
        run.out + &run.err
    };
    assert!(workspace(&Peri::new()).contains("no workspace is configured"));
    let given = Peri::new().with("PERI_WORKERS_WORKSPACE", "code");
    assert!(!workspace(&given).contains("no workspace is configured"));
}

#[test]
fn what_is_due_waits_on_a_busy_machine_as_configured() {
    let act = |peri: &Peri| {
        let paused = peri.json(&["workers", "status"])["paused"].clone();
        if paused.is_null() { "nothing waits".to_owned() } else { "it waits".to_owned() }
    };
    let never = |name: &str| Peri::new().with("PERI_WORKERS_LOAD_MAX", "0").with(name, "0");
    assert_eq!(act(&never("PERI_WORKERS_MEMORY_FREE_MIN")), "nothing waits");
    let full = Peri::new().with("PERI_WORKERS_LOAD_MAX", "0").with("PERI_WORKERS_MEMORY_FREE_MIN", "1");
    assert_eq!(act(&full), "it waits");
}

//! Snapshots of episodes as people and scripts see them.

use super::configuration::check;
use super::support::{Peri, text};

fn episode(peri: &Peri, content: &str) -> String {
    peri.remember(&[content, "--layer", "episodic"])
}

#[test]
fn an_episode_that_was_purged_comes_back_from_a_snapshot() {
    let peri = Peri::new();
    assert_eq!(peri.json(&["snapshot", "create"])["snapshot"], serde_json::Value::Null);
    assert!(peri.run(&["snapshot", "list"]).err.contains("there are no snapshots"));
    let id = episode(&peri, "어제 도자기를 구웠다");
    let kept = episode(&peri, "上周二我们讨论了陶器");
    let taken = peri.json(&["snapshot", "create"])["snapshot"].clone();
    assert_eq!(taken["episodes"], 2);
    assert!(peri.ok(&["snapshot", "create"]).contains("no episode has changed"));
    let listed = peri.json(&["snapshot", "list"])["snapshots"].clone();
    assert_eq!(listed, serde_json::json!([taken]));
    let file = text(&taken["file"]);
    assert!(peri.home().join("snapshots").join(&file).is_file());
    assert!(peri.ok(&["snapshot", "list"]).starts_with(&file));
    peri.ok(&["forget", &id]);
    peri.ok(&["trash", "purge", &id, "--yes"]);
    let told = peri.ok(&["snapshot", "restore", &file]);
    assert!(told.contains("restored 1 episode from ") && told.contains("1 was here already"), "{told}");
    assert_eq!(text(&peri.json(&["get", &id])["memory"]["content"]), "어제 도자기를 구웠다");
    let again = peri.json(&["snapshot", "restore", "latest"]);
    assert_eq!((&again["restored"]["added"], &again["restored"]["known"]), (&0.into(), &2.into()));
    assert!(peri.ok(&["get", &kept]).contains("陶器"));
}

#[test]
fn what_cannot_be_restored_is_explained() {
    let peri = Peri::new();
    for (args, code, words) in [
        (&["snapshot", "restore", "latest"][..], 2, "no snapshot to restore from"),
        (&["snapshot", "restore", "없는 것"], 3, "there is no snapshot"),
        (&["snapshot", "restore", "../perihelion.db"], 3, "there is no snapshot"),
        (&["snapshot", "restore"], 2, "NAME"),
        (&["snapshot", "create", "-n", "team"], 2, "of every namespace"),
    ] {
        let run = peri.run(args);
        assert_eq!(run.code, code, "{args:?}: {run:?}");
        assert!(run.err.contains(words), "{args:?}: {run:?}");
    }
    episode(&peri, "one");
    let file = text(&peri.json(&["snapshot", "create"])["snapshot"]["file"]);
    std::fs::write(peri.home().join("snapshots").join(&file), "damaged").unwrap();
    let run = peri.run(&["snapshot", "restore", &file]);
    assert_eq!(run.code, 7, "{run:?}");
    assert!(run.err.contains("no memory was touched"), "{run:?}");
}

#[test]
fn the_settings_say_what_a_snapshot_holds_and_how_many_stay() {
    let held = |peri: &Peri| {
        ["one", "two", "three"].iter().for_each(|text| drop(episode(peri, text)));
        format!("{} held", peri.json(&["snapshot", "create"])["snapshot"]["episodes"])
    };
    check(("snapshots.episodes", "2"), held, "3 held", "2 held");
    let kept = |peri: &Peri| {
        for text in ["one", "two", "three"] {
            episode(peri, text);
            peri.ok(&["snapshot", "create"]);
        }
        format!("{} kept", peri.json(&["snapshot", "list"])["snapshots"].as_array().unwrap().len())
    };
    check(("snapshots.kept", "1"), kept, "3 kept", "1 kept");
    let by_chores = |peri: &Peri| {
        episode(peri, "one");
        peri.ok(&["maintain"]);
        format!("{} taken", peri.json(&["snapshot", "list"])["snapshots"].as_array().unwrap().len())
    };
    check(("snapshots.interval_seconds", "0"), by_chores, "1 taken", "0 taken");
    for setting in ["kept = 0", "interval_seconds = -1", "episodes = \"many\""] {
        let peri = Peri::new();
        peri.configure(&format!("[snapshots]\n{setting}\n"));
        let run = peri.run(&["snapshot", "list"]);
        assert_eq!(run.code, 2, "{setting}: {run:?}");
    }
}

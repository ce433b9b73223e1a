//! What a statement does to others is told, kept, seen as of then, and can be undone.

use super::support::{Peri, text};

#[test]
fn a_new_value_replaces_the_old_one_and_the_receipt_says_so() {
    let peri = Peri::new();
    let old = peri.remember(&["The staging server is called Ganymede"]);
    let told = peri.ok(&["remember", "The staging server is called Callisto"]);
    let line = told.lines().nth(1).unwrap();
    assert!(
        line.starts_with("  replaces  ") && line.ends_with("  The staging server is called Ganymede"),
        "{told}"
    );
    let new = text(&peri.json(&["get", &old])["memory"]["superseded_by"]);
    assert_eq!(peri.recall(&["staging server"]), ["The staging server is called Callisto"]);
    let history = peri.ok(&["history", &new]);
    assert!(history.contains("\nreplaces       since "), "{history}");
    assert!(history.contains("  The staging server is called Ganymede\n"), "{history}");
    let history = peri.json(&["history", &old]);
    assert_eq!(text(&history["replaced_by"][0]["id"]), new);
}

#[test]
fn what_says_the_same_is_put_aside_and_can_be_split_off_again() {
    let peri = Peri::new();
    let kept = peri.remember(&["Ana's favourite colour is blue"]);
    let told = peri.ok(&["remember", "The favourite colour of Ana is blue"]);
    assert!(told.starts_with(&format!("merged into {kept} in default\n")), "{told}");
    assert!(told.contains("\n  says the same as  ") && told.contains("` undoes it\n"), "{told}");
    assert_eq!(peri.recall(&["favourite colour"]), ["Ana's favourite colour is blue"]);
    let undo = told.split('`').nth(1).unwrap().strip_prefix("peri split ").unwrap();
    let history = peri.run(&["history", &kept]);
    assert!(history.out.contains("\nsays the same  merged "), "{history:?}");
    assert!(history.err.contains(&format!("peri split {undo}")), "{history:?}");
    assert!(peri.ok(&["history", undo]).contains("\nmerged into    merged "));
    let split = peri.ok(&["split", undo]);
    assert!(
        split.starts_with("split off ") && split.contains("The favourite colour of Ana is blue\nfrom "),
        "{split}"
    );
    assert_eq!(peri.recall(&["favourite colour"]).len(), 2);
    assert_eq!(peri.run(&["split", undo]).code, 4);
}

#[test]
fn contradictions_are_told_and_both_stay() {
    let peri = Peri::new();
    peri.remember(&["Bruno is allergic to peanuts"]);
    let told = peri.ok(&["remember", "Bruno is not allergic to peanuts"]);
    assert!(told.contains("\n  contradicts  "), "{told}");
    assert_eq!(peri.recall(&["peanuts"]).len(), 2);
}

#[test]
fn a_quiet_receipt_is_an_id_and_nothing_else() {
    let peri = Peri::new();
    peri.remember(&["The staging server is called Ganymede"]);
    assert_eq!(peri.ok(&["-q", "remember", "The staging server is called Callisto"]).lines().count(), 1);
}

#[test]
fn many_lines_tell_how_many_memories_they_replaced() {
    let peri = Peri::new();
    peri.remember(&["The staging server is called Ganymede"]);
    let run = peri.run_with(&["remember", "--lines"], b"The staging server is called Callisto\n");
    assert!(run.err.contains("note: 1 older memory was replaced; peri logs tells which"), "{run:?}");
}

#[test]
fn korean_and_chinese_go_through_history_as_they_are() {
    let peri = Peri::new();
    for (before, after) in [
        ("김민수는 다음 주 화요일에 부산으로 이사한다", "김민수는 다음 주 금요일에 대구로 이사한다"),
        ("王芳喜欢在周末拍照", "王芳喜欢在周末画画"),
    ] {
        let id = peri.remember(&[before]);
        peri.ok(&["revise", &id, after]);
        let history = peri.ok(&["history", &id]);
        assert!(
            history.contains(&format!("    {before}\n")) && history.contains(&format!("    {after}\n")),
            "{history}"
        );
        assert_eq!(text(&peri.json(&["history", &id])["versions"][0]["content"]), before);
    }
}

#[test]
fn a_memory_with_nothing_to_tell_says_so() {
    let peri = Peri::new();
    let id = peri.remember(&["Ana prefers tea"]);
    let run = peri.run(&["history", &id]);
    assert!(run.err.contains("never revised, replaced or merged"), "{run:?}");
}

#[test]
fn recall_as_of_a_time_gives_what_held_then() {
    let peri = Peri::new();
    for (content, from, until) in [
        ("Ana lives in Porto", "2020-01-01", "2022-12-31"),
        ("Ana lives in Braga", "2023-01-01", "2024-12-31"),
    ] {
        peri.remember(&[content, "--valid-from", from, "--valid-until", until, "--at", from]);
    }
    let question = "where does Ana live";
    assert_eq!(peri.recall(&[question, "--as-of", "2021-06-01"]), ["Ana lives in Porto"]);
    assert_eq!(peri.recall(&[question, "--as-of", "2022-12-31"]), ["Ana lives in Porto"]);
    assert_eq!(peri.recall(&[question, "--as-of", "2024-06-01"]), ["Ana lives in Braga"]);
    assert!(peri.recall(&[question]).is_empty());
    assert!(peri.recall(&[question, "--as-of", "2019-01-01"]).is_empty());
}

#[test]
fn from_when_and_until_when_it_holds_can_be_changed_and_taken_away() {
    let peri = Peri::new();
    let id = peri.remember(&["the kiln is hot", "--valid-from", "2026-01-02", "--valid-until", "9000-01-01"]);
    let shown = peri.ok(&["get", &id]);
    assert!(
        shown.contains("holds from     2026-01-02 00:00:00\nholds until    9000-01-02 00:00:00\n"),
        "{shown}"
    );
    let revised = peri.json(&["revise", &id, "--valid-until", "8000-01-01T00:00:00Z"]);
    assert_eq!(text(&revised["memory"]["valid_until"]), "8000-01-01T00:00:00Z");
    let revised = peri.json(&["revise", &id, "--valid-until", "none", "--valid-from", "none"]);
    assert!(revised["memory"].get("valid_until").is_none() && revised["memory"].get("valid_from").is_none());
}

#[test]
fn of_equals_those_of_the_session_come_first() {
    let peri = Peri::new();
    for session in ["monday", "tuesday"] {
        peri.remember(&["the kiln is hot", "--session", session, "--speaker", "Ines"]);
    }
    for session in ["monday", "tuesday"] {
        let found = peri.json(&["recall", "is the kiln hot", "--in-session", session]);
        assert_eq!(found["hits"].as_array().map(Vec::len), Some(2), "{found}");
        assert_eq!(text(&found["hits"][0]["memory"]["session"]), session, "{found}");
    }
}

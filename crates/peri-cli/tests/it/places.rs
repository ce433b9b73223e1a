//! Sessions and namespaces: begun and ended, listed, moved and deleted.

use super::support::{Peri, text};

#[test]
fn a_session_is_summed_up_once_when_it_ends() {
    let peri = Peri::new();
    assert!(peri.ok(&["session", "start", "스탠드업"]).starts_with("open 스탠드업 in default, begun 20"));
    peri.remember(&["배포는 내일 아침이다", "--session", "스탠드업", "--speaker", "민수"]);
    assert!(peri.ok(&["session", "list"]).ends_with("  open   스탠드업\n"));
    let ended = peri.ok(&["session", "end", "스탠드업"]);
    assert!(ended.starts_with("ended 스탠드업 in default\nsummed up in   "), "{ended}");
    assert!(ended.contains("민수: 배포는 내일 아침이다"), "{ended}");
    let held = peri.held();
    assert_eq!(peri.ok(&["session", "end", "스탠드업"]), ended);
    assert_eq!(peri.held(), held);
    let shown = peri.ok(&["session", "show", "스탠드업"]);
    assert!(
        shown.contains("\nsummed up in   ") && shown.ends_with("민수: 배포는 내일 아침이다\n"),
        "{shown}"
    );
    assert!(peri.ok(&["session", "list"]).ends_with("  ended  스탠드업\n"));
}

#[test]
fn an_empty_session_ends_without_a_summary() {
    let peri = Peri::new();
    peri.ok(&["session", "start", "monday"]);
    let run = peri.run(&["session", "end", "monday"]);
    assert!(run.code == 0 && run.err.contains("nothing to sum up"), "{run:?}");
    assert_eq!(peri.held().0, 0);
}

#[test]
fn sessions_belong_to_their_namespace() {
    let peri = Peri::new();
    peri.ok(&["session", "start", "monday", "-n", "team/a"]);
    assert!(peri.run(&["session", "list"]).err.contains("no sessions in default"));
    assert!(peri.ok(&["session", "list", "-n", "team/*"]).ends_with("  team/a  monday\n"));
    assert_eq!(peri.run(&["session", "show", "monday"]).code, 3);
}

#[test]
fn moving_a_namespace_takes_everything_along() {
    let peri = Peri::new();
    let id = peri.remember(&["the kiln is in the shed", "-n", "old"]);
    peri.remember(&["Ana prefers tea", "-n", "old"]);
    let twin = peri.remember(&["Ana prefers tea", "-n", "new"]);
    let run = peri.run(&["namespace", "move", "old", "new"]);
    assert_eq!(run.out, "moved 2 memories from old to new\n");
    assert!(run.err.contains("1 of them says what a memory there says already"), "{run:?}");
    assert_eq!(text(&peri.json(&["get", &id])["memory"]["namespace"]), "new");
    assert_eq!(peri.recall(&["tea", "-n", "new"]), ["Ana prefers tea"]);
    assert!(peri.json(&["get", &twin])["memory"].get("trashed_at").is_none());
    assert_eq!(peri.ok(&["namespace", "list"]), "new  2 memories, 1 in the trash\n");
    assert_eq!(peri.run(&["namespace", "move", "old", "newer"]).code, 3);
}

#[test]
fn one_edge_is_told_as_one() {
    let peri = Peri::new();
    let [one, two] = ["the kiln is in the shed", "翠鸟吃鱼"].map(|text| peri.remember(&[text]));
    peri.ok(&["graph", "link", &one, &two]);
    assert_eq!(peri.ok(&["namespace", "list"]), "default  2 memories, 1 edge\n");
}

#[test]
fn a_deleted_namespace_lies_in_the_trash_unless_it_is_purged() {
    let peri = Peri::new();
    let id = peri.remember(&["the kiln is in the shed", "-n", "old"]);
    peri.remember(&["Ana prefers tea"]);
    let refused = peri.run(&["namespace", "delete", "old"]);
    assert_eq!(refused.code, 2);
    assert_eq!(peri.held(), (2.into(), 0.into()));
    let run = peri.run(&["namespace", "delete", "old", "--yes"]);
    assert_eq!(run.out, "1 memory of old moved to the trash\n");
    assert_eq!(peri.held(), (1.into(), 1.into()));
    peri.ok(&["trash", "restore", &id]);
    assert_eq!(peri.recall(&["kiln", "-n", "old"]), ["the kiln is in the shed"]);
    assert_eq!(peri.ok(&["namespace", "delete", "old", "--purge", "--yes"]), "1 memory of old destroyed\n");
    assert_eq!(peri.run(&["get", &id]).code, 3);
    assert_eq!(peri.held(), (1.into(), 0.into()));
}

//! `peri vault`, and how other commands see the documents.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use crate::support::Peri;

/// A condition is looked at so often before it counts as never met.
const LOOKS: usize = 600;

fn write(peri: &Peri, place: &str, text: &str) {
    let path = peri.home().join("vault").join(place);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn read(peri: &Peri, place: &str) -> String {
    std::fs::read_to_string(peri.home().join("vault").join(place)).unwrap()
}

#[test]
fn an_edit_is_known_to_the_next_recall_without_any_server() {
    let peri = Peri::new();
    write(&peri, "knowledge/facts/커피.md", "아나는 드립 커피를 마신다.\n");
    let told = peri.ok(&["recall", "드립 커피"]);
    assert!(told.contains("아나는 드립 커피를 마신다"), "{told}");
    assert!(told.contains("vault:knowledge/facts/커피.md"), "{told}");
    write(&peri, "knowledge/facts/커피.md", "아나는 이제 드립 커피 대신 녹차를 마신다.\n");
    assert!(peri.ok(&["recall", "드립 커피"]).contains("녹차"));
    assert!(peri.ok(&["list"]).contains("녹차"));
    std::fs::remove_file(peri.home().join("vault/knowledge/facts/커피.md")).unwrap();
    assert!(!peri.ok(&["list"]).contains("녹차"));
}

#[test]
fn a_recalled_document_says_its_file() {
    let peri = Peri::new();
    peri.ok(&["vault", "put", "facts/router", &peri.file("x.md", "The router is called Ganymede.\n")]);
    let recalled = peri.json(&["recall", "what is the router called"]);
    assert_eq!(recalled["hits"][0]["memory"]["source"], "vault:knowledge/facts/router.md");
}

#[test]
fn documents_are_put_shown_listed_and_deleted_by_their_keys() {
    let peri = Peri::new();
    let run = peri.run_with(&["vault", "put", "user:김민수"], "민수는 부산에 산다.\n".as_bytes());
    assert_eq!((run.code, run.out.trim()), (0, "created md/users/김민수.md"));
    assert_eq!(peri.ok(&["vault", "get", "user:김민수"]), "민수는 부산에 산다.\n");
    peri.run_with(&["vault", "put", "knowledge/facts/办公室"], "办公室六点关门。\n".as_bytes());
    let listed = peri.json(&["vault", "list"]);
    let keys: Vec<_> =
        listed["documents"].as_array().unwrap().iter().map(|one| one["key"].as_str().unwrap()).collect();
    assert_eq!(keys, ["knowledge/facts/办公室", "user:김민수"]);
    assert!(!peri.ok(&["vault", "list", "knowledge/"]).contains("김민수"));
    let status = peri.json(&["vault", "status"]);
    assert_eq!((status["config"].as_u64(), status["knowledge"].as_u64()), (Some(1), Some(1)));
    assert_eq!((status["memories"].as_u64(), status["waiting"].as_u64()), (Some(1), Some(0)));
    peri.ok(&["vault", "delete", "knowledge/facts/办公室"]);
    assert!(!peri.ok(&["list"]).contains("办公室"));
    assert_eq!(read(&peri, ".trash/knowledge/facts/办公室.md"), "办公室六点关门。\n");
    assert!(peri.ok(&["trash", "list"]).contains("办公室"));
}

#[test]
fn a_revised_and_a_forgotten_memory_reach_the_file_at_once() {
    let peri = Peri::new();
    write(&peri, "knowledge/facts/port.md", "---\ntags: [net] # mine\n---\nThe port is 8080.\n");
    let memories = peri.json(&["list"]);
    let id = memories["memories"][0]["id"].as_str().unwrap().to_owned();
    peri.ok(&["revise", &id, "The port is 9090."]);
    assert_eq!(read(&peri, "knowledge/facts/port.md"), "---\ntags: [net] # mine\n---\nThe port is 9090.\n");
    peri.ok(&["forget", &id]);
    assert!(!peri.home().join("vault/knowledge/facts/port.md").exists());
    peri.ok(&["trash", "restore", &id]);
    assert!(read(&peri, "knowledge/facts/port.md").contains("The port is 9090."));
}

#[test]
fn a_conflict_is_told_and_both_versions_are_there() {
    let peri = Peri::new();
    write(&peri, "knowledge/facts/port.md", "The port is 8080.\n");
    let id = peri.json(&["list"])["memories"][0]["id"].as_str().unwrap().to_owned();
    write(&peri, "knowledge/facts/port.md", "The port is 9090.\n");
    let run = peri.run(&["revise", &id, "The port is 7070."]);
    assert!(run.code == 0 && run.err.contains("conflict"), "{run:?}");
    assert_eq!(read(&peri, "knowledge/facts/port.md"), "The port is 9090.\n");
    let contents = peri.ok(&["list"]);
    assert!(contents.contains("9090") && contents.contains("7070"), "{contents}");
    assert!(peri.ok(&["vault", "status"]).contains("conflict"));
}

#[test]
fn bad_keys_and_missing_documents_are_refused_with_their_codes() {
    let peri = Peri::new();
    for key in ["../x", "facts/../../x", "/etc/passwd", "facts/con", "a\\b", "facts/x.", "other:x"] {
        for verb in ["get", "delete"] {
            let run = peri.run(&["vault", verb, key]);
            assert_eq!((run.code, run.out.as_str()), (2, ""), "{verb} {key}");
        }
        assert_eq!(peri.run_with(&["vault", "put", key], b"x").code, 2, "{key}");
    }
    assert_eq!(peri.run(&["vault", "get", "system"]).code, 3);
    assert_eq!(peri.run(&["vault", "sync"]).code, 2);
    assert_eq!(peri.run_with(&["vault", "put", "system"], &[0xff]).code, 2);
    assert!(!peri.home().join("vault").exists());
    assert_eq!(peri.run(&["vault", "status"]).code, 0);
}

#[test]
fn every_setting_of_the_vault_changes_what_is_remembered() {
    let peri = Peri::new();
    write(&peri, "knowledge/facts/a.md", "Mars is red.\n");
    peri.configure("[vault]\nenabled = \"off\"\n");
    assert!(!peri.ok(&["list"]).contains("Mars"));
    assert_eq!(peri.run(&["vault", "sync"]).code, 2);
    peri.configure("[vault]\nnamespace = \"notes\"\n");
    assert!(!peri.ok(&["list"]).contains("Mars"));
    assert!(peri.ok(&["list", "--namespace", "notes"]).contains("Mars"));
    peri.configure("[vault]\nenabled = \"on\"\nfolder = \"둘째\"\n");
    peri.ok(&["list"]);
    assert!(peri.home().join("둘째/knowledge/facts").is_dir());
    for bad in ["enabled = \"maybe\"", "folder = \"\"", "folder = \"~/x\"", "namespace = \"a//b\""] {
        peri.configure(&format!("[vault]\n{bad}\n"));
        assert_eq!(peri.run(&["list"]).code, 2, "{bad}");
    }
}

#[test]
fn watch_tells_of_what_is_there_and_of_every_edit() {
    let peri = Peri::new();
    write(&peri, "knowledge/facts/a.md", "Mars is red.\n");
    let mut child =
        peri.process().args(["vault", "watch"]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut hear = |what: &str| {
        let heard = lines.by_ref().take(LOOKS).map(Result::unwrap).find(|line| line.contains(what));
        assert!(heard.is_some(), "{what}");
    };
    hear("added  knowledge/facts/a");
    write(&peri, "knowledge/facts/b.md", "Neptune is blue.\n");
    hear("added  knowledge/facts/b");
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(peri.ok(&["list"]).contains("Neptune"));
}

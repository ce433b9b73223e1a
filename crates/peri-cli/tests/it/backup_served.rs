//! Restoring under a server that goes on answering and writing.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};

use serde_json::{Value, json};

use super::served::Served;
use super::support::{Peri, text};

const WRITERS: usize = 4;
/// Acknowledgements that are waited for before the restore, and after it.
const ACKNOWLEDGED: usize = 40;

const KEPT: &str = "등대지기는 항구의 열쇠를 가지고 있다";
const NEWER: &str = "항구의 열쇠는 이제 세관에 있다";

fn serve(peri: &Peri) -> Served {
    let served = Served::start(peri);
    assert_eq!(served.get("/health/ready").status, 200);
    served
}

fn recalled(served: &Served, query: &str) -> Vec<String> {
    let answer = served.post("/v1/recall", &json!({ "query": query, "limit": 50 }));
    assert_eq!(answer.status, 200, "{answer:?}");
    let answer: Value = serde_json::from_str(&answer.body).unwrap();
    answer["hits"].as_array().unwrap().iter().map(|hit| text(&hit["memory"]["content"])).collect()
}

/// Everything that the server lists.
fn listed(served: &Served) -> BTreeSet<String> {
    let (mut held, mut cursor) = (BTreeSet::new(), String::new());
    loop {
        let answer = served.get(&format!("/v1/memories?limit=1000{cursor}"));
        assert_eq!(answer.status, 200, "{answer:?}");
        let page: Value = serde_json::from_str(&answer.body).unwrap();
        for memory in page["memories"].as_array().unwrap() {
            assert!(held.insert(text(&memory["content"])), "stored twice: {memory}");
        }
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return held,
        }
    }
}

fn furnished() -> Peri {
    let peri = Peri::new().with("PERI_SERVER_REQUESTS_PER_MINUTE", "0").with("PERI_LOG_LEVEL", "warn");
    peri.remember(&[KEPT]);
    peri.remember(&["王芳喜欢在周末拍照"]);
    peri
}

#[test]
fn a_server_that_goes_on_sees_the_restored_state_and_nothing_else() {
    let peri = furnished();
    let served = serve(&peri);
    let before = listed(&served);
    let name = text(&peri.json(&["backup", "create"])["name"]);
    assert_eq!(served.post("/v1/memories", &json!({ "content": NEWER })).status, 201);
    assert!(recalled(&served, "항구의 열쇠").contains(&NEWER.to_owned()));
    let restored = peri.json(&["backup", "restore", &name, "--overwrite", "--yes"]);
    assert_eq!(listed(&served), before);
    assert_eq!(recalled(&served, "항구의 열쇠")[0], KEPT);
    assert!(!recalled(&served, "항구의 열쇠").contains(&NEWER.to_owned()));
    assert_eq!(served.post("/v1/memories", &json!({ "content": "Callisto came after" })).status, 201);
    assert!(recalled(&served, "Callisto").contains(&"Callisto came after".to_owned()));
    // And the way back, to what was here before the restore.
    let safety = text(&restored["safety_backup"]);
    peri.ok(&["backup", "restore", &safety, "--overwrite", "--yes"]);
    let mut expected = before;
    expected.insert(NEWER.to_owned());
    assert_eq!(listed(&served), expected);
    assert!(recalled(&served, "항구의 열쇠").contains(&NEWER.to_owned()));
    assert!(!recalled(&served, "Callisto").contains(&"Callisto came after".to_owned()));
    let ended = served.end();
    assert_eq!(ended.code, Some(0), "{ended:?}");
    peri.ok(&["doctor"]);
    assert_eq!(peri.recall(&["Callisto"]).iter().filter(|found| found.starts_with("Callisto")).count(), 0);
}

/// What was acknowledged, with the change that stored it.
type Receipt = (String, u64);

/// Remembers turns of a conversation, which are neither linked nor merged, until it is told to stop.
fn write(served: &Served, writer: usize, stop: &AtomicBool, acknowledged: &Sender<Receipt>) {
    for turn in 0.. {
        if stop.load(Ordering::SeqCst) {
            return;
        }
        let content = format!("The writer of number {writer} said its sentence of number {turn}.");
        let body = json!({"content": content, "kind": "episode", "session": "harbour", "speaker": "Ana"});
        let answer = served.post("/v1/memories", &body);
        assert_eq!(answer.status, 201, "{answer:?}");
        let receipt: Value = serde_json::from_str(&answer.body).unwrap();
        acknowledged.send((content, receipt["change"].as_u64().unwrap())).unwrap();
    }
}

/// Recalls until it is told to stop. Whoever has seen the restored state never sees the old one again.
fn read(served: &Served, stop: &AtomicBool) {
    let mut restored = false;
    while !stop.load(Ordering::SeqCst) {
        let found = recalled(served, "항구의 열쇠");
        let newer = found.iter().any(|content| content == NEWER);
        assert!(!(restored && newer), "the old state came back: {found:?}");
        restored |= found.iter().any(|content| content == KEPT);
    }
}

#[test]
fn of_writes_during_a_restore_exactly_those_are_there_that_came_after_it() {
    let peri = furnished();
    let gone = text(&peri.json(&["list"])["memories"][1]["id"]);
    let served = serve(&peri);
    let before = listed(&served);
    let name = text(&peri.json(&["backup", "create"])["name"]);
    assert_eq!(text(&peri.json(&["get", &gone])["memory"]["content"]), KEPT);
    peri.ok(&["forget", &gone]);
    assert_eq!(served.post("/v1/memories", &json!({ "content": NEWER })).status, 201);
    let stop = AtomicBool::new(false);
    let (sender, receiver) = channel();
    let (receipts, last) = std::thread::scope(|threads| {
        let (served, stop) = (&served, &stop);
        for writer in 0..WRITERS {
            let sender = sender.clone();
            threads.spawn(move || write(served, writer, stop, &sender));
        }
        threads.spawn(move || read(served, stop));
        drop(sender);
        let mut receipts: Vec<Receipt> = receiver.iter().take(ACKNOWLEDGED).collect();
        let restore = ["backup", "restore", &name, "--overwrite", "--yes", "--no-safety-backup"];
        let last = peri.json(&restore)["change"].as_u64().unwrap();
        let mut after = 0;
        while after < ACKNOWLEDGED {
            let receipt = receiver.recv().unwrap();
            after += usize::from(receipt.1 > last);
            receipts.push(receipt);
        }
        stop.store(true, Ordering::SeqCst);
        receipts.extend(&receiver);
        (receipts, last)
    });
    let mut expected = before;
    expected.extend(receipts.iter().filter(|(_, change)| *change > last).map(|(content, _)| content.clone()));
    assert!(receipts.iter().any(|(_, change)| *change < last), "some came before");
    assert_eq!(listed(&served), expected);
    let found = recalled(&served, "항구의 열쇠");
    assert!(found.contains(&KEPT.to_owned()) && !found.contains(&NEWER.to_owned()), "{found:?}");
    // A recall knows nothing of those that came before, and all of those that came after.
    for (content, _) in receipts.iter().rev().take(5) {
        assert!(recalled(&served, content).contains(content), "{content}");
    }
    for (content, _) in receipts.iter().take(5) {
        assert!(!recalled(&served, content).contains(content), "{content}");
    }
    let ended = served.end();
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(listed(&serve(&peri)), expected, "and after a restart");
    peri.ok(&["doctor"]);
}

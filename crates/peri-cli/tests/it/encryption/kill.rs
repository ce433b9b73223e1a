//! Moves to another key that are killed at every step: the store is always whole, under one key or the other.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use super::{KEY, OTHER, key_file};
use crate::support::Peri;

const MEMORIES: usize = 300;

/// When to kill: as soon as something is to be seen in the folder.
type Moment = fn(&Path, u64) -> bool;

fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |file| file.len())
}

fn number(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |file| file.ino())
}

const MOMENTS: [(&str, Moment); 8] = [
    ("at once", |_, _| true),
    ("the move is marked", |home, _| home.join("encryption.unfinished").exists()),
    ("the new file is there", |home, _| home.join("perihelion.db.moving").exists()),
    ("a part of it is written", |home, _| size(&home.join("perihelion.db.moving")) > 60_000),
    ("most of it is written", |home, _| size(&home.join("perihelion.db.moving")) > 150_000),
    ("the hint changes", |home, _| size(&home.join("perihelion.db.encrypted")) > 0),
    ("the new file has the old one's name", |home, before| number(&home.join("perihelion.db")) != before),
    ("files beside it are moved", |home, before| {
        number(&home.join("perihelion.db")) != before && !home.join("index").join("x.idx").exists()
    }),
];

/// Every memory, with whichever key opens the store.
fn held(peri: &Peri) -> Value {
    let listed = |key: &str| {
        let mut command = peri.command();
        command.env("PERI_ENCRYPTION_KEY", key).args(["list", "--limit", "1000", "--oldest-first", "--json"]);
        let output = command.output().unwrap();
        output.status.success().then(|| serde_json::from_slice::<Value>(&output.stdout).unwrap())
    };
    let found: Vec<Value> = ["", KEY, OTHER].into_iter().filter_map(listed).collect();
    assert_eq!(found.len(), 1, "one key opens it, and one alone");
    let ids = found[0]["memories"].as_array().unwrap().iter();
    ids.map(|memory| json!([memory["id"], memory["content"], memory["version"]])).collect()
}

fn filled() -> Peri {
    let peri = Peri::new().with("PERI_EMBEDDING_ENGINE", "off");
    let memory = |number: usize| {
        format!(
            "{{\"record\":\"memory\",\"id\":\"01980000-0000-7000-8000-{number:012x}\",\"namespace\":\"default\",\
             \"content\":\"기억 {number} 记忆 {}\",\"layer\":\"long_term\",\"kind\":\"fact\",\"importance\":0.5,\
             \"zone\":\"outer\",\"created_at\":\"2026-01-02T03:04:05Z\",\"updated_at\":\"2026-01-02T03:04:05Z\",\
             \"version\":1}}\n",
            "나무".repeat(40)
        )
    };
    let memories: String = (0..MEMORIES).map(memory).collect();
    let end = format!("{{\"record\":\"end\",\"memories\":{MEMORIES},\"edges\":0,\"sessions\":0}}\n");
    let file =
        peri.file("lines.jsonl", format!("{{\"record\":\"header\",\"perihelion\":2}}\n{memories}{end}"));
    peri.ok(&["import", &file]);
    std::fs::create_dir_all(peri.home().join("index")).unwrap();
    peri
}

/// Runs a command under a key of the settings and kills it at a moment, if it is not faster.
fn killed(peri: &Peri, (key, args): (&str, &[&str]), moment: Moment) {
    let home = peri.home();
    std::fs::write(home.join("index").join("x.idx"), "derived").unwrap();
    let before = number(&home.join("perihelion.db"));
    let mut command = peri.process();
    command.env("PERI_ENCRYPTION_KEY", key).args(args).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    while !moment(&home, before) && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    // One that has ended already is no error.
    child.kill().ok();
    child.wait().unwrap();
}

#[test]
fn a_move_that_is_killed_at_any_step_leaves_the_store_whole_and_goes_on() {
    let peri = filled();
    let (key, other) = (key_file(&peri, "key", KEY), key_file(&peri, "other", OTHER));
    let before = held(&peri);
    assert_eq!(before.as_array().unwrap().len(), MEMORIES);
    let moves: [(&str, &[&str]); 3] = [
        ("", &["encrypt", "--key-file", &key]),
        (KEY, &["encrypt", "--rekey", "--key-file", &other]),
        ("", &["decrypt", "--key-file", &other]),
    ];
    for (current, args) in moves {
        for (when, moment) in MOMENTS {
            killed(&peri, (current, args), moment);
            std::fs::remove_file(peri.home().join("perihelion.toml")).ok();
            assert_eq!(held(&peri), before, "{args:?} killed when {when}");
        }
        let output = peri.command().env("PERI_ENCRYPTION_KEY", current).args(args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {output:?}");
        std::fs::remove_file(peri.home().join("perihelion.toml")).ok();
        assert_eq!(held(&peri), before, "{args:?}");
        assert!(!peri.home().join("encryption.unfinished").exists());
        assert!(!peri.home().join("perihelion.db.moving").exists());
    }
}

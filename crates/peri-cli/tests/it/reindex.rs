//! Moving to another model, with the real ones: the bundled table and all-MiniLM-L6-v2 from its folder.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Stdio;

use super::support::{Peri, text};

const TEA: &str = "Ana prefers tea over coffee";
const DRINK: &str = "what does Ana like to drink?";
const KOREAN: &str = "회의는 화요일에 있다";

pub fn minilm() -> String {
    let usual = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/models/all-minilm-l6-v2");
    let folder = std::env::var_os("PERI_MINILM").map_or(usual, PathBuf::from);
    assert!(
        folder.join("model.safetensors").is_file(),
        "{} has no weights: run bench/distill/fetch-minilm, or set PERI_MINILM to a folder with all-MiniLM-L6-v2",
        folder.display()
    );
    folder.canonicalize().unwrap().to_str().unwrap().to_owned()
}

fn space(peri: &Peri) -> String {
    text(&peri.json(&["stats"])["space"])
}

#[test]
fn every_command_after_it_uses_the_new_model_and_back_again_without_any_setting() {
    let peri = Peri::new();
    for content in [TEA, KOREAN, "The staging server is called Ganymede"] {
        peri.remember(&[content]);
    }
    let bundled = space(&peri);
    let done = peri.run(&["reindex", "--model", &minilm()]);
    assert_eq!(done.code, 0, "{done:?}");
    assert!(done.out.contains("answers now: 2 memories embedded, 1 found by their words alone"), "{done:?}");
    assert!(
        done.err.contains("2 vectors of other spaces take") && done.err.contains("--drop-old"),
        "{done:?}"
    );
    let minilm_space = space(&peri);
    assert_ne!(minilm_space, bundled);
    assert_eq!(peri.recall(&[DRINK]), [TEA]);
    assert_eq!(peri.recall(&["화요일 회의"]), [KOREAN]);
    peri.remember(&["Bruno drinks coffee only"]);
    assert_eq!(peri.json(&["stats"])["unembedded"], 0);
    let status = peri.json(&["reindex", "--status"]);
    assert_eq!(status["current"]["model"].as_str().map(|model| minilm_space.starts_with(model)), Some(true));
    assert_eq!((&status["asked_otherwise"], status["spaces"].as_array().unwrap().len()), (&false.into(), 2));
    let told = peri.ok(&["reindex", "--status"]);
    assert!(
        told.contains("3 vectors") && told.contains("2 vectors") && told.contains("the bundled engine"),
        "{told}"
    );
    assert!(peri.ok(&["reindex"]).starts_with("nothing to do: "), "it stays what was chosen");
    assert!(peri.ok(&["doctor"]).contains("none is missing"));

    let back = peri.json(&["reindex", "--model", "bundled", "--drop-old"]);
    assert_eq!(
        (&back["ending"], &back["embedded"], &back["dropped"]),
        (&"switched".into(), &1.into(), &4.into())
    );
    assert_eq!(back["spaces"].as_array().unwrap().len(), 1);
    assert_eq!(space(&peri), bundled);
    assert_eq!(peri.recall(&[DRINK])[0], TEA);
}

#[test]
fn settings_that_were_changed_lose_no_meaning_and_are_told_of_until_reindexing() {
    let peri = Peri::new();
    peri.remember(&[TEA]);
    let bundled = space(&peri);
    let peri = peri.with("PERI_EMBEDDING_ENGINE", "transformer").with("PERI_EMBEDDING_FOLDER", &minilm());
    assert_eq!(peri.recall(&[DRINK]), [TEA]);
    assert_eq!(space(&peri), bundled);
    let health = peri.json(&["health"]);
    let warned =
        health["warnings"].as_array().unwrap().iter().any(|one| text(one).contains("run `peri reindex`"));
    assert!(warned, "{health}");
    assert!(peri.run(&["doctor"]).out.contains("run `peri reindex`"));
    let status = peri.run(&["reindex", "--status"]);
    assert!(status.err.contains("`peri reindex` moves the memories there"), "{status:?}");
    assert!(peri.ok(&["reindex"]).contains("answers now: 1 memory embedded"));
    assert_ne!(space(&peri), bundled);
    assert!(!peri.run(&["doctor"]).out.contains("peri reindex"));
}

#[test]
fn a_model_that_is_gone_can_be_left_behind() {
    let peri = Peri::new();
    peri.remember(&[TEA]);
    let folder = peri.home().join("models");
    std::fs::create_dir_all(&folder).unwrap();
    for file in std::fs::read_dir(minilm()).unwrap() {
        let file = file.unwrap();
        if file.file_type().unwrap().is_file() {
            std::fs::copy(file.path(), folder.join(file.file_name())).unwrap();
        }
    }
    peri.ok(&["reindex", "--model", folder.to_str().unwrap()]);
    std::fs::remove_dir_all(&folder).unwrap();
    let recalled = peri.json(&["recall", "tea"]);
    assert_eq!(text(&recalled["hits"][0]["memory"]["content"]), TEA, "words still find it");
    let degraded = text(&recalled["degraded"][0]);
    assert!(degraded.contains("only words were searched") && degraded.contains("peri reindex"), "{degraded}");
    // Also where the settings insist on it.
    let peri = peri.with("PERI_EMBEDDING_ENGINE", "transformer").with("PERI_EMBEDDING_FOLDER", "models");
    assert_eq!(peri.run(&["recall", DRINK]).code, peri.run(&["reindex"]).code);
    let done = peri.run(&["reindex", "--model", "bundled"]);
    assert_eq!(done.code, 0, "{done:?}");
    assert!(done.err.contains("does not start"), "{done:?}");
    assert_eq!(peri.recall(&[DRINK]), [TEA]);
}

#[test]
fn bad_models_are_refused_and_change_nothing() {
    let peri = Peri::new();
    peri.remember(&[TEA]);
    let before = peri.json(&["reindex", "--status"]);
    let empty = peri.home().join("empty");
    std::fs::create_dir_all(&empty).unwrap();
    let broken = peri.home().join("부서진 모델");
    std::fs::create_dir_all(&broken).unwrap();
    std::fs::write(broken.join("config.json"), "{").unwrap();
    for (model, code) in [
        ("gpt-9", 2),
        ("", 2),
        ("/nowhere/at/all", 2),
        (empty.to_str().unwrap(), 6),
        (broken.to_str().unwrap(), 6),
    ] {
        let refused = peri.run(&["reindex", "--model", model]);
        assert_ne!(refused.code, 0, "{model}: {refused:?}");
        assert!(code != 2 || refused.code == 2, "{model}: {refused:?}");
        assert!(code == 2 || refused.err.contains("nothing was changed"), "{model}: {refused:?}");
        assert_eq!(peri.json(&["reindex", "--status"]), before, "{model}");
    }
    assert_eq!(peri.run(&["reindex", "--status", "--drop-old"]).code, 2);
    assert_eq!(peri.recall(&[DRINK]), [TEA]);
}

/// How many vectors there are, as far as the store says.
fn vectors(peri: &Peri) -> u64 {
    let path = peri.home().join("perihelion.db");
    let database =
        rusqlite::Connection::open_with_flags(path, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    database.query_row("SELECT count(*) FROM vectors", [], |row| row.get(0)).unwrap()
}

#[cfg(unix)]
#[test]
fn interrupted_by_the_keyboard_it_says_so_and_goes_on_from_there() {
    // A few batches.
    const MEMORIES: u64 = 200;
    let peri = Peri::new();
    let mut lines = String::new();
    for number in 0..MEMORIES {
        let long = "and the keeper of the ledger wrote down what it held that day ".repeat(8);
        writeln!(
            lines,
            "{{\"content\":\"shelf {number} holds the green box {number}, {long}\",\"kind\":\"document\"}}"
        )
        .unwrap();
    }
    peri.run_with(&["remember", "--file", "-"], lines.as_bytes());
    let before = vectors(&peri);
    assert_eq!(before, MEMORIES);
    let mut process = peri.process();
    process.args(["reindex", "--model", &minilm()]).stdin(Stdio::null());
    let child = process.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while vectors(&peri) == before {
        std::thread::yield_now();
    }
    let told = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(told.success());
    let output = child.wait_with_output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(out.starts_with("stopped: "), "{out} {err}");
    assert!(err.contains("the same command goes on from there"), "{err}");
    let stopped_at = vectors(&peri);
    assert!(before < stopped_at && stopped_at < 2 * MEMORIES, "{stopped_at}");
    assert!(!peri.recall(&["what holds the green box 7?"]).is_empty(), "the old space answers");
    let done = peri.json(&["reindex", "--model", &minilm()]);
    assert_eq!(done["ending"], "switched");
    assert_eq!(done["embedded"], 2 * MEMORIES - stopped_at, "only the rest");
}

//! Notes as basic-memory keeps them.

use std::path::PathBuf;

use serde_json::json;

use super::super::support::{Peri, text};
use super::{contents, counts, import, memories};

const COFFEE: &str = "---
title: Coffee Brewing
type: guide
tags: [coffee, brewing]
permalink: kitchen/coffee-brewing
created: 2024-05-01T08:00:00Z
status: active
---
# Coffee Brewing

Pour over gives more clarity than a French press.

## Observations
- [method] Water at 94 degrees extracts best #temperature (own experience)
- [Preference] 에티오피아 원두는 약하게 볶는 것이 좋다

## Relations
- requires [[Grinding]] (always)
- contrasts_with [[차 우리기]]
";

const TEA: &str = "# 차 우리기

녹차는 70도의 물로 우린다. [[kitchen/coffee-brewing]]과는 다르다.

- [technique] 绿茶要用温水 #水温
";

/// A folder of notes beside the data folder.
fn notes(peri: &Peri) -> PathBuf {
    let folder = peri.home().parent().unwrap().join("notes");
    std::fs::create_dir_all(folder.join("kitchen/.obsidian")).unwrap();
    std::fs::create_dir_all(folder.join("차")).unwrap();
    std::fs::write(folder.join("kitchen/coffee.md"), COFFEE).unwrap();
    std::fs::write(folder.join("차/차 우리기.md"), TEA).unwrap();
    std::fs::write(folder.join("kitchen/.obsidian/hidden.md"), "- [a] hidden").unwrap();
    folder
}

fn run_on(peri: &Peri, folder: &std::path::Path, more: &[&str]) -> super::Run {
    import(peri, &[&["basic-memory", folder.to_str().unwrap()], more].concat())
}

#[test]
fn a_note_becomes_statements_that_are_found_by_its_title_and_a_place_in_the_graph() {
    let peri = Peri::new();
    let run = run_on(&peri, &notes(&peri), &[]);
    assert_eq!(
        (run.code, run.out.as_str()),
        (0, "5 memories added, 0 known already, 0 refused\n2 entities, 3 relations added to the graph\n"),
        "{run:?}"
    );
    let stored = memories(&peri, "default");
    let find = |content: &str| stored.iter().find(|memory| memory["content"] == content).unwrap();
    let water = find("Water at 94 degrees extracts best (own experience)");
    assert_eq!(water["kind"], "fact");
    assert_eq!(water["tags"], json!(["coffee", "brewing", "method", "temperature"]));
    assert_eq!(water["aliases"], json!(["Coffee Brewing"]));
    assert_eq!(water["source"], "kitchen/coffee.md");
    assert_eq!(water["occurred_at"], "2024-05-01T08:00:00Z");
    assert_eq!(
        water["metadata"],
        json!({"note": "Coffee Brewing", "type": "guide", "permalink": "kitchen/coffee-brewing", "status": "active",
               "category": "method", "context": "own experience", "section": "Observations"})
    );
    assert_eq!(find("에티오피아 원두는 약하게 볶는 것이 좋다")["kind"], "preference");
    assert_eq!(find("Pour over gives more clarity than a French press.")["kind"], "document");
    assert_eq!(find("绿茶要用温水")["aliases"], json!(["차 우리기"]));
    for relation in [
        "Coffee Brewing requires Grinding",
        "Coffee Brewing contrasts_with 차 우리기",
        "차 우리기 links_to Coffee Brewing",
    ] {
        assert!(contents(&stored).contains(&relation.to_owned()), "{relation}: {:?}", contents(&stored));
    }
    assert!(peri.recall(&["绿茶 温水"]).contains(&"绿茶要用温水".to_owned()));
    assert!(!contents(&stored).iter().any(|content| content.contains("hidden")));
}

#[test]
fn importing_notes_again_adds_only_what_was_written_since() {
    let peri = Peri::new();
    let folder = notes(&peri);
    let path = folder.to_str().unwrap();
    assert_eq!(counts(&peri, &["basic-memory", path, "--dry-run"]), (5, 0, 0));
    assert_eq!(peri.held().0, 0, "a dry run stores nothing");
    assert_eq!(counts(&peri, &["basic-memory", path]), (5, 0, 0));
    let before = memories(&peri, "default");
    assert_eq!(counts(&peri, &["basic-memory", path]), (0, 5, 0));
    assert_eq!(counts(&peri, &["basic-memory", path, "--dry-run"]), (0, 5, 0));
    assert_eq!(memories(&peri, "default"), before);
    std::fs::write(folder.join("kitchen/coffee.md"), format!("{COFFEE}\nA new paragraph.\n")).unwrap();
    assert_eq!(counts(&peri, &["basic-memory", path]), (1, 5, 0));
}

#[test]
fn files_that_are_no_notes_are_told_and_the_rest_is_kept() {
    let peri = Peri::new();
    let folder = notes(&peri);
    std::fs::write(folder.join("broken.md"), b"caf\xe9").unwrap();
    std::fs::write(folder.join("picture.png"), b"\x89PNG").unwrap();
    std::fs::write(folder.join("empty.md"), "---\ntitle: Nothing yet\n---\n").unwrap();
    let run = run_on(&peri, &folder, &[]);
    assert_eq!(run.code, 8, "{run:?}");
    assert!(run.err.contains("broken.md: it is not UTF-8 text: the byte at offset 3"), "{run:?}");
    assert!(run.err.contains("passed over, since it is no note: picture.png"), "{run:?}");
    assert!(run.out.starts_with("5 memories added, 0 known already, 1 refused"), "{run:?}");
    assert!(run.out.contains("3 entities"), "a note without a word is still a note: {run:?}");
}

#[cfg(unix)]
#[test]
fn links_lead_neither_out_of_the_folder_nor_around_in_it() {
    let peri = Peri::new();
    let folder = notes(&peri);
    let outside = peri.home().parent().unwrap().join("outside");
    std::fs::create_dir_all(&outside).unwrap();
    std::fs::write(outside.join("secret.md"), "- [a] not to be read").unwrap();
    std::os::unix::fs::symlink(outside.join("secret.md"), folder.join("linked.md")).unwrap();
    std::os::unix::fs::symlink(&outside, folder.join("linked")).unwrap();
    std::os::unix::fs::symlink(&folder, folder.join("kitchen/around")).unwrap();
    let run = run_on(&peri, &folder, &["--json"]);
    let told: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&told["added"], &told["notes"]), (&json!(5), &json!(2)), "{run:?}");
    assert_eq!(told["passed_over"], json!(["kitchen/around", "linked", "linked.md"]));
    let stored = memories(&peri, "default");
    assert!(stored.iter().all(|memory| !text(&memory["content"]).contains("not to be read")));
}

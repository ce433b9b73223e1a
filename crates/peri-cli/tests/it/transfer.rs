//! Everything out and in again: whole, stable, and never half a file.

use super::support::{Peri, text};

/// A folder with something of everything, in three scripts.
fn furnished() -> Peri {
    let peri = Peri::new();
    let one = peri.remember(&["김민수는 부산으로 이사한다", "--tag", "이사"]);
    let two = peri.remember(&["王芳喜欢在周末拍照", "--pin"]);
    peri.ok(&["graph", "link", &one, &two, "--type", "sequence"]);
    peri.remember(&["The staging server is called Ganymede"]);
    peri.remember(&["The staging server is called Callisto"]);
    peri.ok(&["revise", &one, "김민수는 대구로 이사한다"]);
    peri.recall(&["拍照"]);
    peri.ok(&["session", "start", "monday", "-n", "team"]);
    peri.remember(&["the kiln is hot", "-n", "team", "--session", "monday", "--speaker", "Ines"]);
    let gone = peri.remember(&["a note for the trash"]);
    peri.ok(&["forget", &gone]);
    peri
}

fn beside(peri: &Peri, name: &str) -> String {
    peri.home().with_file_name(name).display().to_string()
}

#[test]
fn an_import_of_an_export_exports_the_same_bytes() {
    let (from, to) = (furnished(), Peri::new());
    let file = beside(&from, "all.jsonl");
    let told = from.ok(&["export", &file]);
    assert!(told.starts_with("6 memories, ") && told.contains(", 1 session written to "), "{told}");
    let told = to.ok(&["import", &file]);
    assert!(told.starts_with("6 added, 0 replaced, 0 known already, "), "{told}");
    assert_eq!(to.ok(&["export"]), std::fs::read_to_string(&file).unwrap());
    assert_eq!(to.recall(&["拍照"]), ["王芳喜欢在周末拍照"]);
    let again = to.ok(&["import", &file]);
    assert!(again.starts_with("0 added, 0 replaced, 6 known already, "), "{again}");
}

#[test]
fn an_export_of_a_namespace_holds_that_alone() {
    let peri = furnished();
    let exported = peri.run(&["export", "-n", "team"]);
    assert!(exported.out.contains("the kiln is hot") && !exported.out.contains("Callisto"), "{exported:?}");
    assert!(exported.err.contains("1 memory, 0 edges, 1 session"), "{exported:?}");
}

#[test]
fn an_export_can_be_piped_into_an_import() {
    let (from, to) = (furnished(), Peri::new());
    let run = to.run_with(&["import", "-"], from.ok(&["export", "-q"]).as_bytes());
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(to.held(), from.held());
}

#[test]
fn replacing_is_done_only_when_asked_for() {
    let peri = Peri::new();
    let id = peri.remember(&["Ana lives in Porto"]);
    let exported = peri.ok(&["export", "-q"]);
    peri.ok(&["revise", &id, "Ana lives in Braga"]);
    let content = || text(&peri.json(&["get", &id])["memory"]["content"]);
    peri.run_with(&["import", "-"], exported.as_bytes());
    assert_eq!(content(), "Ana lives in Braga");
    let run = peri.run_with(&["import", "-", "--mode", "upsert"], exported.as_bytes());
    assert!(run.out.ends_with("1 kept, changed here later\n"), "{run:?}");
    assert_eq!(content(), "Ana lives in Braga");
    let run = peri.run_with(&["import", "-", "--mode", "replace"], exported.as_bytes());
    assert!(run.out.starts_with("0 added, 1 replaced, "), "{run:?}");
    assert_eq!(content(), "Ana lives in Porto");
    assert!(peri.ok(&["history", &id]).contains("Braga"), "what was replaced is a version");
}

#[test]
fn a_replacement_tells_beforehand_what_goes_to_the_trash() {
    let (from, to) = (furnished(), Peri::new());
    let file = beside(&from, "all.jsonl");
    from.ok(&["export", &file]);
    to.remember(&["왜가리는 호숫가에 둥지를 튼다"]);
    let before = to.ok(&["export", "-q"]);
    let told = to.ok(&["import", &file, "--mode", "replace", "--dry-run"]);
    let counts = "6 added, 0 replaced, 0 known already, ";
    assert!(told.starts_with(&format!("nothing was written; it would be: {counts}")), "{told}");
    assert!(told.ends_with(", 0 refused, 1 moved to the trash\n"), "{told}");
    assert_eq!(to.ok(&["export", "-q"]), before);
    let done = to.ok(&["import", &file, "--mode", "replace"]);
    assert_eq!(format!("nothing was written; it would be: {done}"), told);
    let json = to.json(&["import", &file, "--mode", "replace"]);
    assert_eq!(
        (&json["replaced"], &json["trashed"], &json["ending"]),
        (&6.into(), &0.into(), &"whole".into())
    );
}

#[test]
fn a_file_that_was_cut_is_told_and_moves_nothing_to_the_trash() {
    let (from, to) = (furnished(), Peri::new());
    let exported = from.ok(&["export", "-q"]);
    let cut = exported.len() - exported.lines().last().unwrap().len() - 1;
    let own = to.remember(&["the kettle is blue"]);
    let run = to.run_with(&["import", "-", "--mode", "replace"], &exported.as_bytes()[..cut]);
    assert_eq!(run.code, 8, "{run:?}");
    assert!(
        run.err.contains("standard input is cut: its last line is missing; what was read is kept"),
        "{run:?}"
    );
    assert!(run.err.contains("nothing was moved to the trash: the file was cut"), "{run:?}");
    assert!(to.json(&["get", &own])["memory"]["trashed_at"].is_null());
}

#[test]
fn a_compressed_export_is_read_from_a_file_and_from_a_pipe_whatever_its_name() {
    let from = furnished();
    let plain = from.ok(&["export", "-q"]);
    let file = beside(&from, "all.jsonl.zst");
    from.ok(&["export", &file]);
    let bytes = std::fs::read(&file).unwrap();
    assert!(bytes.starts_with(&[0x28, 0xB5, 0x2F, 0xFD]));
    let to = Peri::new();
    to.ok(&["import", &file]);
    assert_eq!(to.ok(&["export", "-q"]), plain);
    let to = Peri::new();
    to.ok(&["import", &from.file("all.jsonl", &bytes)]);
    assert_eq!(to.ok(&["export", "-q"]), plain);
    let to = Peri::new();
    assert_eq!(to.run_with(&["import", "-"], &bytes).code, 0);
    assert_eq!(to.ok(&["export", "-q"]), plain);
    // Cut in the middle: what can be read is kept, and that something is missing is told.
    let to = Peri::new();
    let run = to.run(&["import", &from.file("cut.zst", &bytes[..bytes.len() - 7])]);
    assert_eq!(run.code, 8, "{run:?}");
    assert!(run.err.contains("is cut: its last line is missing; what was read is kept"), "{run:?}");
    let run = to.run(&["import", &from.file("letters.zst", "somebody's letters")]);
    assert_ne!(run.code, 0, "{run:?}");
}

#[test]
fn an_export_can_be_narrowed_down() {
    let peri = furnished();
    let told = peri.run(&["export", "--limit", "2", "--no-trash"]);
    assert!(told.err.contains("2 memories, "), "{told:?}");
    assert!(told.out.starts_with("{\"record\":\"header\",\"perihelion\":5,\"partial\":true}\n"), "{told:?}");
    let told = peri.run(&["export", "--no-trash"]);
    assert!(told.err.contains("5 memories, ") && !told.out.contains("partial"), "{told:?}");
    let told = peri.run(&["export", "--tag", "이사"]);
    assert!(told.err.contains("1 memory, 0 edges, 0 sessions"), "{told:?}");
    let refused = peri.run(&["export", "--since", "2026-02-01", "--until", "2026-01-01"]);
    assert_eq!(refused.code, 2, "{refused:?}");
}

#[test]
fn options_of_our_own_files_have_no_meaning_before_the_command_of_another_system() {
    let peri = Peri::new();
    let file = peri.file(
        "memory.jsonl",
        "{\"type\":\"entity\",\"name\":\"Ana\",\"entityType\":\"person\",\"observations\":[]}\n",
    );
    let refused = peri.run(&["import", "--mode", "replace", "memory-json", &file]);
    assert_eq!(refused.code, 2, "{refused:?}");
    assert_eq!(peri.run(&["import", &file, "--mode", "everything"]).code, 2);
}

#[test]
fn bad_lines_are_told_by_number_and_the_rest_is_kept() {
    let from = furnished();
    let mut lines: Vec<String> = from.ok(&["export", "-q"]).lines().map(ToOwned::to_owned).collect();
    lines.insert(1, "nonsense".to_owned());
    lines.push("{\"record\":\"comet\"}".to_owned());
    let to = Peri::new();
    let run = to.run_with(&["import", "-"], lines.join("\n").as_bytes());
    assert_eq!(run.code, 8, "{run:?}");
    let told: Vec<&str> = run.err.lines().collect();
    assert!(
        told[0].starts_with("refused: line 2: it is not JSON: ")
            && told[1].starts_with(&format!("refused: line {}: ", lines.len())),
        "{run:?}"
    );
    assert!(run.out.ends_with(", 2 refused\n"), "{run:?}");
    assert_eq!(to.held(), from.held());
    let json = to.run_with(&["import", "-", "--json"], lines.join("\n").as_bytes());
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(json["refused"][0]["line"], 2);
}

#[test]
fn a_file_that_is_there_stays_unless_it_is_to_be_replaced() {
    let peri = furnished();
    let file = peri.file("letters.txt", "somebody's letters");
    let refused = peri.run(&["export", &file]);
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(refused.err.contains("--force replaces it"), "{refused:?}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "somebody's letters");
    peri.ok(&["export", &file, "--force"]);
    assert!(
        std::fs::read_to_string(&file).unwrap().starts_with("{\"record\":\"header\",\"perihelion\":5}\n")
    );
    let left = std::fs::read_dir(peri.home().parent().unwrap()).unwrap();
    assert!(left.into_iter().all(|entry| !entry.unwrap().file_name().to_string_lossy().ends_with(".part")));
}

#[test]
fn an_export_that_fails_leaves_no_file() {
    let peri = Peri::new();
    std::fs::create_dir_all(peri.home()).unwrap();
    std::fs::write(peri.home().join("perihelion.db"), "no database".repeat(100)).unwrap();
    let file = beside(&peri, "all.jsonl");
    assert_eq!(peri.run(&["export", &file]).code, 7);
    let entries = std::fs::read_dir(peri.home().parent().unwrap()).unwrap();
    assert_eq!(entries.count(), 1);
}

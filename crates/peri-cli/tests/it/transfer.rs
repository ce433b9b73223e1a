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
    let run = peri.run_with(&["import", "-", "--replace"], exported.as_bytes());
    assert!(run.out.starts_with("0 added, 1 replaced, "), "{run:?}");
    assert_eq!(content(), "Ana lives in Porto");
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
        told[0].starts_with("refused: line 2: ")
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
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("{\"perihelion\":1,"));
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

//! `peri move`, as somebody types it.

use crate::support::Peri;

fn filled() -> Peri {
    let peri = Peri::new().with("PERI_EMBEDDING_ENGINE", "off");
    for text in ["기억 하나", "记忆二", "memory three"] {
        peri.ok(&["remember", text]);
    }
    peri
}

#[test]
fn a_folder_is_moved_and_the_way_to_use_it_is_told() {
    let peri = filled();
    let (from, to) =
        (peri.home().display().to_string(), peri.home().with_file_name("other").display().to_string());
    let run = peri.run(&["move", "--from", &from, "--to", &to]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(
        run.out.contains("moved to") && run.out.contains("3 memories") && run.out.contains("digest "),
        "{run:?}"
    );
    assert!(run.err.contains(&format!("--home {to}")) && run.err.contains("stay in"), "{run:?}");
    assert_eq!(peri.ok(&["export", "-q"]), peri.ok(&["--home", &to, "export", "-q"]));
}

#[test]
fn a_move_as_json_has_its_digest_and_every_table() {
    let peri = filled();
    let from = peri.home().display().to_string();
    let out = peri.ok(&["--json", "move", "--from", &from, "--to", "sqlite:target.db"]);
    let document: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(document["ending"], "moved");
    assert_eq!(document["digest"].as_str().unwrap().len(), 64);
    assert_eq!((&document["resumed"], &document["source_went_on"]), (&false.into(), &false.into()));
    let tables = document["tables"].as_array().unwrap();
    let memories = tables.iter().find(|table| table["name"] == "memories").unwrap();
    assert_eq!(memories["rows"], 3);
}

#[test]
fn what_cannot_be_moved_is_refused_with_an_exit_code_of_its_own() {
    let peri = filled();
    let from = peri.home().display().to_string();
    let cases = [
        (vec!["move", "--from", &from, "--to", &from], 2, "both the source and the target"),
        (vec!["move", "--from", "nowhere", "--to", "target"], 3, "there is no store"),
        (vec!["move", "--from", &from, "--to", "postgres://u:s3cret@h"], 2, "--to is not a place"),
        (vec!["move", "--from", &from, "--to", "mysql://u:s3cret${NONE}@h/d"], 2, "no variable NONE"),
        (vec!["move", "--from", &from, "--to", "postgres://u:s3cret@127.0.0.1:1/d"], 6, "cannot be reached"),
        (vec!["move", "--from", &from], 2, "--to"),
    ];
    for (arguments, code, words) in cases {
        let run = peri.run(&arguments);
        assert_eq!(run.code, code, "{arguments:?} {run:?}");
        assert!(run.err.contains(words) && !run.err.contains("s3cret"), "{arguments:?} {run:?}");
    }
    let other = Peri::new().with("PERI_EMBEDDING_ENGINE", "off");
    other.ok(&["remember", "다른 기억"]);
    let to = other.home().display().to_string();
    let run = peri.run(&["move", "--from", &from, "--to", &to]);
    assert_eq!(run.code, 4, "{run:?}");
    assert!(run.err.contains("is not empty") && run.err.contains("nothing was changed"), "{run:?}");
}

//! A named pipe or a device where a file is expected keeps no command waiting.

use std::path::Path;
use std::time::Duration;

use super::support::{Peri, Run};

/// What ends a command that waits for ever, so that the test fails rather than waits as well.
const GUARD: Duration = Duration::from_secs(120);

fn pipe(path: &Path) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Runs a command, which ends.
fn ends(peri: &Peri, args: &[&str]) -> Run {
    let output = peri.command().args(args).timeout(GUARD).output().unwrap();
    let code = output.status.code().unwrap_or_else(|| panic!("{args:?} waits for ever"));
    Run {
        code,
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn a_named_pipe_in_the_vault_is_told_and_every_command_goes_on() {
    let peri = Peri::new();
    peri.remember(&["the lantern hangs by the door"]);
    pipe(&peri.home().join("vault/knowledge/facts/pipe.md"));
    std::fs::write(peri.home().join("vault/knowledge/facts/otters.md"), "Otters hold hands.\n").unwrap();
    let synced = ends(&peri, &["vault", "sync"]);
    assert!(format!("{synced:?}").contains("not a regular file"), "{synced:?}");
    for args in [&["recall", "lantern"][..], &["list"], &["context"], &["maintain"], &["export", "-"]] {
        let run = ends(&peri, args);
        assert_eq!(run.code, 0, "{args:?}: {run:?}");
    }
    assert!(ends(&peri, &["list"]).out.contains("Otters"), "what lies beside it is read");
    std::fs::remove_file(peri.home().join("vault/.peri/metadata.json")).unwrap_or_default();
    pipe(&peri.home().join("vault/knowledge/deeper/again.md"));
    assert_eq!(ends(&peri, &["recall", "otters"]).code, 0);
}

#[test]
fn settings_of_an_agent_that_are_a_pipe_or_a_device_are_refused() {
    let home = tempfile::tempdir().unwrap();
    let peri = Peri::new().with("HOME", home.path().to_str().unwrap());
    std::fs::create_dir(home.path().join(".claude")).unwrap();
    pipe(&home.path().join(".claude.json"));
    let refused = ends(&peri, &["install", "claude-code"]);
    assert!(refused.code != 0 && refused.err.contains("not a regular file"), "{refused:?}");
    std::fs::remove_file(home.path().join(".claude.json")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", home.path().join(".claude.json")).unwrap();
    let refused = ends(&peri, &["install", "claude-code"]);
    assert!(refused.code != 0 && refused.err.contains("not a regular file"), "{refused:?}");
}

#[test]
fn a_backup_with_a_pipe_in_it_is_refused_by_verify_and_by_restore() {
    let peri = Peri::new();
    peri.remember(&["the lantern hangs by the door"]);
    peri.ok(&["backup", "create"]);
    let mut database = None;
    let mut folders = vec![peri.home().join("backups")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.file_name().is_some_and(|name| name == "perihelion.db.zst") {
                database = Some(path);
            }
        }
    }
    let database = database.expect("a backup holds the database");
    std::fs::remove_file(&database).unwrap();
    pipe(&database);
    for args in [&["backup", "verify", "latest"][..], &["backup", "restore", "latest", "--yes"]] {
        let run = ends(&peri, args);
        assert!(run.code != 0 && run.code != 2, "{args:?}: {run:?}");
    }
}

#[test]
fn what_is_found_in_a_folder_that_is_imported_is_not_waited_for_and_what_is_named_is() {
    let peri = Peri::new();
    let folder = tempfile::tempdir().unwrap();
    pipe(&folder.path().join("note.md"));
    std::fs::write(folder.path().join("otters.md"), "---\ntitle: Otters\n---\n- [fact] Otters hold hands.\n")
        .unwrap();
    let run = ends(&peri, &["import", "basic-memory", folder.path().to_str().unwrap()]);
    assert!(run.code != 2, "{run:?}");
    let named = folder.path().join("named");
    pipe(&named);
    let text = "{\"content\":\"the lantern hangs by the door\"}\n";
    let writer = {
        let named = named.clone();
        std::thread::spawn(move || std::fs::write(named, text).unwrap())
    };
    let read = ends(&peri, &["remember", "--file", named.to_str().unwrap(), "--format", "jsonl"]);
    assert_eq!(read.code, 0, "{read:?}");
    writer.join().unwrap();
    assert!(peri.ok(&["list"]).contains("lantern"));
}

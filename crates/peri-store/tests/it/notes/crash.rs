//! A process that is killed while it commits notes: what it was told is there, and nothing is half there.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use peri_notes::{Collection, Commit, Expected, Key, Shelf as _};
use peri_store::{SqliteSettings, SqliteStore, StoreShelf};

use super::{append, key, put};
use crate::support::{ON, ns};

/// Says in which file a process of this test writes.
const ROLE: &str = "PERI_TEST_NOTES_FILE";

fn open(path: &Path) -> StoreShelf {
    StoreShelf::new(Arc::new(SqliteStore::open(path, &SqliteSettings::default()).unwrap()))
}

fn keys() -> (Key, Key) {
    (key(Collection::Meta, "합"), key(Collection::Conversations, "합"))
}

/// How far the document and the log are, which are changed together.
fn state(shelf: &StoreShelf) -> (usize, usize) {
    let (document, log) = keys();
    let sum = shelf.read(&ns("a"), &document).unwrap().map_or(0, |text| text.text.trim().parse().unwrap());
    (sum, shelf.lines(&ns("a"), &log).unwrap().len())
}

/// The worker: adds to both, and tells of each commit that was made, until it is killed.
#[test]
fn writer() {
    let Ok(path) = std::env::var(ROLE) else { return };
    let shelf = open(Path::new(&path));
    let (document, log) = keys();
    let (mut sum, _) = state(&shelf);
    loop {
        let read = shelf.read(&ns("a"), &document).unwrap();
        let text = format!("{}{}", " ".repeat(20_000), sum + 1);
        let changes = [append(&log, &["말"]), put(&document, &text)];
        let expected = [(document.clone(), Expected::unchanged(read.as_ref()))];
        assert_eq!(shelf.commit(&ns("a"), &changes, &expected).unwrap(), Commit::Done);
        sum += 1;
        let mut output = std::io::stdout().lock();
        writeln!(output, "@@ {sum}").unwrap();
        output.flush().unwrap();
    }
}

#[test]
fn a_writer_that_is_killed_leaves_whole_commits_and_all_it_told_of() {
    if std::env::var_os(ON).is_some() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("perihelion.db");
    let mut last = 0;
    for commits in [1, 2, 5, 9, 17, 3] {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["notes::crash::writer", "--exact", "--nocapture", "--test-threads=1"])
            .env(ROLE, &path)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let told = lines.filter_map(|line| line.split_once("@@ ")?.1.trim().parse::<usize>().ok());
        let told = told.take(commits).last().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        let (sum, lines) = state(&open(&path));
        assert_eq!(sum, lines, "the document and the log belong together");
        assert!(sum >= told && told > last, "{last} {told} {sum}");
        last = sum;
    }
}

//! Imports that are killed or stopped, again and again: in the end everything is there, once.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Stdio};

use crate::support::Peri;

const MEMORIES: usize = 12_000;
const KILLS: usize = 8;

/// A folder without an embedding engine, so that an import is the work of the store.
fn plain() -> Peri {
    Peri::new().with("PERI_EMBEDDING_ENGINE", "off")
}

fn id(number: usize) -> String {
    format!("01980000-0000-7000-8000-{number:012x}")
}

fn memory(number: usize) -> String {
    format!(
        "{{\"record\":\"memory\",\"id\":\"{}\",\"namespace\":\"default\",\"content\":\"기억 {number} of the ledger\",\
         \"layer\":\"long_term\",\"kind\":\"fact\",\"importance\":0.5,\"zone\":\"outer\",\
         \"created_at\":\"2026-01-02T03:04:05Z\",\"updated_at\":\"2026-01-02T03:04:05Z\",\"version\":1}}",
        id(number)
    )
}

/// An export with many memories, an edge from each tenth to the one before, and sessions.
fn lines() -> String {
    let mut lines = String::from("{\"record\":\"header\",\"perihelion\":2}\n");
    for number in 0..MEMORIES {
        writeln!(lines, "{}", memory(number)).unwrap();
    }
    let edges = (10..MEMORIES).step_by(10);
    for number in edges.clone() {
        writeln!(
            lines,
            "{{\"record\":\"edge\",\"namespace\":\"default\",\"source\":\"{}\",\"target\":\"{}\",\"type\":\"sequence\",\
             \"weight\":0.5,\"created_at\":\"2026-01-02T03:04:05Z\"}}",
            id(number),
            id(number - 1)
        )
        .unwrap();
    }
    let edges = edges.count();
    writeln!(lines, "{{\"record\":\"end\",\"memories\":{MEMORIES},\"edges\":{edges},\"sessions\":0}}")
        .unwrap();
    lines
}

/// How many lines of the import are done, as far as the store says.
fn lines_done(peri: &Peri) -> u64 {
    let path = peri.home().join("perihelion.db");
    let Ok(database) =
        rusqlite::Connection::open_with_flags(path, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY)
    else {
        return 0;
    };
    let done =
        database.query_row("SELECT max(json_extract(state, '$.lines')) FROM imports", [], |row| row.get(0));
    done.ok().flatten().unwrap_or(0)
}

fn memories_held(peri: &Peri) -> u64 {
    let path = peri.home().join("perihelion.db");
    let Ok(database) =
        rusqlite::Connection::open_with_flags(path, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY)
    else {
        return 0;
    };
    database.query_row("SELECT count(*) FROM memories", [], |row| row.get(0)).unwrap_or(0)
}

fn has_ended(child: &mut Child) -> bool {
    child.try_wait().unwrap().is_some()
}

#[test]
fn an_import_that_is_killed_again_and_again_ends_like_one_that_was_not() {
    let (killed, whole) = (plain(), plain());
    let file = killed.file("all.jsonl", lines());
    let mut struck = 0;
    for kill in 0..KILLS {
        let before = lines_done(&killed);
        let mut child = killed
            .process()
            .args(["import", &file])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Some are killed before they come to anything, most after another part, and none waits for its turn.
        while kill % 4 != 3 && lines_done(&killed) <= before && !has_ended(&mut child) {
            std::thread::yield_now();
        }
        (0..kill * 40_000).for_each(|_| std::hint::spin_loop());
        struck += usize::from(!has_ended(&mut child));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(struck > KILLS / 2, "{struck} imports were under way when they were killed");
    let resumed = lines_done(&killed) > 0;
    let run = killed.run(&["import", &file]);
    assert_eq!(run.code, 0, "{run:?}");
    if resumed {
        assert!(run.err.contains("resumed at line "), "{run:?}");
        assert!(run.out.starts_with("12,000 added, 0 replaced, 0 known already, 1,199 edges"), "{run:?}");
    }
    whole.ok(&["import", &file]);
    assert_eq!(killed.ok(&["export", "-q"]), whole.ok(&["export", "-q"]));
    killed.ok(&["doctor"]);
    let again = killed.ok(&["import", &file]);
    assert!(again.starts_with("0 added, 0 replaced, 12,000 known already"), "{again}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_after_a_part_and_tells_what_was_kept() {
    let peri = plain();
    let mut child = peri
        .process()
        .args(["import", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"{\"record\":\"header\",\"perihelion\":2}\n").unwrap();
    for number in 0..3000 {
        writeln!(input, "{}", memory(number)).unwrap();
    }
    while memories_held(&peri) == 0 {
        assert!(!has_ended(&mut child), "it waits for more");
        std::thread::yield_now();
    }
    let told = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(told.success());
    // It goes on reading until it has heard.
    for number in 3000.. {
        if writeln!(input, "{}", memory(number)).is_err() {
            break;
        }
    }
    let (mut out, mut err) = (String::new(), String::new());
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut out).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(8), "{out}{err}");
    assert!(err.contains("stopped after line ") && err.contains("what was read is kept"), "{err}");
    let added = out.split(' ').next().unwrap().replace(',', "");
    assert_eq!(added.parse::<u64>().unwrap(), memories_held(&peri), "{out}");
}

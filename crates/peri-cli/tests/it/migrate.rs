//! What another store kept, taken over from the command line, and killed while it is at it.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::support::Peri;

fn lines(records: &[Value]) -> String {
    records.iter().map(|record| format!("{record}\n")).collect()
}

/// A store of weighed terms, as a program of that kind leaves it on the disk.
fn sparse_store(peri: &Peri) -> String {
    let root = peri.home().parent().unwrap().join("state");
    for (category, id, content) in [
        ("facts", "f-1", "민수는 커피보다 차를 좋아한다"),
        ("facts", "f-2", "The staging server is called Ganymede"),
        ("decisions", "d-1", "我们决定使用茶"),
    ] {
        let folder = root.join("memory").join(category);
        std::fs::create_dir_all(&folder).unwrap();
        let entry = json!({
            "id": id, "type": category.trim_end_matches('s'), "content": content, "source": "agent", "tags": [],
            "importance": 0.5, "created_at": "2026-05-07T08:00:00Z", "accessed_at": "2026-05-07T08:00:00Z",
            "access_count": 0,
        });
        std::fs::write(folder.join(format!("{id}.json")), entry.to_string()).unwrap();
    }
    std::fs::write(root.join("memory/vectors.json"), "{\"f-1\":{\"차를\":0.5}}").unwrap();
    root.to_str().unwrap().to_owned()
}

#[test]
fn a_folder_of_another_store_is_rehearsed_taken_over_and_known_again() {
    let peri = Peri::new();
    let store = sparse_store(&peri);
    let told = peri.ok(&["migrate", &store, "--namespace", "팀/old", "--dry-run"]);
    assert!(
        told.starts_with("nothing was written; it would be: 3 migrated, 0 already there, 0 failed, of 3"),
        "{told}"
    );
    assert_eq!(peri.held().0, 0);
    let run = peri.run(&["migrate", &store, "--namespace", "팀/old"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.starts_with("3 migrated, 0 already there, 0 failed, of 3"), "{run:?}");
    assert!(run.err.contains("files passed over: 1"), "{run:?}");
    let told = peri.json(&["migrate", &store, "--namespace", "팀/old"]);
    assert_eq!(
        (&told["total"], &told["already_there"], &told["dry_run"]),
        (&json!(3), &json!(3), &json!(false))
    );
    assert_eq!(
        peri.recall(&["what is the staging server called?", "--namespace", "팀/old"])[0],
        "The staging server is called Ganymede"
    );
}

#[test]
fn failures_are_told_with_their_lines_and_make_the_exit_code_8() {
    let peri = Peri::new();
    let records = [json!({"text": "민수의 차"}), json!({"note": "no text"}), json!({"text": "王芳的茶"})];
    let text = format!("\u{feff}{}{{\"text\": \"half", lines(&records).replace('\n', "\r\n"));
    let file = peri.file("old.jsonl", &text);
    let run = peri.run(&["migrate", &file]);
    assert_eq!(run.code, 8, "{run:?}");
    assert!(run.out.starts_with("2 migrated, 0 already there, 2 failed, of 4"), "{run:?}");
    assert!(run.err.contains("line 2: it has no text under any of content, text"), "{run:?}");
    assert!(run.err.contains("line 4: it is not JSON"), "{run:?}");
    let piped = peri.run_with(&["migrate", "-", "--json"], text.as_bytes());
    let told: Value = serde_json::from_str(&piped.out).unwrap();
    assert_eq!((piped.code, &told["already_there"], &told["failed"]), (8, &json!(2), &json!(2)), "{piped:?}");
    assert_eq!(told["errors"][0][0], "line 2");
    let nothing = peri.file("bad.jsonl", "nonsense\n");
    assert_eq!(peri.run(&["migrate", &nothing]).code, 2);
}

#[test]
fn what_holds_nothing_is_refused_with_a_hint() {
    let peri = Peri::new();
    std::fs::create_dir_all(peri.home().parent().unwrap().join("empty")).unwrap();
    let empty = peri.home().parent().unwrap().join("empty");
    let own = {
        peri.remember(&["herons nest by the lake"]);
        peri.file("own.jsonl", peri.ok(&["export", "-q"]))
    };
    for (path, told) in [
        (empty.to_str().unwrap().to_owned(), "holds no records"),
        (peri.file("empty.jsonl", ""), "holds no records"),
        (own, "export of Perihelion itself"),
        ("/nowhere/at/all.jsonl".to_owned(), "nowhere"),
    ] {
        let run = peri.run(&["migrate", &path]);
        assert!([2, 3, 6].contains(&run.code) && run.err.contains(told), "{path}: {run:?}");
    }
    assert_eq!(peri.run(&["migrate", &empty.to_string_lossy(), "--batch", "0"]).code, 2);
    assert_eq!(peri.held().0, 1);
}

#[test]
fn a_model_that_is_not_at_work_is_told_and_its_vectors_are_made_anew() {
    let peri = Peri::new();
    let file =
        peri.file("old.jsonl", lines(&[json!({"text": "herons nest by the lake", "vector": [0.1, 0.2]})]));
    let run = peri.run(&["migrate", &file, "--vectors-are", "all-minilm"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.err.contains("vectors of all-minilm are made anew"), "{run:?}");
    assert!(run.err.contains("1 made, 1 of another model or damaged"), "{run:?}");
}

#[test]
fn a_compressed_file_is_read_and_one_that_was_cut_is_told() {
    let peri = Peri::new();
    let records: Vec<Value> = (0..200).map(|i| json!({"id": i, "text": format!("Quixou{i} 둥지")})).collect();
    let packed = zstd::encode_all(lines(&records).as_bytes(), 0).unwrap();
    let whole = peri.file("old.jsonl.zst", &packed);
    assert!(peri.ok(&["migrate", &whole]).starts_with("200 migrated"));
    let cut = peri.file("cut.jsonl.zst", &packed[..packed.len() / 2]);
    let run = peri.run(&["migrate", &cut, "--namespace", "cut"]);
    assert!(run.code == 2 && run.err.contains("breaks off before its first record"), "{run:?}");
    let mut text = lines(&records[..50]);
    let noise = (0..40_000_u64)
        .map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) % 89)
        .map(|i| char::from(b'!' + i as u8));
    let noise: String = noise.filter(|letter| !"\"\\".contains(*letter)).collect();
    (0..40)
        .for_each(|i| writeln!(text, "{}", json!({"id": 500 + i, "text": format!("{i} {noise}")})).unwrap());
    let packed = zstd::encode_all(text.as_bytes(), 0).unwrap();
    let cut = peri.file("late.jsonl.zst", &packed[..packed.len() - 20]);
    let run = peri.run(&["migrate", &cut, "--namespace", "late"]);
    assert!(run.code == 8 && run.err.contains("breaks off; what was read is kept"), "{run:?}");
}

const RECORDS: usize = 6000;
const KILLS: usize = 6;

fn record(number: usize) -> Value {
    json!({"id": format!("기억-{number}"), "text": format!("기억 {number} of the ledger"), "vector": {"ledger": 0.5}})
}

fn database(peri: &Peri) -> Option<rusqlite::Connection> {
    let path = peri.home().join("perihelion.db");
    rusqlite::Connection::open_with_flags(path, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY).ok()
}

/// How many records of the migration are done, as far as the store says.
fn records_done(peri: &Peri) -> u64 {
    let done = database(peri).and_then(|database| {
        let sql = "SELECT max(json_extract(state, '$.lines')) FROM imports";
        database.query_row(sql, [], |row| row.get::<_, Option<u64>>(0)).ok()
    });
    done.flatten().unwrap_or(0)
}

fn has_ended(child: &mut Child) -> bool {
    child.try_wait().unwrap().is_some()
}

#[test]
fn a_migration_that_is_killed_again_and_again_is_complete_in_the_end_and_nothing_is_there_twice() {
    let peri = Peri::new().with("PERI_EMBEDDING_ENGINE", "off");
    let mut text = String::new();
    (0..RECORDS).for_each(|number| writeln!(text, "{}", record(number)).unwrap());
    let file = peri.file("old.jsonl", &text);
    let mut struck = 0;
    for kill in 0..KILLS {
        let before = records_done(&peri);
        let mut child = peri
            .process()
            .args(["migrate", &file])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while kill % 3 != 2 && records_done(&peri) <= before && !has_ended(&mut child) {
            std::thread::yield_now();
        }
        struck += usize::from(!has_ended(&mut child));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(struck > KILLS / 2, "{struck} migrations were under way when they were killed");
    let done = records_done(&peri);
    let run = peri.run(&["migrate", &file]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.starts_with("6,000 migrated, 0 already there, 0 failed, of 6,000"), "{done}: {run:?}");
    assert!(done == 0 || run.err.contains("resumed after record "), "{run:?}");
    assert_eq!(peri.held().0, RECORDS);
    peri.ok(&["doctor"]);
    let again = peri.ok(&["migrate", &file]);
    assert!(again.starts_with("0 migrated, 6,000 already there, 0 failed, of 6,000"), "{again}");
    let fresh = peri.ok(&["migrate", &file, "--fresh"]);
    assert!(fresh.starts_with("0 migrated, 6,000 already there"), "{fresh}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_after_a_batch_and_keeps_what_was_read() {
    let peri = Peri::new().with("PERI_EMBEDDING_ENGINE", "off");
    let mut child = peri
        .process()
        .args(["migrate", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    (0..500).for_each(|number| writeln!(input, "{}", record(number)).unwrap());
    let held = |peri: &Peri| {
        let count = |database: rusqlite::Connection| {
            database.query_row("SELECT count(*) FROM memories", [], |row| row.get::<_, u64>(0)).ok()
        };
        database(peri).and_then(count).unwrap_or(0)
    };
    while held(&peri) == 0 {
        assert!(!has_ended(&mut child), "it waits for more");
        std::thread::yield_now();
    }
    let told = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(told.success());
    // It goes on reading until it has heard.
    for number in 500.. {
        if writeln!(input, "{}", record(number)).is_err() {
            break;
        }
    }
    drop(input);
    let output = child.wait_with_output().unwrap();
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(8), "{out}{err}");
    assert!(err.contains("stopped; what was read is kept"), "{err}");
    let migrated = out.split(' ').next().unwrap().replace(',', "");
    assert_eq!(migrated.parse::<u64>().unwrap(), held(&peri), "{out}");
}

//! Writers killed at random: what was acknowledged is there, exactly once, and nothing is half there.
//!
//! `PERI_CRASH_KILLS=5000 cargo test -p perihelion --test it crash` kills more often than the default.

use std::collections::HashMap;
use std::path::Path;

use peri_store::{SqliteSettings, SqliteStore, Store as _};
use perihelion::{MemoryId, Perihelion, Recall, Remember, Revise, Scope, Trashed, Verdict};

use crate::support::{Random, Worker, all, ask, open, role, tell, worker_command};

/// Kills of the suite unless the environment asks for more.
const KILLS: u64 = 240;
/// Kills on one folder; then a fresh one is begun.
const KILLS_PER_FOLDER: u64 = 120;
/// Writers that run, and die, side by side.
const WRITERS: u64 = 4;
/// Everything is looked over after so many kills.
const KILLS_PER_CHECK: u64 = 24;

/// What a memory with this key says. Keys are never used twice, so a content is there at most once.
fn content(key: &str) -> String {
    format!("the ledger holds entry{key} of the harvest, weighed and signed")
}

fn key_of(content: &str) -> &str {
    let rest = content.strip_prefix("the ledger holds entry").expect("whole content");
    rest.strip_suffix(" of the harvest, weighed and signed").expect("whole content")
}

/// The worker: remembers, revises and forgets until it is killed, and tells each acknowledgement. Before a
/// change to what is already there it tells what it will try.
#[test]
fn writer() {
    let Some(folder) = role("crash::writer") else { return };
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    let number: u64 = line.trim().parse().unwrap();
    let mut random = Random(number);
    let engine = open(folder);
    let mut own: Vec<MemoryId> = Vec::new();
    for step in 0_u64.. {
        let key = format!("{number}n{step}");
        match random.below(20) {
            0..10 => own.push(remember_one(&engine, &key)),
            10..14 => {
                let size = [2, 5, 20, 70][random.below(4) as usize];
                own.extend(remember_batch(&engine, &key, size));
            }
            14..16 if !own.is_empty() => {
                let id = own[random.below(own.len() as u64) as usize];
                tell(format!("try revise {id} {key}"));
                let revise = Revise { content: Some(content(&key)), ..Revise::default() };
                engine.revise(&Scope::All, id, revise).unwrap();
                tell(format!("revised {id} {key}"));
            }
            16..18 if !own.is_empty() => {
                let id = own.swap_remove(random.below(own.len() as u64) as usize);
                tell(format!("try forget {id}"));
                engine.forget(&Scope::All, id).unwrap();
                tell(format!("forgotten {id}"));
            }
            _ => {
                engine.recall(&Recall::new("harvest ledger")).unwrap();
                engine.maintain().unwrap();
            }
        }
    }
}

fn remember_one(engine: &Perihelion, key: &str) -> MemoryId {
    let id = engine.remember(Remember::new(content(key))).unwrap().id;
    tell(format!("stored {id} {key}"));
    id
}

/// A batch's keys end in its size, so that a half-stored batch would be seen.
fn remember_batch(engine: &Perihelion, key: &str, size: usize) -> Vec<MemoryId> {
    let keys: Vec<String> = (0..size).map(|part| format!("{key}p{part}b{size}")).collect();
    let batch = keys.iter().map(|key| Remember::new(content(key))).collect();
    let ids: Vec<_> = engine.remember_all(batch).unwrap().into_iter().map(|receipt| receipt.id).collect();
    for (id, key) in ids.iter().zip(&keys) {
        tell(format!("stored {id} {key}"));
    }
    ids
}

/// What the parent knows of a memory.
#[derive(Debug, Clone)]
struct Known {
    key: String,
    forgotten: bool,
    /// A change that was tried but never acknowledged: it may have been made or not.
    tried: Option<Tried>,
}

#[derive(Debug, Clone)]
enum Tried {
    Revise(String),
    Forget,
}

type Ledger = HashMap<MemoryId, Known>;

fn note(ledger: &mut Ledger, line: &str) {
    let words: Vec<&str> = line.split(' ').collect();
    match words[..] {
        ["stored", id, key] => {
            let known = Known { key: key.to_owned(), forgotten: false, tried: None };
            assert!(ledger.insert(id.parse().unwrap(), known).is_none(), "{id} was given twice");
        }
        ["try", "revise", id, key] => {
            ledger.get_mut(&id.parse().unwrap()).unwrap().tried = Some(Tried::Revise(key.to_owned()));
        }
        ["try", "forget", id] => ledger.get_mut(&id.parse().unwrap()).unwrap().tried = Some(Tried::Forget),
        ["revised", id, key] => {
            let known = ledger.get_mut(&id.parse().unwrap()).unwrap();
            (known.key, known.tried) = (key.to_owned(), None);
        }
        ["forgotten", id] => {
            let known = ledger.get_mut(&id.parse().unwrap()).unwrap();
            (known.forgotten, known.tried) = (true, None);
        }
        _ => panic!("a worker told {line:?}"),
    }
}

/// Lets one writer live for some acknowledgements and a moment, kills it, and returns all it acknowledged.
fn live_and_die(folder: &Path, number: u64) -> Vec<String> {
    let mut random = Random(number ^ 0x00DD_BA11);
    let mut worker = Worker::start(worker_command("crash::writer", folder));
    worker.send(&number.to_string());
    let (acknowledgements, moment) = (random.below(40), random.below(200_000));
    let mut told: Vec<String> =
        (0..acknowledgements).map(|_| worker.hear().expect("a writer lives until it is killed")).collect();
    (0..moment).for_each(|_| std::hint::spin_loop());
    worker.child.kill().unwrap();
    told.extend(std::iter::from_fn(|| worker.hear()));
    let status = worker.child.wait().unwrap();
    assert!(!status.success(), "killed, not ended");
    told
}

#[test]
fn whatever_was_acknowledged_survives_kill_9_exactly_once() {
    let kills = std::env::var("PERI_CRASH_KILLS").map_or(KILLS, |kills| kills.parse().unwrap());
    let mut number = 0;
    while number < kills {
        let folder = tempfile::tempdir().unwrap();
        let mut ledger = Ledger::new();
        let last = kills.min(number + KILLS_PER_FOLDER);
        while number < last {
            let writers = WRITERS.min(last - number);
            let told: Vec<_> = std::thread::scope(|threads| {
                let lives: Vec<_> = (number..number + writers)
                    .map(|number| {
                        threads.spawn({
                            let folder = folder.path();
                            move || live_and_die(folder, number)
                        })
                    })
                    .collect();
                lives.into_iter().map(|life| life.join().unwrap()).collect()
            });
            told.iter().flatten().for_each(|line| note(&mut ledger, line));
            number += writers;
            if number % KILLS_PER_CHECK == 0 || number == last {
                look_over(folder.path(), &mut ledger, number);
            }
        }
    }
}

/// Compares the folder with what was acknowledged.
fn look_over(folder: &Path, ledger: &mut Ledger, kills: u64) {
    let path = folder.join(Perihelion::DATABASE);
    let store = SqliteStore::open(&path, &SqliteSettings::default()).unwrap();
    assert_eq!(store.check().unwrap(), [], "after {kills} kills");
    drop(store);
    let engine = open(folder);
    let live = all(&engine, Trashed::Without);
    let trash = all(&engine, Trashed::Only);
    let mut keys: HashMap<&str, usize> = HashMap::new();
    let mut held: HashMap<MemoryId, (&str, bool)> = HashMap::new();
    for (memory, trashed) in live.iter().map(|m| (m, false)).chain(trash.iter().map(|m| (m, true))) {
        let key = key_of(&memory.content);
        *keys.entry(key).or_default() += 1;
        assert!(held.insert(memory.id, (key, trashed)).is_none(), "{} twice", memory.id);
    }
    assert!(keys.values().all(|count| *count == 1), "nothing is doubled after {kills} kills");
    check_batches(&engine, held.iter().map(|(id, (key, _))| (*id, *key)));
    for (id, known) in ledger.iter_mut() {
        let Some((key, trashed)) = held.get(id) else { panic!("{known:?} is lost after {kills} kills") };
        match known.tried.take() {
            Some(Tried::Revise(new)) if *key == new => known.key = new,
            Some(Tried::Forget) => known.forgotten = *trashed,
            _ => {}
        }
        assert_eq!((*key, *trashed), (known.key.as_str(), known.forgotten), "{id} after {kills} kills");
    }
    for (id, known) in ledger.iter().filter(|(_, known)| !known.forgotten).take(20) {
        let hits = ask(&engine, &content(&known.key)).hits;
        assert_eq!(hits.first().map(|hit| hit.memory.id), Some(*id), "{known:?} is recalled");
    }
    for check in engine.doctor() {
        assert_eq!(check.verdict, Verdict::Ok, "{check:?} after {kills} kills");
    }
    engine.close().unwrap();
}

/// A batch is there as a whole or not at all, whatever was revised since.
fn check_batches<'a>(engine: &Perihelion, held: impl Iterator<Item = (MemoryId, &'a str)>) {
    let mut parts: HashMap<String, usize> = HashMap::new();
    for (id, key) in held {
        let born = engine.history(&Scope::All, id).unwrap().versions.into_iter().next();
        let key = born.map_or(key.to_owned(), |version| key_of(&version.content).to_owned());
        if let Some((batch, rest)) = key.split_once('p') {
            let size = rest.split_once('b').unwrap().1;
            *parts.entry(format!("{batch}b{size}")).or_default() += 1;
        }
    }
    for (batch, count) in parts {
        let size: usize = batch.split_once('b').unwrap().1.parse().unwrap();
        assert_eq!(count, size, "batch {batch} is there in part");
    }
}

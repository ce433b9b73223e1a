//! Everything that a data folder holds, as a fresh engine sees it.

use std::collections::BTreeMap;
use std::path::Path;

use peri_store::{SqliteSettings, SqliteStore, Store as _};
use perihelion::{
    JournalQuery, ListQuery, Namespace, Order, Perihelion, Recall, Scope, TrajectoryQuery, Trashed, Verdict,
};
use serde::{Deserialize, Serialize};

use crate::actor;
use crate::order::{Answer, Asked, content, key_of};

/// Everything that a data folder holds.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Picture {
    /// What each memory of ours says, by its id, and whether it lies in the trash.
    pub(crate) memories: BTreeMap<String, Seen>,
    /// What the journal holds, and what was recorded of tasks: keys, each as often as it is there.
    pub(crate) journal: Vec<String>,
    pub(crate) learned: Vec<String>,
    /// What was heard, and what is a document and a memory, of what was asked for.
    pub(crate) heard: Vec<String>,
    pub(crate) documents: Vec<String>,
    /// The store's last change of the namespace.
    pub(crate) head: u64,
    /// The numbers of the events in the audit log, in its order, and how many there should be.
    pub(crate) logged: Vec<u64>,
    pub(crate) events: u64,
    /// Calls that wait, and calls that were given up, with the reason.
    pub(crate) waiting: u64,
    pub(crate) dead: Vec<String>,
    /// What was recalled for each key that was asked for.
    pub(crate) answers: BTreeMap<String, Vec<(String, u32)>>,
    /// What is not as it should be.
    pub(crate) problems: Vec<String>,
}

/// A memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Seen {
    pub(crate) key: String,
    pub(crate) trashed: bool,
    /// The key of what it said first.
    pub(crate) born: String,
}

const PAGE: usize = 500;

/// Takes the picture. With `settle`, what waits is made first and the chores are done.
pub(crate) fn take(engine: &Perihelion, asked: &Asked, settle: bool) -> Result<Picture, perihelion::Error> {
    let mut picture = Picture::default();
    if settle {
        engine.replay_queue(None)?;
        // The clocks of some processes went ahead, and nothing is settled until somebody says which is right.
        if engine.clock_leap().is_some() {
            engine.accept_clock()?;
        }
        engine.maintain()?;
    }
    look_at_memories(engine, &mut picture)?;
    look_at_parts(engine, &mut picture)?;
    let status = engine.queue_status()?;
    picture.waiting = status.depth;
    if status.damaged > 0 {
        picture.problems.push(format!("{} queued calls are damaged", status.damaged));
    }
    picture.dead = engine
        .dead_calls(PAGE)?
        .into_iter()
        .map(|call| format!("{}: {}", call.operation, call.reason))
        .collect();
    for key in &asked.recalled {
        let hits = engine.search(&Recall::new(content(key)))?.hits;
        let told = |hit: perihelion::Hit| (hit.memory.id.to_string(), in_thousandths(hit.score));
        picture.answers.insert(key.clone(), hits.into_iter().map(told).collect());
    }
    check_store(engine.folder(), &mut picture)?;
    // A restore that was interrupted is told until somebody finishes it, and rightly; and so is a clock that went ahead.
    let wrong = engine
        .doctor()
        .into_iter()
        .filter(|check| check.verdict != Verdict::Ok && !["restore", "clock"].contains(&check.name));
    for check in wrong {
        picture.problems.push(format!("doctor: {check:?}"));
    }
    if settle {
        look_at_files(engine, asked, &mut picture)?;
        // Looking was told too.
        engine.maintain()?;
        look_at_log(engine, &mut picture)?;
    }
    Ok(picture)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a score lies between 0 and 1")]
fn in_thousandths(score: f32) -> u32 {
    (score * 1000.0).round() as u32
}

fn look_at_memories(engine: &Perihelion, picture: &mut Picture) -> Result<(), perihelion::Error> {
    for (side, trashed) in [(Trashed::Without, false), (Trashed::Only, true)] {
        let mut query = ListQuery {
            scope: Scope::Exact(Namespace::default()),
            trashed: side,
            order: Order::OldestFirst,
            limit: PAGE,
            ..ListQuery::default()
        };
        loop {
            let page = engine.list(query.clone())?;
            for memory in page.memories {
                let born = engine.history(&Scope::All, memory.id)?.versions.into_iter().next();
                let born = born.map_or_else(|| memory.content.clone(), |version| version.content);
                let keys = (key_of(&memory.content), key_of(&born));
                let (Some(key), Some(born)) = keys else {
                    picture.problems.push(format!("nobody wrote {:?}", memory.content));
                    continue;
                };
                let seen = Seen { key: key.to_owned(), trashed, born: born.to_owned() };
                if picture.memories.insert(memory.id.to_string(), seen).is_some() {
                    picture.problems.push(format!("{} is listed twice", memory.id));
                }
            }
            query.after = page.next;
            if query.after.is_none() {
                break;
            }
        }
    }
    Ok(())
}

fn look_at_parts(engine: &Perihelion, picture: &mut Picture) -> Result<(), perihelion::Error> {
    let journal =
        JournalQuery { scope: Scope::Exact(Namespace::default()), limit: PAGE, ..JournalQuery::default() };
    for entry in engine.journal(&journal)?.entries {
        match key_of(&entry.text) {
            Some(key) => picture.journal.push(key.to_owned()),
            None => picture.problems.push(format!("the journal holds {:?}", entry.text)),
        }
    }
    let tasks = TrajectoryQuery { limit: PAGE, ..TrajectoryQuery::default() };
    for trajectory in engine.trajectories(&tasks)?.trajectories {
        match key_of(&trajectory.task) {
            Some(key) => picture.learned.push(key.to_owned()),
            None => picture.problems.push(format!("a task is {:?}", trajectory.task)),
        }
    }
    Ok(())
}

/// Whether conversations and documents are there: what was heard is not kept again, and a document is a memory once.
fn look_at_files(engine: &Perihelion, asked: &Asked, picture: &mut Picture) -> Result<(), perihelion::Error> {
    for key in &asked.heard {
        if matches!(actor::hear(engine, key)?, Answer::Found { .. }) {
            picture.heard.push(key.clone());
        }
    }
    if asked.documents.is_empty() {
        return Ok(());
    }
    let vault = actor::vault(engine.folder().parent().unwrap_or(engine.folder()));
    // A process that died before the first document leaves no vault; a vault that is gone is not an empty one.
    if vault.folder().is_dir()
        && let Err(error) = vault.sync(engine)
    {
        picture.problems.push(format!("the vault: {error}"));
    }
    let query =
        ListQuery { scope: Scope::Exact(actor::namespace("vault")), limit: PAGE, ..ListQuery::default() };
    let memories = engine.list(query)?.memories;
    for key in &asked.documents {
        let said = memories.iter().filter(|memory| memory.content.contains(&content(key))).count();
        let text =
            actor::document(key).and_then(|key| vault.get(&key)).map(|found| found.text).unwrap_or_default();
        match (said, text.contains(&content(key))) {
            (0, false) => {}
            (1, true) => picture.documents.push(key.clone()),
            other => picture.problems.push(format!("memories and document of {key} are {other:?}")),
        }
    }
    Ok(())
}

/// What the store itself says of its file.
fn check_store(folder: &Path, picture: &mut Picture) -> Result<(), perihelion::Error> {
    let store = SqliteStore::open(&folder.join(Perihelion::DATABASE), &SqliteSettings::default())?;
    picture.head = store.head(&Namespace::default())?.0;
    picture.problems.extend(store.check()?.into_iter().map(|problem| format!("store: {problem:?}")));
    Ok(())
}

/// The audit log as its lines are, past anything that reads them leniently.
fn look_at_log(engine: &Perihelion, picture: &mut Picture) -> Result<(), perihelion::Error> {
    picture.events = engine.last_event_number()?;
    let path = engine.folder().join("logs/events.jsonl");
    let text = std::fs::read(&path).unwrap_or_default();
    for line in text.split(|byte| *byte == b'\n') {
        let line: Option<serde_json::Value> = serde_json::from_slice(line).ok();
        picture.logged.extend(line.and_then(|line| line.get("number")?.as_u64()));
    }
    Ok(())
}

//! How long whoever asks waits for others. What hangs here hangs until the answers are there, and what must not be waited
//! for would be waited for longer than any test runs.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use parking_lot::Mutex;
use perihelion::embed::{EmbedError, Engine};
use perihelion::{
    Chores, Deadlines, EngineChoice, ErrorKind, Kept, Meaning, NewEntry, Options, Outcome, Perihelion,
    PreparedEngine, Recall, Remember, Scope, SpaceId, patience,
};
use rusqlite::Connection;

use crate::support::{contents, kind_of};

/// Longer than any test.
const FOR_EVER: Duration = Duration::from_secs(24 * 3600);
const SOON: Duration = Duration::from_millis(40);

fn options(folder: &Path, deadline: Duration) -> Options {
    let deadlines = Deadlines { read: deadline, write: deadline };
    Options { busy_timeout: FOR_EVER, deadlines, chores: Chores::ByHand, ..Options::at(folder) }
}

fn open(folder: &Path, deadline: Duration) -> Perihelion {
    Perihelion::open(options(folder, deadline)).unwrap()
}

/// Another process that writes, and goes on writing until this is dropped.
fn locked(folder: &Path) -> Connection {
    let other = Connection::open(folder.join(Perihelion::DATABASE)).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    other
}

#[test]
fn what_is_to_be_kept_while_another_process_writes_is_queued_and_made_afterwards() {
    let folder = tempfile::tempdir().unwrap();
    let engine = open(folder.path(), SOON);
    engine.remember(Remember::new("the heron nests by the lake")).unwrap();
    let lock = locked(folder.path());
    let receipt = engine.remember(Remember::new("the stork nests on the roof")).unwrap();
    assert_eq!(receipt.outcome, Outcome::Queued);
    assert_eq!(engine.append(NewEntry::new("said")).unwrap().state, Kept::Queued);
    let forgotten = engine.forget(&Scope::All, receipt.id);
    assert!(matches!(forgotten, Err(perihelion::Error::Queued)), "{forgotten:?}");
    engine.close().unwrap();
    // Nobody waited for the lock, since it is given up only now.
    drop(lock);
    let engine = open(folder.path(), SOON);
    engine.maintain().unwrap();
    assert_eq!(engine.queue_status().unwrap().depth, 0);
    assert!(engine.get(&Scope::All, receipt.id).unwrap().trashed_at.is_some(), "all was made, in its order");
}

#[test]
fn a_recall_and_its_end_wait_for_nobody_who_writes() {
    let folder = tempfile::tempdir().unwrap();
    let engine = open(folder.path(), SOON);
    engine.remember(Remember::new("the heron nests by the lake")).unwrap();
    engine.close().unwrap();
    let lock = locked(folder.path());
    let engine = open(folder.path(), SOON);
    let recalled = engine.recall(&Recall::new("where does the heron nest?")).unwrap();
    assert_eq!(contents(&recalled), ["the heron nests by the lake"]);
    assert!(recalled.degraded.is_empty(), "{recalled:?}");
    Deadlines { read: SOON, write: SOON }
        .hold(perihelion::Awaited::Answer, || engine.close().unwrap_or_default());
    drop(lock);
}

#[test]
fn what_one_process_waited_for_in_vain_the_next_does_not_wait_for() {
    let folder = tempfile::tempdir().unwrap();
    let first = open(folder.path(), SOON);
    let lock = locked(folder.path());
    assert_eq!(first.remember(Remember::new("the heron nests")).unwrap().outcome, Outcome::Queued);
    let second = open(folder.path(), FOR_EVER);
    let told = second.health().warnings;
    assert!(told.iter().any(|told| told.contains("the lock of those who write")), "{told:?}");
    assert_eq!(second.remember(Remember::new("the stork nests")).unwrap().outcome, Outcome::Queued);
    drop(lock);
    drop((first, second));
    let third = open(folder.path(), FOR_EVER);
    third.maintain().unwrap();
    assert_eq!(third.stats(&Scope::All).unwrap().memories, 2);
    let receipt = third.remember(Remember::new("the owl nests")).unwrap();
    assert_eq!(receipt.outcome, Outcome::Stored, "a lock that is free is taken");
    assert!(!folder.path().join("index/hung.json").exists(), "and all know that it is");
}

#[test]
fn what_will_be_refused_is_refused_before_anything_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let engine = open(folder.path(), FOR_EVER);
    let id = engine.remember(Remember::new("the heron nests by the lake")).unwrap().id;
    let lock = locked(folder.path());
    assert_eq!(kind_of(engine.remember(Remember::new(" "))), Some(ErrorKind::InvalidInput));
    let blank = perihelion::Revise { content: Some(String::new()), ..Default::default() };
    assert_eq!(kind_of(engine.revise(&Scope::All, id, blank)), Some(ErrorKind::InvalidInput));
    assert_eq!(kind_of(engine.append(NewEntry::new("x\0"))), Some(ErrorKind::InvalidInput));
    drop(lock);
}

/// An engine that hangs until it is let go, and is waited for as long as its caller may wait.
struct Hanging {
    space: SpaceId,
    released: Arc<Mutex<Receiver<()>>>,
}

impl Engine for Hanging {
    fn space(&self) -> &SpaceId {
        &self.space
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, EmbedError> {
        let limit = patience::at_most(FOR_EVER);
        if self.released.lock().recv_timeout(limit).is_ok() {
            return Ok(texts.iter().map(|_| Some(vec![1.0, 0.0])).collect());
        }
        patience::spend(limit);
        Err(EmbedError::NotFinite { model: "it took too long".to_owned() })
    }
}

#[test]
fn an_embedding_server_that_hangs_holds_up_one_process_for_a_moment_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let (release, released) = channel();
    let released = Arc::new(Mutex::new(released));
    let open = |deadline: Duration| {
        let released = Arc::clone(&released);
        let space = SpaceId { model: "hanging@1".to_owned(), dimensions: 2 };
        let start = move |_: Option<&SpaceId>| {
            let (space, released) = (space.clone(), Arc::clone(&released));
            Ok(Arc::new(Hanging { space, released }) as Arc<dyn Engine>)
        };
        let engine = EngineChoice::Prepared(PreparedEngine::new("a server", start));
        Perihelion::open(Options { engine, ..options(folder.path(), deadline) }).unwrap()
    };
    let first = open(SOON);
    let receipt = first.remember(Remember::new("the heron nests by the lake")).unwrap();
    assert_eq!((receipt.outcome, receipt.meaning), (Outcome::Stored, Meaning::Pending));
    let second = open(FOR_EVER);
    let recalled = second.recall(&Recall::new("where does the heron nest?")).unwrap();
    assert_eq!(contents(&recalled), ["the heron nests by the lake"]);
    assert!(recalled.degraded.iter().any(|why| why.contains("only words")), "{recalled:?}");
    let receipt = second.remember(Remember::new("the stork nests on the roof")).unwrap();
    assert_eq!((receipt.outcome, receipt.meaning), (Outcome::Stored, Meaning::Pending));
    // Whoever is waited for by nobody waits for it.
    release.send(()).unwrap();
    release.send(()).unwrap();
    second.maintain().unwrap();
    assert_eq!(second.stats(&Scope::All).unwrap().unembedded, 0);
}

//! The journal: what happened, as it came, whatever becomes of the store.

mod append;
mod model;
mod replay;
mod retention;
mod transfer;
mod turns;

use std::path::Path;
use std::sync::Arc;

use peri_store::{Store, StoreError};
use perihelion::{
    Clock, EngineChoice, JournalEntry, NewEntry, Options, Perihelion, QueueSettings, Queueing, RecentEntries,
    Scope,
};

use crate::faults::store::faulty::Faulty;
use crate::support::{options, time};

/// An engine with a clock that stands still, on a store that can be made to fail.
fn on_faulty(folder: &Path) -> (Perihelion, Arc<Faulty>) {
    let store = Faulty::open(folder);
    let engine =
        Perihelion::with_engine(timed(folder).0, Arc::clone(&store) as Arc<dyn Store>, None).unwrap();
    (engine, store)
}

/// Options with a clock that a test moves, without an embedding engine.
fn timed(folder: &Path) -> (Options, Clock) {
    let clock = Clock::manual(time("2026-03-04T05:06:07Z"));
    let engine = EngineChoice::Off;
    // What the queue takes is tried with the queue.
    let queue = QueueSettings { queueing: Queueing::Off, ..QueueSettings::default() };
    (Options { clock: clock.clone(), engine, queue, ..options(folder) }, clock)
}

fn gone() -> StoreError {
    StoreError::DiskFailed { path: "perihelion.db".into(), detail: "unplugged".to_owned() }
}

fn recent(engine: &Perihelion, session: Option<&str>, limit: usize) -> RecentEntries {
    engine.recent(&Scope::All, session, limit).unwrap()
}

fn texts(entries: &[JournalEntry]) -> Vec<&str> {
    entries.iter().map(|entry| entry.text.as_str()).collect()
}

fn said(text: &str) -> NewEntry {
    NewEntry::new(text).said("아침", "Ana")
}

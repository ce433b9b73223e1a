//! What still holds the words of what was destroyed: copies from before, which a purge does not touch.

use peri_types::{EventKind, Happening};
use serde::Serialize;

use crate::engine::Core;
use crate::{LogQuery, StoreChoice};

/// Backups that are named at most; of more, the latest.
const BACKUPS_MAX: usize = 100;

/// Something that still holds what was destroyed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StillHeld {
    /// What it is.
    pub by: HeldBy,
    /// Which, and until when, for a person.
    pub detail: String,
}

/// What may hold the words of what was destroyed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum HeldBy {
    /// Backups that were made before, until they are pruned.
    Backups,
    /// Snapshots of episodes, until newer ones take their places.
    Snapshots,
    /// The server that holds the database: its own logs and replicas, and pages that it has not vacuumed.
    Server,
    /// The database's write-ahead log: somebody is reading. The next `peri maintain` ends it.
    Log,
    /// What was handed to agents: the notes could not be changed.
    HandedOut,
    /// Questions in the audit log, which could not be changed.
    AuditLog,
    /// Writes that were given up, which could not be dropped.
    Queue,
    /// Saved indexes, which could not be removed.
    Index,
}

impl StillHeld {
    pub(super) fn of(by: HeldBy, why: Option<String>) -> Self {
        let detail = match by {
            HeldBy::Log => "perihelion.db-wal, while somebody reads; `peri maintain` empties it",
            HeldBy::HandedOut => "what was handed to agents, under notes/",
            HeldBy::AuditLog => "questions in logs/events.jsonl",
            HeldBy::Queue => "writes that were given up, under queue/",
            HeldBy::Index => "saved indexes, under index/; they can be deleted",
            HeldBy::Backups | HeldBy::Snapshots | HeldBy::Server => "copies from before",
        };
        let detail = why.map_or_else(|| detail.to_owned(), |why| format!("{detail}: {why}"));
        Self { by, detail }
    }
}

impl StillHeld {
    /// The same for whoever may not know what else is on the machine.
    pub fn without_names(self) -> Self {
        let detail = match self.by {
            HeldBy::Backups => "backups that were made before, until they are pruned",
            HeldBy::Snapshots => "snapshots of episodes, until newer ones take their places",
            HeldBy::Server => "the database server's own logs and replicas",
            _ => return Self::of(self.by, None),
        };
        Self { by: self.by, detail: detail.to_owned() }
    }
}

/// The copies from before that are known of.
pub(super) fn copies(core: &Core) -> Vec<StillHeld> {
    core.flush_events();
    let mut held = Vec::new();
    held.extend(backups(core).map(|detail| StillHeld { by: HeldBy::Backups, detail }));
    held.extend(snapshots(core).map(|detail| StillHeld { by: HeldBy::Snapshots, detail }));
    if let StoreChoice::Server { address, .. } = &core.options.store {
        let detail = format!("{address}: its own logs and replicas, and rows until it vacuums");
        held.push(StillHeld { by: HeldBy::Server, detail });
    }
    held
}

/// Those that the audit log tells of: wherever they went, and whether they were pruned since or not.
fn backups(core: &Core) -> Option<String> {
    let query = LogQuery { limit: BACKUPS_MAX, kinds: vec![EventKind::BackedUp], ..LogQuery::default() };
    let made = core.audit.log.read(&query).ok()?.events;
    let names: Vec<String> = made
        .into_iter()
        .filter_map(|event| match event.what {
            Happening::BackedUp { backup, .. } => Some(backup),
            _ => None,
        })
        .collect();
    let (first, last) = (names.first()?, names.last()?);
    let which = if first == last { first.clone() } else { format!("{first} to {last}") };
    Some(format!("{} made before, {which}, until they are pruned", counted(names.len(), "backup", "backups")))
}

fn snapshots(core: &Core) -> Option<String> {
    let files = core.snapshot_files();
    let last = files.last()?;
    let count = counted(files.len(), "snapshot", "snapshots");
    Some(format!("{count} of episodes, the latest {last}, until newer ones take their places"))
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

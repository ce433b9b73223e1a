//! What a restore would lose: how what is here stands to a backup.

use std::collections::HashSet;
use std::path::Path;

use peri_store::{Part, SqliteSettings, SqliteStore, Store, StoreCopy, StoreFacts, settings_for_copy};
use peri_types::{Edge, Scope};
use perihelion::{EncryptionKey, Perihelion};
use serde::Serialize;

use crate::{BackupError, Snapshot};

/// More sessions than a namespace has.
const SESSIONS_MAX: usize = usize::MAX >> 1;

/// What a restore would lose: memories as they are here, compared with the backup.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Loss {
    /// Memories that the backup does not have.
    pub added: u64,
    /// Memories that the backup has otherwise.
    pub changed: u64,
    /// Memories that were moved to the trash or out of it since.
    pub moved: u64,
    /// Memories that the backup has and that were purged here since, which would come back.
    pub purged: u64,
    /// Links that the backup does not have, or has otherwise.
    pub links: u64,
    /// Sessions that the backup does not have, or has otherwise.
    pub sessions: u64,
    /// Events of the journal that the backup does not have, or has otherwise; and so on.
    pub journal: u64,
    /// Turns.
    pub turns: u64,
    /// Pieces of feedback.
    pub feedback: u64,
    /// Sets of weights that feedback taught.
    pub weights: u64,
    /// Documents and lines of notes that the store keeps.
    pub notes: u64,
    /// Trajectories.
    pub trajectories: u64,
    /// Patterns.
    pub patterns: u64,
    /// Sets of what else was learned.
    pub learned: u64,
}

impl Loss {
    /// Whether nothing would be lost.
    pub(crate) fn is_none(self) -> bool {
        self == Self::default()
    }

    /// Where the rows of a part are counted.
    fn of(&mut self, part: Part) -> &mut u64 {
        match part {
            Part::Journal => &mut self.journal,
            Part::Turns => &mut self.turns,
            Part::Feedback => &mut self.feedback,
            Part::Weights => &mut self.weights,
            Part::Notes => &mut self.notes,
            Part::Trajectories => &mut self.trajectories,
            Part::Patterns => &mut self.patterns,
            Part::Learned => &mut self.learned,
        }
    }
}

impl std::fmt::Display for Loss {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { added, changed, moved, purged, links, sessions, .. } = *self;
        let mut counted = *self;
        let others = Part::ALL.map(|part| {
            let (one, many) = part.nouns();
            (*counted.of(part), one, many, "added or changed")
        });
        let parts = [
            (added, "memory", "memories", "added"),
            (changed, "memory", "memories", "changed"),
            (moved, "memory", "memories", "moved to the trash or back"),
            (purged, "memory", "memories", "purged"),
            (links, "link", "links", "changed"),
            (sessions, "session", "sessions", "changed"),
        ];
        let told = parts.into_iter().chain(others).filter(|(count, ..)| *count > 0);
        let told = told.map(|(count, one, many, verb)| {
            let noun = if count == 1 { one } else { many };
            format!("{count} {noun} {verb}")
        });
        write!(f, "{} since", told.collect::<Vec<_>>().join(", "))
    }
}

/// Whether what is here is neither empty, nor what the backup was made of, nor what came before that.
pub(crate) fn has_moved_on(
    here: &StoreFacts,
    copy: &Path,
    key: Option<&EncryptionKey>,
) -> Result<bool, BackupError> {
    if here.counts.contents() == 0 {
        return Ok(false);
    }
    let copy = StoreCopy::open(copy, key)?;
    let there = copy.facts()?;
    let same_line = here.identity == there.identity && here.lineage == copy.lineage(here.change)?;
    Ok(!(same_line && here.change <= there.change))
}

/// What a backup does not have of what is here. The copy is brought to the newest format.
pub(crate) fn compare(engine: &Perihelion, copy: &Path) -> Result<Loss, BackupError> {
    let key = engine.options().encryption.as_ref();
    let mut loss = count(engine, &SqliteStore::open(copy, &settings_for_copy(copy, key))?)?;
    let settings = SqliteSettings { key: key.cloned(), ..SqliteSettings::default() };
    let here = SqliteStore::open(&engine.database(), &settings)?;
    for part in here.parts_apart(copy)? {
        // What is only in the backup was dropped here since, and is no loss.
        *loss.of(part.part) += part.removed + part.altered;
    }
    Ok(loss)
}

fn count(engine: &Perihelion, backup: &dyn Store) -> Result<Loss, BackupError> {
    let mut loss = Loss::default();
    for one in engine.compare_with(backup, &mut |_| {})? {
        // What the backup would remove was added here, and so on.
        loss.added += one.removed;
        loss.changed += one.reworded + one.altered;
        loss.moved += one.trashed + one.restored;
        loss.purged += one.added;
    }
    let here = Snapshot::of_folder(engine.folder(), engine.options().encryption.as_ref())?;
    for namespace in here.store().namespaces(&Scope::All)? {
        let (ours, theirs) = (here.store().all_edges(&namespace)?, backup.all_edges(&namespace)?);
        let key = |edge: &Edge| (edge.source, edge.edge_type.code(), edge.target, edge.weight.to_bits());
        let theirs: HashSet<_> = theirs.iter().map(key).collect();
        loss.links += ours.iter().filter(|edge| !theirs.contains(&key(edge))).count() as u64;
        let scope = Scope::Exact(namespace);
        let theirs = backup.sessions(&scope, SESSIONS_MAX)?;
        let ours = here.store().sessions(&scope, SESSIONS_MAX)?;
        loss.sessions += ours.iter().filter(|session| !theirs.contains(session)).count() as u64;
    }
    Ok(loss)
}

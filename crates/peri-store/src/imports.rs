//! Taking over an export part by part, so that an import that was interrupted can go on.

use peri_types::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{Adopted, Write, Written};

/// How far an import has come.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ImportState {
    /// When it began.
    pub started_at: Timestamp,
    /// Lines that were handled.
    pub lines: u64,
    /// Bytes of those lines, as they are read.
    pub bytes: u64,
    /// Memories that were new.
    pub added: u64,
    /// Memories that replaced others.
    pub replaced: u64,
    /// Memories that were there already.
    pub known: u64,
    /// Memories that stayed because they were changed here later.
    pub newer_here: u64,
    /// Edges that were drawn.
    pub edges: u64,
    /// Sessions that were read.
    pub sessions: u64,
    /// Journal entries that were new.
    pub entries: u64,
    /// Turns that were written.
    pub turns: u64,
    /// Sets of notes that were new or changed something.
    pub notes: u64,
    /// Patterns that were written.
    pub patterns: u64,
    /// Trajectories that were new or replaced others.
    pub trajectories: u64,
    /// Learned sets that were new.
    pub learned: u64,
    /// Lines that could not be taken.
    pub refused: u64,
    /// Memories that were moved to the trash.
    pub trashed: u64,
}

impl ImportState {
    /// Counts what became of one write of a part.
    pub fn count(&mut self, written: &Written) {
        match written {
            Written::Adopted(Adopted::Added) => self.added += 1,
            Written::Adopted(Adopted::Replaced) => self.replaced += 1,
            Written::Adopted(Adopted::InsteadOf(_)) => {
                self.replaced += 1;
                self.trashed += 1;
            }
            Written::Adopted(Adopted::NewerHere) => self.newer_here += 1,
            Written::Adopted(Adopted::Known | Adopted::SaidBy(_)) => self.known += 1,
            Written::Linked(0) => self.refused += 1,
            Written::Linked(edges) => self.edges += edges,
            Written::Forgotten(_) => self.trashed += 1,
            Written::Appended(entries) => self.entries += entries,
            Written::TrajectoryAdopted(taken) => self.trajectories += u64::from(*taken),
            Written::Numbered(_) => self.learned += 1,
            _ => {}
        }
    }
}

/// Under which name an import notes how far it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportNote {
    /// What tells the import from others.
    pub name: String,
    /// How far it is with this part, but for what becomes of the part's own writes: the store counts those.
    pub state: ImportState,
    /// When.
    pub at: Timestamp,
}

/// A part of an export. Its writes are made together with the note, or not at all.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ImportPart {
    /// What to write.
    pub writes: Vec<Write>,
    /// How far the import is then, if it can be taken up again.
    pub note: Option<ImportNote>,
}

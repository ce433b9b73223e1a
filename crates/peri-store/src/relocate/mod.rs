//! Moving a whole store to another place: from a file to a server, from one server to another, and back.
//!
//! The source is read as of one moment and never written. Rows go over in the order of their keys, each part in one
//! transaction with the note of how far the move is, so that it goes on there after whatever ended it. While the note
//! is there, nobody can open the target as a store. At the end both sides are read again and compared value by value;
//! only then is the target released.

mod copy;
mod encode;
mod ends;
mod error;
mod note;
mod notes;
mod numbers;
mod pages;
mod place;
mod tables;
mod target;
mod verify;

#[cfg(test)]
mod tests;

use std::sync::atomic::AtomicBool;

use serde::Serialize;

use crate::sql::connection::Connection;
pub use error::RelocateError;
pub(crate) use note::refuse_half_moved;
pub use notes::{AllNotes, CarriedNotes, CarryNotes, KeptNote, MovedNotes};
pub use place::{Place, PlaceError};

use ends::End;
use note::Stamp;
use target::{Beginning, Target};

/// What a move is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MoveStep {
    /// Rows go over.
    Copying,
    /// Both sides are compared.
    Verifying,
}

/// How far a move is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct MoveProgress {
    /// What it is doing.
    pub step: MoveStep,
    /// The table it is at.
    pub table: &'static str,
    /// How many of the table's rows are done.
    pub rows: u64,
    /// How many rows the table has.
    pub of: u64,
}

/// A table that was moved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MovedTable {
    /// What it is called.
    pub name: &'static str,
    /// How many rows it has.
    pub rows: u64,
    /// The digest of all its rows, the same on both sides.
    pub digest: String,
}

/// A move that is done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Relocation {
    /// Every table, in the order they were moved.
    pub tables: Vec<MovedTable>,
    /// The digest of everything, the same on both sides.
    pub digest: String,
    /// The notes that were moved on their own, because they lie in files on one side at least.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<MovedNotes>,
    /// Whether a part of it was there from an earlier attempt.
    pub resumed: bool,
    /// Whether the source was written to after the move had begun. What was written then is not in the target.
    pub source_went_on: bool,
}

/// Moves everything that a store holds to another place. The source is only read. The target is empty, or holds a part
/// of the same move, which goes on; it is used by nobody before the move is finished.
///
/// # Errors
/// Why it was not finished. Run again, it goes on where it was, or begins anew if the source has changed.
pub fn relocate(
    from: &Place,
    to: &Place,
    progress: &mut dyn FnMut(MoveProgress),
    halt: &AtomicBool,
) -> Result<Relocation, RelocateError> {
    relocate_with(from, to, None, progress, halt)
}

/// The same with somebody who takes care of the notes before the target can be used.
///
/// # Errors
/// As those of [`relocate`], and those of whoever takes care of the notes.
pub fn relocate_with(
    from: &Place,
    to: &Place,
    carry: Option<CarryNotes<'_>>,
    progress: &mut dyn FnMut(MoveProgress),
    halt: &AtomicBool,
) -> Result<Relocation, RelocateError> {
    if from == to {
        return Err(RelocateError::SamePlace { place: from.to_string() });
    }
    let (end, connection) = End::source(from)?;
    let told = |trouble| end.tell(trouble);
    let _moment = connection.begin_reading().map_err(told)?;
    refuse_half_moved(&connection, &from.to_string()).map_err(told)?;
    let stamp = Stamp::read(&connection).map_err(told)?;
    let source = Source { end: &end, connection: &connection, stamp };
    let mut watch = Watch { progress, halt };
    let (target, mut beginning) = Target::open(to, &source)?;
    let resumed = beginning == Beginning::Resumed;
    let tables = loop {
        copy::copy(&source, &target, &mut watch)?;
        match verify::verify(&source, &target, &mut watch) {
            // What an earlier attempt has left may be of another state of the source than its stamp can tell.
            Err(RelocateError::Differs { .. }) if beginning == Beginning::Resumed => {
                beginning = Beginning::Fresh;
                target.clear(&source.stamp)?;
            }
            outcome => break outcome?,
        }
    };
    let source_went_on = source.went_on()?;
    let notes = target.release(&source.stamp, carry)?;
    let digest = verify::whole(&tables);
    Ok(Relocation { tables, digest, notes, resumed, source_went_on })
}

/// The store that is moved, as of one moment.
struct Source<'a> {
    end: &'a End,
    connection: &'a Connection,
    stamp: Stamp,
}

impl Source<'_> {
    /// Whether somebody wrote to it after that moment.
    fn went_on(&self) -> Result<bool, RelocateError> {
        let now = || Stamp::read(&self.end.connect_again()?);
        Ok(now().map_err(|trouble| self.end.tell(trouble))? != self.stamp)
    }
}

/// Who looks on, and may end it.
struct Watch<'a> {
    progress: &'a mut dyn FnMut(MoveProgress),
    halt: &'a AtomicBool,
}

impl Watch<'_> {
    /// Tells how far it is, and ends it if that was asked for.
    fn tell(&mut self, progress: MoveProgress) -> Result<(), RelocateError> {
        (self.progress)(progress);
        if self.halt.load(std::sync::atomic::Ordering::Relaxed) { Err(RelocateError::Halted) } else { Ok(()) }
    }
}

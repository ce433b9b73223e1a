//! Everything out and in again: memories with their history, usage and merges, edges, sessions, the journal, what was
//! tried and learned, notes of conversations, and what use taught. What background jobs did and found is about one
//! installation, and stays there.
//!
//! One JSON object a line, each with what it is under `record`. The first is the header, the last says how much there
//! is, so that a file that was cut is noticed. The bytes depend on what is stored and on nothing else, so that
//! exporting an import gives the same file. Vectors are not written: the import makes them anew, unless a line
//! brings one of the space at work along.
//!
//! Neither way holds more than a few pages of it in memory, but for an import that replaces, which keeps the ids that
//! it has seen, and for one that is only rehearsed.

mod export;
mod import;
mod journal;
mod learning;
mod line;
mod meaning;
mod memory_line;
mod notes;
mod outline;
mod parts;
mod rehearsal;
pub(crate) mod single;
mod source;
mod sweep;

pub use export::{ExportOptions, Exported, ExportedTrash};
pub use import::{Effect, ImportMode, ImportOptions, Imported, Pace, Resume, Start};
pub(crate) use line::{Line, told};
pub(crate) use meaning::Tally;
pub(crate) use memory_line::{MemoryLine, Offered};
pub use outline::Ending;
pub(crate) use parts::{Differing, Handling};
pub(crate) use source::Lines;

/// The format of the lines, which only ever grows. Before 2 there was no last line, before 3 no journal, before 4 no
/// notes, and before 5 neither patterns, trajectories nor learned sets.
pub(crate) const FORMAT: u32 = 5;

//! The learning file: one record a line between two marks.
//!
//! ```text
//! RVLS
//! {"type":"pattern","data":{…}}
//! {"type":"trajectory","data":{…}}
//! {"type":"ewc","data":{…}}
//! {"type":"lora","data":{…}}
//! REND
//! ```
//!
//! [`RvfFile`] is such a file in memory; [`RvfLearningStore`] keeps one on the disk. Fields and types of record that
//! we do not know are kept and written back. A file that was cut is read up to its last whole line, and every line
//! that could not be read is named in the [`ReadReport`]. Nothing is read into memory beyond the [`RvfLimits`].

mod adapter;
mod convert;
mod entry;
mod error;
mod file;
mod kept;
mod limits;
mod lines;
mod on_disk;
mod pattern;
mod read;
mod report;
mod shelf;
mod store;
mod trajectory;
mod write;

pub use adapter::{AdapterRecord, EwcRecord, Factor};
pub use convert::{ConvertError, Origin};
pub use entry::{Entry, Foreign, Record};
pub use error::RvfError;
pub use file::RvfFile;
pub use kept::Kept;
pub use limits::RvfLimits;
pub use pattern::PatternRecord;
pub use report::{Ending, LineProblem, ReadReport};
pub use shelf::Shelf;
pub use store::{Persisted, RvfLearningStore};
pub use trajectory::{StepRecord, TrajectoryRecord};

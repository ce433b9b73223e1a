//! What is kept of conversations: the notes of each session, what waits to be observed, and the digest of a namespace.
//!
//! [`Notes`] does what an observer of conversations needs: records, pending messages, flags, candidates, the digest with
//! its archive, and the handing over of notes exactly once. It keeps everything as documents and logs on a [`Shelf`],
//! which is a folder that people may read and edit ([`FileShelf`]), memory ([`MemoryShelf`]), or a database.
//!
//! Nothing here decides what is worth noting; observers, reflectors and promoters are elsewhere.
//!
//! ```
//! use std::sync::Arc;
//! use std::time::Duration;
//!
//! use peri_notes::{Confirmed, Draft, MemoryShelf, Notes, Priority, Wanted};
//! use peri_types::{Clock, Namespace};
//!
//! let notes = Notes::new(Arc::new(MemoryShelf::default()), Clock::system(), |text: &str| text.len() / 4);
//! let (namespace, session) = (Namespace::default(), "standup".parse()?);
//! notes.update(&namespace, &session, |record, now| {
//!     record.sheet.add(Draft::new(Priority::High, "배포는 금요일에 하지 않는다"), now);
//! })?;
//! let (wanted, lease) = (Wanted::NOTHING.with_new(), Duration::from_secs(60));
//! let loan = notes.lend(&namespace, &session, wanted, lease)?;
//! assert_eq!(loan.new.len(), 1);
//! // The agent is given it, and only then it counts as given.
//! assert_eq!(notes.confirm(&namespace, &session, &loan.id, &[])?, Confirmed::Done);
//! assert!(notes.lend(&namespace, &session, wanted, lease)?.is_empty(), "each note is handed over once");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod error;
mod file;
mod item;
mod log;
mod memory;
mod notes;
mod prompt;
mod record;
mod session;
mod sheet;
mod shelf;
#[cfg(feature = "story")]
mod story;

pub use error::{NotesError, ShelfError};
pub use file::{Fate, FileSettings, FileShelf, Held, Step, Watch};
pub use item::{Draft, InvalidItemId, Item, ItemId, Origin, Owner, Priority, Progress, Source};
pub use log::{Aside, Candidate, Dropped, HandedOut, Message, Replaced, Speaker};
pub use memory::MemoryShelf;
pub use notes::{
    AllCandidates, Asked, Batch, Cleared, Confirmed, CountTokens, Handover, InvalidParcel, Kept, Loan,
    LoanId, Meeting, Notes, Overview, Parcel, Place, Revised, Reviser, Revision, SessionCandidates, Told,
    Trouble, Unpacked, Untold, Wanted,
};
pub use prompt::{LeftOut, Prompted, for_prompt};
pub use record::{Digest, Record};
pub use session::{InvalidSession, Session};
pub use sheet::{Block, Sheet};
pub use shelf::{Change, Collection, Commit, Expected, Key, Mark, Shape, Shelf, Text, Version};
#[cfg(feature = "story")]
pub use story::story;

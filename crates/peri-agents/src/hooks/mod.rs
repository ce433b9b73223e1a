//! What hooks of agents say, how they are answered, and what transcripts hold.
//!
//! An agent runs a command on an [`Event`] with JSON on its input; [`events`] is the one table of which agent has which.
//! [`read`] makes a [`Call`] of it and [`answer`] what is printed. Calls that are worked off later wait in an [`Inbox`].
//! What was said between two calls is in the agent's own [`transcript`].

mod answer;
mod call;
mod folder;
mod inbox;
mod json;
mod plain;
mod read;
mod table;
pub mod transcript;

pub use answer::{CONTEXT_CHARS_MAX, answer};
pub use call::{Call, Occasion, Start};
pub use folder::{folder_of, project_folder};
pub use inbox::{CALLS_MAX, CallId, Claim, Inbox, InboxError, Left};
pub use read::{HookError, INPUT_BYTES_MAX, Received, TEXT_BYTES_MAX, read};
pub use table::{Event, OccasionKind, TakesContext, events, kind_of, name_of, takes_context};

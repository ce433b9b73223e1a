//! The lifetimes of layers: working memory that expires, episodes that are kept for a time, long-term memory that is
//! cleaned up, and promotion from each to the next.
//!
//! What is done here is a function of what is stored and of the time. Doing it again, by timer or by hand, changes
//! nothing.

mod cleanup;
mod promotion;
mod retention;
mod settings;
mod sweep;
mod working;

pub use promotion::{Promoted, Undone};
pub use settings::{EpisodicSettings, LayerSettings, LongTermSettings, PromotionSettings, WorkingSettings};
pub use sweep::Swept;
pub use working::{SetWork, TimeToLive, WorkItem, WorkReceipt, WorkSession};

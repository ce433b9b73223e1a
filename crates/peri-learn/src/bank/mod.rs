//! The rules of the pattern bank: what is the same, how good a pattern is, when it is promoted and when it is retired.
//!
//! A pattern is followed and something comes of it: [`record_outcome`] moves its quality. From time to time [`tend`]
//! says what should change in the bank: which patterns say the same, which have proved themselves, and which are put
//! aside. [`distil`] draws new patterns from trajectories. [`offers`] chooses what an agent is shown.
//! Nothing here keeps anything; whoever holds the patterns applies what the rules say.

mod distil;
mod likeness;
mod merge;
mod offer;
mod quality;
mod settings;
mod tend;
mod worth;

pub use distil::{DistilSettings, Distilled, distil, pattern_id_of, step_key};
pub use likeness::{cosine, same_words};
pub use merge::{Held, merge, say_the_same};
pub use offer::{Offer, offers};
pub use quality::{estimate, outcome_value, record_outcome};
pub use settings::{BankSettings, START_QUALITY};
pub use tend::{RetireReason, Tending, tend};
pub use worth::{match_score, recency, worth};

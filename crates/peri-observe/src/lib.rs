//! What is worth noting in a conversation, found by rules and without a model.
//!
//! [`observe`] reads messages and gives [`Finding`]s: decisions, constraints, corrections, preferences, open and
//! completed tasks, people, dates, problems and changes, in English, Korean and Chinese. [`reflect`] and
//! [`compact`] keep lists of [`Item`]s within a budget of tokens, and [`promote`] picks what should outlive its
//! session. The crate deliberately knows nothing of files, stores, models or the clock: the same input always
//! gives the same output.
//!
//! ```
//! use jiff::civil::date;
//! use peri_observe::{FindingKind, Message, Role, observe};
//!
//! let said = |text: &str| Message { role: Role::User, text: text.to_owned(), at: date(2026, 3, 10).at(9, 0, 0, 0) };
//! let messages = [said("Should we use MySQL? No. We decided to use Postgres."), said("Thanks!")];
//! let findings = observe(&messages, &[], &[]);
//! assert_eq!(findings.len(), 1);
//! assert_eq!((findings[0].kind, findings[0].text.as_str()), (FindingKind::Decision, "We decided to use Postgres."));
//! ```
#![forbid(unsafe_code)]

mod change;
mod condense;
mod cues;
mod days;
mod finding;
mod folding;
mod item;
mod judge;
mod language;
mod likeness;
mod matcher;
mod message;
mod observe;
mod promote;
mod prose;
mod secrets;
mod standalone;

pub use condense::{Condensed, Fit, compact, reflect};
pub use finding::{Days, Evidence, Finding, FindingKind, Priority, Target};
pub use item::{Item, ItemState};
pub use message::{Message, Role};
pub use observe::observe;
pub use promote::{Candidate, PROMOTED_CHARACTERS_MAX, Promoted, promote};
pub use secrets::tells_secret;

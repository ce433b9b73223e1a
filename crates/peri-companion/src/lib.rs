//! Turns conversations into notes: observe, reflect, promote, compact.
//!
//! A [`Companion`] is told what was said ([`Companion::turn`]), keeps it durably, and does whatever is due
//! ([`Companion::step`]): observing messages once there are enough of them, condensing the notes of a session that have
//! become long, taking what is proposed into the digest of the namespace, and condensing the digest. Each step is one
//! commit of the notes, so that a crash anywhere loses nothing and repeats nothing, and what failed waits and is tried
//! again. What to note is decided by a [`Thinker`]: [`Rules`], or a language model, with the feature `model`.
//!
//! The crate knows neither memories nor stores; what notes took the place of is kept for whoever does
//! ([`peri_notes::Notes::replaced`]).
//!
//! ```
//! use std::sync::Arc;
//!
//! use peri_companion::{Companion, Rules, Settings, When};
//! use peri_notes::{MemoryShelf, Message, Notes, Speaker};
//! use peri_types::{Clock, Namespace};
//!
//! let clock = Clock::system();
//! let notes = Notes::new(Arc::new(MemoryShelf::default()), clock.clone(), peri_tokens::count);
//! let companion = Companion::new(notes, Arc::new(Rules::default()), clock.clone(), Settings::default())?;
//! let (namespace, session) = (Namespace::default(), "standup".parse()?);
//! let said = Message::new(Speaker::User, "We decided to use Postgres.", clock.now());
//! companion.turn(&namespace, &session, &[said], &[])?;
//! companion.step(&namespace, &session, When::Now)?;
//! let record = companion.notes().record(&namespace, &session)?.expect("something was noted");
//! assert_eq!(record.sheet.items().count(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod companion;
mod event;
#[cfg(feature = "model")]
mod likeness;
#[cfg(feature = "model")]
mod model;
mod rules;
mod settings;
mod sift;
mod thinker;

pub use companion::{Companion, Stepped, Turned, When};
pub use event::{Event, Step};
#[cfg(feature = "model")]
pub use model::{Fallback, Model, ModelSettings, PROMPTS};
pub use peri_observe::Fit;
pub use rules::Rules;
pub use settings::{Settings, SettingsError};
pub use sift::{LeftOut, Sifted, sift};
pub use thinker::{
    By, Condensed, Condensing, Gone, Observed, Observing, Promoting, Promotion, Proposed, Severity,
    ThinkError, Thinker,
};

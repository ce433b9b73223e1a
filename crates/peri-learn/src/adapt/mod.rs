//! An adapter of queries: a low-rank correction of the query vector, learned from feedback and protected from being forgotten.
//!
//! An [`Example`] is one recall with feedback. A [`Memory`] keeps as many as the [`Mode`] allows and says when to train.
//! [`learn()`] trains an [`Adapter`], tries it on what was held out, and says whether to use it: it is off until it has
//! proved itself, and [`roll_back`] tells when it no longer holds. A [`Consolidation`] keeps what earlier tasks
//! need of its weights.
//!
//! ```
//! use peri_learn::adapt::{Adapted, Adapter, Mode};
//! use peri_types::SpaceId;
//!
//! let space = SpaceId { model: "example".to_owned(), dimensions: 3 };
//! let adapter = Adapter::new(space, Mode::Balanced.settings().rank)?;
//! let mut query = [0.6, 0.8, 0.0];
//! assert_eq!(adapter.adapt(&mut query), Adapted::Untouched);
//! # Ok::<(), peri_learn::adapt::AdaptError>(())
//! ```

mod adapter;
mod error;
mod ewc;
mod example;
mod kernel;
mod lesson;
mod loss;
mod memory;
mod mode;
mod random;
mod start;
mod train;
mod trial;

pub use adapter::{Adapted, Adapter, DIMENSIONS_MAX, FORMAT, RANK_MAX};
pub use error::AdaptError;
pub use ewc::Consolidation;
pub use example::{Example, PARTS, usable};
pub use lesson::{Lesson, learn};
pub use memory::Memory;
pub use mode::{Mode, ModeSettings, UnknownMode};
pub use train::{EXAMPLES_MIN, Trained, Training};
pub use trial::{CHANCE_MAX, QUERIES_MIN, Refusal, Verdict, is_no_worse, judge, roll_back, try_out};

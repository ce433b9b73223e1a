//! From a task to the agent that should take it.
//!
//! A [`Router`] begins with a table of keywords ([`rows`]) and learns from what came of its advice: each outcome moves a
//! linear model over the task's words, its vector if there is one, and the table's votes. So a route can be explained word
//! by word, and learning is a matter of microseconds.
//!
//! Only the outcome of the agent that did the work is ever seen. The model is a softmax over all agents whose loss looks
//! at that one alone: a success raises it and lowers the rest; a failure lowers it, and what it loses goes to the others
//! in proportion to what they had, since nobody knows who would have been right. Something in between counts half.
//!
//! ```
//! use peri_learn::route::{Router, Settings, Task};
//! use peri_types::TaskOutcome;
//!
//! let mut router = Router::new(Settings::default());
//! let task = Task::of("translate the button labels into Korean");
//! assert_eq!(router.route(&task).agent, "coder");
//! for _ in 0..3 {
//!     router.learn(&task, "translator", TaskOutcome::Success)?;
//! }
//! let route = router.route(&Task::of("please translate the help texts into German"));
//! assert_eq!(route.agent, "translator");
//! assert!(route.reasoning().contains("translate"));
//! # Ok::<(), peri_learn::route::RouteError>(())
//! ```

mod agents;
mod calibration;
mod codec;
mod earlier;
mod error;
mod explain;
mod features;
mod model;
mod reason;
mod router;
mod saved;
mod settings;
mod table;
mod weights;

pub use calibration::{Judgement, expected_calibration_error};
pub use error::RouteError;
pub use reason::{Basis, Reason, Route};
pub use router::{PatternVote, Router, Task};
pub use settings::{Link, Settings};
pub use table::{DEFAULT_AGENT, Origin, Row, TableRoute, route_by_table, rows};

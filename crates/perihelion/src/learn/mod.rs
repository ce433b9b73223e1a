//! What has worked: trajectories of tasks, the patterns drawn from them, who should take a task, and questions that are
//! adapted by what was of use.
//!
//! Recording appends and nothing else. What follows from it is drawn later, in one transaction that also marks what it
//! was drawn from: whoever is killed in between has drawn nothing, and whoever comes next draws the same.

mod adapt;
mod bank;
mod between;
mod distil;
mod file;
mod hooks;
mod offer;
mod outcome;
mod overview;
mod record;
mod route;
mod settings;
mod turns;

pub use adapt::{Adaptation, AdapterTrial};
pub use bank::{NewPattern, PatternList, PatternOutcome, PatternReceipt};
pub use distil::Distilling;
pub use file::{LearningExported, LearningImported};
pub use hooks::{AgentTurn, Delegated};
pub use offer::{PatternMatch, PatternQuery, PatternsFound};
pub use outcome::{TurnEnd, says_it_failed};
pub use overview::{LearnedInfo, LearningOverview};
pub use record::{NewTrajectory, TrajectoryReceipt};
pub use route::{Alternative, RouteRequest, Routed, TrainedRouter};
pub use settings::LearningSettings;
pub use turns::TurnsLearned;

pub(crate) use adapt::{Adapters, Lens};
pub(crate) use bank::Banks;
pub(crate) use route::Routers;

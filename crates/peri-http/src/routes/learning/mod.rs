//! What has worked: trajectories, patterns, routes, and what was learned from feedback.

mod learned;
mod patterns;
mod trajectories;

use crate::table::Operation;

/// Records of a page, unless it is said how many.
const LISTED: usize = 50;

pub(super) fn routes() -> Vec<Operation> {
    trajectories::routes().into_iter().chain(patterns::routes()).chain(learned::routes()).collect()
}

/// A field as it is kept: whoever wrote it with capitals finds it again.
fn field(asked: Option<String>) -> Option<String> {
    asked.map(|field| field.trim().to_lowercase())
}

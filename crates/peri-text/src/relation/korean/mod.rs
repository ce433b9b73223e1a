//! The Korean rules.
use super::Relation;
pub(super) fn relate(_: &str, _: &str) -> Relation { Relation::unrelated([]) }

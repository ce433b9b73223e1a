//! Ids of patterns and trajectories as people type them: whole, or the first part of one.

use perihelion::{Order, PatternId, Perihelion, Scope, TrajectoryId, TrajectoryQuery};

use crate::error::CliError;
use crate::ids::{PREFIX_DIGITS_MIN, range};

/// What an id names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    /// A pattern.
    Pattern(PatternId),
    /// A trajectory.
    Trajectory(TrajectoryId),
}

/// The pattern that was meant. A whole id is taken as it is; a part must fit exactly one pattern of the scope.
pub(super) fn pattern(engine: &Perihelion, scope: &Scope, given: &str) -> Result<PatternId, CliError> {
    if let Ok(id) = given.parse() {
        return Ok(id);
    }
    let found = patterns(engine, scope, bounds(given, "pattern")?)?;
    let names: Vec<String> = found.iter().map(ToString::to_string).collect();
    only(&names, given, "pattern", "peri learn patterns").map(|at| found[at])
}

/// What was meant, be it a pattern or a trajectory.
pub(super) fn either(engine: &Perihelion, scope: &Scope, given: &str) -> Result<Named, CliError> {
    if let Ok(id) = given.parse::<PatternId>() {
        let is_pattern = engine.pattern(scope, id).is_ok();
        let trajectory = TrajectoryId::from_bytes(*id.as_bytes());
        return Ok(if is_pattern { Named::Pattern(id) } else { Named::Trajectory(trajectory) });
    }
    let bounds = bounds(given, "pattern or trajectory")?;
    let mut found: Vec<Named> = patterns(engine, scope, bounds)?.into_iter().map(Named::Pattern).collect();
    found.extend(trajectories(engine, scope, bounds)?.into_iter().map(Named::Trajectory));
    let names: Vec<String> = found
        .iter()
        .map(|one| match one {
            Named::Pattern(id) => id.to_string(),
            Named::Trajectory(id) => id.to_string(),
        })
        .collect();
    let list = "peri learn patterns` and `peri learn trajectories";
    only(&names, given, "pattern or trajectory", list).map(|at| found[at])
}

fn bounds(given: &str, what: &str) -> Result<(u128, u128), CliError> {
    range(given).ok_or_else(|| {
        CliError::input(
            format!("{given:?} is not the id of a {what}"),
            format!("give the whole id, or its beginning, {PREFIX_DIGITS_MIN} digits or more"),
        )
    })
}

fn patterns(
    engine: &Perihelion,
    scope: &Scope,
    (first, last): (u128, u128),
) -> Result<Vec<PatternId>, CliError> {
    let id = |number: u128| PatternId::from_bytes(number.to_be_bytes());
    Ok(engine.pattern_ids_between(scope, (id(first), id(last)), 2)?)
}

fn trajectories(
    engine: &Perihelion,
    scope: &Scope,
    (first, last): (u128, u128),
) -> Result<Vec<TrajectoryId>, CliError> {
    let id = |number: u128| TrajectoryId::from_bytes(number.to_be_bytes());
    let query = TrajectoryQuery {
        scope: scope.clone(),
        order: Order::OldestFirst,
        after: first.checked_sub(1).map(id),
        limit: 2,
        ..TrajectoryQuery::default()
    };
    let page = engine.trajectories(&query)?.trajectories.into_iter();
    Ok(page.map(|one| one.id).filter(|own| *own <= id(last)).collect())
}

/// The place of the only one there is.
fn only(found: &[String], given: &str, what: &'static str, list: &'static str) -> Result<usize, CliError> {
    match found {
        [] => Err(CliError::NothingBegins { what, prefix: given.to_owned(), list }),
        [_] => Ok(0),
        [one, other, ..] => Err(CliError::input(
            format!("more than one {what} has an id that begins with {given}, such as {one} and {other}"),
            "type more of it; nothing was changed",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_taken_and_none_or_several_are_told() {
        let names = ["a", "b"].map(ToOwned::to_owned);
        assert_eq!(only(&names[..1], "a", "pattern", "list").unwrap(), 0);
        assert!(matches!(only(&[], "a", "pattern", "list"), Err(CliError::NothingBegins { .. })));
        let several = only(&names, "0198c5b2", "pattern", "list").unwrap_err().to_string();
        assert!(several.contains("more than one pattern") && several.contains("a and b"), "{several}");
    }

    #[test]
    fn what_is_no_id_is_refused_before_anything_is_looked_up() {
        for given in ["", "0198", "한국어한국어한국", "not-an-id"] {
            assert!(matches!(bounds(given, "pattern"), Err(CliError::Input { .. })), "{given}");
        }
    }
}

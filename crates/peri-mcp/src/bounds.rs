//! Numbers and lists within the bounds that the schemas tell: a client need not have looked at them.

use crate::refusal::Refusal;

/// A number from 1 up to a bound, or what it is when left out.
pub(crate) fn count(
    argument: &str,
    given: Option<usize>,
    unsaid: usize,
    max: usize,
) -> Result<usize, Refusal> {
    let count = given.unwrap_or(unsaid);
    if (1..=max).contains(&count) {
        Ok(count)
    } else {
        Err(Refusal::argument(argument, format!("{count} is not between 1 and {max}")))
    }
}

/// A list that is not longer than a bound.
pub(crate) fn few<T>(argument: &str, items: &[T], max: usize) -> Result<(), Refusal> {
    let given = items.len();
    if given <= max {
        Ok(())
    } else {
        Err(Refusal::argument(argument, format!("{given} are more than the {max} of one call")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bound_holds_at_its_boundary() {
        assert_eq!(count("limit", None, 10, 100).unwrap(), 10);
        assert_eq!(count("limit", Some(100), 10, 100).unwrap(), 100);
        for bad in [0, 101] {
            assert!(count("limit", Some(bad), 10, 100).unwrap_err().0.starts_with("`limit`"));
        }
        assert!(few("ids", &[1, 2], 2).is_ok() && few("ids", &[1, 2, 3], 2).is_err());
    }
}

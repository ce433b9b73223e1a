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

/// Most bytes of a text, as the schemas tell.
pub(crate) const TEXT_BYTES_MAX: usize = 65_536;

/// A text that says something and is not longer than the bound.
pub(crate) fn text(argument: &str, text: &str) -> Result<(), Refusal> {
    if text.trim().is_empty() {
        return Err(Refusal::argument(argument, "it is empty"));
    }
    if text.len() > TEXT_BYTES_MAX {
        let why = format!("{} bytes are more than the {TEXT_BYTES_MAX} of one text", text.len());
        return Err(Refusal::argument(argument, why));
    }
    Ok(())
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
        assert!(text("task", &"x".repeat(TEXT_BYTES_MAX)).is_ok());
        for bad in [" \n", "", &"가".repeat(TEXT_BYTES_MAX)] {
            assert!(text("task", bad).unwrap_err().0.starts_with("`task`"));
        }
    }
}

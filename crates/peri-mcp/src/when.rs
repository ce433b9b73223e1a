//! Times as models write them: a day, or a moment in RFC 3339.

use std::time::Duration;

use perihelion::Timestamp;

use crate::refusal::Refusal;

/// A bare day is so long, as 2026-11-15 is.
const DAY_CHARS: usize = 10;

/// Reads a time; a bare day begins at midnight UTC.
pub(crate) fn moment(argument: &str, text: &str) -> Result<Timestamp, Refusal> {
    let text = text.trim();
    let whole = if text.len() == DAY_CHARS { format!("{text}T00:00:00Z") } else { text.to_owned() };
    whole.parse().map_err(|_| {
        Refusal::argument(argument, format!("{text:?} is no time; write 2026-11-15 or 2026-11-15T10:30:00Z"))
    })
}

/// Reads a time that may be missing.
pub(crate) fn optional(argument: &str, text: Option<&str>) -> Result<Option<Timestamp>, Refusal> {
    text.map(|text| moment(argument, text)).transpose()
}

/// Reads until when; a bare day is included whole.
pub(crate) fn end(argument: &str, text: &str) -> Result<Timestamp, Refusal> {
    let begin = moment(argument, text)?;
    if text.trim().len() > DAY_CHARS {
        return Ok(begin);
    }
    let next = begin.checked_add(Duration::from_secs(24 * 60 * 60));
    next.map_err(|_| Refusal::argument(argument, format!("{text:?} is too far ahead")))
}

/// Reads until when, which may be missing.
pub(crate) fn optional_end(argument: &str, text: Option<&str>) -> Result<Option<Timestamp>, Refusal> {
    text.map(|text| end(argument, text)).transpose()
}

/// Refuses a stretch of time that ends before it begins: that is a slip, not an empty answer.
pub(crate) fn in_order(since: Option<Timestamp>, until: Option<Timestamp>) -> Result<(), Refusal> {
    match (since, until) {
        (Some(since), Some(until)) if until <= since => {
            Err(Refusal::argument("until", format!("nothing can lie between {since} and {until}")))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_moments_are_read_and_anything_else_is_explained() {
        assert_eq!(moment("since", "2026-11-15").unwrap(), moment("since", "2026-11-15T00:00:00Z").unwrap());
        assert_eq!(
            moment("at", "2026-11-15T09:00:00+09:00").unwrap(),
            moment("at", "2026-11-15T00:00:00Z").unwrap()
        );
        for bad in ["", "yesterday", "2026-13-01", "15.11.2026", "2026-11-1五"] {
            assert!(moment("since", bad).unwrap_err().0.starts_with("`since`"), "{bad}");
        }
    }
    #[test]
    fn a_day_that_ends_a_stretch_is_included_whole() {
        assert_eq!(end("until", "2026-11-15").unwrap(), moment("until", "2026-11-16").unwrap());
        let exact = "2026-11-15T10:30:00Z";
        assert_eq!(end("until", exact).unwrap(), moment("until", exact).unwrap());
        assert!(end("until", "9999-12-31").unwrap_err().0.starts_with("`until`"));
        let (day, next) = (moment("", "2026-11-15").unwrap(), moment("", "2026-11-16").unwrap());
        assert!(in_order(Some(day), Some(next)).is_ok() && in_order(Some(next), Some(day)).is_err());
    }
}

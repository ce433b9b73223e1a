//! Times as models write them: a day, or a moment in RFC 3339.

use perihelion::Timestamp;

use crate::refusal::Refusal;

/// Reads a time; a bare day begins at midnight UTC.
pub(crate) fn moment(argument: &str, text: &str) -> Result<Timestamp, Refusal> {
    let text = text.trim();
    let whole = if text.len() == 10 { format!("{text}T00:00:00Z") } else { text.to_owned() };
    whole.parse().map_err(|_| {
        Refusal::argument(argument, format!("{text:?} is no time; write 2026-11-15 or 2026-11-15T10:30:00Z"))
    })
}

/// Reads a time that may be missing.
pub(crate) fn optional(argument: &str, text: Option<&str>) -> Result<Option<Timestamp>, Refusal> {
    text.map(|text| moment(argument, text)).transpose()
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
}

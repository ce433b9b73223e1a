//! Times as other systems write them.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use perihelion::Timestamp;
use serde_json::{Map, Value};

/// Numbers above this are milliseconds, since they would otherwise lie thousands of years ahead.
const SECONDS_MAX: f64 = 1e11;

/// The time under the first of these keys that holds one.
pub(super) fn first(map: &Map<String, Value>, keys: &[&str]) -> Option<Timestamp> {
    keys.iter().find_map(|key| map.get(*key).and_then(moment))
}

/// A time as a number of seconds or milliseconds, or as a text. What gives no zone is in UTC, so that a file means
/// the same wherever it is read.
pub(super) fn moment(value: &Value) -> Option<Timestamp> {
    match value {
        Value::Number(number) => from_number(number.as_f64()?),
        Value::String(text) => from_text(text.trim()),
        _ => None,
    }
}

fn from_number(number: f64) -> Option<Timestamp> {
    let millis = if number.abs() > SECONDS_MAX { number } else { number * 1000.0 };
    // Zero is what programs write that do not know.
    if !millis.is_finite() || millis == 0.0 {
        return None;
    }
    Timestamp::from_millisecond(millis.round() as i64).ok()
}

/// A time as a text, of a day at least.
pub(super) fn from_text(text: &str) -> Option<Timestamp> {
    if let Ok(at) = text.parse::<Timestamp>() {
        return whole(at);
    }
    if let Ok(at) = text.parse::<DateTime>() {
        return at.to_zoned(TimeZone::UTC).ok().and_then(|at| whole(at.timestamp()));
    }
    start_of(text.parse::<Date>().ok()?)
}

/// The end of the day that a text names, or the moment that it names.
pub(super) fn end_of_day(text: &str) -> Option<Timestamp> {
    match text.trim().parse::<Date>() {
        Ok(day) if text.trim().len() == "2026-11-15".len() => start_of(day.tomorrow().ok()?),
        _ => from_text(text.trim()),
    }
}

fn start_of(day: Date) -> Option<Timestamp> {
    day.to_zoned(TimeZone::UTC).ok().map(|start| start.timestamp())
}

/// In whole milliseconds, as the store keeps them.
fn whole(at: Timestamp) -> Option<Timestamp> {
    Timestamp::from_millisecond(at.as_millisecond()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_form_that_is_found_in_exports_is_read() {
        for (value, expected) in [
            (json!(1_700_000_000), Some("2023-11-14T22:13:20Z")),
            (json!(1_700_000_000.123_4), Some("2023-11-14T22:13:20.123Z")),
            (json!(1_700_000_000_123_i64), Some("2023-11-14T22:13:20.123Z")),
            (json!("2024-07-20T01:30:36.275141-07:00"), Some("2024-07-20T08:30:36.275Z")),
            (json!("2024-07-20T01:30:36.275141"), Some("2024-07-20T01:30:36.275Z")),
            (json!("2024-07-20 01:30:36"), Some("2024-07-20T01:30:36Z")),
            (json!("2024-07-20"), Some("2024-07-20T00:00:00Z")),
            (json!(0), None),
            (json!(1e300), None),
            (json!("soon"), None),
            (json!(null), None),
            (json!([1]), None),
        ] {
            assert_eq!(moment(&value).map(|at| at.to_string()).as_deref(), expected, "{value}");
        }
        assert_eq!(end_of_day("2024-12-31").unwrap().to_string(), "2025-01-01T00:00:00Z");
        assert_eq!(end_of_day("2024-12-31T10:00:00Z").unwrap().to_string(), "2024-12-31T10:00:00Z");
    }
}

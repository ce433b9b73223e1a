//! Times as other stores write them.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use peri_types::Timestamp;
use serde_json::Value;

/// Numbers above this are milliseconds, since they would otherwise lie thousands of years ahead.
const SECONDS_MAX: f64 = 1e11;

/// A time as a number of seconds or milliseconds, or as a text, in whole milliseconds. What gives no zone is in UTC, so
/// that a file means the same wherever it is read.
pub(super) fn moment(value: &Value) -> Option<Timestamp> {
    let at = match value {
        Value::Number(number) => from_number(number.as_f64()?)?,
        Value::String(text) => from_text(text.trim())?,
        _ => return None,
    };
    Timestamp::from_millisecond(at.as_millisecond()).ok()
}

fn from_number(number: f64) -> Option<Timestamp> {
    let millis = if number.abs() > SECONDS_MAX { number } else { number * 1000.0 };
    // Zero is what programs write that do not know.
    if !millis.is_finite() || millis == 0.0 {
        return None;
    }
    Timestamp::from_millisecond(millis.round() as i64).ok()
}

fn from_text(text: &str) -> Option<Timestamp> {
    if let Ok(at) = text.parse::<Timestamp>() {
        return Some(at);
    }
    let day = || text.parse::<Date>().ok().map(|day| day.to_datetime(jiff::civil::Time::midnight()));
    let at = text.parse::<DateTime>().ok().or_else(day)?;
    at.to_zoned(TimeZone::UTC).ok().map(|at| at.timestamp())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_usual_form_is_read_and_nothing_else() {
        for (value, expected) in [
            (json!(1_700_000_000), Some("2023-11-14T22:13:20Z")),
            (json!(1_700_000_000.123_4), Some("2023-11-14T22:13:20.123Z")),
            (json!(1_700_000_000_123_i64), Some("2023-11-14T22:13:20.123Z")),
            (json!("2024-07-20T01:30:36.275141-07:00"), Some("2024-07-20T08:30:36.275Z")),
            (json!("2024-07-20T01:30:36"), Some("2024-07-20T01:30:36Z")),
            (json!(" 2024-07-20 "), Some("2024-07-20T00:00:00Z")),
            (json!(0), None),
            (json!(1e300), None),
            (json!("어제"), None),
            (json!(null), None),
            (json!([1]), None),
        ] {
            assert_eq!(moment(&value).map(|at| at.to_string()).as_deref(), expected, "{value}");
        }
    }
}

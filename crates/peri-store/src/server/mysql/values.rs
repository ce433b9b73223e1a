//! Values on their way to MySQL and back.

use ::mysql::Row;
use ::mysql::consts::ColumnType;
use rusqlite::types::Value;

use crate::server::driver::Failure;

/// What MySQL calls bytes that are no text.
const BINARY: u16 = 63;

pub(super) fn encode(value: &Value) -> ::mysql::Value {
    match value {
        Value::Null => ::mysql::Value::NULL,
        Value::Integer(number) => ::mysql::Value::Int(*number),
        Value::Real(number) => ::mysql::Value::Double(*number),
        Value::Text(text) => ::mysql::Value::Bytes(text.clone().into_bytes()),
        Value::Blob(bytes) => ::mysql::Value::Bytes(bytes.clone()),
    }
}

/// All values of a row.
pub(super) fn decode(row: Row) -> Result<Vec<Value>, Failure> {
    let columns = row.columns();
    let values = row.unwrap_raw();
    let decode_one = |(value, column): (Option<::mysql::Value>, &::mysql::Column)| {
        cell(value.unwrap_or(::mysql::Value::NULL), column.column_type(), column.character_set())
    };
    values.into_iter().zip(columns.iter()).map(decode_one).collect()
}

fn cell(value: ::mysql::Value, kind: ColumnType, character_set: u16) -> Result<Value, Failure> {
    Ok(match value {
        ::mysql::Value::NULL => Value::Null,
        ::mysql::Value::Int(number) => Value::Integer(number),
        ::mysql::Value::UInt(number) => match i64::try_from(number) {
            Ok(number) => Value::Integer(number),
            Err(_) => return Err(unread("a number beyond 9223372036854775807")),
        },
        ::mysql::Value::Float(number) => Value::Real(f64::from(number)),
        ::mysql::Value::Double(number) => Value::Real(number),
        ::mysql::Value::Bytes(bytes) => match kind {
            ColumnType::MYSQL_TYPE_DECIMAL | ColumnType::MYSQL_TYPE_NEWDECIMAL => decimal(&bytes)?,
            ColumnType::MYSQL_TYPE_JSON => text(bytes),
            _ if character_set == BINARY => Value::Blob(bytes),
            _ => text(bytes),
        },
        ::mysql::Value::Date(..) | ::mysql::Value::Time(..) => return Err(unread("a date")),
    })
}

fn unread(what: &str) -> Failure {
    Failure::Refused {
        code: "client".to_owned(),
        detail: format!("a column holds {what}, which is not read"),
    }
}

/// Bytes that the server says are text but that are none stay bytes.
fn text(bytes: Vec<u8>) -> Value {
    match String::from_utf8(bytes) {
        Ok(text) => Value::Text(text),
        Err(error) => Value::Blob(error.into_bytes()),
    }
}

/// What `sum` gives: a whole number where it is one and fits, otherwise the nearest fraction.
fn decimal(bytes: &[u8]) -> Result<Value, Failure> {
    let written = std::str::from_utf8(bytes).map_err(|_| unread("a number that is none"))?;
    let (whole, fraction) = written.split_once('.').unwrap_or((written, ""));
    if fraction.bytes().all(|figure| figure == b'0')
        && let Ok(number) = whole.parse()
    {
        return Ok(Value::Integer(number));
    }
    written.parse().map(Value::Real).map_err(|_| unread("a number that is none"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_whole_numbers_where_they_are() {
        let cases = [
            ("0", Value::Integer(0)),
            ("-42.00", Value::Integer(-42)),
            ("9223372036854775807", Value::Integer(i64::MAX)),
            ("9223372036854775808", Value::Real(9_223_372_036_854_775_808.0)),
            ("1.50", Value::Real(1.5)),
            ("-0.25", Value::Real(-0.25)),
        ];
        for (written, expected) in cases {
            assert_eq!(decimal(written.as_bytes()).unwrap(), expected, "{written}");
        }
        assert!(decimal(b"many").is_err());
    }
}

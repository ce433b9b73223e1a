//! Rows in a form that is the same whichever database they come from.

use rusqlite::types::Value;
use serde::{Deserialize, Serialize};

use super::tables::{Kind, Table};
use crate::sql::trouble::Trouble;

/// A row of a table, in the order of its columns.
pub(super) type Row = Vec<Value>;

/// A value as every database holds it. Texts that are compared byte by byte are bytes to some, and SQLite knows no
/// negative zero.
pub(super) fn plain(value: Value, kind: Kind) -> Result<Value, Trouble> {
    Ok(match (kind, value) {
        (_, Value::Null) => Value::Null,
        (Kind::Integer, value @ Value::Integer(_)) => value,
        (Kind::Real, Value::Real(number)) => Value::Real(if number == 0.0 { 0.0 } else { number }),
        (Kind::Real, Value::Integer(number)) => Value::Real(number as f64),
        (Kind::Name | Kind::Text, value @ Value::Text(_)) => value,
        (Kind::Name | Kind::Text, Value::Blob(bytes)) => {
            Value::Text(String::from_utf8(bytes).map_err(|error| Trouble::Malformed(error.to_string()))?)
        }
        (Kind::Id | Kind::Bytes, value @ Value::Blob(_)) => value,
        (kind, value) => {
            let what = format!("a column of {kind:?} holds {}", value.data_type());
            return Err(Trouble::Malformed(what));
        }
    })
}

/// Writes a row so that two rows are written alike only if they are the same.
pub(super) fn write(row: &[Value], into: &mut Vec<u8>) {
    for value in row {
        match value {
            Value::Null => into.push(0),
            Value::Integer(number) => {
                into.push(1);
                into.extend(number.to_be_bytes());
            }
            Value::Real(number) => {
                into.push(2);
                into.extend(number.to_bits().to_be_bytes());
            }
            Value::Text(text) => write_bytes(3, text.as_bytes(), into),
            Value::Blob(bytes) => write_bytes(4, bytes, into),
        }
    }
}

fn write_bytes(kind: u8, bytes: &[u8], into: &mut Vec<u8>) {
    into.push(kind);
    into.extend((bytes.len() as u64).to_be_bytes());
    into.extend(bytes);
}

/// The key of a row, for people.
pub(super) fn shown(table: &Table, row: &[Value]) -> String {
    let parts = table.key().iter().zip(row).map(|(column, value)| match value {
        Value::Null => format!("{} NULL", column.name),
        Value::Integer(number) => format!("{} {number}", column.name),
        Value::Real(number) => format!("{} {number}", column.name),
        Value::Text(text) => format!("{} {text:?}", column.name),
        Value::Blob(bytes) => {
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("{} {hex}", column.name)
        }
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// A part of a key, to be noted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum KeyPart {
    Integer(i64),
    Text(String),
    Bytes(Vec<u8>),
}

/// The key of a row, to be noted.
pub(super) fn key_of(table: &Table, row: &[Value]) -> Result<Vec<KeyPart>, Trouble> {
    row[..table.key]
        .iter()
        .map(|value| match value {
            Value::Integer(number) => Ok(KeyPart::Integer(*number)),
            Value::Text(text) => Ok(KeyPart::Text(text.clone())),
            Value::Blob(bytes) => Ok(KeyPart::Bytes(bytes.clone())),
            Value::Null | Value::Real(_) => {
                Err(Trouble::Malformed(format!("a row of {} has no proper key", table.name)))
            }
        })
        .collect()
}

impl From<KeyPart> for Value {
    fn from(part: KeyPart) -> Self {
        match part {
            KeyPart::Integer(number) => Self::Integer(number),
            KeyPart::Text(text) => Self::Text(text),
            KeyPart::Bytes(bytes) => Self::Blob(bytes),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn written(row: &[Value]) -> Vec<u8> {
        let mut bytes = Vec::new();
        write(row, &mut bytes);
        bytes
    }

    #[test]
    fn rows_that_differ_in_anything_are_written_differently() {
        let text = |text: &str| Value::Text(text.to_owned());
        let rows: Vec<Row> = vec![
            vec![Value::Null, Value::Null],
            vec![text(""), Value::Null],
            vec![Value::Null, text("")],
            vec![Value::Blob(Vec::new()), Value::Null],
            vec![Value::Integer(0), Value::Null],
            vec![Value::Real(0.0), Value::Null],
            vec![Value::Real(f64::from_bits(1)), Value::Null],
            vec![text("기억"), text("")],
            vec![text("기"), text("억")],
            vec![text(""), text("기억")],
            vec![Value::Blob("기억".as_bytes().to_vec()), text("")],
            vec![Value::Integer(i64::MIN), Value::Integer(i64::MAX)],
            vec![Value::Integer(i64::MAX), Value::Integer(i64::MIN)],
        ];
        for (number, row) in rows.iter().enumerate() {
            let same = rows.iter().filter(|other| written(other) == written(row)).count();
            assert_eq!(same, 1, "row {number}");
        }
    }

    #[test]
    fn a_value_is_the_same_from_every_database() {
        let same = [
            (Kind::Name, Value::Blob("记忆".as_bytes().to_vec()), Value::Text("记忆".to_owned())),
            (Kind::Text, Value::Text("🌍".to_owned()), Value::Text("🌍".to_owned())),
            (Kind::Real, Value::Integer(3), Value::Real(3.0)),
            (Kind::Bytes, Value::Blob(vec![0, 255]), Value::Blob(vec![0, 255])),
            (Kind::Id, Value::Null, Value::Null),
        ];
        for (kind, given, expected) in same {
            assert_eq!(plain(given, kind).unwrap(), expected);
        }
        let Value::Real(zero) = plain(Value::Real(-0.0), Kind::Real).unwrap() else { panic!() };
        assert_eq!(zero.to_bits(), 0);
    }

    #[test]
    fn a_value_that_does_not_belong_into_its_column_is_refused() {
        let bad = [
            (Kind::Integer, Value::Real(1.0)),
            (Kind::Integer, Value::Text("1".to_owned())),
            (Kind::Name, Value::Blob(vec![255])),
            (Kind::Text, Value::Integer(1)),
            (Kind::Bytes, Value::Text("x".to_owned())),
            (Kind::Real, Value::Blob(Vec::new())),
        ];
        for (kind, value) in bad {
            assert!(matches!(plain(value, kind), Err(Trouble::Malformed(_))));
        }
    }
}

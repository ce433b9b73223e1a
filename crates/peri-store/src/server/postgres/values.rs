//! Values on their way to PostgreSQL and back.

use std::error::Error as StdError;

use bytes::{BufMut as _, BytesMut};
use rusqlite::types::Value;
use tokio_postgres::types::{Format, FromSql, IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{Error, Row};

type Outcome<T> = Result<T, Box<dyn StdError + Sync + Send>>;

/// A value, sent in the type that the server expects.
#[derive(Debug)]
pub(super) struct Parameter<'v>(pub(super) &'v Value);

/// Whether a value can be sent as this type without losing anything.
pub(super) fn fits(expected: &Type, value: &Value) -> bool {
    match (value, expected) {
        (Value::Null, _) => true,
        (Value::Integer(number), &Type::BOOL) => matches!(number, 0 | 1),
        (Value::Integer(number), &Type::INT2) => i16::try_from(*number).is_ok(),
        (Value::Integer(number), &Type::INT4) => i32::try_from(*number).is_ok(),
        (Value::Integer(number), &Type::FLOAT8) => number.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS,
        (Value::Integer(_), &Type::INT8 | &Type::TEXT | &Type::VARCHAR) => true,
        (Value::Real(_), &Type::FLOAT8 | &Type::FLOAT4) => true,
        (Value::Blob(_), &Type::BYTEA) => true,
        (Value::Text(_), &Type::BYTEA | &Type::BOOL | &Type::INT2 | &Type::INT4 | &Type::INT8) => false,
        (Value::Text(_), &Type::FLOAT4 | &Type::FLOAT8 | &Type::NUMERIC) => false,
        // Any other type is read from its text by the server.
        (Value::Text(_), _) => true,
        _ => false,
    }
}

/// The type to prepare a statement with: the expected one where the value fits, otherwise the value's own.
pub(super) fn fitting(expected: &Type, value: &Value) -> Type {
    if fits(expected, value) {
        return expected.clone();
    }
    match value {
        Value::Null => expected.clone(),
        Value::Integer(_) => Type::INT8,
        Value::Real(_) => Type::FLOAT8,
        Value::Text(_) => Type::TEXT,
        Value::Blob(_) => Type::BYTEA,
    }
}

impl ToSql for Parameter<'_> {
    fn to_sql(&self, expected: &Type, out: &mut BytesMut) -> Outcome<IsNull> {
        if !fits(expected, self.0) {
            return Err(format!("a value does not fit the type {expected}").into());
        }
        match (self.0, expected) {
            (Value::Null, _) => return Ok(IsNull::Yes),
            (Value::Integer(number), &Type::BOOL) => out.put_u8(u8::from(*number != 0)),
            (Value::Integer(number), &Type::INT2) => out.put_i16(i16::try_from(*number)?),
            (Value::Integer(number), &Type::INT4) => out.put_i32(i32::try_from(*number)?),
            (Value::Integer(number), &Type::INT8) => out.put_i64(*number),
            #[allow(clippy::cast_precision_loss)]
            (Value::Integer(number), &Type::FLOAT8) => out.put_f64(*number as f64),
            (Value::Integer(number), _) => out.put_slice(number.to_string().as_bytes()),
            #[allow(clippy::cast_possible_truncation)]
            (Value::Real(number), &Type::FLOAT4) => out.put_f32(*number as f32),
            (Value::Real(number), _) => out.put_f64(*number),
            (Value::Text(text), _) => out.put_slice(text.as_bytes()),
            (Value::Blob(bytes), _) => out.put_slice(bytes),
        }
        Ok(IsNull::No)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    fn encode_format(&self, _: &Type) -> Format {
        if matches!(self.0, Value::Text(_)) { Format::Text } else { Format::Binary }
    }

    to_sql_checked!();
}

/// A value that came from the server.
struct Cell(Value);

impl<'a> FromSql<'a> for Cell {
    fn from_sql(found: &Type, raw: &'a [u8]) -> Outcome<Self> {
        Ok(Self(match *found {
            Type::BOOL => Value::Integer(i64::from(bool::from_sql(found, raw)?)),
            Type::INT2 => Value::Integer(i64::from(i16::from_sql(found, raw)?)),
            Type::INT4 => Value::Integer(i64::from(i32::from_sql(found, raw)?)),
            Type::INT8 => Value::Integer(i64::from_sql(found, raw)?),
            Type::OID => Value::Integer(i64::from(u32::from_sql(found, raw)?)),
            Type::FLOAT4 => Value::Real(f64::from(f32::from_sql(found, raw)?)),
            Type::FLOAT8 => Value::Real(f64::from_sql(found, raw)?),
            Type::NUMERIC => numeric(raw)?,
            Type::BYTEA => Value::Blob(raw.to_vec()),
            Type::VOID => Value::Null,
            Type::TEXT | Type::VARCHAR | Type::BPCHAR | Type::NAME | Type::UNKNOWN | Type::JSON => {
                Value::Text(std::str::from_utf8(raw)?.to_owned())
            }
            _ => return Err(format!("a column has the type {found}, which is not read").into()),
        }))
    }

    fn from_sql_null(_: &Type) -> Outcome<Self> {
        Ok(Self(Value::Null))
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

/// All values of a row.
pub(super) fn decode(row: &Row) -> Result<Vec<Value>, Error> {
    (0..row.len()).map(|column| row.try_get::<_, Cell>(column).map(|cell| cell.0)).collect()
}

/// What `sum` gives: a whole number where it is one and fits, otherwise the nearest fraction. On the wire it is a
/// count of digits to the base 10000, the weight of the first, a sign, a scale, and the digits.
fn numeric(raw: &[u8]) -> Outcome<Value> {
    let mut parts = raw.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
    let mut part = || parts.next().ok_or("a number was cut short");
    let (count, weight, sign) = (part()?, part()?.cast_signed(), part()?);
    part()?;
    let digits = (0..count).map(|_| part()).collect::<Result<Vec<u16>, _>>()?;
    let sign = match sign {
        0x0000 => "",
        0x4000 => "-",
        0xd000 => return Ok(Value::Real(f64::INFINITY)),
        0xf000 => return Ok(Value::Real(f64::NEG_INFINITY)),
        _ => return Ok(Value::Real(f64::NAN)),
    };
    let digit =
        |place: i32| usize::try_from(place).ok().and_then(|place| digits.get(place)).copied().unwrap_or(0);
    let weight = i32::from(weight);
    let whole: String = (0..=weight).map(|place| format!("{:04}", digit(place))).collect();
    let fraction: String =
        (weight + 1..i32::from(count).max(weight + 1)).map(|place| format!("{:04}", digit(place))).collect();
    if fraction.chars().all(|figure| figure == '0')
        && let Ok(number) = format!("{sign}0{whole}").parse()
    {
        return Ok(Value::Integer(number));
    }
    Ok(Value::Real(format!("{sign}0{whole}.{fraction}0").parse()?))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn written(parts: &[u16]) -> Vec<u8> {
        parts.iter().flat_map(|part| part.to_be_bytes()).collect()
    }

    #[test]
    fn sums_are_whole_numbers_where_they_are() {
        let cases = [
            (vec![0, 0, 0, 0], Value::Integer(0)),
            (vec![1, 0, 0, 0, 42], Value::Integer(42)),
            (vec![1, 1, 0, 0, 42], Value::Integer(420_000)),
            (vec![2, 1, 0x4000, 0, 1, 5], Value::Integer(-10_005)),
            (vec![5, 4, 0, 0, 922, 3372, 368, 5477, 5807], Value::Integer(i64::MAX)),
            (vec![5, 4, 0x4000, 0, 922, 3372, 368, 5477, 5808], Value::Integer(i64::MIN)),
            (vec![5, 4, 0, 0, 922, 3372, 368, 5477, 5808], Value::Real(9_223_372_036_854_775_808.0)),
            (vec![2, 0, 0, 1, 1, 5000], Value::Real(1.5)),
            (vec![1, 0xffff, 0x4000, 4, 2500], Value::Real(-0.25)),
            (vec![1, 0xfffe, 0, 8, 25], Value::Real(0.000_000_25)),
            (vec![0, 0, 0xd000, 0], Value::Real(f64::INFINITY)),
        ];
        for (parts, expected) in cases {
            assert_eq!(numeric(&written(&parts)).unwrap(), expected, "{parts:?}");
        }
        assert!(numeric(&written(&[2, 0, 0, 0, 1])).is_err());
        assert!(numeric(&[]).is_err());
    }

    #[test]
    fn a_value_that_would_lose_something_does_not_fit() {
        assert!(fits(&Type::INT4, &Value::Integer(i64::from(i32::MAX))));
        assert!(!fits(&Type::INT4, &Value::Integer(i64::from(i32::MAX) + 1)));
        assert!(!fits(&Type::BOOL, &Value::Integer(2)));
        assert!(!fits(&Type::FLOAT8, &Value::Integer(i64::MAX)));
        assert!(!fits(&Type::INT8, &Value::Real(0.5)));
        assert!(!fits(&Type::TEXT, &Value::Blob(vec![1])));
        assert_eq!(fitting(&Type::INT4, &Value::Integer(i64::MAX)), Type::INT8);
        assert_eq!(fitting(&Type::INT4, &Value::Null), Type::INT4);
    }
}

//! How much a JSON body becomes in memory. A byte of text may be a value, and a value takes 32 bytes and more: 4 MB of zeros
//! would take 150. So the values are counted before they are made.

use crate::problem::Problem;

/// More values than these are not taken in one body. A batch of 500 memories with everything that can be said of them has
/// 20,000.
pub(crate) const VALUES_MAX: usize = 100_000;

/// Refuses a body of more values than are taken. Looking takes a millisecond for a megabyte.
pub(crate) fn check(bytes: &[u8]) -> Result<(), Problem> {
    let values = values(bytes);
    if values <= VALUES_MAX {
        return Ok(());
    }
    Err(Problem::invalid(format!(
        "the body holds more than the {VALUES_MAX} JSON values that are taken at once"
    )))
}

/// About how many values a JSON text holds: one more than the signs that stand between values.
fn values(bytes: &[u8]) -> usize {
    let (mut values, mut in_text, mut escaped) = (1, false, false);
    for byte in bytes {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b',' | b'[' | b'{' if !in_text => values += 1,
            _ => {}
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_and_texts_are_not_looked_into() {
        for (text, count) in [
            ("1", 1),
            ("[1,2,3]", 4),
            (r#"{"a":{"b":[]},"c":2}"#, 5),
            (r#""a,b,[{\",\"""#, 1),
            (r#"["a\\",1]"#, 3),
        ] {
            assert_eq!(values(text.as_bytes()), count, "{text}");
        }
        let zeros = format!("[{}0]", "0,".repeat(VALUES_MAX));
        assert!(check(zeros.as_bytes()).is_err());
        assert!(check(format!("\"{}\"", ",".repeat(4_000_000)).as_bytes()).is_ok());
    }
}

//! Which secrets are obviously none.
//!
//! A value is an example if it says so (`example`, `dummy`, `changeme` and their like), if it counts (`1234`, `abcd`,
//! eight or more in a row), if it repeats one stretch, if a placeholder stands in it, if it has fewer than four letters, or if it is one of the
//! passwords that every tutorial uses. What merely lies in a test is not taken for an example, only marked as less certain.

/// Nobody protects anything with less.
const VALUE_CHARS_MIN: usize = 4;

/// Words inside a value that say it is none.
const SAYS_SO: &[&str] = &[
    "example",
    "dummy",
    "fake",
    "sample",
    "placeholder",
    "changeme",
    "change_me",
    "change-me",
    "replace",
    "insert",
    "redacted",
    "password",
    "passwd",
    "your_",
    "your-",
    "yourkey",
    "notreal",
    "not-real",
    "not_real",
    "xxxx",
    "....",
    "0000000",
    "testtest",
    "foobar",
    "deadbeef",
];

/// Passwords that every tutorial uses; found out within a second anyway.
const TUTORIAL: &[&str] = &[
    "password",
    "passwort",
    "passwd",
    "secret",
    "hunter2",
    "postgres",
    "root",
    "admin",
    "guest",
    "test",
    "testing",
    "pass",
    "user",
    "mysql",
    "redis",
    "rabbitmq",
    "minio",
    "minioadmin",
    "letmein",
    "qwerty",
    "correct-horse",
    "swordfish",
    "s3cret",
    "p@ssw0rd",
    "password1",
    "password123",
    "12345678",
    "123456",
    "topsecret",
    "opensesame",
];

/// Whether a value is obviously an example.
pub(super) fn is_fake(value: &str) -> bool {
    let lower = value.to_lowercase();
    value.chars().count() < VALUE_CHARS_MIN
        || TUTORIAL.contains(&lower.as_str())
        || SAYS_SO.iter().any(|word| lower.contains(word))
        || value.contains(['<', '>', '{', '}', '*', '…'])
        || counts(lower.as_bytes())
        || repeats(lower.as_bytes())
}

/// Whether eight or more bytes follow each other as in an alphabet.
fn counts(bytes: &[u8]) -> bool {
    let mut length = 1;
    bytes.windows(2).any(|pair| {
        length = if pair[1] == pair[0].wrapping_add(1) || (pair[0] == b'9' && pair[1] == b'0') {
            length + 1
        } else {
            1
        };
        length >= 8
    })
}

/// Whether the end of a value is one short stretch over and over.
fn repeats(bytes: &[u8]) -> bool {
    let tail = &bytes[bytes.len() / 3..];
    tail.len() >= 8 && (1..=4).any(|step| tail.iter().zip(&tail[step..]).all(|(a, b)| a == b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_told_from_what_a_generator_makes() {
        for (value, fake) in [
            ("AKIAIOSFODNN7EXAMPLE", true),
            ("ghp_abcdefghijklmnopqrstuvwxyz0123456789", true),
            ("ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", true),
            ("hunter2", true),
            ("<token>", true),
            ("ab12ab12ab12ab12ab12", true),
            ("q8Zr2vKx9Lm4Tn7Wp1Yc", false),
            ("Tr0ub4dor&3", false),
        ] {
            assert_eq!(is_fake(value), fake, "{value}");
        }
    }
}

//! Whether a value looks like a secret or like something a person wrote to be read.

/// Begins every mark; a value that holds one was already dealt with.
pub(super) const MARK: &str = "[redacted:";

/// Longer values are data, not keys; the bound also keeps hostile input linear.
pub(super) const TOKEN_BYTES_MAX: usize = 1024;

/// Bits per character below which a string is too regular to be random.
const ENTROPY_MIN: f64 = 2.8;

/// Whether a byte can stand in the body of a key block.
pub(super) fn is_key_text(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/=\r\n\\ ".contains(&byte)
}

/// Whether bytes are varied enough to come from a generator, unlike `xxxxxxxx` and `00000000`.
pub(super) fn is_random(bytes: &[u8]) -> bool {
    entropy(bytes) >= ENTROPY_MIN
}

/// Shannon entropy in bits per byte.
fn entropy(bytes: &[u8]) -> f64 {
    let mut counts = [0u32; 256];
    for byte in bytes {
        counts[usize::from(*byte)] += 1;
    }
    let total = bytes.len().max(1) as f64;
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| {
            let share = f64::from(*count) / total;
            -share * share.log2()
        })
        .sum()
}

/// Which kinds of characters a value holds.
struct Makeup {
    lower: bool,
    upper: bool,
    digit: bool,
    symbol: bool,
}

fn makeup(value: &str) -> Makeup {
    let any = |test: fn(&u8) -> bool| value.as_bytes().iter().any(test);
    Makeup {
        lower: any(u8::is_ascii_lowercase),
        upper: any(u8::is_ascii_uppercase),
        digit: any(u8::is_ascii_digit),
        symbol: value.bytes().any(|byte| byte.is_ascii_punctuation() && !b"-_.".contains(&byte)),
    }
}

/// Whether a value behind `password` is a password: a mixture, or any word in quotes.
pub(super) fn is_password(value: &str, quoted: bool) -> bool {
    if !(6..=128).contains(&value.len()) || is_reference(value) {
        return false;
    }
    let Makeup { lower, upper, digit, symbol } = makeup(value);
    let letters = lower || upper;
    let mixed = letters && (digit || symbol);
    let plain_word = quoted && letters && !value.contains(char::is_whitespace) && !value.contains(['_', '.']);
    let spaced = value.contains(char::is_whitespace);
    (mixed && !spaced) || plain_word
}

/// Whether a value behind `token`, `secret` or `api_key` is one: long, mixed and not made of words.
pub(super) fn is_token(value: &str, bytes_min: usize) -> bool {
    if !(bytes_min..=TOKEN_BYTES_MAX).contains(&value.len())
        || is_reference(value)
        || value.contains(char::is_whitespace)
    {
        return false;
    }
    let Makeup { lower, upper, digit, .. } = makeup(value);
    let mixed = digit && (lower || upper) || (lower && upper && value.len() >= 24);
    mixed && is_random(value.as_bytes()) && value.split(['-', '_', '.', '/', ':']).any(is_dense)
}

/// A stretch of eight or more in which letters and digits alternate, as no word or date has.
fn is_dense(segment: &str) -> bool {
    let bytes = segment.as_bytes();
    let switches = bytes.windows(2).filter(|pair| kind(pair[0]) != kind(pair[1])).count();
    bytes.len() >= 8 && switches >= 3
}

fn kind(byte: u8) -> u8 {
    match byte {
        b'0'..=b'9' => 0,
        b'A'..=b'Z' => 1,
        _ => 2,
    }
}

/// Variables, placeholders, calls, types and marks stand for a secret without being one.
fn is_reference(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let names = [
        "password",
        "passwd",
        "secret",
        "changeme",
        "example",
        "placeholder",
        "your",
        "env.",
        "environ",
        "xxxx",
    ];
    value.contains(MARK)
        || value.starts_with(['$', '<', '{', '%', '&', '*', '@', '#', '[', '('])
        || value.contains(['(', ')', '{', '}', '<', '>', '*', '…'])
        || value.contains("::")
        || value.contains("...")
        || value.contains("://")
        || names.iter().any(|name| lower.starts_with(name) || (name.ends_with('.') && lower.contains(name)))
        || !value.is_ascii()
}

//! Payment card numbers: digits of an issuer's range and length that pass the Luhn check.

use super::{Secret, SecretKind};

/// The longest card number there is.
const DIGITS_MAX: usize = 19;

/// The card number whose first digit is at `start`.
pub(super) fn card_number(text: &str, start: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    // A number inside a longer code, amount or path is not a card.
    if start > 0 && (bytes[start - 1].is_ascii_alphanumeric() || b"-_./+#@".contains(&bytes[start - 1])) {
        return None;
    }
    let (digits, groups, end) = read_groups(bytes, start)?;
    let goes_on = match &bytes[end..] {
        [next, ..] if next.is_ascii_alphanumeric() || *next == b'_' => true,
        [b'.' | b'-' | b' ' | b',', next, ..] => next.is_ascii_digit(),
        _ => false,
    };
    let fits = !goes_on && is_issued(&digits) && is_grouped_like_a_card(&groups) && passes_luhn(&digits);
    fits.then_some(Secret { kind: SecretKind::CardNumber, start, end })
}

/// Digits with single spaces or hyphens between groups: the digits, the group lengths, the end.
fn read_groups(bytes: &[u8], start: usize) -> Option<(Vec<u8>, Vec<usize>, usize)> {
    let first = bytes[start..].iter().take(DIGITS_MAX + 1).take_while(|byte| byte.is_ascii_digit()).count();
    if first != 4 && !(13..=16).contains(&first) {
        return None;
    }
    let (mut digits, mut groups, mut at) = (Vec::with_capacity(DIGITS_MAX), Vec::new(), start);
    let separator = bytes.get(start + first).copied().filter(|byte| matches!(byte, b' ' | b'-'));
    loop {
        let len = bytes[at..].iter().take(DIGITS_MAX + 1).take_while(|byte| byte.is_ascii_digit()).count();
        digits.extend(bytes[at..at + len].iter().map(|byte| byte - b'0'));
        groups.push(len);
        at += len;
        let goes_on = separator.is_some()
            && first == 4
            && bytes.get(at).copied() == separator
            && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
        if digits.len() >= DIGITS_MAX || !goes_on {
            return Some((digits, groups, at));
        }
        at += 1;
    }
}

fn is_grouped_like_a_card(groups: &[usize]) -> bool {
    matches!(groups, [_] | [4, 4, 4, 4] | [4, 6, 5] | [4, 6, 4])
}

/// Whether the leading digits and the length belong to a card issuer.
fn is_issued(digits: &[u8]) -> bool {
    let Some(lead) = digits.get(..4) else { return false };
    let lead = lead.iter().fold(0u16, |value, digit| value * 10 + u16::from(*digit));
    match lead {
        4000..=4999 => matches!(digits.len(), 13 | 16),
        5100..=5599 | 2221..=2720 | 3528..=3589 | 6011 | 6440..=6599 | 6200..=6299 => digits.len() == 16,
        3400..=3499 | 3700..=3799 => digits.len() == 15,
        3000..=3059 | 3600..=3699 | 3800..=3899 => digits.len() == 14,
        _ => false,
    }
}

fn passes_luhn(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(index, digit)| {
            let value = u32::from(*digit) << (index % 2);
            value / 10 + value % 10
        })
        .sum();
    sum.is_multiple_of(10)
}

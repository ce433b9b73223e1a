//! English clock times, numbers and units in one spelling.

use super::read::{Word, word};
use super::sieve::Sieve;
use super::words::{NUMBERS, TENS, UNITS};
use crate::relation::token;

static MAY_BE_NUMBER: Sieve = Sieve::of(NUMBERS);
static MAY_BE_TENS: Sieve = Sieve::of_pairs(TENS);

/// "3 pm" and "15:00", "twelve" and "12", "9th" and "9", "30s" and "30 seconds".
pub(super) fn rewrite(words: &mut Vec<Word>) {
    let mut at = 0;
    while at < words.len() {
        let next = words.get(at + 1).map(|word| word.text.as_str());
        let half = next.filter(|next| matches!(*next, "am" | "pm" | "a.m" | "p.m" | "o'clock"));
        if let Some(time) = clock(&words[at].text, half) {
            let is_split = half.is_some();
            words[at].text = time;
            if is_split {
                words.remove(at + 1);
            }
        } else if let Some((number, unit)) = with_unit(&words[at].text) {
            words[at].text = number;
            words.insert(at + 1, word(unit, false));
            at += 1;
        } else {
            let after_number = at > 0 && token::is_number(&words[at - 1].text);
            if let Some(amount) = amount(&words[at].text, after_number) {
                words[at].text = amount;
            }
        }
        at += 1;
    }
}

fn clock(text: &str, half: Option<&str>) -> Option<String> {
    let (digits, half) = match half {
        Some(half) => (text, Some(half)),
        None => match text.strip_suffix("am") {
            Some(digits) => (digits, Some("am")),
            None => text.strip_suffix("pm").map_or((text, None), |digits| (digits, Some("pm"))),
        },
    };
    let (hour, minute) = digits.split_once(':').map_or((digits, None), |(hour, minute)| (hour, Some(minute)));
    let is_clock =
        |part: &str| (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    if !is_clock(hour) || (minute.is_none() && half.is_none()) {
        return (text == "noon").then(|| "tm1200".to_owned());
    }
    let minute = minute.map_or(Some(0), |minute| minute.parse().ok().filter(|_| minute.len() == 2))?;
    let hour: u32 = hour.parse().ok()?;
    match half {
        Some("pm" | "p.m") if (1..12).contains(&hour) => token::time(hour + 12, minute),
        Some("am" | "a.m") if hour == 12 => token::time(0, minute),
        _ => token::time(hour, minute),
    }
}

fn with_unit(text: &str) -> Option<(String, &'static str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let unit = if digits > 0 { unit(&text[digits..])? } else { return None };
    Some((text[..digits].to_owned(), unit))
}

fn unit(text: &str) -> Option<&'static str> {
    UNITS.iter().find(|row| row.contains(&text)).map(|row| row[0])
}

/// A number, ordinal or unit in its one spelling, where that is another.
fn amount(text: &str, after_number: bool) -> Option<String> {
    if MAY_BE_NUMBER.lets_through(text)
        && let Some(at) = NUMBERS.iter().position(|number| *number == text)
    {
        return Some(at.to_string());
    }
    if MAY_BE_TENS.lets_through(text)
        && let Some((_, digits)) = TENS.iter().find(|(number, _)| *number == text)
    {
        return Some((*digits).to_owned());
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 && matches!(&text[digits..], "st" | "nd" | "rd" | "th") {
        return Some(text[..digits].to_owned());
    }
    if after_number { unit(text).map(str::to_owned) } else { None }
}

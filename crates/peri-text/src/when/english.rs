//! English: "yesterday", "two weeks ago", "last Tuesday", "the past three months".

use jiff::civil::Weekday;

use super::calendar::{Meaning, Unit, ago, up_to_today};
use super::{Found, before, number};

/// The longest phrase, "Tuesday of the week before last", with one to spare.
const WORDS_MAX: usize = 7;

/// A word in lower case and where it ends.
struct Word {
    text: String,
    end: usize,
}

/// What stands at a place, if it begins a word.
pub(super) fn at(text: &str, start: usize) -> Option<Found> {
    if before(text, start).is_some_and(|c| c.is_alphanumeric() || "_-./@#'’".contains(c)) {
        return None;
    }
    let words = words(text, start);
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let (count, meaning) = read(&texts)?;
    let end = words.get(count.checked_sub(1)?)?.end;
    ends_a_word(text, end).then_some(Found { end, meaning })
}

/// The next words, as far as only spaces lie between them.
fn words(text: &str, start: usize) -> Vec<Word> {
    let mut words = Vec::new();
    let mut at = start;
    while words.len() < WORDS_MAX {
        let length = text[at..].bytes().take_while(u8::is_ascii_alphanumeric).count();
        if length == 0 {
            break;
        }
        let end = at + length;
        words.push(Word { text: text[at..end].to_ascii_lowercase(), end });
        // "last week's Tuesday" is the Tuesday of that week.
        let rest = text[end..].strip_prefix("'s").or_else(|| text[end..].strip_prefix("’s"));
        let rest = rest.unwrap_or(&text[end..]);
        let trimmed = rest.trim_start();
        if trimmed.len() == rest.len() {
            break;
        }
        at = text.len() - trimmed.len();
    }
    words
}

/// A name such as `today.md` or `last_week` is no time.
fn ends_a_word(text: &str, end: usize) -> bool {
    let mut rest = text[end..].chars();
    match rest.next() {
        Some(c) if c.is_alphanumeric() || c == '_' => false,
        Some('-' | '.' | '/' | '@' | ':') => !rest.next().is_some_and(char::is_alphanumeric),
        _ => true,
    }
}

/// How many words speak of a time, and what they mean.
fn read(words: &[&str]) -> Option<(usize, Meaning)> {
    let day = |count, offset| Some((count, Meaning::At(Unit::Day, offset)));
    match words {
        ["today" | "tonight", ..] => day(1, 0),
        ["yesterday", ..] => day(1, -1),
        ["tomorrow", ..] => day(1, 1),
        ["the", "day", "before", "yesterday", ..] => day(4, -2),
        ["day", "before", "yesterday", ..] => day(3, -2),
        ["the", "day", "after", "tomorrow", ..] => day(4, 2),
        ["day", "after", "tomorrow", ..] => day(3, 2),
        ["this", "morning" | "afternoon" | "evening", ..] => day(2, 0),
        ["last", "night" | "evening", ..] => day(2, -1),
        ["the", unit @ ("week" | "month" | "year" | "weekend"), "before", "last", ..] => {
            Some((4, Meaning::At(unit_of(unit)?, -2)))
        }
        ["the", rest @ ..] => stretch(rest).map(|(count, meaning)| (count + 1, meaning)),
        ["on", name, rest @ ..] if is_one_day(rest) => {
            Some((2, Meaning::WeekdayUpToToday(weekday(name).filter(|_| name.len() > 5)?)))
        }
        _ => distance(words)
            .or_else(|| weekday_of_week(words))
            .or_else(|| several(words))
            .or_else(|| pointed(words)),
    }
}

/// "On Sunday mornings" is a habit, and "on Friday the 13th" a date.
fn is_one_day(rest: &[&str]) -> bool {
    !matches!(rest.first(), Some(&("mornings" | "afternoons" | "evenings" | "nights" | "the")))
}

/// "Two weeks ago", "a couple of days ago".
fn distance(words: &[&str]) -> Option<(usize, Meaning)> {
    let (count, rest) = count(words)?;
    let [unit, "ago", ..] = rest else { return None };
    Some((words.len() - rest.len() + 2, ago(unit_of(unit)?, count)?))
}

/// What may follow "the": "the past two weeks", "the last month".
fn stretch(words: &[&str]) -> Option<(usize, Meaning)> {
    match words {
        ["last" | "past" | "previous", unit @ ("week" | "month" | "year"), rest @ ..]
            if rest.first() != Some(&"of") =>
        {
            Some((2, up_to_today(unit_of(unit)?, 1)?))
        }
        _ => several(words).or_else(|| pointed(words)),
    }
}

/// "Last two weeks", "past 3 days".
fn several(words: &[&str]) -> Option<(usize, Meaning)> {
    let ["last" | "past" | "previous", rest @ ..] = words else { return None };
    let (count, after) = count(rest)?;
    let [unit, after @ ..] = after else { return None };
    if after.first() == Some(&"of") || !unit.ends_with('s') {
        return None;
    }
    Some((words.len() - after.len(), up_to_today(unit_of(unit)?, count)?))
}

/// "Tuesday of last week", "last week on Tuesday".
fn weekday_of_week(words: &[&str]) -> Option<(usize, Meaning)> {
    let (count, name, pointer) = match words {
        [name, "of", pointer, "week", ..] => (4, name, pointer),
        [pointer, "week", "on", name, ..] => (4, name, pointer),
        [name, pointer, "week", ..] | [pointer, "week", name, ..] => (3, name, pointer),
        _ => return None,
    };
    Some((count, Meaning::WeekdayOf(weekday(name)?, offset_of(pointer)?)))
}

/// "Last week", "this month", "next Friday".
fn pointed(words: &[&str]) -> Option<(usize, Meaning)> {
    let [pointer, name, rest @ ..] = words else { return None };
    let offset = offset_of(pointer)?;
    if let Some(weekday) = weekday(name).filter(|_| *pointer != "this" || name.len() > 5) {
        let meaning = match offset {
            0 => Meaning::WeekdayOf(weekday, 0),
            1 => Meaning::WeekdayAfter(weekday),
            _ => Meaning::WeekdayBefore(weekday),
        };
        return Some((2, meaning));
    }
    // "The last week of school" is not the week before this one.
    let unit = unit_of(name).filter(|unit| *unit != Unit::Day && !name.ends_with('s'))?;
    if rest.first() == Some(&"of") {
        return None;
    }
    match *pointer {
        "past" if unit != Unit::Weekend => Some((2, up_to_today(unit, 1)?)),
        _ => Some((2, Meaning::At(unit, offset))),
    }
}

fn offset_of(pointer: &str) -> Option<i32> {
    match pointer {
        "last" | "past" | "previous" => Some(-1),
        "this" => Some(0),
        "next" => Some(1),
        _ => None,
    }
}

/// A count and the words behind it.
fn count<'a, 'b>(words: &'a [&'b str]) -> Option<(i32, &'a [&'b str])> {
    match words {
        ["a", "couple", "of", rest @ ..] | ["couple", "of", rest @ ..] => Some((2, rest)),
        [word, rest @ ..] => {
            let in_digits = || number::digits(word, 0).filter(|(_, end)| *end == word.len());
            let value = number::english(word).or_else(|| in_digits().map(|(value, _)| value))?;
            Some((value, rest))
        }
        [] => None,
    }
}

fn unit_of(word: &str) -> Option<Unit> {
    match word {
        "day" | "days" => Some(Unit::Day),
        "week" | "weeks" => Some(Unit::Week),
        "weekend" | "weekends" => Some(Unit::Weekend),
        "month" | "months" => Some(Unit::Month),
        "year" | "years" => Some(Unit::Year),
        _ => None,
    }
}

fn weekday(word: &str) -> Option<Weekday> {
    Some(match word {
        "monday" | "mon" => Weekday::Monday,
        "tuesday" | "tue" | "tues" => Weekday::Tuesday,
        "wednesday" | "wed" => Weekday::Wednesday,
        "thursday" | "thu" | "thur" | "thurs" => Weekday::Thursday,
        "friday" | "fri" => Weekday::Friday,
        "saturday" | "sat" => Weekday::Saturday,
        "sunday" | "sun" => Weekday::Sunday,
        _ => return None,
    })
}

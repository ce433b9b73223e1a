//! Small numbers in digits, in words and in characters.

/// More digits than this are no count of days.
const DIGITS_MAX: usize = 4;

/// The value of a digit, in the usual or the wide form.
pub(super) fn digit(c: char) -> Option<i32> {
    match c {
        '0'..='9' => Some(c as i32 - '0' as i32),
        '０'..='９' => Some(c as i32 - '０' as i32),
        _ => None,
    }
}

/// The number in digits at a place and where it ends. One that goes on, or began before, is none.
pub(super) fn digits(text: &str, at: usize) -> Option<(i32, usize)> {
    let goes_on = |c: char| c.is_ascii_alphanumeric() || digit(c).is_some() || "._-/:#".contains(c);
    if text[..at].chars().next_back().is_some_and(goes_on) {
        return None;
    }
    let (mut value, mut end, mut count) = (0, at, 0);
    for c in text[at..].chars() {
        let Some(digit) = digit(c) else { break };
        count += 1;
        if count > DIGITS_MAX {
            return None;
        }
        value = value * 10 + digit;
        end += c.len_utf8();
    }
    (count > 0).then_some((value, end))
}

/// A number in Chinese characters, below a thousand, and where it ends.
pub(super) fn characters(text: &str, at: usize) -> Option<(i32, usize)> {
    if text[..at].chars().next_back().is_some_and(|c| character(c).is_some() || "第百千万萬".contains(c))
    {
        return None;
    }
    let (mut total, mut last, mut end) = (0, None, at);
    for c in text[at..].chars() {
        match (c, character(c)) {
            ('百', _) => total += last.take().filter(|_| total == 0)? * 100,
            ('十', _) => total += last.take().unwrap_or(1) * 10,
            (_, Some(value)) if last.is_none() => last = Some(value),
            (_, Some(_)) => return None,
            _ => break,
        }
        end += c.len_utf8();
    }
    (end > at && total < 1000).then_some((total + last.unwrap_or(0), end))
}

fn character(c: char) -> Option<i32> {
    Some(match c {
        '〇' | '零' => 0,
        '一' => 1,
        '二' | '两' | '兩' => 2,
        '三' => 3,
        '四' => 4,
        '五' => 5,
        '六' => 6,
        '七' => 7,
        '八' => 8,
        '九' => 9,
        '十' => 10,
        _ => return None,
    })
}

/// A number in an English word.
pub(super) fn english(word: &str) -> Option<i32> {
    const WORDS: [&str; 20] = [
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
    ];
    match word {
        "a" | "an" => Some(1),
        "thirty" => Some(30),
        "ninety" => Some(90),
        _ => (1..).zip(WORDS).find(|(_, known)| *known == word).map(|(value, _)| value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_digits_and_in_characters() {
        for (text, expected) in
            [("12天", Some(12)), ("３周", Some(3)), ("12345", None), ("0", Some(0)), ("x", None)]
        {
            assert_eq!(digits(text, 0).map(|(value, _)| value), expected, "{text}");
        }
        for (text, expected) in [
            ("三", Some(3)),
            ("两", Some(2)),
            ("十", Some(10)),
            ("十二", Some(12)),
            ("二十三", Some(23)),
            ("一百", Some(100)),
            ("百", None),
            ("三四", None),
            ("天", None),
        ] {
            assert_eq!(characters(text, 0).map(|(value, _)| value), expected, "{text}");
        }
    }
}

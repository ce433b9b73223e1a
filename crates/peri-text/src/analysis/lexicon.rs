//! The short word lists: stop words, words that point at a time, and months.
//!
//! Lists are bucketed by first letter because a lookup happens for every word of every text, and a
//! handful of length-checked comparisons is cheaper than hashing.

/// Whether a lower-cased English word carries too little meaning to search for on its own.
pub(super) fn is_stop_word(word: &str) -> bool {
    let Some(first) = word.bytes().next() else { return false };
    stop_words(first).contains(&word)
}

fn stop_words(first: u8) -> &'static [&'static str] {
    match first {
        b'a' => &[
            "a", "about", "after", "again", "all", "also", "am", "an", "and", "any", "are", "aren't", "as",
            "at",
        ],
        b'b' => &["be", "because", "been", "before", "being", "between", "both", "but", "by"],
        b'c' => &["can", "can't", "cannot", "could", "couldn't"],
        b'd' => &["did", "didn't", "do", "does", "doesn't", "doing", "don't", "down", "during"],
        b'e' => &["each"],
        b'f' => &["few", "for", "from", "further"],
        b'h' => &[
            "had", "hadn't", "has", "hasn't", "have", "haven't", "having", "he", "he'd", "he'll", "he's",
            "her", "here", "here's", "hers", "herself", "him", "himself", "his", "how", "how's",
        ],
        b'i' => &[
            "i", "i'd", "i'll", "i'm", "i've", "if", "in", "into", "is", "isn't", "it", "it'd", "it'll",
            "it's", "its", "itself",
        ],
        b'j' => &["just"],
        b'l' => &["let's"],
        b'm' => &["me", "more", "most", "mustn't", "my", "myself"],
        b'n' => &["no", "nor", "not", "now"],
        b'o' => &[
            "of",
            "off",
            "on",
            "once",
            "only",
            "or",
            "other",
            "our",
            "ours",
            "ourselves",
            "out",
            "over",
            "own",
        ],
        b's' => &[
            "same",
            "shan't",
            "she",
            "she'd",
            "she'll",
            "she's",
            "should",
            "shouldn't",
            "so",
            "some",
            "such",
        ],
        b't' => &[
            "than",
            "that",
            "that'll",
            "that's",
            "the",
            "their",
            "theirs",
            "them",
            "themselves",
            "then",
            "there",
            "there's",
            "these",
            "they",
            "they'd",
            "they'll",
            "they're",
            "they've",
            "this",
            "those",
            "through",
            "to",
            "too",
        ],
        b'u' => &["under", "until", "up"],
        b'v' => &["very"],
        b'w' => &[
            "was", "wasn't", "we", "we'd", "we'll", "we're", "we've", "were", "weren't", "what", "what's",
            "when", "when's", "where", "where's", "which", "while", "who", "who's", "whom", "why", "why's",
            "will", "with", "won't", "would", "wouldn't",
        ],
        b'y' => &["you", "you'd", "you'll", "you're", "you've", "your", "yours", "yourself", "yourselves"],
        _ => &[],
    }
}

/// How a lower-cased English word speaks of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimeWord {
    /// Points at a time by itself: "yesterday".
    Alone,
    /// Points at a time when a unit follows: "last" in "last week".
    Pointer,
    /// A unit of time: "week".
    Unit,
}

/// The time sense of a lower-cased English word, if it has one.
pub(super) fn time_word(word: &str) -> Option<TimeWord> {
    match word.as_bytes().first()? {
        b'a' if word == "ago" => Some(TimeWord::Alone),
        b'd' if matches!(word, "day" | "days") => Some(TimeWord::Unit),
        b'e' if word == "evening" => Some(TimeWord::Unit),
        b'f' if matches!(word, "friday" | "fall") => Some(TimeWord::Unit),
        b'l' if word == "lately" => Some(TimeWord::Alone),
        b'l' if word == "last" => Some(TimeWord::Pointer),
        b'm' if matches!(word, "month" | "months" | "monday" | "morning") => Some(TimeWord::Unit),
        b'n' if word == "next" => Some(TimeWord::Pointer),
        b'n' if word == "night" => Some(TimeWord::Unit),
        b'p' if matches!(word, "past" | "previous") => Some(TimeWord::Pointer),
        b'q' if word == "quarter" => Some(TimeWord::Unit),
        b'r' if word == "recently" => Some(TimeWord::Alone),
        b's' if matches!(word, "saturday" | "sunday" | "spring" | "summer") => Some(TimeWord::Unit),
        b't' if matches!(word, "today" | "tonight" | "tomorrow") => Some(TimeWord::Alone),
        b't' if word == "this" => Some(TimeWord::Pointer),
        b't' if matches!(word, "tuesday" | "thursday") => Some(TimeWord::Unit),
        b'w' if matches!(word, "week" | "weeks" | "weekend" | "wednesday" | "winter") => Some(TimeWord::Unit),
        b'y' if word == "yesterday" => Some(TimeWord::Alone),
        b'y' if matches!(word, "year" | "years") => Some(TimeWord::Unit),
        _ => None,
    }
}

/// Korean, Chinese and Japanese words that point at a time, found as plain substrings because these
/// scripts attach particles or leave no spaces.
const CJK_TIME_WORDS: &[&str] = &[
    "어제",
    "오늘",
    "내일",
    "그저께",
    "그제",
    "모레",
    "지난주",
    "지난 주",
    "지난달",
    "지난 달",
    "지난해",
    "작년",
    "올해",
    "내년",
    "다음주",
    "다음 주",
    "다음달",
    "다음 달",
    "이번 주",
    "이번주",
    "최근",
    "방금",
    "昨天",
    "今天",
    "明天",
    "前天",
    "后天",
    "後天",
    "上周",
    "上週",
    "上个月",
    "上個月",
    "下周",
    "下週",
    "下个月",
    "下個月",
    "去年",
    "今年",
    "明年",
    "最近",
    "刚才",
    "剛才",
    "昨日",
    "今日",
    "明日",
    "一昨日",
    "先週",
    "来週",
    "今週",
    "先月",
    "来月",
    "今月",
    "来年",
];

/// Whether a text holds a time word of Korean, Chinese or Japanese.
pub(super) fn has_cjk_time_word(text: &str) -> bool {
    CJK_TIME_WORDS.iter().any(|word| text.contains(word))
}

/// Whether a lower-cased word announces a year when a four-digit number follows: "in 2023".
pub(super) fn announces_year(word: &str) -> bool {
    matches!(
        word,
        "in" | "since" | "during" | "year" | "by" | "from" | "until" | "before" | "after" | "early" | "late"
    )
}

/// A month name found in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Month {
    /// 1 to 12.
    pub number: u8,
    /// Whether the word alone names a month; "may", "march" and abbreviations need a day or a year.
    pub certain: bool,
}

/// The month a lower-cased English word can name.
pub(super) fn month(word: &str) -> Option<Month> {
    if !(3..=9).contains(&word.len()) || !b"jfmasond".contains(&word.as_bytes()[0]) {
        return None;
    }
    let (number, certain) = match word {
        "january" => (1, true),
        "february" => (2, true),
        "april" => (4, true),
        "june" => (6, true),
        "july" => (7, true),
        "august" => (8, true),
        "september" => (9, true),
        "october" => (10, true),
        "november" => (11, true),
        "december" => (12, true),
        "jan" => (1, false),
        "feb" => (2, false),
        "mar" | "march" => (3, false),
        "apr" => (4, false),
        "may" => (5, false),
        "jun" => (6, false),
        "jul" => (7, false),
        "aug" => (8, false),
        "sep" | "sept" => (9, false),
        "oct" => (10, false),
        "nov" => (11, false),
        "dec" => (12, false),
        _ => return None,
    };
    Some(Month { number, certain })
}

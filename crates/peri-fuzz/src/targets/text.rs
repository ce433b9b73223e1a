//! What is read out of texts: terms, times, secrets, tokens, and how two statements stand to each other.

use jiff::civil::Date;
use peri_text::{Statement, Verdict, analyze, analyze_query, redact, relate, time_mentions};

use crate::given;

/// Questions and contents: terms are bounded, in order, and the same on both sides.
pub(crate) fn words(data: &[u8]) {
    let text = given::text(data);
    let analysis = analyze(&text);
    assert!(analysis.terms.is_sorted(), "terms are in order");
    // Characters may be written out when they are brought into one form, each in a few terms.
    let bytes: usize = analysis.terms.iter().map(|(term, _)| term.len()).sum();
    assert!(bytes <= 512 + 64 * text.len(), "{bytes} bytes of terms out of {} of text", text.len());
    for term in analyze_query(&text) {
        assert!(!term.text.is_empty() && term.text.len() <= peri_text::TERM_BYTES_MAX, "{term:?}");
        let is_known = analysis.terms.binary_search_by(|(known, _)| known.as_str().cmp(&term.text)).is_ok();
        assert!(is_known, "{term:?} is asked for and never indexed");
    }
    assert!(peri_text::without_function_words(&text).len() <= text.len() + 16);
}

/// Words for times: they stand where they are said to stand, in order, and lie within the calendar.
pub(crate) fn times(data: &[u8]) {
    let (choice, data) = given::choice(data);
    let text = given::text(data);
    let days = [Date::MIN, Date::MAX, Date::constant(2026, 11, 12), Date::constant(2024, 2, 29)];
    let today = days[choice % days.len()];
    let mut end = 0;
    for mention in time_mentions(&text, today) {
        assert!(mention.range.start >= end && !mention.range.is_empty(), "{mention:?}");
        assert!(text.get(mention.range.clone()).is_some(), "{mention:?}");
        assert!(mention.first <= mention.last && mention.days() >= 1, "{mention:?}");
        end = mention.range.end;
    }
    for mention in peri_text::date_mentions(&text) {
        assert!(!format!("{mention:?}").is_empty());
    }
}

/// Secrets: taking them out twice is taking them out once, and nothing else leaves.
pub(crate) fn secrets(data: &[u8]) {
    let text = given::text(data);
    let once = redact(&text);
    let twice = redact(&once.text);
    assert_eq!(twice.text, once.text);
    assert!(twice.found.is_empty(), "{:?}", twice.found);
    assert!(once.text.len() <= 64 + 16 * text.len());
    if once.found.is_empty() {
        assert_eq!(once.text, text);
    }
}

/// Tokens: a beginning within its budget is a beginning, and every count is within its bound.
pub(crate) fn tokens(data: &[u8]) {
    let (budget, data) = given::choice(data);
    let text = given::text(data);
    let all = peri_tokens::count(&text);
    assert!(all <= peri_tokens::upper_bound(&text));
    for (cut, count) in [
        (peri_tokens::truncate(&text, budget), peri_tokens::count as fn(&str) -> usize),
        (peri_text::truncate_to_tokens(&text, budget), peri_text::count_tokens),
    ] {
        assert!(text.starts_with(cut) && count(cut) <= budget);
    }
    if all <= budget {
        assert_eq!(peri_tokens::truncate(&text, budget), text);
    }
}

/// Two statements: each says the same as itself, and saying the same holds both ways.
pub(crate) fn statements(data: &[u8]) {
    let (one, other) = given::two_texts(data);
    let (one, other) = (Statement::new(&one), Statement::new(&other));
    assert_eq!(relate(&one, &one).verdict, Verdict::Same);
    let there = relate(&one, &other).verdict;
    let back = relate(&other, &one).verdict;
    assert_eq!(there == Verdict::Same, back == Verdict::Same, "{one:?} and {other:?}: {there:?}, {back:?}");
}

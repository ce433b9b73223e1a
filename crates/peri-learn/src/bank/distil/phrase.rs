//! What several tasks are about, in their own words.

use std::collections::BTreeSet;

use peri_text::{TermClass, analyze_query};

/// Words that tasks have in common, as the first one has them, in its order; its own text if there are none, or if it
/// is the only one.
///
/// English words are the same if their stems are; of Korean and Chinese, stretches of at least two characters count
/// that more than half of the tasks hold.
pub(super) fn in_common(tasks: &[&str]) -> String {
    let Some((first, others)) = tasks.split_first() else { return String::new() };
    let first = one_line(first);
    if others.is_empty() {
        return first;
    }
    let mut words = latin_words(&first, others);
    words.extend(stretches(&first, others));
    words.sort();
    let words: Vec<String> = words.into_iter().map(|(_, word)| word).collect();
    if words.is_empty() { first } else { words.join(", ") }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether so many of the other tasks, together with the first one, are more than half of all.
fn is_common(count: usize, others: usize) -> bool {
    (count + 1) * 2 > others + 1
}

/// Common words of letters, each with where the first task has it.
fn latin_words(first: &str, others: &[&str]) -> Vec<(usize, String)> {
    let is_word = |class: TermClass| matches!(class, TermClass::Word | TermClass::Identifier);
    let stems = |task: &&str| -> BTreeSet<String> {
        analyze_query(task).into_iter().filter(|term| is_word(term.class)).map(|term| term.text).collect()
    };
    let others: Vec<BTreeSet<String>> = others.iter().map(stems).collect();
    let folded = first.to_lowercase();
    let mut seen = BTreeSet::new();
    analyze_query(first)
        .into_iter()
        .filter(|term| is_word(term.class))
        .filter(|term| {
            is_common(others.iter().filter(|stems| stems.contains(&term.text)).count(), others.len())
        })
        .filter(|term| seen.insert(term.surface.clone()))
        .map(|term| (folded.find(&term.surface).unwrap_or(usize::MAX), term.surface))
        .collect()
}

/// Common stretches of Korean, Chinese or Japanese, each with where the first task has it.
fn stretches(first: &str, others: &[&str]) -> Vec<(usize, String)> {
    let signs: Vec<(usize, char)> = first.char_indices().collect();
    let stretch =
        |from: usize, to: usize| &first[signs[from].0..signs.get(to).map_or(first.len(), |sign| sign.0)];
    let held = |text: &str| others.iter().filter(|other| other.contains(text)).count();
    let (mut found, mut from) = (Vec::<(usize, String)>::new(), 0);
    while from < signs.len() {
        let mut to = from;
        while to < signs.len() && is_cjk(signs[to].1) && is_common(held(stretch(from, to + 1)), others.len())
        {
            to += 1;
        }
        if to >= from + 2 {
            let text = stretch(from, to);
            if found.iter().all(|(_, other)| other != text) {
                found.push((signs[from].0, text.to_owned()));
            }
        }
        from = to.max(from + 1);
    }
    found
}

fn is_cjk(sign: char) -> bool {
    matches!(sign, '\u{3041}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_named_by_what_they_share() {
        for (tasks, common) in [
            (&["fix the failing login test", "Login tests are failing again"][..], "failing, login, test"),
            (&["로그인 테스트를 고쳐 줘", "로그인 테스트가 또 실패해"], "로그인, 테스트"),
            (&["修复登录测试", "登录测试失败了"], "登录测试"),
            (&["one\n thing"], "one thing"),
            (&["sing a song", "cook a meal"], "sing a song"),
            (&[], ""),
        ] {
            assert_eq!(in_common(tasks), common, "{tasks:?}");
        }
    }
}

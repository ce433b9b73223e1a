//! The Chinese rules.

mod change;
mod claim;
mod read;
mod words;

pub(super) use read::Reading;
use words::{ANTONYMS, SET_PHRASES};

use super::blockers::{opposition, replacement};
use super::order::{is_list_reordered, is_swap, shared_ends};
use super::{Reason, Relation, Verdict};

/// Relates two sentences that were read.
pub(super) fn relate(new: &Reading, old: &Reading) -> Relation {
    if new.tokens.is_empty() || old.tokens.is_empty() {
        return Relation::unrelated([]);
    }
    if let Some(reason) = same(new, old) {
        return Relation::new(Verdict::Same, [reason]);
    }
    if let Some(reasons) = change::replaces(new, old).or_else(|| claim::replaces(new, old)) {
        return replacement(reasons, &new.blockers, &old.blockers);
    }
    if let Some(reason) = opposite(new, old) {
        let is_change = new.is_now;
        return opposition(reason, is_change, &new.blockers, &old.blockers);
    }
    if contains(new, old) {
        return Relation::unrelated([Reason::Contains]);
    }
    Relation::unrelated([])
}

fn same(new: &Reading, old: &Reading) -> Option<Reason> {
    let asks = |reading: &Reading| reading.blockers.contains(&Reason::Question);
    if asks(new) != asks(old) {
        return None;
    }
    if new.tokens == old.tokens {
        return Some(Reason::SameWords);
    }
    let is_free = |phrase: &[String]| matches!(phrase[0].as_str(), "每" | "在" | "从" | "对" | "周" | "为");
    let is_separator = |token: &String| matches!(token.as_str(), "和" | "与" | "或" | "及");
    let is_reordered = is_swap(&new.tokens, &old.tokens, is_free)
        || is_list_reordered(&new.tokens, &old.tokens, 3, is_separator);
    is_reordered.then_some(Reason::Reordered)
}

fn opposite(new: &Reading, old: &Reading) -> Option<Reason> {
    let (a, b) = (new.core(), old.core());
    // 不 denies a habit and not what happened once, which 了 tells.
    let is_habit = |reading: &Reading| !reading.tokens.iter().any(|token| token == "了");
    let denies = |one: &[&str], other: &[&str], asserting: &Reading| {
        is_denied(one, other) && (is_habit(asserting) || !one.contains(&"不"))
    };
    if denies(&a, &b, old) || denies(&b, &a, new) {
        return Some(Reason::Negation);
    }
    let (start, end) = shared_ends(&a, &b);
    let (x, y) = (a[start..a.len() - end].concat(), b[start..b.len() - end].concat());
    let is_pair = |(one, other): &(&str, &str)| x == *one && y == *other || x == *other && y == *one;
    // A pair that shares a character at its end lost it to the shared words.
    let with_next = a.get(a.len() - end).map(|next| (format!("{x}{next}"), format!("{y}{next}")));
    let is_long_pair = with_next.is_some_and(|(x, y)| {
        ANTONYMS.iter().any(|(one, other)| x == *one && y == *other || x == *other && y == *one)
    });
    let is_pair = ANTONYMS.iter().any(is_pair) || is_long_pair || is_order(&a, &b, start, end);
    (start + end >= 2 && is_pair).then_some(Reason::Antonym)
}

/// 部署前 and 部署后, but neither 前端 and 后端 nor the like.
fn is_order(a: &[&str], b: &[&str], start: usize, end: usize) -> bool {
    let one = |tokens: &[&str]| tokens.len() == start + end + 1 && matches!(tokens[start], "前" | "后");
    let is_part = matches!(
        a.get(start + 1).copied(),
        Some("端" | "门" | "排" | "台" | "天" | "面" | "者" | "缀" | "半" | "年" | "轮")
    );
    start >= 2 && one(a) && one(b) && !is_part
}

/// Whether one sequence is the other with a single negation taken out.
fn is_denied(denying: &[&str], asserting: &[&str]) -> bool {
    if asserting.len() < 2 || has_negation(asserting) {
        return false;
    }
    let (start, end) = shared_ends(denying, asserting);
    let (extra, rest) = (&denying[start..denying.len() - end], &asserting[start..asserting.len() - end]);
    let is_negation = |extra: &[&str]| {
        matches!(extra, ["不" | "没" | "未" | "别"] | ["没", "有"] | ["不", "要"] | ["从", "不"])
    };
    rest.is_empty() && is_negation(extra) && !is_set_phrase(denying, start)
}

fn has_negation(tokens: &[&str]) -> bool {
    tokens.iter().any(|token| matches!(*token, "不" | "没" | "未" | "别" | "无"))
}

/// Whether the character at `at` belongs to a word such as 不错.
fn is_set_phrase(tokens: &[&str], at: usize) -> bool {
    let around: String = tokens[at.saturating_sub(1)..(at + 3).min(tokens.len())].concat();
    SET_PHRASES.iter().any(|phrase| around.contains(phrase))
}

/// Whether the newer sentence begins with the older one and goes on, without taking anything back.
fn contains(new: &Reading, old: &Reading) -> bool {
    let rest = new.tokens.strip_prefix(&old.tokens[..]);
    let is_taken_back =
        |token: &String| matches!(token.as_str(), "不" | "没" | "未" | "或" | "但" | "只" | "除");
    old.tokens.len() >= 4
        && new.blockers.iter().all(|one| old.blockers.contains(one))
        && rest.is_some_and(|rest| !rest.is_empty() && !rest.iter().any(is_taken_back))
}

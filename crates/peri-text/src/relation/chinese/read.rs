//! Reads a Chinese sentence into characters and runs of Latin letters and digits that can be compared.

use super::words::{
    ADDITIVE, ASKING, FILLERS, OPENINGS, PAST, POINTERS, SET_PHRASES, SYNONYMS, TEMPORARY, TRADITIONAL,
    UNREAL,
};
use crate::relation::Reason;
use crate::relation::token;

/// A sentence as the rules see it.
#[derive(Debug, Clone)]
pub(in crate::relation) struct Reading {
    /// Single characters, and runs of Latin letters and digits, without fillers and "now".
    pub(super) tokens: Vec<String>,
    /// How many of the tokens stand before the first comma.
    pub(super) clause: usize,
    /// It says that it holds now, as opposed to before.
    pub(super) is_now: bool,
    /// What keeps the sentence from replacing or being replaced.
    pub(super) blockers: Vec<Reason>,
}

impl Reading {
    pub(in crate::relation) fn of(sentence: &str) -> Self {
        let simple = simplified(sentence);
        let mut text =
            with_times(&token::with_dates(simple.trim_end_matches(['。', '.', '!', ';', '~', ' '])));
        loop {
            let opening = OPENINGS.iter().find_map(|opening| text.strip_prefix(opening));
            let Some(rest) =
                opening.map(|rest| rest.trim_start_matches([':', ',', ' '])).filter(|rest| !rest.is_empty())
            else {
                break;
            };
            text = rest.to_owned();
        }
        let blockers = blockers(&text);
        for (other, kept) in SYNONYMS {
            if text.contains(other) {
                text = text.replace(other, kept);
            }
        }
        if let Some(rest) = text.strip_prefix('别') {
            text = format!("不要{rest}");
        }
        let is_now = text.contains("现在");
        let text = text.replace("现在", "");
        let (tokens, clause) = tokens(&text);
        Self { tokens, clause, is_now, blockers }
    }

    /// The tokens without 了 and 已, which tell of the past or of a change.
    pub(super) fn core(&self) -> Vec<&str> {
        self.tokens.iter().map(String::as_str).filter(|token| !is_aspect(token)).collect()
    }

    /// The first clause as one text, without 了 and 已.
    pub(super) fn first_clause(&self) -> String {
        self.tokens[..self.clause].iter().filter(|token| !is_aspect(token)).map(String::as_str).collect()
    }
}

fn is_aspect(token: &str) -> bool {
    matches!(token, "了" | "已")
}

fn simplified(text: &str) -> String {
    let table: Vec<char> = TRADITIONAL.chars().filter(|c| !c.is_whitespace()).collect();
    let simple = |c: char| table.chunks(2).find(|pair| pair[0] == c).map_or(c, |pair| pair[1]);
    text.chars().map(simple).collect()
}

/// 下午3点半 and 15:30 as one token.
fn with_times(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let digits = rest[start..].bytes().take_while(u8::is_ascii_digit).count();
        let end = start + digits;
        let inside = rest[..start].ends_with(|c: char| c.is_ascii_alphanumeric() || "./:-_".contains(c));
        let hour: Option<u32> = rest[start..end].parse().ok().filter(|_| !inside && digits <= 2);
        if let Some((hour, (minute, after))) = hour.zip(minutes(&rest[end..])) {
            let (before, is_late) = half_day(&rest[..start]);
            let hour = if is_late && hour < 12 { hour + 12 } else { hour };
            if let Some(time) = token::time(hour, minute) {
                out.push_str(before);
                out.push_str(&time);
                rest = after;
                continue;
            }
        }
        out.push_str(&rest[..end]);
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

/// The minutes behind an hour and what follows them; `None` when it is no hour.
fn minutes(after: &str) -> Option<(u32, &str)> {
    if let Some(rest) = after.strip_prefix(':') {
        let minute = rest.get(..2)?.parse().ok()?;
        return (!rest[2..].starts_with(|c: char| c.is_ascii_digit() || c == ':'))
            .then_some((minute, &rest[2..]));
    }
    let rest = after.strip_prefix('点')?;
    if let Some(rest) = rest.strip_prefix('半') {
        return Some((30, rest));
    }
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    match (rest[..digits].parse(), rest[digits..].strip_prefix('分')) {
        (Ok(minute), Some(rest)) => Some((minute, rest)),
        _ => Some((0, rest.strip_prefix('钟').unwrap_or(rest))),
    }
}

/// The text before a time without the half of the day, and whether that was the second half.
fn half_day(before: &str) -> (&str, bool) {
    for (word, is_late) in [
        ("下午", true),
        ("晚上", true),
        ("傍晚", true),
        ("上午", false),
        ("早上", false),
        ("凌晨", false),
        ("中午", false),
    ] {
        if let Some(rest) = before.strip_suffix(word) {
            return (rest, is_late);
        }
    }
    (before, false)
}

fn blockers(text: &str) -> Vec<Reason> {
    let mut found = Vec::new();
    let has = |list: &[&str]| list.iter().any(|piece| text.contains(piece));
    if text.ends_with('?') || has(ASKING) {
        found.push(Reason::Question);
    }
    let asks_for = text.match_indices('问').any(|(at, _)| !text[at + '问'.len_utf8()..].starts_with('题'));
    if has(UNREAL) || asks_for || will_change(text) {
        found.push(Reason::Unreal);
    }
    if has(TEMPORARY) {
        found.push(Reason::Temporary);
    }
    let without_phrases = SET_PHRASES.iter().fold(text.to_owned(), |text, phrase| text.replace(phrase, ""));
    if has(PAST) || without_phrases.contains('过') {
        found.push(Reason::Past);
    }
    if has(ADDITIVE) {
        found.push(Reason::Additive);
    }
    let is_pointer = POINTERS.iter().any(|pointer| text.starts_with(pointer));
    if is_pointer && !text.starts_with("这个") && !text.starts_with("其他") {
        found.push(Reason::UnclearSubject);
    }
    found
}

/// 会改, 会换: will change, unless 会 ends the name of a meeting.
fn will_change(text: &str) -> bool {
    ["会改", "会换", "会变", "会把"].iter().any(|verb| {
        text.match_indices(verb).any(|(at, _)| {
            !text[..at].ends_with(['站', '例', '周', '盘', '年', '晚', '大', '开', '早', '议'])
        })
    })
}

/// The tokens, and how many stand before the first comma.
fn tokens(text: &str) -> (Vec<String>, usize) {
    let mut found: Vec<String> = Vec::new();
    let mut clause = None;
    let mut run = String::new();
    let chars: Vec<char> = text.chars().collect();
    for (at, c) in chars.iter().copied().enumerate() {
        let next = chars.get(at + 1).copied();
        let is_run = c.is_ascii_alphanumeric() || "@_+#%$&=/\\<>°€£¥".contains(c);
        let joins = ".-:'".contains(c)
            && next.is_some_and(|next| next.is_ascii_alphanumeric())
            && (!run.is_empty() || c == '-');
        if is_run || joins {
            run.push(c);
            continue;
        }
        push_run(&mut found, &mut run);
        match c {
            ',' => clause = clause.or(Some(found.len())),
            '、' => found.push("和".to_owned()),
            _ if is_quiet(c) => {}
            _ => found.push(c.to_string()),
        }
    }
    push_run(&mut found, &mut run);
    let found = with_digits(found);
    let clause = clause.filter(|clause| (1..=found.len()).contains(clause)).unwrap_or(found.len());
    settle(found, clause)
}

fn push_run(found: &mut Vec<String>, run: &mut String) {
    if !run.is_empty() {
        found.push(std::mem::take(run));
    }
}

fn is_quiet(c: char) -> bool {
    c.is_whitespace() || c.is_ascii_punctuation() || "。「」『』《》【】…·".contains(c)
}

/// Drops the fillers and writes 为 as 是 where it means that; keeps count of the first clause.
fn settle(found: Vec<String>, clause: usize) -> (Vec<String>, usize) {
    const BECOMES: &[&str] =
        &["改", "升", "成", "作", "称", "认", "变", "因", "设", "定", "调", "换", "更", "分", "视"];
    let mut kept: Vec<String> = Vec::with_capacity(found.len());
    let mut kept_clause = 0;
    for (at, token) in found.iter().enumerate() {
        let before = at.checked_sub(1).map_or("", |at| found[at].as_str());
        // 上 belongs to words such as 上海 unless it ends the sentence.
        let is_last = at + 1 == found.len();
        let is_kept = !(FILLERS.contains(&token.as_str()) || is_last && token == "上");
        if is_kept {
            let is_copula = token == "为" && at > 0 && !BECOMES.contains(&before) && before != "名";
            kept.push(if is_copula { "是".to_owned() } else { token.clone() });
        }
        if at < clause {
            kept_clause = kept.len();
        }
    }
    (kept, kept_clause)
}

/// 十二 as 12, where a ten makes it surely a number.
fn with_digits(tokens: Vec<String>) -> Vec<String> {
    let value =
        |token: &str| "一二三四五六七八九".chars().position(|c| token == c.to_string()).map(|at| at + 1);
    let mut found: Vec<String> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        let tens = value(&tokens[at]).filter(|_| tokens.get(at + 1).is_some_and(|next| next == "十"));
        let ten = at + usize::from(tens.is_some());
        if tokens[ten] == "十" && !matches!(tokens.get(ten + 1).map(String::as_str), Some("分" | "足")) {
            let ones = tokens.get(ten + 1).and_then(|next| value(next));
            found.push((tens.unwrap_or(1) * 10 + ones.unwrap_or(0)).to_string());
            at = ten + 1 + usize::from(ones.is_some());
        } else {
            found.push(tokens[at].clone());
            at += 1;
        }
    }
    found
}

//! Korean clock times in one spelling.

use crate::relation::token;

/// 오후 3시 30분 as one token, with whatever particle follows.
pub(super) fn with_times(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let digits = rest[start..].bytes().take_while(u8::is_ascii_digit).count();
        let end = start + digits;
        let inside = rest[..start].ends_with(|c: char| c.is_ascii_alphanumeric() || "./:-_".contains(c));
        let hour: Option<u32> = rest[start..end].parse().ok().filter(|_| !inside);
        let after =
            rest[end..].strip_prefix('시').filter(|after| !after.starts_with(['간', '즌', '리', '험']));
        if let (Some(hour), Some(after)) = (hour, after) {
            let (minute, after) = minutes(after);
            let (before, half) = half_day(&rest[..start]);
            let hour = if half && hour < 12 { hour + 12 } else { hour };
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

fn minutes(after: &str) -> (u32, &str) {
    let trimmed = after.trim_start_matches(' ');
    if let Some(rest) = trimmed.strip_prefix('반') {
        return (30, rest);
    }
    let digits = trimmed.bytes().take_while(u8::is_ascii_digit).count();
    match (trimmed[..digits].parse(), trimmed[digits..].strip_prefix('분')) {
        (Ok(minute), Some(rest)) => (minute, rest),
        _ => (0, after),
    }
}

/// The text before a time without the half of the day, and whether that was the second half.
fn half_day(before: &str) -> (&str, bool) {
    let trimmed = before.trim_end_matches(' ');
    for (word, is_late) in
        [("오후", true), ("저녁", true), ("밤", true), ("오전", false), ("새벽", false), ("아침", false)]
    {
        if let Some(rest) = trimmed.strip_suffix(word) {
            return (rest, is_late);
        }
    }
    (before, false)
}

//! Comments within Markdown, which are for people and not for agents.

use std::ops::Range;

use super::code::Spans;
use crate::fences::{Fences, Place};

/// A text without its comments. What begins as one and never ends is none, and neither is one in code.
pub(super) fn without(text: &str) -> String {
    let (mut kept, mut fences) = (String::with_capacity(text.len()), Fences::default());
    let last_end = text.rfind("-->").unwrap_or(0);
    let (mut at, mut is_whole_line) = (0, true);
    while at < text.len() {
        let end = text[at..].find('\n').map_or(text.len(), |newline| at + newline + 1);
        if is_whole_line && fences.next(&text[at..end]) != Place::Text {
            kept.push_str(&text[at..end]);
            at = end;
            continue;
        }
        at = keep_line(text, at..end, last_end, &mut kept);
        // What stands behind a comment on its last line is no line that could open code.
        is_whole_line = at == end;
    }
    kept
}

/// Keeps a line, or the rest of one, without its comments; where it goes on behind the line, or behind a comment that
/// ends on a later one.
fn keep_line(text: &str, line: Range<usize>, last_end: usize, kept: &mut String) -> usize {
    let spans = Spans::of(&text[line.clone()]);
    let (mut from, mut at) = (line.start, line.start);
    while let Some(found) = text[at..line.end].find(['<', '`']) {
        at += found;
        if text[at..].starts_with('`') {
            at = line.start + spans.end(at - line.start);
        } else if text[at..line.end].starts_with("<!--") && at + 4 <= last_end {
            kept.push_str(&text[from..at]);
            at = closing(text, at).unwrap_or(line.end);
            if at >= line.end {
                return at;
            }
            from = at;
        } else {
            at += 1;
        }
    }
    kept.push_str(&text[from..line.end]);
    line.end
}

/// Where the comment is over that begins here.
fn closing(text: &str, from: usize) -> Option<usize> {
    text[from + 4..].find("-->").map(|end| from + 4 + end + 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_go_and_everything_else_stays() {
        for (text, kept) in [
            ("a<!-- x -->b<!-- y -->c\n", "abc\n"),
            ("a<!-- x\ny -->b <!-- z\n\n-->c\nd", "ab c\nd"),
            ("```\n<!-- x -->\n```\n", "```\n<!-- x -->\n```\n"),
            ("`<!--` a `` ` <!-- `` b <!-- c -->", "`<!--` a `` ` <!-- `` b "),
            ("가 <!-- 나 --> 다", "가  다"),
            ("never <!-- closed", "never <!-- closed"),
        ] {
            assert_eq!(without(text), kept);
        }
    }
}

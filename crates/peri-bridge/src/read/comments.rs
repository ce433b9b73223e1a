//! Comments within Markdown, which are for people and not for agents.

use crate::fences::{Fences, Place};

/// A text without its comments. What begins as one and never ends is none, and neither is one in code.
pub(super) fn without(text: &str) -> String {
    let (mut kept, mut fences) = (String::with_capacity(text.len()), Fences::default());
    let last_end = text.rfind("-->").unwrap_or(0);
    let (mut at, mut is_whole_line) = (0, true);
    while at < text.len() {
        let end = text[at..].find('\n').map_or(text.len(), |newline| at + newline + 1);
        let line = &text[at..end];
        let is_code = is_whole_line && fences.next(line) != Place::Text;
        let begin = first(line).filter(|begin| !is_code && at + begin + 4 <= last_end);
        is_whole_line = begin.is_none();
        kept.push_str(&line[..begin.unwrap_or(line.len())]);
        // What stands behind a comment on its last line is looked at as a line of its own.
        at = begin.and_then(|begin| closing(text, at + begin)).unwrap_or(end);
    }
    kept
}

/// Where the first comment of a line begins, outside code within the line.
fn first(line: &str) -> Option<usize> {
    let mut at = 0;
    while at < line.len() {
        let rest = &line[at..];
        if rest.starts_with("<!--") {
            return Some(at);
        }
        at += if rest.starts_with('`') { code(rest) } else { rest.chars().next().map_or(1, char::len_utf8) };
    }
    None
}

/// How long code within a line is that begins here; only its marks if it never ends.
pub(super) fn code(text: &str) -> usize {
    let marks = text.len() - text.trim_start_matches('`').len();
    let mut from = marks;
    while let Some(found) = text[from..].find('`') {
        let end = from + found;
        let run = text[end..].len() - text[end..].trim_start_matches('`').len();
        if run == marks {
            return end + run;
        }
        from = end + run;
    }
    marks
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

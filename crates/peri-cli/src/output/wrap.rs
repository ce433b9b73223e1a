//! Fitting text into columns, counting wide characters as the terminal shows them.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// A text on one line, cut to so many columns.
pub(crate) fn fit(text: &str, columns: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.width() <= columns {
        return line;
    }
    let mut kept = String::new();
    let mut left = columns.saturating_sub(1);
    for c in line.chars() {
        let width = c.width().unwrap_or(0);
        if width > left {
            break;
        }
        left -= width;
        kept.push(c);
    }
    kept.push('…');
    kept
}

/// A text as lines of at most so many columns. Lines break at spaces and between wide characters, as Chinese,
/// Japanese and Korean do; a word longer than a line is cut.
pub(super) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(2);
    let mut lines = Vec::new();
    for paragraph in text.split('\n') {
        let mut line = String::new();
        for piece in pieces(paragraph.trim_end()) {
            add(&mut line, piece, columns, &mut lines);
        }
        lines.push(line.trim_end().to_owned());
    }
    lines
}

fn add(line: &mut String, piece: &str, columns: usize, lines: &mut Vec<String>) {
    if line.width() + piece.trim_end().width() <= columns {
        line.push_str(piece);
        return;
    }
    if !line.is_empty() {
        lines.push(std::mem::take(line).trim_end().to_owned());
    }
    for c in piece.chars() {
        if line.width() + c.width().unwrap_or(0) > columns {
            lines.push(std::mem::take(line).trim_end().to_owned());
        }
        if !(line.is_empty() && c == ' ') {
            line.push(c);
        }
    }
}

/// What may not be broken: a word with the spaces after it, or one wide character.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut before: Option<char> = None;
    for (at, c) in text.char_indices() {
        let wide = |c: char| c.width() == Some(2);
        let breaks = before.is_some_and(|before| {
            (before.is_whitespace() && !c.is_whitespace())
                || (wide(before) && !is_tail(c))
                || (wide(c) && !before.is_whitespace())
        });
        if breaks && !is_tail(c) && at > start {
            pieces.push(&text[start..at]);
            start = at;
        }
        before = Some(c);
    }
    pieces.push(&text[start..]);
    pieces
}

/// Whether a character belongs to the one before it: spaces, joiners, marks, closing punctuation.
fn is_tail(c: char) -> bool {
    c.is_whitespace() || c.width() == Some(0) || "、。，．！？）」』】,.!?)".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_within_the_columns_and_lose_nothing_but_spaces() {
        for text in [
            "Ana prefers tea over coffee, mostly",
            "一位来自柏林的朋友在周日带来了一块蛋糕。",
            "김민수는 다음 주 화요일에 부산으로 이사한다",
            "averyveryverylongwordwithoutanyspace end",
            "two\n\nparagraphs 👩‍👩‍👧 here",
        ] {
            for columns in 2..40 {
                let lines = wrap(text, columns);
                assert!(lines.iter().all(|line| line.width() <= columns.max(4)), "{columns}: {lines:?}");
                let bare = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
                assert_eq!(bare(&lines.concat()), bare(text));
            }
        }
    }

    #[test]
    fn a_cut_text_says_so() {
        for (text, columns, expected) in
            [("tea and cake", 20, "tea and cake"), ("tea and cake", 8, "tea and…"), ("蛋糕蛋糕", 6, "蛋糕…")]
        {
            assert_eq!(fit(text, columns), expected);
        }
    }
}

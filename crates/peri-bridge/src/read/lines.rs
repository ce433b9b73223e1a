//! What a line of Markdown is by itself.

/// A heading: its level, from 1, and what it says.
pub(super) fn heading(line: &str) -> Option<(usize, String)> {
    let bare = line.trim();
    let level = bare.chars().take_while(|c| *c == '#').count();
    let text = &bare[level..];
    let is_heading =
        indent(line) <= 3 && (1..=6).contains(&level) && (text.is_empty() || text.starts_with([' ', '\t']));
    is_heading.then(|| (level, label(text.trim().trim_end_matches('#'))))
}

/// The level of the heading that the line above this one is, if this one makes it one.
pub(super) fn underline(bare: &str) -> Option<usize> {
    let all = |mark: char| bare.len() >= 2 && bare.chars().all(|c| c == mark);
    if all('=') { Some(1) } else { all('-').then_some(2) }
}

/// Whether a line is nothing but a rule between parts.
pub(super) fn is_break(bare: &str) -> bool {
    let dense: String = bare.chars().filter(|c| !c.is_whitespace()).collect();
    dense.len() >= 3 && ['-', '*', '_'].iter().any(|mark| dense.chars().all(|c| c == *mark))
}

/// Whether a line is nothing but a tag of HTML.
pub(super) fn is_tag(bare: &str) -> bool {
    let inner = bare.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
    inner.is_some_and(|inner| {
        let name = inner.trim_start_matches('/');
        name.starts_with(|c: char| c.is_ascii_alphabetic()) && !inner.contains(['<', '>', ':', '@'])
    })
}

/// The item of a list that begins on a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Item<'a> {
    /// Whether its list is numbered.
    pub(super) is_numbered: bool,
    /// How far its text is from the edge.
    pub(super) content_indent: usize,
    /// Its text.
    pub(super) text: &'a str,
}

/// The item that begins on a line, if one does.
pub(super) fn item(line: &str) -> Option<Item<'_>> {
    let bare = line.trim();
    let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
    let marker = match bare.as_bytes().get(digits)? {
        b'-' | b'*' | b'+' if digits == 0 => 1,
        b'.' | b')' if (1..=9).contains(&digits) => digits + 1,
        _ => return None,
    };
    let text = &bare[marker..];
    let (is_numbered, content_indent) = (digits > 0, indent(line) + marker + 1);
    let begins = text.is_empty() || text.starts_with([' ', '\t']);
    begins.then(|| Item { is_numbered, content_indent, text: text.trim() })
}

/// How far the text of a line is from the edge.
pub(super) fn indent(line: &str) -> usize {
    let spaces = line.chars().take_while(|c| matches!(c, ' ' | '\t'));
    spaces.map(|c| if c == '\t' { 4 } else { 1 }).sum()
}

/// A line without so much of its indent.
pub(super) fn dedent(line: &str, by: usize) -> &str {
    let (mut gone, mut at) = (0, 0);
    for c in line.chars().take_while(|c| matches!(c, ' ' | '\t')) {
        if gone >= by {
            break;
        }
        gone += if c == '\t' { 4 } else { 1 };
        at += 1;
    }
    line[at..].trim_end()
}

/// A heading or a sentence that leads to something, without what only sets it off.
pub(super) fn label(text: &str) -> String {
    let bare = text.trim().trim_end_matches([':', ':']).trim();
    let bare = bare.trim_matches(['*', '_']).trim().trim_end_matches([':', ':']);
    spaced(bare)
}

/// A text with one space between its words.
pub(super) fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Adds a line to the text that it goes on. Chinese and Japanese have no space there.
pub(super) fn join(text: &mut String, line: &str) {
    let is_dense = |c: Option<char>| {
        c.is_some_and(|c| matches!(u32::from(c), 0x3001..=0x30FF | 0x3400..=0x9FFF | 0xF900..=0xFAFF | 0xFF01..=0xFF0F | 0x20000..=0x3FFFF))
    };
    let is_broken_word = is_dense(text.chars().next_back()) && is_dense(line.chars().next());
    if !text.is_empty() && !text.ends_with('\n') && !is_broken_word {
        text.push(' ');
    }
    text.push_str(line);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_have_a_mark_and_a_space() {
        let texts = ["- a", "  12. b", "* ", "-c", "1.5 is a number", "1) d", "+\te"];
        let found: Vec<_> = texts.iter().map(|line| item(line).map(|item| item.text)).collect();
        assert_eq!(found, [Some("a"), Some("b"), Some(""), None, None, Some("d"), Some("e")]);
        assert_eq!(item("  12. b").unwrap().content_indent, 6);
    }

    #[test]
    fn a_mail_address_or_link_in_brackets_is_no_tag() {
        let lines = ["<div>", "</details>", "<br/>", "<https://a.b>", "<a@b.c>", "< 5", "a <b>"];
        let tags: Vec<_> = lines.iter().filter(|line| is_tag(line)).collect();
        assert_eq!(tags, [&"<div>", &"</details>", &"<br/>"]);
    }

    #[test]
    fn lines_are_joined_as_their_language_does() {
        for (one, other, whole) in [
            ("a", "b", "a b"),
            ("测试", "必须", "测试必须"),
            ("항상", "쓴다", "항상 쓴다"),
            ("用", "Rust", "用 Rust"),
        ] {
            let mut text = one.to_owned();
            join(&mut text, other);
            assert_eq!(text, whole);
        }
    }
}

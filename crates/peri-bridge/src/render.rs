//! A memory as one line of Markdown that is read back as it was written and means nothing but what it says.

use perihelion::visible;

use crate::fences::{Fences, Place};
use crate::read::says_something;

/// What stands at the end of a line that is shown shortened.
const CUT: char = '…';

/// A text that was written in the place of another, so that nobody takes it for a comment, a marker or an import.
const COMMENTS: [(&str, &str); 2] = [("<!--", "&lt;!--"), ("-->", "--&gt;")];

/// A memory as a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    /// The line, without the mark of its list.
    pub(crate) text: String,
    /// What was cut off, if it is shown shortened.
    pub(crate) tail: String,
}

/// The line that shows a text; none if there is nothing to show.
pub(crate) fn line(content: &str, bytes_max: usize) -> Option<Line> {
    let whole = guarded(&flat(content));
    let (text, tail) = shortened(whole, bytes_max);
    says_something(&text).then_some(Line { text, tail })
}

/// What a line says that somebody wrote in the place of one: what was cut off belongs to it as long as it is cut off.
pub(crate) fn said(line: &str, tail: &str) -> String {
    let whole = match line.trim_end().strip_suffix(CUT) {
        Some(head) if !tail.is_empty() => format!("{head}{tail}"),
        _ => line.to_owned(),
    };
    let plain = COMMENTS.iter().fold(whole, |text, (plain, guarded)| text.replace(guarded, plain));
    let plain: String = plain.chars().filter(|c| *c == '\n' || !c.is_control()).collect();
    match plain.strip_prefix("\\@") {
        Some(rest) => format!("@{rest}"),
        None => plain,
    }
    .replace(" \\@", " @")
}

/// A text on one line. Blocks of code become code within the line.
fn flat(content: &str) -> String {
    let (mut parts, mut code): (Vec<String>, Vec<&str>) = (Vec::new(), Vec::new());
    let mut fences = Fences::default();
    for line in content.lines() {
        match fences.next(line) {
            Place::Text => parts.push(line.to_owned()),
            Place::Opens | Place::Code => code.push(line),
            Place::Closes => parts.push(inline(&std::mem::take(&mut code)[1..])),
        }
    }
    // What never closes is no block.
    parts.extend(code.into_iter().map(str::to_owned));
    let plain: String = parts.join(" ").chars().filter(|c| c.is_whitespace() || !c.is_control()).collect();
    visible(&plain).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn inline(code: &[&str]) -> String {
    let code =
        code.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ");
    if code.is_empty() || code.contains('`') { code } else { format!("`{code}`") }
}

/// A line in which nothing opens a comment or a block of code, closes one, or imports a file.
fn guarded(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let (mut last, mut run) = (' ', 0);
    for c in line.chars() {
        run = if c == last { run + 1 } else { 1 };
        if c == '@' && last == ' ' {
            text.push('\\');
        }
        // Three of them would open a block.
        if run < 3 || !matches!(c, '`' | '~') {
            text.push(c);
        }
        last = c;
    }
    COMMENTS.iter().fold(text, |text, (plain, guarded)| text.replace(plain, guarded))
}

/// A line of at most so many bytes, cut between words if it can be, and what was cut off.
fn shortened(line: String, bytes_max: usize) -> (String, String) {
    let room = bytes_max.saturating_sub(CUT.len_utf8());
    if line.len() <= bytes_max {
        return (line, String::new());
    }
    let room = (0..=room).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0);
    let at = line[..room].rfind(' ').filter(|at| *at > room / 2).unwrap_or(room);
    (format!("{}{CUT}", &line[..at]), line[at..].to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::read::{Reading, read};

    fn shown(content: &str) -> String {
        line(content, 400).unwrap().text
    }

    #[test]
    fn nothing_that_is_shown_can_be_taken_for_something_else() {
        assert_eq!(shown("a <!-- perihelion:end --> b"), "a &lt;!-- perihelion:end --&gt; b");
        assert_eq!(shown("@/etc/passwd and @~/x, mail a@b.c"), "\\@/etc/passwd and \\@~/x, mail a@b.c");
        assert_eq!(shown("~~~ x\n나\u{1b}[31m"), "~~ x 나[31m");
        assert_eq!(
            shown("Build:\n```sh\nmake a\n\nmake b\n```\nthen rest"),
            "Build: `make a; make b` then rest"
        );
        assert_eq!(shown("two\r\n  lines\u{2028}三"), "two lines 三");
        assert_eq!(line("--- … ---", 400), None);
    }

    #[test]
    fn an_edited_line_says_what_its_memory_should() {
        let content = "@ana says: <!-- 주의 --> see @b";
        assert_eq!(said(&shown(content), ""), content);
        let long = line("one two three four five six", 18).unwrap();
        assert_eq!((long.text.as_str(), long.tail.as_str()), ("one two three…", " four five six"));
        assert_eq!(said("uno two three…", &long.tail), "uno two three four five six");
        assert_eq!(said("only this", &long.tail), "only this");
    }

    proptest! {
        #[test]
        fn a_line_is_read_back_as_it_was_written(content in "\\PC{0,80}|([`~@<!>|#. \n-]|가|中){0,40}", max in 8..100_usize) {
            if let Some(line) = line(&content, max) {
                prop_assert!(line.text.len() <= max, "{:?}", line.text);
                let text = format!("## x\n\n- {}\n- next\n", line.text);
                let read = read(&text, Reading::Section);
                let texts: Vec<_> = read.statements.iter().map(|own| own.text.as_str()).collect();
                if line.text == "next" {
                    prop_assert_eq!(texts, ["next"]);
                } else {
                    prop_assert_eq!(texts, [line.text.as_str(), "next"]);
                }
                prop_assert!(!text.contains("<!--") && !text.contains("-->"));
            }
        }
    }
}

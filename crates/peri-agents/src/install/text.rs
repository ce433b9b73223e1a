//! Byte order marks and line endings: edits see neither, files keep both.

use super::diff::{Step, steps};

const MARK: char = '\u{feff}';

/// Edits a text as if it had no byte order mark and bare newlines only; lines that stay keep the ending they have.
pub(super) fn edited<E>(text: &str, edit: impl FnOnce(&str) -> Result<String, E>) -> Result<String, E> {
    let bare = text.strip_prefix(MARK).unwrap_or(text);
    let plain = bare.replace("\r\n", "\n");
    let after = edit(&plain)?;
    if after == plain {
        return Ok(text.to_owned());
    }
    let mark = if bare.len() == text.len() { "" } else { "\u{feff}" };
    Ok(format!("{mark}{}", with_endings_of(bare, &after)))
}

/// The text without byte order mark and with bare newlines.
pub(super) fn plain(text: &str) -> String {
    text.strip_prefix(MARK).unwrap_or(text).replace("\r\n", "\n")
}

fn with_endings_of(original: &str, after: &str) -> String {
    if !original.contains("\r\n") {
        return after.to_owned();
    }
    let old: Vec<&str> = original.split_inclusive('\n').collect();
    let old_bare: Vec<&str> = old.iter().map(|line| without_ending(line)).collect();
    let new: Vec<&str> = after.split_inclusive('\n').collect();
    let new_bare: Vec<&str> = new.iter().map(|line| without_ending(line)).collect();
    let windows = old.iter().filter(|line| line.ends_with("\r\n")).count();
    let usual = if windows * 2 >= old.len() { "\r\n" } else { "\n" };

    let mut text = String::with_capacity(after.len() + old.len());
    for step in steps(&old_bare, &new_bare) {
        let (line, ending) = match step {
            Step::Keep(from, to) => (to, ending_of(old[from]).unwrap_or(usual)),
            Step::Add(to) => (to, usual),
            Step::Drop(_) => continue,
        };
        text.push_str(new_bare[line]);
        if new[line].ends_with('\n') {
            text.push_str(ending);
        }
    }
    text
}

fn without_ending(line: &str) -> &str {
    ending_of(line).map_or(line, |ending| &line[..line.len() - ending.len()])
}

fn ending_of(line: &str) -> Option<&'static str> {
    if line.ends_with("\r\n") {
        Some("\r\n")
    } else if line.ends_with('\n') {
        Some("\n")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &str, after: &str) {
        let edited = edited(before, |plain| Ok::<_, ()>(plain.replace("b\n", "b\nc\n"))).unwrap();
        assert_eq!(edited, after);
    }

    #[test]
    fn lines_that_stay_keep_their_endings_and_new_ones_take_the_usual_one() {
        check("a\r\nb\r\n가", "a\r\nb\r\nc\r\n가");
        check("a\nb\n가\n", "a\nb\nc\n가\n");
        check("a\r\nb\nd\r\ne\r\n", "a\r\nb\nc\r\nd\r\ne\r\n");
        check("\u{feff}a\r\nb\r\n", "\u{feff}a\r\nb\r\nc\r\n");
    }

    #[test]
    fn an_edit_that_changes_nothing_gives_back_the_same_bytes() {
        for text in ["", "\u{feff}", "a\r\n\n\r\nb", "\r\r\n"] {
            assert_eq!(edited(text, |plain| Ok::<_, ()>(plain.to_owned())).unwrap(), text);
        }
    }
}

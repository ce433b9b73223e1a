//! Just enough of Rust's grammar to count lines and find words: comments, texts, braces.

/// A function and how many lines it takes, from `fn` to its closing brace, rows of data apart.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) line: usize,
    pub(super) lines: usize,
}

enum Piece {
    Code,
    Comment(usize),
    Literal(usize),
}

/// The source with comments turned into spaces and texts into underscores. Lines stay where they are.
pub(super) fn mask(source: &str) -> String {
    let chars: Vec<char> = source.chars().collect();
    let mut masked = String::with_capacity(source.len());
    let mut at = 0;
    while at < chars.len() {
        let begins_word = at == 0 || !is_word(chars[at - 1]);
        let (length, fill) = match piece(&chars[at..], begins_word) {
            Piece::Code => (1, None),
            Piece::Comment(length) => (length, Some(' ')),
            Piece::Literal(length) => (length, Some('_')),
        };
        let end = (at + length).min(chars.len());
        for &c in &chars[at..end] {
            masked.push(fill.filter(|_| c != '\n').unwrap_or(c));
        }
        at = end;
    }
    masked
}

/// Masked source with the items under `#[cfg(test)]` turned into spaces.
pub(super) fn without_tests(masked: &str) -> String {
    let mut rest = masked;
    let mut kept = String::with_capacity(masked.len());
    let next =
        |text: &str| ["#[cfg(test)]", "#[cfg(all(test"].iter().filter_map(|mark| text.find(mark)).min();
    while let Some(start) = next(rest) {
        let end = start + item_length(&rest[start..]);
        kept.push_str(&rest[..start]);
        kept.extend(rest[start..end].chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        rest = &rest[end..];
    }
    kept + rest
}

/// The functions in masked source, also those inside others.
pub(super) fn functions(masked: &str) -> Vec<Function> {
    let mut found = Vec::new();
    for (start, _) in masked.match_indices("fn ") {
        let name: String = masked[start + 3..].chars().take_while(|c| is_word(*c)).collect();
        let begins_word = !masked[..start].ends_with(is_word);
        let Some(body) = begins_word.then(|| body_of(&masked[start..])).flatten() else { continue };
        if !name.is_empty() {
            let line = line_of(masked, start);
            let lines = body.lines().filter(|line| !is_data(line)).count();
            found.push(Function { name, line, lines });
        }
    }
    found
}

/// The number of the line that holds this place, from 1.
pub(super) fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// Whether a masked line holds nothing but texts and numbers: a row of a table.
pub(super) fn is_data(line: &str) -> bool {
    let row = line.trim();
    !row.is_empty() && row.chars().all(|c| matches!(c, '_' | ',' | '.' | '-' | ' ' | '0'..='9'))
}

/// Whether a character belongs to a name.
pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn piece(rest: &[char], begins_word: bool) -> Piece {
    match rest {
        ['/', '/', ..] => Piece::Comment(rest.iter().position(|c| *c == '\n').unwrap_or(rest.len())),
        ['/', '*', ..] => Piece::Comment(block_comment_length(rest)),
        ['"', ..] => Piece::Literal(text_length(rest)),
        ['\'', '\\', _, more @ ..] => {
            Piece::Literal(4 + more.iter().position(|c| *c == '\'').unwrap_or(more.len()))
        }
        ['\'', _, '\'', ..] => Piece::Literal(3),
        ['r', ..] | ['b' | 'c', 'r', ..] if begins_word => {
            raw_text_length(rest).map_or(Piece::Code, Piece::Literal)
        }
        _ => Piece::Code,
    }
}

fn block_comment_length(rest: &[char]) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < rest.len() {
        match rest[at..] {
            ['/', '*', ..] => depth += 1,
            ['*', '/', ..] => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}

fn text_length(rest: &[char]) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            '\\' => at += 2,
            '"' => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// The length of `r"…"`, `br#"…"#` and their like; none for a name that merely begins like one.
fn raw_text_length(rest: &[char]) -> Option<usize> {
    let marks = rest.iter().position(|c| *c == 'r')? + 1;
    let hashes = rest[marks..].iter().take_while(|c| **c == '#').count();
    let start = marks + hashes;
    if rest.get(start) != Some(&'"') {
        return None;
    }
    let closes = |at: usize| {
        rest[at] == '"' && rest[at + 1..].iter().take(hashes).filter(|c| **c == '#').count() == hashes
    };
    let end = (start + 1..rest.len()).find(|at| closes(*at))?;
    Some(end + 1 + hashes)
}

/// How far an item reaches: to the brace that closes it, or to its semicolon.
fn item_length(masked: &str) -> usize {
    let mut depth = 0_i32;
    for (at, c) in masked.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 && matches!(c, '}' | ';') {
            return at + 1;
        }
    }
    masked.len()
}

/// A function with its body; none for one that is only declared.
fn body_of(masked: &str) -> Option<&str> {
    let item = &masked[..item_length(masked)];
    item.ends_with('}').then_some(item)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_texts_are_masked_and_lines_stay() {
        for (source, masked) in [
            ("a // b\nc", "a     \nc"),
            ("a /* b /* c */ \n */ d", "a              \n    d"),
            (r#"f("a\"{b", x)"#, "f(_______, x)"),
            (r##"f(r#"a"b"#, br"c")"##, "f(________, _____)"),
            ("'a' '\\'' '\\u{41}' &'a str", "___ ____ ________ &'a str"),
            ("red(r) bread", "red(r) bread"),
        ] {
            assert_eq!(mask(source), masked, "{source:?}");
        }
    }

    #[test]
    fn test_items_vanish_and_what_follows_stays() {
        let source =
            "fn a() {}\n#[cfg(test)]\nmod tests {\n  fn b() {}\n}\nfn c() {}\n#[cfg(test)]\nmod d;\n";
        assert_eq!(
            without_tests(source).split_whitespace().collect::<Vec<_>>(),
            ["fn", "a()", "{}", "fn", "c()", "{}"]
        );
        assert_eq!(without_tests(source).matches('\n').count(), source.matches('\n').count());
    }

    #[test]
    fn functions_are_measured_from_name_to_brace() {
        let source = "fn one() { 1 }\ntrait T {\n    fn declared(&self, x: [u8; 3]);\n}\nfn two(f: fn (u8)) {\n    if x {\n    }\n}\n";
        let found: Vec<_> = functions(source)
            .into_iter()
            .map(|function| (function.name, function.line, function.lines))
            .collect();
        assert_eq!(found, [("one".to_owned(), 1, 1), ("two".to_owned(), 5, 4)]);
    }
}

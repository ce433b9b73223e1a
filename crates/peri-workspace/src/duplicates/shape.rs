//! A line reduced to what makes it the same as another.

use crate::source::{Line, Source, is_word, is_word_start};

/// Words that shape code in most languages; all other names are alike.
const KEYWORDS: &[&str] = &[
    "if",
    "else",
    "elif",
    "for",
    "while",
    "loop",
    "match",
    "switch",
    "case",
    "return",
    "fn",
    "func",
    "fun",
    "def",
    "function",
    "let",
    "const",
    "var",
    "val",
    "mut",
    "struct",
    "enum",
    "class",
    "trait",
    "impl",
    "interface",
    "type",
    "try",
    "catch",
    "except",
    "finally",
    "throw",
    "raise",
    "async",
    "await",
    "yield",
    "break",
    "continue",
    "new",
    "in",
    "not",
    "and",
    "or",
    "is",
    "None",
    "Some",
    "Ok",
    "Err",
    "nil",
    "null",
    "true",
    "false",
    "True",
    "False",
    "self",
    "this",
    "where",
    "as",
    "assert",
    "select",
    "from",
    "insert",
    "update",
    "delete",
    "create",
    "table",
];

/// What begins lines that only say where names come from.
const IMPORTS: &[&str] = &[
    "use ",
    "pub use ",
    "pub(crate) use ",
    "import ",
    "from ",
    "export * from",
    "#include",
    "package ",
    "using ",
    "mod ",
    "pub mod ",
    "require",
    "extern crate",
];

/// A line worth comparing.
pub(super) struct Shaped {
    pub(super) number: usize,
    /// The line itself, spaces evened out and comments gone.
    pub(super) exact: String,
    /// The line with names, numbers and texts made alike.
    pub(super) shape: String,
    /// How much the line says by itself, from 0 to 1.
    pub(super) substance: f32,
}

/// The lines of a source that can be repeated: neither blank, nor comments, nor imports.
pub(super) fn shaped(source: &Source) -> Vec<Shaped> {
    let mut open_import = false;
    let mut lines = Vec::new();
    for line in source.lines() {
        let code = line.code.trim();
        if code.is_empty() {
            continue;
        }
        if open_import {
            open_import = !code.contains(['}', ')', ';']);
            continue;
        }
        if IMPORTS.iter().any(|import| code.starts_with(import)) {
            open_import = code.ends_with(['{', '(']);
            continue;
        }
        lines.push(shape(line));
    }
    lines
}

fn shape(line: Line<'_>) -> Shaped {
    // A comment at the end is spaces in the code, so the line ends where the code does.
    let end = line.code.trim_end().len();
    let exact = line.text[..end].split_whitespace().collect::<Vec<_>>().join(" ");
    let (mut shape, mut names, mut others) = (String::new(), 0, 0);
    let mut rest = line.code.trim();
    while let Some(c) = rest.chars().next() {
        let bytes = if is_word(c) { rest.find(|c| !is_word(c)).unwrap_or(rest.len()) } else { c.len_utf8() };
        let piece = &rest[..bytes];
        if is_word_start(c) {
            let inside_text = piece.bytes().all(|byte| byte == b'_');
            if KEYWORDS.contains(&piece) {
                shape.push_str(piece);
                shape.push(' ');
                names += 1;
            } else if !inside_text {
                shape.push('i');
                names += 1;
            } else {
                others += 1;
            }
        } else if is_word(c) {
            shape.push('0');
            others += 1;
        } else if !c.is_whitespace() {
            shape.push(c);
        }
        rest = &rest[bytes..];
    }
    Shaped { number: line.number, exact, substance: substance(&shape, names, others), shape }
}

/// Closing braces say nothing, rows of tables and plain fields little.
fn substance(shape: &str, names: usize, others: usize) -> f32 {
    match (names, others) {
        (0, 0) => 0.0,
        (0, _) => 0.1,
        (1, 0) => 0.3,
        _ if is_row(shape) => 0.2,
        _ => 1.0,
    }
}

/// A field, an argument or an entry of a table: a name with a plain value, and no more than one call.
fn is_row(shape: &str) -> bool {
    let is_part = shape.ends_with([',', '[', '(']) || (shape.ends_with(';') && shape.starts_with("i:"));
    let plain = |c: char| "i0\"',:=[]<>&.;()|".contains(c);
    let few = |mark: char| shape.matches(mark).count() <= 1;
    is_part && shape.chars().all(plain) && few('(') && few('.')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;

    #[test]
    fn names_numbers_and_texts_are_alike_and_keywords_are_not() {
        let shapes = |text: &str| -> Vec<String> {
            shaped(&Source::new(text.to_owned(), Language::Rust)).into_iter().map(|line| line.shape).collect()
        };
        assert_eq!(shapes("let a = f(1, \"x\"); // c"), shapes("let  bc = g(22, \"이름\");"));
        assert_ne!(shapes("let a = 1;"), shapes("const a = 1;"));
        assert_eq!(shapes("use a::{\n    b,\n};\n\n// c\n"), Vec::<String>::new());
    }

    #[test]
    fn spaces_and_comments_do_not_make_lines_differ() {
        let lines = shaped(&Source::new("a( b ) // c\na( b )\n\ta( b )\n".to_owned(), Language::Rust));
        assert!(lines.iter().all(|line| line.exact == "a( b )"));
    }
}

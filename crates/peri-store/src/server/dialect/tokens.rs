//! The words and signs of a statement.

use super::Untranslatable;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A keyword, a name or a number.
    Word,
    /// A text, or a name in quotes; never touched.
    Quoted,
    /// The place of a parameter.
    Place,
    Symbol,
}

/// One word or sign, and whether there was space or a comment before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) text: String,
    pub(super) spaced: bool,
}

impl Token {
    pub(super) fn symbol(text: &str) -> Self {
        Self { kind: Kind::Symbol, text: text.to_owned(), spaced: true }
    }

    /// Whether it is this word, however it is written, or this sign.
    pub(super) fn is(&self, word: &str) -> bool {
        matches!(self.kind, Kind::Word | Kind::Symbol) && self.text.eq_ignore_ascii_case(word)
    }
}

/// Takes a statement apart.
pub(super) fn read(sql: &str) -> Result<Vec<Token>, Untranslatable> {
    let mut tokens = Vec::new();
    let mut rest = sql;
    let mut spaced = false;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            _ if first.is_whitespace() => first.len_utf8(),
            '-' if rest.starts_with("--") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => {
                rest.find("*/").map(|at| at + 2).ok_or_else(|| unended("comment"))?
            }
            _ => 0,
        };
        if length > 0 {
            spaced = true;
            rest = &rest[length..];
            continue;
        }
        let (kind, length) = match first {
            '\'' | '"' | '`' => (Kind::Quoted, quoted(rest, first)?),
            '?' => (Kind::Place, 1 + run(&rest[1..], |letter| letter.is_ascii_digit())),
            _ if is_word(first) => (Kind::Word, run(rest, is_word)),
            _ => (Kind::Symbol, first.len_utf8()),
        };
        let (text, after) = rest.split_at(length);
        tokens.push(Token { kind, text: text.to_owned(), spaced });
        rest = after;
        spaced = false;
    }
    Ok(tokens)
}

fn unended(what: &str) -> Untranslatable {
    Untranslatable(format!("a {what} in the statement does not end"))
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn run(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|letter| !belongs(letter)).unwrap_or(text.len())
}

/// The length of what is quoted, where a quote is doubled inside.
fn quoted(text: &str, quote: char) -> Result<usize, Untranslatable> {
    let mut at = 1;
    while let Some(found) = text[at..].find(quote) {
        at += found + 1;
        if !text[at..].starts_with(quote) {
            return Ok(at);
        }
        at += 1;
    }
    Err(unended("text"))
}

/// Puts a statement together again.
pub(super) fn written(tokens: &[Token]) -> String {
    let mut sql = String::new();
    for token in tokens {
        if token.spaced && !sql.is_empty() {
            sql.push(' ');
        }
        sql += &token.text;
    }
    sql
}

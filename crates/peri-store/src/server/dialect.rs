//! From SQLite's dialect, in which statements are written once, to that of a server.
//!
//! Only what the store's statements use is translated; what cannot be is an error rather than a guess. Three things
//! stay different and are for the statements to mind: PostgreSQL's `greatest` and `least` skip NULL where SQLite's
//! `max` and `min` give NULL, servers sort NULL in other places, and MySQL sees in an assignment what an earlier one
//! of the same statement has set.

mod conflict;
mod tokens;

#[cfg(test)]
mod tests;

use super::driver::Failure;
use tokens::{Kind, Token, read};

/// Whose dialect a statement is translated to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Postgres,
    Mysql,
}

/// How MySQL's counts become the number of rows that a statement changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counting {
    /// As the server says.
    Affected,
    /// The rows that were found, whether or not anything in them became different.
    Matched,
    /// The rows that were given, each of them inserted or updated.
    Given,
}

/// A statement in a server's dialect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Translation {
    pub(super) sql: String,
    /// Which of the caller's parameters, counted from zero, fills each place of the statement.
    pub(super) places: Vec<usize>,
    pub(super) counting: Counting,
}

/// Why a statement has no translation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Untranslatable(pub(super) String);

impl From<Untranslatable> for Failure {
    fn from(Untranslatable(detail): Untranslatable) -> Self {
        Self::Refused { code: "dialect".to_owned(), detail }
    }
}

/// Words that MySQL or MariaDB reserve and our tables use, or are likely to.
const RESERVED: [&str; 12] = [
    "change",
    "condition",
    "groups",
    "key",
    "keys",
    "lines",
    "purge",
    "release",
    "signal",
    "system",
    "trigger",
    "usage",
];

/// Translates one statement.
pub(super) fn translate(sql: &str, target: Target) -> Result<Translation, Untranslatable> {
    let mut tokens = read(sql)?;
    drop_index_hints(&mut tokens);
    rename_functions(&mut tokens, target);
    rename_types(&mut tokens, target);
    join_plainly(&mut tokens, target);
    compare_with_null(&mut tokens, target);
    let counting = conflict::translate(&mut tokens, target)?;
    if target == Target::Mysql {
        quote_reserved(&mut tokens);
    }
    let places = number_places(&mut tokens, target)?;
    Ok(Translation { sql: tokens::written(&tokens), places, counting })
}

/// `INDEXED BY name` is advice to SQLite's planner alone.
fn drop_index_hints(tokens: &mut Vec<Token>) {
    while let Some(at) = tokens.windows(2).position(|two| two[0].is("INDEXED") && two[1].is("BY")) {
        tokens.drain(at..(at + 3).min(tokens.len()));
    }
}

/// `max` and `min` of several values, and `ifnull`.
fn rename_functions(tokens: &mut [Token], target: Target) {
    for at in 0..tokens.len().saturating_sub(1) {
        if !tokens[at + 1].is("(") {
            continue;
        }
        let name = tokens[at].text.to_ascii_lowercase();
        let new = match name.as_str() {
            "max" if arguments(tokens, at + 1) > 1 => "greatest",
            "min" if arguments(tokens, at + 1) > 1 => "least",
            "ifnull" if target == Target::Postgres => "coalesce",
            _ => continue,
        };
        new.clone_into(&mut tokens[at].text);
    }
}

/// How many arguments there are in the parentheses that open here.
fn arguments(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0;
    let mut commas = 0;
    for token in &tokens[open..] {
        match token.text.as_str() {
            "(" => depth += 1,
            ")" => depth -= 1,
            "," if depth == 1 => commas += 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    commas + 1
}

/// The types in `CAST(… AS type)`.
fn rename_types(tokens: &mut [Token], target: Target) {
    let mut casts = Vec::new();
    let mut depth = 0;
    for at in 0..tokens.len() {
        if tokens[at].is("(") {
            depth += 1;
            if at > 0 && tokens[at - 1].is("CAST") {
                casts.push(depth);
            }
        } else if tokens[at].is(")") {
            casts.retain(|cast| *cast != depth);
            depth -= 1;
        } else if tokens[at].is("AS") && casts.last() == Some(&depth) && at + 1 < tokens.len() {
            let name = tokens[at + 1].text.to_ascii_uppercase();
            let new = match (name.as_str(), target) {
                ("INTEGER", Target::Postgres) => "bigint",
                ("INTEGER", Target::Mysql) => "signed",
                ("TEXT", Target::Mysql) => "char",
                ("BLOB", Target::Postgres) => "bytea",
                ("BLOB", Target::Mysql) => "binary",
                ("REAL", Target::Postgres) => "double precision",
                ("REAL", Target::Mysql) => "double",
                _ => continue,
            };
            new.clone_into(&mut tokens[at + 1].text);
        }
    }
}

/// `CROSS JOIN … ON`, which tells SQLite the order of a join, is a plain join to PostgreSQL.
fn join_plainly(tokens: &mut Vec<Token>, target: Target) {
    if target != Target::Postgres {
        return;
    }
    let mut at = 0;
    while at + 1 < tokens.len() {
        if tokens[at].is("CROSS") && tokens[at + 1].is("JOIN") {
            let ends = ["JOIN", "WHERE", "GROUP", "ORDER", "LIMIT", "UNION", ")"];
            let next =
                tokens[at + 2..].iter().find(|token| token.is("ON") || ends.iter().any(|end| token.is(end)));
            if next.is_some_and(|token| token.is("ON")) {
                tokens.remove(at);
            }
        }
        at += 1;
    }
}

/// `IS ?` and `IS NOT ?`, which also compare with NULL.
fn compare_with_null(tokens: &mut Vec<Token>, target: Target) {
    let mut at = 0;
    while at + 1 < tokens.len() {
        let negated = tokens[at + 1].is("NOT");
        let value = at + if negated { 2 } else { 1 };
        if tokens[at].is("IS") && tokens.get(value).is_some_and(|token| token.kind == Kind::Place) {
            match (target, negated) {
                (Target::Postgres, false) => replace(tokens, at..value, "IS NOT DISTINCT FROM"),
                (Target::Postgres, true) => replace(tokens, at..value, "IS DISTINCT FROM"),
                (Target::Mysql, false) => replace(tokens, at..value, "<=>"),
                (Target::Mysql, true) => {
                    tokens.insert(value + 1, Token::symbol(")"));
                    replace(tokens, at..value, "<=>");
                    tokens.insert(operand(tokens, at), Token::symbol("NOT ("));
                }
            }
        }
        at += 1;
    }
}

/// Where the operand that ends before `end` begins: a name with its table, a value, or a call.
fn operand(tokens: &[Token], end: usize) -> usize {
    let mut at = end.saturating_sub(1);
    if tokens[at].is(")") {
        let mut depth = 1;
        while at > 0 && depth > 0 {
            at -= 1;
            depth += i32::from(tokens[at].is(")")) - i32::from(tokens[at].is("("));
        }
        if at > 0 && tokens[at - 1].kind == Kind::Word && !tokens[at].spaced {
            at -= 1;
        }
    }
    while at > 1 && tokens[at - 1].is(".") {
        at -= 2;
    }
    at
}

fn replace(tokens: &mut Vec<Token>, range: std::ops::Range<usize>, text: &str) {
    tokens.splice(range, [Token::symbol(text)]);
}

fn quote_reserved(tokens: &mut [Token]) {
    for at in 0..tokens.len() {
        let token = &tokens[at];
        let reserved = token.kind == Kind::Word && RESERVED.iter().any(|word| token.is(word));
        let is_syntax = at > 0
            && ["PRIMARY", "FOREIGN", "UNIQUE", "DUPLICATE"].iter().any(|word| tokens[at - 1].is(word));
        if reserved && !is_syntax {
            tokens[at].text = format!("`{}`", tokens[at].text);
            tokens[at].kind = Kind::Quoted;
        }
    }
}

/// Writes the places of parameters as the server wants them. A plain `?` is the one after the highest so far.
fn number_places(tokens: &mut [Token], target: Target) -> Result<Vec<usize>, Untranslatable> {
    let mut highest = 0;
    let mut numbers = Vec::new();
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == Kind::Place) {
        let number = match &token.text[1..] {
            "" => highest + 1,
            digits => {
                digits.parse().ok().filter(|number| (1..=65_535).contains(number)).ok_or_else(|| {
                    Untranslatable(format!("{} is not the place of a parameter", token.text))
                })?
            }
        };
        highest = highest.max(number);
        numbers.push((at, number));
    }
    match target {
        Target::Mysql => {
            for (at, _) in &numbers {
                "?".clone_into(&mut tokens[*at].text);
            }
            Ok(numbers.into_iter().map(|(_, number)| number - 1).collect())
        }
        Target::Postgres => Ok(number_each(tokens, &numbers, highest)),
    }
}

/// Writes `$1` and so on. Where a parameter is asked whether it is NULL, it gets a place of its own, because
/// PostgreSQL cannot tell there which type it has, and then says so even if that is plain elsewhere.
fn number_each(tokens: &mut [Token], numbers: &[(usize, usize)], highest: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..highest).collect();
    let asked: Vec<bool> = numbers.iter().map(|(at, _)| is_asked_for_null(tokens, *at)).collect();
    let is_plain =
        |number: usize| numbers.iter().zip(&asked).any(|((_, other), asked)| *other == number && !asked);
    for ((at, number), asked) in numbers.iter().zip(&asked) {
        tokens[*at].text = match (asked, is_plain(*number)) {
            (false, _) => format!("${number}"),
            (true, false) => format!("${number}::text"),
            (true, true) => {
                places.push(number - 1);
                format!("${}::text", places.len())
            }
        };
    }
    places
}

fn is_asked_for_null(tokens: &[Token], place: usize) -> bool {
    let is = |offset: usize, word: &str| tokens.get(place + offset).is_some_and(|token| token.is(word));
    is(1, "IS") && (is(2, "NULL") || is(2, "NOT") && is(3, "NULL"))
}

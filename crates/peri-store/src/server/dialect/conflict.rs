//! What an insert does where a row with the same key is there already.

use super::tokens::{Kind, Token};
use super::{Counting, Target, Untranslatable, replace};

/// An insert's table and columns.
struct Insert {
    table: String,
    columns: Vec<String>,
}

/// Translates `INSERT OR IGNORE` and `ON CONFLICT`, and says how the statement's rows are counted.
pub(super) fn translate(tokens: &mut Vec<Token>, target: Target) -> Result<Counting, Untranslatable> {
    if tokens.first().is_some_and(|token| token.is("UPDATE")) {
        if tokens.get(1).is_some_and(|token| token.is("OR")) {
            return Err(refused("UPDATE OR"));
        }
        return Ok(Counting::Matched);
    }
    if !tokens.first().is_some_and(|token| token.is("INSERT")) {
        return Ok(Counting::Affected);
    }
    let ignore = ignores(tokens)?;
    let clause = find_clause(tokens);
    if ignore {
        if clause.is_some() {
            return Err(refused("INSERT OR IGNORE with ON CONFLICT"));
        }
        tokens.drain(1..3);
        let insert = Insert::read(tokens)?;
        tokens.push(Token::symbol(&insert.nothing(target)?));
        return Ok(Counting::Affected);
    }
    let Some(start) = clause else { return Ok(Counting::Affected) };
    let insert = Insert::read(tokens)?;
    let action = after_key(tokens, start);
    if tokens[action..].iter().map(|token| token.text.to_ascii_uppercase()).eq(["DO", "NOTHING"]) {
        let end = tokens.len();
        replace(tokens, start..end, &insert.nothing(target)?);
        return Ok(Counting::Affected);
    }
    let words = tokens.get(action..action + 3).unwrap_or_default();
    if words.len() < 3 || !(words[0].is("DO") && words[1].is("UPDATE") && words[2].is("SET")) {
        return Err(refused("this ON CONFLICT"));
    }
    insert.update(tokens, action + 3, target)?;
    if target == Target::Mysql {
        replace(tokens, start..action + 3, "ON DUPLICATE KEY UPDATE");
    }
    Ok(Counting::Given)
}

fn refused(what: &str) -> Untranslatable {
    Untranslatable(format!("{what} has no translation"))
}

fn ignores(tokens: &[Token]) -> Result<bool, Untranslatable> {
    match tokens.get(1..3) {
        Some([or, ignore]) if or.is("OR") && ignore.is("IGNORE") => Ok(true),
        Some([or, other]) if or.is("OR") => Err(refused(&format!("INSERT OR {}", other.text))),
        _ => Ok(false),
    }
}

/// Where `ON CONFLICT` is, outside of parentheses.
fn find_clause(tokens: &[Token]) -> Option<usize> {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        depth += i32::from(token.is("(")) - i32::from(token.is(")"));
        if depth == 0 && token.is("ON") && tokens.get(at + 1).is_some_and(|next| next.is("CONFLICT")) {
            return Some(at);
        }
    }
    None
}

/// Behind `ON CONFLICT` and the columns of the key, if they are named.
fn after_key(tokens: &[Token], start: usize) -> usize {
    let at = start + 2;
    if !tokens.get(at).is_some_and(|token| token.is("(")) {
        return at;
    }
    tokens[at..].iter().position(|token| token.is(")")).map_or(tokens.len(), |end| at + end + 1)
}

impl Insert {
    /// Reads `INSERT INTO table (column, …)`.
    fn read(tokens: &[Token]) -> Result<Self, Untranslatable> {
        let head = tokens.get(1..4).unwrap_or_default();
        if head.len() < 3 || !head[0].is("INTO") || !head[2].is("(") {
            return Err(refused("an insert that does not name its columns"));
        }
        let columns = tokens[4..].iter().take_while(|token| !token.is(")")).filter(|token| !token.is(","));
        Ok(Self { table: head[1].text.clone(), columns: columns.map(|token| token.text.clone()).collect() })
    }

    /// The clause that leaves a row as it is. MySQL sets a column to itself, which counts as no change;
    /// `INSERT IGNORE` would hide every other error too.
    fn nothing(&self, target: Target) -> Result<String, Untranslatable> {
        let first = self.columns.first().ok_or_else(|| refused("an insert without columns"))?;
        Ok(match target {
            Target::Postgres => "ON CONFLICT DO NOTHING".to_owned(),
            Target::Mysql => {
                let column = format!("`{}`.`{first}`", self.table);
                format!("ON DUPLICATE KEY UPDATE {column} = {column}")
            }
        })
    }

    /// Makes plain whose columns the assignments from `start` on speak of: those of the row that is there, by the
    /// table's name, or those of the row that was to be inserted.
    fn update(&self, tokens: &mut Vec<Token>, start: usize, target: Target) -> Result<(), Untranslatable> {
        let mut depth = 0;
        let mut at = start;
        let mut begins = true;
        let mut own = String::new();
        let mut set: Vec<String> = Vec::new();
        while at < tokens.len() {
            let token = tokens[at].clone();
            depth += i32::from(token.is("(")) - i32::from(token.is(")"));
            if depth == 0 && (token.is("WHERE") || token.is("RETURNING")) && target == Target::Mysql {
                return Err(refused(&format!("ON CONFLICT DO UPDATE with {}", token.text)));
            }
            if begins {
                own = token.text.to_ascii_lowercase();
                set.push(own.clone());
            } else if token.is("excluded") && target == Target::Mysql {
                let column = tokens.get(at + 2).map(|token| token.text.clone()).unwrap_or_default();
                let value = [Token::symbol("VALUES"), bare("("), word(&column), bare(")")];
                tokens.splice(at..(at + 3).min(tokens.len()), value);
                at += 3;
            } else if token.is("excluded") {
                at += 2;
            } else if let Some(column) = self.column(tokens, at) {
                if target == Target::Mysql && column != own && set.contains(&column) {
                    return Err(refused("an assignment that reads a column which was set before it"));
                }
                if !tokens[at - 1].is(".") {
                    tokens.splice(
                        at..=at,
                        [Token { text: self.table.clone(), ..token.clone() }, bare("."), word(&token.text)],
                    );
                    at += 2;
                }
            }
            begins = depth == 0 && token.is(",");
            at += 1;
        }
        Ok(())
    }

    /// The column of the table that is named here, if one is.
    fn column(&self, tokens: &[Token], at: usize) -> Option<String> {
        let token = &tokens[at];
        let called = tokens.get(at + 1).is_some_and(|next| next.is("(") || next.is("."));
        let known = token.kind == Kind::Word && self.columns.iter().any(|column| token.is(column));
        (known && !called).then(|| token.text.to_ascii_lowercase())
    }
}

fn bare(text: &str) -> Token {
    Token { spaced: false, ..Token::symbol(text) }
}

fn word(text: &str) -> Token {
    Token { kind: Kind::Word, text: text.to_owned(), spaced: false }
}

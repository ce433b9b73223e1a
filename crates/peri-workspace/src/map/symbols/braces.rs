//! Languages that put what belongs together between braces.

use super::{Declared, Inside, Symbol, SymbolKind};
use crate::source::Source;

/// What an open brace holds.
enum Scope {
    Body,
    Members(String),
    Same,
}

/// Looks at each line that begins where declarations may stand: at the top, in a namespace, or in a type.
pub(super) fn scan(
    source: &Source,
    declared: for<'a> fn(&'a str, Option<&str>) -> Option<Declared<'a>>,
) -> Vec<Symbol> {
    let mut found: Vec<Symbol> = Vec::new();
    let mut scopes: Vec<Scope> = Vec::new();
    let mut pending = None;
    // Inside parentheses a line is part of something that began before.
    let mut parentheses = 0_i32;
    for line in source.lines() {
        let code = line.code.trim();
        let owner = match scopes.last() {
            None | Some(Scope::Same) => Some(None),
            Some(Scope::Members(owner)) => Some(Some(owner.as_str())),
            Some(Scope::Body) => None,
        };
        if let Some(owner) = owner.filter(|_| parentheses <= 0 && !code.is_empty())
            && let Some(it) = declared(code, owner)
        {
            if let Some(kind) = it.kind {
                found.push(symbol(&it, kind, owner, line.number));
            }
            pending = Some(match it.inside {
                Inside::Body => Scope::Body,
                Inside::Members => Scope::Members(it.name.to_owned()),
                Inside::Same => Scope::Same,
            });
        }
        for byte in code.bytes() {
            match byte {
                b'(' | b'[' => parentheses += 1,
                b')' | b']' => parentheses = (parentheses - 1).max(0),
                b'{' => scopes.push(pending.take().unwrap_or(Scope::Body)),
                b'}' => {
                    scopes.pop();
                    pending = None;
                    parentheses = 0;
                }
                b';' if parentheses == 0 => pending = None,
                _ => {}
            }
        }
    }
    found
}

fn symbol(it: &Declared<'_>, kind: SymbolKind, owner: Option<&str>, line: usize) -> Symbol {
    let kind = match (kind, owner) {
        (SymbolKind::Function, Some(_)) => SymbolKind::Method,
        (kind, _) => kind,
    };
    Symbol {
        name: it.name.to_owned(),
        kind,
        line,
        visibility: it.visibility,
        owner: owner.map(str::to_owned),
    }
}

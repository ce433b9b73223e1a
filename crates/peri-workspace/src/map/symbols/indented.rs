//! Languages in which indentation tells what belongs together.

use super::words::{name, skip, word};
use super::{Symbol, SymbolKind, Visibility};
use crate::source::{Source, is_word};

/// A declaration and whether others may stand inside it.
pub(super) struct Indented<'a> {
    name: &'a str,
    kind: SymbolKind,
    visibility: Visibility,
    holds_methods: bool,
}

pub(super) fn scan(source: &Source, declared: for<'a> fn(&'a str) -> Option<Indented<'a>>) -> Vec<Symbol> {
    let mut found: Vec<Symbol> = Vec::new();
    // Open declarations by their indentation; the name is that of a type whose methods are wanted.
    let mut open: Vec<(usize, Option<String>)> = Vec::new();
    for line in source.lines() {
        let code = line.code.trim_start();
        if code.trim_end().is_empty() {
            continue;
        }
        let indent = line.code.len() - code.len();
        while open.last().is_some_and(|(above, _)| *above >= indent) {
            open.pop();
        }
        let Some(it) = declared(code.trim_end()) else { continue };
        let owner = match open.last() {
            None if indent == 0 => None,
            Some((_, Some(owner))) => Some(owner.clone()),
            _ => {
                open.push((indent, None));
                continue;
            }
        };
        let inner = it.holds_methods.then(|| it.name.to_owned());
        if it.kind != SymbolKind::Constant {
            open.push((indent, inner));
        } else if owner.is_some() {
            continue;
        }
        let kind =
            if it.kind == SymbolKind::Function && owner.is_some() { SymbolKind::Method } else { it.kind };
        found.push(Symbol {
            name: it.name.to_owned(),
            kind,
            line: line.number,
            visibility: it.visibility,
            owner,
        });
    }
    found
}

pub(super) fn python(code: &str) -> Option<Indented<'_>> {
    let of = |name: &str| if name.starts_with('_') { Visibility::Private } else { Visibility::Public };
    let (rest, _) = skip(code, &["async"]);
    if let Some((name, _)) = word(rest, "def").and_then(name) {
        return Some(Indented {
            name,
            kind: SymbolKind::Function,
            visibility: of(name),
            holds_methods: false,
        });
    }
    if let Some((name, _)) = word(code, "class").and_then(name) {
        return Some(Indented { name, kind: SymbolKind::Class, visibility: of(name), holds_methods: true });
    }
    let (name, rest) = name(code)?;
    // `NAME = …` and `NAME: int = …`; other assignments are not meant as constants.
    let is_constant = name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase);
    let assigned = (rest.starts_with('=') && !rest.starts_with("==")) || rest.starts_with(':');
    (is_constant && assigned).then(|| Indented {
        name,
        kind: SymbolKind::Constant,
        visibility: of(name),
        holds_methods: false,
    })
}

pub(super) fn ruby(code: &str) -> Option<Indented<'_>> {
    let visibility = Visibility::Public;
    if let Some(rest) = word(code, "def") {
        let (name, _) = name(rest.strip_prefix("self.").unwrap_or(rest))?;
        return Some(Indented { name, kind: SymbolKind::Function, visibility, holds_methods: false });
    }
    let (rest, kind) = match (word(code, "class"), word(code, "module")) {
        (Some(rest), _) => (rest, SymbolKind::Class),
        (_, Some(rest)) => (rest, SymbolKind::Type),
        _ => return None,
    };
    let end = rest.find(|c: char| !is_word(c) && c != ':').unwrap_or(rest.len());
    let name = rest[..end].rsplit("::").next().filter(|name| !name.is_empty())?;
    Some(Indented { name, kind, visibility, holds_methods: true })
}

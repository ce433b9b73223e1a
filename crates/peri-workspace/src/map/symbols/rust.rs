//! Declarations in Rust.

use super::words::{name, skip, word};
use super::{Declared, Inside, SymbolKind, Visibility};

const MODIFIERS: &[&str] = &["async", "unsafe", "default", "safe"];

/// What a line declares. Inside a type only functions and constants are declarations.
pub(super) fn declared<'a>(code: &'a str, owner: Option<&str>) -> Option<Declared<'a>> {
    let (code, visibility) = visibility(attributes(code));
    let (code, _) = skip(code, MODIFIERS);
    let (code, _) =
        skip(word(code, "const").filter(|rest| word(rest, "fn").is_some()).unwrap_or(code), MODIFIERS);
    let code = word(code, "extern")
        .and_then(|rest| rest.strip_prefix('"')?.split_once('"'))
        .map_or(code, |(_, rest)| rest.trim_start());
    let simple = |kind, rest: &'a str, inside| {
        let (name, _) = name(rest)?;
        Some(Declared { name, kind: Some(kind), visibility, inside })
    };
    if let Some(rest) = word(code, "fn") {
        return simple(SymbolKind::Function, rest, Inside::Body);
    }
    let constant = word(code, "const").or_else(|| word(code, "static"));
    if let Some(rest) = constant {
        return simple(SymbolKind::Constant, word(rest, "mut").unwrap_or(rest), Inside::Body);
    }
    if owner.is_some() {
        return None;
    }
    if let Some(rest) = word(code, "impl") {
        return Some(Declared { name: implemented(rest), kind: None, visibility, inside: Inside::Members });
    }
    if let Some(rest) = word(code, "mod") {
        let (name, _) = name(rest)?;
        let inside = if name.contains("test") { Inside::Body } else { Inside::Same };
        return Some(Declared { name, kind: None, visibility, inside });
    }
    if let Some(rest) = code.strip_prefix("macro_rules!") {
        return simple(SymbolKind::Macro, rest.trim_start(), Inside::Body);
    }
    let kinds = [
        ("struct", SymbolKind::Type, Inside::Body),
        ("union", SymbolKind::Type, Inside::Body),
        ("type", SymbolKind::Type, Inside::Body),
        ("enum", SymbolKind::Enum, Inside::Body),
        ("trait", SymbolKind::Interface, Inside::Members),
    ];
    kinds.iter().find_map(|(keyword, kind, inside)| simple(*kind, word(code, keyword)?, *inside))
}

/// The line behind attributes that stand on it.
fn attributes(mut code: &str) -> &str {
    while let Some((_, rest)) = code.strip_prefix("#[").and_then(|rest| rest.split_once(']')) {
        code = rest.trim_start();
    }
    code
}

fn visibility(code: &str) -> (&str, Visibility) {
    match word(code, "pub") {
        // `pub(crate)` and its like are for the crate alone.
        Some(rest) if rest.starts_with('(') => {
            (rest.split_once(')').map_or(rest, |(_, rest)| rest.trim_start()), Visibility::Private)
        }
        Some(rest) => (rest, Visibility::Public),
        None => (code, Visibility::Private),
    }
}

/// The type that an `impl` is about: the last name before its parameters.
fn implemented(rest: &str) -> &str {
    let rest = skip_parameters(rest);
    let about = rest.split_once(" for ").map_or(rest, |(_, about)| about).trim_start();
    let end = about.find(['<', '{', ' ']).unwrap_or(about.len());
    let path = about[..end].trim_start_matches(['&', '(', '[']);
    path.rsplit("::").next().unwrap_or(path).trim_end_matches([')', ']', ','])
}

fn skip_parameters(rest: &str) -> &str {
    if !rest.starts_with('<') {
        return rest;
    }
    let mut depth = 0;
    for (at, c) in rest.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if !rest[..at].ends_with('-') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return rest[at + 1..].trim_start();
        }
    }
    rest
}

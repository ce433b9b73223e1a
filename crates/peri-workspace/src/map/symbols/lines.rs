//! Languages whose declarations one line tells.

use super::words::{name, skip, word};
use super::{Declared, Inside, Symbol, SymbolKind, Visibility};
use crate::source::{Source, is_word, words};

use Visibility::{Private, Public};

/// Looks at every line that begins without indentation.
pub(super) fn scan(source: &Source, declared: fn(&str) -> Option<Symbol>) -> Vec<Symbol> {
    let lines = source.lines().filter(|line| !line.code.starts_with([' ', '\t', '}', ')']));
    lines.filter_map(|line| Some(Symbol { line: line.number, ..declared(line.code.trim_end())? })).collect()
}

fn plain(name: &str, kind: SymbolKind, visibility: Visibility) -> Symbol {
    Symbol { name: name.to_owned(), kind, line: 0, visibility, owner: None }
}

fn declares<'a>(
    rest: &'a str,
    kind: SymbolKind,
    visibility: Visibility,
    inside: Inside,
) -> Option<Declared<'a>> {
    let (name, _) = name(rest)?;
    Some(Declared { name, kind: Some(kind), visibility, inside })
}

/// TypeScript and JavaScript. What is exported is public.
pub(super) fn script<'a>(code: &'a str, owner: Option<&str>) -> Option<Declared<'a>> {
    if owner.is_some() {
        return method(code);
    }
    let (rest, taken) = skip(code, &["export", "default", "declare", "abstract", "async"]);
    let visibility = if taken.contains(&"export") { Public } else { Private };
    if let Some(rest) = word(rest, "function") {
        return declares(rest.trim_start_matches(['*', ' ']), SymbolKind::Function, visibility, Inside::Body);
    }
    if let Some(rest) = word(rest, "class") {
        return declares(rest, SymbolKind::Class, visibility, Inside::Members);
    }
    if let Some(rest) = word(rest, "namespace") {
        return Some(Declared { kind: None, ..declares(rest, SymbolKind::Type, visibility, Inside::Same)? });
    }
    let kinds =
        [("interface", SymbolKind::Interface), ("type", SymbolKind::Type), ("enum", SymbolKind::Enum)];
    if let Some(found) = kinds
        .iter()
        .find_map(|(keyword, kind)| declares(word(rest, keyword)?, *kind, visibility, Inside::Body))
    {
        return Some(found);
    }
    let rest = ["const", "let", "var"].iter().find_map(|keyword| word(rest, keyword))?;
    let rest = word(rest, "enum").unwrap_or(rest);
    let kind = if rest.contains("=>") || rest.contains("function") {
        SymbolKind::Function
    } else {
        SymbolKind::Constant
    };
    declares(rest, kind, visibility, Inside::Body)
}

/// A method of a class: a name, parameters, and a brace at the end of the line.
fn method(code: &str) -> Option<Declared<'_>> {
    let modifiers =
        ["public", "private", "protected", "static", "async", "override", "readonly", "get", "set"];
    let (rest, taken) = skip(code, &modifiers);
    let (name, after) = name(rest.trim_start_matches(['*', '#']))?;
    let is_method = after.starts_with(['(', '<']) && code.ends_with('{') && !is_statement(name);
    let visibility = if taken.contains(&"private") || rest.starts_with('#') { Private } else { Public };
    is_method.then_some(Declared { name, kind: Some(SymbolKind::Function), visibility, inside: Inside::Body })
}

fn is_statement(word: &str) -> bool {
    [
        "if", "for", "while", "switch", "return", "catch", "new", "else", "do", "throw", "using", "lock",
        "sizeof", "defined",
    ]
    .contains(&word)
}

/// Go. A name that begins with a capital is public.
pub(super) fn go(code: &str) -> Option<Symbol> {
    let of = |name: &str| if name.starts_with(char::is_uppercase) { Public } else { Private };
    if let Some(rest) = word(code, "func") {
        let Some(receiver) = rest.strip_prefix('(') else {
            let (name, _) = name(rest)?;
            return Some(plain(name, SymbolKind::Function, of(name)));
        };
        let (receiver, rest) = receiver.split_once(')')?;
        let owner = words(receiver.split('[').next()?).last()?;
        let (name, _) = name(rest.trim_start())?;
        return Some(Symbol { owner: Some(owner.to_owned()), ..plain(name, SymbolKind::Method, of(name)) });
    }
    if let Some((name, rest)) = word(code, "type").and_then(name) {
        let kind = if word(rest, "interface").is_some() { SymbolKind::Interface } else { SymbolKind::Type };
        return Some(plain(name, kind, of(name)));
    }
    let (name, _) = word(code, "const").or_else(|| word(code, "var")).and_then(name)?;
    Some(plain(name, SymbolKind::Constant, of(name)))
}

const JAVA_MODIFIERS: &[&str] = &[
    "public",
    "private",
    "protected",
    "internal",
    "static",
    "final",
    "abstract",
    "sealed",
    "partial",
    "async",
    "override",
    "virtual",
    "readonly",
    "synchronized",
    "native",
    "default",
    "case",
    "implicit",
    "lazy",
    "unsafe",
    "extern",
];

/// Java, C# and Scala.
pub(super) fn java<'a>(code: &'a str, owner: Option<&str>) -> Option<Declared<'a>> {
    let (rest, taken) = skip(code, JAVA_MODIFIERS);
    let visibility =
        if taken.contains(&"private") || taken.contains(&"protected") { Private } else { Public };
    if let Some(rest) = word(rest, "namespace") {
        let rest = rest.rsplit('.').next().unwrap_or(rest);
        return Some(Declared { kind: None, ..declares(rest, SymbolKind::Type, visibility, Inside::Same)? });
    }
    let kinds = [
        ("class", SymbolKind::Class),
        ("object", SymbolKind::Class),
        ("record", SymbolKind::Class),
        ("struct", SymbolKind::Type),
        ("interface", SymbolKind::Interface),
        ("trait", SymbolKind::Interface),
        ("@interface", SymbolKind::Interface),
        ("enum", SymbolKind::Enum),
    ];
    if let Some(found) = kinds
        .iter()
        .find_map(|(keyword, kind)| declares(word(rest, keyword)?, *kind, visibility, Inside::Members))
    {
        return Some(found);
    }
    if let Some(rest) = word(rest, "def") {
        return declares(rest, SymbolKind::Function, visibility, Inside::Body);
    }
    owner?;
    called(rest, visibility)
}

/// `Type name(…)` that does not end a statement.
fn called(rest: &str, visibility: Visibility) -> Option<Declared<'_>> {
    let before = &rest[..rest.find('(')?];
    let name = before.trim_end().rsplit(|c| !is_word(c)).next().filter(|name| !name.is_empty())?;
    let first = words(before).next()?;
    let is_declaration = !before.contains(['=', '.', '!', '&', '|', '?'])
        && !rest.trim_end().ends_with(';')
        && !is_statement(first)
        && !is_statement(name);
    is_declaration.then_some(Declared {
        name,
        kind: Some(SymbolKind::Function),
        visibility,
        inside: Inside::Body,
    })
}

/// Kotlin and Swift.
pub(super) fn kotlin<'a>(code: &'a str, owner: Option<&str>) -> Option<Declared<'a>> {
    let modifiers = [
        "public",
        "private",
        "fileprivate",
        "internal",
        "protected",
        "open",
        "abstract",
        "sealed",
        "data",
        "inline",
        "suspend",
        "override",
        "static",
        "final",
        "lateinit",
        "const",
        "indirect",
        "mutating",
        "operator",
        "infix",
        "companion",
        "annotation",
        "value",
        "tailrec",
        "external",
        "@objc",
        "@MainActor",
        "@discardableResult",
    ];
    let (rest, taken) = skip(code, &modifiers);
    let hidden = ["private", "fileprivate", "protected"].iter().any(|modifier| taken.contains(modifier));
    let visibility = if hidden { Private } else { Public };
    if let Some(rest) = word(rest, "fun").or_else(|| word(rest, "func")) {
        if let Some(rest) = word(rest, "interface") {
            return declares(rest, SymbolKind::Interface, visibility, Inside::Members);
        }
        // An extension is named behind its receiver: `fun String.shout()`.
        let until = rest.find('(').unwrap_or(rest.len());
        let name = rest[..until].rsplit(|c| !is_word(c)).next().filter(|name| !name.is_empty())?;
        return Some(Declared { name, kind: Some(SymbolKind::Function), visibility, inside: Inside::Body });
    }
    let kinds = [
        ("class", SymbolKind::Class),
        ("object", SymbolKind::Class),
        ("actor", SymbolKind::Class),
        ("struct", SymbolKind::Type),
        ("interface", SymbolKind::Interface),
        ("protocol", SymbolKind::Interface),
        ("enum", SymbolKind::Enum),
        ("typealias", SymbolKind::Type),
    ];
    let (kinded, _) = skip(rest, &["enum class", "fun interface"]);
    if kinded.len() < rest.len() {
        return declares(kinded, SymbolKind::Enum, visibility, Inside::Members);
    }
    if let Some(found) = kinds
        .iter()
        .find_map(|(keyword, kind)| declares(word(rest, keyword)?, *kind, visibility, Inside::Members))
    {
        return Some(found);
    }
    if let Some(rest) = word(rest, "extension") {
        return Some(Declared {
            kind: None,
            ..declares(rest, SymbolKind::Type, visibility, Inside::Members)?
        });
    }
    if owner.is_some() {
        return None;
    }
    let rest = ["val", "let", "var"].iter().find_map(|keyword| word(rest, keyword))?;
    declares(rest, SymbolKind::Constant, visibility, Inside::Body)
}

/// C and C++. What is `static` is private.
pub(super) fn c<'a>(code: &'a str, owner: Option<&str>) -> Option<Declared<'a>> {
    if let Some(rest) = code.strip_prefix("#define").map(str::trim_start) {
        let (name, after) = name(rest)?;
        // A name alone guards a header.
        return (!after.is_empty()).then_some(Declared {
            name,
            kind: Some(SymbolKind::Macro),
            visibility: Public,
            inside: Inside::Body,
        });
    }
    if code.starts_with(['#', '}']) || matches!(code, "public:" | "private:" | "protected:") {
        return None;
    }
    let (rest, taken) =
        skip(code, &["static", "inline", "extern", "constexpr", "virtual", "explicit", "typedef", "const"]);
    let visibility = if taken.contains(&"static") { Private } else { Public };
    if let Some(rest) = word(rest, "namespace") {
        let name = name(rest).map_or("", |(name, _)| name);
        return Some(Declared { name, kind: None, visibility, inside: Inside::Same });
    }
    let rest = match (word(rest, "template"), rest.split_once('>')) {
        (Some(_), Some((_, after))) => after.trim_start(),
        _ => rest,
    };
    let (enumeration, _) = skip(rest, &["enum"]);
    let kinds = [("class", SymbolKind::Class), ("struct", SymbolKind::Type), ("union", SymbolKind::Type)];
    let is_definition = !rest.trim_end().ends_with(';') && !rest.contains('(');
    if is_definition && enumeration.len() < rest.len() {
        let (rest, _) = skip(enumeration, &["class", "struct"]);
        return declares(rest, SymbolKind::Enum, visibility, Inside::Body);
    }
    let found = kinds
        .iter()
        .find_map(|(keyword, kind)| declares(word(rest, keyword)?, *kind, visibility, Inside::Members));
    match found.filter(|_| is_definition) {
        Some(found) => Some(found),
        // A call at the top is a macro; a function has a type before its name.
        None => called(rest, visibility).filter(|it| owner.is_some() || !rest.starts_with(it.name)),
    }
}

/// PHP.
pub(super) fn php<'a>(code: &'a str, _owner: Option<&str>) -> Option<Declared<'a>> {
    let (rest, taken) =
        skip(code, &["public", "private", "protected", "static", "final", "abstract", "readonly"]);
    let visibility =
        if taken.contains(&"private") || taken.contains(&"protected") { Private } else { Public };
    if let Some(rest) = word(rest, "function") {
        return declares(rest.trim_start_matches('&'), SymbolKind::Function, visibility, Inside::Body);
    }
    let kinds = [
        ("class", SymbolKind::Class),
        ("interface", SymbolKind::Interface),
        ("trait", SymbolKind::Interface),
        ("enum", SymbolKind::Enum),
    ];
    kinds
        .iter()
        .find_map(|(keyword, kind)| declares(word(rest, keyword)?, *kind, visibility, Inside::Members))
}

/// Protocol Buffers.
pub(super) fn protobuf(code: &str) -> Option<Symbol> {
    let kinds =
        [("message", SymbolKind::Type), ("service", SymbolKind::Interface), ("enum", SymbolKind::Enum)];
    kinds.iter().find_map(|(keyword, kind)| Some(plain(name(word(code, keyword)?)?.0, *kind, Public)))
}

/// SQL: what is created.
pub(super) fn sql(code: &str) -> Option<Symbol> {
    let lower = code.to_ascii_lowercase();
    let (rest, _) = skip(
        word(&lower, "create")?,
        &["or replace", "temporary", "temp", "unique", "materialized", "virtual", "global", "unlogged"],
    );
    let kinds = [
        ("table", SymbolKind::Type),
        ("view", SymbolKind::Type),
        ("type", SymbolKind::Type),
        ("function", SymbolKind::Function),
        ("procedure", SymbolKind::Function),
        ("trigger", SymbolKind::Function),
    ];
    let (kind, rest) = kinds.iter().find_map(|(keyword, kind)| Some((*kind, word(rest, keyword)?)))?;
    let (rest, _) = skip(rest, &["if not exists"]);
    // Letters keep their case: the name is cut out of the line itself.
    let name_start = code.len() - rest.len();
    let name = code[name_start..].split([' ', '(', ';', '\t']).next()?;
    let name = name.rsplit('.').next()?.trim_matches(['"', '`', '[', ']']);
    (!name.is_empty()).then(|| plain(name, kind, Public))
}

/// Shells.
pub(super) fn shell(code: &str) -> Option<Symbol> {
    if let Some((name, _)) = word(code, "function").and_then(name) {
        return Some(plain(name, SymbolKind::Function, Public));
    }
    let (name, rest) = code.split_once('(')?;
    let fits = rest.trim_start().starts_with(')')
        && !name.is_empty()
        && name.trim_end().chars().all(|c| is_word(c) || c == '-');
    fits.then(|| plain(name.trim_end(), SymbolKind::Function, Public))
}

/// Lua.
pub(super) fn lua(code: &str) -> Option<Symbol> {
    let (rest, taken) = skip(code, &["local"]);
    let rest = word(rest, "function")?;
    let name = rest[..rest.find('(')?].rsplit(['.', ':']).next()?.trim();
    (!name.is_empty())
        .then(|| plain(name, SymbolKind::Function, if taken.is_empty() { Public } else { Private }))
}

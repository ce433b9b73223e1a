//! What a file declares, found line by line.
//!
//! These are scanners, not parsers: a declaration that is spread over lines in an unusual way, made by a macro or
//! hidden by the preprocessor is missed. What is found is there.

mod braces;
mod indented;
mod lines;
mod rust;
mod words;

use serde::{Deserialize, Serialize};

use crate::language::Language;
use crate::source::Source;

/// Something that a file declares at its top level, or a method of such a thing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: SymbolKind,
    /// Where it is declared, from 1.
    pub line: usize,
    /// Who may use it, as far as the declaration tells.
    pub visibility: Visibility,
    /// The type that it stands in, as a method does.
    pub owner: Option<String>,
}

/// What a symbol is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SymbolKind {
    /// A function that belongs to nothing.
    Function,
    /// A function that belongs to a type.
    Method,
    /// A structure, union, alias, record or table.
    Type,
    /// An enumeration.
    Enum,
    /// A class.
    Class,
    /// A trait, interface or protocol.
    Interface,
    /// A constant, a static or a top-level variable.
    Constant,
    /// A macro.
    Macro,
}

/// Who may use a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Anybody.
    Public,
    /// The same package or module, or nobody else.
    Private,
}

/// A declaration as one line tells it.
struct Declared<'a> {
    name: &'a str,
    kind: Option<SymbolKind>,
    visibility: Visibility,
    inside: Inside,
}

/// What the braces behind a declaration hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// Statements.
    Body,
    /// Methods of the type with this name.
    Members,
    /// More of the same: a namespace.
    Same,
}

/// What a source declares, in order. Test modules inside a Rust file are passed over.
pub(crate) fn symbols(source: &Source, language: Language) -> Vec<Symbol> {
    match language {
        Language::Rust => braces::scan(source, rust::declared),
        Language::TypeScript | Language::JavaScript => braces::scan(source, lines::script),
        Language::Go => lines::scan(source, lines::go),
        Language::Java | Language::CSharp | Language::Scala => braces::scan(source, lines::java),
        Language::Kotlin | Language::Swift => braces::scan(source, lines::kotlin),
        Language::C | Language::Cpp => braces::scan(source, lines::c),
        Language::Php => braces::scan(source, lines::php),
        Language::Protobuf => lines::scan(source, lines::protobuf),
        Language::Sql => lines::scan(source, lines::sql),
        Language::Shell => lines::scan(source, lines::shell),
        Language::Lua => lines::scan(source, lines::lua),
        Language::Python => indented::scan(source, indented::python),
        Language::Ruby => indented::scan(source, indented::ruby),
        _ => Vec::new(),
    }
}

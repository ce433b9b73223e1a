//! How comments and texts are written in each language.

use crate::language::Language;

/// How a language writes what is not code.
#[derive(Debug, Clone, Copy)]
pub(super) struct Syntax {
    /// What begins a comment that ends with its line.
    pub(super) line: &'static [&'static str],
    /// What begins and ends other comments.
    pub(super) block: Option<(&'static str, &'static str)>,
    /// Whether such comments nest.
    pub(super) nests: bool,
    /// Marks around texts that end with their line at the latest.
    pub(super) quotes: &'static [u8],
    /// Marks around texts that may go on over lines.
    pub(super) long_quotes: &'static [&'static str],
    /// Whether `'a` may be a lifetime and `r#"…"#` a text.
    pub(super) rust: bool,
}

const SLASHES: Syntax = Syntax {
    line: &["//"],
    block: Some(("/*", "*/")),
    nests: false,
    quotes: b"\"'",
    long_quotes: &[],
    rust: false,
};

const HASH: Syntax =
    Syntax { line: &["#"], block: None, nests: false, quotes: b"\"'", long_quotes: &[], rust: false };

const NONE: Syntax =
    Syntax { line: &[], block: None, nests: false, quotes: b"", long_quotes: &[], rust: false };

/// The syntax of a language.
pub(super) const fn syntax(language: Language) -> Syntax {
    match language {
        Language::Rust => Syntax { nests: true, quotes: b"", long_quotes: &["\""], rust: true, ..SLASHES },
        Language::TypeScript | Language::JavaScript | Language::Go => {
            Syntax { long_quotes: &["`"], ..SLASHES }
        }
        Language::Java | Language::Kotlin | Language::Scala | Language::Swift => {
            Syntax { long_quotes: &["\"\"\""], ..SLASHES }
        }
        Language::C | Language::Cpp | Language::CSharp | Language::Protobuf => SLASHES,
        Language::Php => Syntax { line: &["//", "#"], ..SLASHES },
        Language::Css => Syntax { line: &[], ..SLASHES },
        Language::Python => Syntax { long_quotes: &["\"\"\"", "'''"], ..HASH },
        Language::Ruby
        | Language::Shell
        | Language::Toml
        | Language::Yaml
        | Language::Dockerfile
        | Language::Makefile => HASH,
        Language::Lua => Syntax { line: &["--"], block: Some(("--[[", "]]")), ..HASH },
        Language::Sql => Syntax { line: &["--"], block: Some(("/*", "*/")), quotes: b"'", ..HASH },
        Language::Html | Language::Xml => Syntax { block: Some(("<!--", "-->")), ..NONE },
        Language::Markdown | Language::Json | Language::Text => NONE,
    }
}

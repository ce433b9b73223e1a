//! Where a program begins.

use serde::{Deserialize, Serialize};

use super::symbols::{Symbol, SymbolKind};
use crate::language::Language;
use crate::role::Role;
use crate::source::Source;

/// Where something can be started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryPoint {
    /// The file that says so.
    pub path: String,
    /// The line, from 1; 1 where the whole file says so.
    pub line: usize,
    /// What it is.
    pub kind: EntryKind,
    /// What it is called: the program, or the script.
    pub name: String,
}

/// What kind of beginning it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// A program.
    Program,
    /// A command that a manifest names.
    Script,
    /// A program that shows or measures something.
    Example,
}

/// The beginnings in one file.
pub(super) fn entries(
    path: &str,
    language: Language,
    role: Role,
    source: &Source,
    symbols: &[Symbol],
) -> Vec<EntryPoint> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let script =
        |name: String, line| EntryPoint { path: path.to_owned(), line, kind: EntryKind::Script, name };
    match name {
        "package.json" => {
            return package_scripts(&source.text).into_iter().map(|name| script(name, 1)).collect();
        }
        "pyproject.toml" => {
            return project_scripts(&source.text).into_iter().map(|name| script(name, 1)).collect();
        }
        _ => {}
    }
    let kind = match role {
        Role::Source => EntryKind::Program,
        Role::Example => EntryKind::Example,
        _ => return Vec::new(),
    };
    let program = |line| EntryPoint { path: path.to_owned(), line, kind, name: program_name(path) };
    main_line(language, name, source, symbols).map(program).into_iter().collect()
}

fn main_line(language: Language, name: &str, source: &Source, symbols: &[Symbol]) -> Option<usize> {
    let function = |wanted: &str| {
        let is_main = |symbol: &&Symbol| {
            symbol.name == wanted && matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method)
        };
        symbols.iter().find(is_main).map(|symbol| symbol.line)
    };
    let line_with =
        |wanted: &str| source.lines().find(|line| line.code.contains(wanted)).map(|line| line.number);
    match language {
        Language::Rust | Language::Kotlin | Language::C | Language::Cpp => function("main")
            .filter(|line| symbols.iter().any(|symbol| symbol.line == *line && symbol.owner.is_none())),
        Language::Go => line_with("package main").and(function("main")),
        Language::Java => line_with("static void main("),
        Language::CSharp => line_with("static void Main(").or_else(|| line_with("static async Task Main(")),
        Language::Swift => line_with("@main"),
        Language::Python if name == "__main__.py" => Some(1),
        Language::Python => {
            source.lines().find(|line| line.code.starts_with("if __name__ ==")).map(|line| line.number)
        }
        Language::Shell | Language::Ruby | Language::JavaScript => source.text.starts_with("#!").then_some(1),
        _ => None,
    }
}

/// A program is called like its file, or like its folder if the file is called `main`.
fn program_name(path: &str) -> String {
    let mut parts = path.rsplit('/');
    let stem = parts.next().and_then(|name| name.split('.').next()).unwrap_or(path);
    let is_plain =
        |part: &&str| !matches!(*part, "main" | "__main__" | "src" | "bin" | "cmd" | "Main" | "Program");
    std::iter::once(stem).chain(parts).find(is_plain).unwrap_or(stem).to_owned()
}

fn package_scripts(text: &str) -> Vec<String> {
    let Ok(value) = serde_json::from_str::<serde_json::Value>(text) else { return Vec::new() };
    let scripts = value.get("scripts").and_then(|scripts| scripts.as_object());
    let programs = value.get("bin").and_then(|programs| programs.as_object());
    let scripts =
        scripts.into_iter().flat_map(|scripts| scripts.keys().map(|name| format!("npm run {name}")));
    scripts.chain(programs.into_iter().flat_map(|programs| programs.keys().cloned())).collect()
}

fn project_scripts(text: &str) -> Vec<String> {
    let Ok(value) = text.parse::<toml::Table>() else { return Vec::new() };
    let of = |path: &[&str]| {
        let mut table = Some(&value);
        for key in path {
            table = table.and_then(|table| table.get(*key)?.as_table());
        }
        table.into_iter().flat_map(|table| table.keys().cloned()).collect::<Vec<_>>()
    };
    [of(&["project", "scripts"]), of(&["tool", "poetry", "scripts"])].concat()
}

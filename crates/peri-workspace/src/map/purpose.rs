//! What a file is about, in the words of whoever wrote it.

use crate::language::Language;
use crate::source::Source;

/// A longer sentence is cut.
const CHARS_MAX: usize = 200;
/// Comments further down are about something in the file, not about the file.
const LINES_MAX: usize = 60;

/// Words of comments that are about rights and tools.
const ASIDES: &[&str] = &[
    "copyright",
    "license",
    "spdx",
    "all rights reserved",
    "eslint",
    "prettier",
    "@ts-",
    "-*-",
    "vim:",
    "shellcheck",
    "pylint",
    "mypy:",
    "noqa",
    "jshint",
    "#region",
    "go:build",
    "+build",
    "clang-format",
];

/// The first sentence of a file's own comment; none if it says nothing of itself.
pub(super) fn purpose(source: &Source, language: Language) -> Option<String> {
    let said = match language {
        Language::Markdown => paragraph(&source.text),
        Language::Toml => setting(&source.text, "description"),
        Language::Json => package_description(&source.text),
        Language::Yaml | Language::Text | Language::Html | Language::Xml => None,
        Language::Rust => module_docs(source),
        _ => first_comment(source, language),
    }?;
    sentence(&said)
}

/// Lines that begin with `//!`. Without them the file says nothing of itself: other comments are about items.
fn module_docs(source: &Source) -> Option<String> {
    let lines = source.text.lines().take(LINES_MAX).skip_while(|line| !line.starts_with("//!"));
    let docs = lines.map_while(|line| line.strip_prefix("//!"));
    paragraph_of(docs.map(|line| line.trim().to_owned()))
}

/// The first comment that stands before any code, passing over those about rights and tools. Imports and the
/// like may stand before it.
fn first_comment(source: &Source, language: Language) -> Option<String> {
    let mut block: Vec<String> = Vec::new();
    let mut in_code = 0;
    for line in source.lines().take(LINES_MAX) {
        let is_comment = !line.text.trim().is_empty() && line.code.trim().is_empty();
        let shebang = line.number == 1 && line.text.starts_with("#!");
        if is_comment && !shebang {
            block.push(stripped(line.text));
            continue;
        }
        if let Some(said) = worth_saying(&block) {
            return Some(said);
        }
        block.clear();
        if !line.code.trim().is_empty() && !shebang {
            in_code += 1;
        }
        // Go's comment stands before `package`, PHP's behind `<?php`; elsewhere code ends the search.
        if in_code > usize::from(language == Language::Php) {
            return None;
        }
    }
    worth_saying(&block)
}

fn worth_saying(block: &[String]) -> Option<String> {
    let whole = block.join(" ").to_lowercase();
    let is_aside = ASIDES.iter().any(|aside| whole.contains(aside));
    if is_aside { None } else { paragraph_of(block.iter().cloned()) }
}

/// A comment's line without its marks.
fn stripped(line: &str) -> String {
    let marks = ['/', '*', '#', '-', '!', '"', '\'', '<', '>', ' ', '\t', ';'];
    line.trim().trim_start_matches(marks).trim_end_matches(['*', '/', '"', '\'', '-', '>', ' ']).to_owned()
}

fn paragraph_of(lines: impl Iterator<Item = String>) -> Option<String> {
    let lines: Vec<String> =
        lines.skip_while(|line| line.is_empty()).take_while(|line| !line.is_empty()).collect();
    (!lines.is_empty()).then(|| lines.join(" "))
}

/// A document's first paragraph, or its first heading if there is none. Lists, tables, pictures and code are no prose.
fn paragraph(text: &str) -> Option<String> {
    let heading = text.lines().take(LINES_MAX).find_map(|line| line.strip_prefix('#'));
    let (mut in_front, mut in_code) = (text.starts_with("---\n"), false);
    let mut said: Vec<&str> = Vec::new();
    for (at, line) in text.lines().take(LINES_MAX).map(str::trim).enumerate() {
        if in_front {
            in_front = at == 0 || line != "---";
        } else if line.starts_with("```") {
            in_code = !in_code;
        } else if !in_code && !line.is_empty() && (is_prose(line) || !said.is_empty()) {
            said.push(line);
        } else if line.is_empty() && !said.is_empty() {
            break;
        }
    }
    if said.is_empty() {
        heading.map(|heading| heading.trim_start_matches('#').trim().to_owned())
    } else {
        Some(said.join(" "))
    }
}

fn is_prose(line: &str) -> bool {
    let marks = ["#", "<", "[!", "![", "|", "=", "- ", "* ", "+ ", ">", "---"];
    let is_link = line.starts_with('[') && line.ends_with([']', ')']);
    !is_link && !marks.iter().any(|mark| line.starts_with(mark))
}

/// The value of a setting, wherever it first stands by itself.
fn setting(text: &str, key: &str) -> Option<String> {
    let value = text.lines().find_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix('='))?;
    let value = value.trim().trim_matches(['"', '\'']);
    (!value.is_empty()).then(|| value.to_owned())
}

fn package_description(text: &str) -> Option<String> {
    let value: serde_json::Value = serde_json::from_str(text).ok()?;
    value.get("description")?.as_str().filter(|said| !said.trim().is_empty()).map(str::to_owned)
}

/// The first sentence of a text, cut if it is too long, and without secrets.
fn sentence(text: &str) -> Option<String> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_end = |(at, c): &(usize, char)| {
        let rest = &text[at + c.len_utf8()..];
        match c {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' => {
                rest.starts_with(' ') && !text[..*at].ends_with("e.g") && !text[..*at].ends_with("i.e")
            }
            _ => false,
        }
    };
    let end = text.char_indices().find(is_end).map_or(text.len(), |(at, c)| at + c.len_utf8());
    let sentence = peri_text::redact(&text[..end]).text.into_owned();
    let cut = match sentence.char_indices().nth(CHARS_MAX) {
        Some((at, _)) => format!("{}…", sentence[..at].trim_end()),
        None => sentence,
    };
    cut.chars().any(char::is_alphabetic).then_some(cut)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(language: Language, text: &str) -> Option<String> {
        purpose(&Source::new(text.to_owned(), language), language)
    }

    #[test]
    fn the_first_sentence_about_the_file_is_found() {
        for (language, text, said) in [
            (Language::Rust, "//! What is near.\n//! More.\nuse a;\n", Some("What is near.")),
            (Language::Rust, "/// About f.\nfn f() {}\n", None),
            (
                Language::Python,
                "#!/usr/bin/env python3\n\"\"\"Counts words. And more.\"\"\"\nimport a\n",
                Some("Counts words."),
            ),
            (Language::Python, "import a\n# about b\nb = 1\n", None),
            (
                Language::Go,
                "// Copyright 2020 X.\n\n// Package a holds b.\npackage a\n",
                Some("Package a holds b."),
            ),
            (
                Language::TypeScript,
                "/**\n * 화면을 그린다。 그리고\n */\nimport x from 'y';\n",
                Some("화면을 그린다。"),
            ),
            (
                Language::Shell,
                "#!/bin/sh\n# Builds it all, e.g. the docs. Twice.\nset -e\n",
                Some("Builds it all, e.g. the docs."),
            ),
            (Language::Markdown, "# Title\n\n[badge]\n\nIt remembers. Well.\n", Some("It remembers.")),
            (Language::Markdown, "---\ntitle: x\n---\n# 只有标题\n", Some("只有标题")),
            (Language::Toml, "[package]\ndescription = \"A store\"\n", Some("A store")),
            (Language::Json, "{\"description\": \"A page\"}", Some("A page")),
            (Language::Json, "[1", None),
            (Language::C, "/* ---- */\nint a;\n", None),
        ] {
            assert_eq!(check(language, text).as_deref(), said, "{text:?}");
        }
    }
}

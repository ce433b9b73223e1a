//! The names that tests mention.

use std::collections::BTreeSet;

use crate::language::Language;
use crate::role::Role;
use crate::source::{Source, words};

/// The names in a file's tests; none if it has no tests. In Rust these may be part of any file: items under
/// `#[cfg(test)]`, and examples in documentation, which are run as tests too.
pub(super) fn mentions(source: &Source, language: Language, role: Role) -> Option<BTreeSet<&str>> {
    match (role, language) {
        (Role::Test, language) if language.is_code() => Some(words(&source.code).collect()),
        (Role::Source, Language::Rust) => {
            let mut names: BTreeSet<&str> = BTreeSet::new();
            let tests = test_items(&source.code);
            tests.iter().for_each(|item| names.extend(words(item)));
            let examples: BTreeSet<&str> = documented(&source.text).flat_map(words).collect();
            let has_tests = !tests.is_empty() || !examples.is_empty();
            names.extend(examples);
            has_tests.then_some(names)
        }
        _ => None,
    }
}

/// The items under `#[cfg(test)]`.
fn test_items(code: &str) -> Vec<&str> {
    let (mut items, mut at) = (Vec::new(), 0);
    let marks = ["#[cfg(test)]", "#[cfg(all(test"];
    while let Some(start) = marks.iter().filter_map(|mark| code[at..].find(mark)).min() {
        let item = &code[at + start..];
        let len = item_bytes(item);
        items.push(&item[..len]);
        at += start + len;
    }
    items
}

/// How far an item reaches: to the brace that closes it, or to its semicolon.
fn item_bytes(item: &str) -> usize {
    let mut depth = 0_i32;
    for (at, byte) in item.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            _ => {}
        }
        if depth <= 0 && matches!(byte, b'}' | b';') {
            return at + 1;
        }
    }
    item.len()
}

/// Lines of examples in documentation.
fn documented(text: &str) -> impl Iterator<Item = &str> {
    let mut inside = false;
    text.lines().filter_map(move |line| {
        let line = line.trim_start();
        let said = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))?.trim();
        if let Some(kind) = said.strip_prefix("```") {
            // Blocks that say they are something else are not run.
            inside = !inside && !matches!(kind, "text" | "ignore" | "toml" | "json" | "sh" | "console");
            return None;
        }
        inside.then_some(said)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, role: Role) -> Option<Vec<String>> {
        let source = Source::new(text.to_owned(), Language::Rust);
        mentions(&source, Language::Rust, role).map(|names| names.into_iter().map(str::to_owned).collect())
    }

    #[test]
    fn tests_inside_a_file_are_told_from_its_code() {
        let text = "fn a() { b() }\n#[cfg(test)]\nmod tests { fn t() { c(\"}\") } }\nfn d() {}\n";
        let names = check(text, Role::Source).unwrap();
        assert!(names.contains(&"c".to_owned()));
        assert!(!names.contains(&"b".to_owned()) && !names.contains(&"d".to_owned()));
        assert_eq!(check("fn a() {}", Role::Source), None);
    }

    #[test]
    fn examples_in_documentation_count() {
        let text = "/// Does it.\n/// ```\n/// run(1);\n/// ```\n/// Not this.\n/// ```text\n/// nor this\n/// ```\npub fn run() {}\n";
        assert_eq!(check(text, Role::Source), Some(vec!["run".to_owned()]));
    }

    #[test]
    fn a_test_file_is_all_tests() {
        assert_eq!(
            check("fn a() { b() }", Role::Test),
            Some(vec!["a".to_owned(), "b".to_owned(), "fn".to_owned()])
        );
    }
}

//! Files that a file asks agents to read too, as in `@docs/style.md`. They are told and not followed.

use super::code;

/// The imports of a text, outside code.
pub(super) fn of(text: &str) -> Vec<String> {
    let plain = code::without(text);
    let is_alone = |word: &str| plain.trim() == word;
    let words = plain.split_whitespace().filter(|word| is_import(word, is_alone(word)));
    words.map(|word| path_of(word).to_owned()).collect()
}

/// Whether a text is nothing but imports.
pub(super) fn only(text: &str) -> bool {
    let mut words = text.split_whitespace().peekable();
    words.peek().is_some() && text.split_whitespace().all(|word| is_import(word, text.trim() == word))
}

/// A name alone on its line is one too; within a sentence it may be a person.
fn is_import(word: &str, is_alone: bool) -> bool {
    let Some(rest) = word.strip_prefix('@') else { return false };
    let begins_well = rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '~' | '.' | '/' | '_'));
    begins_well && (is_alone || path_of(word).contains(['/', '.']))
}

fn path_of(word: &str) -> &str {
    word.trim_start_matches('@').trim_end_matches([',', ';', ':', '.', ')', '!', '?'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_imports_and_people_are_not() {
        assert_eq!(of("See @docs/스타일.md, then ask @ana or a@b.c; `@x/y` no"), ["docs/스타일.md"]);
        assert_eq!(of("@README"), ["README"]);
        assert!(only("@a/b.md @~/c.md") && only("@README") && !only("@ana says") && !only(""));
    }
}

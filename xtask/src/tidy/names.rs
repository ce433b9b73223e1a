//! Names that say nothing of what is inside.

use super::Finding;
use super::tree::Tree;

const FORBIDDEN: &[&str] = &["common", "util", "utils", "helper", "helpers", "misc", "manager"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let offending = tree.files.iter().filter_map(|file| {
        let part = file.path.split('/').find(|part| is_forbidden(part))?;
        Some(Finding::breach(&file.path, 1, format!("the name {part:?} does not say what is inside")))
    });
    offending.collect()
}

/// Whether a name is, or ends with, a forbidden word. `common_words.txt` holds common words and may.
fn is_forbidden(part: &str) -> bool {
    let stem = part.split('.').find(|piece| !piece.is_empty()).unwrap_or(part);
    let last = stem.rsplit(['_', '-']).next().unwrap_or(stem);
    FORBIDDEN.contains(&last.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_words_are_refused_in_any_part_of_a_path() {
        for (path, count) in [
            ("crates/peri-store/src/utils.rs", 1),
            ("crates/common/Cargo.toml", 1),
            ("crates/peri-store/tests/it/helpers/mod.rs", 1),
            ("src/index_manager.rs", 1),
            ("src/common_words.txt", 0),
            ("src/recall.rs", 0),
            (".gitignore", 0),
        ] {
            assert_eq!(check(&Tree::of(&[(path, "")])).len(), count, "{path}");
        }
    }
}

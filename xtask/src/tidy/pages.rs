//! Documents: the architecture stays short, and the files that pages name exist.

use super::Finding;
use super::tree::{File, Tree};

const ARCHITECTURE_LINES_MAX: usize = 300;

/// What a path of the repository begins with, when a page names one.
const ROOTS: &[&str] = &["crates/", "docs/", "xtask/", "bench/", ".ci/", ".config/"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(page) = tree.find("ARCHITECTURE.md") {
        let lines = page.text.lines().count();
        if lines > ARCHITECTURE_LINES_MAX {
            let message = format!("{lines} lines; at most {ARCHITECTURE_LINES_MAX}, or nobody reads it");
            findings.push(Finding::breach(&page.path, ARCHITECTURE_LINES_MAX + 1, message));
        }
    }
    // The changelog tells of the past, where files had other names.
    let pages = tree.ending(".md").filter(|file| file.path != "CHANGELOG.md");
    findings.extend(pages.flat_map(|page| dead_paths(tree, page)));
    findings
}

fn dead_paths(tree: &Tree, page: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (at, line) in page.text.lines().enumerate() {
        for path in named_paths(line).filter(|path| !exists(tree, path)) {
            findings.push(Finding::breach(&page.path, at + 1, format!("{path} does not exist")));
        }
    }
    findings
}

/// The repository's paths that a line names between backticks.
fn named_paths(line: &str) -> impl Iterator<Item = &str> {
    let quoted = line.split('`').enumerate().filter_map(|(at, text)| (at % 2 == 1).then_some(text));
    quoted.filter(|text| {
        ROOTS.iter().any(|root| text.starts_with(root)) && !text.contains([' ', '*', '<', '…', '{'])
    })
}

fn exists(tree: &Tree, path: &str) -> bool {
    let path = path.trim_end_matches('/');
    tree.files
        .iter()
        .any(|file| file.path.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_architecture_is_at_most_three_hundred_lines() {
        for (lines, count) in [(300, 0), (301, 1)] {
            assert_eq!(check(&Tree::of(&[("ARCHITECTURE.md", &"a\n".repeat(lines))])).len(), count);
        }
    }

    #[test]
    fn pages_name_files_that_exist() {
        let text = "`crates/a/src/b.rs` `crates/a/` `crates/a/src/gone.rs`\n`cargo run` `crates/*/src` `docs/how-to-add-….md`";
        let found = check(&Tree::of(&[("README.md", text), ("crates/a/src/b.rs", "")]));
        assert_eq!(found.len(), 1);
        assert!(found[0].message.contains("gone.rs"), "{}", found[0]);
    }
}

//! Files are opened for reading by one crate, which refuses pipes and devices: nobody else knows who put a file there.

use super::Finding;
use super::source;
use super::tree::Tree;

/// The crate that opens files, and tools of the project that read what it wrote itself, as build scripts do.
const EXEMPT: &[&str] = &[
    "crates/peri-private/",
    "crates/peri-bench/",
    "crates/peri-fuzz/",
    "crates/peri-servers/",
    "crates/peri-sim/",
    "xtask/",
    "fuzz/",
    "bench/",
];

/// What opens a file and may wait for ever for what stands there.
const WAITING: &[&str] = &["fs::read(", "fs::read_to_string(", "File::open(", "fs::copy("];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let files = tree.ending(".rs").filter(|file| !file.is_test() && !file.path.ends_with("/build.rs"));
    let files = files.filter(|file| !EXEMPT.iter().any(|place| file.path.starts_with(place)));
    let mut findings = Vec::new();
    for file in files {
        let code = file.code();
        for call in WAITING {
            for (at, _) in code.match_indices(call) {
                let message =
                    format!("`{call}…)` may wait for ever; peri_private::read, read_text and open do not");
                findings.push(Finding::breach(&file.path, source::line_of(&code, at), message));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn product_code_opens_files_by_the_one_crate_that_refuses_pipes() {
        for (path, text, count) in [
            ("crates/peri-vault/src/files.rs", "let a = std::fs::read(path);", 1),
            ("crates/peri-vault/src/files.rs", "let a = File::open(path)?; fs::copy(a, b);", 2),
            ("crates/peri-vault/src/files.rs", "let a = peri_private::read(path);", 0),
            ("crates/peri-vault/src/files.rs", "#[cfg(test)]\nmod tests { fs::read(path) }", 0),
            ("crates/peri-vault/tests/it/main.rs", "fs::read_to_string(path)", 0),
            ("crates/peri-private/src/read.rs", "File::open(path)", 0),
        ] {
            assert_eq!(check(&Tree::of(&[(path, text)])).len(), count, "{path}: {text}");
        }
    }
}

//! Unsafe code is forbidden, but for two modules.

use super::Finding;
use super::source;
use super::tree::Tree;

/// The crates that have unsafe code, and where in them.
const CRATES: &[&str] = &["crates/peri-heap", "crates/peri-index"];
const MODULES: &[&str] = &[
    "crates/peri-index/src/kernel.rs",
    "crates/peri-index/src/kernel/",
    "crates/peri-heap/src/mimalloc_options.rs",
];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for folder in tree.crate_folders() {
        let wanted =
            if CRATES.contains(&folder) { "#![deny(unsafe_code)]" } else { "#![forbid(unsafe_code)]" };
        let roots =
            tree.files.iter().filter(|file| is_root(file.path.strip_prefix(folder).unwrap_or_default()));
        for file in roots.filter(|file| !source::mask(&file.text).contains(wanted)) {
            findings.push(Finding::breach(&file.path, 1, format!("`{wanted}` is missing")));
        }
    }
    let elsewhere =
        tree.ending(".rs").filter(|file| !MODULES.iter().any(|place| file.path.starts_with(place)));
    for file in elsewhere {
        let code = source::mask(&file.text);
        for (at, _) in code.match_indices("allow(unsafe_code") {
            let line = source::line_of(&code, at);
            findings.push(Finding::breach(
                &file.path,
                line,
                format!("unsafe code belongs in {}", MODULES[0]),
            ));
        }
    }
    findings
}

/// Whether a path inside a crate is the root of a library or a program.
fn is_root(path: &str) -> bool {
    let program =
        path.strip_prefix("/src/bin/").is_some_and(|name| name.ends_with(".rs") && !name.contains('/'));
    program || path == "/src/lib.rs" || path == "/src/main.rs"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, text: &str) -> usize {
        let folder = path.split("/src/").next().unwrap();
        super::check(&Tree::of(&[(&format!("{folder}/Cargo.toml"), ""), (path, text)])).len()
    }

    #[test]
    fn every_root_forbids_unsafe_code() {
        for (path, text, count) in [
            ("crates/peri-store/src/lib.rs", "#![forbid(unsafe_code)]", 0),
            ("crates/peri-store/src/lib.rs", "// #![forbid(unsafe_code)]", 1),
            ("crates/peri-store/src/lib.rs", "#![deny(unsafe_code)]", 1),
            ("crates/peri-bench/src/bin/speed.rs", "", 1),
            ("crates/peri-store/src/read.rs", "", 0),
            ("crates/peri-index/src/lib.rs", "#![deny(unsafe_code)]", 0),
            ("xtask/src/main.rs", "", 1),
        ] {
            assert_eq!(check(path, text), count, "{path}: {text}");
        }
    }

    #[test]
    fn only_two_modules_may_allow_it() {
        let text = "#![allow(unsafe_code)]";
        assert_eq!(check("crates/peri-index/src/kernel.rs", text), 0);
        assert_eq!(check("crates/peri-heap/src/mimalloc_options.rs", text), 0);
        assert_eq!(check("crates/peri-index/src/graph.rs", text), 1);
        assert_eq!(check("crates/peri-text/src/scan.rs", text), 1);
    }
}

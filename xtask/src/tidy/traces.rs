//! Traces of the machine it was written on: paths, package indexes, words about how it was made.
//!
//! The patterns are put together at run time, so that this file does not hold what it looks for.

use super::Finding;
use super::source::is_word;
use super::tree::{File, Tree};

/// Where lock files may get packages from: the public registries, under their public names.
const SOURCES: &[&str] = &[
    "registry+https://github.com/rust-lang/crates.io-index",
    "https://registry.npmjs.org/",
    "https://files.pythonhosted.org/",
];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.files.iter().flat_map(check_file).collect()
}

fn check_file(file: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    let prose = file.path.ends_with(".md") || file.path.ends_with(".rs");
    let lock = file.path.ends_with(".lock")
        || file.path.ends_with("-lock.json")
        || file.path.ends_with("-lock.yaml");
    for (at, line) in file.text.lines().enumerate() {
        let mut breach = |message: String| findings.push(Finding::breach(&file.path, at + 1, message));
        if let Some(path) = machine_path(line) {
            breach(format!("a path of one machine: {path}"));
        }
        if let Some(setting) = index_setting(line) {
            breach(format!("`{setting}`: which package index to use is the machine's business"));
        }
        if lock && foreign_source(line) {
            breach("a package from elsewhere than the public registries".to_owned());
        }
        if prose {
            if let Some(words) = making_of(line) {
                breach(format!("{words:?}: how it was made is not part of it"));
            } else if line.to_lowercase().contains(&["this", "session"].join(" ")) {
                let message = "does this mean a conversation, or how it was made?";
                findings.push(Finding::warning(&file.path, at + 1, message));
            }
        }
    }
    findings
}

fn machine_path(line: &str) -> Option<String> {
    let folders = ["work", "farm", "root", "tmp/bash_jobs"].map(|folder| format!("/{folder}/"));
    // The settings of a container's user, such as `.cargo`, are the same on every machine.
    let is_setting = |path: &str, rest: &str| path.contains("root") && rest.starts_with('.');
    let mentions = |path: &String| {
        line.match_indices(path.as_str()).any(|(at, _)| !is_setting(path, &line[at + path.len()..]))
    };
    folders.into_iter().find(mentions)
}

fn index_setting(line: &str) -> Option<String> {
    let settings = [["--index", "url"], ["extra-index", "url"], ["replace", "with"]];
    settings.iter().map(|words| words.join("-")).find(|setting| line.contains(setting.as_str()))
}

fn foreign_source(line: &str) -> bool {
    let keys = ["source = ", "\"resolved\":", "resolved \"", "tarball:", "registry = "];
    let line = line.trim();
    let names_source = keys.iter().any(|key| line.starts_with(key));
    names_source && line.contains("://") && !SOURCES.iter().any(|source| line.contains(source))
}

/// Words such as the number of an issue, or who the author was.
fn making_of(line: &str) -> Option<String> {
    let line = line.to_lowercase();
    let phrases = [["developer", "session"].join(" "), ["co-authored", "by"].join("-")];
    if let Some(phrase) = phrases.into_iter().find(|phrase| line.contains(phrase.as_str())) {
        return Some(phrase);
    }
    let word = ["iss", "ue"].concat();
    line.match_indices(&word).find_map(|(at, _)| {
        let digits = line[at + word.len()..].strip_prefix(' ').map(|rest| rest.trim_start_matches('#'))?;
        let whole = !line[..at].ends_with(is_word) && digits.starts_with(|c: char| c.is_ascii_digit());
        whole.then(|| word.clone())
    })
}

#[cfg(test)]
mod tests {
    use super::super::Severity;
    use super::*;

    fn breaches(path: &str, text: &str) -> usize {
        let found = check(&Tree::of(&[(path, text)]));
        found.iter().filter(|finding| finding.severity == Severity::Breach).count()
    }

    #[test]
    fn machine_paths_are_found_in_every_text_file() {
        for (folder, rest, count) in
            [("work", "x", 1), ("farm", "x", 1), ("root", "x", 1), ("root", ".cargo", 0), ("srv", "x", 0)]
        {
            assert_eq!(breaches("data.json", &format!("a: /{folder}/{rest}")), count, "{folder} {rest}");
        }
    }

    #[test]
    fn lock_files_name_public_registries_only() {
        let line = |source: &str| format!("source = \"{source}\"\n");
        assert_eq!(breaches("Cargo.lock", &line(SOURCES[0])), 0);
        assert_eq!(breaches("Cargo.lock", &line("registry+https://mirror.example/index")), 1);
        let setting = ["--index", "url https://mirror.example"].join("-");
        assert_eq!(breaches("fetch", &format!("pip install {setting} x")), 1);
    }

    #[test]
    fn words_about_the_making_are_found_in_prose() {
        let word = ["iss", "ue"].concat();
        for (text, count) in [
            (format!("see {word} 12"), 1),
            (format!("see {word} #12"), 1),
            (format!("see {word}s of the day"), 0),
            (format!("the {word} is old"), 0),
            (["a developer", "session"].join(" "), 1),
        ] {
            assert_eq!(breaches("README.md", &text), count, "{text}");
            assert_eq!(breaches("data.json", &text), 0, "{text}");
        }
    }

    #[test]
    fn a_word_with_two_meanings_only_warns() {
        let found = check(&Tree::of(&[("a.rs", &["/// Of this", "session."].join(" "))]));
        assert_eq!(found.iter().map(|finding| finding.severity).collect::<Vec<_>>(), [Severity::Warning]);
    }
}

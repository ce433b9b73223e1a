//! What folders hold, with all that lies below them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{FileMap, by_size};
use crate::language::Language;
use crate::role::Role;
use crate::source::Lines;

/// What a folder holds, with all that lies below it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderMap {
    /// Its path; empty for the workspace itself.
    pub path: String,
    /// How many files.
    pub files: usize,
    /// Their lines, generated files apart.
    pub lines: Lines,
    /// Lines of code in tests, which are counted in `lines` too.
    pub test_lines: usize,
    /// Lines of code by language, most first, generated files apart.
    pub languages: Vec<(Language, usize)>,
    /// What it is about: the words of the file in it that speaks for the whole.
    pub purpose: Option<String>,
}

/// Files that speak for their folder, the best first; those below `src/` speak for what is above it too.
const SPEAKERS: &[&str] = &[
    "Cargo.toml",
    "package.json",
    "pyproject.toml",
    "src/lib.rs",
    "src/main.rs",
    "lib.rs",
    "main.rs",
    "mod.rs",
    "__init__.py",
    "doc.go",
    "index.ts",
    "index.js",
    "README.md",
];

pub(super) fn folders(files: &[FileMap]) -> Vec<FolderMap> {
    let mut folders: BTreeMap<&str, (FolderMap, BTreeMap<Language, usize>)> = BTreeMap::new();
    for file in files {
        for path in above(&file.path) {
            let (folder, languages) = folders.entry(path).or_default();
            folder.files += 1;
            if file.role == Role::Generated {
                continue;
            }
            folder.lines.add(file.lines);
            *languages.entry(file.language).or_default() += file.lines.code;
            if file.role == Role::Test && file.language.is_code() {
                folder.test_lines += file.lines.code;
            }
        }
    }
    let purposes: BTreeMap<&str, &str> =
        files.iter().filter_map(|file| Some((file.path.as_str(), file.purpose.as_deref()?))).collect();
    let finished = folders.into_iter().map(|(path, (folder, languages))| FolderMap {
        path: path.to_owned(),
        languages: by_size(languages),
        purpose: spoken(path, &purposes),
        ..folder
    });
    finished.collect()
}

/// All folders that a file lies in, the workspace itself among them.
fn above(path: &str) -> impl Iterator<Item = &str> {
    let ends = path.match_indices('/').map(|(at, _)| at);
    std::iter::once("").chain(ends.map(|end| &path[..end]))
}

fn spoken(folder: &str, purposes: &BTreeMap<&str, &str>) -> Option<String> {
    // Rust also lets `store.rs` speak for `store/`.
    let beside = format!("{folder}.rs");
    let inside = SPEAKERS
        .iter()
        .map(|name| if folder.is_empty() { (*name).to_owned() } else { format!("{folder}/{name}") });
    inside.chain([beside]).find_map(|path| purposes.get(path.as_str()).map(|said| (*said).to_owned()))
}

/// The outermost folders whose code is all tests.
pub(super) fn test_folders(files: &[FileMap]) -> Vec<String> {
    let mut code: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for file in files.iter().filter(|file| file.language.is_code()) {
        for folder in above(&file.path).skip(1) {
            let (tests, all) = code.entry(folder).or_default();
            *all += 1;
            *tests += usize::from(file.role == Role::Test);
        }
    }
    let only_tests: BTreeSet<&str> =
        code.into_iter().filter(|(_, (tests, all))| tests == all).map(|(folder, _)| folder).collect();
    let is_outermost = |folder: &&&str| !above(folder).skip(1).any(|outer| only_tests.contains(outer));
    only_tests.iter().filter(is_outermost).map(|folder| (*folder).to_owned()).collect()
}

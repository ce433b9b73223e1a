//! Folders of code, which belong to others.

use std::collections::BTreeMap;
use std::fs;

use peri_workspace::{DuplicateLimits, Limits, SecretAllowances, Workspace};

use crate::given;

const FILES: &[&str] = &[
    "src/lib.rs",
    "main.py",
    "index.ts",
    "main.go",
    "Main.java",
    "lib.c",
    "package.json",
    "Cargo.toml",
    "pyproject.toml",
    "go.mod",
    "README.md",
    ".env",
    "query.sql",
    "build.gradle.kts",
];

/// Files of code: every place that is told lies within the file, and no secret is ever quoted whole.
pub(crate) fn code_files(data: &[u8]) {
    let (choice, data) = given::choice(data);
    let name = FILES[choice % FILES.len()];
    let folder = tempfile::tempdir().expect("a folder of code");
    let path = folder.path().join(name);
    fs::create_dir_all(path.parent().expect("below the folder")).expect("folders are made");
    fs::write(&path, data).expect("the file is written");
    let go_on = || true;
    let workspace = Workspace::open(folder.path(), &Limits::default(), &go_on).expect("the folder is there");
    let lines = data.iter().filter(|byte| **byte == b'\n').count() + 1;
    let map = workspace.map(&go_on);
    for file in &map.files {
        assert!(file.lines.total() <= lines, "{name}");
    }
    let dependencies = workspace.dependencies(&map, &go_on);
    drop(workspace.duplicates(&DuplicateLimits::default(), &go_on));
    drop(workspace.test_gaps(&map, &dependencies, &BTreeMap::new(), &go_on));
    for secret in workspace.secrets(&SecretAllowances::default(), &go_on).found {
        assert!(secret.line >= 1 && secret.line <= lines, "{name}: line {}", secret.line);
    }
}

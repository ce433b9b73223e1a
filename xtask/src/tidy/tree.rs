//! The files that git knows or would add, read once.

use std::path::Path;
use std::process::Command;

use super::source;

/// The repository's files.
pub(super) struct Tree {
    pub(super) files: Vec<File>,
}

/// One file; `text` is empty for a binary one.
pub(super) struct File {
    /// From the root, with slashes.
    pub(super) path: String,
    pub(super) text: String,
}

impl Tree {
    /// Reads what git tracks, and what it would track if everything were added.
    pub(super) fn read(root: &Path) -> Result<Self, String> {
        let listed = Command::new("git")
            // The checkout may belong to another user, as it does in containers.
            .args(["-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"])
            .current_dir(root)
            .output()
            .map_err(|error| format!("git cannot be run: {error}"))?;
        if !listed.status.success() {
            return Err(format!("git cannot list the files: {}", String::from_utf8_lossy(&listed.stderr)));
        }
        let mut paths: Vec<&str> = str::from_utf8(&listed.stdout)
            .map_err(|error| format!("a file's name is not UTF-8: {error}"))?
            .split('\0')
            .filter(|path| !path.is_empty())
            .collect();
        paths.sort_unstable();
        paths.dedup();
        // A file that is tracked but deleted in the work tree is not looked at.
        let present = paths.into_iter().filter(|path| root.join(path).is_file());
        let files = present
            .map(|path| match std::fs::read(root.join(path)) {
                Ok(bytes) => {
                    Ok(File { path: path.to_owned(), text: String::from_utf8(bytes).unwrap_or_default() })
                }
                Err(error) => Err(format!("{path} cannot be read: {error}")),
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { files })
    }

    /// The files whose path ends like this.
    pub(super) fn ending<'a>(&'a self, end: &'a str) -> impl Iterator<Item = &'a File> {
        self.files.iter().filter(move |file| file.path.ends_with(end))
    }

    /// The file with this path.
    pub(super) fn find(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == path)
    }

    /// The folders that hold a package: `xtask` and those under `crates/`.
    pub(super) fn crate_folders(&self) -> impl Iterator<Item = &str> {
        self.ending("/Cargo.toml").map(|file| file.path.trim_end_matches("/Cargo.toml"))
    }
}

impl File {
    /// Whether it is a test, a benchmark or an example, for which other rules hold.
    pub(super) fn is_test(&self) -> bool {
        let folders = ["tests", "test", "benches", "examples"];
        self.path.split('/').any(|part| folders.contains(&part)) || self.path.ends_with("tests.rs")
    }

    /// Its Rust code without comments, texts and test modules; lines stay where they are.
    pub(super) fn code(&self) -> String {
        source::without_tests(&source::mask(&self.text))
    }
}

#[cfg(test)]
impl Tree {
    /// A tree of these paths and texts.
    pub(super) fn of(files: &[(&str, &str)]) -> Self {
        let file = |(path, text): &(&str, &str)| File { path: (*path).to_owned(), text: (*text).to_owned() };
        Self { files: files.iter().map(file).collect() }
    }
}

//! A workspace in a temporary folder.

use std::fs;
use std::path::Path;
use std::process::Command;

use peri_workspace::{Limits, Workspace};
use tempfile::TempDir;

/// A folder that is gone when the test is over.
pub(crate) struct Folder(TempDir);

impl Folder {
    /// A folder with these files.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self(TempDir::new().unwrap());
        files.iter().for_each(|(path, text)| folder.write(path, text));
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Runs git in the folder, as somebody without settings of their own.
    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("git");
        command.current_dir(self.path()).args(["-c", "user.name=가람", "-c", "user.email=a@example.org"]);
        command.args(["-c", "commit.gpgsign=false", "-c", "init.defaultBranch=main"]).args(arguments);
        for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
            command.env_remove(name);
        }
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        let output = command.output().unwrap();
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Makes a repository of it and commits everything; gives the commit.
    pub(crate) fn commit(&self) -> String {
        if !self.path().join(".git").exists() {
            self.git(&["init", "--quiet"]);
        }
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", "저장"]);
        self.git(&["rev-parse", "HEAD"])
    }

    pub(crate) fn open(&self) -> Workspace {
        self.open_within(&Limits::default())
    }

    pub(crate) fn open_within(&self, limits: &Limits) -> Workspace {
        Workspace::open(self.path(), limits, &|| true).unwrap()
    }
}

/// The paths of all files.
pub(crate) fn paths(workspace: &Workspace) -> Vec<&str> {
    workspace.files().iter().map(|file| file.path.as_str()).collect()
}

/// A workspace together with the folder it lies in.
pub(crate) struct Kept(
    pub(crate) Workspace,
    #[expect(dead_code, reason = "it is there until the test is over")] Folder,
);

impl Folder {
    pub(crate) fn open_kept(self) -> Kept {
        Kept(self.open(), self)
    }
}

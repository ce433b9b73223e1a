//! A home and a project in a temporary folder, and the verbs of the tests.

use std::fs;
use std::path::{Path, PathBuf};

use peri_agents::Agent;
use peri_agents::install::{self, Platform, Request, Scope};
use tempfile::TempDir;

/// A machine with nothing on it.
pub(crate) struct Machine {
    folder: TempDir,
}

impl Machine {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let machine = Self { folder };
        fs::create_dir_all(machine.home()).unwrap();
        fs::create_dir_all(machine.project()).unwrap();
        machine
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("홍 길동")
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    pub(crate) fn request(&self, agent: Agent) -> Request {
        let mut request = Request::new(agent, self.home(), "/usr/local/bin/peri");
        request.platform = Platform::Linux;
        request
    }

    pub(crate) fn project_request(&self, agent: Agent) -> Request {
        Request { scope: Scope::Project { folder: self.project() }, ..self.request(agent) }
    }

    /// Both scopes of an agent.
    pub(crate) fn requests(&self, agent: Agent) -> [Request; 2] {
        [self.request(agent), self.project_request(agent)]
    }

    pub(crate) fn write(&self, path: &str, text: &str) -> PathBuf {
        let file = self.home().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        file
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.home().join(path)).unwrap()
    }

    /// Every file below the folder with its content, by its path.
    pub(crate) fn files(&self) -> Vec<(String, String)> {
        let mut files = Vec::new();
        collect(self.folder.path(), self.folder.path(), &mut files);
        files.sort();
        files
    }
}

fn collect(root: &Path, folder: &Path, files: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, files);
        } else {
            let name = path.strip_prefix(root).unwrap().display().to_string();
            files.push((name, String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned()));
        }
    }
}

/// Installs and says which files were written.
pub(crate) fn install(request: &Request) -> Vec<PathBuf> {
    install::apply(&install::plan(request).unwrap()).unwrap().changed
}

/// Takes back and says which files were written.
pub(crate) fn uninstall(request: &Request) -> Vec<PathBuf> {
    install::apply(&install::plan_removal(request).unwrap()).unwrap().changed
}

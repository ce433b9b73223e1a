//! Running the binary in a folder of its own, with nothing of the tester's environment.

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// A data folder and the command on it.
pub struct Peri {
    folder: TempDir,
    environment: Vec<(String, String)>,
}

/// What a run gave.
#[derive(Debug)]
pub struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Peri {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), environment: Vec::new() }
    }

    /// The same with an environment variable from here on.
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// A file beside the data folder.
    pub fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// Writes the configuration file of the data folder.
    pub fn configure(&self, text: &str) {
        std::fs::create_dir_all(self.home()).unwrap();
        std::fs::write(self.home().join("perihelion.toml"), text).unwrap();
    }

    pub fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_peri"));
        command.env_clear().env("PERI_HOME", self.home()).env("TZ", "UTC").current_dir(self.folder.path());
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// The command as a process that runs beside the test.
    pub fn process(&self) -> std::process::Command {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_peri"));
        command.env_clear().env("PERI_HOME", self.home()).env("TZ", "UTC").current_dir(self.folder.path());
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    pub fn run(&self, args: &[&str]) -> Run {
        self.run_with(args, b"")
    }

    pub fn run_with(&self, args: &[&str], input: &[u8]) -> Run {
        let output = self.command().args(args).write_stdin(input).output().unwrap();
        Run {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The output of a run that must succeed.
    pub fn ok(&self, args: &[&str]) -> String {
        let run = self.run(args);
        assert_eq!(run.code, 0, "{args:?}: {run:?}");
        run.out
    }

    /// The JSON of a run that must succeed.
    pub fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.ok(&[args, &["--json"]].concat())).unwrap()
    }

    /// Remembers a text and gives the id.
    pub fn remember(&self, args: &[&str]) -> String {
        self.ok(&[&["-q", "remember"], args].concat()).trim().to_owned()
    }

    /// Moves everything that is stored so many days into the past.
    pub fn age(&self, days: i64) {
        let millis = days * 24 * 60 * 60 * 1000;
        let database = rusqlite::Connection::open(self.home().join("perihelion.db")).unwrap();
        database
            .execute_batch(&format!(
                "UPDATE memories SET created_at = created_at - {millis}, updated_at = updated_at - {millis},
                     arrived_at = arrived_at - {millis};
                 UPDATE usage SET last_at = last_at - {millis};
                 UPDATE uses SET at = at - {millis};
                 UPDATE namespaces SET settled_at = settled_at - {millis};"
            ))
            .unwrap();
    }

    /// The zone that a memory is in.
    pub fn zone(&self, id: &str) -> String {
        text(&self.json(&["get", id])["memory"]["zone"])
    }

    /// What the folder holds, in numbers that a refused command must not change.
    pub fn held(&self) -> (Value, Value) {
        let stats = self.json(&["stats"]);
        (stats["memories"].clone(), stats["trashed"].clone())
    }

    /// The contents that a recall finds.
    pub fn recall(&self, args: &[&str]) -> Vec<String> {
        let found = self.json(&[&["recall"], args].concat());
        found["hits"].as_array().unwrap().iter().map(|hit| text(&hit["memory"]["content"])).collect()
    }
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// A path that does not exist.
pub fn nowhere() -> &'static Path {
    Path::new("/nowhere/at/all")
}

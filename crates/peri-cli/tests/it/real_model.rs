//! A real model, small enough for any machine, behind the command line: whatever it answers, nothing that was said is
//! lost, every call is listed, and the cap of the day holds. `tests/llm/install` installs it; without it there is nothing
//! to test here, unless `PERI_TEST_LLM` says that it has to be there.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::support::Peri;

/// The server; it ends when its standard input is closed.
pub struct Server {
    child: Child,
    pub address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        drop(self.child.wait());
    }
}

fn server() -> Option<Server> {
    serving(&[])
}

/// The same model as a server of embeddings.
pub fn embeddings() -> Option<Server> {
    serving(&["embeddings"])
}

fn serving(args: &[&str]) -> Option<Server> {
    let root: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    if !root.join("target/llm/stamp").exists() {
        assert!(
            std::env::var_os("PERI_TEST_LLM").is_none(),
            "the model is not installed: run tests/llm/install"
        );
        return None;
    }
    let mut command = Command::new(root.join("tests/llm/serve"));
    let mut child = command
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut address = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
    Some(Server { child, address: format!("{}/v1", address.trim()) })
}

#[test]
fn with_a_real_model_nothing_that_was_said_is_lost_and_every_call_is_listed() {
    let Some(server) = server() else { return };
    let peri = Peri::new();
    peri.configure(&format!(
        "[llm]\nprovider = \"openai\"\nurl = {:?}\nmodel = \"small\"\ntimeout_seconds = 300\n",
        server.address
    ));
    let said = "We decided to use Postgres instead of MySQL for the orders database.";
    peri.ok(&["hear", "--session", "s", "--user", said, "--now"]);
    let log = peri.json(&["llm", "log"]);
    let calls = log["calls"].as_array().unwrap();
    assert!(!calls.is_empty(), "{log}");
    assert!(calls.iter().all(|call| call["purpose"].is_string()), "{log}");
    let replayed = peri.ok(&["session", "replay", "s"]);
    assert!(replayed.contains("Postgres"), "{replayed}");
}

#[test]
fn a_cap_that_leaves_no_room_for_a_call_is_never_exceeded() {
    let Some(server) = server() else { return };
    let peri = Peri::new();
    peri.configure(&format!(
        "[llm]\nprovider = \"openai\"\nurl = {:?}\nmodel = \"small\"\ntokens_per_day = 100\nfallback = \"rules\"\n",
        server.address
    ));
    peri.ok(&["hear", "--session", "s", "--user", "We decided to release on Tuesdays.", "--now"]);
    let notes = peri.ok(&["session", "notes", "s"]);
    assert!(notes.contains("Tuesdays"), "rules step in: {notes}");
    let log = peri.json(&["llm", "log"]);
    assert_eq!(log["today"]["spent"], 0, "{log}");
}

//! A real model, small enough for any machine. It may answer badly; notes are never lost. `tests/llm/install` installs
//! it; without it there is nothing to test here, unless `PERI_TEST_LLM` says that it has to be there.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use peri_companion::{Event, Model, ModelSettings, PROMPTS, Settings, When};
use peri_llm::{Address, Client, Prompts, Provider};
use peri_notes::{MemoryShelf, Priority};
use peri_types::Clock;

use crate::support::*;

/// The server; it ends when its standard input is closed.
struct Server {
    child: Child,
    address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        drop(self.child.wait());
    }
}

fn server() -> Option<Server> {
    let root: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    if !root.join("target/llm/stamp").exists() {
        assert!(
            std::env::var_os("PERI_TEST_LLM").is_none(),
            "the model is not installed: run tests/llm/install"
        );
        return None;
    }
    let mut command = Command::new(root.join("tests/llm/serve"));
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut address = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
    Some(Server { child, address: format!("{}/v1", address.trim()) })
}

#[test]
fn a_real_model_keeps_notes_or_leaves_everything_as_it_was() {
    let Some(server) = server() else { return };
    let folder = tempfile::tempdir().unwrap();
    let address = Address::parse(&server.address).unwrap();
    let settings = peri_llm::Settings {
        attempt_timeout: Duration::from_secs(300),
        deadline: Duration::from_secs(600),
        attempts_max: 1,
        ..peri_llm::Settings::new(Provider::OpenAi, address, "small")
    };
    let client = Client::new(settings, Clock::system(), folder.path()).unwrap();
    let model_settings = ModelSettings { answer_tokens_max: 120, ..ModelSettings::default() };
    let model = Model::new(client, Prompts::load(&PROMPTS, None).unwrap(), model_settings);
    let settings = Settings { reflect_tokens: 30, reflect_target_tokens: 25, ..Settings::default() };
    let desk = Desk::new(Arc::new(MemoryShelf::default()), Arc::new(model), settings);
    desk.note(&[
        (Priority::High, "절대 금요일에는 배포하지 않는다"),
        (Priority::Medium, "The orders database is MySQL"),
        (Priority::Low, "团队中午十二点吃饭"),
    ]);
    let message = "We decided to use Postgres instead of MySQL for the orders database.";
    desk.keep(&[message]);
    let events = desk.step(When::Now);
    println!("{events:#?}\n{:#?}", desk.texts());
    assert_eq!(
        desk.items()
            .iter()
            .filter(|item| item.priority == Priority::High && item.text.contains("금요일"))
            .count(),
        1
    );
    let is_observed = has_observed(&events);
    assert_eq!(desk.pending().is_empty(), is_observed, "it was observed or waits");
    if !events.iter().any(|event| matches!(event, Event::Observed { .. } | Event::Reflected { .. })) {
        assert_eq!(desk.items().len(), 3);
    }
}

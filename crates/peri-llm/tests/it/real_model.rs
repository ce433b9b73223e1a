//! A real model, small enough for any machine, served by llama.cpp. `tests/llm/install` installs both; without them
//! there is nothing to test here, unless `PERI_TEST_LLM` says that they have to be there.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use peri_llm::{Client, Outcome, Provider, Refusal, Request, Settings};
use peri_types::Clock;
use serde::Deserialize;
use serde_json::json;

use crate::support::settings;

/// The server; it ends when its standard input is closed.
struct Model {
    child: Child,
    address: String,
}

impl Drop for Model {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        drop(self.child.wait());
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn model() -> Option<Model> {
    if !root().join("target/llm/stamp").exists() {
        assert!(
            std::env::var_os("PERI_TEST_LLM").is_none(),
            "the model is not installed: run tests/llm/install"
        );
        return None;
    }
    let mut command = Command::new(root().join("tests/llm/serve"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut address = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let address = format!("{}/v1", address.trim());
    Some(Model { child, address })
}

#[derive(Debug, Deserialize)]
struct Meeting {
    city: String,
    people: u8,
}

fn meeting() -> Request {
    let question = "The meeting in Seoul has 7 people. Give the city and the number of people as JSON.";
    Request {
        schema: Some(json!({
            "type": "object",
            "properties": {
                "city": {"type": "string", "enum": ["Paris", "Seoul", "Busan"]},
                "people": {"type": "integer", "minimum": 1, "maximum": 99},
            },
            "required": ["city", "people"],
            "additionalProperties": false,
        })),
        temperature: Some(0.0),
        max_output_tokens: 60,
        ..Request::new("real model", question)
    }
}

#[test]
fn a_real_model_answers_in_the_form_that_is_asked_for() {
    let Some(model) = model() else { return };
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings {
        attempt_timeout: Duration::from_secs(300),
        deadline: Duration::from_secs(600),
        ..settings(Provider::OpenAi, &model.address)
    };
    let client = Client::new(settings, Clock::system(), folder.path()).unwrap();

    let answer = client.ask(&meeting()).unwrap();
    let parsed: Meeting = answer.parse().unwrap();
    assert_eq!((parsed.city.as_str(), parsed.people), ("Seoul", 7), "{answer:?}");
    assert!(answer.model.contains("SmolLM2") && answer.attempts == 1, "{answer:?}");

    let cut = client.ask(&Request { max_output_tokens: 4, ..meeting() });
    assert_eq!(cut, Err(Refusal::Cut { tokens_max: 4 }));

    let long =
        client.ask(&Request { messages: Request::new("", "word ".repeat(4000)).messages, ..meeting() });
    assert!(matches!(long, Err(Refusal::Status { status: 400, attempts: 1, .. })), "{long:?}");

    let korean = Request { max_output_tokens: 30, ..Request::new("real model", "안녕하세요? 你好") };
    match client.ask(&korean) {
        Ok(answer) => assert!(answer.tokens_in > 0 && answer.tokens_out > 0),
        Err(refusal) => assert!(matches!(refusal, Refusal::Cut { .. }), "{refusal}"),
    }

    let calls = client.ledger().calls(jiff::Timestamp::UNIX_EPOCH, 9).unwrap();
    let outcomes: Vec<_> = calls.iter().map(|call| call.outcome).collect();
    assert_eq!(outcomes[1..], [Outcome::Failed, Outcome::Failed, Outcome::Ok]);
    // What the server counted was within what had been reserved for it.
    let (reserved, settled) = sums(folder.path());
    assert!(settled > 0 && settled <= reserved, "{settled} of {reserved}");
}

/// Everything that was reserved, and everything that was settled.
fn sums(folder: &Path) -> (u64, u64) {
    let mut sums = (0, 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        for line in text.lines() {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            let tokens = line["tokens"].as_u64().unwrap_or(0);
            match line["kind"].as_str() {
                Some("reserved") => sums.0 += tokens,
                Some("settled") => sums.1 += tokens,
                _ => {}
            }
        }
    }
    sums
}

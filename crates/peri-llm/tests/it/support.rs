//! Clients of test servers.

use std::time::Duration;

use jiff::Timestamp;
use peri_llm::{Address, Client, Pace, Provider, Request, Settings};
use peri_types::Clock;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::server::{Server, Step};

/// A client with its server, its clock and its record.
pub struct Desk {
    pub client: Client,
    pub server: Server,
    pub clock: Clock,
    pub pace: Pace,
    pub folder: TempDir,
}

pub fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

pub fn settings(provider: Provider, address: &str) -> Settings {
    let mut settings = Settings::new(provider, Address::parse(address).unwrap(), "small");
    settings.seed = Some(7);
    settings.attempt_timeout = Duration::from_secs(20);
    settings
}

/// A client of a server that answers so, with settings changed.
pub fn desk_with(provider: Provider, steps: Vec<Step>, change: impl FnOnce(&mut Settings)) -> Desk {
    let server = Server::answering(steps);
    let mut settings = settings(provider, &server.address());
    change(&mut settings);
    let clock = Clock::manual(at("2026-03-02T14:00:00Z"));
    let pace = Pace::manual(&clock);
    let folder = tempfile::tempdir().unwrap();
    let client = Client::with_pace(settings, clock.clone(), folder.path().join("llm"), pace.clone()).unwrap();
    Desk { client, server, clock, pace, folder }
}

pub fn desk(steps: Vec<Step>) -> Desk {
    desk_with(Provider::OpenAi, steps, |_| {})
}

pub fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {"city": {"type": "string"}, "people": {"type": "integer"}},
        "required": ["city", "people"],
        "additionalProperties": false,
    })
}

/// A request for an answer in JSON.
pub fn structured() -> Request {
    Request { schema: Some(schema()), temperature: Some(0.0), max_output_tokens: 200, ..words() }
}

/// A request for an answer in words.
pub fn words() -> Request {
    Request {
        max_output_tokens: 200, ..Request::new("test", "서울 회의에는 몇 명이 오나요? 几个人？")
    }
}

//! Engines of test servers.

use std::time::Duration;

use peri_embed::EmbedError;
use peri_embed_remote::{Address, OpenAiEngine, Pace, RemoteError, RemoteSettings};
use peri_types::{Clock, SpaceId};

use crate::server::{Seen, Server, Step};

/// An engine with its server and its clock.
pub struct Desk {
    pub engine: OpenAiEngine,
    pub server: Server,
    pub clock: Clock,
    pub pace: Pace,
}

pub fn clock() -> Clock {
    Clock::manual("2026-03-02T14:00:00Z".parse().unwrap())
}

pub fn settings(address: &str) -> RemoteSettings {
    RemoteSettings {
        dimensions: Some(3),
        seed: Some(7),
        attempt_timeout: Duration::from_secs(20),
        deadline: Duration::from_secs(60),
        ..RemoteSettings::new(Address::parse(address).unwrap(), "small")
    }
}

pub fn start(settings: RemoteSettings, clock: &Clock, pace: &Pace) -> Result<OpenAiEngine, EmbedError> {
    OpenAiEngine::with_pace(settings, None, clock.clone(), pace.clone())
}

/// An engine of a server, with settings changed.
pub fn desk_with(server: Server, change: impl FnOnce(&mut RemoteSettings)) -> Desk {
    let mut settings = settings(&server.address());
    change(&mut settings);
    let clock = clock();
    let pace = Pace::manual(&clock);
    let engine = start(settings, &clock, &pace).unwrap();
    Desk { engine, server, clock, pace }
}

pub fn desk(answer: impl Fn(usize, &Seen) -> Step + Send + Sync + 'static) -> Desk {
    desk_with(Server::answering(answer), |_| {})
}

/// What the engine said was wrong.
pub fn said<T: std::fmt::Debug>(result: Result<T, EmbedError>) -> RemoteError {
    match result.unwrap_err() {
        EmbedError::Elsewhere(error) => *error.downcast::<RemoteError>().unwrap(),
        other => panic!("{other}"),
    }
}

pub fn space(dimensions: u32) -> SpaceId {
    SpaceId { model: "small".to_owned(), dimensions }
}

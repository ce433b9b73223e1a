//! Working, episodic and long-term memory: their lifetimes, at their boundaries, and what moves between them.

mod long_term;
mod merging;
mod promotion;
mod retention;
mod working;

use perihelion::{Clock, Event, EventKind, LayerSettings, Options, Perihelion, Remember, Scope};
use tempfile::TempDir;

use crate::support;

/// An engine whose time a test moves.
pub struct Bench {
    pub folder: TempDir,
    pub clock: Clock,
    pub engine: Perihelion,
    layers: LayerSettings,
}

pub const START: &str = "2026-03-02T09:00:00Z";

impl Bench {
    pub fn new(layers: LayerSettings) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Clock::manual(support::time(START));
        let engine = open(folder.path(), &clock, layers);
        Self { folder, clock, engine, layers }
    }

    pub fn usual() -> Self {
        Self::new(LayerSettings::default())
    }

    pub fn pass(&self, seconds: i64) {
        self.clock.advance(jiff::SignedDuration::from_secs(seconds));
    }

    pub fn pass_days(&self, days: i64) {
        self.pass(days * 24 * 60 * 60);
    }

    /// Ends the engine and opens another one on the same folder.
    pub fn reopen(&mut self) {
        let next = self.again();
        let last = std::mem::replace(&mut self.engine, next);
        last.close().unwrap();
    }

    /// A second engine on the same folder.
    pub fn again(&self) -> Perihelion {
        open(self.folder.path(), &self.clock, self.layers)
    }

    /// The events of some kinds so far.
    pub fn events(&self, kinds: &[EventKind]) -> Vec<Event> {
        let all = self.engine.events_after(0, 100_000).unwrap();
        all.into_iter().filter(|event| kinds.contains(&event.what.kind())).collect()
    }

    /// Everything that an export holds.
    pub fn export(&self) -> String {
        let mut out = Vec::new();
        self.engine.export(&Scope::All, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    pub fn tell(&self, session: &str, content: &str) -> perihelion::MemoryId {
        self.engine.remember(Remember::new(content).said(session, "Ana")).unwrap().id
    }
}

fn open(folder: &std::path::Path, clock: &Clock, layers: LayerSettings) -> Perihelion {
    let options = Options { clock: clock.clone(), layers, ..support::options(folder) };
    Perihelion::open(options).unwrap()
}

//! An engine in a folder of its own, without a model: nothing that is tried here depends on meaning.

use perihelion::{Chores, Clock, EngineChoice, Namespace, Options, Perihelion, Remember, Scope, Timestamp};
use tempfile::TempDir;

/// An engine and its folder.
pub(crate) struct Desk {
    pub(crate) engine: Perihelion,
    pub(crate) folder: TempDir,
}

impl Desk {
    /// A new one, with nothing in it.
    pub(crate) fn empty() -> Self {
        let folder = tempfile::tempdir().expect("a folder for the engine");
        let clock = Clock::manual(now());
        let options = Options {
            chores: Chores::ByHand,
            clock,
            engine: EngineChoice::Off,
            ..Options::at(folder.path().join("data"))
        };
        let engine = Perihelion::open(options).expect("an engine opens in an empty folder");
        Self { engine, folder }
    }

    /// One with two memories in it.
    pub(crate) fn with_memories() -> Self {
        let desk = Self::empty();
        for content in ["Ana prefers tea over coffee.", "김민수는 서울에 산다"] {
            desk.engine.remember(Remember::new(content)).expect("a memory is kept");
        }
        desk
    }

    /// Everything that is stored, as an export writes it.
    pub(crate) fn everything(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.engine.export(&Scope::All, &mut out).expect("what is stored can be exported");
        out
    }
}

/// The time at which everything happens.
pub(crate) fn now() -> Timestamp {
    Timestamp::from_second(1_794_825_725).expect("a time in 2026")
}

/// Where everything happens.
pub(crate) fn namespace() -> Namespace {
    Namespace::default()
}

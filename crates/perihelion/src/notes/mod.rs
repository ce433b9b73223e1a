//! Notes of conversations: what is heard becomes notes, notes become memories, and agents are given both.

mod context;
mod faces;
mod hear;
pub(crate) mod relocate;
mod sessions;
mod settings;
mod step;
mod tell;
pub(crate) mod travel;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use parking_lot::Mutex;
use peri_companion::{Companion, Rules, Thinker};
use peri_notes::{FileSettings, FileShelf, Notes, NotesError, Session, Shelf, ShelfError};
use peri_store::{StoreError, StoreShelf};
use peri_types::{Namespace, Timestamp};

pub use context::{AgentContext, ContextPart, ContextRequest, Delivery, Given, Moment, PartKind, Provenance};
pub use faces::Confirmation;
pub use hear::{Hear, HeardOutcome, HeardReceipt, Observe, Said, SaidBy};
pub use sessions::{NoteView, NotesView, SessionOverview, Spoken};
pub use settings::{ContextSettings, NotesPlace, NotesSettings, Recallable, ThinkerChoice, TurnsKept};
pub use travel::{BringBack, NotesBroughtBack, NotesState, NotesStill};

use crate::engine::{Core, Perihelion};
use crate::{Error, StoreChoice};

/// After a nudge the thread waits, so that a burst of messages is observed together.
const GATHER: Duration = Duration::from_secs(1);

/// Without a nudge it looks around so often: messages grow old, and others leave some behind.
const IDLE: Duration = Duration::from_secs(60);

/// Where notes lie in the data folder.
pub(crate) const FOLDER: &str = "notes";

/// What the engine needs to keep notes.
#[derive(Default)]
pub(crate) struct Scribe {
    /// Made at the first use: most programs never hear anything.
    companion: OnceLock<Companion>,
    /// Whether there is something to observe.
    nudged: AtomicBool,
    /// What agents were given and the notes do not know yet.
    pub(crate) handed_out: Mutex<BTreeMap<(Namespace, Session), Vec<String>>>,
    /// Sessions whose notes this process is telling the memories, one at a time.
    telling: Mutex<()>,
}

impl Core {
    /// Who keeps the notes.
    pub(crate) fn companion(&self) -> Result<&Companion, Error> {
        if let Some(companion) = self.scribe.companion.get() {
            return Ok(companion);
        }
        let settings = &self.options.notes;
        let thinker: Arc<dyn Thinker> = match &settings.thinker {
            ThinkerChoice::Rules => Arc::new(Rules::new(self.options.time_zone.clone())),
            ThinkerChoice::Brought(thinker) => Arc::clone(thinker),
        };
        let clock = self.options.clock.clone();
        let notes = Notes::new(self.shelf_of_notes(), clock.clone(), peri_tokens::count);
        let companion = Companion::new(notes, thinker, clock, settings.steps.clone())
            .map_err(|error| Error::NotesSettings { what: error.what })?;
        Ok(self.scribe.companion.get_or_init(|| companion))
    }

    /// The notes.
    pub(crate) fn notes(&self) -> Result<&Notes, Error> {
        Ok(self.companion()?.notes())
    }

    pub(crate) fn shelf_of_notes(&self) -> Arc<dyn Shelf> {
        if self.keeps_notes_in_store() {
            return Arc::new(StoreShelf::new(Arc::clone(&self.store)));
        }
        let settings = FileSettings { lock_wait: self.options.notes.lock_wait };
        Arc::new(FileShelf::new(self.options.folder.join(FOLDER), settings))
    }

    pub(crate) fn keeps_notes_in_store(&self) -> bool {
        match (self.options.notes.place, &self.options.store) {
            (NotesPlace::Store, _) | (NotesPlace::Usual, StoreChoice::Server { .. }) => true,
            (NotesPlace::Files, _) => false,
            // Files are for people to open; where everything is encrypted, notes are too.
            (NotesPlace::Usual, StoreChoice::Embedded) => self.seal.is_on(),
        }
    }

    /// Tells the thread for notes that there is something to observe.
    pub(crate) fn nudge_notes(&self) {
        self.scribe.nudged.store(true, Ordering::Relaxed);
    }
}

/// Makes notes of what waits, until it is told to stop.
pub(crate) fn serve(core: &Arc<Core>, stopped: &Receiver<()>, stopping: &AtomicBool) {
    let mut idle = IDLE;
    while stopped.recv_timeout(GATHER) == Err(RecvTimeoutError::Timeout) {
        idle += GATHER;
        if !core.scribe.nudged.swap(false, Ordering::Relaxed) && idle < IDLE {
            continue;
        }
        idle = Duration::ZERO;
        if core.is_store_away() || core.store.is_read_only() {
            continue;
        }
        let engine = Perihelion::on_behalf(Arc::clone(core));
        if let Err(error) = engine.step_everywhere(&|| !stopping.load(Ordering::Relaxed)) {
            tracing::warn!(%error, "notes could not be made and will be tried again");
            core.note_failure("notes", &crate::failures::with_causes(&error));
        }
    }
}

/// What an error of notes means to a call that could wait for the store.
fn as_store_error(error: Error) -> Error {
    match error {
        Error::Notes(NotesError::Shelf(ShelfError::Store { detail })) => {
            Error::Store(StoreError::Unreachable { place: "the notes' store".to_owned(), detail })
        }
        error => error,
    }
}

/// An identity that follows from a time and from what was hashed: a UUID of version 7.
fn identity(at: Timestamp, hasher: &blake3::Hasher) -> [u8; 16] {
    let millis = u64::try_from(at.as_millisecond()).unwrap_or_default().to_be_bytes();
    let mut bytes = [0; 16];
    bytes[..6].copy_from_slice(&millis[2..]);
    bytes[6..].copy_from_slice(&hasher.finalize().as_bytes()[..10]);
    bytes[6] = 0x70 | (bytes[6] & 0x0f);
    bytes[8] = 0x80 | (bytes[8] & 0x3f);
    bytes
}

//! One call at work: the file, what is remembered of it, and the memories.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use perihelion::{
    Error, ErrorKind, Facets, Layer, Memory, MemoryId, Namespace, Outcome, Perihelion, Remember, Revise,
    Scope, StoreError,
};
use serde_json::{Map, Value, json};

use crate::files::{self, Target};
use crate::markers::{self, Section};
use crate::read::{Read, Reading, Statement, read};
use crate::state::{Found, Place, State, digest_of};
use crate::{BridgeError, BridgeSettings, Rehearsal};

/// How the source of a memory begins that comes from a file of an agent.
pub(crate) const SOURCE: &str = "bridge:";
/// Where a memory says in its metadata which statement it comes from.
pub(crate) const METADATA: &str = "bridge";
/// The name of a file is told with so many bytes at most.
const NAME_BYTES_MAX: usize = 160;

/// What a call works with.
pub(crate) struct Pass<'a> {
    pub(crate) engine: &'a Perihelion,
    pub(crate) settings: &'a BridgeSettings,
    pub(crate) namespace: &'a Namespace,
    pub(crate) rehearsal: Rehearsal,
    pub(crate) target: Target,
    pub(crate) section: Option<Section>,
    pub(crate) place: Place,
    pub(crate) state: State,
    /// Why the state was found out anew, if it was.
    pub(crate) rebuilt: Option<String>,
    /// What a rehearsal would have changed of what the section shows.
    pub(crate) imagined: Imagined,
    /// Held until the call is over.
    #[allow(dead_code, reason = "it is let go of when it is dropped")]
    held: Option<files::Held>,
}

/// Changes that a rehearsal only thinks of.
#[derive(Default)]
pub(crate) struct Imagined {
    /// What memories would say.
    pub(crate) revised: HashMap<MemoryId, String>,
    /// New memories that the section would show.
    pub(crate) added: Vec<String>,
}

/// A memory that is to be.
pub(crate) struct Draft {
    pub(crate) key: String,
    /// What it says, without secrets.
    pub(crate) clean: String,
    pub(crate) request: Remember,
}

/// What became of a memory that was to be.
pub(crate) enum Stored {
    /// It is new.
    New(MemoryId),
    /// Another one said so already.
    Joined(MemoryId),
    /// It was refused; why.
    Refused(String),
}

/// What became of a memory that was to say something else.
pub(crate) enum Rewritten {
    /// It does, as this version.
    Yes(u32),
    /// Another one says so already.
    Twin(MemoryId),
    /// It was refused; why.
    Refused(String),
}

impl<'a> Pass<'a> {
    /// Reads the file and what is remembered of it.
    pub(crate) fn begin(
        engine: &'a Perihelion,
        settings: &'a BridgeSettings,
        (path, namespace): (&Path, &'a Namespace),
        rehearsal: Rehearsal,
    ) -> Result<Self, BridgeError> {
        let target = files::read(path)?;
        let damaged = |damage| BridgeError::Markers { path: target.path.clone(), damage };
        let section = markers::find(target.text.as_deref().unwrap_or_default()).map_err(damaged)?;
        let place = Place::of(engine.folder(), &target.path, engine.seal().clone());
        let held = match rehearsal {
            Rehearsal::Real => Some(place.hold(&target.path)?),
            Rehearsal::Dry => None,
        };
        let (state, rebuilt, imagined) = (State::default(), None, Imagined::default());
        let mut pass = Self {
            engine,
            settings,
            namespace,
            rehearsal,
            target,
            section,
            place,
            state,
            rebuilt,
            imagined,
            held,
        };
        pass.know()?;
        Ok(pass)
    }

    /// Reads what is remembered, or finds it out from the memories.
    fn know(&mut self) -> Result<(), BridgeError> {
        let store = self.engine.store_identity()?;
        self.rebuilt = match self.place.read()? {
            Found::Whole(state) if state.store != store => {
                Some("the memories are in another store".to_owned())
            }
            Found::Whole(state) if state.namespace != self.namespace.as_str() => {
                return Err(BridgeError::OtherNamespace {
                    path: self.target.path.clone(),
                    known: state.namespace,
                    asked: self.namespace.clone(),
                    state: self.place.file(),
                });
            }
            Found::Whole(state) => {
                self.state = *state;
                return Ok(());
            }
            Found::Damaged(why) => Some(format!("what was remembered of the file was damaged: {why}")),
            Found::Nothing => None,
        };
        self.state = State {
            store,
            namespace: self.namespace.to_string(),
            path: self.target.path.to_string_lossy().into_owned(),
            ..State::default()
        };
        self.state.statements = self.stated_before()?;
        Ok(())
    }

    /// What the file says; nothing if there is none.
    pub(crate) fn text(&self) -> &str {
        self.target.text.as_deref().unwrap_or_default()
    }

    /// The file's text, if there is a file.
    pub(crate) fn check_exists(&self) -> Result<(), BridgeError> {
        match self.target.text {
            Some(_) => Ok(()),
            None => Err(BridgeError::NoFile { path: self.target.path.clone() }),
        }
    }

    /// What people wrote outside the section.
    pub(crate) fn read_outside(&self) -> Read {
        read(&markers::outside(self.text(), self.section.as_ref()), Reading::Own)
    }

    /// What stands in the section.
    pub(crate) fn read_section(&self) -> Vec<Statement> {
        let body = self.section.as_ref().map_or("", |section| &self.text()[section.body.clone()]);
        read(body, Reading::Section).statements
    }

    /// Writes down what is remembered, unless it is a rehearsal.
    pub(crate) fn save(&mut self) -> Result<(), BridgeError> {
        match self.rehearsal {
            Rehearsal::Real => self.place.write(&mut self.state),
            Rehearsal::Dry => Ok(()),
        }
    }

    /// A memory wherever it is, the trash included.
    pub(crate) fn memory(&self, id: MemoryId) -> Result<Option<Memory>, BridgeError> {
        // Where the file is remembered first: an older store may hold the same id elsewhere too.
        for scope in [Scope::Exact(self.namespace.clone()), Scope::All] {
            match self.engine.get(&scope, id) {
                Ok(memory) => return Ok(Some(memory)),
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(None)
    }

    /// A memory that is not in the trash.
    pub(crate) fn live(&self, id: MemoryId) -> Result<Option<Memory>, BridgeError> {
        Ok(self.memory(id)?.filter(|memory| memory.trashed_at.is_none()))
    }

    /// The version that a memory has now.
    pub(crate) fn version(&self, id: MemoryId) -> Result<u32, BridgeError> {
        Ok(self.memory(id)?.map_or(0, |memory| memory.version))
    }

    /// The memory that a statement is to become.
    pub(crate) fn draft(&self, statement: &Statement, key: String) -> Draft {
        let (content, limits) = (statement.content(), &self.engine.options().limits);
        let clean = self.engine.redacted(&content);
        let fits = |label: &&String| limits.check_label("alias", label).is_ok();
        let aliases = statement.headings.iter().rev().filter(fits).take(limits.labels_max).cloned().collect();
        let metadata = Map::from_iter([(METADATA.to_owned(), self.origin(&key, &digest_of(&clean)))]);
        let source = Some(self.source(&key));
        let request = Remember {
            content,
            namespace: self.namespace.clone(),
            kind: Some(statement.kind()),
            layer: Some(Layer::LongTerm),
            facets: Facets { aliases, source, metadata, ..Facets::default() },
            ..Remember::default()
        };
        Draft { key, clean, request }
    }

    /// The source of a statement's memory: the file by its name and folder, and the statement's key.
    fn source(&self, key: &str) -> String {
        let parts: Vec<_> = self.target.path.components().rev().take(2).collect();
        let names = parts.iter().rev().map(|part| part.as_os_str().to_string_lossy().into_owned());
        let name = names.collect::<Vec<_>>().join("/").replace(char::is_control, "");
        let from = name.len().saturating_sub(NAME_BYTES_MAX);
        let from = (from..=name.len()).find(|at| name.is_char_boundary(*at)).unwrap_or(0);
        format!("{SOURCE}{}#{key}", &name[from..])
    }

    fn origin(&self, key: &str, digest: &str) -> Value {
        json!({ "file": self.state.path, "key": key, "digest": digest })
    }

    /// Stores memories, all at once if none is refused.
    pub(crate) fn remember(&self, drafts: Vec<Remember>) -> Result<Vec<Stored>, BridgeError> {
        if drafts.is_empty() {
            return Ok(Vec::new());
        }
        match self.engine.remember_all(drafts.clone()) {
            Ok(receipts) => Ok(receipts.iter().map(stored).collect()),
            Err(error) if error.kind() == ErrorKind::InvalidInput => {
                // One of them is refused, and with it all; so one after the other.
                let one = |draft| match self.engine.remember(draft) {
                    Ok(receipt) => Ok(stored(&receipt)),
                    Err(error) if error.kind() == ErrorKind::InvalidInput => {
                        Ok(Stored::Refused(error.to_string()))
                    }
                    Err(error) => Err(error.into()),
                };
                drafts.into_iter().map(one).collect()
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Makes a memory say something else. What it said stays in its history.
    pub(crate) fn rewrite(
        &self,
        memory: &Memory,
        content: &str,
        key: Option<&str>,
    ) -> Result<Rewritten, BridgeError> {
        let mut request = Revise { content: Some(content.to_owned()), ..Revise::default() };
        if let Some(key) = key {
            let mut metadata = memory.facets.metadata.clone();
            let digest = digest_of(&self.engine.redacted(content));
            metadata.insert(METADATA.to_owned(), self.origin(key, &digest));
            request.metadata = Some(metadata);
        }
        match self.engine.revise(&Scope::Exact(memory.namespace.clone()), memory.id, request) {
            Ok(revised) => Ok(Rewritten::Yes(revised.memory.version)),
            Err(Error::Store(StoreError::Duplicate { twin, .. })) => Ok(Rewritten::Twin(twin)),
            Err(error) if error.kind() == ErrorKind::InvalidInput => {
                Ok(Rewritten::Refused(error.to_string()))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The memories that others state too: other files, and other statements of this one.
    pub(crate) fn stated_elsewhere(&self) -> Result<HashSet<MemoryId>, BridgeError> {
        self.place.stated_elsewhere(&self.state.store)
    }
}

fn stored(receipt: &perihelion::Receipt) -> Stored {
    match receipt.outcome {
        Outcome::Stored | Outcome::Queued => Stored::New(receipt.id),
        Outcome::Merged => Stored::Joined(receipt.id),
    }
}

/// Whether a memory came from the file of an agent.
pub(crate) fn is_from_a_file(memory: &Memory) -> bool {
    memory.facets.source.as_deref().is_some_and(|source| source.starts_with(SOURCE))
}

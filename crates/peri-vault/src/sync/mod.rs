//! Bringing documents and memories into step.
//!
//! A pass looks at what changed on both sides since the last one, and makes the other side follow. Before memories are
//! changed, `metadata.json` says which and to what, so that after a crash at any point the next pass knows its own
//! changes from those of others. Every step may be done twice.

mod apply;
mod compare;
mod conflicts;
mod draft;
mod edges;
mod look;
mod outward;
mod rebuild;
mod strangers;
mod vanished;

use std::collections::{HashMap, HashSet};
use std::path::Path;

use perihelion::{ChangeNumber, Memory, MemoryId, Namespace, Perihelion, Scope, Timestamp};
use serde::Serialize;

use crate::document::{self, Reader};
use crate::files;
use crate::key::Key;
use crate::metadata::{Found, Kept, Metadata, digest_of};
use crate::scan::Problem;
use crate::steps::Steps;
use crate::{Vault, VaultError};

pub(crate) use vanished::vanished;
pub use vanished::{Missing, Vanished};

/// So often somebody may be faster before the rest is left to the next sync.
const PASSES_MAX: usize = 6;

/// So many changes of other memories may pass before it is written down how far they were looked at.
const UNWRITTEN_MAX: u64 = 500;

/// What came of a sync.
#[derive(Debug, Clone, PartialEq)]
pub enum Sync {
    /// Documents and memories are in step.
    Done(Box<Synced>),
    /// Another process is at it.
    HeldElsewhere,
    /// The memories can only be read, so nothing was done.
    ReadOnly,
}

/// What was done.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Synced {
    /// Documents of knowledge that there are.
    pub documents: usize,
    /// Documents that became memories.
    pub added: Vec<Key>,
    /// Documents whose memories were changed because they were.
    pub changed: Vec<Key>,
    /// Documents that have another name now, from which to which.
    pub renamed: Vec<(Key, Key)>,
    /// Documents that are gone; their memories lie in the trash.
    pub deleted: Vec<Key>,
    /// Documents that were rewritten because their memories were changed.
    pub rewritten: Vec<Key>,
    /// Documents that were moved to the vault's trash because their memories were forgotten.
    pub discarded: Vec<Key>,
    /// Documents that were written anew from memories without a file.
    pub restored: Vec<Key>,
    /// Documents that were changed on both sides, and where the memory's version is kept.
    pub conflicts: Vec<Conflict>,
    /// Links that were drawn between memories.
    pub links_drawn: usize,
    /// Links that were taken away.
    pub links_removed: usize,
    /// Why everything was looked at anew, if it was.
    pub rebuilt: Option<String>,
    /// What is not as it should be.
    pub problems: Vec<Problem>,
}

impl Synced {
    /// Whether anything was done.
    pub fn is_nothing(&self) -> bool {
        let Self { added, changed, renamed, deleted, rewritten, discarded, restored, conflicts, .. } = self;
        let keys = [added, changed, deleted, rewritten, discarded, restored];
        keys.iter().all(|keys| keys.is_empty())
            && renamed.is_empty()
            && conflicts.is_empty()
            && self.links_drawn + self.links_removed == 0
    }
}

/// A document that was changed on both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Conflict {
    /// Which one; it is as the file had it.
    pub key: Key,
    /// The document that the memory's version is kept as.
    pub kept: Key,
}

/// One sync at work.
struct Pass<'a> {
    engine: &'a Perihelion,
    root: &'a Path,
    namespace: &'a Namespace,
    steps: &'a Steps,
    /// What to do about folders that are gone as a whole.
    missing: Missing,
    now: Timestamp,
    metadata: Metadata,
    told: Synced,
    /// Whether `metadata` differs from the file.
    dirty: bool,
    /// Whether another pass is needed.
    again: bool,
}

/// What changed on the memories' side.
#[derive(Default)]
struct Changes {
    memories: HashMap<MemoryId, Memory>,
    gone: HashSet<MemoryId>,
    through: ChangeNumber,
}

impl Changes {
    /// Whether anything happened to a memory.
    fn concern(&self, id: MemoryId) -> bool {
        self.memories.contains_key(&id) || self.gone.contains(&id)
    }

    fn is_empty(&self) -> bool {
        self.memories.is_empty() && self.gone.is_empty()
    }
}

/// How the memory of a part is, compared with how it was left.
enum PartState {
    /// As it was left, or as it was about to be made.
    Same,
    /// Changed by somebody.
    Revised(Box<Memory>),
    /// In the trash.
    Forgotten,
    /// Gone for good, or never stored.
    Missing,
}

/// Brings a vault into step with its memories.
pub(crate) fn sync(vault: &Vault, engine: &Perihelion, missing: Missing) -> Result<Sync, VaultError> {
    if engine.is_read_only() {
        return Ok(Sync::ReadOnly);
    }
    let Some(_held) = files::hold(&vault.folder)? else { return Ok(Sync::HeldElsewhere) };
    let mut pass = Pass {
        engine,
        root: &vault.folder,
        namespace: &vault.namespace,
        steps: &vault.steps,
        missing,
        now: engine.options().clock.now(),
        metadata: Metadata::default(),
        told: Synced::default(),
        dirty: false,
        again: false,
    };
    pass.begin()?;
    for _ in 0..PASSES_MAX {
        pass.again = false;
        pass.run()?;
        if !pass.again {
            break;
        }
    }
    Ok(Sync::Done(Box::new(pass.told)))
}

impl Pass<'_> {
    /// Reads what is known, or finds it out anew.
    fn begin(&mut self) -> Result<(), VaultError> {
        let store = self.engine.store_identity()?;
        let head = self.engine.head(self.namespace)?.0;
        let why = match Metadata::read(self.root)? {
            Found::Whole(read) if read.store != store => Some("the memories are in another store".to_owned()),
            Found::Whole(read) if read.namespace != self.namespace.as_str() => {
                return self.move_namespace(*read);
            }
            Found::Whole(read) if read.change > head => {
                Some("the memories are older than the vault".to_owned())
            }
            Found::Whole(read) => {
                self.metadata = *read;
                return Ok(());
            }
            Found::Nothing => None,
            Found::Damaged(why) => Some(format!("metadata.json was damaged: {why}")),
        };
        self.told.rebuilt = why;
        self.rebuild(store)
    }

    fn run(&mut self) -> Result<(), VaultError> {
        let scan = self.settled_scan()?;
        let changes = self.changes()?;
        self.told.documents = scan.knowledge();
        self.told.problems = scan.refused.clone();
        let plan = self.compare(scan, &changes)?;
        let worked = !plan.is_empty();
        if worked {
            self.apply(plan)?;
        }
        self.draw_edges(worked)?;
        self.catch_up(changes.through)?;
        if !self.again {
            self.tell_conflicts()?;
        }
        if self.dirty {
            self.metadata.synced_at = Some(self.now);
            self.save()?;
        }
        let problems = self.metadata.files.iter().flat_map(|(path, entry)| {
            entry.told().map(|why| Problem { path: path.clone(), why: why.clone() })
        });
        self.told.problems.extend(problems);
        self.told.problems.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(())
    }

    /// What happened to the memories since the last time.
    fn changes(&self) -> Result<Changes, VaultError> {
        let changed = self.engine.changed_since(self.namespace, ChangeNumber(self.metadata.change))?;
        let documents = changed.memories.into_iter().filter(|memory| memory.document().is_some());
        Ok(Changes {
            memories: documents.map(|memory| (memory.id, memory)).collect(),
            gone: changed.gone.into_iter().collect(),
            through: changed.through,
        })
    }

    /// Takes into account what this pass did itself. What others did meanwhile needs another pass.
    fn catch_up(&mut self, through: ChangeNumber) -> Result<(), VaultError> {
        let changed = self.engine.changed_since(self.namespace, through)?;
        let mut known: HashMap<MemoryId, &mut Kept> = HashMap::new();
        if !(changed.memories.is_empty() && changed.gone.is_empty()) {
            let memories = self.metadata.files.values_mut().flat_map(|entry| &mut entry.memories);
            known.extend(memories.map(|kept| (kept.id, kept)));
        }
        let mut is_quiet = !changed.gone.iter().any(|id| known.contains_key(id));
        for memory in changed.memories.iter().filter(|memory| memory.document().is_some()) {
            match known.get_mut(&memory.id).filter(|kept| kept.version == memory.version) {
                // How much a new memory matters was decided while it was stored.
                Some(kept) => kept.importance = memory.importance.value(),
                None => is_quiet = false,
            }
        }
        let reached = if is_quiet { changed.through } else { through };
        self.again |= !is_quiet;
        // What has nothing to do with the vault is read again rather than written down each time.
        self.dirty |= reached.0.abs_diff(self.metadata.change) > UNWRITTEN_MAX;
        self.metadata.change = reached.0;
        Ok(())
    }

    fn save(&mut self) -> Result<(), VaultError> {
        self.steps.step()?;
        self.metadata.write(self.root)?;
        self.dirty = false;
        self.steps.step()
    }

    /// How the memory of a part is.
    fn state(&self, kept: &Kept, pending: bool, changes: &Changes) -> Result<PartState, VaultError> {
        if !pending && !changes.gone.contains(&kept.id) {
            return Ok(match changes.memories.get(&kept.id) {
                Some(memory) if memory.version != kept.version => {
                    PartState::Revised(Box::new(memory.clone()))
                }
                _ => PartState::Same,
            });
        }
        Ok(match self.memory(kept.id)? {
            None => PartState::Missing,
            Some(memory) if memory.trashed_at.is_some() => PartState::Forgotten,
            Some(memory) if memory.version == kept.version => PartState::Same,
            Some(memory) => {
                let is_ours = pending
                    && memory.version == kept.version + 1
                    && digest_of(&memory.content) == kept.content;
                if is_ours { PartState::Same } else { PartState::Revised(Box::new(memory)) }
            }
        })
    }

    /// A memory wherever it is, the trash included.
    fn memory(&self, id: MemoryId) -> Result<Option<Memory>, VaultError> {
        // Where the documents are remembered first: an older store may hold the same id elsewhere too.
        for scope in [Scope::Exact(self.namespace.clone()), Scope::All] {
            match self.engine.get(&scope, id) {
                Ok(memory) => return Ok(Some(memory)),
                Err(error) if error.kind() == perihelion::ErrorKind::NotFound => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(None)
    }

    fn read(&self, key: &Key, text: &str) -> document::Document {
        let options = self.engine.options();
        Reader { limits: &options.limits, time_zone: &options.time_zone }.read(key, text)
    }

    /// What a memory is remembered by as last synced.
    fn kept(memory: &Memory, anchor: &str) -> Kept {
        Kept {
            id: memory.id,
            version: memory.version,
            anchor: anchor.to_owned(),
            content: digest_of(&memory.content),
            importance: memory.importance.value(),
        }
    }
}

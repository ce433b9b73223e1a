//! What changed on which side, and what is to be done about it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use perihelion::{Memory, MemoryId};

use super::{Changes, PartState, Pass};
use crate::document::{Document, Said};
use crate::key::{Class, Key};
use crate::metadata::{Entry, Kept, Outgoing, digest_of};
use crate::scan::{Scan, Seen};
use crate::{VaultError, files};

/// A file that is not there may be one that an editor is about to put there again.
const MISSING_WAIT: Duration = Duration::from_millis(100);

/// A write within this time after another may show the same time.
const TICK_NS: i64 = 20_000_000;
/// The same where the disk keeps whole seconds, or even pairs of them.
const COARSE_TICK_NS: i64 = 2_000_000_000;
const SECOND_NS: i64 = 1_000_000_000;

/// What is to be done to the memories.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) drafts: Vec<Draft>,
    pub(super) removals: Vec<Removal>,
}

impl Plan {
    pub(super) fn is_empty(&self) -> bool {
        self.drafts.is_empty() && self.removals.is_empty()
    }
}

/// A document whose memories are to follow it.
pub(super) struct Draft {
    pub(super) key: Key,
    /// The entry as it will be.
    pub(super) entry: Entry,
    /// The digest that the entry has until everything is done.
    pub(super) former_digest: String,
    pub(super) former_path: Option<Key>,
    pub(super) is_new: bool,
    pub(super) operations: Vec<Operation>,
    pub(super) forget: Vec<MemoryId>,
}

/// A document that is gone.
pub(super) struct Removal {
    pub(super) key: Key,
    pub(super) ids: Vec<MemoryId>,
}

/// A memory that is to say something.
pub(super) enum Operation {
    /// A new one, for the part with this number.
    Remember(usize, Box<Said>),
    /// One that is there.
    Revise(usize, Box<Memory>, Box<Said>),
}

/// A document's file as it is now.
struct Current {
    seen: Seen,
    /// The text, if it had to be read.
    text: Option<String>,
    digest: String,
    is_changed: bool,
}

impl Pass<'_> {
    /// The documents there are. What seems to be missing is looked for a second time, a moment later.
    pub(super) fn settled_scan(&self) -> Result<Scan, VaultError> {
        let scan = Scan::of(self.root)?;
        let known = &self.metadata.files;
        if known.iter().any(|(path, entry)| !entry.digest.is_empty() && !scan.files.contains_key(path)) {
            std::thread::sleep(MISSING_WAIT);
            return Scan::of(self.root);
        }
        Ok(scan)
    }

    /// Finds out what is to be done. Files are changed on the way: they are rewritten, kept beside, moved to the trash.
    pub(super) fn compare(&mut self, scan: Scan, changes: &Changes) -> Result<Plan, VaultError> {
        let mut plan = Plan::default();
        let here: HashSet<String> = scan.files.keys().cloned().collect();
        let mut current = self.look(scan)?;
        self.adopt_strangers(&current, changes)?;
        let moved = self.renames(&current, &here);
        let paths: Vec<String> = self.metadata.files.keys().cloned().collect();
        // What is there and cannot be read is not gone.
        for path in paths.iter().filter(|path| !here.contains(*path)) {
            let Ok(key) = Key::of_path(path) else { continue };
            let Some(entry) = self.metadata.files.get(path).cloned() else { continue };
            if entry.digest.is_empty() && !entry.pending {
                // Known by its memories alone.
                if let Some(restored) = self.restore(&key, &entry)? {
                    current.insert(path.clone(), restored);
                }
            } else {
                self.steps.step()?;
                let ids = entry.memories.iter().map(|kept| kept.id).collect();
                plan.removals.push(Removal { key, ids });
            }
        }
        for (path, one) in current {
            if one.seen.key.class() == Class::Config {
                self.note_config(&path, one);
            } else if let Some(draft) = self.compare_one(&path, one, moved.get(&path), changes)? {
                plan.drafts.push(draft);
            }
        }
        Ok(plan)
    }

    /// The files as they are; only those are read that may have changed.
    fn look(&mut self, scan: Scan) -> Result<BTreeMap<String, Current>, VaultError> {
        let mut current = BTreeMap::new();
        for (path, seen) in scan.files {
            let entry = self.metadata.files.get(&path);
            let is_known = entry.is_some_and(|entry| {
                entry.settled
                    && !entry.digest.is_empty()
                    && (entry.size, entry.modified_ns) == (seen.size, seen.modified_ns)
            });
            if let (true, Some(entry)) = (is_known, entry) {
                let digest = entry.digest.clone();
                current.insert(path, Current { seen, text: None, digest, is_changed: false });
                continue;
            }
            match self.look_at(&path, seen) {
                Ok(one) => {
                    current.insert(path, one);
                }
                // An editor was faster; the next sync sees what becomes of it.
                Err(VaultError::File { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
                    self.again = true;
                }
                Err(error @ (VaultError::NotText { .. } | VaultError::File { .. })) => {
                    self.refuse(&path, &error);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(current)
    }

    fn look_at(&mut self, path: &str, seen: Seen) -> Result<Current, VaultError> {
        let text = files::read(&seen.path)?;
        let digest = blake3::hash(text.as_bytes()).to_hex().to_string();
        let settled = is_settled(seen.modified_ns);
        let mut is_changed = true;
        if let Some(entry) = self.metadata.files.get_mut(path).filter(|entry| entry.digest == digest) {
            is_changed = false;
            let fresh = (seen.size, seen.modified_ns, settled);
            if (entry.size, entry.modified_ns, entry.settled) != fresh {
                (entry.size, entry.modified_ns, entry.settled) = fresh;
                self.dirty = true;
            }
        }
        Ok(Current { seen, text: Some(text), digest, is_changed })
    }

    /// Notes that a document cannot be read. Its memories stay as they are.
    fn refuse(&mut self, path: &str, error: &VaultError) {
        let why = error.to_string();
        match self.metadata.files.get_mut(path) {
            Some(entry) if entry.problems != [why.clone()] => {
                entry.problems = vec![why];
                self.dirty = true;
            }
            Some(_) => {}
            None => self.told.problems.push(crate::Problem { path: path.to_owned(), why }),
        }
    }

    fn note_config(&mut self, path: &str, one: Current) {
        let former = self.metadata.files.get(path);
        if former.is_some() && !one.is_changed {
            return;
        }
        let version = former.map_or(0, |entry| entry.version) + 1;
        let entry = Entry { version, synced_at: Some(self.now), ..entry_of(&one) };
        self.metadata.files.insert(path.to_owned(), entry);
        self.dirty = true;
    }

    /// Documents that have another name: gone here, and there with the same bytes. Their entries move along.
    fn renames(
        &mut self,
        current: &BTreeMap<String, Current>,
        here: &HashSet<String>,
    ) -> HashMap<String, Key> {
        let mut missing: HashMap<&str, Vec<&String>> = HashMap::new();
        for (path, entry) in &self.metadata.files {
            if !here.contains(path) && !entry.digest.is_empty() && !entry.memories.is_empty() {
                missing.entry(&entry.digest).or_default().push(path);
            }
        }
        let mut moves = Vec::new();
        for (path, one) in current.iter().filter(|(path, _)| !self.metadata.files.contains_key(*path)) {
            let Some(candidates) = missing.get_mut(one.digest.as_str()).filter(|paths| !paths.is_empty())
            else {
                continue;
            };
            let name = |path: &str| path.rsplit('/').next().map(str::to_owned);
            let same_name = candidates.iter().position(|own| name(own) == name(path));
            moves.push((candidates.remove(same_name.unwrap_or(0)).clone(), path.clone()));
        }
        let mut moved = HashMap::new();
        for (from, to) in moves {
            if let (Some(entry), Ok(key)) = (self.metadata.files.remove(&from), Key::of_path(&from)) {
                self.metadata.files.insert(to.clone(), entry);
                self.dirty = true;
                moved.insert(to, key);
            }
        }
        moved
    }

    /// What is to be done about one document.
    fn compare_one(
        &mut self,
        path: &str,
        mut one: Current,
        moved: Option<&Key>,
        changes: &Changes,
    ) -> Result<Option<Draft>, VaultError> {
        let known = self.metadata.files.get(path);
        let is_quiet = |entry: &Entry| {
            !one.is_changed && !entry.pending && entry.memories.iter().all(|kept| !changes.concern(kept.id))
        };
        if moved.is_none() && known.is_some_and(is_quiet) {
            return Ok(None);
        }
        let Some(mut entry) = known.cloned() else {
            return Ok(Some(self.draft(one, None, None)?));
        };
        let (mut revised, mut forgotten, mut missing) = (Vec::new(), Vec::new(), Vec::new());
        for kept in &entry.memories {
            match self.state(kept, entry.pending, changes)? {
                PartState::Same => {}
                PartState::Revised(memory) => revised.push(*memory),
                PartState::Forgotten => forgotten.push(kept.id),
                PartState::Missing => missing.push(kept.id),
            }
        }
        let is_forgotten = !forgotten.is_empty() && forgotten.len() + missing.len() == entry.memories.len();
        if is_forgotten && !one.is_changed && moved.is_none() && missing.is_empty() {
            self.discard(path, &one.seen)?;
            return Ok(None);
        }
        if !is_forgotten && (!revised.is_empty() || !forgotten.is_empty()) {
            let text = self.text_of(&mut one)?;
            if one.is_changed {
                self.keep_beside(&one.seen.key, &text, &entry, &revised)?;
            } else {
                let text = self.rewrite(&one.seen, &text, &entry, &revised, &forgotten)?;
                one = self.look_at(path, reseen(one.seen)?)?;
                one.text = Some(text);
            }
        }
        let is_due = one.is_changed || entry.pending || moved.is_some();
        if !is_due && revised.is_empty() && forgotten.is_empty() && missing.is_empty() {
            return Ok(None);
        }
        entry.memories.retain(|kept| !forgotten.contains(&kept.id) && !missing.contains(&kept.id));
        Ok(Some(self.draft(one, Some(entry), moved.cloned())?))
    }

    fn text_of(&self, one: &mut Current) -> Result<String, VaultError> {
        match &one.text {
            Some(text) => Ok(text.clone()),
            None => {
                let text = files::read(&one.seen.path)?;
                one.text = Some(text.clone());
                Ok(text)
            }
        }
    }

    /// The memories that a document should have, and how they become so.
    fn draft(
        &self,
        mut one: Current,
        former: Option<Entry>,
        former_path: Option<Key>,
    ) -> Result<Draft, VaultError> {
        let text = self.text_of(&mut one)?;
        let document = self.read(&one.seen.key, &text);
        let is_new = former.is_none();
        let former = former.unwrap_or_default();
        let mut left: Vec<(Kept, Option<Memory>)> = Vec::new();
        for kept in former.memories {
            let memory = self.memory(kept.id)?.filter(|memory| memory.trashed_at.is_none());
            left.push((kept, memory));
        }
        left.retain(|(_, memory)| memory.is_some());
        let chosen = self.matched(&document, &mut left);
        let mut entry = Entry {
            version: former.version + 1,
            synced_at: Some(self.now),
            links: outgoing(&document),
            problems: document.problems.clone(),
            ..entry_of(&one)
        };
        let mut operations = Vec::new();
        for (number, (part, own)) in document.parts.into_iter().zip(chosen).enumerate() {
            let content = digest_of(&self.engine.redacted(&part.said.content));
            let (anchor, said) = (part.anchor, Box::new(part.said));
            let Some((kept, Some(memory))) = own else {
                let id = MemoryId::generate(self.now);
                entry.memories.push(Kept { id, version: 0, anchor, content, importance: 0.0 });
                operations.push(Operation::Remember(number, said));
                continue;
            };
            let (version, importance) = (memory.version, memory.importance.value());
            entry.memories.push(Kept { id: kept.id, version, anchor, content, importance });
            if !said.is_said_by(&memory, &|text| self.engine.redacted(text)) {
                operations.push(Operation::Revise(number, Box::new(memory), said));
            }
        }
        let (key, former_digest) = (one.seen.key, former.digest);
        let forget = left.into_iter().map(|(kept, _)| kept.id).collect();
        Ok(Draft { key, entry, former_digest, former_path, is_new, operations, forget })
    }

    /// For each part the memory that it had: by its name, else by what it says, else the next that is left.
    fn matched(
        &self,
        document: &Document,
        left: &mut Vec<(Kept, Option<Memory>)>,
    ) -> Vec<Option<(Kept, Option<Memory>)>> {
        let mut chosen: Vec<Option<(Kept, Option<Memory>)>> = document.parts.iter().map(|_| None).collect();
        let contents: Vec<String> =
            document.parts.iter().map(|part| digest_of(&self.engine.redacted(&part.said.content))).collect();
        for round in 0..3 {
            for (number, part) in
                document.parts.iter().enumerate().filter(|(at, _)| chosen[*at].is_none()).collect::<Vec<_>>()
            {
                let fits = |(kept, _): &(Kept, Option<Memory>)| match round {
                    0 => kept.anchor == part.anchor,
                    1 => kept.content == contents[number],
                    _ => true,
                };
                if let Some(at) = left.iter().position(fits) {
                    chosen[number] = Some(left.remove(at));
                }
            }
        }
        chosen
    }
}

fn outgoing(document: &Document) -> Vec<Outgoing> {
    let parts = document.parts.iter().enumerate();
    let links = parts.flat_map(|(part, own)| own.links.iter().map(move |link| (part, link)));
    let mut outgoing: Vec<Outgoing> = links
        .map(|(part, link)| Outgoing { part, target: link.target.clone(), heading: link.heading.clone() })
        .collect();
    outgoing.dedup();
    outgoing
}

fn entry_of(one: &Current) -> Entry {
    Entry {
        digest: one.digest.clone(),
        size: one.seen.size,
        modified_ns: one.seen.modified_ns,
        settled: is_settled(one.seen.modified_ns),
        ..Entry::default()
    }
}

/// A file after it was written.
fn reseen(mut seen: Seen) -> Result<Seen, VaultError> {
    let found =
        std::fs::metadata(&seen.path).map_err(|error| VaultError::file("cannot read", &seen.path, error))?;
    (seen.size, seen.modified_ns) = (found.len(), crate::scan::modified(&found));
    Ok(seen)
}

fn is_settled(modified_ns: i64) -> bool {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    let now = i64::try_from(now).unwrap_or(i64::MAX);
    let tick = if modified_ns % SECOND_NS == 0 { COARSE_TICK_NS } else { TICK_NS };
    now.saturating_sub(modified_ns) > tick
}

impl Pass<'_> {
    /// Writes the document of memories that have no file, and tells how it is now.
    fn restore(&mut self, key: &Key, entry: &Entry) -> Result<Option<Current>, VaultError> {
        if entry.memories.is_empty() {
            self.metadata.files.remove(key.path());
            self.dirty = true;
            return Ok(None);
        }
        let Some(seen) = self.write_restored(key, entry)? else { return Ok(None) };
        let current = self.look_at(key.path(), seen)?;
        Ok(Some(current))
    }

    /// Memories that say they come from a document that nobody knows: brought back from the trash, imported, or told
    /// so by somebody. They become documents known by their memories alone.
    fn adopt_strangers(
        &mut self,
        current: &BTreeMap<String, Current>,
        changes: &Changes,
    ) -> Result<(), VaultError> {
        if changes.memories.is_empty() {
            return Ok(());
        }
        let known: HashSet<MemoryId> =
            self.metadata.files.values().flat_map(|entry| &entry.memories).map(|kept| kept.id).collect();
        let mut strangers: Vec<&Memory> =
            changes.memories.values().filter(|memory| !known.contains(&memory.id)).collect();
        strangers.sort_by_key(|memory| memory.id);
        let mut adopted: BTreeMap<String, Vec<Kept>> = BTreeMap::new();
        for memory in strangers {
            let Some((key, anchor)) = crate::document::place(memory) else { continue };
            adopted.entry(key.path().to_owned()).or_default().push(Self::kept(memory, &anchor));
        }
        for (path, memories) in adopted {
            let Ok(wanted) = Key::of_path(&path) else { continue };
            let is_taken = |path: &str| current.contains_key(path) || self.metadata.files.contains_key(path);
            let is_free = self
                .metadata
                .files
                .get(&path)
                .is_none_or(|entry| entry.memories.is_empty() && entry.digest.is_empty());
            let key = if is_free && !current.contains_key(&path) {
                wanted
            } else {
                self.free_name(&wanted, "restored", &is_taken)?
            };
            self.metadata.files.insert(key.path().to_owned(), Entry { memories, ..Entry::default() });
            self.dirty = true;
        }
        Ok(())
    }
}

//! The files as they are now, compared with what is known of them.

use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::{Changes, Pass};
use crate::key::Key;
use crate::metadata::Entry;
use crate::scan::{Scan, Seen};
use crate::{VaultError, files};

/// A file that is not there, or empty, may be one that an editor is about to write.
const MISSING_WAIT: Duration = Duration::from_millis(100);

/// A write within this time after another may show the same time.
const TICK_NS: i64 = 20_000_000;
/// The same where the disk keeps whole seconds, or even pairs of them.
const COARSE_TICK_NS: i64 = 2_000_000_000;
const SECOND_NS: i64 = 1_000_000_000;

/// A document's file as it is now.
pub(super) struct Current {
    pub(super) seen: Seen,
    /// The text, if it had to be read.
    pub(super) text: Option<String>,
    pub(super) digest: String,
    pub(super) is_changed: bool,
}

/// What a scan and what is known of a vault differ in.
#[derive(Default)]
pub(super) struct Differing {
    /// Files that may have changed, and those whose memories were changed.
    pub(super) files: Vec<Seen>,
    /// The paths of documents that have no file.
    pub(super) missing: Vec<String>,
}

impl Pass<'_> {
    /// The documents there are. What seems to be missing or emptied is looked for a second time, a moment later.
    pub(super) fn settled_scan(&self) -> Result<Scan, VaultError> {
        let scan = Scan::of(self.root)?;
        let known = &self.metadata.files;
        let was_there = |path: &String| known.get(path).is_some_and(|entry| !entry.digest.is_empty());
        let had_text = |seen: &Seen| known.get(seen.key.path()).is_some_and(|entry| entry.size > 0);
        let is_emptied = scan.files.iter().any(|seen| seen.size == 0 && had_text(seen));
        if is_emptied || missing(&scan, known).any(was_there) {
            std::thread::sleep(MISSING_WAIT);
            return Scan::of(self.root);
        }
        Ok(scan)
    }

    /// What there is to be done about. Both sides are in the order of their paths, so that nothing is searched for.
    pub(super) fn differing(&self, scan: Scan, changes: &Changes) -> Differing {
        let missing = missing(&scan, &self.metadata.files).cloned().collect();
        let mut known = self.metadata.files.iter().peekable();
        let mut files = scan.files;
        files.retain(|seen| {
            let path = seen.key.path();
            while known.next_if(|(own, _)| own.as_str() < path).is_some() {}
            let entry = known.next_if(|(own, _)| own.as_str() == path);
            entry.is_none_or(|(_, entry)| !is_quiet(entry, seen, changes))
        });
        Differing { files, missing }
    }

    /// The files as they are; only those are read that may have changed.
    pub(super) fn look(&mut self, files: Vec<Seen>) -> Result<BTreeMap<String, Current>, VaultError> {
        let mut current = BTreeMap::new();
        for seen in files {
            let path = seen.key.path().to_owned();
            if let Some(entry) = self.metadata.files.get(&path).filter(|entry| is_as_known(entry, &seen)) {
                let digest = entry.digest.clone();
                current.insert(path, Current { seen, text: None, digest, is_changed: false });
                continue;
            }
            let found = (seen.size, seen.modified_ns);
            match self.look_at(&path, seen) {
                Ok(one) => {
                    current.insert(path, one);
                }
                // An editor was faster; the next sync sees what becomes of it.
                Err(VaultError::File { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
                    self.again = true;
                }
                Err(error @ (VaultError::NotText { .. } | VaultError::File { .. })) => {
                    self.refuse(path, found, &error);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(current)
    }

    /// Reads a file.
    pub(super) fn look_at(&mut self, path: &str, seen: Seen) -> Result<Current, VaultError> {
        let text = files::read(&seen.path)?;
        let digest = blake3::hash(text.as_bytes()).to_hex().to_string();
        let settled = is_settled(seen.modified_ns);
        let mut is_changed = true;
        if let Some(entry) = self.metadata.files.get_mut(path) {
            self.dirty |= entry.unreadable.take().is_some();
        }
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
    fn refuse(&mut self, path: String, found: (u64, i64), error: &VaultError) {
        let why = match error {
            VaultError::NotText { .. } => "it is not text in UTF-8; save it as UTF-8".to_owned(),
            VaultError::File { source, .. } => format!("it cannot be read: {source}"),
            other => other.to_string(),
        };
        let entry = self.metadata.files.entry(path).or_default();
        let now = (found, Some(why));
        if ((entry.size, entry.modified_ns), entry.unreadable.clone()) != now {
            ((entry.size, entry.modified_ns), entry.unreadable) = now;
            self.dirty = true;
        }
    }

    /// Documents that have another name: gone here, and there with the same bytes. Their entries move along.
    pub(super) fn renames(
        &mut self,
        current: &BTreeMap<String, Current>,
        gone: &[String],
    ) -> HashMap<String, Key> {
        let mut missing: HashMap<&str, Vec<&String>> = HashMap::new();
        for path in gone {
            let entry = self.metadata.files.get(path);
            if let Some(entry) = entry.filter(|entry| !entry.digest.is_empty() && !entry.memories.is_empty())
            {
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

    /// The text of a file, which is read once.
    pub(super) fn text_of(&self, one: &mut Current) -> Result<String, VaultError> {
        match &one.text {
            Some(text) => Ok(text.clone()),
            None => {
                let text = files::read(&one.seen.path)?;
                one.text = Some(text.clone());
                Ok(text)
            }
        }
    }
}

/// The paths of documents that are known and have no file.
fn missing<'a>(scan: &Scan, known: &'a BTreeMap<String, Entry>) -> impl Iterator<Item = &'a String> {
    let mut seen = scan.files.iter().map(|seen| seen.key.path()).peekable();
    known.keys().filter(move |path| {
        while seen.next_if(|own| *own < path.as_str()).is_some() {}
        seen.next_if(|own| *own == path.as_str()).is_none()
    })
}

/// Whether a file is, by its size and time, as it was when it was last read.
fn is_as_known(entry: &Entry, seen: &Seen) -> bool {
    entry.settled
        && !entry.digest.is_empty()
        && entry.unreadable.is_none()
        && (entry.size, entry.modified_ns) == (seen.size, seen.modified_ns)
}

/// Whether nothing happened, neither to the file nor to its memories.
fn is_quiet(entry: &Entry, seen: &Seen, changes: &Changes) -> bool {
    !entry.pending
        && is_as_known(entry, seen)
        && (changes.is_empty() || entry.memories.iter().all(|kept| !changes.concern(kept.id)))
}

/// What is known of a file that was just looked at.
pub(super) fn entry_of(one: &Current) -> Entry {
    Entry {
        digest: one.digest.clone(),
        size: one.seen.size,
        modified_ns: one.seen.modified_ns,
        settled: is_settled(one.seen.modified_ns),
        ..Entry::default()
    }
}

/// A file after it was written.
pub(super) fn reseen(mut seen: Seen) -> Result<Seen, VaultError> {
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

//! Documents that were changed on both sides: the file stands, and what the memories said is kept beside it and told.

use perihelion::{Happening, Memory, MemoryId, Severity};

use super::outward::short;
use super::{Conflict, Pass};
use crate::key::Key;
use crate::metadata::{Entry, Untold};
use crate::{VaultError, files, front_matter};

/// How the events call the vault.
const WORKER: &str = "vault";

impl Pass<'_> {
    /// Keeps what memories say as a document of its own, where the file was changed too and says something else.
    pub(super) fn keep_beside(
        &mut self,
        key: &Key,
        text: &str,
        entry: &Entry,
        revised: &[Memory],
    ) -> Result<(), VaultError> {
        let document = self.read(key, text);
        let redacted = |text: &str| self.engine.redacted(text);
        let (mut bodies, mut changes, mut memories) = (Vec::new(), Vec::new(), Vec::new());
        for memory in revised {
            if document.parts.iter().any(|part| part.said.is_said_by(memory, &redacted)) {
                continue;
            }
            bodies.push(memory.content.as_str());
            memories.push(memory.id);
            let kept = entry.memories.iter().find(|kept| kept.id == memory.id);
            let own = document.parts.iter().find(|part| kept.is_some_and(|kept| kept.anchor == part.anchor));
            if let Some(part) = own.or(document.parts.first()) {
                changes.extend(self.front_changes(memory, part, kept.map(|kept| kept.importance)));
            }
        }
        if bodies.is_empty() {
            return Ok(());
        }
        let body = format!("{}\n", bodies.join("\n\n"));
        let text = front_matter::with(&front_matter::with_body(text, &body), &changes);
        let kept = self.write_beside(key, &text)?;
        self.note_conflict(key, kept, memories);
        Ok(())
    }

    fn note_conflict(&mut self, key: &Key, kept: Key, memories: Vec<MemoryId>) {
        let untold = Untold { path: key.path().to_owned(), kept: kept.path().to_owned(), memories };
        if !self.metadata.untold.contains(&untold) {
            self.metadata.untold.push(untold);
            self.dirty = true;
        }
        let conflict = Conflict { key: key.clone(), kept };
        if !self.told.conflicts.contains(&conflict) {
            tracing::info!(document = %conflict.key, kept_as = %conflict.kept, "a document was changed on both sides; both versions are kept");
            self.told.conflicts.push(conflict);
        }
        // What was kept becomes a document of its own.
        self.again = true;
    }

    /// Writes a version beside its document, unless it is there already; which document it is.
    fn write_beside(&mut self, key: &Key, text: &str) -> Result<Key, VaultError> {
        if let Some(there) = self.kept_before(key, text)? {
            return Ok(there);
        }
        let root = self.root;
        // A name that cannot be looked at is not surely free.
        let is_taken = |path: &str| peri_private::is_taken(&root.join(path)).unwrap_or(true);
        let beside = self.free_name(key, "conflict", &is_taken)?;
        let path = files::locate(self.root, &beside)?;
        self.steps.step()?;
        files::write(&path, text.as_bytes())?;
        self.steps.step()?;
        Ok(beside)
    }

    /// The document beside this one that keeps the same text: a sync that was cut off wrote it.
    fn kept_before(&self, key: &Key, text: &str) -> Result<Option<Key>, VaultError> {
        let folder = self.root.join(key.folder());
        let begin = format!("{} (conflict ", short(key.name()));
        let siblings =
            std::fs::read_dir(&folder).map_err(|error| VaultError::file("cannot read", &folder, error))?;
        for sibling in siblings.flatten() {
            let name = sibling.file_name();
            let Some(name) = name.to_str().filter(|name| name.starts_with(&begin)) else { continue };
            if files::read(&sibling.path()).is_ok_and(|own| own == text) {
                return Ok(Key::of_path(&format!("{}/{name}", key.folder())).ok());
            }
        }
        Ok(None)
    }

    /// Tells of conflicts in the events, once both versions are memories. After a crash one may be told twice, but none
    /// is left out.
    pub(super) fn tell_conflicts(&mut self) -> Result<(), VaultError> {
        for untold in std::mem::take(&mut self.metadata.untold) {
            self.steps.step()?;
            self.engine.tell_in(self.namespace, self.alert(&untold))?;
            self.steps.step()?;
            self.dirty = true;
        }
        Ok(())
    }

    fn alert(&self, untold: &Untold) -> Happening {
        let Untold { path, kept, memories } = untold;
        let beside = self.metadata.files.get(kept).into_iter().flat_map(|entry| &entry.memories);
        let beside = beside.filter(|own| own.version > 0).map(|own| own.id);
        Happening::WorkerAlert {
            worker: WORKER.to_owned(),
            severity: Severity::Warning,
            message: format!(
                "{path} was changed as a file and as a memory; the file stands, the other version is kept as {kept}"
            ),
            ids: memories.iter().copied().chain(beside).collect(),
            file: Some(path.clone()),
        }
    }
}

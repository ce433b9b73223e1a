//! From documents to memories: what is to be done is written down first, then done.

use perihelion::{Error, ErrorKind, Receipt, Remember, Revise, Scope, StoreError};

use super::Pass;
use super::draft::{Draft, Operation, Plan, Removal};
use crate::VaultError;
use crate::document::Said;
use crate::metadata::{Entry, Kept};

/// Memories are stored so many at a time.
const BATCH: usize = 500;

/// A memory that is to be stored: of which draft, for which part, and what it says.
struct New {
    draft: usize,
    part: usize,
    said: Box<Said>,
}

impl Pass<'_> {
    /// Makes the memories follow the documents.
    pub(super) fn apply(&mut self, plan: Plan) -> Result<(), VaultError> {
        let Plan { mut drafts, removals } = plan;
        self.announce(&drafts)?;
        for removal in removals {
            self.remove(removal)?;
        }
        let mut new = Vec::new();
        for (number, draft) in drafts.iter_mut().enumerate() {
            self.change(number, draft, &mut new)?;
        }
        self.remember(&mut drafts, new)?;
        for draft in drafts {
            self.finish(draft);
        }
        Ok(())
    }

    /// Writes down which memories are about to be changed and to what.
    fn announce(&mut self, drafts: &[Draft]) -> Result<(), VaultError> {
        let mut announced = false;
        for draft in drafts {
            if draft.operations.is_empty() && draft.forget.is_empty() {
                continue;
            }
            let digest = draft.former_digest.clone();
            let version = draft.entry.version - 1;
            // What is no longer a part of it must still be known, to be forgotten after a crash too.
            let mut entry = Entry { digest, version, pending: true, ..draft.entry.clone() };
            let former = self.metadata.files.get(draft.key.path());
            let leaving = former
                .iter()
                .flat_map(|former| &former.memories)
                .filter(|kept| draft.forget.contains(&kept.id));
            entry.memories.extend(leaving.cloned());
            self.metadata.files.insert(draft.key.path().to_owned(), entry);
            announced = true;
        }
        if announced { self.save() } else { Ok(()) }
    }

    fn remove(&mut self, removal: Removal) -> Result<(), VaultError> {
        for id in &removal.ids {
            self.forget(*id)?;
        }
        self.metadata.files.remove(removal.key.path());
        self.told.deleted.push(removal.key);
        self.dirty = true;
        Ok(())
    }

    fn forget(&self, id: perihelion::MemoryId) -> Result<(), VaultError> {
        self.steps.step()?;
        for scope in [Scope::Exact(self.namespace.clone()), Scope::All] {
            match self.engine.forget(&scope, id) {
                Ok(_) => return Ok(()),
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Changes the memories that a document has, and gathers those that it lacks.
    fn change(&mut self, number: usize, draft: &mut Draft, new: &mut Vec<New>) -> Result<(), VaultError> {
        let (forget, operations) = (std::mem::take(&mut draft.forget), std::mem::take(&mut draft.operations));
        let is_changed = !(forget.is_empty() && operations.is_empty());
        for id in forget {
            self.forget(id)?;
        }
        if draft.is_new {
            self.told.added.push(draft.key.clone());
        } else if let Some(from) = draft.former_path.take() {
            self.told.renamed.push((from, draft.key.clone()));
        } else if is_changed && !self.told.restored.contains(&draft.key) {
            self.told.changed.push(draft.key.clone());
        }
        for operation in operations {
            match operation {
                Operation::Remember(part, said) => new.push(New { draft: number, part, said }),
                Operation::Revise(part, memory, said) => {
                    self.steps.step()?;
                    let outcome = self.engine.refile(
                        &Scope::Exact(memory.namespace.clone()),
                        memory.id,
                        &said.source,
                        revise(&said, memory.version),
                    );
                    self.note_revised(draft, part, outcome)?;
                    self.steps.step()?;
                }
            }
        }
        Ok(())
    }

    fn note_revised(
        &mut self,
        draft: &mut Draft,
        part: usize,
        outcome: Result<perihelion::Revised, Error>,
    ) -> Result<(), VaultError> {
        let Some(kept) = draft.entry.memories.get_mut(part) else { return Ok(()) };
        match outcome {
            Ok(revised) => *kept = Self::kept(&revised.memory, &kept.anchor),
            Err(Error::Store(StoreError::Duplicate { twin, .. })) => {
                // Another memory says just this for just this part already: that one stands for it.
                self.forget(kept.id)?;
                let anchor = kept.anchor.clone();
                if let Some(memory) = self.memory(twin)? {
                    *kept = Self::kept(&memory, &anchor);
                }
            }
            Err(Error::Store(StoreError::VersionConflict { .. } | StoreError::NotFound { .. })) => {
                // Somebody was faster: both versions are looked at by the next pass.
                draft.entry.pending = true;
                self.again = true;
            }
            Err(error) if error.kind() == ErrorKind::InvalidInput => {
                draft.entry.problems.push(error.to_string())
            }
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    fn remember(&mut self, drafts: &mut [Draft], new: Vec<New>) -> Result<(), VaultError> {
        let mut new = new.into_iter().peekable();
        while new.peek().is_some() {
            let batch: Vec<New> = new.by_ref().take(BATCH).collect();
            let requests: Vec<Remember> = batch.iter().map(|one| self.request(drafts, one)).collect();
            self.steps.step()?;
            match self.engine.remember_all(requests) {
                Ok(receipts) => {
                    for (one, receipt) in batch.iter().zip(receipts) {
                        self.note_stored(drafts, one, &receipt)?;
                    }
                }
                Err(error) if error.kind() == ErrorKind::InvalidInput => {
                    // One of them is refused, and with it all; so one after the other.
                    for one in &batch {
                        self.remember_one(drafts, one)?;
                    }
                }
                Err(error) => return Err(error.into()),
            }
            self.steps.step()?;
        }
        Ok(())
    }

    fn request(&self, drafts: &[Draft], one: &New) -> Remember {
        let id = drafts[one.draft].entry.memories.get(one.part).map(|kept| kept.id);
        Remember { id, ..one.said.remember(self.namespace) }
    }

    fn remember_one(&self, drafts: &mut [Draft], one: &New) -> Result<(), VaultError> {
        match self.engine.remember(self.request(drafts, one)) {
            Ok(receipt) => self.note_stored(drafts, one, &receipt),
            Err(error) if error.kind() == ErrorKind::InvalidInput => {
                drafts[one.draft].entry.problems.push(error.to_string());
                Ok(())
            }
            Err(error) => Err(error.into()),
        }
    }

    fn note_stored(&self, drafts: &mut [Draft], one: &New, receipt: &Receipt) -> Result<(), VaultError> {
        let Some(kept) = drafts[one.draft].entry.memories.get_mut(one.part) else { return Ok(()) };
        kept.version = 1;
        if receipt.id != kept.id
            && let Some(memory) = self.memory(receipt.id)?
        {
            *kept = Self::kept(&memory, &kept.anchor);
        }
        Ok(())
    }

    fn finish(&mut self, draft: Draft) {
        let mut entry = draft.entry;
        if entry.pending {
            entry.digest = draft.former_digest;
        } else {
            // What was refused has no memory; the links of the parts keep their numbers.
            entry
                .memories
                .iter_mut()
                .filter(|kept: &&mut Kept| kept.version == 0)
                .for_each(|kept| kept.content.clear());
        }
        self.metadata.files.insert(draft.key.path().to_owned(), entry);
        self.dirty = true;
    }
}

/// The request that makes a memory say what its document says.
fn revise(said: &Said, expected_version: u32) -> Revise {
    Revise {
        content: Some(said.content.clone()),
        kind: Some(said.kind),
        importance: said.importance,
        tags: Some(said.tags.clone()),
        aliases: Some(said.aliases.clone()),
        pinned: Some(said.pinned),
        valid_from: Some(said.valid_from),
        valid_until: Some(said.valid_until),
        metadata: Some(said.metadata.clone()),
        expected_version: Some(expected_version),
        ..Revise::default()
    }
}

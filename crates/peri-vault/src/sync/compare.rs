//! What changed on which side, and what is to be done about it.

use std::collections::BTreeSet;

use super::draft::{Draft, Plan, Removal};
use super::look::{Current, Differing, entry_of, reseen};
use super::{Changes, PartState, Pass};
use crate::VaultError;
use crate::key::{Class, Key};
use crate::metadata::Entry;
use crate::scan::Scan;

impl Pass<'_> {
    /// Finds out what is to be done. Files are changed on the way: they are rewritten, kept beside, moved to the trash.
    pub(super) fn compare(&mut self, scan: Scan, changes: &Changes) -> Result<Plan, VaultError> {
        let mut plan = Plan::default();
        self.adopt_strangers(&scan, changes)?;
        // What is there and cannot be read is not missing.
        let now: BTreeSet<String> = scan.files.iter().map(|seen| seen.key.path().to_owned()).collect();
        let Differing { files, missing } = self.differing(scan, changes);
        let mut current = self.look(files)?;
        let moved = self.renames(&current, &missing);
        let renamed_from = moved.values().map(|key| key.path().to_owned()).collect();
        self.check_vanished(&now, &renamed_from)?;
        for path in missing {
            let Ok(key) = Key::of_path(&path) else { continue };
            // One that was renamed is known by its new path.
            let Some(entry) = self.metadata.files.get(&path).cloned() else { continue };
            if entry.digest.is_empty() && !entry.pending {
                // Known by its memories alone.
                if let Some(restored) = self.restore(&key, &entry)? {
                    current.insert(path, restored);
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
}

//! From memories to files: what somebody changed, forgot or brought back there is done to the documents.

use perihelion::{Memory, MemoryId};
use serde_json::{Value, json};

use super::Pass;
use crate::document::{KNOWN, Part, same_labels, same_time};
use crate::front_matter;
use crate::key::{ENDING, KNOWLEDGE, Key};
use crate::metadata::Entry;
use crate::scan::Seen;
use crate::{VaultError, files};

/// A name is cut to so many bytes before something is added to it.
const NAME_BYTES_MAX: usize = 90;

/// So many names are tried.
const NAMES_MAX: usize = 1000;

impl Pass<'_> {
    /// Rewrites a document as its memories say. What of the file would be lost is kept in the vault's trash.
    pub(super) fn rewrite(
        &mut self,
        seen: &Seen,
        text: &str,
        entry: &Entry,
        revised: &[Memory],
        forgotten: &[MemoryId],
    ) -> Result<String, VaultError> {
        let document = self.read(&seen.key, text);
        let mut rewritten = text.to_owned();
        let mut changes: Vec<(String, Option<Value>)> = Vec::new();
        let mut loses = false;
        // From the end on, so that what stands before stays where it is.
        for part in document.parts.iter().rev() {
            let Some(kept) = entry.memories.iter().find(|kept| kept.anchor == part.anchor) else { continue };
            if forgotten.contains(&kept.id) {
                rewritten.replace_range(part.range.clone(), "");
                loses = true;
            } else if let Some(memory) = revised.iter().find(|memory| memory.id == kept.id) {
                let stored = self.engine.redacted(&part.said.content);
                if memory.content != stored {
                    rewritten.replace_range(part.range.clone(), &memory.content);
                    // A secret that only the file has.
                    loses |= stored != part.said.content;
                }
                changes.extend(self.front_changes(memory, part, Some(kept.importance)));
            }
        }
        let rewritten = front_matter::with(&rewritten, &changes);
        if rewritten == text {
            return Ok(rewritten);
        }
        if loses {
            files::keep_copy(self.root, &seen.key, text)?;
        }
        self.steps.step()?;
        files::check_inside(self.root, &seen.path)?;
        files::write(&seen.path, rewritten.as_bytes())?;
        self.steps.step()?;
        self.told.rewritten.push(seen.key.clone());
        Ok(rewritten)
    }

    /// What the front matter must say for a memory that somebody changed.
    pub(super) fn front_changes(
        &self,
        memory: &Memory,
        part: &Part,
        importance_before: Option<f32>,
    ) -> Vec<(String, Option<Value>)> {
        let (facets, said) = (&memory.facets, &part.said);
        let mut changes = Vec::new();
        let mut set = |key: &str, value: Option<Value>| changes.push((key.to_owned(), value));
        let clean =
            |labels: &[String]| labels.iter().map(|label| self.engine.redacted(label)).collect::<Vec<_>>();
        for (key, now, before, by_itself) in [
            ("tags", &facets.tags, &said.tags, &part.inline_tags),
            ("aliases", &facets.aliases, &said.aliases, &part.own_names),
        ] {
            if !same_labels(now, &clean(before)) {
                let own: Vec<&String> = now.iter().filter(|label| !by_itself.contains(label)).collect();
                set(key, (!own.is_empty()).then(|| json!(own)));
            }
        }
        let importance = memory.importance;
        if said.importance.map_or(importance_before != Some(importance.value()), |own| own != importance) {
            set("importance", Some(json!(importance)));
        }
        if facets.pinned != said.pinned {
            set("pinned", facets.pinned.then_some(Value::Bool(true)));
        }
        if memory.kind != said.kind {
            set("kind", Some(memory.kind.as_str().into()));
        }
        if !same_time(facets.valid_from, said.valid_from) {
            set("valid_from", facets.valid_from.map(|time| time.to_string().into()));
        }
        if facets.superseded_by.is_none() && !same_time(facets.valid_until, said.valid_until) {
            set("valid_until", facets.valid_until.map(|time| time.to_string().into()));
        }
        for (key, value) in &facets.metadata {
            if said.metadata.get(key) != Some(value)
                && !value.to_string().contains("[redacted")
                && is_free(key)
            {
                set(key, Some(value.clone()));
            }
        }
        for key in said.metadata.keys().filter(|key| !facets.metadata.contains_key(*key)) {
            set(key, None);
        }
        changes
    }

    /// A name beside a document that says what happened and when, and that nobody has.
    pub(super) fn free_name(
        &self,
        key: &Key,
        what: &str,
        is_taken: &dyn Fn(&str) -> bool,
    ) -> Result<Key, VaultError> {
        let at = self
            .now
            .to_zoned(self.engine.options().time_zone.clone())
            .strftime("%Y-%m-%d %H-%M-%S")
            .to_string();
        let name = format!("{} ({what} {at}", short(key.name()));
        let names = std::iter::once(format!("{name})"))
            .chain((2..NAMES_MAX).map(|number| format!("{name} {number})")));
        // Where the folder's own path leaves no room, it goes to the top.
        let top = |name: &str| Key::of_path(&format!("{KNOWLEDGE}/{name}{ENDING}"));
        let mut keys = names.filter_map(|name| key.beside(&name).or_else(|_| top(&name)).ok());
        keys.find(|key| !is_taken(key.path()))
            .ok_or_else(|| VaultError::Key { key: key.to_string(), why: "no name beside it is free" })
    }

    /// Moves a document to the vault's trash whose memories were forgotten.
    pub(super) fn discard(&mut self, path: &str, seen: &Seen) -> Result<(), VaultError> {
        self.steps.step()?;
        files::check_inside(self.root, &seen.path)?;
        files::discard(self.root, &seen.key, &seen.path)?;
        self.steps.step()?;
        self.metadata.files.remove(path);
        self.told.discarded.push(seen.key.clone());
        self.dirty = true;
        self.again = true;
        Ok(())
    }

    /// Writes a document from its memories alone. None if they are gone.
    pub(super) fn write_restored(&mut self, key: &Key, entry: &Entry) -> Result<Option<Seen>, VaultError> {
        let mut memories = Vec::new();
        for kept in &entry.memories {
            memories.extend(self.memory(kept.id)?.filter(|memory| memory.trashed_at.is_none()));
        }
        let Some(first) = memories.first() else {
            self.metadata.files.remove(key.path());
            self.dirty = true;
            return Ok(None);
        };
        let bodies: Vec<&str> = memories.iter().map(|memory| memory.content.as_str()).collect();
        let body = format!("{}\n", bodies.join("\n\n"));
        let document = self.read(key, &body);
        // How much it matters is for the memory to say, which keeps it.
        let importance = Some(first.importance.value());
        let changes = document
            .parts
            .first()
            .map(|part| self.front_changes(first, part, importance))
            .unwrap_or_default();
        let changes: Vec<_> = changes.into_iter().filter(|(_, value)| value.is_some()).collect();
        let path = files::locate(self.root, key)?;
        let folder = path.parent().unwrap_or(self.root);
        peri_private::create_open_folder(folder)
            .map_err(|error| VaultError::file("cannot create", folder, error))?;
        self.steps.step()?;
        files::write(&path, front_matter::with(&body, &changes).as_bytes())?;
        self.steps.step()?;
        self.told.restored.push(key.clone());
        let found =
            std::fs::metadata(&path).map_err(|error| VaultError::file("cannot read", &path, error))?;
        let (size, modified_ns) = (found.len(), crate::scan::modified(&found));
        Ok(Some(Seen { key: key.clone(), path, size, modified_ns }))
    }
}

/// Whether a key of metadata can stand in the front matter without meaning something else there.
fn is_free(key: &str) -> bool {
    !KNOWN.contains(&key)
        && key != perihelion::KnowledgePart::KEY
        && !front_matter::list(Some(&Value::from(key))).is_empty()
}

pub(super) fn short(name: &str) -> &str {
    let mut end = name.len().min(NAME_BYTES_MAX);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    name[..end].trim_end_matches([' ', '.'])
}

//! Links between documents become edges between their memories.

use std::collections::{BTreeSet, HashMap};

use perihelion::{EdgeType, MemoryId, NewEdge};
use unicode_normalization::UnicodeNormalization as _;

use super::Pass;
use crate::VaultError;
use crate::key::ENDING;
use crate::metadata::{Entry, Metadata};

/// As much as a link can weigh that was found. One drawn by hand weighs more and is followed by every recall, which
/// would bring in everything that a table of contents names.
const WEIGHT: f32 = 0.94;

impl Pass<'_> {
    /// Draws the edges of links whose documents are there, and takes away those of links that are gone.
    pub(super) fn draw_edges(&mut self, worked: bool) -> Result<(), VaultError> {
        if !worked {
            return Ok(());
        }
        let wanted = wanted(&self.metadata);
        let drawn: BTreeSet<(MemoryId, MemoryId)> = self.metadata.edges.iter().copied().collect();
        let gone: Vec<_> = drawn.difference(&wanted).copied().collect();
        let new: Vec<_> = wanted.difference(&drawn).copied().collect();
        if gone.is_empty() && new.is_empty() {
            return Ok(());
        }
        self.steps.step()?;
        self.engine.unlink_all(self.namespace, &gone, EdgeType::RelatedTo)?;
        self.steps.step()?;
        let edge = |&(source, target): &(MemoryId, MemoryId)| NewEdge {
            source,
            target,
            edge_type: EdgeType::RelatedTo,
            weight: WEIGHT,
        };
        let edges: Vec<NewEdge> = new.iter().map(edge).collect();
        self.engine.link_all(self.namespace, &edges)?;
        self.steps.step()?;
        self.told.links_removed += gone.len();
        self.told.links_drawn += new.len();
        self.metadata.edges = wanted.into_iter().collect();
        self.dirty = true;
        Ok(())
    }
}

/// The edges that the links of all documents ask for.
fn wanted(metadata: &Metadata) -> BTreeSet<(MemoryId, MemoryId)> {
    let names = Names::of(metadata);
    let mut wanted = BTreeSet::new();
    for (path, entry) in &metadata.files {
        for link in &entry.links {
            let Some(source) = entry.memories.get(link.part).filter(|kept| kept.version > 0) else {
                continue;
            };
            let Some(target) = names.find(path, &link.target) else { continue };
            let Some(id) = part(target, link.heading.as_deref()) else { continue };
            if id != source.id {
                wanted.insert((source.id, id));
            }
        }
    }
    wanted
}

/// The memory of the part under a heading, or else of the first.
fn part(entry: &Entry, heading: Option<&str>) -> Option<MemoryId> {
    let heading = heading.map(str::to_lowercase);
    let named = entry.memories.iter().find(|kept| Some(kept.anchor.to_lowercase()) == heading);
    named.or(entry.memories.first()).filter(|kept| kept.version > 0).map(|kept| kept.id)
}

/// The documents by their names, as links write them.
struct Names<'a>(HashMap<String, Vec<(&'a str, &'a Entry)>>);

impl<'a> Names<'a> {
    fn of(metadata: &'a Metadata) -> Self {
        let mut names: HashMap<String, Vec<_>> = HashMap::new();
        for (path, entry) in metadata.files.iter().filter(|(_, entry)| !entry.memories.is_empty()) {
            names
                .entry(folded(path.rsplit('/').next().unwrap_or(path)))
                .or_default()
                .push((path.as_str(), entry));
        }
        Self(names)
    }

    /// The document that a link means: by its path as far as that is written; of several the one in the same folder, else
    /// the one with the shortest path.
    fn find(&self, from: &str, target: &str) -> Option<&'a Entry> {
        let target =
            folded(target.trim_start_matches("./").trim_start_matches("../").trim_start_matches('/'));
        let name = target.rsplit('/').next()?;
        let fits = |path: &str| {
            let path = folded(path);
            path == target || path.strip_suffix(&target).is_some_and(|rest| rest.ends_with('/'))
        };
        let folder = |path: &str| path.rsplit_once('/').map(|(folder, _)| folder.to_owned());
        let found = self.0.get(name)?.iter().filter(|(path, _)| fits(path));
        let best =
            found.min_by_key(|(path, _)| (folder(path) != folder(from), path.matches('/').count(), *path));
        best.map(|(_, entry)| *entry)
    }
}

fn folded(name: &str) -> String {
    name.strip_suffix(ENDING).unwrap_or(name).nfc().collect::<String>().to_lowercase()
}

#[cfg(test)]
mod tests {
    use perihelion::Timestamp;

    use super::*;
    use crate::metadata::Kept;

    #[test]
    fn a_link_means_the_document_that_obsidian_would_open() {
        let mut metadata = Metadata::default();
        for path in
            ["knowledge/facts/커피.md", "knowledge/a/Tea.md", "knowledge/b/c/tea.md", "knowledge/b/c/x.md"]
        {
            let id = MemoryId::generate(Timestamp::UNIX_EPOCH);
            let kept =
                Kept { id, version: 1, anchor: String::new(), content: String::new(), importance: 0.5 };
            metadata.files.insert(path.to_owned(), Entry { memories: vec![kept], ..Entry::default() });
        }
        let names = Names::of(&metadata);
        for (from, target, expected) in [
            ("knowledge/x.md", "커피", Some("knowledge/facts/커피.md")),
            ("knowledge/x.md", "facts/커피.md", Some("knowledge/facts/커피.md")),
            ("knowledge/x.md", "knowledge/facts/커피", Some("knowledge/facts/커피.md")),
            ("knowledge/x.md", "acts/커피", None),
            ("knowledge/x.md", "tea", Some("knowledge/a/Tea.md")),
            ("knowledge/b/c/x.md", "TEA", Some("knowledge/b/c/tea.md")),
            ("knowledge/x.md", "c/tea", Some("knowledge/b/c/tea.md")),
            ("knowledge/x.md", "없음", None),
            ("knowledge/x.md", "picture.png", None),
        ] {
            let found = names.find(from, target).map(|entry| entry.memories[0].id);
            assert_eq!(found, expected.map(|path| metadata.files[path].memories[0].id), "{from} {target}");
        }
    }
}

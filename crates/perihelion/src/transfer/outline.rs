//! What a file says of itself: where it begins and ends, and what it is about.

use std::collections::{BTreeSet, HashMap, HashSet};

use peri_types::{MemoryId, Namespace};
use serde::Serialize;

use super::line::{End, Header, Line};

/// How an import came to its end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The file has its last line.
    Whole,
    /// It is of a format that has no last line, or no export at all: whether something is missing cannot be told.
    #[default]
    Unmarked,
    /// The last line is missing: the file was cut.
    Cut,
    /// Somebody stopped it.
    Stopped,
}

/// What was read of an export so far.
#[derive(Debug, Default)]
pub(super) struct Outline {
    section: Option<Section>,
    /// Whether an earlier part of the file had no last line.
    broken: bool,
    /// Whether something of its namespaces was left out on purpose.
    pub(super) is_partial: bool,
    /// The namespaces that it speaks of.
    pub(super) namespaces: BTreeSet<Namespace>,
    /// The memories that it holds, if that is of interest.
    pub(super) ids: Option<HashMap<Namespace, HashSet<MemoryId>>>,
}

/// From one header to the next: exports may be written one after the other.
#[derive(Debug)]
struct Section {
    header: Header,
    read: End,
    ended: bool,
}

impl Outline {
    /// Nothing yet; with the ids of the memories, if they will be asked for.
    pub(super) fn new(with_ids: bool) -> Self {
        Self { ids: with_ids.then(HashMap::new), ..Self::default() }
    }

    /// Takes note of a line, or tells what is wrong with the file if it is a last line that says so.
    pub(super) fn note(&mut self, line: &Line) -> Result<(), String> {
        if let Some(namespace) = line.namespace().filter(|own| !self.namespaces.contains(*own)) {
            self.namespaces.insert(namespace.clone());
        }
        match line {
            Line::Header(header) => self.begin(*header),
            Line::End(end) => return self.end(*end),
            Line::Memory(line) => {
                self.count(|read| read.memories += 1);
                if let Some(ids) = &mut self.ids {
                    ids.entry(line.memory.namespace.clone()).or_default().insert(line.memory.id);
                }
            }
            Line::Edge(_) => self.count(|read| read.edges += 1),
            Line::Session(_) => self.count(|read| read.sessions += 1),
            Line::Entry(_) => self.count(|read| read.entries += 1),
            Line::Turn(_) => self.count(|read| read.turns += 1),
            Line::Notes(_) => self.count(|read| read.notes += 1),
            Line::Pattern(_) => self.count(|read| read.patterns += 1),
            Line::Trajectory(_) => self.count(|read| read.trajectories += 1),
            Line::Learned(_) => self.count(|read| read.learned += 1),
            Line::Namespace(_) | Line::Feedback(_) | Line::Weights(_) => {}
        }
        Ok(())
    }

    /// Whether the file holds a memory. Nothing is known without ids.
    pub(super) fn holds(&self, namespace: &Namespace, id: MemoryId) -> bool {
        self.ids.as_ref().and_then(|ids| ids.get(namespace)).is_some_and(|ids| ids.contains(&id))
    }

    /// How the file ends, if this is all of it.
    pub(super) fn ending(&self) -> Ending {
        match &self.section {
            _ if self.broken => Ending::Cut,
            None => Ending::Unmarked,
            Some(section) if section.ended => Ending::Whole,
            Some(section) if has_end(section.header) => Ending::Cut,
            Some(_) => Ending::Unmarked,
        }
    }

    fn begin(&mut self, header: Header) {
        self.broken |= self.ending() == Ending::Cut;
        self.is_partial |= header.partial;
        self.section = Some(Section { header, read: End::default(), ended: false });
    }

    fn count(&mut self, add: impl FnOnce(&mut End)) {
        if let Some(section) = &mut self.section {
            add(&mut section.read);
        }
    }

    fn end(&mut self, end: End) -> Result<(), String> {
        let Some(section) = &mut self.section else {
            return Err("it is the last line of an export whose first is missing".to_owned());
        };
        section.ended = true;
        if end == section.read {
            return Ok(());
        }
        let (said, read) = (told(&end), told(&section.read));
        Err(format!("it says that there are {said}, but {read} were read: something is missing or was added"))
    }
}

/// How much there is, for a person.
fn told(end: &End) -> String {
    let End { memories, edges, sessions, entries, turns, notes, patterns, trajectories, learned } = end;
    let mut text = format!("{memories} memories, {edges} edges and {sessions} sessions");
    if entries + turns > 0 {
        text.push_str(&format!(" with {entries} journal events and {turns} turns"));
    }
    if *notes > 0 {
        text.push_str(&format!(" and {notes} sets of notes"));
    }
    if patterns + trajectories + learned > 0 {
        text.push_str(&format!(
            " and {patterns} patterns, {trajectories} trajectories and {learned} learned sets"
        ));
    }
    text
}

fn has_end(header: Header) -> bool {
    header.perihelion >= 2
}

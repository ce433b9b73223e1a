//! The file of the reference MCP memory server: one entity or relation a line, as JSON.

use std::io::BufRead;

use perihelion::{Entity, KnowledgeAdded, KnowledgeGraph, Namespace, Perihelion, Relation};
use serde::Deserialize;

use super::Refused;
use super::lines::{Line, Lines};
use super::pieces;
use super::record::not_json;
use crate::error::CliError;

/// The longest line worth reading: an entity stands on one line with everything that was observed of it.
const LINE_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Entities, observations and relations of one transaction, if no single line brings more.
const BATCH: usize = 4096;

/// What a line holds. Further keys are passed over, as the server does.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Record {
    Entity(Entity),
    Relation(Relation),
}

/// A file that was read: the lines that can be taken, and those that cannot.
#[derive(Debug, Default)]
pub(crate) struct KnowledgeFile {
    lines: Vec<(usize, Record)>,
    /// The other lines.
    pub(crate) refused: Vec<Refused>,
}

impl KnowledgeFile {
    /// Reads all lines. `name` is what the reader is called in messages.
    pub(crate) fn read(engine: &Perihelion, reader: impl BufRead, name: &str) -> Result<Self, CliError> {
        let mut file = Self::default();
        let mut lines = Lines::new(reader, LINE_BYTES_MAX);
        while let Some(line) = lines.next().map_err(|source| CliError::read(name, source))? {
            match record(engine, line) {
                Ok(Some(record)) => file.lines.push((lines.number, record)),
                Ok(None) => {}
                Err(reason) => {
                    file.refused.push(Refused { line: lines.number, reason: pieces::told(reason) });
                }
            }
        }
        Ok(file)
    }

    /// Whether no line can be taken.
    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// What the lines hold together.
    pub(crate) fn holds(&self) -> KnowledgeAdded {
        let mut held = KnowledgeAdded::default();
        for (_, record) in &self.lines {
            match record {
                Record::Entity(entity) => {
                    held.entities += 1;
                    held.observations += entity.observations.len() as u64;
                }
                Record::Relation(_) => held.relations += 1,
            }
        }
        held
    }

    /// What storing would add.
    pub(crate) fn preview(
        self,
        engine: &Perihelion,
        namespace: &Namespace,
    ) -> Result<KnowledgeAdded, CliError> {
        let graph = graph(self.lines.into_iter().map(|(_, record)| record));
        Ok(engine.preview_knowledge(namespace, graph)?)
    }

    /// Stores everything, a batch at a time, and tells what was new.
    pub(crate) fn store(
        self,
        engine: &Perihelion,
        namespace: &Namespace,
    ) -> Result<KnowledgeAdded, CliError> {
        let mut added = KnowledgeAdded::default();
        let mut lines = self.lines.into_iter().peekable();
        while let Some((line, _)) = lines.peek() {
            let (line, mut size) = (*line, 0);
            let mut batch = Vec::new();
            while let Some((_, record)) = lines.next_if(|(_, next)| size == 0 || size + next.size() <= BATCH)
            {
                size += record.size();
                batch.push(record);
            }
            let new = engine.add_knowledge(namespace, graph(batch.into_iter())).map_err(|error| {
                let kept = usize::try_from(added.entities + added.observations + added.relations);
                let (kept, source) = (kept.unwrap_or(usize::MAX), Box::new(error.into()));
                CliError::ImportStopped { line, kept, source }
            })?;
            added.entities += new.entities;
            added.observations += new.observations;
            added.relations += new.relations;
        }
        Ok(added)
    }
}

impl Record {
    /// How many memories it becomes.
    fn size(&self) -> usize {
        match self {
            Self::Entity(entity) => 1 + entity.observations.len(),
            Self::Relation(_) => 1,
        }
    }
}

/// What a line holds, if it keeps to the limits; a blank one holds nothing.
fn record(engine: &Perihelion, line: Line) -> Result<Option<Record>, String> {
    let text = match line {
        Line::Text(text) => text,
        Line::NotText(at) => {
            return Err(format!("it is not UTF-8 text: the byte at offset {at} of the line"));
        }
        Line::TooLong(bytes) => return Err(format!("it has {bytes} bytes, more than any entity may have")),
    };
    if text.trim().is_empty() {
        return Ok(None);
    }
    let value: serde_json::Value = serde_json::from_str(&text).map_err(|error| not_json(&error))?;
    let record: Record = serde_json::from_value(value)
        .map_err(|error| format!("it is neither an entity nor a relation: {error}"))?;
    let alone = match &record {
        Record::Entity(entity) => KnowledgeGraph { entities: vec![entity.clone()], relations: Vec::new() },
        Record::Relation(relation) => {
            KnowledgeGraph { entities: Vec::new(), relations: vec![relation.clone()] }
        }
    };
    engine.check_knowledge(&alone).map_err(|error| error.to_string())?;
    Ok(Some(record))
}

fn graph(records: impl Iterator<Item = Record>) -> KnowledgeGraph {
    let mut graph = KnowledgeGraph::default();
    for record in records {
        match record {
            Record::Entity(entity) => graph.entities.push(entity),
            Record::Relation(relation) => graph.relations.push(relation),
        }
    }
    graph
}

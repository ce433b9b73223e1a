//! A folder of notes as basic-memory keeps them.

use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::path::{Path, PathBuf};

use peri_vault::front_matter;
use perihelion::{
    Entity, Kind, KnowledgeGraph, KnowledgePart, Limits, Namespace, Relation, Remember, Timestamp,
};
use serde_json::{Map, Value};

use super::intake::{Intake, Item};
use super::note::{Form, Note, Pointer, Statement};
use super::{graph, identity, moments, note, pieces};
use crate::error::CliError;

/// The system's name.
pub(crate) const NAME: &str = "basic-memory";

/// No note is larger.
const NOTE_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// What is said about a note in a field of its own.
const OWN_FIELDS: [&str; 7] =
    ["title", "tags", "aliases", "created", "created_at", "date", KnowledgePart::KEY];

/// What a folder held.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// Notes that were read.
    pub(crate) notes: u64,
    /// What their titles and relations brought to the graph.
    pub(crate) graph: graph::Outcome,
    /// Files that are no notes, and links, which are not followed.
    pub(crate) passed_over: Vec<String>,
}

/// Takes all notes below a folder.
pub(crate) fn take_all(
    folder: &Path,
    namespace: &Namespace,
    intake: &mut Intake<'_>,
) -> Result<Outcome, CliError> {
    let (mut outcome, mut gathered) = (Outcome::default(), Gathered::default());
    let found = walk(folder)?;
    outcome.passed_over = found.passed_over;
    intake.leave_out("files_that_are_no_notes", outcome.passed_over.len() as u64);
    for (path, name) in found.notes {
        let text = match read(&path) {
            Ok(text) => text,
            Err(reason) => {
                intake.refuse(name, reason);
                continue;
            }
        };
        outcome.notes += 1;
        let note = note::read(&text);
        let about = About::of(&note, &name);
        take(&note.statements, &about, namespace, intake)?;
        gathered.note(about, note.pointers);
    }
    intake.flush()?;
    outcome.graph = gathered.store(namespace, intake)?;
    Ok(outcome)
}

/// What lies in a folder.
#[derive(Default)]
struct Walked {
    /// Notes, with their paths below the folder.
    notes: Vec<(PathBuf, String)>,
    passed_over: Vec<String>,
}

/// Finds all files below a folder, in the order of their names. Links are not followed, so that nothing outside is
/// read and nothing inside twice; what is hidden belongs to programs.
fn walk(folder: &Path) -> Result<Walked, CliError> {
    let unreadable = |path: &Path, source| CliError::read(path.display().to_string(), source);
    if !folder.is_dir() {
        if folder.exists() {
            let message = format!("{} is not a folder", folder.display());
            return Err(CliError::input(message, "nothing was stored; name the folder that holds the notes"));
        }
        return Err(unreadable(folder, std::io::ErrorKind::NotFound.into()));
    }
    let (mut walked, mut waiting) = (Walked::default(), vec![folder.to_owned()]);
    while let Some(inner) = waiting.pop() {
        for entry in std::fs::read_dir(&inner).map_err(|source| unreadable(&inner, source))? {
            let entry = entry.map_err(|source| unreadable(&inner, source))?;
            let kind = entry.file_type().map_err(|source| unreadable(&entry.path(), source))?;
            if entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            let path = entry.path();
            let name = name_below(folder, &path);
            if kind.is_dir() {
                waiting.push(path);
            } else if kind.is_file() && is_markdown(&path) {
                walked.notes.push((path, name));
            } else {
                walked.passed_over.push(name);
            }
        }
    }
    walked.notes.sort_by(|one, other| one.1.cmp(&other.1));
    walked.passed_over.sort();
    Ok(walked)
}

fn name_below(folder: &Path, path: &Path) -> String {
    let below = path.strip_prefix(folder).unwrap_or(path);
    let parts = below.components().map(|part| part.as_os_str().to_string_lossy().into_owned());
    parts.collect::<Vec<_>>().join("/")
}

fn is_markdown(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    ["md", "markdown"].iter().any(|known| known.eq_ignore_ascii_case(extension))
}

fn read(path: &Path) -> Result<String, String> {
    let file = peri_private::open(path).map_err(|error| format!("it cannot be read: {error}"))?;
    let mut bytes = Vec::new();
    file.take(NOTE_BYTES_MAX + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| format!("it cannot be read: {error}"))?;
    if bytes.len() as u64 > NOTE_BYTES_MAX {
        return Err(format!("it has more than {NOTE_BYTES_MAX} bytes"));
    }
    String::from_utf8(bytes).map_err(|error| {
        format!("it is not UTF-8 text: the byte at offset {}", error.utf8_error().valid_up_to())
    })
}

/// What all statements of a note share.
struct About {
    /// The path below the folder.
    name: String,
    title: String,
    note_type: String,
    permalink: Option<String>,
    tags: Vec<String>,
    aliases: Vec<String>,
    at: Option<Timestamp>,
    metadata: Map<String, Value>,
}

impl About {
    fn of(note: &Note, name: &str) -> Self {
        let front = &note.front;
        let text = |key: &str| front.get(key).and_then(front_matter::text).filter(|text| !text.is_empty());
        let list = |key: &str| front_matter::list(front.get(key));
        let file = name.rsplit('/').next().unwrap_or(name);
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let title = text("title").unwrap_or_else(|| stem.to_owned()).replace('\0', "");
        let at = ["created", "created_at", "date"].iter().find_map(|key| moments::from_text(&text(key)?));
        let own = front.iter().filter(|(key, _)| !OWN_FIELDS.contains(&key.as_str()));
        let mut metadata: Map<String, Value> = own.map(|(key, value)| (key.clone(), value.clone())).collect();
        metadata.insert("note".to_owned(), title.clone().into());
        Self {
            name: name.to_owned(),
            note_type: text("type").unwrap_or_else(|| "note".to_owned()),
            permalink: text("permalink"),
            tags: list("tags"),
            aliases: std::iter::once(title.clone()).chain(list("aliases")).collect(),
            title,
            at,
            metadata,
        }
    }
}

fn take(
    statements: &[Statement],
    about: &About,
    namespace: &Namespace,
    intake: &mut Intake<'_>,
) -> Result<(), CliError> {
    for statement in statements {
        // Notes are edited, so a statement is known by its words: the same ones twice in a note are one.
        let key = identity::key_of(&[&about.name, &statement.text]);
        let place = format!("{}, line {}", about.name, statement.line);
        let request = request(statement, about, intake.limits()).in_namespace(namespace.clone());
        intake.take(Item { place, key, request })?;
    }
    Ok(())
}

fn request(statement: &Statement, about: &About, limits: &Limits) -> Remember {
    let kind = match (statement.form, &statement.category) {
        (Form::Prose, _) => Kind::Document,
        (Form::Observation, Some(category)) => category.to_lowercase().parse().unwrap_or(Kind::Fact),
        (Form::Observation, None) => Kind::Fact,
    };
    let mut request = Remember::new(statement.text.clone()).kind(kind);
    let facets = &mut request.facets;
    facets.tags = about.tags.iter().chain(&statement.category).chain(&statement.tags).cloned().collect();
    facets.aliases.clone_from(&about.aliases);
    facets.source = Some(pieces::shorten(&about.name.replace('\0', ""), limits.label_bytes_max));
    facets.occurred_at = about.at;
    facets.metadata = about.metadata.clone();
    for (key, value) in
        [("category", &statement.category), ("context", &statement.context), ("section", &statement.section)]
    {
        if let Some(value) = value {
            facets.metadata.insert(key.to_owned(), value.clone().into());
        }
    }
    request
}

/// The notes as things that point to each other.
#[derive(Default)]
struct Gathered {
    entities: Vec<Entity>,
    /// Titles by everything a link may call them.
    titles: HashMap<String, String>,
    pointers: Vec<(String, String, Pointer)>,
}

impl Gathered {
    fn note(&mut self, about: About, pointers: Vec<Pointer>) {
        let About { name, title, note_type, permalink, .. } = about;
        let path = name.rsplit_once('.').map_or(name.as_str(), |(path, _)| path).to_lowercase();
        let stem = path.rsplit('/').next().unwrap_or(&path).to_owned();
        let names = permalink.map(|permalink| permalink.to_lowercase()).into_iter().chain([path, stem]);
        for called in names.chain([title.to_lowercase()]) {
            self.titles.entry(called).or_insert_with(|| title.clone());
        }
        self.pointers.extend(pointers.into_iter().map(|pointer| (name.clone(), title.clone(), pointer)));
        self.entities.push(Entity { name: title, entity_type: note_type, observations: Vec::new() });
    }

    fn store(mut self, namespace: &Namespace, intake: &mut Intake<'_>) -> Result<graph::Outcome, CliError> {
        let mut named = HashSet::new();
        self.entities.retain(|entity| named.insert(entity.name.clone()));
        let (mut places, mut relations, mut known) = (Vec::new(), Vec::new(), HashSet::new());
        for (name, from, pointer) in self.pointers {
            let to = self.titles.get(&pointer.target.to_lowercase()).cloned().unwrap_or(pointer.target);
            let relation = Relation { from, to, relation_type: pointer.relation };
            if known.insert(relation.clone()) {
                places.push(format!("{name}, line {}", pointer.line));
                relations.push(relation);
            }
        }
        graph::store(intake, namespace, KnowledgeGraph { entities: self.entities, relations }, &places)
    }
}

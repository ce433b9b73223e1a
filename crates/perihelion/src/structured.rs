//! Structured content: what is known of a concept, the steps of a procedure, or any JSON, kept as it is beside the
//! words that say the same.
//!
//! The words are what recall finds; the structure is what programs read back. Whoever gives only the structure gets
//! the words made from it.

use std::borrow::Cow;

use peri_types::{Kind, Memory};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::engine::Perihelion;
use crate::redact::redact_text;
use crate::{Error, Redaction, Remember, Revise};

/// What is known of a concept: the structure of a fact.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FactData {
    /// What it is about.
    pub concept: String,
    /// What that is.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub definition: String,
    /// What else is known of it, by name.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub properties: Map<String, Value>,
    /// How it stands to other concepts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relations: Vec<FactRelation>,
    /// Whatever else was given, untouched.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// How a concept stands to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FactRelation {
    /// How, such as `part_of`.
    pub relation: String,
    /// To what.
    pub target: String,
}

/// How something is done: the structure of a procedure.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProcedureData {
    /// What is done, as it follows "how to".
    pub skill: String,
    /// What to do, one after the other; at least one step.
    pub steps: Vec<String>,
    /// When it can be done.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<String>,
    /// How often it went well, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub success_rate: Option<f64>,
    /// Whatever else was given, untouched.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// What structured content claims to be.
enum Shape {
    Fact(FactData),
    Procedure(ProcedureData),
    Plain,
}

impl Remember {
    /// What is known of a concept. Its words are made from it.
    pub fn fact(fact: &FactData) -> Self {
        Self::structured(Kind::Fact, fact)
    }

    /// How something is done. Its words are made from it.
    pub fn procedure(procedure: &ProcedureData) -> Self {
        Self::structured(Kind::Procedure, procedure)
    }

    fn structured(kind: Kind, data: &impl Serialize) -> Self {
        let mut request = Self::default().kind(kind);
        // Maps with text keys and finite numbers are always JSON; a number that is not becomes null, and is refused.
        request.facets.data = serde_json::to_value(data).ok();
        request
    }
}

/// What is known of a concept, if that is what a memory holds.
pub fn fact_of(memory: &Memory) -> Option<FactData> {
    match shape(memory.kind, memory.facets.data.as_ref()?) {
        Ok(Shape::Fact(fact)) => Some(fact),
        _ => None,
    }
}

/// How something is done, if that is what a memory holds.
pub fn procedure_of(memory: &Memory) -> Option<ProcedureData> {
    match shape(memory.kind, memory.facets.data.as_ref()?) {
        Ok(Shape::Procedure(procedure)) => Some(procedure),
        _ => None,
    }
}

impl Perihelion {
    /// A revision with the words that follow from it: where the words of the memory were made from its structure,
    /// and the revision gives another structure and no words, they are made anew. It then also asks for the version
    /// that was looked at, unless it asks for one already.
    pub(crate) fn revision_in_words(&self, memory: &Memory, mut request: Revise) -> Result<Revise, Error> {
        let Some(Some(data)) =
            request.data.as_ref().filter(|data| data.as_ref().is_some_and(|data| !data.is_null()))
        else {
            return Ok(request);
        };
        self.core.check_data(data)?;
        let new = content_of(request.kind.unwrap_or(memory.kind), data)?;
        let is_made = || memory.facets.data.as_ref().is_some_and(|old| self.made_from(memory, old));
        if request.content.is_none() && is_made() {
            request.content = Some(new);
            request.expected_version.get_or_insert(memory.version);
        }
        Ok(request)
    }

    /// Whether the words of a memory were made from its structure.
    fn made_from(&self, memory: &Memory, data: &Value) -> bool {
        let Ok(mut content) = content_of(memory.kind, data) else { return false };
        if self.core.options.redaction == Redaction::On {
            redact_text(&mut content, &mut Vec::new());
        }
        content == memory.content
    }
}

/// What a request says, in words: its content, or what its structure says. A structure that claims to be of a known
/// shape and is not is refused.
pub(crate) fn words_of(request: &Remember) -> Result<Cow<'_, str>, Error> {
    let kind = request.kind.unwrap_or(Kind::Fact);
    let data = request.facets.data.as_ref().filter(|data| !data.is_null());
    match data {
        Some(data) if request.content.trim().is_empty() => content_of(kind, data).map(Cow::Owned),
        Some(data) => shape(kind, data).map(|_| Cow::Borrowed(request.content.as_str())),
        None => Ok(Cow::Borrowed(&request.content)),
    }
}

/// A structure in words.
pub(crate) fn content_of(kind: Kind, data: &Value) -> Result<String, Error> {
    let words = match shape(kind, data)? {
        Shape::Fact(fact) => fact_in_words(&fact),
        Shape::Procedure(procedure) => procedure_in_words(&procedure),
        Shape::Plain => plain_in_words(data),
    };
    // Content has no NUL.
    let words = words.replace('\0', " ");
    // What has nothing to say in words is found by how it is written.
    Ok(if words.trim().is_empty() { data.to_string() } else { words })
}

/// What a structure is; an error where it claims to be what it is not.
fn shape(kind: Kind, data: &Value) -> Result<Shape, Error> {
    let Value::Object(map) = data else { return Ok(Shape::Plain) };
    match kind {
        Kind::Fact if map.contains_key("concept") => {
            said("concept", map.get("concept"))?;
            optional(map, "definition", "definition", "a text", Value::is_string)?;
            optional(map, "properties", "properties", "an object", Value::is_object)?;
            optional(map, "relations", "relations", RELATIONS, is_relations)?;
            parsed(data).map(Shape::Fact)
        }
        Kind::Procedure if map.contains_key("skill") || map.contains_key("steps") => {
            said("skill", map.get("skill"))?;
            let steps = map.get("steps").unwrap_or(&Value::Null);
            let is_steps = |value: &Value| is_texts(value) && value != &Value::Array(Vec::new());
            expect("steps", steps, "a list of texts, at least one", is_steps)?;
            optional(map, "conditions", "conditions", "a list of texts", is_texts)?;
            optional(map, "success_rate", "success_rate", "a number from 0 to 1", is_share)?;
            parsed(data).map(Shape::Procedure)
        }
        _ => Ok(Shape::Plain),
    }
}

const RELATIONS: &str = "a list of objects with the texts relation and target";

fn parsed<T: for<'de> Deserialize<'de>>(data: &Value) -> Result<T, Error> {
    T::deserialize(data)
        .map_err(|error| unexpected("all of it", &Value::String(error.to_string()), "what is documented"))
}

/// A text that says something.
fn said(what: &'static str, value: Option<&Value>) -> Result<(), Error> {
    let value = value.unwrap_or(&Value::Null);
    expect(what, value, "a text that is not empty", |value| {
        value.as_str().is_some_and(|text| !text.trim().is_empty())
    })
}

fn optional(
    map: &Map<String, Value>,
    key: &str,
    what: &'static str,
    expected: &str,
    holds: impl Fn(&Value) -> bool,
) -> Result<(), Error> {
    map.get(key).map_or(Ok(()), |value| expect(what, value, expected, holds))
}

fn expect(
    what: &'static str,
    value: &Value,
    expected: &str,
    holds: impl Fn(&Value) -> bool,
) -> Result<(), Error> {
    if holds(value) { Ok(()) } else { Err(unexpected(what, value, expected)) }
}

fn unexpected(what: &'static str, value: &Value, expected: &str) -> Error {
    /// So much of a wrong value is repeated.
    const SHOWN: usize = 60;
    let mut given = value.to_string();
    if let Some((cut, _)) = given.char_indices().nth(SHOWN) {
        given.truncate(cut);
        given.push('…');
    }
    Error::Data { part: what, given, expected: expected.to_owned() }
}

fn is_texts(value: &Value) -> bool {
    let is_said = |item: &Value| item.as_str().is_some_and(|text| !text.trim().is_empty());
    value.as_array().is_some_and(|items| items.iter().all(is_said))
}

fn is_share(value: &Value) -> bool {
    value.as_f64().is_some_and(|share| (0.0..=1.0).contains(&share))
}

fn is_relations(value: &Value) -> bool {
    let is_relation = |item: &Value| {
        ["relation", "target"]
            .iter()
            .all(|key| item.get(key).and_then(Value::as_str).is_some_and(|text| !text.trim().is_empty()))
    };
    value.as_array().is_some_and(|items| items.iter().all(is_relation))
}

/// "concept: definition. property: value. concept relation target."
fn fact_in_words(fact: &FactData) -> String {
    let concept = fact.concept.trim();
    let mut sentences = vec![match fact.definition.trim() {
        "" => concept.to_owned(),
        definition => format!("{concept}: {definition}"),
    }];
    sentences.extend(named(&fact.properties));
    let relations = fact.relations.iter();
    sentences
        .extend(relations.map(|one| format!("{concept} {} {}", spaced(&one.relation), one.target.trim())));
    sentences.extend(named(&fact.other));
    joined(&sentences)
}

/// "How to skill: 1. this 2. that. Conditions: …"
fn procedure_in_words(procedure: &ProcedureData) -> String {
    let steps = procedure.steps.iter().enumerate();
    let steps: Vec<String> = steps.map(|(at, step)| format!("{}. {}", at + 1, step.trim())).collect();
    let mut sentences = vec![format!("How to {}: {}", procedure.skill.trim(), steps.join(" "))];
    if !procedure.conditions.is_empty() {
        sentences.push(format!("Conditions: {}", procedure.conditions.join(", ")));
    }
    sentences.extend(procedure.success_rate.map(|rate| format!("Success rate: {rate}")));
    sentences.extend(named(&procedure.other));
    joined(&sentences)
}

/// Any JSON, a line for each name.
fn plain_in_words(data: &Value) -> String {
    match data {
        Value::Object(map) => named(map).collect::<Vec<_>>().join("\n"),
        Value::Array(items) => {
            let lines: Vec<String> = items.iter().map(inline).filter(|line| !line.is_empty()).collect();
            lines.join("\n")
        }
        value => inline(value),
    }
}

/// Each name with its value; what holds nothing is left out.
fn named(map: &Map<String, Value>) -> impl Iterator<Item = String> + '_ {
    let lines = map.iter().map(|(name, value)| (name, inline(value)));
    lines.filter(|(_, value)| !value.is_empty()).map(|(name, value)| format!("{}: {value}", spaced(name)))
}

fn inline(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.trim().to_owned(),
        Value::Array(items) => {
            items.iter().map(inline).filter(|item| !item.is_empty()).collect::<Vec<_>>().join(", ")
        }
        Value::Object(map) => named(map).collect::<Vec<_>>().join("; "),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

/// A name of programs as people write it.
fn spaced(name: &str) -> String {
    name.trim().replace('_', " ")
}

/// Sentences one after the other, each with its end.
fn joined(sentences: &[String]) -> String {
    let mut text = String::new();
    for (at, sentence) in sentences.iter().enumerate() {
        text.push_str(sentence);
        let last = at + 1 == sentences.len();
        if !last {
            text.push_str(if sentence.ends_with(['.', '!', '?', '。', '！', '？']) { " " } else { ". " });
        }
    }
    text
}

#[cfg(test)]
mod tests;

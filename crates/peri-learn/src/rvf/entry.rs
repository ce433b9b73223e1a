//! One line of a learning file.

use std::borrow::Cow;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::kept::Kept;

/// A type of record that we know.
pub trait Record: Serialize + DeserializeOwned {
    /// What the file calls it.
    const KIND: &'static str;

    /// What tells it from others of its type: a later record with the same key replaces an earlier one.
    fn key(&self) -> Cow<'_, str>;

    /// What makes it unfit for a learning file, if anything: numbers that are not finite, NUL characters, sizes that
    /// do not agree.
    fn fault(&self) -> Option<String>;
}

/// A record as a line holds it, with whatever else the line says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Entry<T> {
    /// The record.
    pub record: T,
    /// Fields of the record that we do not know.
    pub other: Map<String, Value>,
    /// Fields of the line that we do not know.
    pub beside: Map<String, Value>,
}

impl<T> Entry<T> {
    /// A line with nothing but a record.
    pub fn new(record: T) -> Self {
        Self { record, other: Map::new(), beside: Map::new() }
    }

    /// How many fields of it we do not know.
    pub(super) fn unknown_fields(&self) -> usize {
        self.other.len() + self.beside.len()
    }
}

/// A record of a type that we do not know. It is written back as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Foreign {
    /// What the file calls it.
    pub kind: String,
    /// The whole line.
    pub line: String,
}

/// A line's own fields.
#[derive(Serialize, Deserialize)]
struct Line<T> {
    #[serde(rename = "type")]
    kind: String,
    data: T,
}

impl<T: Record> Entry<T> {
    /// Reads a line whose type is known already.
    pub(super) fn read(line: &str) -> Result<Self, serde_json::Error> {
        let Kept { record: Line { data, .. }, other: beside } =
            serde_json::from_str::<Kept<Line<Kept<T>>>>(line)?;
        Ok(Self { record: data.record, other: data.other, beside })
    }

    /// The line, without its end.
    pub(super) fn line(&self) -> Result<String, serde_json::Error>
    where
        T: Clone,
    {
        let data = Kept { record: self.record.clone(), other: self.other.clone() };
        let line = Line { kind: T::KIND.to_owned(), data };
        serde_json::to_string(&Kept { record: line, other: self.beside.clone() })
    }
}

/// What is wrong with numbers, if one of them is not finite.
pub(super) fn number_fault<'a>(name: &str, numbers: impl IntoIterator<Item = &'a f32>) -> Option<String> {
    let is_bad = numbers.into_iter().any(|number| !number.is_finite());
    is_bad.then(|| format!("{name} holds a number that is not finite"))
}

/// What is wrong with texts, if one of them holds a NUL character.
pub(super) fn text_fault<'a>(texts: impl IntoIterator<Item = &'a str>) -> Option<String> {
    texts.into_iter().any(|text| text.contains('\0')).then(|| "a text holds a NUL character".to_owned())
}

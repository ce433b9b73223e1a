//! The fields of a record, under the names that stores give them. What is not taken stays, and becomes metadata.

use peri_types::{Kind, Limits};
use serde_json::{Map, Value};

pub(super) const TEXT: &[&str] = &["content", "text", "memory", "document", "page_content", "body"];
pub(super) const ID: &[&str] = &["id", "uuid", "_id", "key"];
pub(super) const CREATED: &[&str] = &["created_at", "createdAt", "timestamp", "time", "date"];
pub(super) const UPDATED: &[&str] = &["updated_at", "updatedAt"];
pub(super) const USED: &[&str] = &["accessed_at", "accessedAt", "last_accessed", "last_used_at"];
pub(super) const USES: &[&str] = &["access_count", "accessCount", "recalls"];
pub(super) const TAGS: &[&str] = &["tags", "labels", "categories"];
pub(super) const IMPORTANCE: &[&str] = &["importance", "score"];
pub(super) const SESSION: &[&str] = &["session", "session_id", "sessionId", "thread_id", "conversation_id"];
pub(super) const SPEAKER: &[&str] = &["speaker", "role", "author"];
pub(super) const SOURCE: &[&str] = &["source"];
pub(super) const KIND: &[&str] = &["type", "kind", "category"];
pub(super) const VECTOR: &[&str] = &["vector", "embedding", "embeddings"];
pub(super) const SPARSE: &[&str] = &["sparse_vector", "sparse_values", "sparse", "tfidf"];
pub(super) const MODEL: &[&str] = &["model", "embedding_model", "space"];

/// Where vector databases put what was said, beside the vector.
const INNER: &[&str] = &["payload", "properties", "metadata", "entry", "data"];

/// The fields of a record.
pub(super) struct Fields(pub(super) Map<String, Value>);

impl Fields {
    /// The fields, and where the text lies one level below, those of that level among them.
    pub(super) fn of(mut record: Map<String, Value>) -> Self {
        let says =
            |record: &Map<String, Value>| TEXT.iter().any(|name| record.get(*name).is_some_and(is_said));
        if !says(&record) {
            let inner =
                INNER.iter().find(|name| record.get(**name).and_then(Value::as_object).is_some_and(says));
            if let Some(Value::Object(inner)) = inner.and_then(|name| record.remove(*name)) {
                for (name, value) in inner {
                    record.entry(name).or_insert(value);
                }
            }
        }
        Self(record)
    }

    /// Takes the first of these fields that can be read as what is wanted.
    pub(super) fn take<T>(&mut self, names: &[&str], read: impl Fn(&Value) -> Option<T>) -> Option<T> {
        let (name, value) =
            names.iter().find_map(|name| Some((*name, self.0.get(*name).and_then(&read)?)))?;
        self.0.remove(name);
        Some(value)
    }

    /// The text of the record.
    pub(super) fn take_text(&mut self) -> Option<String> {
        self.take(TEXT, |value| if is_said(value) { value.as_str().map(str::to_owned) } else { None })
    }

    /// A short text that fits the limits.
    pub(super) fn take_label(&mut self, names: &[&str], limits: &Limits) -> Option<String> {
        self.take(names, |value| word(value).filter(|label| limits.check_label("label", label).is_ok()))
    }

    /// Short texts, from a list or from one text with commas between them.
    pub(super) fn take_labels(&mut self, names: &[&str], limits: &Limits) -> Vec<String> {
        let labels = self.take(names, |value| {
            let labels: Vec<String> = match value {
                Value::Array(items) => items.iter().map(word).collect::<Option<_>>()?,
                Value::String(text) => text.split(',').map(str::to_owned).collect(),
                _ => return None,
            };
            let labels: Vec<String> = labels
                .into_iter()
                .map(|label| label.trim().to_owned())
                .filter(|label| !label.is_empty())
                .collect();
            limits.check_labels("tags", &labels).is_ok().then_some(labels)
        });
        labels.unwrap_or_default()
    }
}

fn is_said(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.trim().is_empty())
}

/// A name: a text, a number, or an object with a single name in it, as some databases write ids.
pub(super) fn word(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        Value::Object(map) if map.len() == 1 => {
            map.values().next().filter(|value| !value.is_object()).and_then(word)
        }
        _ => None,
    }
}

/// What a store's word for what a record is means here.
pub(super) fn kind(text: &str) -> Option<Kind> {
    let text = text.trim().to_lowercase();
    let one = text.strip_suffix('s').unwrap_or(&text);
    Some(match one {
        "conversation" | "message" | "turn" | "chat" | "event" => Kind::Episode,
        "session" | "session_summary" => Kind::Summary,
        "knowledge" | "profile" | "user_profile" | "semantic" => Kind::Fact,
        "skill" | "procedural" => Kind::Procedure,
        one => one.parse().ok()?,
    })
}

//! From a record of another store to a memory.

use peri_store::Links;
use peri_types::{
    ChangeNumber, Facets, Importance, Kind, Layer, Limits, Memory, Namespace, SpaceId, Timestamp, Zone,
};
use serde_json::{Map, Value};

use super::fields::{self, Fields, word};
use super::identity::{self, Key};
use super::moment::moment;
use super::vector;
use crate::transfer::{MemoryLine, Offered};

/// How records are read.
pub(super) struct Reader {
    /// Where the memories go.
    pub(super) namespace: Namespace,
    /// The time that what has none is given.
    pub(super) now: Timestamp,
    /// What a memory may hold.
    pub(super) limits: Limits,
    /// The space at work.
    pub(super) space: Option<SpaceId>,
    /// The model that all vectors are of, whatever the records say.
    pub(super) vectors_are: Option<String>,
}

impl Reader {
    /// Reads a record that is kept among others of a category, if it is; or tells why it cannot be taken.
    pub(super) fn read(
        &self,
        record: Map<String, Value>,
        category: Option<&str>,
    ) -> Result<MemoryLine, String> {
        let mut fields = Fields::of(record);
        let content = fields.take_text().ok_or_else(no_text)?;
        let vector = self.vector(&mut fields);
        let at = fields.take(fields::CREATED, moment);
        let updated_at = fields.take(fields::UPDATED, moment);
        let (recalls, last_used_at) = usage(&mut fields, at.unwrap_or(self.now), self.now);
        let importance = fields.take(fields::IMPORTANCE, |value| Importance::new(value.as_f64()?).ok());
        let kind = fields.take(fields::KIND, |value| value.as_str().and_then(fields::kind));
        let session = fields.take_label(fields::SESSION, &self.limits);
        let speaker = fields.take_label(fields::SPEAKER, &self.limits);
        let source = fields.take_label(fields::SOURCE, &self.limits);
        let tags = fields.take_labels(fields::TAGS, &self.limits);
        let own = fields.take(fields::ID, word);
        let said = [&*content, session.as_deref().unwrap_or(""), speaker.as_deref().unwrap_or("")];
        let key = own.as_deref().map_or(Key::Said(said), Key::Id);
        let id = identity::id(&self.namespace, &key, at);
        let metadata = self.metadata(fields, own.filter(|own| *own != id.to_string()));
        let created_at = at.unwrap_or(self.now).min(self.now);
        let facets =
            Facets { tags, session, speaker, source, occurred_at: at, metadata, ..Facets::default() };
        let memory = Memory {
            id,
            namespace: self.namespace.clone(),
            content,
            // The other store kept it without an end.
            layer: Layer::LongTerm,
            kind: kind.or_else(|| category.and_then(fields::kind)).unwrap_or(Kind::Fact),
            importance: importance.unwrap_or(Importance::ORDINARY),
            zone: Zone::default(),
            facets,
            created_at,
            updated_at: updated_at.unwrap_or(created_at).clamp(created_at, self.now),
            version: 1,
            trashed_at: None,
            trashed_by: None,
            space: None,
            change: ChangeNumber(0),
        };
        let (versions, merge, links) = (Vec::new(), None, Links::Later);
        Ok(MemoryLine { memory, versions, recalls, last_used_at, merge, links, vector })
    }

    /// The vector that came along, with the model it is of. Terms with weights beside it are left behind.
    fn vector(&self, fields: &mut Fields) -> Offered {
        let sparse = fields.take(fields::SPARSE, vector::found).is_some();
        let found = fields.take(fields::VECTOR, vector::found);
        let Some(found) = found else { return if sparse { Offered::Sparse } else { Offered::Nothing } };
        let model = fields.take(fields::MODEL, model_name);
        let model = self.vectors_are.as_deref().or(model.as_deref());
        match vector::offered(found, model, self.space.as_ref()) {
            Offered::Nothing if sparse => Offered::Sparse,
            offered => offered,
        }
    }

    /// Everything that is not taken otherwise, with what the store called it. What does not fit the limits is left out,
    /// the largest first, and named.
    fn metadata(&self, fields: Fields, own: Option<String>) -> Map<String, Value> {
        let mut rest = fields.0;
        let mut metadata = match rest.remove("metadata") {
            Some(Value::Object(own)) => own,
            Some(other) if !other.is_null() => Map::from_iter([("metadata".to_owned(), other)]),
            _ => Map::new(),
        };
        for (name, value) in rest.into_iter().filter(|(_, value)| !value.is_null()) {
            let name = if metadata.contains_key(&name) { format!("record.{name}") } else { name };
            metadata.insert(name, value);
        }
        if let Some(own) = own {
            metadata.insert("legacy_id".to_owned(), own.into());
        }
        self.fit(metadata)
    }

    fn fit(&self, mut metadata: Map<String, Value>) -> Map<String, Value> {
        let size =
            |(name, value): (&String, &Value)| name.len() + value.to_string().len() + PUNCTUATION_BYTES;
        let mut sizes: Vec<(usize, String)> =
            metadata.iter().map(|field| (size(field), field.0.clone())).collect();
        let mut total: usize = sizes.iter().map(|(size, _)| size).sum();
        if total <= self.limits.metadata_bytes_max {
            return metadata;
        }
        sizes.sort();
        let mut left_out = Vec::new();
        while total + NAMES_BYTES_MAX > self.limits.metadata_bytes_max
            && let Some((size, name)) = sizes.pop()
        {
            metadata.remove(&name);
            total -= size;
            left_out.push(name.chars().take(NAME_CHARS_MAX).collect::<String>());
        }
        left_out.truncate(NAMED_MAX);
        metadata.insert("left_out".to_owned(), left_out.into());
        metadata
    }
}

/// So many names of fields that were left out are kept, each in so many characters.
const NAMED_MAX: usize = 20;
const NAME_CHARS_MAX: usize = 60;
/// What those names take at most, and what a field takes beside its name and value: quotes, a colon, a comma.
const NAMES_BYTES_MAX: usize = NAMED_MAX * (NAME_CHARS_MAX * 6 + 3) + 20;
const PUNCTUATION_BYTES: usize = 8;

fn no_text() -> String {
    format!("it has no text under any of {}", fields::TEXT.join(", "))
}

/// How often it was used, and when last.
fn usage(fields: &mut Fields, at: Timestamp, now: Timestamp) -> (u64, Option<Timestamp>) {
    let uses = fields.take(fields::USES, Value::as_u64).unwrap_or(0);
    let last = fields.take(fields::USED, moment);
    // The store keeps a count of uses only with the time of the last.
    (uses.min(USES_MAX), (uses > 0).then(|| last.unwrap_or(at).min(now)))
}

/// More uses than any memory has had.
const USES_MAX: u64 = 1 << 40;

fn model_name(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Object(space) => space.get("model").and_then(Value::as_str).map(str::to_owned),
        _ => None,
    }
}

//! Revise: change a memory and keep what it said before.

use peri_store::{Revision, StoreError, Write, Written};
use peri_types::{Context, Importance, Kind, Layer, Memory, MemoryId, Scope, Timestamp};
use serde::{Deserialize, Deserializer, Serialize};

use crate::engine::Perihelion;
use crate::forget::Seen;
use crate::queue::{Intent, Making, Transaction};
use crate::redact::{RedactedSecret, redact_context, redact_fields, redact_text, redact_value};
use crate::remember::tidy_labels;
use crate::structured::content_of;
use crate::{Error, Redaction};

/// What to change of a memory. What is left out stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Revise {
    /// New content.
    pub content: Option<String>,
    /// Another layer.
    pub layer: Option<Layer>,
    /// Another kind.
    pub kind: Option<Kind>,
    /// Another importance.
    pub importance: Option<Importance>,
    /// Other tags, replacing all.
    pub tags: Option<Vec<String>>,
    /// Other aliases, replacing all.
    pub aliases: Option<Vec<String>>,
    /// Pinned or not.
    pub pinned: Option<bool>,
    /// Another time of expiry; `Some(None)` takes it away.
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Option<Timestamp>>,
    /// The memory that takes its place; `Some(None)` makes it current again.
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<Option<MemoryId>>,
    /// From when on it holds; `Some(None)` means since it was said.
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<Option<Timestamp>>,
    /// Until when it holds; `Some(None)` means for good.
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<Option<Timestamp>>,
    /// Other metadata, replacing all.
    pub metadata: Option<serde_json::Map<String, serde_json::Value>>,
    /// Other circumstances, replacing all.
    pub context: Option<Context>,
    /// Another structure of the content; `Some(None)` takes it away.
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub data: Option<Option<serde_json::Value>>,
    /// Refuse unless the memory still has this version.
    pub expected_version: Option<u32>,
}

/// A memory after a revision.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Revised {
    /// As it is now.
    pub memory: Memory,
    /// Secrets that were taken out of what was given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redacted: Vec<RedactedSecret>,
}

/// Reads a value that may be taken away: what is left out stays as it is, and `null` takes it away.
fn given<'de, T, D>(from: D) -> Result<Option<Option<T>>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    Option::deserialize(from).map(Some)
}

impl Revise {
    /// Takes the secrets out of what was given.
    fn redact(&mut self, found: &mut Vec<RedactedSecret>) {
        self.content.iter_mut().for_each(|content| redact_text(content, found));
        let labels = self.aliases.iter_mut().chain(&mut self.tags).flatten();
        labels.for_each(|label| redact_text(label, found));
        self.metadata.iter_mut().for_each(|map| redact_fields(map, found));
        self.context.iter_mut().for_each(|context| redact_context(context, found));
        self.data.iter_mut().flatten().for_each(|value| redact_value(value, found));
    }
}

impl Perihelion {
    /// Changes a memory. Its former content stays in its history.
    pub fn revise(&self, scope: &Scope, id: MemoryId, request: Revise) -> Result<Revised, Error> {
        if request.data.as_ref().is_some_and(Option::is_some) {
            // What its words are follows from what it said before.
            return self.revise_as_seen(scope, id, request, &[]);
        }
        let core = &self.core;
        let mut redacted = Vec::new();
        self.core.unless_away(self.check_held(scope, id))?;
        let (expected_version, revision) = self.revision(request, &mut redacted)?;
        let revision = Box::new(revision);
        let write = Write::Revise { scope: scope.clone(), id, revision, expected_version, at: core.now() };
        match core.change(vec![write])?.pop() {
            Some(Written::Revised(memory)) => Ok(Revised { memory: *memory, redacted }),
            _ => Err(Error::Store(StoreError::Closed)),
        }
    }

    /// The same, unless the memory was changed since somebody has seen it in one of these states. What cannot be looked at
    /// now is looked at when the call is made.
    pub fn revise_as_seen(
        &self,
        scope: &Scope,
        id: MemoryId,
        request: Revise,
        seen: &[Seen],
    ) -> Result<Revised, Error> {
        let wanted = || {
            let (mut request, mut redacted) = (request.clone(), Vec::new());
            if let (Some(kind), Some(Some(data))) = (request.kind, &request.data) {
                content_of(kind, data)?;
            }
            self.revision(request.clone(), &mut redacted)?;
            if self.core.options.redaction == Redaction::On {
                request.redact(&mut redacted);
            }
            let (scope, changes, seen) = (scope.clone(), Box::new(request), seen.to_vec());
            Ok(Intent::Revise { scope, id, changes, seen })
        };
        let make = |making: &Making<'_>| self.make_revision(making, scope, id, (request.clone(), seen));
        self.core.perform(wanted, "revise", make)
    }

    pub(crate) fn make_revision(
        &self,
        making: &Making<'_>,
        scope: &Scope,
        id: MemoryId,
        (request, seen): (Revise, &[Seen]),
    ) -> Result<Revised, Error> {
        let mut redacted = Vec::new();
        let memory = self.get_as_of(scope, id, making.at())?;
        let id = memory.id;
        Seen::check(seen, &memory)?;
        let request = self.revision_in_words(&memory, request)?;
        let (expected_version, revision) = self.revision(request, &mut redacted)?;
        let (scope, revision, at) = (scope.clone(), Box::new(revision), making.at());
        let write = Write::Revise { scope, id, revision, expected_version, at };
        match making.write(Transaction::Only, vec![write])?.pop() {
            Some(Written::Revised(memory)) => Ok(Revised { memory: *memory, redacted }),
            _ => Err(Error::Store(StoreError::Closed)),
        }
    }

    pub(crate) fn revision(
        &self,
        mut request: Revise,
        redacted: &mut Vec<RedactedSecret>,
    ) -> Result<(Option<u32>, Revision), Error> {
        let core = &self.core;
        let limits = &core.options.limits;
        request.content.as_deref().map_or(Ok(()), |content| limits.check_content(content))?;
        request.tags.as_deref().map_or(Ok(()), |tags| limits.check_labels("tags", tags))?;
        request.aliases.as_deref().map_or(Ok(()), |aliases| limits.check_labels("aliases", aliases))?;
        if core.options.redaction == Redaction::On {
            request.redact(redacted);
        }
        let Revise {
            content,
            layer,
            kind,
            importance,
            mut tags,
            mut aliases,
            pinned,
            expires_at,
            superseded_by,
            valid_from,
            valid_until,
            metadata,
            mut context,
            data,
            expected_version,
        } = request;
        let data = data.map(|value| value.filter(|value| !value.is_null()));
        data.iter().flatten().try_for_each(|data| core.check_data(data))?;
        context.as_ref().map_or(Ok(()), |context| core.check_context(context))?;
        context.iter_mut().for_each(Context::tidy);
        tags.iter_mut().for_each(tidy_labels);
        aliases.iter_mut().for_each(tidy_labels);
        metadata.as_ref().map_or(Ok(()), |metadata| core.check_metadata(metadata))?;
        let content = content.and_then(|content| {
            let embedding = core.embed(&[&content]).pop()?;
            Some((content, embedding))
        });
        let revision = Revision {
            content,
            layer,
            kind,
            importance,
            tags,
            aliases,
            pinned,
            expires_at,
            superseded_by,
            valid_from,
            valid_until,
            metadata,
            context,
            data,
            source: None,
        };
        Ok((expected_version, revision))
    }
}

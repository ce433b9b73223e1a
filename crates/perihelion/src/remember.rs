//! Remember: from what somebody says to a durable memory and a receipt.

use peri_store::{Embedding, IdOrigin, Links, NewMemory, StoreError, Write, Written};
use peri_types::{
    ChangeNumber, Context, Facets, Importance, Kind, Layer, LimitError, Memory, MemoryId, Namespace, SpaceId,
    Timestamp, Vector, Zone,
};
use serde::{Deserialize, Serialize};

use crate::deadlines::Awaited;
use crate::engine::{Core, Perihelion};
use crate::layers::TimeToLive;
use crate::redact::{RedactedSecret, redact_parts, redact_text};
use crate::reindex::Sense;
use crate::structured::{content_of, words_of};
use crate::ties::Ties;
use crate::{Error, Evaluation, Redaction};

/// From so many memories in one call on, the index is made ready before the engine closes.
const LARGE_BATCH: usize = 64;

/// From so many memories in one call on, all processors help to judge them: that takes as long as storing them does.
const SHARED_BATCH: usize = 256;

/// Longer texts are not judged by their words.
const SAID_BYTES_MAX: usize = 4000;

/// What to remember. Only the content must be given.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Remember {
    /// The statement.
    pub content: String,
    /// Where it belongs.
    pub namespace: Namespace,
    /// What it is; a fact unless said otherwise.
    pub kind: Option<Kind>,
    /// How long it is meant to live; for good unless said otherwise.
    pub layer: Option<Layer>,
    /// How much it matters.
    pub importance: Option<Importance>,
    /// What else is known about it.
    #[serde(flatten)]
    pub facets: Facets,
    /// Its id, where it already has one elsewhere. If a memory of another namespace has it, this one gets another, which
    /// the receipt tells, and keeps this one as `given_id` in its metadata.
    pub id: Option<MemoryId>,
}

impl Remember {
    /// A statement in the default namespace.
    pub fn new(content: impl Into<String>) -> Self {
        Self { content: content.into(), ..Self::default() }
    }

    fn id_origin(&self) -> IdOrigin {
        if self.id.is_some() { IdOrigin::Given } else { IdOrigin::Drawn }
    }

    /// The same in another namespace.
    pub fn in_namespace(mut self, namespace: Namespace) -> Self {
        self.namespace = namespace;
        self
    }

    /// The same as something another kind of thing.
    pub fn kind(mut self, kind: Kind) -> Self {
        self.kind = Some(kind);
        self
    }

    /// The same, said by somebody in a session: a turn of a conversation. The session and the speaker help
    /// to find it later.
    pub fn said(mut self, session: impl Into<String>, speaker: impl Into<String>) -> Self {
        self.facets.session = Some(session.into());
        self.facets.speaker = Some(speaker.into());
        self.kind.get_or_insert(Kind::Episode);
        self.layer.get_or_insert(Layer::Episodic);
        self
    }

    /// The same, said or done at a time other than now.
    pub fn at(mut self, at: Timestamp) -> Self {
        self.facets.occurred_at = Some(at);
        self
    }

    /// The same, filed under tags.
    pub fn tags<S: Into<String>>(mut self, tags: impl IntoIterator<Item = S>) -> Self {
        self.facets.tags = tags.into_iter().map(Into::into).collect();
        self
    }
}

/// What became of a statement. When it says stored or merged, it is in the store; when it says queued, it is on the disk
/// of this machine and on its way there.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Receipt {
    /// The memory that holds it.
    pub id: MemoryId,
    /// Where that is.
    pub namespace: Namespace,
    /// What was done.
    pub outcome: Outcome,
    /// Whether it can be found by its meaning.
    pub meaning: Meaning,
    /// Secrets that were taken out before it was stored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redacted: Vec<RedactedSecret>,
    /// The statement as it was given, where it says nearly the same as the memory: put aside, and able to be split
    /// off again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub absorbed: Option<MemoryId>,
    /// Memories that no longer hold, because this one gives a new value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub superseded: Vec<MemoryId>,
    /// Memories that cannot be true together with this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contradicts: Vec<MemoryId>,
    /// The change that stored it; zero while it is queued.
    pub change: ChangeNumber,
}

/// What was done with a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It is a new memory.
    Stored,
    /// A memory said the same already; what was new about it was joined in.
    Merged,
    /// The store cannot be reached. The statement is kept on this machine and will be stored when it can be.
    Queued,
}

/// Whether a memory can be found by its meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Meaning {
    /// It has a vector.
    Embedded,
    /// The engine failed; the memory is found by its words, and the vector will follow.
    Pending,
    /// The engine does not know the language, or there is no engine; the memory is found by its words.
    WordsOnly,
}

impl Perihelion {
    /// Stores a statement, or merges it into the memory that says the same. The receipt comes when it is durable.
    pub fn remember(&self, request: Remember) -> Result<Receipt, Error> {
        let mut receipts = self.remember_all(vec![request])?;
        receipts.pop().ok_or(Error::Store(StoreError::Closed))
    }

    /// Stores statements together: all of them, or, if one is refused, none.
    pub fn remember_all(&self, requests: Vec<Remember>) -> Result<Vec<Receipt>, Error> {
        let stored = || self.remember_by(requests, self.core.now(), |writes| self.core.write(writes));
        self.awaited(Awaited::Receipt, stored)
    }

    /// The same as of a time and by another way of writing. What was written before has no receipt.
    pub(crate) fn remember_by(
        &self,
        requests: Vec<Remember>,
        now: Timestamp,
        write: impl FnOnce(Vec<Write>) -> Result<Vec<Written>, Error>,
    ) -> Result<Vec<Receipt>, Error> {
        let core = &self.core;
        for request in &requests {
            core.check(request)?;
        }
        let origins: Vec<_> = requests.iter().map(Remember::id_origin).collect();
        let (mut memories, redactions): (Vec<_>, Vec<_>) = core.records(requests, now).into_iter().unzip();
        for memory in memories.iter_mut().filter(|memory| memory.layer == Layer::Working) {
            if memory.facets.expires_at.is_none() {
                memory.facets.expires_at = core.working_until(TimeToLive::Usual, now)?;
            }
        }
        let texts: Vec<&str> = memories.iter().map(|memory| memory.content.as_str()).collect();
        let sense = core.sense();
        let embeddings = core.embed_with(&sense, &texts);
        core.place(&mut memories)?;
        let trims = core.trims(&memories, now);
        let meanings: Vec<_> = embeddings.iter().map(|embedding| meaning_of(embedding, &sense)).collect();
        let ties =
            if memories.len() < LARGE_BATCH { core.ties(&memories, &embeddings, &sense) } else { None };
        let count = memories.len();
        let links = if ties.is_some() && count == 1 { Links::Sought } else { Links::Later };
        let mut ties = ties.unwrap_or_default();
        if links == Links::Later {
            // Those of one call may be close to each other, which the chores find out, together with the rest.
            ties.iter_mut().for_each(Ties::leave_links);
        }
        let further: Vec<_> =
            memories.iter().zip(&ties).flat_map(|(memory, ties)| ties.writes(core, memory, now)).collect();
        let places: Vec<_> = memories.iter().map(|memory| (memory.id, memory.namespace.clone())).collect();
        let new = memories.into_iter().zip(embeddings).zip(origins);
        let mut writes: Vec<_> = new
            .map(|((memory, embedding), id)| {
                Write::Remember(Box::new(NewMemory { memory, embedding, links, id }))
            })
            .collect();
        writes.extend(further);
        writes.extend(trims);
        let mut written = write(writes)?;
        if written.first() == Some(&Written::Queued) {
            let told = places.into_iter().zip(meanings).zip(redactions);
            return Ok(told
                .map(|((place, meaning), redacted)| Receipt::queued(place, meaning, redacted))
                .collect());
        }
        let outcomes = written.split_off(count);
        core.note_written(&written);
        let told = written.into_iter().zip(meanings).zip(redactions);
        let mut receipts: Vec<Receipt> = told
            .filter_map(|((written, meaning), redacted)| core.receipt(written, meaning, redacted, &sense))
            .collect();
        let mut outcomes = outcomes.into_iter();
        for (receipt, ties) in receipts.iter_mut().zip(&ties) {
            receipt.tell_of(ties, &mut outcomes);
        }
        Ok(receipts)
    }
}

impl Receipt {
    /// Of a statement that waits for the store.
    fn queued(
        (id, namespace): (MemoryId, Namespace),
        meaning: Meaning,
        redacted: Vec<RedactedSecret>,
    ) -> Self {
        let (outcome, change) = (Outcome::Queued, ChangeNumber(0));
        let (absorbed, superseded, contradicts) = (None, Vec::new(), Vec::new());
        Self { id, namespace, outcome, meaning, redacted, absorbed, superseded, contradicts, change }
    }

    /// Tells what became of a new memory's ties. The store may have skipped some: others were faster.
    fn tell_of(&mut self, ties: &Ties, outcomes: &mut impl Iterator<Item = Written>) {
        if !ties.edges.is_empty() {
            outcomes.next();
        }
        for (older, newer) in &ties.replaced {
            if outcomes.next() == Some(Written::Superseded(true)) && *newer == self.id {
                self.superseded.push(*older);
            }
        }
        if ties.repeats.is_some()
            && let Some(Written::Consolidated(Some(survivor))) = outcomes.next()
        {
            self.absorbed = Some(std::mem::replace(&mut self.id, survivor.id));
            self.outcome = Outcome::Merged;
        }
        for other in &ties.contradicts {
            outcomes.next();
            self.contradicts.push(*other);
        }
    }
}

impl Core {
    /// The changes that keep the working memories within their capacity which new memories go to.
    fn trims(&self, memories: &[Memory], at: Timestamp) -> Vec<Write> {
        let settings = &self.options.layers;
        let (capacity, matters) = (settings.working.capacity, settings.promotion.matters());
        let working = memories.iter().filter(|memory| memory.layer == Layer::Working && capacity > 0);
        let mut held: Vec<_> =
            working.map(|memory| (memory.namespace.clone(), memory.facets.session.clone())).collect();
        held.sort();
        held.dedup();
        let trim = |(namespace, session)| Write::TrimWorking { namespace, session, capacity, matters, at };
        held.into_iter().map(trim).collect()
    }

    fn receipt(
        &self,
        written: Written,
        meaning: Meaning,
        redacted: Vec<RedactedSecret>,
        sense: &Sense,
    ) -> Option<Receipt> {
        let (outcome, memory, meaning) = match written {
            Written::Stored(memory) | Written::Replaced(memory) => (Outcome::Stored, memory, meaning),
            Written::Merged(memory) => {
                let meaning = meaning_of_twin(&memory, meaning, sense);
                (Outcome::Merged, memory, meaning)
            }
            _ => return None,
        };
        let Memory { id, namespace, change, .. } = *memory;
        let (absorbed, superseded, contradicts) = (None, Vec::new(), Vec::new());
        Some(Receipt { id, namespace, outcome, meaning, redacted, absorbed, superseded, contradicts, change })
    }

    /// After a large batch the index is brought up to date on closing, so that the next process starts fast.
    pub(crate) fn note_written(&self, written: &[Written]) {
        self.nudge();
        if written.len() >= LARGE_BATCH {
            let namespaces = written.iter().filter_map(|written| match written {
                Written::Stored(memory) => Some(memory.namespace.clone()),
                _ => None,
            });
            self.written.lock().extend(namespaces);
        }
    }

    pub(crate) fn check(&self, request: &Remember) -> Result<(), Error> {
        self.check_parts(&words_of(request)?, &request.facets)
    }

    /// Checks a memory that comes from elsewhere, as one that is told would be.
    pub(crate) fn check_memory(&self, memory: &Memory) -> Result<(), Error> {
        self.check_parts(&memory.content, &memory.facets)
    }

    fn check_parts(&self, content: &str, facets: &Facets) -> Result<(), Error> {
        let limits = &self.options.limits;
        limits.check_content(content)?;
        limits.check_labels("tags", &facets.tags)?;
        limits.check_labels("aliases", &facets.aliases)?;
        for (what, label) in
            [("session", &facets.session), ("speaker", &facets.speaker), ("source", &facets.source)]
        {
            if let Some(label) = label {
                limits.check_label(what, label)?;
            }
        }
        if let Some(key) = &facets.key {
            limits.check_label("key", key)?;
        }
        facets.data.as_ref().map_or(Ok(()), |data| self.check_data(data))?;
        self.check_context(&facets.context)?;
        self.check_metadata(&facets.metadata)
    }

    /// Checks the circumstances of an episode: as many as it may have tags, and each name and value as a label.
    pub(crate) fn check_context(&self, context: &Context) -> Result<(), Error> {
        let limits = &self.options.limits;
        // What is blank says nothing and is left out.
        let named: Vec<_> = context.circumstances().filter(|one| !one.is_blank()).collect();
        if named.len() > limits.labels_max {
            let (size, max, setting) = (named.len(), limits.labels_max, "limits.labels_max");
            return Err(LimitError::TooLarge { what: "context", size, unit: "items", max, setting }.into());
        }
        // Kept as JSON, they may hold any character.
        for text in named.iter().flat_map(|one| [&one.name, &one.value]) {
            let (size, max, setting) = (text.len(), limits.label_bytes_max, "limits.label_bytes_max");
            if size > max {
                return Err(
                    LimitError::TooLarge { what: "context", size, unit: "bytes", max, setting }.into()
                );
            }
        }
        Ok(())
    }

    /// Checks structured content: it may be as large as content.
    pub(crate) fn check_data(&self, data: &serde_json::Value) -> Result<(), Error> {
        let bytes = serde_json::to_string(data).map_or(usize::MAX, |json| json.len());
        Ok(self.options.limits.check_data(bytes)?)
    }

    pub(crate) fn check_metadata(
        &self,
        metadata: &serde_json::Map<String, serde_json::Value>,
    ) -> Result<(), Error> {
        if !metadata.is_empty() {
            let bytes = serde_json::to_string(metadata).map_or(usize::MAX, |json| json.len());
            self.options.limits.check_metadata(bytes)?;
        }
        Ok(())
    }

    /// The records of requests in their order, with secrets taken out.
    fn records(&self, mut requests: Vec<Remember>, now: Timestamp) -> Vec<(Memory, Vec<RedactedSecret>)> {
        let all = |share: Vec<Remember>| -> Vec<_> {
            share.into_iter().map(|request| self.record(request, now)).collect()
        };
        if requests.len() < SHARED_BATCH {
            return all(requests);
        }
        // Finding out opens half a dozen files of the system, so only a batch asks.
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        if processors == 1 {
            return all(requests);
        }
        for request in &mut requests {
            // Ids follow each other as the requests do, whoever comes first.
            request.id.get_or_insert_with(|| MemoryId::generate(now));
        }
        let share = requests.len().div_ceil(processors);
        let mut shares = Vec::with_capacity(processors);
        while !requests.is_empty() {
            let rest = requests.split_off(share.min(requests.len()));
            shares.push(std::mem::replace(&mut requests, rest));
        }
        std::thread::scope(|scope| {
            let mut shares = shares.into_iter();
            let own = shares.next();
            let others: Vec<_> = shares.map(|share| scope.spawn(|| all(share))).collect();
            let mut records = own.map(all).unwrap_or_default();
            for other in others {
                records.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            records
        })
    }

    /// The record of a request, with secrets taken out.
    pub(crate) fn record(&self, request: Remember, now: Timestamp) -> (Memory, Vec<RedactedSecret>) {
        let Remember { mut content, namespace, kind, layer, importance, mut facets, id } = request;
        let mut found = Vec::new();
        if self.options.redaction == Redaction::On {
            redact_parts(&mut content, &mut facets, &mut found);
        }
        tidy_labels(&mut facets.tags);
        tidy_labels(&mut facets.aliases);
        facets.data.take_if(|data| data.is_null());
        facets.context.tidy();
        self.say_in_words(&mut content, kind, facets.data.as_ref(), &mut found);
        // Only promotion says so.
        facets.promoted_from = None;
        facets.promoted_to = None;
        facets.promotion_undone = false;
        let memory = Memory {
            id: id.unwrap_or_else(|| MemoryId::generate(now)),
            namespace,
            layer: layer.unwrap_or(Layer::LongTerm),
            kind: kind.unwrap_or(Kind::Fact),
            importance: importance.unwrap_or_else(|| self.evaluate(&content, kind)),
            zone: Zone::default(),
            content,
            facets,
            created_at: now,
            updated_at: now,
            version: 1,
            trashed_at: None,
            trashed_by: None,
            space: None,
            change: ChangeNumber(0),
        };
        (memory, found)
    }

    /// Makes the words of a statement from its structure, where it has no words of its own.
    fn say_in_words(
        &self,
        content: &mut String,
        kind: Option<Kind>,
        data: Option<&serde_json::Value>,
        found: &mut Vec<RedactedSecret>,
    ) {
        let Some(data) = data.filter(|_| content.trim().is_empty()) else { return };
        // What claims a shape that it has not was refused before.
        *content = content_of(kind.unwrap_or(Kind::Fact), data).unwrap_or_default();
        if self.options.redaction == Redaction::On {
            redact_text(content, found);
        }
    }

    /// How much a statement matters that nobody has judged.
    fn evaluate(&self, content: &str, kind: Option<Kind>) -> Importance {
        // The rules are for what people say. Pieces of documents are long and full of names and numbers.
        let is_said =
            !matches!(kind, Some(Kind::Document | Kind::Summary)) && content.len() <= SAID_BYTES_MAX;
        match self.options.evaluation {
            Evaluation::Rules if is_said => {
                let importance = peri_orbit::importance::evaluate(content).importance;
                // Two digits are more than the rules know.
                Importance::new((f64::from(importance) * 100.0).round() / 100.0).unwrap_or_default()
            }
            Evaluation::Rules | Evaluation::Off => Importance::ORDINARY,
        }
    }

    /// Gives new memories the zone they begin in: the one they have by themselves.
    pub(crate) fn place(&self, memories: &mut [Memory]) -> Result<(), Error> {
        let mut settings: Option<(Namespace, peri_orbit::OrbitSettings)> = None;
        for memory in memories {
            let known = settings.take().filter(|(namespace, _)| *namespace == memory.namespace);
            let (namespace, own) = match known {
                Some(known) => known,
                None => {
                    let own = self.unless_away(self.orbit_settings(&memory.namespace))?;
                    (memory.namespace.clone(), own.unwrap_or(self.options.orbit))
                }
            };
            let at = memory.created_at.as_millisecond();
            let (importance, pinned) = (memory.importance, memory.facets.pinned);
            let kept = memory.is_kept();
            let body = peri_orbit::Body { born: at, last_used: at, recalls: 0, importance, pinned, kept };
            memory.zone = peri_orbit::own_zone(&own, &body, at);
            settings = Some((namespace, own));
        }
        Ok(())
    }

    /// The meanings of texts. An engine that fails never fails a write: the memories wait for a backfill,
    /// as they do while there is no engine at all.
    pub(crate) fn embed(&self, texts: &[&str]) -> Vec<Embedding> {
        self.embed_with(&self.sense(), texts)
    }

    /// The same, in the space of a call that began before.
    pub(crate) fn embed_with(&self, sense: &Sense, texts: &[&str]) -> Vec<Embedding> {
        let Some(engine) = &sense.engine else {
            return vec![Embedding::Pending; texts.len()];
        };
        let space = engine.space();
        match engine.embed(texts) {
            Ok(vectors) if vectors.len() == texts.len() => vectors
                .into_iter()
                .map(|vector| match vector {
                    Some(values) if is_sound(&values, space) => {
                        Embedding::Ready(Vector { space: space.clone(), values })
                    }
                    Some(values) => {
                        tracing::error!(%space, got = values.len(), "the engine gave a vector that is not of its space");
                        self.note_failure("embedding", "the engine gave a vector that is not of its space");
                        Embedding::Pending
                    }
                    None => Embedding::NotApplicable(space.clone()),
                })
                .collect(),
            Ok(vectors) => {
                tracing::error!(asked = texts.len(), got = vectors.len(), "the engine left texts out");
                self.note_failure("embedding", "the engine left texts out");
                vec![Embedding::Pending; texts.len()]
            }
            Err(error) => {
                tracing::warn!(%error, "embedding failed; the memories are stored and will be embedded later");
                self.note_failure("embedding", &crate::failures::with_causes(&error));
                vec![Embedding::Pending; texts.len()]
            }
        }
    }
}

fn meaning_of(embedding: &Embedding, sense: &Sense) -> Meaning {
    match embedding {
        Embedding::Ready(_) => Meaning::Embedded,
        Embedding::Pending if sense.engine.is_none() && sense.trouble.is_none() => Meaning::WordsOnly,
        Embedding::Pending => Meaning::Pending,
        Embedding::NotApplicable(_) => Meaning::WordsOnly,
    }
}

/// A repeated statement keeps the vector it had, or goes on waiting for one.
fn meaning_of_twin(twin: &Memory, repeated: Meaning, sense: &Sense) -> Meaning {
    match (&twin.space, repeated) {
        (Some(own), _) if Some(own) == sense.indexes.space() => Meaning::Embedded,
        (Some(_), _) => Meaning::WordsOnly,
        (None, Meaning::Embedded) => Meaning::Pending,
        (None, repeated) => repeated,
    }
}

/// Whether a vector can belong to a space: as long as its dimensions, and numbers only.
pub(crate) fn is_sound(values: &[f32], space: &SpaceId) -> bool {
    values.len() == space.dimensions as usize && values.iter().all(|value| value.is_finite())
}

/// Trims labels and drops repeated ones, keeping the order.
pub(crate) fn tidy_labels(labels: &mut Vec<String>) {
    let mut kept: Vec<String> = Vec::with_capacity(labels.len());
    for label in labels.drain(..) {
        let label = label.trim().to_owned();
        if !kept.contains(&label) {
            kept.push(label);
        }
    }
    *labels = kept;
}

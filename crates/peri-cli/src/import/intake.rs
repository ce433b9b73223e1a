//! Where records of other systems come in: what is here already is left alone, the rest is stored in batches, and
//! what cannot be stored is told.

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use perihelion::{
    ErrorKind, Fingerprint, Limits, MemoryId, Namespace, Outcome, Perihelion, Receipt, Remember, Scope,
};
use serde::Serialize;

use super::identity::Origin;
use super::pieces;
use crate::error::CliError;

/// Memories of one transaction.
const BATCH: usize = 256;

/// Whether anything is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// What is new is stored.
    Store,
    /// It is only told what would be stored.
    Tell,
}

/// One record on its way in.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Item {
    /// Where it stands, for messages.
    pub(crate) place: String,
    /// What its system calls it.
    pub(crate) key: String,
    /// What it becomes. The id is given here.
    pub(crate) request: Remember,
}

/// A record that was not taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct RefusedAt {
    /// Where it stands.
    #[serde(rename = "where")]
    pub(crate) place: String,
    /// Why.
    pub(crate) reason: String,
}

/// What became of the records.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Taken {
    /// Memories that are new.
    pub(crate) added: u64,
    /// Memories that were here: from an earlier import, or because another memory says the same.
    pub(crate) known: u64,
    /// Records that could not be taken.
    pub(crate) refused: Vec<RefusedAt>,
    /// What was passed over on purpose, by what it is.
    pub(crate) left_out: BTreeMap<&'static str, u64>,
    /// Secrets that were taken out.
    pub(crate) secrets: u64,
    /// Older memories that were replaced.
    pub(crate) superseded: u64,
    /// Contradictions with what is here.
    pub(crate) contradictions: u64,
}

/// An import from another system under way.
pub(crate) struct Intake<'a> {
    /// Where the memories go.
    pub(crate) engine: &'a Perihelion,
    /// What became of the records so far.
    pub(crate) taken: Taken,
    system: &'static str,
    purpose: Purpose,
    batch: Vec<(String, Remember)>,
    /// Ids that the store cannot know yet.
    seen: HashSet<MemoryId>,
    /// What has been said, where nothing is stored that could tell.
    statements: HashSet<(Namespace, Fingerprint)>,
}

impl<'a> Intake<'a> {
    /// An import from this system.
    pub(crate) fn new(engine: &'a Perihelion, system: &'static str, purpose: Purpose) -> Self {
        Self {
            engine,
            taken: Taken::default(),
            system,
            purpose,
            batch: Vec::new(),
            seen: HashSet::new(),
            statements: HashSet::new(),
        }
    }

    /// What memories must keep to.
    pub(crate) fn limits(&self) -> &'a Limits {
        &self.engine.options().limits
    }

    /// Whether anything is written.
    pub(crate) fn purpose(&self) -> Purpose {
        self.purpose
    }

    /// Notes a record that cannot be taken.
    pub(crate) fn refuse(&mut self, place: impl Into<String>, reason: impl Into<String>) {
        let reason = pieces::told(reason.into());
        self.taken.refused.push(RefusedAt { place: place.into(), reason });
    }

    /// Notes what is passed over on purpose.
    pub(crate) fn leave_out(&mut self, what: &'static str, count: u64) {
        if count > 0 {
            *self.taken.left_out.entry(what).or_default() += count;
        }
    }

    /// Takes a record, in parts if it is too long for one memory.
    pub(crate) fn take(&mut self, item: Item) -> Result<(), CliError> {
        let Item { place, key, mut request } = item;
        let lost = fit_labels(&mut request.facets.tags, self.limits())
            + fit_labels(&mut request.facets.aliases, self.limits());
        self.leave_out("labels_beyond_the_limits", lost);
        let content = std::mem::take(&mut request.content);
        let parts = pieces::split(&content, self.limits().content_bytes_max);
        if parts.is_empty() {
            self.refuse(place, "it is empty");
            return Ok(());
        }
        let count = parts.len();
        for (part, content) in parts.into_iter().enumerate() {
            let mut request = Remember { content: content.to_owned(), ..request.clone() };
            if count > 1 {
                request.facets.metadata.insert("part".to_owned(), (part + 1).into());
                request.facets.metadata.insert("parts".to_owned(), count.into());
            }
            let part = u16::try_from(part).unwrap_or(u16::MAX);
            let origin = Origin { system: self.system, namespace: &request.namespace, key: &key, part };
            request.id = Some(origin.id(request.facets.occurred_at));
            // A millisecond apart, parts that read alike are still two, and stay in their order.
            let later = Duration::from_millis(part.into());
            request.facets.occurred_at =
                request.facets.occurred_at.map(|at| at.checked_add(later).unwrap_or(at));
            self.batch.push((place.clone(), request));
            if self.batch.len() == BATCH {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Handles what is waiting; to be called at the end.
    pub(crate) fn flush(&mut self) -> Result<(), CliError> {
        let batch = std::mem::take(&mut self.batch);
        let mut new = Vec::with_capacity(batch.len());
        for (place, request) in batch {
            if self.is_known(&request)? {
                self.taken.known += 1;
            } else {
                new.push((place, request));
            }
        }
        match self.purpose {
            Purpose::Store => {
                self.store(&new)?;
                self.seen.clear();
            }
            Purpose::Tell => new.into_iter().for_each(|(place, request)| self.foretell(place, &request)),
        }
        Ok(())
    }

    /// Whether the record has been taken before, in this run or an earlier one. What was thrown away since stays so.
    fn is_known(&mut self, request: &Remember) -> Result<bool, CliError> {
        let Some(id) = request.id else { return Ok(false) };
        if !self.seen.insert(id) {
            return Ok(true);
        }
        match self.engine.get(&Scope::Exact(request.namespace.clone()), id) {
            Ok(_) => {
                self.note_statement(request);
                Ok(true)
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Remembers what a record says, if only telling; whether it is said for the first time.
    fn note_statement(&mut self, request: &Remember) -> bool {
        if self.purpose == Purpose::Store {
            return true;
        }
        let facets = &request.facets;
        let (speaker, session) = (facets.speaker.as_deref(), facets.session.as_deref());
        let fingerprint = Fingerprint::of(&request.content, speaker, session, facets.occurred_at);
        self.statements.insert((request.namespace.clone(), fingerprint))
    }

    /// Tells what would become of a record.
    fn foretell(&mut self, place: String, request: &Remember) {
        if let Err(reason) = check(request, self.limits()) {
            self.refuse(place, reason);
        } else if self.note_statement(request) {
            self.taken.added += 1;
        } else {
            self.taken.known += 1;
        }
    }

    /// Stores records together. If one of them is refused, the halves are tried alone, down to the one at fault.
    fn store(&mut self, batch: &[(String, Remember)]) -> Result<(), CliError> {
        let Some((place, _)) = batch.first() else { return Ok(()) };
        match self.engine.remember_all(batch.iter().map(|(_, request)| request.clone()).collect()) {
            Ok(receipts) => receipts.iter().for_each(|receipt| self.note(receipt)),
            Err(error) if !super::is_of_the_line(&error) => return Err(error.into()),
            Err(error) if batch.len() == 1 => self.refuse(place.clone(), error.to_string()),
            Err(_) => {
                let (first, second) = batch.split_at(batch.len() / 2);
                self.store(first)?;
                self.store(second)?;
            }
        }
        Ok(())
    }

    fn note(&mut self, receipt: &Receipt) {
        match receipt.outcome {
            // What is queued will be stored.
            Outcome::Stored | Outcome::Queued => self.taken.added += 1,
            Outcome::Merged => self.taken.known += 1,
        }
        self.taken.secrets += receipt.redacted.iter().map(|secret| secret.count as u64).sum::<u64>();
        self.taken.superseded += receipt.superseded.len() as u64;
        self.taken.contradictions += receipt.contradicts.len() as u64;
    }
}

/// Whether the engine would take a record, as far as limits go.
fn check(request: &Remember, limits: &Limits) -> Result<(), String> {
    let facets = &request.facets;
    let metadata = serde_json::to_string(&facets.metadata).map_or(usize::MAX, |json| json.len());
    let told = |error: perihelion::LimitError| error.to_string();
    limits.check_content(&request.content).map_err(told)?;
    limits.check_labels("tags", &facets.tags).map_err(told)?;
    limits.check_labels("aliases", &facets.aliases).map_err(told)?;
    for (what, label) in
        [("session", &facets.session), ("speaker", &facets.speaker), ("source", &facets.source)]
    {
        label.as_ref().map_or(Ok(()), |label| limits.check_label(what, label)).map_err(told)?;
    }
    limits.check_metadata(metadata).map_err(told)
}

/// Keeps the labels that can be kept; how many could not.
fn fit_labels(labels: &mut Vec<String>, limits: &Limits) -> u64 {
    labels.retain(|label| !label.trim().is_empty());
    let mut known = HashSet::new();
    labels.retain(|label| known.insert(label.trim().to_owned()));
    let before = labels.len();
    labels.retain(|label| limits.check_label("tag", label).is_ok());
    labels.truncate(limits.labels_max);
    (before - labels.len()) as u64
}

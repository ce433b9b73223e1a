//! What a context is made of, before anything is left out.

use std::collections::HashSet;
use std::time::Duration;

use peri_notes::{Block, Handover, Loan, LoanId, NotesError, Session, Wanted};
use peri_store::ListQuery;
use peri_types::{Kind, Layer, Memory, Namespace, Scope, Timestamp, Zone};

use super::super::tell::DONE;
use super::{ContextRequest, Delivery, Moment};
use crate::engine::Perihelion;
use crate::{Error, PatternMatch, Recall, WorkItem};

/// Of the memories that matter most so many are looked at, when nothing was asked.
const NEAREST: usize = 50;

/// What a context is made of.
#[derive(Default)]
pub(super) struct Gathered {
    pub(super) today: Option<jiff::civil::Date>,
    pub(super) loan: Option<LoanId>,
    pub(super) digest: Vec<Block>,
    pub(super) own: Vec<Block>,
    pub(super) session: Option<Session>,
    pub(super) earlier: Option<Handover>,
    pub(super) memories: Vec<(Memory, Option<f32>)>,
    pub(super) patterns: Vec<PatternMatch>,
    pub(super) work: Vec<WorkItem>,
    pub(super) degraded: Vec<String>,
    /// What the agent's user should know of the memory itself.
    pub(super) notices: Vec<String>,
}

impl Gathered {
    /// Every note, in words.
    fn noted(&self) -> HashSet<String> {
        let blocks = self.digest.iter().chain(&self.own).filter_map(|block| match block {
            Block::Item(item) => Some(item.text.as_str()),
            Block::Text { .. } => None,
        });
        let earlier = self.earlier.iter().flat_map(|earlier| &earlier.items).map(|item| item.text.as_str());
        blocks.chain(earlier).map(folded).collect()
    }
}

impl Perihelion {
    pub(super) fn gather(&self, request: &ContextRequest) -> Result<Gathered, Error> {
        let core = &self.core;
        let limits = &core.options.limits;
        request.query.as_deref().map_or(Ok(()), |query| limits.check_query(query))?;
        let session = request.session.as_deref().map(|name| core.session_named(name)).transpose()?;
        let zone = core.options.time_zone.clone();
        let mut gathered = Gathered {
            today: Some(core.now().to_zoned(zone).date()),
            session: session.clone(),
            ..Gathered::default()
        };
        if let Err(error) = self.gather_notes(request, session.as_ref(), &mut gathered) {
            gathered.degraded.push(format!("no notes took part: {error}"));
        }
        let known = self.given_before(request, session.as_ref());
        if let Err(error) = self.gather_memories(request, &known, &mut gathered) {
            gathered.degraded.push(format!("no memory took part: {error}"));
        }
        if request.moment != Moment::Prompt {
            match self.work_list(&request.namespace, request.session.as_deref()) {
                Ok(work) => gathered.work = work,
                Err(error) => gathered.degraded.push(format!("working memory took no part: {error}")),
            }
        }
        Ok(gathered)
    }

    fn gather_notes(
        &self,
        request: &ContextRequest,
        session: Option<&Session>,
        gathered: &mut Gathered,
    ) -> Result<(), Error> {
        let (notes, namespace) = (self.core.notes()?, &request.namespace);
        match (request.delivery, session) {
            (Delivery::Once { lease }, Some(session)) => {
                let loan = self.lend(request, session, lease)?;
                gathered.loan = Some(loan.id);
                gathered.digest =
                    loan.digest.map(|digest| digest.sheet.blocks().to_vec()).unwrap_or_default();
                gathered.own = match loan.own {
                    Some(record) => record.sheet.blocks().to_vec(),
                    None => loan.new.into_iter().map(Block::Item).collect(),
                };
                gathered.earlier = loan.handover;
            }
            (_, session) => {
                gathered.digest = notes.digest(namespace)?.sheet.blocks().to_vec();
                if let Some(session) = session {
                    let record = notes.record(namespace, session)?;
                    gathered.own = record.map(|record| record.sheet.blocks().to_vec()).unwrap_or_default();
                }
            }
        }
        Ok(())
    }

    /// Takes on loan what the agent has to be given at this moment.
    fn lend(&self, request: &ContextRequest, session: &Session, lease: Duration) -> Result<Loan, NotesError> {
        let notes = match self.core.notes() {
            Ok(notes) => notes,
            Err(Error::Notes(error)) => return Err(error),
            Err(error) => {
                let detail = error.to_string();
                return Err(NotesError::Shelf(peri_notes::ShelfError::Store { detail }));
            }
        };
        let namespace = &request.namespace;
        let occasion = request.occasion.as_deref().unwrap_or("context");
        if matches!(request.moment, Moment::Start | Moment::Compacted) {
            notes.begin(namespace, session, None, occasion)?;
        }
        if request.moment == Moment::Compacted {
            notes.raise_inject_flag(namespace, session, occasion)?;
        }
        let own = Wanted::NOTHING.with_digest().with_own().with_new();
        let wanted = if request.moment == Moment::Start { own.with_handover() } else { own };
        notes.lend(namespace, session, wanted, lease)
    }

    /// What the agent was given since it last lost sight of things, in words. If that cannot be told, it may be given some
    /// of it again.
    fn given_before(&self, request: &ContextRequest, session: Option<&Session>) -> HashSet<String> {
        let (Some(session), Moment::Prompt | Moment::Resumed) = (session, request.moment) else {
            return HashSet::new();
        };
        let given = || -> Result<HashSet<String>, Error> {
            let notes = self.core.notes()?;
            let since = notes.began_at(&request.namespace, session)?.unwrap_or(Timestamp::MIN);
            let handed = notes.handed_out(&request.namespace, session)?.entries;
            Ok(handed.iter().filter(|one| one.at >= since).map(|one| folded(&one.text)).collect())
        };
        given().unwrap_or_else(|error| {
            tracing::debug!(%error, "what the agent was given before cannot be told");
            HashSet::new()
        })
    }

    fn gather_memories(
        &self,
        request: &ContextRequest,
        known: &HashSet<String>,
        gathered: &mut Gathered,
    ) -> Result<(), Error> {
        let settings = &self.core.options.notes.context;
        let query = request.query.as_deref().filter(|query| !query.trim().is_empty());
        let mut found: Vec<(Memory, Option<f32>)> = match query {
            Some(query) => {
                let mut recall = Recall::new(query)
                    .in_scope(Scope::Exact(request.namespace.clone()))
                    .limit(settings.memories + known.len().min(20))
                    .score_min(settings.score_min);
                recall.session.clone_from(&request.session);
                let recalled = self.recall(&recall)?;
                gathered.degraded.extend(recalled.degraded);
                gathered.patterns = recalled.patterns;
                gathered.patterns.retain(|one| !known.contains(&folded(&one.pattern.strategy)));
                recalled.hits.into_iter().map(|hit| (hit.memory, Some(hit.score))).collect()
            }
            None if request.moment == Moment::Prompt || request.moment == Moment::Resumed => Vec::new(),
            None => self.nearest(&request.namespace)?.into_iter().map(|memory| (memory, None)).collect(),
        };
        let noted = gathered.noted();
        let is_new = |memory: &Memory| {
            let text = folded(&memory.content);
            memory.layer != Layer::Working && !noted.contains(&text) && !known.contains(&text)
        };
        found.retain(|(memory, _)| is_new(memory));
        // What is given at the beginning has to last for longer.
        let most = if query.is_some() { settings.memories } else { settings.memories * 2 };
        found.truncate(most);
        gathered.memories = found;
        Ok(())
    }

    /// The memories that matter most, whatever is asked: pinned ones, and those that orbit nearest. What somebody said in
    /// passing and pieces of documents answer questions, and are left for those.
    fn nearest(&self, namespace: &Namespace) -> Result<Vec<Memory>, Error> {
        let core = &self.core;
        let mut query = ListQuery {
            scope: Scope::Exact(namespace.clone()),
            now: Some(core.now()),
            limit: NEAREST,
            ..ListQuery::default()
        };
        query.filter.pinned = Some(true);
        let mut found = core.store.list(&query)?.memories;
        query.filter.pinned = None;
        query.zones = vec![Zone::Core];
        found.extend(core.store.list(&query)?.memories);
        query.zones = vec![Zone::Inner];
        found.extend(core.store.list(&query)?.memories);
        let mut seen = HashSet::new();
        let stands = |memory: &Memory| {
            memory.facets.superseded_by.is_none() && !matches!(memory.kind, Kind::Episode | Kind::Document)
        };
        found.retain(|memory| stands(memory) && seen.insert(memory.id));
        found.sort_by(|a, b| {
            let rank = |memory: &Memory| (memory.facets.pinned, memory.importance.value());
            rank(b).partial_cmp(&rank(a)).unwrap_or(std::cmp::Ordering::Equal).then(b.id.cmp(&a.id))
        });
        Ok(found)
    }
}

/// A text as it is compared: case, blanks and marks of being done do not matter.
fn folded(text: &str) -> String {
    let text = text.strip_prefix(DONE).unwrap_or(text);
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

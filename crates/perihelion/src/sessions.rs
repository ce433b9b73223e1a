//! Sessions: conversations with a beginning, an end, and a memory that sums them up.

use peri_store::{ListQuery, Missing, Order, Session, StoreError, Write, Written};
use peri_types::{Edge, EdgeType, Filter, Importance, Kind, Layer, Memory, MemoryId, Namespace, Scope};

use crate::engine::Perihelion;
use crate::queue::{Intent, Making, Transaction};
use crate::{Error, Remember};

/// A summary names at most so many memories of a session...
const SUMMARY_ITEMS: usize = 5;
/// ...each by at most so many characters.
const ITEM_CHARS: usize = 160;
/// At most so many memories of a session are looked at.
const LOOKED_AT: usize = 2000;
/// How much a summary matters.
const SUMMARY_IMPORTANCE: f64 = 0.7;

impl Perihelion {
    /// Begins a session. Beginning one that is open changes nothing; one that has ended is opened again.
    pub fn start_session(&self, namespace: &Namespace, name: &str) -> Result<Session, Error> {
        let core = &self.core;
        core.options.limits.check_label("session", name)?;
        let (namespace, name) = (namespace.clone(), name.to_owned());
        told(core.change(vec![Write::StartSession { namespace, name, at: core.now() }])?.pop())
    }

    /// Ends a session. What was remembered in it and matters most is summed up in a memory of its own, which is
    /// linked to what it sums up. Ending it again sums it up again only if something was said since: the new summary
    /// then takes the place of the old one.
    pub fn end_session(&self, namespace: &Namespace, name: &str) -> Result<Session, Error> {
        self.core.options.limits.check_label("session", name)?;
        let wanted = || Ok(Intent::EndSession { namespace: namespace.clone(), name: name.to_owned() });
        let make = |making: &Making<'_>| self.make_end_of_session(making, namespace, name);
        self.core.perform(wanted, "end session", make)
    }

    pub(crate) fn make_end_of_session(
        &self,
        making: &Making<'_>,
        namespace: &Namespace,
        name: &str,
    ) -> Result<Session, Error> {
        let known = self.session(namespace, name)?;
        let (summary, links) = match known.summary {
            Some(summary) if !self.was_said_since(making, namespace, (name, summary))? => {
                (Some(summary), None)
            }
            _ => self.sum_up(making, namespace, name)?.unzip(),
        };
        let at = making.at();
        let outdated = known.summary.zip(summary).filter(|(older, newer)| older != newer);
        let replace = outdated.map(|(older, newer)| Write::Supersede {
            namespace: namespace.clone(),
            older,
            newer,
            at,
        });
        let summary = summary.or(known.summary);
        let end = Write::EndSession { namespace: namespace.clone(), name: name.to_owned(), summary, at };
        let writes = links.into_iter().chain(replace).chain([end]).collect();
        told(making.write(Transaction::Main, writes)?.pop())
    }

    /// One session.
    pub fn session(&self, namespace: &Namespace, name: &str) -> Result<Session, Error> {
        self.core.store.session(namespace, name)?.ok_or_else(|| {
            Error::Store(StoreError::NoSession { name: name.to_owned(), namespace: namespace.clone() })
        })
    }

    /// The sessions of a scope that were begun, the latest first.
    pub fn sessions(&self, scope: &Scope, limit: usize) -> Result<Vec<Session>, Error> {
        self.core.options.limits.check_results(limit)?;
        Ok(self.core.store.sessions(scope, limit)?)
    }

    /// Whether something was said in a session since it was summed up. A summary that is destroyed is not missed.
    fn was_said_since(
        &self,
        making: &Making<'_>,
        namespace: &Namespace,
        (name, summary): (&str, MemoryId),
    ) -> Result<bool, Error> {
        let scope = Scope::Exact(namespace.clone());
        let Some(summary) = self.core.store.get(&scope, &[summary])?.pop() else { return Ok(false) };
        let query = ListQuery {
            scope,
            filter: Filter { session: Some(name.to_owned()), ..Filter::default() },
            now: Some(making.at()),
            limit: LOOKED_AT,
            ..ListQuery::default()
        };
        let said = self.core.store.list(&query)?.memories;
        // What was said at the same time may have come later; if not, the same summary comes out again.
        Ok(said.iter().any(|memory| memory.created_at >= summary.created_at))
    }

    /// Sums a session up in a memory, and tells how that is to be linked to what it sums up.
    fn sum_up(
        &self,
        making: &Making<'_>,
        namespace: &Namespace,
        name: &str,
    ) -> Result<Option<(MemoryId, Write)>, Error> {
        let said = self.said_in(making, namespace, name)?;
        let Some(request) = summary_of(&said, name) else { return Ok(None) };
        let id = self.remember_summary(making, request.in_namespace(namespace.clone()))?;
        let edges = said.iter().map(|memory| Edge {
            source: id,
            target: memory.id,
            edge_type: EdgeType::DerivedFrom,
            weight: 1.0,
            created_at: making.at(),
        });
        let (edges, max) = (edges.collect(), self.core.options.graph.edges_max);
        let (namespace, missing) = (namespace.clone(), Missing::Skipped);
        Ok(Some((id, Write::Link { namespace, edges, max, missing })))
    }

    /// What was said in a session and matters most, in the order it was said.
    fn said_in(&self, making: &Making<'_>, namespace: &Namespace, name: &str) -> Result<Vec<Memory>, Error> {
        let query = ListQuery {
            scope: Scope::Exact(namespace.clone()),
            filter: Filter { session: Some(name.to_owned()), ..Filter::default() },
            order: Order::OldestFirst,
            now: Some(making.at()),
            limit: LOOKED_AT,
            ..ListQuery::default()
        };
        let mut said = self.core.store.list(&query)?.memories;
        said.retain(|memory| memory.facets.superseded_by.is_none());
        said.sort_by(|a, b| b.importance.value().total_cmp(&a.importance.value()).then(a.at().cmp(&b.at())));
        said.truncate(SUMMARY_ITEMS);
        said.sort_by(|a, b| a.at().cmp(&b.at()).then(a.id.cmp(&b.id)));
        Ok(said)
    }

    /// Remembers a summary, unless an earlier attempt did; by which id it is known.
    fn remember_summary(&self, making: &Making<'_>, mut request: Remember) -> Result<MemoryId, Error> {
        request.id = Some(making.memory_id());
        let write = |writes| making.write(Transaction::Before, writes);
        let mut receipts = self.remember_by(vec![request.clone()], making.at(), write)?;
        if let Some(receipt) = receipts.pop() {
            return Ok(receipt.id);
        }
        let (store, summary) = (&self.core.store, self.core.record(request, making.at()).0);
        let (id, namespace) = (summary.id, &summary.namespace);
        if let Some(kept) = store.get(&Scope::Exact(namespace.clone()), &[id])?.pop() {
            return Ok(kept.facets.superseded_by.unwrap_or(id));
        }
        // It was taken for another one that says the same.
        let twin = store.said_by(namespace, summary.fingerprint())?;
        twin.ok_or(Error::Store(StoreError::NotFound { id }))
    }
}

/// What a session is summed up in; none if nothing was said.
fn summary_of(said: &[Memory], name: &str) -> Option<Remember> {
    let importance = Importance::new(SUMMARY_IMPORTANCE).ok();
    let day = said.first()?.at().strftime("%Y-%m-%d");
    let items: Vec<String> = said.iter().map(item).collect();
    let mut request =
        Remember::new(format!("Session {name} ({day}): {}", items.join(" · "))).kind(Kind::Summary);
    request.layer = Some(Layer::LongTerm);
    request.importance = importance;
    request.facets.source = Some("session".to_owned());
    Some(request)
}

fn told(written: Option<Written>) -> Result<Session, Error> {
    match written {
        Some(Written::Session(session)) => Ok(*session),
        _ => Err(Error::Store(StoreError::Closed)),
    }
}

/// A memory in few words, with who said it.
fn item(memory: &Memory) -> String {
    let line = memory.content.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut text: String = line.chars().take(ITEM_CHARS).collect();
    if text.len() < line.len() {
        text.push('…');
    }
    match &memory.facets.speaker {
        Some(speaker) => format!("{speaker}: {text}"),
        None => text,
    }
}

//! Sessions: conversations with a beginning, an end, and a memory that sums them up.

use peri_store::{ListQuery, Missing, Order, Session, StoreError, Write, Written};
use peri_types::{Edge, EdgeType, Filter, Importance, Kind, Layer, Memory, MemoryId, Namespace, Scope};

use crate::engine::Perihelion;
use crate::{Error, Receipt, Remember};

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
    /// linked to what it sums up; ending it again does not sum it up again.
    pub fn end_session(&self, namespace: &Namespace, name: &str) -> Result<Session, Error> {
        let core = &self.core;
        let known = self.session(namespace, name)?;
        let summary = match known.summary {
            Some(summary) => Some(summary),
            None => self.sum_up(namespace, name)?,
        };
        let (namespace, name) = (namespace.clone(), name.to_owned());
        told(core.change(vec![Write::EndSession { namespace, name, summary, at: core.now() }])?.pop())
    }

    /// One session.
    pub fn session(&self, namespace: &Namespace, name: &str) -> Result<Session, Error> {
        let scope = Scope::Exact(namespace.clone());
        let found = self.core.store.sessions(&scope, usize::MAX >> 1)?;
        found.into_iter().find(|session| session.name == name).ok_or_else(|| {
            Error::Store(StoreError::NoSession { name: name.to_owned(), namespace: namespace.clone() })
        })
    }

    /// The sessions of a scope that were begun, the latest first.
    pub fn sessions(&self, scope: &Scope, limit: usize) -> Result<Vec<Session>, Error> {
        self.core.options.limits.check_results(limit)?;
        Ok(self.core.store.sessions(scope, limit)?)
    }

    fn sum_up(&self, namespace: &Namespace, name: &str) -> Result<Option<MemoryId>, Error> {
        let core = &self.core;
        let query = ListQuery {
            scope: Scope::Exact(namespace.clone()),
            filter: Filter { session: Some(name.to_owned()), ..Filter::default() },
            order: Order::OldestFirst,
            now: Some(core.now()),
            limit: LOOKED_AT,
            ..ListQuery::default()
        };
        let mut said = core.store.list(&query)?.memories;
        said.retain(|memory| memory.facets.superseded_by.is_none());
        // What matters most, told in the order it was said.
        said.sort_by(|a, b| b.importance.value().total_cmp(&a.importance.value()).then(a.at().cmp(&b.at())));
        said.truncate(SUMMARY_ITEMS);
        said.sort_by(|a, b| a.at().cmp(&b.at()).then(a.id.cmp(&b.id)));
        let (Some(first), Some(importance)) = (said.first(), Importance::new(SUMMARY_IMPORTANCE).ok()) else {
            return Ok(None);
        };
        let day = first.at().strftime("%Y-%m-%d");
        let items: Vec<String> = said.iter().map(item).collect();
        let mut request =
            Remember::new(format!("Session {name} ({day}): {}", items.join(" · "))).kind(Kind::Summary);
        request.namespace = namespace.clone();
        request.layer = Some(Layer::LongTerm);
        request.importance = Some(importance);
        request.facets.source = Some("session".to_owned());
        let Receipt { id, .. } = self.remember(request)?;
        let edges = said.iter().map(|memory| Edge {
            source: id,
            target: memory.id,
            edge_type: EdgeType::DerivedFrom,
            weight: 1.0,
            created_at: core.now(),
        });
        let (edges, max) = (edges.collect(), core.options.graph.edges_max);
        let missing = Missing::Skipped;
        core.write(vec![Write::Link { namespace: namespace.clone(), edges, max, missing }])?;
        Ok(Some(id))
    }
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

//! The journal's part of an export.

use peri_store::{JournalQuery, Order, TurnQuery};
use peri_types::{Filter, Namespace, Scope};

use super::export::{Export, ExportOptions};
use super::line::Line;
use crate::Error;

/// So many records are read at a time.
const PAGE: usize = 256;

impl Export<'_> {
    /// Writes the journal of a namespace: entries by time and id, then turns by when they began and id.
    pub(super) fn journal(&mut self, namespace: &Namespace) -> Result<(), Error> {
        if !speaks_of_journal(self.options) {
            return Ok(());
        }
        self.entries(namespace)?;
        // Who spoke is not told of turns.
        if self.options.filter.speaker.is_some() { Ok(()) } else { self.turns(namespace) }
    }

    fn entries(&mut self, namespace: &Namespace) -> Result<(), Error> {
        let Filter { session, speaker, since, until, .. } = self.options.filter.clone();
        let mut query = JournalQuery {
            scope: Scope::Exact(namespace.clone()),
            session,
            actor: speaker,
            since,
            until,
            order: Order::OldestFirst,
            limit: PAGE,
            ..JournalQuery::default()
        };
        loop {
            let page = self.store.journal(&query)?;
            for entry in page.entries {
                self.line(&Line::Entry(Box::new(entry)))?;
                self.written.entries += 1;
            }
            (self.watch)(&self.written);
            query.after = page.next;
            if query.after.is_none() {
                return Ok(());
            }
        }
    }

    fn turns(&mut self, namespace: &Namespace) -> Result<(), Error> {
        let Filter { session, since, until, .. } = self.options.filter.clone();
        let mut query = TurnQuery {
            scope: Scope::Exact(namespace.clone()),
            session,
            since,
            until,
            order: Order::OldestFirst,
            limit: PAGE,
            ..TurnQuery::default()
        };
        loop {
            let page = self.store.turns(&query)?;
            for turn in page.turns {
                self.line(&Line::Turn(Box::new(turn)))?;
                self.written.turns += 1;
            }
            (self.watch)(&self.written);
            query.after = page.next;
            if query.after.is_none() {
                return Ok(());
            }
        }
    }
}

/// Whether what is asked for can be told of the journal too.
fn speaks_of_journal(options: &ExportOptions) -> bool {
    let Filter { session, speaker, since, until, .. } = options.filter.clone();
    let told = Filter { session, speaker, since, until, ..Filter::default() };
    options.limit.is_none() && told == options.filter
}

//! Events: written with what they tell of, read until they are in the audit log.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::connection::Connection;
use peri_types::{Event, EventKind, Happening, MemoryId, Namespace, Timestamp, without_question};
use rusqlite::{ToSql, params};

use super::apply::{Ledger, written};
use super::row;
use super::trouble::Trouble;
use crate::{EventPage, Told, Written};

/// Beyond so many events that wait for a log that cannot be written, the oldest are dropped and counted.
const WAITING_MAX: u64 = 100_000;

/// So many events are written by one statement where a call has many.
const TOGETHER: usize = 16;

static INSERT_TOGETHER: LazyLock<String> = LazyLock::new(|| {
    format!("INSERT INTO events (at, namespace, body) VALUES {}", vec!["(?, ?, ?)"; TOGETHER].join(", "))
});

/// An event that its call has yet to write.
pub(super) struct Waiting {
    at: i64,
    namespace: Option<String>,
    body: String,
}

impl Waiting {
    fn values(&self) -> [&dyn ToSql; 3] {
        [&self.at, &self.namespace, &self.body]
    }
}

impl Ledger<'_> {
    /// Takes the questions out of events that tell of recalls of what is destroyed.
    pub(super) fn blank_questions(&self, destroyed: &[MemoryId]) -> Result<(), Trouble> {
        let wanted = match destroyed {
            [] => return Ok(()),
            [one] => format!("%{one}%"),
            _ => "%\"query\":%".to_owned(),
        };
        let told: HashSet<MemoryId> = destroyed.iter().copied().collect();
        let mut select =
            self.connection.prepare_cached("SELECT number, body FROM events WHERE body LIKE ?1")?;
        let found =
            select.query_all(params![wanted], |row| Ok((row.get::<i64>(0)?, row.get::<String>(1)?)))?;
        for (number, body) in found {
            let what: Happening = serde_json::from_str(&body).map_err(row::malformed)?;
            let Happening::Recalled { ids, .. } = what else { continue };
            if !ids.iter().any(|id| told.contains(id)) {
                continue;
            }
            let blank = without_question(body.as_bytes()).and_then(|blank| String::from_utf8(blank).ok());
            self.connection
                .prepare_cached("UPDATE events SET body = ?2 WHERE number = ?1")?
                .execute(params![number, blank.unwrap_or(body)])?;
        }
        Ok(())
    }

    /// Notes that something happened, in the transaction in which it does.
    pub(crate) fn tell(
        &mut self,
        namespace: Option<&Namespace>,
        at: Timestamp,
        what: &Happening,
    ) -> Result<(), Trouble> {
        let namespace = namespace.map(|path| path.as_str().to_owned());
        let event = Waiting { at: at.as_millisecond(), namespace, body: written(what)? };
        match &mut self.call {
            Some(call) => call.events.push(event),
            None => self.write_event(&event)?,
        }
        Ok(())
    }

    /// Notes that something happened outside of any change.
    pub(super) fn tell_apart(&mut self, told: &Told) -> Result<Written, Trouble> {
        self.tell(told.namespace.as_ref(), told.at, &told.what)?;
        Ok(Written::Done)
    }

    /// Writes what the call under way has told so far.
    pub(super) fn write_events(&mut self) -> Result<(), Trouble> {
        let Some(call) = &mut self.call else { return Ok(()) };
        let events = std::mem::take(&mut call.events);
        let (together, rest) = events.as_chunks::<TOGETHER>();
        for chunk in together {
            let values = chunk.iter().flat_map(Waiting::values);
            self.connection.prepare_cached(&INSERT_TOGETHER)?.execute(Vec::from_iter(values))?;
        }
        rest.iter().try_for_each(|event| self.write_event(event))
    }

    fn write_event(&self, event: &Waiting) -> Result<(), Trouble> {
        self.connection
            .prepare_cached("INSERT INTO events (at, namespace, body) VALUES (?1, ?2, ?3)")?
            .execute(event.values().as_slice())?;
        Ok(())
    }

    pub(super) fn ship_events(&mut self, through: u64, keep: u64) -> Result<Written, Trouble> {
        self.write_events()?;
        self.connection
            .prepare_cached("UPDATE counters SET value = max(value, ?1) WHERE name = 'events_shipped'")?
            .execute([through])?;
        let shipped = counter(self.connection, "events_shipped")?;
        self.connection
            .prepare_cached("DELETE FROM events WHERE number <= ?1")?
            .execute([shipped.saturating_sub(keep)])?;
        let last: u64 = self
            .connection
            .prepare_cached("SELECT coalesce(max(number), 0) FROM events")?
            .query_row(params![], |row| row.get(0))?;
        if last.saturating_sub(shipped) > WAITING_MAX {
            let lost = self
                .connection
                .prepare_cached("DELETE FROM events WHERE number <= ?1")?
                .execute([last - WAITING_MAX])?;
            self.connection
                .prepare_cached("UPDATE counters SET value = value + ?1 WHERE name = 'events_lost'")?
                .execute([lost])?;
            self.connection
                .prepare_cached("UPDATE counters SET value = ?1 WHERE name = 'events_shipped'")?
                .execute([last - WAITING_MAX])?;
        }
        Ok(Written::Done)
    }
}

fn counter(connection: &Connection, name: &str) -> Result<u64, Trouble> {
    let mut statement = connection.prepare_cached("SELECT value FROM counters WHERE name = ?1")?;
    statement.query_row([name], |row| row.get(0))
}

pub(super) fn page(connection: &Connection, after: u64, limit: usize) -> Result<EventPage, Trouble> {
    let _moment = super::connection::moment(connection)?;
    let shipped = counter(connection, "events_shipped")?;
    let lost = counter(connection, "events_lost")?;
    let waiting = connection
        .prepare_cached("SELECT count(*) FROM events WHERE number > ?1")?
        .query_row([shipped], |row| row.get(0))?;
    let mut after = after;
    loop {
        let (events, last) = known(connection, after, limit)?;
        match last {
            // A later release may have told of what this one does not know, for longer than a page.
            Some(last) if events.is_empty() => after = last,
            _ => return Ok(EventPage { events, shipped, lost, waiting }),
        }
    }
}

/// The events of a page that this release knows, and the number of the last one there is.
fn known(connection: &Connection, after: u64, limit: usize) -> Result<(Vec<Event>, Option<u64>), Trouble> {
    let mut statement = connection.prepare_cached(
        "SELECT number, at, namespace, body FROM events WHERE number > ?1 ORDER BY number LIMIT ?2",
    )?;
    let mut rows = statement.query(params![after, limit])?;
    let (mut events, mut last) = (Vec::new(), None);
    while let Some(row) = rows.next()? {
        let number = row.get(0)?;
        last = Some(number);
        let Some(what) = happening(&row.get::<String>(3)?)? else { continue };
        let namespace: Option<String> = row.get(2)?;
        let namespace = namespace.map(|path| path.parse().map_err(row::malformed)).transpose()?;
        events.push(Event { number, at: row::time(row.get(1)?)?, namespace, what });
    }
    Ok((events, last))
}

/// What happened; none if only a later release knows of such things.
fn happening(body: &str) -> Result<Option<Happening>, Trouble> {
    #[derive(serde::Deserialize)]
    struct Kind {
        event: String,
    }
    match serde_json::from_str(body) {
        Ok(what) => Ok(Some(what)),
        Err(error) => {
            let kind: Kind = serde_json::from_str(body).map_err(row::malformed)?;
            let is_known = EventKind::ALL.iter().any(|known| known.as_str() == kind.event);
            if is_known { Err(row::malformed(error)) } else { Ok(None) }
        }
    }
}

//! The store that is moved to, until it is one.

use std::cell::RefCell;

use rusqlite::params;

use super::ends::{Commit, End};
use super::note::{self, Note, Stage, Stamp};
use super::notes::{self, AllNotes, CarriedNotes, CarryNotes, MovedNotes};
use super::tables::{self, TABLES};
use super::{Place, RelocateError, Source, numbers};
use crate::sql::connection::{Connection, Dialect};
use crate::sql::trouble::Trouble;

/// The store that is moved to.
pub(super) struct Target {
    place: String,
    end: End,
    pub(super) connection: Connection,
    /// The note as this process wrote or found it last: whoever changes it meanwhile is in the way.
    state: RefCell<String>,
}

/// With what a move begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Beginning {
    Fresh,
    /// With what an earlier attempt has left.
    Resumed,
}

impl Target {
    /// Opens the target. What is neither empty nor a part of the same move is refused and left as it is.
    pub(super) fn open(place: &Place, source: &Source<'_>) -> Result<(Self, Beginning), RelocateError> {
        let (end, connection) = End::target(place)?;
        let place = place.to_string();
        let told = |trouble| RelocateError::from(end.tell(trouble));
        if note::identity(&connection).map_err(told)? == source.stamp.identity {
            return Err(RelocateError::SamePlace { place });
        }
        let state = note::read(&connection).map_err(told)?;
        if state.is_none()
            && let Some(table) = occupied(&connection).map_err(told)?
        {
            return Err(RelocateError::Occupied { place, table });
        }
        let target = Self { place, end, connection, state: RefCell::new(state.clone().unwrap_or_default()) };
        let beginning = target.begin(state.as_deref(), &source.stamp)?;
        Ok((target, beginning))
    }

    /// Goes on with what is there, if it is of the same state of the same source; clears it otherwise.
    fn begin(&self, state: Option<&str>, stamp: &Stamp) -> Result<Beginning, RelocateError> {
        let Some(state) = state else {
            self.start(stamp)?;
            return Ok(Beginning::Fresh);
        };
        let malformed = |error: serde_json::Error| self.told(Trouble::Malformed(error.to_string()));
        let note: Note = serde_json::from_str(state).map_err(malformed)?;
        if note.source.identity != stamp.identity {
            return Err(RelocateError::OtherSource { place: self.place.clone() });
        }
        if note.source != *stamp || note.stage == Stage::Clearing {
            self.clear(stamp)?;
            return Ok(Beginning::Fresh);
        }
        Ok(Beginning::Resumed)
    }

    /// The stage that the move is at.
    pub(super) fn stage(&self) -> Result<Stage, RelocateError> {
        let note: Note = serde_json::from_str(&self.state.borrow())
            .map_err(|error| self.told(Trouble::Malformed(error.to_string())))?;
        Ok(note.stage)
    }

    /// Removes what is there, and notes what is to be moved.
    pub(super) fn clear(&self, stamp: &Stamp) -> Result<(), RelocateError> {
        self.commit(&Note { source: stamp.clone(), stage: Stage::Clearing }, |_| Ok(()))?;
        // MySQL commits each of these by itself; whoever is interrupted here begins with them again.
        let emptied = || match self.connection.dialect() {
            Dialect::Sqlite => Ok(()),
            Dialect::Postgres | Dialect::Mysql => truncate(&self.connection),
        };
        emptied().map_err(|trouble| self.told(trouble))?;
        self.start(stamp)
    }

    /// Notes that nothing is there yet, and sees to it.
    fn start(&self, stamp: &Stamp) -> Result<(), RelocateError> {
        let stage = Stage::Copying { table: TABLES[0].name.to_owned(), after: Vec::new(), rows: 0 };
        self.commit(&Note { source: stamp.clone(), stage }, empty)
    }

    /// Writes a part and how far the move is then, both or neither.
    pub(super) fn commit(
        &self,
        note: &Note,
        part: impl Fn(&Connection) -> Result<(), Trouble>,
    ) -> Result<(), RelocateError> {
        let written = || {
            let transaction = self.end.begin(&self.connection, Commit::Part)?;
            if !self.is_undisturbed()? {
                return Ok(None);
            }
            part(&self.connection)?;
            let state = note::write(&self.connection, note)?;
            transaction.commit()?;
            Ok(Some(state))
        };
        match written().map_err(|trouble| self.told(trouble))? {
            Some(state) => {
                self.state.replace(state);
                Ok(())
            }
            None => Err(RelocateError::Disturbed { place: self.place.clone() }),
        }
    }

    /// Makes it a store like any other. Everything has been compared, but for notes that come from elsewhere or go
    /// elsewhere: they are compared when they are where they belong.
    pub(super) fn release(
        &self,
        stamp: &Stamp,
        carry: Option<CarryNotes<'_>>,
    ) -> Result<Option<MovedNotes>, RelocateError> {
        let Some(carry) = carry else {
            self.release_holding(stamp, None)?;
            return Ok(None);
        };
        let held = notes::read(&self.connection).map_err(|trouble| self.told(trouble))?;
        let CarriedNotes { tables, moved } = carry(held)?;
        self.release_holding(stamp, tables.as_ref())?;
        Ok(Some(moved))
    }

    /// Releases it with other notes than those that were copied, if there are any.
    fn release_holding(&self, stamp: &Stamp, others: Option<&AllNotes>) -> Result<(), RelocateError> {
        let differ = || RelocateError::Differs { table: "note_documents", key: "all notes".to_owned() };
        let mut same_notes = true;
        let mut released = || {
            numbers::count_on(&self.connection, stamp.event)?;
            let transaction = self.end.begin(&self.connection, Commit::Last)?;
            let same_change = note::change(&self.connection)? == stamp.change;
            if !same_change || !self.is_undisturbed()? {
                return Ok(false);
            }
            if let Some(others) = others {
                same_notes = notes::write(&self.connection, others)?;
                if !same_notes {
                    return Ok(false);
                }
            }
            note::remove(&self.connection)?;
            transaction.commit()?;
            Ok(true)
        };
        match released().map_err(|trouble| self.told(trouble))? {
            true => Ok(()),
            false if !same_notes => Err(differ()),
            false => Err(RelocateError::Disturbed { place: self.place.clone() }),
        }
    }

    /// Whether the note is the one that this process knows.
    fn is_undisturbed(&self) -> Result<bool, Trouble> {
        Ok(note::read(&self.connection)?.unwrap_or_default() == *self.state.borrow())
    }

    pub(super) fn told(&self, trouble: Trouble) -> RelocateError {
        self.end.tell(trouble).into()
    }
}

/// A table that holds more than a new store's does.
fn occupied(connection: &Connection) -> Result<Option<&'static str>, Trouble> {
    if note::change(connection)? != 0 {
        return Ok(Some("counters"));
    }
    for table in TABLES.iter().filter(|table| table.beginning == tables::Beginning::Empty) {
        let sql = format!("SELECT 1 FROM {} LIMIT 1", table.name);
        if connection.prepare(&sql)?.exists(params![])? {
            return Ok(Some(table.name));
        }
    }
    Ok(None)
}

/// Removes every row but those of the note and the counters at once, which no row by row deletion of a large store is.
fn truncate(connection: &Connection) -> Result<(), Trouble> {
    let others = |name: &str| !matches!(name, note::TABLE | "counters");
    for table in TABLES.iter().map(|table| table.name).filter(|name| others(name)) {
        let quote = if connection.dialect() == Dialect::Mysql { "`" } else { "\"" };
        connection.batch(&format!("TRUNCATE TABLE {quote}{table}{quote}"))?;
    }
    Ok(())
}

/// Removes every row but the note, and sets the counters back.
fn empty(connection: &Connection) -> Result<(), Trouble> {
    for table in TABLES.iter().rev() {
        match table.name {
            note::TABLE => note::remove_others(connection)?,
            "counters" => {
                let first = "name IN ('change', 'events_shipped', 'events_lost')";
                connection.execute(&format!("DELETE FROM counters WHERE NOT {first}"), params![])?;
                connection.execute(&format!("UPDATE counters SET value = 0 WHERE {first}"), params![])?;
            }
            name => {
                connection.execute(&format!("DELETE FROM {name}"), params![])?;
            }
        }
    }
    Ok(())
}

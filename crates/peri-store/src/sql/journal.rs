//! The journal: entries and turns, read in the order of their times.

use peri_types::{
    EntryId, Happening, JournalDirection, JournalEntry, JournalPosition, JournalStatus, Namespace, Scope,
    Timestamp, Turn, TurnId, folded_words,
};
use rusqlite::params;
use rusqlite::types::Value;

use super::apply::{Ledger, written};
use super::connection::{Connection, Row};
use super::trouble::Trouble;
use super::{ids, read, row};
use crate::{JournalPage, JournalQuery, JournalStats, NewMemory, Order, TurnPage, TurnQuery, Written};

/// So many rows are dropped together, so that nobody waits long for the writer.
const DROPPED_MAX: usize = 5000;

const ENTRY: &str =
    "SELECT id, at, created_at, session, actor, kind, direction, status, turn, text, body, gate,
    remembered, metadata FROM journal_entries";

const TURN: &str =
    "SELECT id, started_at, finished_at, session, input, plan, tool_calls, tool_results, output,
    output_text, status, error, metadata FROM journal_turns";

impl Ledger<'_> {
    /// Writes entries that are not there yet; those that are stay as they are.
    pub(super) fn append_entries(
        &mut self,
        entries: &[JournalEntry],
        at: Timestamp,
    ) -> Result<Written, Trouble> {
        let mut appended = 0;
        for entry in entries {
            let namespace = self.known_namespace(&entry.namespace)?;
            appended += self.append_entry(namespace, entry, at)? as u64;
        }
        if appended > 0 {
            self.count_change();
        }
        Ok(Written::Appended(appended))
    }

    fn append_entry(&self, namespace: i64, entry: &JournalEntry, at: Timestamp) -> Result<usize, Trouble> {
        self.connection
            .prepare_cached(
                "INSERT INTO journal_entries (namespace_id, id, at, created_at, session, actor, kind, direction, status,
                 turn, text, text_folded, body, gate, remembered, metadata, arrived_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
                 ON CONFLICT DO NOTHING",
            )?
            .execute(params![
                namespace,
                entry.id.as_bytes(),
                entry.at.as_millisecond(),
                entry.created_at.as_millisecond(),
                entry.session,
                entry.actor,
                entry.kind,
                entry.direction.map(JournalDirection::code),
                entry.status.map(JournalStatus::code),
                entry.turn.as_ref().map(TurnId::as_bytes),
                entry.text,
                entry.text.to_lowercase(),
                entry.body.as_ref().map(written).transpose()?,
                entry.gate.as_ref().map(written).transpose()?,
                entry.remember,
                if entry.metadata.is_empty() { None } else { Some(written(&entry.metadata)?) },
                at.as_millisecond(),
            ])
    }

    /// Stores a memory that is made of an entry, unless it is here, in the trash or outside, or another says the same.
    pub(super) fn derive(&mut self, mut new: NewMemory, at: Timestamp) -> Result<Written, Trouble> {
        let namespace = self.known_namespace(&new.memory.namespace)?;
        self.settle_id(namespace, &mut new.memory)?;
        if !self.insert_if_new(namespace, &mut new.memory, &new.embedding, new.links, Some(at))? {
            return Ok(Written::Derived(false));
        }
        let stored = Happening::Stored { id: new.memory.id, zone: new.memory.zone };
        self.tell(Some(&new.memory.namespace), at, &stored)?;
        Ok(Written::Derived(true))
    }

    /// Writes a turn as it is now, in the place of what was written of it before.
    pub(super) fn put_turn(&mut self, mut turn: Turn, at: Timestamp) -> Result<Written, Trouble> {
        let namespace = self.known_namespace(&turn.namespace)?;
        self.settle_turn(namespace, &mut turn)?;
        let list = |values: &[serde_json::Value]| {
            if values.is_empty() { Ok(None) } else { written(values).map(Some) }
        };
        self.connection
            .prepare_cached("DELETE FROM journal_turns WHERE namespace_id = ?1 AND id = ?2")?
            .execute(params![namespace, turn.id.as_bytes()])?;
        self.connection
            .prepare_cached(
                "INSERT INTO journal_turns (namespace_id, id, started_at, finished_at, session, input, plan, tool_calls,
                 tool_results, output, output_text, status, error, metadata, arrived_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
            )?
            .execute(params![
                namespace,
                turn.id.as_bytes(),
                turn.started_at.as_millisecond(),
                turn.finished_at.map(Timestamp::as_millisecond),
                turn.session,
                turn.input.as_ref().map(EntryId::as_bytes),
                turn.plan.as_ref().map(written).transpose()?,
                list(&turn.tool_calls)?,
                list(&turn.tool_results)?,
                turn.output.as_ref().map(EntryId::as_bytes),
                turn.output_text,
                turn.status.map(JournalStatus::code),
                turn.error,
                if turn.metadata.is_empty() { None } else { Some(written(&turn.metadata)?) },
                at.as_millisecond(),
            ])?;
        self.count_change();
        Ok(Written::Done)
    }

    /// Drops some of what happened before a time, the earliest first, and tells of it.
    pub(super) fn drop_journal(
        &mut self,
        scope: &Scope,
        before: Timestamp,
        at: Timestamp,
    ) -> Result<Written, Trouble> {
        let (mut all_entries, mut all_turns) = (0, 0);
        for (namespace, path) in read::namespace_numbers(self.connection, scope)? {
            let entries = self.drop_rows("journal_entries", "at", namespace, before)?;
            let turns = self.drop_rows("journal_turns", "started_at", namespace, before)?;
            if entries + turns > 0 {
                self.count_change();
                self.tell(Some(&path), at, &Happening::JournalDropped { entries, turns, before })?;
            }
            all_entries += entries;
            all_turns += turns;
        }
        Ok(Written::JournalDropped { entries: all_entries, turns: all_turns })
    }

    fn drop_rows(&self, table: &str, time: &str, namespace: i64, before: Timestamp) -> Result<u64, Trouble> {
        let sql = format!(
            "SELECT {time}, id FROM {table} WHERE namespace_id = ?1 AND {time} < ?2 AND arrived_at < ?2
             ORDER BY {time}, id LIMIT {DROPPED_MAX}"
        );
        let before = before.as_millisecond();
        let mut select = self.connection.prepare_cached(&sql)?;
        let read = |row: Row<'_>| Ok((row.get::<i64>(0)?, row.get::<[u8; 16]>(1)?));
        let old = select.query_all(params![namespace, before], read)?;
        drop(select);
        let Some((at, id)) = old.last() else { return Ok(0) };
        let sql = format!(
            "DELETE FROM {table} WHERE namespace_id = ?1 AND arrived_at < ?4
             AND ({time} < ?2 OR ({time} = ?2 AND id <= ?3))"
        );
        Ok(self.connection.prepare_cached(&sql)?.execute(params![namespace, at, id, before])? as u64)
    }
}

/// Entries of a scope, in order.
pub(super) fn entries(connection: &Connection, query: &JournalQuery) -> Result<JournalPage, Trouble> {
    let mut found = Vec::new();
    for (number, path) in read::namespace_numbers(connection, &query.scope)? {
        let mut conditions = Conditions::of(number, "at", query.order, query.after);
        conditions.add_times(query.since, query.until);
        conditions.add_arrival(query.arrived_before);
        conditions.add_text("session", query.session.as_deref());
        conditions.add_text("actor", query.actor.as_deref());
        conditions.add_text("kind", query.kind.as_deref());
        conditions.add_status(query.status);
        if let Some(turn) = query.turn {
            conditions.add("turn = ?", Value::from(turn.as_bytes().to_vec()));
        }
        if query.remembered_only {
            conditions.add("remembered = ?", Value::from(1));
        }
        for word in query.text.as_deref().map(folded_words).unwrap_or_default() {
            conditions.add("text_folded LIKE ? ESCAPE '!'", Value::from(pattern(&word)));
        }
        found.extend(conditions.read(connection, ENTRY, query.limit, |row| entry(row, &path))?);
    }
    let next = cut(&mut found, query.order, query.limit, JournalEntry::position);
    Ok(JournalPage { entries: found, next })
}

/// The entries with these ids that lie in the scope, in the order asked for.
pub(super) fn entries_of(
    connection: &Connection,
    scope: &Scope,
    wanted: &[EntryId],
) -> Result<Vec<JournalEntry>, Trouble> {
    let namespaces = read::namespace_numbers(connection, scope)?;
    let mut found = Vec::with_capacity(wanted.len());
    for id in wanted {
        let mut holders = Vec::new();
        for (number, path) in &namespaces {
            let sql = format!("{ENTRY} WHERE namespace_id = ?1 AND id = ?2");
            let mut statement = connection.prepare_cached(&sql)?;
            let mut rows = statement.query(params![number, id.as_bytes()])?;
            if let Some(row) = rows.next()? {
                holders.push((path.clone(), entry(row, path)?));
            }
        }
        found.extend(ids::only(id, holders)?);
    }
    Ok(found)
}

/// One turn, if it lies in the scope.
pub(super) fn turn_of(connection: &Connection, scope: &Scope, id: TurnId) -> Result<Option<Turn>, Trouble> {
    let mut holders = Vec::new();
    for (number, path) in read::namespace_numbers(connection, scope)? {
        let sql = format!("{TURN} WHERE namespace_id = ?1 AND id = ?2");
        let mut statement = connection.prepare_cached(&sql)?;
        let mut rows = statement.query(params![number, id.as_bytes()])?;
        if let Some(row) = rows.next()? {
            holders.push((path.clone(), turn(row, &path)?));
        }
    }
    if holders.is_empty()
        && let Some(known) = ids::known_turn(connection, scope, id)?
    {
        return turn_of(connection, scope, known);
    }
    ids::only(id, holders)
}

/// Turns of a scope, in order.
pub(super) fn turns(connection: &Connection, query: &TurnQuery) -> Result<TurnPage, Trouble> {
    let mut found = Vec::new();
    for (number, path) in read::namespace_numbers(connection, &query.scope)? {
        let mut conditions = Conditions::of(number, "started_at", query.order, query.after);
        conditions.add_times(query.since, query.until);
        conditions.add_arrival(query.arrived_before);
        conditions.add_text("session", query.session.as_deref());
        conditions.add_status(query.status);
        found.extend(conditions.read(connection, TURN, query.limit, |row| turn(row, &path))?);
    }
    let next = cut(&mut found, query.order, query.limit, Turn::position);
    Ok(TurnPage { turns: found, next })
}

/// What the journal of each namespace of a scope holds; those without one are left out.
pub(super) fn stats(connection: &Connection, scope: &Scope) -> Result<Vec<JournalStats>, Trouble> {
    let _moment = super::connection::moment(connection)?;
    let mut all = Vec::new();
    for (number, namespace) in read::namespace_numbers(connection, scope)? {
        let stats = namespace_stats(connection, number, namespace)?;
        if stats.entries + stats.turns > 0 {
            all.push(stats);
        }
    }
    Ok(all)
}

fn namespace_stats(
    connection: &Connection,
    number: i64,
    namespace: Namespace,
) -> Result<JournalStats, Trouble> {
    let sql = "SELECT kind, count(*), min(at), max(at) FROM journal_entries WHERE namespace_id = ?1
        GROUP BY kind ORDER BY kind";
    let mut statement = connection.prepare_cached(sql)?;
    let read = |row: Row<'_>| {
        let times = (row::time(row.get(2)?)?, row::time(row.get(3)?)?);
        Ok((row.get::<String>(0)?, row.get::<u64>(1)?, times))
    };
    let kinds = statement.query_all([number], read)?;
    let sql = "SELECT count(*), count(finished_at) FROM journal_turns WHERE namespace_id = ?1";
    let read = |row: Row<'_>| Ok((row.get::<u64>(0)?, row.get::<u64>(1)?));
    let (turns, finished) = connection.prepare_cached(sql)?.query_row([number], read)?;
    Ok(JournalStats {
        namespace,
        entries: kinds.iter().map(|(_, count, _)| count).sum(),
        oldest_at: kinds.iter().map(|(_, _, (oldest, _))| *oldest).min(),
        newest_at: kinds.iter().map(|(_, _, (_, newest))| *newest).max(),
        kinds: kinds.into_iter().map(|(kind, count, _)| (kind, count)).collect(),
        turns,
        turns_open: turns - finished,
    })
}

/// A WHERE clause on one of the journal's tables as it grows.
struct Conditions {
    time: &'static str,
    order: Order,
    sql: Vec<String>,
    values: Vec<Value>,
}

impl Conditions {
    fn of(namespace: i64, time: &'static str, order: Order, after: Option<JournalPosition>) -> Self {
        let mut conditions = Self { time, order, sql: Vec::new(), values: Vec::new() };
        conditions.add("namespace_id = ?", Value::from(namespace));
        if let Some(JournalPosition { at, id }) = after {
            let beyond = if order == Order::NewestFirst { "<" } else { ">" };
            let at = at.as_millisecond();
            conditions.add(&format!("{time} {beyond}= ?"), Value::from(at));
            conditions.sql.push(format!("({time} {beyond} ? OR id {beyond} ?)"));
            conditions.values.extend([Value::from(at), Value::from(id.to_vec())]);
        }
        conditions
    }

    fn add(&mut self, sql: &str, value: Value) {
        self.sql.push(sql.to_owned());
        self.values.push(value);
    }

    fn add_times(&mut self, since: Option<Timestamp>, until: Option<Timestamp>) {
        // Times are kept in whole milliseconds; the first one that a bound lets through is rounded up to.
        let filter = peri_types::Filter { since, until, ..peri_types::Filter::default() };
        if let Some(since) = filter.since_millis() {
            self.add(&format!("{} >= ?", self.time), Value::from(since));
        }
        if let Some(until) = filter.until_millis() {
            self.add(&format!("{} < ?", self.time), Value::from(until));
        }
    }

    fn add_arrival(&mut self, before: Option<Timestamp>) {
        if let Some(before) = before {
            self.add("arrived_at < ?", Value::from(before.as_millisecond()));
        }
    }

    fn add_text(&mut self, column: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.add(&format!("{column} = ?"), Value::from(text.to_owned()));
        }
    }

    fn add_status(&mut self, status: Option<JournalStatus>) {
        if let Some(status) = status {
            self.add("status = ?", Value::from(i64::from(status.code())));
        }
    }

    /// Reads one row more than asked for, which tells whether there is another page.
    fn read<T>(
        self,
        connection: &Connection,
        select: &str,
        limit: usize,
        read: impl FnMut(Row<'_>) -> Result<T, Trouble>,
    ) -> Result<Vec<T>, Trouble> {
        let direction = if self.order == Order::NewestFirst { "DESC" } else { "ASC" };
        let sql = format!(
            "{select} WHERE {} ORDER BY {} {direction}, id {direction} LIMIT {}",
            self.sql.join(" AND "),
            self.time,
            limit.saturating_add(1)
        );
        connection.prepare(&sql)?.query_all(self.values, read)
    }
}

/// Brings what was read of several namespaces into one order and cuts it to the limit. Where it goes on is the answer.
fn cut<T>(
    found: &mut Vec<T>,
    order: Order,
    limit: usize,
    position: fn(&T) -> JournalPosition,
) -> Option<JournalPosition> {
    found.sort_by(|a, b| match order {
        Order::NewestFirst => position(b).cmp(&position(a)),
        Order::OldestFirst => position(a).cmp(&position(b)),
    });
    let more = found.len() > limit;
    found.truncate(limit);
    if more { found.last().map(position) } else { None }
}

/// What LIKE looks for: the word anywhere, its own signs taken as they are.
fn pattern(word: &str) -> String {
    let mut pattern = String::with_capacity(word.len() + 2);
    pattern.push('%');
    for sign in word.chars() {
        if matches!(sign, '%' | '_' | '!') {
            pattern.push('!');
        }
        pattern.push(sign);
    }
    pattern.push('%');
    pattern
}

fn entry(row: Row<'_>, namespace: &Namespace) -> Result<JournalEntry, Trouble> {
    let direction = row.get::<Option<u8>>(6)?.map(direction).transpose()?;
    Ok(JournalEntry {
        id: EntryId::from_bytes(row.get(0)?),
        namespace: namespace.clone(),
        at: row::time(row.get(1)?)?,
        created_at: row::time(row.get(2)?)?,
        session: row.get(3)?,
        actor: row.get(4)?,
        kind: row.get(5)?,
        direction,
        status: status(row.get(7)?)?,
        turn: row.get::<Option<[u8; 16]>>(8)?.map(TurnId::from_bytes),
        text: row.get(9)?,
        body: row::json(row.get(10)?)?,
        gate: row::json(row.get(11)?)?,
        remember: row.get(12)?,
        metadata: row::json(row.get(13)?)?,
    })
}

fn turn(row: Row<'_>, namespace: &Namespace) -> Result<Turn, Trouble> {
    Ok(Turn {
        id: TurnId::from_bytes(row.get(0)?),
        namespace: namespace.clone(),
        started_at: row::time(row.get(1)?)?,
        finished_at: row::optional_time(row.get(2)?)?,
        session: row.get(3)?,
        input: row.get::<Option<[u8; 16]>>(4)?.map(EntryId::from_bytes),
        plan: row::json(row.get(5)?)?,
        tool_calls: row::json(row.get(6)?)?,
        tool_results: row::json(row.get(7)?)?,
        output: row.get::<Option<[u8; 16]>>(8)?.map(EntryId::from_bytes),
        output_text: row.get(9)?,
        status: status(row.get(10)?)?,
        error: row.get(11)?,
        metadata: row::json(row.get(12)?)?,
    })
}

fn status(code: Option<u8>) -> Result<Option<JournalStatus>, Trouble> {
    let known = |code| JournalStatus::from_code(code).ok_or_else(|| row::malformed("unknown status"));
    code.map(known).transpose()
}

fn direction(code: u8) -> Result<JournalDirection, Trouble> {
    JournalDirection::from_code(code).ok_or_else(|| row::malformed("unknown direction"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_that_mean_something_to_like_are_taken_as_they_are() {
        for (word, expected) in [("deploy", "%deploy%"), ("100%_!", "%100!%!_!!%"), ("部署", "%部署%")] {
            assert_eq!(pattern(word), expected);
        }
    }
}

//! `peri session list`: which conversations there are.

use std::collections::{BTreeMap, BTreeSet};

use perihelion::{JournalQuery, MemoryId, Namespace, Perihelion, Scope, Session, SessionOverview, Timestamp};
use serde::Serialize;
use serde_json::json;

use super::in_numbers;
use crate::app::{App, Session as Opened};
use crate::error::CliError;
use crate::output::{FAINT, Output};
use crate::{cli, time};

/// Which sessions.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// At most so many
    #[arg(long, short, default_value = "20", value_parser = cli::at_least_one)]
    limit: usize,
}

/// How a session stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    /// It was begun and not ended.
    Open,
    /// It was begun and ended.
    Ended,
    /// Nobody began it, but something was heard of it.
    Heard,
}

/// A session as it is listed.
#[derive(Debug, Serialize)]
struct Row {
    namespace: Namespace,
    name: String,
    state: State,
    #[serde(skip_serializing_if = "Option::is_none")]
    started_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<MemoryId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    active_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    noted: Option<SessionOverview>,
}

pub(super) fn run(args: &Args, opened: &Opened, app: &mut App) -> Result<(), CliError> {
    let scope = app.scope_or(Scope::Exact(opened.config.namespace.clone()))?;
    opened.config.limits.check_results(args.limit).map_err(perihelion::Error::from)?;
    let mut rows = rows(&opened.engine, &scope, opened.config.limits.results_max)?;
    rows.truncate(args.limit);
    let out = &mut app.out;
    if out.json {
        return out.document(&json!({ "sessions": rows }));
    }
    if rows.is_empty() {
        let hint = "`peri session start NAME` begins one, `peri hear` hears one";
        return out.note(&format!("no sessions in {scope}; {hint}"));
    }
    let several = !matches!(scope, Scope::Exact(_));
    rows.iter().try_for_each(|row| tell(row, several, out))
}

/// All sessions of a scope, the one with the latest activity first.
fn rows(engine: &Perihelion, scope: &Scope, results_max: usize) -> Result<Vec<Row>, CliError> {
    let mut rows = BTreeMap::new();
    let mut namespaces: BTreeSet<Namespace> = match scope {
        Scope::Exact(namespace) => [namespace.clone()].into(),
        Scope::Under(_) | Scope::All => {
            engine.namespaces(scope)?.into_iter().chain(engine.note_namespaces(scope)?).collect()
        }
    };
    for session in engine.sessions(scope, results_max)? {
        namespaces.insert(session.namespace.clone());
        let row = Row::begun(session);
        rows.insert((row.namespace.clone(), row.name.clone()), row);
    }
    for namespace in namespaces {
        for noted in engine.note_sessions(&namespace)? {
            let heard_at = match noted.pending {
                0 => None,
                _ => last_heard(engine, &namespace, &noted.session)?,
            };
            let key = (namespace.clone(), noted.session.clone());
            let row = rows.entry(key).or_insert_with(|| Row::heard(&namespace, &noted.session));
            row.active_at = row.active_at.max(noted.observed_at).max(heard_at);
            row.noted = Some(noted);
        }
    }
    let mut rows: Vec<Row> = rows.into_values().collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.active_at));
    Ok(rows)
}

/// When something was last said in a session, if the journal knows.
fn last_heard(
    engine: &Perihelion,
    namespace: &Namespace,
    session: &str,
) -> Result<Option<Timestamp>, CliError> {
    let query = JournalQuery {
        scope: Scope::Exact(namespace.clone()),
        session: Some(session.to_owned()),
        limit: 1,
        ..JournalQuery::default()
    };
    Ok(engine.journal(&query)?.entries.first().map(|entry| entry.at))
}

impl Row {
    fn begun(session: Session) -> Self {
        let Session { namespace, name, started_at, ended_at, summary } = session;
        Self {
            namespace,
            name,
            state: if ended_at.is_some() { State::Ended } else { State::Open },
            started_at: Some(started_at),
            ended_at,
            summary,
            active_at: Some(started_at).max(ended_at),
            noted: None,
        }
    }

    fn heard(namespace: &Namespace, name: &str) -> Self {
        Self {
            namespace: namespace.clone(),
            name: name.to_owned(),
            state: State::Heard,
            started_at: None,
            ended_at: None,
            summary: None,
            active_at: None,
            noted: None,
        }
    }
}

fn tell(row: &Row, several: bool, out: &mut Output) -> Result<(), CliError> {
    let state = match row.state {
        State::Open => "open ",
        State::Ended => "ended",
        State::Heard => "heard",
    };
    let at = row.active_at.map_or_else(|| " ".repeat(19), time::date_time);
    let place = if several { format!("  {}", row.namespace) } else { String::new() };
    let mut line = format!("{}  {state}{place}  {}", out.paint(FAINT, &at), out.clean(&row.name));
    if let Some(noted) = &row.noted {
        line.push_str(&out.paint(FAINT, &format!("  {}", in_numbers(noted))));
    }
    out.line(&line)?;
    let troubles = row.noted.iter().flat_map(|noted| &noted.troubles);
    troubles.into_iter().try_for_each(|trouble| out.indented(trouble))
}

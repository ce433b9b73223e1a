//! Optimize: indexes are compacted and saved, the database's log is moved into it, and slow recalls are explained.

use perihelion::{Event, Happening, Namespace, NewAlert, Recall, Scope, Severity};
use serde_json::json;

use super::memories::begin;
use super::recalls::logged;
use crate::job::{Findings, Job, Trouble};

/// So many recalls are looked at.
const RECALLS: usize = 1000;

/// A recall is slow that takes so many times as long as most...
const SLOWER: f64 = 10.0;

/// ...and longer than people notice.
const NOTICED_MICROS: u64 = 50_000;

/// So many are asked again to find out why.
const EXPLAINED: usize = 5;

/// A database of which so much is empty...
const EMPTY_SHARE: f64 = 0.5;

/// ...and is not small is told of.
const EMPTY_BYTES: u64 = 64 * 1024 * 1024;

pub(crate) fn run(job: &Job<'_>) -> Result<Findings, Trouble> {
    let (indexes, database) = job.engine.upkeep(job.scope, job.go_on)?;
    job.check()?;
    let (recalls, through) = recalls(job)?;
    let slow = slowest(&recalls);
    let mut findings = Findings::new(format!(
        "{indexes} indexes looked after, {} of {} bytes of the log moved, {} slow recalls of {}",
        database.log_bytes.0.saturating_sub(database.log_bytes.1),
        database.log_bytes.0,
        slow.len(),
        recalls.len()
    ))
    .figure("indexes", indexes)
    .figure("database_bytes", database.database_bytes)
    .figure("free_bytes", database.free_bytes)
    .figure("log_bytes", database.log_bytes.1)
    .figure("recalls", recalls.len())
    .figure("slow_recalls", slow.len())
    .figure("median_micros", json!(median(&recalls)));
    for one in slow.iter().take(EXPLAINED) {
        job.breathe()?;
        findings.alerts.push(explained(job, one, median(&recalls))?);
    }
    let empty = database.free_bytes as f64 / database.database_bytes.max(1) as f64;
    if empty > EMPTY_SHARE && database.free_bytes > EMPTY_BYTES {
        findings.alerts.push(NewAlert {
            mark: "empty".to_owned(),
            namespace: None,
            severity: Severity::Info,
            message: format!(
                "{:.0} % of the database file is empty and will be used again; an export into a new folder makes it small",
                empty * 100.0
            ),
            ids: Vec::new(),
            file: None,
        });
    }
    findings.state = json!({ "through": through });
    Ok(findings)
}

/// A recall that was measured.
struct Asked {
    namespace: Option<Namespace>,
    query: String,
    micros: u64,
    results: usize,
}

/// The recalls that were told of since the last run, and up to which event that is.
fn recalls(job: &Job<'_>) -> Result<(Vec<Asked>, u64), Trouble> {
    let after = job.left_behind().get("through").and_then(serde_json::Value::as_u64);
    let (events, through) = logged(job, after, RECALLS)?;
    let asked = |event: Event| match event.what {
        Happening::Recalled { query, ids, micros: Some(micros) } => {
            Some(Asked { namespace: event.namespace, query, micros, results: ids.len() })
        }
        _ => None,
    };
    Ok((events.into_iter().filter_map(asked).collect(), through))
}

fn median(recalls: &[Asked]) -> Option<u64> {
    let mut micros: Vec<u64> = recalls.iter().map(|one| one.micros).collect();
    micros.sort_unstable();
    micros.get(micros.len() / 2).copied()
}

fn slowest(recalls: &[Asked]) -> Vec<&Asked> {
    let usual = median(recalls).unwrap_or(0) as f64;
    let is_slow = |one: &&Asked| one.micros >= NOTICED_MICROS && one.micros as f64 > usual * SLOWER;
    let mut slow: Vec<&Asked> = recalls.iter().filter(is_slow).collect();
    slow.sort_by_key(|one| std::cmp::Reverse(one.micros));
    slow
}

/// Asks again, without counting it as a use, and says what the difference is.
fn explained(job: &Job<'_>, one: &Asked, usual: Option<u64>) -> Result<NewAlert, Trouble> {
    let mut recall = Recall::new(&one.query).limit(one.results.max(1));
    recall.scopes.extend(one.namespace.clone().map(Scope::Exact));
    let again = job.engine.search(&recall)?;
    let micros = u64::try_from(again.took.0.as_micros()).unwrap_or(u64::MAX);
    let why = if micros * 4 < one.micros {
        "its index was not in memory then, or the machine was busy".to_owned()
    } else if again.namespaces.len() > 8 {
        format!("it asks {} namespaces, one after another", again.namespaces.len())
    } else {
        let words = one.query.split_whitespace().count();
        format!(
            "it weighs {} memories for {words} words; a namespace or a filter would make it faster",
            again.considered
        )
    };
    let digest = blake3::hash(one.query.as_bytes()).to_hex();
    let millis = |micros: u64| micros as f64 / 1000.0;
    Ok(NewAlert {
        mark: format!("slow.{}", &digest[..16]),
        namespace: one.namespace.clone(),
        severity: Severity::Info,
        message: format!(
            "“{}” took {:.0} ms where most take {:.1}, and {:.1} when asked again: {why}",
            begin(&one.query),
            millis(one.micros),
            millis(usual.unwrap_or(0)),
            millis(micros)
        ),
        ids: Vec::new(),
        file: None,
    })
}

//! `peri health`: whether everything works, for people and for scripts that watch.

use std::path::PathBuf;

use perihelion::{Health, JournalHealth, Perihelion, QueueHealth, SchedulerHealth, ZoneUse};
use serde::Serialize;

use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{BAD, CAUTION, GOOD, Output, grouped};
use crate::time;

/// Takes only the global arguments.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exits with 6 when there is a problem; warnings alone exit with 0.\n\nExample:\n  peri health --json | jq .problems"
)]
pub(crate) struct Args {}

/// The answer as JSON, the same whether or not the folder could be opened.
#[derive(Serialize)]
struct Document<'a> {
    folder: PathBuf,
    #[serde(flatten)]
    health: &'a Health,
}

/// Runs the command. A configuration that cannot be used, or a folder that cannot be opened, is a problem like
/// any other.
pub(crate) fn run(_: Args, app: &mut App) -> Result<Exit, CliError> {
    let folder = app.home()?.folder;
    let loaded = app.config();
    let is_looked_at = loaded.is_ok();
    let opened = loaded.and_then(|loaded| Ok(Perihelion::open(loaded.config.options(&folder))?));
    let (health, engine) = match opened {
        Ok(engine) => (with_workers(engine.health(), &engine), Some(engine)),
        Err(error) => (unreachable(&error), None),
    };
    if app.out.json {
        let mut document = serde_json::to_value(Document { folder, health: &health })
            .map_err(|source| CliError::Output(source.into()))?;
        if !is_looked_at {
            document["store_reachable"] = serde_json::Value::Null;
        }
        app.out.document(&document)?;
    } else if app.out.is_quiet() {
        tell_verdict(&health, &mut app.out)?;
    } else {
        tell_verdict(&health, &mut app.out)?;
        app.out.field("folder", &folder.display().to_string())?;
        tell(&health, is_looked_at, &mut app.out)?;
    }
    app.out.flush()?;
    if let Some(Err(error)) = engine.map(Perihelion::close) {
        app.out.warning(&format!("closing left chores undone, the memories are safe: {error}"))?;
    }
    Ok(if health.healthy { Exit::Done } else { Exit::Unavailable })
}

/// Workers whose last run failed are a warning; that it cannot be told is no news, since the store then says so itself.
fn with_workers(mut health: Health, engine: &Perihelion) -> Health {
    let failing = super::workers::failing(engine).unwrap_or_default();
    let told = failing
        .iter()
        .map(|run| format!("the last run of worker {} {}: {}", run.worker, ended(&run.status), run.summary));
    health.warnings.extend(told);
    health
}

fn ended(status: &str) -> &'static str {
    if status == "timed_out" { "took too long" } else { "failed" }
}

/// What is known when nothing could be opened.
fn unreachable(error: &CliError) -> Health {
    let mut problem = std::iter::once(error.to_string()).chain(error.causes()).collect::<Vec<_>>().join(": ");
    if let Some(hint) = error.hint() {
        problem = format!("{problem} ({hint})");
    }
    Health {
        healthy: false,
        store_reachable: false,
        read_only: false,
        encrypted: false,
        scheduler: SchedulerHealth::default(),
        memories: 0,
        trashed: 0,
        edges: 0,
        zones: Vec::new(),
        queue: QueueHealth::default(),
        journal: JournalHealth::default(),
        index_lag: 0,
        unembedded: 0,
        clock: None,
        fading: Vec::new(),
        disk_free_bytes: None,
        warnings: Vec::new(),
        problems: vec![problem],
    }
}

fn tell_verdict(health: &Health, out: &mut Output) -> Result<(), CliError> {
    let verdict = if health.healthy { out.paint(GOOD, "healthy") } else { out.paint(BAD, "unhealthy") };
    out.line(&verdict)
}

fn tell(health: &Health, is_looked_at: bool, out: &mut Output) -> Result<(), CliError> {
    if health.store_reachable {
        tell_parts(health, out)?;
    } else if is_looked_at {
        out.field("store", "cannot be reached")?;
    } else {
        out.field("store", "not looked at, since the configuration cannot be used")?;
    }
    if let Some(free) = health.disk_free_bytes {
        out.field("disk free", &indicatif::HumanBytes(free).to_string())?;
    }
    for (style, word, lines) in [(CAUTION, "warning", &health.warnings), (BAD, "problem", &health.problems)] {
        for line in lines {
            let line = format!("{} {}", out.paint(style, &format!("{word:<14}")), out.clean(line));
            out.line(&line)?;
        }
    }
    Ok(())
}

fn tell_parts(health: &Health, out: &mut Output) -> Result<(), CliError> {
    let SchedulerHealth { running, settled_at } = &health.scheduler;
    out.field(
        "store",
        if health.read_only { "can be read, not written" } else { "can be read and written" },
    )?;
    out.field("encrypted", if health.encrypted { "yes" } else { "no" })?;
    out.field("chores", if *running { "a process is doing them" } else { "no process is doing them" })?;
    let settled = settled_at.map(time::date_time);
    out.field("orbits as of", settled.as_deref().unwrap_or("not settled yet"))?;
    out.field(
        "memories",
        &format!("{}, {} in the trash", grouped(health.memories), grouped(health.trashed)),
    )?;
    out.field("edges", &grouped(health.edges))?;
    for zone in &health.zones {
        let name = zone.zone.to_string();
        out.field(&name, &zone_words(zone))?;
    }
    let QueueHealth { events, events_lost, unlinked, writes, oldest_write_at, dead_writes, .. } =
        health.queue;
    out.field(
        "waiting",
        &format!(
            "{} for the audit log, {} for a vector, {} for their links",
            grouped(events),
            grouped(health.unembedded),
            grouped(unlinked)
        ),
    )?;
    if events_lost > 0 {
        out.field("events lost", &grouped(events_lost))?;
    }
    if writes + dead_writes > 0 {
        let since = oldest_write_at.map(|at| format!(" since {}", time::date_time(at))).unwrap_or_default();
        out.field(
            "queue",
            &format!("{} waiting{since}, {} given up", grouped(writes), grouped(dead_writes)),
        )?;
    }
    out.field("index lag", &grouped(health.index_lag))
}

/// How full a zone is. Its capacity is that of each namespace, so where there are several the fullest counts.
fn zone_words(zone: &ZoneUse) -> String {
    let ZoneUse { memories, capacity, percent, .. } = zone;
    match (capacity, percent) {
        (Some(capacity), Some(percent)) if memories * 100 / (*capacity).max(1) == *percent => {
            format!("{memories}/{capacity} ({percent} %)")
        }
        (Some(capacity), Some(percent)) => {
            format!("{} ({percent} % of {capacity} in the fullest namespace)", grouped(*memories))
        }
        _ => grouped(*memories),
    }
}

#[cfg(test)]
mod tests {
    use perihelion::Zone;

    use super::*;

    #[test]
    fn a_zone_tells_how_full_it_is() {
        let told = |memories, capacity, percent| {
            zone_words(&ZoneUse { zone: Zone::Core, memories, capacity, percent })
        };
        assert_eq!(told(15, Some(20), Some(75)), "15/20 (75 %)");
        assert_eq!(told(30, Some(20), Some(75)), "30 (75 % of 20 in the fullest namespace)");
        assert_eq!(told(1204, None, None), "1,204");
    }
}

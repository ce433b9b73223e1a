//! `peri history`: how a memory came to be what it is.

use perihelion::{History, Memory, Merge, Scope};

use crate::app::App;
use crate::brief::Briefs;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{FAINT, Output, STRONG};
use crate::{ids, time};

/// Which memory.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  peri history 0198c5b2-7d3e")]
pub(crate) struct Args {
    /// The id, or its beginning: 8 digits or more, until it is the only one
    id: String,
}

/// Runs the command.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let scope = app.scope_or(Scope::All)?;
    let session = app.open()?;
    let engine = &session.engine;
    let id = ids::resolve(engine, &scope, &args.id)?;
    let history = engine.history(&scope, id)?;
    if app.out.json {
        app.out.document(&history)?;
    } else {
        let others = history.replaced_by.iter().chain(&history.replaces).map(|memory| memory.id);
        let merged = history.merges.iter().flat_map(|merge| [merge.absorbed, merge.survivor]);
        let own = Scope::Exact(history.memory.namespace.clone());
        let briefs = Briefs::of(engine, &own, others.chain(merged).chain([id]))?;
        tell(&history, &briefs, &mut app.out)?;
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

fn tell(history: &History, briefs: &Briefs, out: &mut Output) -> Result<(), CliError> {
    let memory = &history.memory;
    out.field("id", &memory.id.to_string())?;
    for version in &history.versions {
        let times = format!("{} to {}", time::date_time(version.since), time::date_time(version.until));
        out.field(&format!("version {}", version.version), &times)?;
        out.indented(&version.content)?;
    }
    let since = if memory.version > 1 { memory.updated_at } else { memory.created_at };
    out.field(&format!("version {}", memory.version), &format!("since {}", time::date_time(since)))?;
    out.indented(&memory.content)?;
    let (mut into, mut others) = (Vec::new(), Vec::new());
    for merge in &history.merges {
        if merge.absorbed == memory.id { into.push(merge) } else { others.push(merge) }
    }
    let merged = |id| into.iter().any(|merge| merge.survivor == id);
    let replaced: Vec<&Memory> = history.replaced_by.iter().filter(|newer| !merged(newer.id)).collect();
    // What was promoted says the same and holds since the same time: nothing took its place at a time of its own.
    let (promoted, newer): (Vec<&Memory>, Vec<&Memory>) =
        replaced.iter().copied().partition(|newer| memory.facets.promoted_to == Some(newer.id));
    for newer in promoted {
        tell_one("promoted to", newer.layer.as_str(), &briefs.mention(newer.id, out), out)?;
    }
    tell_chain("replaced by", &newer, briefs, out)?;
    let (sources, older): (Vec<&Memory>, Vec<&Memory>) =
        history.replaces.iter().partition(|older| older.facets.promoted_to == Some(memory.id));
    for source in sources {
        tell_one("promoted from", source.layer.as_str(), &briefs.mention(source.id, out), out)?;
    }
    tell_chain("replaces", &older, briefs, out)?;
    tell_merges("merged into", &into, |merge| merge.survivor, briefs, out)?;
    tell_merges("says the same", &others, |merge| merge.absorbed, briefs, out)?;
    match (into.first(), others.first()) {
        (Some(merge), _) | (None, Some(merge)) => {
            out.hint(&format!("`peri split {}` undoes the merge", briefs.id(merge.absorbed)))
        }
        (None, None) if history.versions.is_empty() && replaced.is_empty() && history.replaces.is_empty() => {
            out.note("it was never revised, replaced or merged")
        }
        (None, None) => Ok(()),
    }
}

fn tell_chain(label: &str, chain: &[&Memory], briefs: &Briefs, out: &mut Output) -> Result<(), CliError> {
    for memory in chain {
        let since = format!("since {}", time::date_time(memory.valid_from()));
        tell_one(label, &since, &briefs.mention(memory.id, out), out)?;
    }
    Ok(())
}

fn tell_merges(
    label: &str,
    merges: &[&Merge],
    other: impl Fn(&Merge) -> perihelion::MemoryId,
    briefs: &Briefs,
    out: &mut Output,
) -> Result<(), CliError> {
    for merge in merges {
        let at = format!("merged {}", time::date_time(merge.at));
        tell_one(label, &at, &briefs.mention(other(merge), out), out)?;
    }
    Ok(())
}

fn tell_one(label: &str, when: &str, mention: &str, out: &mut Output) -> Result<(), CliError> {
    let line = format!("{} {}", out.paint(STRONG, &format!("{label:<14}")), out.paint(FAINT, when));
    out.line(&line)?;
    out.line(&format!("    {mention}"))
}

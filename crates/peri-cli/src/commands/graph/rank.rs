//! `peri graph rank`: the most central memories.

use perihelion::{PageRankSettings, Scope};
use serde_json::json;

use crate::app::{App, Session};
use crate::brief::Briefs;
use crate::cli;
use crate::error::CliError;
use crate::output::ACCENT;

/// How many.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  peri graph rank --limit 5")]
pub(super) struct Args {
    /// At most so many
    #[arg(long, short, default_value = "20", value_parser = cli::at_least_one)]
    limit: usize,
}

pub(super) fn run(args: &Args, session: &Session, app: &mut App) -> Result<(), CliError> {
    let namespace = app.one_namespace(&session.config)?;
    let engine = &session.engine;
    engine.options().limits.check_results(args.limit).map_err(perihelion::Error::from)?;
    let mut ranks = engine.pagerank(&namespace, &PageRankSettings::default())?;
    ranks.truncate(args.limit);
    let own = Scope::Exact(namespace.clone());
    let briefs = Briefs::of(engine, &own, ranks.iter().map(|(id, _)| *id))?;
    let out = &mut app.out;
    if out.json {
        let row = |(id, rank)| json!({ "id": id, "rank": rank, "memory": briefs.memory(id) });
        let ranks: Vec<_> = ranks.into_iter().map(row).collect();
        return out.document(&json!({ "namespace": namespace, "ranks": ranks }));
    }
    if ranks.is_empty() {
        return out.note(&format!("no memories of {namespace} are linked"));
    }
    for (id, rank) in ranks {
        let line = format!("{}  {}", out.paint(ACCENT, &format!("{rank:.4}")), briefs.mention(id, out));
        out.line(&line)?;
    }
    Ok(())
}

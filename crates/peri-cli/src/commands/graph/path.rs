//! `peri graph path`: how two memories are connected.

use perihelion::{Scope, StoreError};
use serde_json::json;

use super::type_words;
use crate::app::{App, Session};
use crate::brief::Briefs;
use crate::error::CliError;
use crate::ids;

/// Between which.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  peri graph path 0198c5b2-7d3e 0198c5b2-8a11")]
pub(super) struct Args {
    /// The id of one, or its beginning: 8 digits or more, until it is the only one
    from: String,
    /// The id of the other
    to: String,
}

pub(super) fn run(args: &Args, session: &Session, app: &mut App) -> Result<(), CliError> {
    let scope = app.scope_or(Scope::All)?;
    let engine = &session.engine;
    let from = engine.get(&scope, ids::resolve(engine, &scope, &args.from)?)?;
    let to = engine.get(&scope, ids::resolve(engine, &scope, &args.to)?)?;
    if from.namespace != to.namespace {
        return Err(CliError::input(
            format!("one is in {}, the other in {}", from.namespace, to.namespace),
            "edges never leave their namespace",
        ));
    }
    if let Some(gone) = [&from, &to].into_iter().find(|memory| memory.trashed_at.is_some()) {
        return Err(perihelion::Error::Store(StoreError::NotFound { id: gone.id }).into());
    }
    let path = engine.path(&from.namespace, from.id, to.id)?;
    let own = Scope::Exact(from.namespace.clone());
    let out = &mut app.out;
    let Some(path) = path else {
        if out.json {
            return out.document(&json!({ "path": null, "memories": [] }));
        }
        return out.note("no edges lead from one to the other");
    };
    let briefs = Briefs::of(engine, &own, path.nodes.iter().copied())?;
    if out.json {
        let memories: Vec<_> = path.nodes.iter().map(|id| briefs.memory(*id)).collect();
        return out.document(&json!({ "path": path, "memories": memories }));
    }
    for (at, id) in path.nodes.iter().enumerate() {
        if let Some(link) = at.checked_sub(1).and_then(|before| path.links.get(before)) {
            let arrow = if link.target == *id { "↓" } else { "↑" };
            out.line(&format!("  {arrow} {} {:.2}", type_words(link.edge_type), link.weight))?;
        }
        out.line(&briefs.mention(*id, out))?;
    }
    Ok(())
}

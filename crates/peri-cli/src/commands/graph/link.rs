//! `peri graph link` and `peri graph unlink`: edges drawn and taken away by hand.

use perihelion::{EdgeType, MemoryId, NewEdge, Perihelion, Scope};
use serde_json::json;

use super::type_words;
use crate::app::{App, Session};
use crate::brief::Briefs;
use crate::error::CliError;
use crate::output::{GOOD, counted};
use crate::{cli, ids};

/// What to link.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  peri graph link 0198c5b2-7d3e 0198c5b2-8a11 --type derived_from")]
pub(super) struct LinkArgs {
    #[command(flatten)]
    ends: Ends,
    /// What it says of the two
    #[arg(long = "type", value_name = "TYPE", default_value = "related_to", value_parser = cli::edge_type())]
    edge_type: EdgeType,
    /// How strong it is, above 0 and at most 1
    #[arg(long, default_value = "1.0", value_parser = cli::weight, allow_negative_numbers = true)]
    weight: f32,
}

/// What to take away.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  peri graph unlink 0198c5b2-7d3e 0198c5b2-8a11")]
pub(super) struct UnlinkArgs {
    #[command(flatten)]
    ends: Ends,
    /// Only the edge of this type [default: every type]
    #[arg(long = "type", value_name = "TYPE", value_parser = cli::edge_type())]
    edge_type: Option<EdgeType>,
}

#[derive(Debug, clap::Args)]
struct Ends {
    /// Where it begins: the id, or its beginning: 8 digits or more, until it is the only one
    from: String,
    /// Where it ends
    to: String,
}

impl Ends {
    /// Both ids, once it is known that both memories are there and in one namespace, as far as that can be told now.
    fn resolve(&self, engine: &Perihelion, scope: &Scope) -> Result<(MemoryId, MemoryId), CliError> {
        let from = ids::resolve(engine, scope, &self.from)?;
        let to = ids::resolve(engine, scope, &self.to)?;
        let ends = (engine.look_before_change(scope, from)?, engine.look_before_change(scope, to)?);
        match ends {
            (Some(one), Some(other)) if one.namespace != other.namespace => Err(CliError::input(
                format!("one is in {}, the other in {}", one.namespace, other.namespace),
                "nothing was changed; edges never leave their namespace",
            )),
            _ => Ok((from, to)),
        }
    }
}

pub(super) fn link(args: &LinkArgs, session: &Session, app: &mut App) -> Result<(), CliError> {
    let scope = app.scope_or(Scope::All)?;
    let engine = &session.engine;
    let (source, target) = args.ends.resolve(engine, &scope)?;
    let edge = NewEdge { source, target, edge_type: args.edge_type, weight: args.weight };
    let linked = engine.link(&scope, &edge)?;
    let out = &mut app.out;
    if out.json {
        return out.document(&json!({
            "linked": linked,
            "source": source,
            "target": target,
            "type": args.edge_type,
            "weight": args.weight,
        }));
    }
    if !linked {
        let max = engine.options().graph.edges_max;
        out.line("not linked")?;
        return out
            .note(&format!("it has {max} edges that are stronger, and more are not kept (graph.edges_max)"));
    }
    let briefs = Briefs::of(engine, &scope, [source, target])?;
    let line = format!("{} {}", out.paint(GOOD, "linked"), briefs.mention(source, out));
    out.line(&line)?;
    out.line(&format!(
        "  → {} {:.2}  {}",
        type_words(args.edge_type),
        args.weight,
        briefs.mention(target, out)
    ))
}

pub(super) fn unlink(args: &UnlinkArgs, session: &Session, app: &mut App) -> Result<(), CliError> {
    let scope = app.scope_or(Scope::All)?;
    let engine = &session.engine;
    let (source, target) = args.ends.resolve(engine, &scope)?;
    let count = engine.unlink(&scope, source, target, args.edge_type)?;
    let out = &mut app.out;
    if out.json {
        return out.document(&json!({ "unlinked": count, "source": source, "target": target }));
    }
    out.line(&format!("{} taken away", counted(count, "edge", "edges")))?;
    if count == 0 {
        out.hint("edges have a direction: perhaps it begins at the other one")?;
    }
    Ok(())
}

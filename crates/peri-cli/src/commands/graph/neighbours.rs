//! `peri graph neighbours`: what can be reached from a memory.

use clap::ValueEnum;
use perihelion::{Direction, EdgeType, EdgeTypes, MemoryId, Scope, Step, Walk};
use serde_json::json;

use super::type_words;
use crate::app::{App, Session};
use crate::brief::Briefs;
use crate::error::CliError;
use crate::output::Output;
use crate::{cli, ids};

/// Where to walk.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  peri graph neighbours 0198c5b2-7d3e --depth 2 --direction out")]
pub(super) struct Args {
    /// The id, or its beginning: 8 digits or more, until it is the only one
    id: String,
    /// How many edges away
    #[arg(long, default_value = "1", value_parser = cli::at_least_one)]
    depth: usize,
    /// Which way edges are followed
    #[arg(long, value_name = "out|in|both", default_value = "both", hide_possible_values = true)]
    direction: Way,
    /// Only edges of this type; may be repeated
    #[arg(long = "type", value_name = "TYPE", value_parser = cli::edge_type())]
    types: Vec<EdgeType>,
    /// At most so many
    #[arg(long, short, default_value = "50", value_parser = cli::at_least_one)]
    limit: usize,
}

/// Which way edges are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Way {
    /// From source to target
    Out,
    /// From target to source
    In,
    /// Either way
    Both,
}

pub(super) fn run(args: &Args, session: &Session, app: &mut App) -> Result<(), CliError> {
    let scope = app.scope_or(Scope::All)?;
    let engine = &session.engine;
    engine.options().limits.check_results(args.limit).map_err(perihelion::Error::from)?;
    let memory = engine.get(&scope, ids::resolve(engine, &scope, &args.id)?)?;
    let direction = match args.direction {
        Way::Out => Direction::Outgoing,
        Way::In => Direction::Incoming,
        Way::Both => Direction::Both,
    };
    let types = if args.types.is_empty() { EdgeTypes::ALL } else { EdgeTypes::only(&args.types) };
    let starts = [memory.id];
    let walk = Walk { direction, depth_max: args.depth, limit: args.limit, types, ..Walk::from(&starts) };
    let steps = engine.walk(&memory.namespace, &walk)?;
    let own = Scope::Exact(memory.namespace.clone());
    let briefs = Briefs::of(engine, &own, steps.iter().map(|step| step.id).chain(starts))?;
    let out = &mut app.out;
    if out.json {
        let neighbour = |step: &Step| {
            let Step { depth, via, strength, id } = step;
            json!({ "memory": briefs.memory(*id), "id": id, "depth": depth, "via": via, "strength": strength })
        };
        let neighbours: Vec<_> = steps.iter().map(neighbour).collect();
        return out.document(&json!({ "memory": memory, "neighbours": neighbours }));
    }
    tell(memory.id, &steps, &briefs, out)
}

fn tell(id: MemoryId, steps: &[Step], briefs: &Briefs, out: &mut Output) -> Result<(), CliError> {
    out.line(&briefs.mention(id, out))?;
    if steps.is_empty() {
        return out.note("nothing is linked to it that fits");
    }
    for step in steps {
        // The arrow points as the edge does; further away, the edge begins or ends at another neighbour.
        let arrow = if step.via.target == step.id { "→" } else { "←" };
        let margin = "  ".repeat(step.depth);
        let link = format!("{} {:.2}", type_words(step.via.edge_type), step.via.weight);
        let line = format!("{margin}{arrow} {link:<17}  {}", briefs.mention(step.id, out));
        out.line(&line)?;
    }
    Ok(())
}

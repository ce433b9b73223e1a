//! `peri graph communities`: which memories belong together.

use perihelion::{Communities, Scope};
use serde_json::json;

use crate::app::{App, Session};
use crate::brief::Briefs;
use crate::cli;
use crate::error::CliError;
use crate::output::{STRONG, counted};

/// So many members of each group are shown to people.
const MEMBERS_SHOWN: usize = 5;

/// How many.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  peri graph communities --limit 3")]
pub(super) struct Args {
    /// At most so many groups, the largest
    #[arg(long, short, default_value = "10", value_parser = cli::at_least_one)]
    limit: usize,
}

pub(super) fn run(args: &Args, session: &Session, app: &mut App) -> Result<(), CliError> {
    let namespace = app.one_namespace(&session.config)?;
    let engine = &session.engine;
    let Communities { mut groups, modularity } = engine.communities(&namespace)?;
    groups.retain(|group| group.len() > 1);
    let all = groups.len();
    groups.truncate(args.limit);
    let out = &mut app.out;
    if out.json {
        return out.document(
            &json!({ "namespace": namespace, "modularity": modularity, "count": all, "groups": groups }),
        );
    }
    if groups.is_empty() {
        return out.note(&format!("no memories of {namespace} are linked"));
    }
    let shown = groups.iter().flat_map(|group| group.iter().take(MEMBERS_SHOWN)).copied();
    let briefs = Briefs::of(engine, &Scope::Exact(namespace.clone()), shown)?;
    for (number, group) in groups.iter().enumerate() {
        let heading = format!("{}. {}", number + 1, counted(group.len() as u64, "memory", "memories"));
        let heading = out.paint(STRONG, &heading);
        out.line(&heading)?;
        for id in group.iter().take(MEMBERS_SHOWN) {
            out.line(&format!("  {}", briefs.mention(*id, out)))?;
        }
        if group.len() > MEMBERS_SHOWN {
            out.line(&format!("  and {} more", group.len() - MEMBERS_SHOWN))?;
        }
    }
    if all > groups.len() {
        out.note(&format!("{} smaller groups are not shown; --limit shows more", all - groups.len()))?;
    }
    Ok(())
}

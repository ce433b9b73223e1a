//! `peri namespace`: whole namespaces, listed, moved and deleted.

use perihelion::{Deletion, Namespace, NamespaceStats, Scope, StoreError};
use serde_json::json;

use crate::app::{App, Session};
use crate::confirm;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{GOOD, Output, counted, grouped};

/// What to do.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  peri namespace move old/place new/place")]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Show the namespaces and what they hold
    #[command(after_help = "Example:\n  peri namespace list")]
    List,
    /// Move everything of a namespace, notes included, to another one, which may hold memories already
    Move(MoveArgs),
    /// Move all memories of a namespace to the trash, or destroy them
    Delete(DeleteArgs),
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  peri namespace move old/place new/place")]
struct MoveArgs {
    /// The namespace to move
    from: Namespace,
    /// Where to
    to: Namespace,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  peri namespace delete old/place")]
struct DeleteArgs {
    /// The namespace
    name: Namespace,
    /// Destroy everything at once instead, notes and what lies in the trash included; there is no way back
    #[arg(long)]
    purge: bool,
    /// Do not ask
    #[arg(long, short)]
    yes: bool,
}

/// Runs the command.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    if !matches!(args.verb, Verb::List) && !app.global.namespace.is_empty() {
        return Err(CliError::input(
            "--namespace has no meaning here",
            "nothing was changed; name the namespace after the verb",
        ));
    }
    let session = app.open()?;
    match args.verb {
        Verb::List => list(&session, app)?,
        Verb::Move(args) => shift(&args, &session, app)?,
        Verb::Delete(args) => delete(&args, &session, app)?,
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

fn list(session: &Session, app: &mut App) -> Result<(), CliError> {
    let scope = app.scope_or(Scope::All)?;
    let namespaces = session.engine.stats(&scope)?.namespaces;
    if app.out.json {
        return app.out.document(&json!({ "namespaces": namespaces }));
    }
    if namespaces.is_empty() {
        return app.out.note("no namespaces yet: one is there once something is stored in it");
    }
    let names = namespaces.iter().map(|stats| stats.namespace.as_str().chars().count()).max().unwrap_or(0);
    namespaces.iter().try_for_each(|stats| tell(stats, names, &mut app.out))
}

fn tell(stats: &NamespaceStats, names: usize, out: &mut Output) -> Result<(), CliError> {
    let mut line =
        format!("{:<names$}  {}", stats.namespace.as_str(), counted(stats.memories, "memory", "memories"));
    if stats.edges > 0 {
        line.push_str(&format!(", {}", counted(stats.edges, "edge", "edges")));
    }
    if stats.trashed > 0 {
        line.push_str(&format!(", {} in the trash", grouped(stats.trashed)));
    }
    out.line(&line)
}

fn shift(args: &MoveArgs, session: &Session, app: &mut App) -> Result<(), CliError> {
    let MoveArgs { from, to } = args;
    if from == to {
        return Err(CliError::input(format!("{from} is there already"), "nothing was changed"));
    }
    check_exists(from, session)?;
    let moved = session.engine.move_namespace(from, to)?;
    let out = &mut app.out;
    if out.json {
        return out.document(
            &json!({ "from": from, "to": to, "memories": moved.memories, "repeated": moved.repeated }),
        );
    }
    let count = counted(moved.memories, "memory", "memories");
    let line = format!("{} {count} from {from} to {to}", out.paint(GOOD, "moved"));
    out.line(&line)?;
    if moved.repeated > 0 {
        let said = counted(moved.repeated, "of them says", "of them say");
        out.note(&format!("{said} what a memory there says already, and went to the trash"))?;
    }
    Ok(())
}

fn delete(args: &DeleteArgs, session: &Session, app: &mut App) -> Result<(), CliError> {
    let DeleteArgs { name, purge, yes } = args;
    check_exists(name, session)?;
    let stats = session.engine.stats(&Scope::Exact(name.clone()))?;
    if !yes {
        let what = if *purge {
            format!("destroy {} for good", counted(stats.memories + stats.trashed, "memory", "memories"))
        } else {
            format!("move {} to the trash", counted(stats.memories, "memory", "memories"))
        };
        confirm::needs_terminal("deleting a namespace takes away everything in it")?;
        let question = format!("{what}? type {name} to confirm:");
        if confirm::answer(&question, app)? != name.as_str() {
            return Err(CliError::input("not confirmed", "nothing was changed"));
        }
    }
    let deletion = if *purge { Deletion::Purge } else { Deletion::ToTrash };
    let has_notes = session.engine.has_notes(name)?;
    let memories = session.engine.delete_namespace(name, deletion)?;
    let out = &mut app.out;
    if out.json {
        return out.document(&json!({ "namespace": name, "memories": memories, "purged": purge }));
    }
    let count = counted(memories, "memory", "memories");
    if *purge {
        let notes = if has_notes { " with all notes" } else { "" };
        out.line(&format!("{count} of {name} destroyed{notes}"))?;
        return super::trash::tell_still_held(&session.engine.still_held(), app);
    }
    out.line(&format!("{count} of {name} moved to the trash"))?;
    if has_notes {
        out.note(&format!("the notes of {name} are kept; --purge destroys them too"))?;
    }
    out.hint(&format!("bring them back with: peri trash restore ID; peri trash list -n {name} shows them"))
}

/// A name that was misspelt must not look like work that was done.
fn check_exists(namespace: &Namespace, session: &Session) -> Result<(), CliError> {
    let scope = Scope::Exact(namespace.clone());
    let empty = session.engine.stats(&scope)?.namespaces.is_empty();
    if empty && session.engine.sessions(&scope, 1)?.is_empty() && !session.engine.has_notes(namespace)? {
        let missing = StoreError::NoNamespace { namespace: namespace.clone() };
        return Err(perihelion::Error::Store(missing).into());
    }
    Ok(())
}

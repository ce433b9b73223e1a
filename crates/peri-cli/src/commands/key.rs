//! `peri key`: who is let in by servers on this data folder.

use perihelion::{ApiKey, KeyId, NewKey, Role, Scope};
use serde_json::json;

use crate::app::{App, Session};
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{FAINT, GOOD, Output, STRONG};
use crate::{cli, time};

/// What to do.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  KEY=$(peri key create ci --role reader -n 'team/*')\n  peri key list\n  peri key revoke k3tq7zab"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Create a key and print its secret, this once
    Create(CreateArgs),
    /// Show the keys, the revoked ones too
    #[command(after_help = "Example:\n  peri key list --json")]
    List,
    /// Let nobody in any more who shows a key
    Revoke(RevokeArgs),
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "The key is for all namespaces unless --namespace says which.\n\nExample:\n  KEY=$(peri key create ci --role reader -n 'team/*')"
)]
struct CreateArgs {
    /// What it is for
    name: String,
    /// What it allows; each role allows what the ones before it do
    #[arg(long, short, default_value = "writer", value_parser = cli::role())]
    role: Role,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  peri key revoke k3tq7zab")]
struct RevokeArgs {
    /// Its id, as `peri key list` shows it
    id: KeyId,
}

/// Runs the command.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    if !matches!(args.verb, Verb::Create(_)) && !app.global.namespace.is_empty() {
        return Err(CliError::input(
            "--namespace has no meaning here",
            "nothing was changed; leave it out, or give it to `peri key create`",
        ));
    }
    let session = app.open()?;
    match args.verb {
        Verb::Create(args) => create(args, &session, app)?,
        Verb::List => list(&session, &mut app.out)?,
        Verb::Revoke(args) => revoke(args.id, &session, &mut app.out)?,
    }
    session.close(&mut app.out)?;
    Ok(Exit::Done)
}

fn create(args: CreateArgs, session: &Session, app: &mut App) -> Result<(), CliError> {
    let scope = app.scope_or(Scope::All)?;
    let created = session.engine.create_key(NewKey { name: args.name, role: args.role, scope })?;
    let out = &mut app.out;
    if out.json {
        return out.document(&created);
    }
    out.line(&created.secret)?;
    let ApiKey { id, role, scope, .. } = created.key;
    out.note(&format!("keep it safe: it is not shown again. Key {id} makes its holder a {role} in {scope}"))?;
    out.hint(&format!("`peri key revoke {id}` takes it back"))
}

fn list(session: &Session, out: &mut Output) -> Result<(), CliError> {
    let keys = session.engine.keys()?;
    if out.json {
        return out.document(&json!({ "keys": keys }));
    }
    if keys.is_empty() {
        return out.note("no keys; `peri key create NAME` creates one");
    }
    let width = keys.iter().map(|key| key.scope.to_string().chars().count()).max().unwrap_or(0);
    keys.iter().try_for_each(|key| {
        let line = line(key, width, out);
        out.line(&line)
    })
}

fn line(key: &ApiKey, width: usize, out: &Output) -> String {
    let ApiKey { id, name, role, scope, created_at, revoked_at, used_at } = key;
    let state = match (revoked_at, used_at) {
        (Some(revoked), _) => format!("revoked {}", time::date_time(*revoked)),
        (None, Some(used)) => format!("used {}", time::date_time(*used)),
        (None, None) => "never used".to_owned(),
    };
    let about = out.paint(FAINT, &format!("created {}, {state}", time::date_time(*created_at)));
    let scope = scope.to_string();
    format!("{}  {role:<6}  {scope:<width$}  {}  {about}", out.paint(STRONG, id.as_str()), out.clean(name))
}

fn revoke(id: KeyId, session: &Session, out: &mut Output) -> Result<(), CliError> {
    let key = session.engine.revoke_key(id)?;
    if out.json {
        return out.document(&json!({ "key": key }));
    }
    let since = key.revoked_at.map(|at| format!(", as of {}", time::date_time(at))).unwrap_or_default();
    let line = format!("{} {id} ({}){since}", out.paint(GOOD, "revoked"), out.clean(&key.name));
    out.line(&line)
}

//! `peri session observe` and `retry`: notes are made of what waits.

use perihelion::Namespace;
use serde_json::json;

use super::{check_known, steps};
use crate::app::{App, Session as Opened};
use crate::error::CliError;

/// Which sessions.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The session, at once; without it, all sessions of the namespace in which something is due
    name: Option<String>,
}

pub(super) fn run(args: &Args, opened: &Opened, app: &mut App) -> Result<(), CliError> {
    let namespace = app.one_namespace(&opened.config)?;
    let events = match &args.name {
        Some(name) => {
            check_known(&opened.engine, &namespace, name)?;
            opened.engine.observe(&namespace, name)?
        }
        None => opened.engine.observe_due(&namespace)?,
    };
    tell(&namespace, args.name.as_deref(), &events, app)
}

pub(super) fn retry(name: &str, opened: &Opened, app: &mut App) -> Result<(), CliError> {
    let namespace = app.one_namespace(&opened.config)?;
    check_known(&opened.engine, &namespace, name)?;
    let events = opened.engine.retry_notes(&namespace, name)?;
    tell(&namespace, Some(name), &events, app)
}

fn tell(
    namespace: &Namespace,
    name: Option<&str>,
    events: &[perihelion::companion::Event],
    app: &mut App,
) -> Result<(), CliError> {
    let out = &mut app.out;
    if out.json {
        return out.document(&json!({ "namespace": namespace, "session": name, "steps": events }));
    }
    if events.is_empty() {
        return out.note("there was nothing to do");
    }
    steps::tell(events, out)
}

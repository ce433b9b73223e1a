//! `peri journal append`: writing down what happened.

use std::io::Read;

use perihelion::{Appended, EntryId, JournalDirection, JournalStatus, Kept, NewEntry, Timestamp, TurnId};
use serde_json::{Map, Value};

use super::state_word;
use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::input::{self, Source};
use crate::output::{FAINT, GOOD, Output};
use crate::{cli, time};

/// What happened.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What was said; - or nothing reads it from standard input
    text: Vec<String>,
    /// The conversation it belongs to
    #[arg(long)]
    session: Option<String>,
    /// Who said or did it
    #[arg(long)]
    actor: Option<String>,
    /// What sort of thing it is: message, world_data, alert, control, schedule, system, tool or any word
    #[arg(long, default_value = "message")]
    kind: String,
    /// Whether it came to the agent or from it
    #[arg(long, value_parser = cli::journal_direction())]
    direction: Option<JournalDirection>,
    /// How it went
    #[arg(long, value_parser = cli::journal_status())]
    status: Option<JournalStatus>,
    /// The turn it is part of
    #[arg(long, value_name = "ID")]
    turn: Option<TurnId>,
    /// When it happened [default: now]
    #[arg(long, value_name = "TIME", value_parser = time::past)]
    at: Option<Timestamp>,
    /// A file with the whole of what was observed, as JSON; - is standard input
    #[arg(long, value_name = "FILE|-")]
    body: Option<String>,
    /// What the gate decided, as JSON
    #[arg(long, value_name = "JSON", value_parser = json)]
    gate: Option<Value>,
    /// Anything else, as a JSON object
    #[arg(long, value_name = "JSON", value_parser = object)]
    metadata: Option<Map<String, Value>>,
    /// Remember its text too, as an episode
    #[arg(long)]
    remember: bool,
    /// Its id, where it has one; given again, it changes nothing
    #[arg(long)]
    id: Option<EntryId>,
}

pub(super) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let opened = app.open()?;
    let namespace = app.one_namespace(&opened.config)?;
    let bytes_max = opened.config.limits.content_bytes_max;
    let text = match (&args.body, Source::of(&args.text)) {
        // The body says it all, or has standard input for itself.
        (Some(_), _) if args.text.is_empty() => String::new(),
        (Some(body), Source::Standard) if body == "-" => return Err(both_from_standard_input()),
        (_, Source::Words(words)) => words,
        (_, Source::Standard) => input::standard(input::CONTENT, bytes_max)?,
        (_, Source::Nothing) => {
            let hint = "type it: peri journal append --actor Ana \"the build is green\"";
            return Err(CliError::input("nothing to write down was given", hint));
        }
    };
    let appended = opened.engine.append(NewEntry {
        namespace,
        session: args.session,
        actor: args.actor,
        kind: Some(args.kind),
        direction: args.direction,
        status: args.status,
        turn: args.turn,
        at: args.at,
        text,
        body: args.body.as_deref().map(|body| read_body(body, bytes_max)).transpose()?,
        gate: args.gate,
        remember: args.remember,
        metadata: args.metadata.unwrap_or_default(),
        id: args.id,
    })?;
    tell(&appended, &mut app.out)?;
    opened.close(&mut app.out)?;
    Ok(Exit::Done)
}

fn tell(appended: &Appended, out: &mut Output) -> Result<(), CliError> {
    if out.json {
        return out.document(appended);
    }
    if out.is_quiet() {
        return out.line(&appended.id.to_string());
    }
    let state = state_word(appended.state);
    let style = if appended.state == Kept::Stored { GOOD } else { FAINT };
    let line = format!("{} {} in {}", out.paint(style, state), appended.id, appended.namespace);
    out.line(&line)?;
    if let Some(memory) = appended.memory {
        out.note(&format!("its text is remembered as {memory}"))?;
    }
    if appended.state == Kept::Queued {
        out.note("the store cannot be reached; it waits on this machine and goes there by itself")?;
    }
    let secrets: usize = appended.redacted.iter().map(|secret| secret.count).sum();
    if secrets > 0 {
        out.note(&format!("{secrets} secrets were taken out before it was written"))
    } else {
        Ok(())
    }
}

fn both_from_standard_input() -> CliError {
    CliError::input(
        "both the text and the body would be read from standard input",
        "put one of them into a file",
    )
}

/// Reads JSON from a file or from standard input.
fn read_body(place: &str, bytes_max: usize) -> Result<Value, CliError> {
    let text = if place == "-" {
        input::standard(input::CONTENT, bytes_max)?
    } else {
        let mut text = String::new();
        let most = u64::try_from(bytes_max).unwrap_or(u64::MAX).saturating_add(1);
        let file = peri_private::open_named(place).map_err(|source| CliError::read(place, source))?;
        file.take(most).read_to_string(&mut text).map_err(|source| CliError::read(place, source))?;
        text
    };
    if text.len() > bytes_max {
        let message =
            format!("the body has more than the {bytes_max} bytes allowed (limits.content_bytes_max)");
        return Err(CliError::input(message, "nothing was written down"));
    }
    json(&text).map_err(|error| CliError::input(format!("the body: {error}"), "nothing was written down"))
}

/// Reads JSON that was typed.
pub(super) fn json(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| format!("it is not JSON: {error}"))
}

/// Reads a JSON object that was typed.
pub(super) fn object(text: &str) -> Result<Map<String, Value>, String> {
    match json(text)? {
        Value::Object(object) => Ok(object),
        _ => Err("it is not a JSON object such as {\"room\": \"kitchen\"}".to_owned()),
    }
}

//! `peri work`: what a session holds under keys, for a while.

use std::time::Duration;

use perihelion::{Importance, Namespace, SetWork, TimeToLive, WorkItem, WorkReceipt};
use serde_json::{Value, json};

use crate::app::{App, Session as Opened};
use crate::error::CliError;
use crate::exit::Exit;
use crate::input::{self, Source};
use crate::output::{FAINT, GOOD, Output, counted};
use crate::{cli, time};

/// The environment variable that names the session unless --session does.
pub(crate) const VARIABLE: &str = "PERI_SESSION";

/// So much of a value is shown in a list on a terminal.
const VALUE_COLUMNS: usize = 60;

/// What to do.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  peri work set draft \"Dear Ana, ...\" --session letter\n  peri work get draft --session letter\n  peri work clear --all --session letter"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Hold a value under a key, in the place of what it held
    #[command(after_help = "Example:\n  peri work set open-question \"Which port?\" --ttl 30min")]
    Set(SetArgs),
    /// Print the value under a key
    #[command(after_help = "Example:\n  peri work get open-question")]
    Get(KeyArgs),
    /// Show what is held, the latest first
    #[command(after_help = "Example:\n  peri work list --session letter")]
    List(PlaceArgs),
    /// Show which sessions hold something
    #[command(after_help = "Example:\n  peri work sessions")]
    Sessions,
    /// Destroy what is held under a key, or all of it
    #[command(after_help = "Examples:\n  peri work clear open-question\n  peri work clear --all")]
    Clear(ClearArgs),
}

#[derive(Debug, clap::Args)]
struct PlaceArgs {
    /// Of one session; without it, of the namespace itself [env: PERI_SESSION]
    #[arg(long)]
    session: Option<String>,
}

#[derive(Debug, clap::Args)]
struct SetArgs {
    /// The key
    key: String,
    /// The value; - or nothing reads it from standard input
    value: Vec<String>,
    /// How long it stays: 90s, 15min, 2h, 7d; 0 or none for no end [default: working.ttl_seconds]
    #[arg(long, value_name = "TIME|none", value_parser = time_to_live)]
    ttl: Option<TimeToLive>,
    /// How much it matters, from 0 to 1; what matters becomes an episode when it leaves
    #[arg(long, value_parser = cli::importance, allow_negative_numbers = true)]
    importance: Option<Importance>,
    /// The value is JSON and comes back as such
    #[arg(long)]
    json_value: bool,
    #[command(flatten)]
    place: PlaceArgs,
}

#[derive(Debug, clap::Args)]
struct KeyArgs {
    /// The key
    key: String,
    #[command(flatten)]
    place: PlaceArgs,
}

#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("what").required(true).args(["key", "all"])))]
struct ClearArgs {
    /// The key
    key: Option<String>,
    /// Everything that the session holds
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    place: PlaceArgs,
}

impl PlaceArgs {
    /// The session that was named, by argument or by the environment.
    fn session(self) -> Option<String> {
        let variable = || std::env::var(VARIABLE).ok().filter(|name| !name.trim().is_empty());
        self.session.or_else(variable)
    }
}

/// Runs the command.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let opened = app.open()?;
    let namespace = app.one_namespace(&opened.config)?;
    let out = &mut app.out;
    let exit = match args.verb {
        Verb::Set(args) => set(args, namespace, &opened, out)?,
        Verb::Get(args) => get(args, &namespace, &opened, out)?,
        Verb::List(args) => list(args, &namespace, &opened, out)?,
        Verb::Sessions => sessions(&namespace, &opened, out)?,
        Verb::Clear(args) => clear(args, &namespace, &opened, out)?,
    };
    opened.close(out)?;
    Ok(exit)
}

fn set(args: SetArgs, namespace: Namespace, opened: &Opened, out: &mut Output) -> Result<Exit, CliError> {
    let text = match Source::of(&args.value) {
        Source::Words(words) => words,
        Source::Standard => input::standard(input::CONTENT, opened.config.limits.content_bytes_max)?,
        Source::Nothing => {
            let message = "no value was given";
            return Err(CliError::input(message, "type it: peri work set topic \"the quarterly report\""));
        }
    };
    let value = if args.json_value { json_value(&text)? } else { Value::String(text) };
    if value.as_str().is_some_and(|text| text.trim().is_empty()) {
        return Err(CliError::input("the value is empty", "`peri work clear KEY` takes a value away"));
    }
    let receipt = opened.engine.work_set(SetWork {
        namespace,
        session: args.place.session(),
        key: args.key,
        value,
        time_to_live: args.ttl.unwrap_or_default(),
        importance: args.importance,
        kind: None,
    })?;
    if out.json {
        out.document(&receipt)?;
    } else {
        tell_set(&receipt, out)?;
    }
    Ok(Exit::Done)
}

fn json_value(text: &str) -> Result<Value, CliError> {
    serde_json::from_str(text).map_err(|error| {
        let hint = "nothing was set; without --json-value it is taken as plain text";
        CliError::input(format!("the value is not JSON: {error}"), hint)
    })
}

fn tell_set(receipt: &WorkReceipt, out: &mut Output) -> Result<(), CliError> {
    let item = &receipt.item;
    let verb = out.paint(GOOD, if receipt.replaced { "replaced" } else { "set" });
    let key = out.clean(item.key.as_deref().unwrap_or_default());
    out.line(&format!("{verb} {key} {}", until(item)))?;
    for one in &receipt.evicted {
        let key = one.key.clone().unwrap_or_else(|| one.id.to_string());
        out.note(&format!("{key} left to make room"))?;
    }
    for id in &receipt.promoted {
        out.note(&format!("what mattered of it became the episode {id}"))?;
    }
    match receipt.redacted.iter().map(|secret| secret.count).sum::<usize>() {
        0 => Ok(()),
        count => {
            let secrets = counted(count as u64, "secret was", "secrets were");
            out.note(&format!("{secrets} taken out before it was stored"))
        }
    }
}

fn until(item: &WorkItem) -> String {
    match item.expires_at {
        Some(at) => format!("until {}", time::date_time(at)),
        None => "without an end".to_owned(),
    }
}

fn get(args: KeyArgs, namespace: &Namespace, opened: &Opened, out: &mut Output) -> Result<Exit, CliError> {
    let session = args.place.session();
    let item = opened.engine.work_get(namespace, session.as_deref(), &args.key)?;
    let exit = if item.is_some() { Exit::Done } else { Exit::NotFound };
    if out.json {
        out.document(&json!({ "item": item }))?;
        return Ok(exit);
    }
    match item {
        Some(item) => {
            let text = out.clean(&in_words(&item.value));
            out.line(&text)?;
        }
        None => tell_absent(&args.key, session.as_deref(), out)?,
    }
    Ok(exit)
}

fn list(args: PlaceArgs, namespace: &Namespace, opened: &Opened, out: &mut Output) -> Result<Exit, CliError> {
    let session = args.session();
    let items = opened.engine.work_list(namespace, session.as_deref())?;
    if out.json {
        out.document(&json!({ "items": items }))?;
        return Ok(Exit::Done);
    }
    if items.is_empty() {
        out.note(&format!("nothing is held in {}", place(session.as_deref())))?;
    }
    for item in &items {
        let key = item.key.clone().unwrap_or_else(|| item.id.to_string());
        let value = out.fitted(&in_words(&item.value).replace(['\n', '\r'], " "), VALUE_COLUMNS);
        let line = format!("{}  {}  {}", out.clean(&key), out.clean(&value), out.paint(FAINT, &until(item)));
        out.line(&line)?;
    }
    Ok(Exit::Done)
}

fn sessions(namespace: &Namespace, opened: &Opened, out: &mut Output) -> Result<Exit, CliError> {
    let sessions = opened.engine.work_sessions(namespace)?;
    if out.json {
        out.document(&json!({ "sessions": sessions }))?;
        return Ok(Exit::Done);
    }
    if sessions.is_empty() {
        out.note(&format!("working memory of {namespace} is empty"))?;
    }
    for one in &sessions {
        let room = one.capacity.map(|capacity| format!(" of {capacity}")).unwrap_or_default();
        let name = one.session.as_deref().map_or_else(|| format!("({namespace})"), |name| out.clean(name));
        out.line(&format!("{}{room}  {name}", one.items))?;
    }
    Ok(Exit::Done)
}

fn clear(
    args: ClearArgs,
    namespace: &Namespace,
    opened: &Opened,
    out: &mut Output,
) -> Result<Exit, CliError> {
    let session = args.place.session();
    let cleared = opened.engine.work_clear(namespace, session.as_deref(), args.key.as_deref())?;
    let absent = args.key.filter(|_| cleared == 0);
    if out.json {
        out.document(&json!({ "cleared": cleared }))?;
    } else if let Some(key) = &absent {
        tell_absent(key, session.as_deref(), out)?;
    } else {
        let line = format!("{} {}", out.paint(GOOD, "cleared"), counted(cleared, "value", "values"));
        out.line(&line)?;
    }
    Ok(if absent.is_some() { Exit::NotFound } else { Exit::Done })
}

fn tell_absent(key: &str, session: Option<&str>, out: &mut Output) -> Result<(), CliError> {
    out.note(&format!("nothing is held under {key:?} in {}", place(session)))
}

/// Whose working memory, for people.
fn place(session: Option<&str>) -> String {
    session.map_or_else(
        || "the namespace's own working memory".to_owned(),
        |session| format!("the working memory of {session:?}"),
    )
}

/// A text as it is, anything else as JSON.
fn in_words(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned)
}

/// Reads how long a value stays.
fn time_to_live(text: &str) -> Result<TimeToLive, String> {
    let wrong = || format!("{text:?} is not a time: write 90s, 15min, 2h, 7d; 0 or none for no end");
    let text = text.trim();
    // As in the setting, nothing is no end.
    if text == "none" || text == "0" {
        return Ok(TimeToLive::NoEnd);
    }
    let unit_at = text.find(|c: char| !c.is_ascii_digit()).ok_or_else(wrong)?;
    let (count, unit) = text.split_at(unit_at);
    let seconds = match unit {
        "s" => 1,
        "min" => 60,
        "h" => 60 * 60,
        "d" => 24 * 60 * 60,
        "w" => 7 * 24 * 60 * 60,
        _ => return Err(wrong()),
    };
    let count: u64 = count.parse().map_err(|_| wrong())?;
    match count.checked_mul(seconds) {
        Some(0) => Ok(TimeToLive::NoEnd),
        Some(seconds) => Ok(TimeToLive::For(Duration::from_secs(seconds))),
        None => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_to_live_is_a_number_with_a_unit_or_none() {
        let seconds = |count| Some(TimeToLive::For(Duration::from_secs(count)));
        for (text, expected) in [
            ("90s", seconds(90)),
            ("15min", seconds(900)),
            (" 2h ", seconds(7200)),
            ("7d", seconds(604_800)),
            ("1w", seconds(604_800)),
            ("none", Some(TimeToLive::NoEnd)),
            ("0", Some(TimeToLive::NoEnd)),
            ("0s", Some(TimeToLive::NoEnd)),
            ("15", None),
            ("15m", None),
            ("min", None),
            ("-5s", None),
            ("1.5h", None),
            ("분", None),
            ("99999999999999999999s", None),
            ("9999999999999999999w", None),
            ("", None),
        ] {
            assert_eq!(time_to_live(text).ok(), expected, "{text:?}");
        }
    }
}

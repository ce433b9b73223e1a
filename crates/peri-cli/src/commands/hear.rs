//! `peri hear`: what was said in a conversation is kept, and becomes notes.

use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches};
use jiff::SignedDuration;
use perihelion::{Hear, HeardOutcome, HeardReceipt, Observe, Said, SaidBy, Timestamp};

use super::session::{self, steps};
use crate::app::App;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{GOOD, Output, counted};

/// A file with more bytes than this is no conversation.
const BYTES_MAX: u64 = 256 * 1024 * 1024;

/// What to do where nothing was said.
const HOW_TO_SAY: &str = "say it: --user TEXT and --assistant TEXT, or --file FILE, or - for standard input";

/// What was said.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  peri hear --session standup --user \"Deploys never happen on Fridays\" --assistant \"Noted.\"\n  peri hear --session standup --file turns.jsonl --now\n\nA line of a file: {\"role\": \"user\", \"text\": \"…\", \"at\": \"2026-11-16T09:00:00Z\"}\nRoles: user, assistant, system, tool. A message that is told again with the same time is kept once."
)]
pub(crate) struct Args {
    /// - reads JSON lines from standard input
    #[arg(value_name = "-", value_parser = ["-"], hide_possible_values = true, conflicts_with = "file")]
    standard: Option<String>,
    /// The conversation [env: PERI_SESSION]
    #[arg(long)]
    session: Option<String>,
    #[command(flatten)]
    typed: Typed,
    /// Read JSON lines from a file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["user", "assistant"])]
    file: Option<PathBuf>,
    /// Make notes at once, however little was said
    #[arg(long)]
    now: bool,
}

/// What was typed, in the order in which it was.
#[derive(Debug, Clone, Default)]
struct Typed(Vec<(SaidBy, String)>);

/// The arguments and who says what they hold.
const SPEAKERS: [(&str, SaidBy, &str); 2] = [
    ("user", SaidBy::User, "Said by the person; may be repeated, and the order counts"),
    ("assistant", SaidBy::Assistant, "Said by the agent; may be repeated, and the order counts"),
];

impl clap::FromArgMatches for Typed {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut typed = Self::default();
        typed.update_from_arg_matches(matches)?;
        Ok(typed)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        let mut placed = Vec::new();
        for (name, by, _) in SPEAKERS {
            let texts = matches.get_many::<String>(name).unwrap_or_default();
            let places = matches.indices_of(name).into_iter().flatten();
            placed.extend(places.zip(texts).map(|(place, text)| (place, by, text.clone())));
        }
        placed.sort_by_key(|(place, ..)| *place);
        self.0 = placed.into_iter().map(|(_, by, text)| (by, text)).collect();
        Ok(())
    }
}

impl clap::Args for Typed {
    fn augment_args(command: clap::Command) -> clap::Command {
        SPEAKERS.into_iter().fold(command, |command, (name, _, help)| {
            let arg = Arg::new(name).long(name).value_name("TEXT").action(ArgAction::Append);
            command.arg(arg.help(help).conflicts_with("standard"))
        })
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

/// Runs the command.
pub(crate) fn run(args: Args, app: &mut App) -> Result<Exit, CliError> {
    let session = session::named(args.session.clone()).ok_or_else(|| {
        CliError::input("no session was named", "name the conversation: --session NAME, or PERI_SESSION")
    })?;
    let messages = messages(&args)?;
    if messages.iter().all(|said| said.text.trim().is_empty()) {
        return Err(CliError::input("nothing was said", HOW_TO_SAY));
    }
    let opened = app.open()?;
    let namespace = app.one_namespace(&opened.config)?;
    let heard = Hear { namespace, session, messages, ..Hear::default() };
    let receipt = opened.engine.hear(heard, if args.now { Observe::Now } else { Observe::Due })?;
    if app.out.json {
        app.out.document(&receipt)?;
    } else {
        tell(&receipt, &mut app.out)?;
    }
    opened.close(&mut app.out)?;
    Ok(Exit::Done)
}

fn messages(args: &Args) -> Result<Vec<Said>, CliError> {
    let typed = &args.typed.0;
    let mut messages = if !typed.is_empty() {
        let said = |(role, text): &(SaidBy, String)| Said { role: *role, text: text.clone(), at: None };
        typed.iter().map(said).collect()
    } else if let Some(path) = &args.file {
        read(&mut open(path)?, &path.display().to_string())?
    } else if args.standard.is_none() && std::io::stdin().is_terminal() {
        return Err(CliError::input("nothing was said", HOW_TO_SAY));
    } else {
        read(&mut std::io::stdin().lock(), "standard input")?
    };
    give_times(&mut messages, Timestamp::now());
    Ok(messages)
}

/// Messages without a time were said now, one after the other: their times keep them in order.
fn give_times(messages: &mut [Said], now: Timestamp) {
    let mut next = now;
    for said in messages.iter_mut().filter(|said| said.at.is_none()) {
        said.at = Some(next);
        next = next.saturating_add(SignedDuration::from_millis(1)).unwrap_or(next);
    }
}

fn open(path: &Path) -> Result<std::fs::File, CliError> {
    peri_private::open_named(path).map_err(|source| CliError::read(path.display().to_string(), source))
}

/// Messages of JSON lines. One line that is wrong refuses all of them: half a conversation would be noted as if it were
/// whole.
fn read(from: &mut dyn Read, what: &str) -> Result<Vec<Said>, CliError> {
    let mut bytes = Vec::new();
    let read = from.take(BYTES_MAX + 1).read_to_end(&mut bytes);
    read.map_err(|source| CliError::read(what, source))?;
    if bytes.len() as u64 > BYTES_MAX {
        let message = format!("{what} has more than {BYTES_MAX} bytes");
        return Err(CliError::input(message, "nothing was kept; tell it in several parts"));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let message = format!("{what} is not UTF-8 text: the byte at offset {at} does not belong there");
        CliError::input(message, "nothing was kept; convert it first, for example with iconv -t UTF-8")
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(at, line)| {
            serde_json::from_str(line).map_err(|error| {
                // Each line is read by itself; which one it is, is told before.
                let error = error.to_string().replace(" at line 1 column ", " at column ");
                let message = format!("{what}, line {}: {error}", at + 1);
                let hint = "nothing was kept; write {\"role\": \"user\", \"text\": \"…\"} on a line each";
                CliError::input(message, hint)
            })
        })
        .collect()
}

fn tell(receipt: &HeardReceipt, out: &mut Output) -> Result<(), CliError> {
    if receipt.outcome == HeardOutcome::Queued {
        let line = format!("{} what was said in {}", out.paint(GOOD, "queued"), out.clean(&receipt.session));
        out.line(&line)?;
        return out.note("the store cannot be reached; it is kept on this machine and goes there by itself");
    }
    let messages = counted(receipt.kept as u64, "message", "messages");
    let session = out.clean(&receipt.session);
    let line = format!("{} {messages} of {session} in {}", out.paint(GOOD, "kept"), receipt.namespace);
    out.line(&line)?;
    if receipt.repeated > 0 {
        let repeated = counted(receipt.repeated as u64, "message was", "messages were");
        out.note(&format!("{repeated} known already"))?;
    }
    if receipt.redacted > 0 {
        let secrets = counted(receipt.redacted as u64, "secret was", "secrets were");
        out.note(&format!("{secrets} taken out"))?;
    }
    if let Some(trouble) = &receipt.trouble {
        out.warning(&format!("no notes could be made yet, the messages are kept: {trouble}"))?;
    }
    steps::tell(&receipt.steps, out)
}

//! What became of notes, in words.

use perihelion::companion::{By, Event};

use crate::error::CliError;
use crate::output::{GOOD, Output, counted, grouped};
use crate::time;

/// Tells what was done, a line each; what went wrong is a warning.
pub(crate) fn tell(events: &[Event], out: &mut Output) -> Result<(), CliError> {
    events.iter().try_for_each(|event| match event {
        Event::Failed { .. } | Event::Held { .. } | Event::SetAside { .. } => out.warning(&words(event)),
        Event::Waits { .. } | Event::Elsewhere { .. } => out.note(&words(event)),
        Event::Observed { .. }
        | Event::Reflected { .. }
        | Event::Promoted { .. }
        | Event::Compacted { .. } => {
            let text = words(event);
            let (verb, rest) = text.split_once(' ').unwrap_or((&text, ""));
            let line = format!("{} {}", out.paint(GOOD, verb), out.clean(rest));
            out.line(&line)
        }
    })
}

fn words(event: &Event) -> String {
    let tokens = |tokens: &usize| counted(*tokens as u64, "token", "tokens");
    match event {
        Event::Waits { session, tokens, of_tokens } => format!(
            "{session}: {} of {} tokens wait; notes are made of them later, or by `peri session observe`",
            grouped(*tokens as u64),
            grouped(*of_tokens as u64)
        ),
        Event::Observed { session, messages, new, changed, done, candidates, by, .. } => {
            let mut parts = vec![counted(new.len() as u64, "new note", "new notes")];
            parts.extend((!changed.is_empty()).then(|| format!("{} changed", changed.len())));
            parts.extend((!done.is_empty()).then(|| format!("{} done", done.len())));
            parts.extend((*candidates > 0).then(|| format!("{candidates} proposed as durable")));
            let messages = counted(*messages as u64, "message", "messages");
            format!("observed {messages} of {session}: {}{}", parts.join(", "), by_whom(by))
        }
        Event::Reflected { session, tokens_before, tokens_after, gone, by, .. } => format!(
            "condensed the notes of {session} from {} to {}, {}{}",
            grouped(*tokens_before as u64),
            tokens(tokens_after),
            counted(gone.len() as u64, "note went", "notes went"),
            by_whom(by)
        ),
        Event::Promoted { considered, promoted, by } => format!(
            "considered {} for the durable notes, {promoted} taken{}",
            counted(*considered as u64, "note", "notes"),
            by_whom(by)
        ),
        Event::Compacted { tokens_before, tokens_after, gone, by, .. } => format!(
            "condensed the durable notes from {} to {}, {}{}",
            grouped(*tokens_before as u64),
            tokens(tokens_after),
            counted(gone.len() as u64, "note went", "notes went"),
            by_whom(by)
        ),
        Event::Elsewhere { step } => format!("{}: another process did it at the same time", step.name()),
        Event::Failed { step, error, attempts, next_at, .. } => {
            let times = counted(u64::from(*attempts), "attempt", "attempts");
            format!("{} failed after {times}, nothing is lost: {error}; {}", step.name(), again(*next_at))
        }
        Event::Held { step, error, next_at, .. } => {
            format!("{} failed before and waits: {error}; {}", step.name(), again(*next_at))
        }
        Event::SetAside { session, messages, error } => format!(
            "{} of {session} could not be observed and were put aside: {error}; `peri session retry` tries again",
            counted(*messages as u64, "message", "messages")
        ),
    }
}

fn again(next_at: Option<perihelion::Timestamp>) -> String {
    match next_at {
        Some(at) => format!("it is tried again after {}", time::date_time(at)),
        None => "it was given up; `peri session retry` tries it again".to_owned(),
    }
}

fn by_whom(by: &By) -> String {
    match by {
        By::Rules => String::new(),
        By::Model(name) => format!(" (by {name})"),
        By::RulesInstead { why } => format!(" (by the rules instead of the language model: {why})"),
    }
}

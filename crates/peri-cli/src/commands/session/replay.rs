//! `peri session replay`: a conversation as it went, with what was noted of it.

use jiff::civil::Date;
use perihelion::Spoken;
use serde_json::json;
use unicode_width::UnicodeWidthChar;

use super::check_known;
use crate::app::{App, Session as Opened};
use crate::error::CliError;
use crate::output::{Output, STRONG, counted};
use crate::{cli, time};

/// So much of a message is shown, in columns...
const COLUMNS_MAX: usize = 600;
/// ...and in lines of its own.
const LINES_MAX: usize = 10;

/// Which conversation.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The session
    name: String,
    /// At most so many of the latest messages
    #[arg(long, short, default_value = "200", value_parser = cli::at_least_one)]
    limit: usize,
    /// Show long messages whole
    #[arg(long)]
    whole: bool,
}

/// Whether long messages are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Length {
    Whole,
    Cut,
}

pub(super) fn run(args: &Args, opened: &Opened, app: &mut App) -> Result<(), CliError> {
    let namespace = app.one_namespace(&opened.config)?;
    let spoken = opened.engine.replay_session(&namespace, &args.name, args.limit)?;
    if spoken.is_empty() {
        check_known(&opened.engine, &namespace, &args.name)?;
    }
    let out = &mut app.out;
    if out.json {
        let name = &args.name;
        return out.document(&json!({ "namespace": namespace, "session": name, "messages": spoken }));
    }
    if spoken.is_empty() {
        out.note(&format!("the journal has no messages of {:?} in {namespace}", args.name))?;
        return out.hint("the settings notes.turns and journal.retention_days say what is kept for how long");
    }
    let length = if args.whole { Length::Whole } else { Length::Cut };
    tell(&spoken, length, out)?;
    let notes: usize = spoken.iter().map(|one| one.notes.len()).sum();
    let messages = counted(spoken.len() as u64, "message", "messages");
    out.note(&format!("{messages}, {} made of them", counted(notes as u64, "note", "notes")))
}

fn tell(spoken: &[Spoken], length: Length, out: &mut Output) -> Result<(), CliError> {
    let (mut day, mut turn): (Option<Date>, usize) = (None, 0);
    for (at, one) in spoken.iter().enumerate() {
        if at > 0 {
            out.line("")?;
        }
        let date = time::local(one.entry.at).date();
        if day != Some(date) {
            let heading = out.paint(STRONG, &date.to_string());
            out.line(&heading)?;
            day = Some(date);
        }
        let actor = one.entry.actor.as_deref().unwrap_or("somebody");
        let begins = actor == "user" || turn == 0;
        turn += usize::from(begins);
        let number = if begins { format!("  turn {turn}") } else { String::new() };
        let clock = time::local(one.entry.at).strftime("%H:%M:%S").to_string();
        let head = format!("{clock}  {}{number}", out.clean(actor));
        out.faint_line(&head)?;
        tell_message(one, length, out)?;
    }
    Ok(())
}

fn tell_message(one: &Spoken, length: Length, out: &mut Output) -> Result<(), CliError> {
    let (text, left_out) = match length {
        Length::Whole => (one.entry.text.as_str(), 0),
        Length::Cut => cut(&one.entry.text),
    };
    out.hanging("  ", text)?;
    if left_out > 0 {
        let more = counted(left_out as u64, "more character", "more characters");
        out.faint_line(&format!("  [… {more}; --whole shows all]"))?;
    }
    one.notes.iter().try_for_each(|note| out.note_line(4, note))
}

/// The beginning of a long text, and how many characters of it are left out.
fn cut(text: &str) -> (&str, usize) {
    let (mut columns, mut lines) = (0, 1);
    for (at, c) in text.char_indices() {
        columns += c.width().unwrap_or(0);
        lines += usize::from(c == '\n');
        if columns > COLUMNS_MAX || lines > LINES_MAX {
            return (text[..at].trim_end(), text[at..].trim_end().chars().count());
        }
    }
    (text, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_by_columns_and_lines_and_short_ones_are_not() {
        let wide = "가".repeat(400);
        let (kept, left_out) = cut(&wide);
        assert_eq!((kept.chars().count(), left_out), (300, 100));
        let lines = "行\n".repeat(30);
        let (kept, left_out) = cut(&lines);
        assert_eq!(kept.lines().count(), 10);
        assert!(left_out > 0);
        for text in ["", "짧다", "两\n行"] {
            assert_eq!(cut(text), (text, 0));
        }
    }
}

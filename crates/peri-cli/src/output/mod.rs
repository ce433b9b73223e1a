//! The only place that writes: answers to standard output, everything else to standard error.

pub(crate) mod event;
mod memory;
mod note;
mod wrap;

use std::io::{BufWriter, IsTerminal, Stdout, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use peri_text::visible;
use perihelion::marked;
use serde::Serialize;

pub(crate) use self::memory::Reasons;
pub(crate) use self::wrap::fit;
use crate::cli::When;
use crate::error::CliError;
use crate::exit::Exit;

/// For what matters most.
pub(crate) const STRONG: Style = Style::new().bold();
/// For what is there if it is needed, such as ids.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// For what went well.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// For what somebody should know.
pub(crate) const CAUTION: Style = AnsiColor::Yellow.on_default();
/// For what went wrong.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
/// For scores and ranks.
pub(crate) const ACCENT: Style = AnsiColor::Cyan.on_default();

/// Where answers and messages go, and how they look.
pub(crate) struct Output {
    out: BufWriter<AutoStream<Stdout>>,
    err: AutoStream<std::io::Stderr>,
    colours: bool,
    message_colours: bool,
    /// The terminal's columns; none in a pipe, where nothing is wrapped or cut.
    columns: Option<usize>,
    /// Whether answers are JSON.
    pub(crate) json: bool,
    quiet: bool,
}

impl Output {
    /// Standard output and standard error as they are.
    pub(crate) fn new(when: When, json: bool, quiet: bool) -> Self {
        let colours = wants_colours(when, &std::io::stdout());
        let message_colours = wants_colours(when, &std::io::stderr());
        let terminal = std::io::stdout().is_terminal();
        let columns =
            terminal.then(|| terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0)));
        Self {
            out: BufWriter::new(AutoStream::new(std::io::stdout(), stream_choice(colours))),
            err: AutoStream::new(std::io::stderr(), stream_choice(message_colours)),
            colours,
            message_colours,
            columns: columns.map(|columns| columns.max(20)),
            json,
            quiet,
        }
    }

    /// One line of the answer: for people, wherever it goes. What a pipe takes ends on a terminal as well, so that only our
    /// own colours steer it; JSON stays exact.
    pub(crate) fn line(&mut self, text: &str) -> Result<(), CliError> {
        if self.json {
            return self.exact_line(text);
        }
        Ok(writeln!(self.out, "{}", styled(text, self.colours))?)
    }

    fn exact_line(&mut self, text: &str) -> Result<(), CliError> {
        Ok(writeln!(self.out, "{text}")?)
    }

    /// Bytes of the answer as they are.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<(), CliError> {
        Ok(self.out.write_all(bytes)?)
    }

    /// Where an answer goes that others write.
    pub(crate) fn writer(&mut self) -> &mut dyn Write {
        &mut self.out
    }

    /// One of many JSON documents, a line each.
    pub(crate) fn json_line(&mut self, document: &impl Serialize) -> Result<(), CliError> {
        let text = serde_json::to_string(document).map_err(std::io::Error::from)?;
        self.exact_line(&text)
    }

    /// The answer as one JSON document: laid out for people on a terminal, on one line in a pipe.
    pub(crate) fn document(&mut self, document: &impl Serialize) -> Result<(), CliError> {
        let text = match self.columns {
            Some(_) => serde_json::to_string_pretty(document),
            None => serde_json::to_string(document),
        };
        self.exact_line(&text.map_err(std::io::Error::from)?)
    }

    /// Something worth knowing beside the answer; left out when quiet and in JSON.
    pub(crate) fn note(&mut self, text: &str) -> Result<(), CliError> {
        if !self.quiet && !self.json {
            self.aside("note", CAUTION, text)?;
        }
        Ok(())
    }

    /// What to do next; left out when quiet and in JSON.
    pub(crate) fn hint(&mut self, text: &str) -> Result<(), CliError> {
        if !self.quiet && !self.json {
            self.aside("hint", ACCENT, text)?;
        }
        Ok(())
    }

    /// Something that went less well than it should have; left out only when quiet.
    pub(crate) fn warning(&mut self, text: &str) -> Result<(), CliError> {
        if !self.quiet {
            self.aside("warning", CAUTION, text)?;
        }
        Ok(())
    }

    /// Lines that were refused: always told.
    pub(crate) fn refusal(&mut self, text: &str) -> Result<(), CliError> {
        self.aside("refused", BAD, text)
    }

    /// A question to the person at the terminal.
    pub(crate) fn ask(&mut self, question: &str) -> Result<(), CliError> {
        self.flush()?;
        let question = self.clean(question);
        write!(self.err, "{question} ")?;
        Ok(self.err.flush()?)
    }

    /// Tells what went wrong, and how the program ends because of it.
    pub(crate) fn error(&mut self, error: &CliError) -> Exit {
        // The answer so far comes first. If it cannot be written, or nobody listens on standard error either,
        // the exit code still tells.
        let answered = self.flush();
        let told = if self.json { self.error_document(error) } else { self.error_text(error) };
        answered.and(told).map_or_else(|_| error.exit(), |()| error.exit())
    }

    /// Tells that a change waits on this machine for the store.
    pub(crate) fn queued(&mut self, told: &perihelion::Error) -> Exit {
        let outcome = if self.json {
            self.document(&serde_json::json!({ "outcome": "queued" }))
        } else {
            self.note(&told.to_string())
        };
        match outcome.and_then(|()| self.flush()) {
            Ok(()) => Exit::Done,
            Err(error) => error.exit(),
        }
    }

    fn error_document(&mut self, error: &CliError) -> Result<(), CliError> {
        let mut message = error.to_string();
        for cause in error.causes() {
            message = format!("{message}: {cause}");
        }
        let document = error_document(error.exit(), &message, error.hint().as_deref());
        Ok(writeln!(self.err, "{document}")?)
    }

    fn error_text(&mut self, error: &CliError) -> Result<(), CliError> {
        self.message("error", BAD, &error.to_string())?;
        for cause in error.causes() {
            writeln!(self.err, "  caused by: {}", self.clean(&cause))?;
        }
        match error.hint() {
            Some(hint) => self.message("hint", ACCENT, &hint),
            None => Ok(()),
        }
    }

    /// A message beside the answer; what was answered before it is seen before it.
    fn aside(&mut self, label: &str, style: Style, text: &str) -> Result<(), CliError> {
        self.flush()?;
        self.message(label, style, text)
    }

    fn message(&mut self, label: &str, style: Style, text: &str) -> Result<(), CliError> {
        let style = if self.message_colours { style } else { Style::new() };
        let text = self.clean(text);
        Ok(writeln!(self.err, "{style}{label}:{style:#} {text}")?)
    }

    /// A text in a style, if colours are on.
    pub(crate) fn paint(&self, style: Style, text: &str) -> String {
        if self.colours { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    /// A stored text as people are shown it: what it holds can move no cursor, change no colour, turn no line around and hide
    /// nothing.
    pub(crate) fn clean(&self, text: &str) -> String {
        visible(text).into_owned()
    }

    /// What is remembered, as its reader is shown it. At the end of a pipe it may be a model: there, what reads like an order
    /// to an agent is marked.
    pub(crate) fn remembered(&self, text: &str) -> String {
        if self.columns.is_some() { self.clean(text) } else { marked(text).into_owned() }
    }

    /// A text of at most so many columns on a terminal; in a pipe, all of it.
    pub(crate) fn fitted(&self, text: &str, columns: usize) -> String {
        if self.columns.is_some() { fit(text, columns) } else { text.to_owned() }
    }

    /// Whether only the bare answer is wanted.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Whether a progress bar has a terminal to draw on and somebody who wants it.
    pub(crate) fn wants_progress(&self) -> bool {
        !self.quiet && !self.json && std::io::stderr().is_terminal()
    }

    /// Hands everything out that was written so far.
    pub(crate) fn flush(&mut self) -> Result<(), CliError> {
        Ok(self.out.flush()?)
    }
}

/// Tells of arguments that cannot be understood, or shows the help or version that was asked for.
pub(crate) fn usage(refusal: &clap::Error, json: bool) -> Exit {
    let told = if refusal.use_stderr() && json {
        let rendered = refusal.render().to_string();
        let (message, hint) = usage_parts(&rendered);
        writeln!(std::io::stderr(), "{}", error_document(Exit::BadInput, &message, Some(&hint)))
    } else {
        refusal.print()
    };
    // A help text that is piped into `head` is no failure.
    match told {
        _ if refusal.use_stderr() => Exit::BadInput,
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Exit::Unavailable,
        _ => Exit::Done,
    }
}

/// What is wrong with the arguments, on one line, and what to do about it.
fn usage_parts(rendered: &str) -> (String, String) {
    let mut parts = rendered.trim().split("\n\n").map(str::trim);
    let message = parts.next().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    let message = message.strip_prefix("error: ").unwrap_or(&message).to_owned();
    let tips = parts.filter_map(|part| part.strip_prefix("tip: ")).map(ToOwned::to_owned);
    let tips = tips.chain(["`--help` tells what can be typed".to_owned()]);
    (message, tips.collect::<Vec<_>>().join("; "))
}

/// A line in which nothing but our own colours is not to be seen.
fn styled(text: &str, colours: bool) -> String {
    if !colours {
        return visible(text).into_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\u{1b}[") {
        let code = &rest[at + 2..];
        let end = code.find(|c: char| !(c.is_ascii_digit() || c == ';')).unwrap_or(code.len());
        let ends = if code[end..].starts_with('m') { at + 2 + end + 1 } else { at + 2 };
        out.push_str(&visible(&rest[..at]));
        if code[end..].starts_with('m') {
            out.push_str(&rest[at..ends]);
        } else {
            out.push_str("\u{fffd}[");
        }
        rest = &rest[ends..];
    }
    out + &visible(rest)
}

/// A whole number with its thousands apart.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things, in words.
pub(crate) fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

fn error_document(exit: Exit, message: &str, hint: Option<&str>) -> serde_json::Value {
    serde_json::json!({ "error": { "kind": exit.name(), "message": message, "hint": hint } })
}

fn wants_colours(when: When, stream: &impl anstream::stream::RawStream) -> bool {
    match when {
        When::Auto => AutoStream::choice(stream) != ColorChoice::Never,
        When::Always => true,
        When::Never => false,
    }
}

/// Without colours the stream passes everything through: stored text must not lose what looks like a colour.
fn stream_choice(colours: bool) -> ColorChoice {
    if colours { ColorChoice::Always } else { ColorChoice::AlwaysAnsi }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_holds_no_escapes_but_our_own_colours() {
        let style = format!("{BAD}red{BAD:#} two\u{1b}[2Jthree\u{202e}");
        assert_eq!(styled(&style, true), format!("{BAD}red{BAD:#} two\u{fffd}[2Jthree"));
        assert_eq!(styled("a \u{1b}[31mred\u{7}", false), "a \u{fffd}[31mred\u{fffd}");
        assert_eq!(styled("two\n\tlines, أحب القهوة, 👩‍👩‍👧", true), "two\n\tlines, أحب القهوة, 👩‍👩‍👧");
    }

    #[test]
    fn thousands_are_told_apart() {
        for (number, expected) in [(0, "0"), (999, "999"), (1204, "1,204"), (1_000_000, "1,000,000")] {
            assert_eq!(grouped(number), expected);
        }
    }
}

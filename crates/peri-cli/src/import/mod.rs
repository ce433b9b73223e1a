//! Many memories from a file or a pipe: good lines are stored, bad ones are told, nothing is lost silently.

pub(crate) mod archive;
pub(crate) mod basic_memory;
mod chatgpt;
mod claude;
pub(crate) mod conversations;
mod documents;
pub(crate) mod graph;
mod identity;
pub(crate) mod intake;
pub(crate) mod knowledge;
pub(crate) mod lines;
pub(crate) mod mem0;
mod moments;
mod note;
mod pieces;
mod progress;
pub(crate) mod record;
mod systems;
pub(crate) mod unpacked;

use std::io::BufRead;

use clap::ValueEnum;
use indicatif::ProgressBar;
use perihelion::{Error, ErrorKind, Outcome, Perihelion, Receipt, Remember};
use serde::Serialize;

use self::lines::{Line, Lines};
pub(crate) use self::progress::{progress, written};
use crate::error::CliError;

/// Memories of one transaction.
const BATCH: usize = 512;

/// How the memories are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Each line is the content of a memory
    Lines,
    /// Each line is a JSON object
    Jsonl,
}

/// A line that was not stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Refused {
    /// Its number, from 1.
    pub(crate) line: usize,
    /// Why.
    pub(crate) reason: String,
}

/// What became of the lines.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// One for each line that was stored or merged, in the order of the lines.
    pub(crate) receipts: Vec<Receipt>,
    /// The other lines.
    pub(crate) refused: Vec<Refused>,
}

impl Report {
    /// How many receipts tell of this outcome.
    pub(crate) fn count(&self, outcome: Outcome) -> usize {
        self.receipts.iter().filter(|receipt| receipt.outcome == outcome).count()
    }
}

/// An import under way.
pub(crate) struct Import<'a> {
    /// Where the memories go.
    pub(crate) engine: &'a Perihelion,
    /// What lines leave out.
    pub(crate) template: Remember,
    /// How they are written; found out from the first line if not said.
    pub(crate) format: Option<Format>,
    /// What the reader is called in messages.
    pub(crate) name: String,
    /// Shows how far it is.
    pub(crate) progress: ProgressBar,
}

impl Import<'_> {
    /// Stores every line that can be stored.
    pub(crate) fn run(mut self, reader: impl BufRead) -> Result<Report, CliError> {
        let mut report = Report::default();
        let outcome = self.read(reader, &mut report);
        self.progress.finish_and_clear();
        outcome?;
        report.refused.sort_by_key(|refused| refused.line);
        Ok(report)
    }

    fn read(&mut self, reader: impl BufRead, report: &mut Report) -> Result<(), CliError> {
        let mut batch = Vec::new();
        let mut lines = Lines::new(reader, self.line_bytes_max());
        loop {
            let line = match lines.next() {
                Ok(Some(line)) => line,
                Ok(None) => return self.store(&batch, report),
                Err(source) => {
                    // What was read before the trouble is stored, as the message will say.
                    self.store(&batch, report)?;
                    return Err(self.stopped(lines.number + 1, report, CliError::read(&self.name, source)));
                }
            };
            if let Line::Text(text) = &line {
                self.refuse_document(text)?;
            }
            match self.request(line) {
                Ok(Some(request)) => batch.push((lines.number, request)),
                Ok(None) => {}
                Err(reason) => {
                    report.refused.push(Refused { line: lines.number, reason: pieces::told(reason) });
                }
            }
            if batch.len() == BATCH {
                self.store(&batch, report)?;
                batch.clear();
                self.progress.set_position(lines.bytes);
            }
        }
    }

    fn stopped(&self, line: usize, report: &Report, source: CliError) -> CliError {
        CliError::ImportStopped { line, kept: report.receipts.len(), source: Box::new(source) }
    }

    /// The longest line worth reading: the largest memory, every character of it escaped.
    fn line_bytes_max(&self) -> usize {
        let limits = &self.engine.options().limits;
        limits
            .content_bytes_max
            .saturating_add(limits.metadata_bytes_max)
            .saturating_mul(6)
            .saturating_add(64 * 1024)
    }

    /// A JSON document over many lines would become a heap of brackets, so it is refused as a whole.
    fn refuse_document(&self, line: &str) -> Result<(), CliError> {
        let line = line.trim();
        let convert = match line {
            "{" => "jq -c .",
            _ if line == "[" || line.starts_with("[{") => "jq -c '.[]'",
            _ => return Ok(()),
        };
        // Only the first line decides, and only where nobody has said how the file is written.
        if self.format.is_some() {
            return Ok(());
        }
        Err(CliError::input(
            format!("{} is one JSON document, and one JSON object a line is needed", self.name),
            format!("nothing was stored; convert it with {convert}, or say --format lines if it is text"),
        ))
    }

    /// What a line asks for; a blank one asks for nothing.
    fn request(&mut self, line: Line) -> Result<Option<Remember>, String> {
        let text = match line {
            Line::Text(text) => text,
            Line::NotText(at) => {
                return Err(format!("it is not UTF-8 text: the byte at offset {at} of the line"));
            }
            Line::TooLong(bytes) => {
                return Err(format!("it has {bytes} bytes, more than any memory may have"));
            }
        };
        if text.trim().is_empty() {
            return Ok(None);
        }
        let json = text.trim_start().starts_with('{');
        match *self.format.get_or_insert(if json { Format::Jsonl } else { Format::Lines }) {
            Format::Lines => Ok(Some(Remember { content: text, ..self.template.clone() })),
            Format::Jsonl => record::parse(&text, &self.template).map(Some),
        }
    }

    /// Stores lines together. If one of them is refused, the halves are tried alone, down to the line that
    /// is at fault; so the good lines are stored, and in their order.
    fn store(&self, batch: &[(usize, Remember)], report: &mut Report) -> Result<(), CliError> {
        let Some((line, _)) = batch.first() else { return Ok(()) };
        let requests = batch.iter().map(|(_, request)| conversation_turn(request.clone())).collect();
        match self.engine.remember_all(requests) {
            Ok(receipts) => report.receipts.extend(receipts),
            Err(error) if !is_of_the_line(&error) => return Err(self.stopped(*line, report, error.into())),
            Err(error) if batch.len() == 1 => {
                report.refused.push(Refused { line: *line, reason: error.to_string() })
            }
            Err(_) => {
                let (first, second) = batch.split_at(batch.len() / 2);
                self.store(first, report)?;
                self.store(second, report)?;
            }
        }
        Ok(())
    }
}

/// Whether the line is at fault, rather than the store.
fn is_of_the_line(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Conflict | ErrorKind::NotFound)
}

/// Something said by somebody in a session is a turn of a conversation, unless told otherwise.
pub(crate) fn conversation_turn(mut request: Remember) -> Remember {
    match (request.facets.session.take(), request.facets.speaker.take()) {
        (Some(session), Some(speaker)) => request.said(session, speaker),
        (session, speaker) => {
            (request.facets.session, request.facets.speaker) = (session, speaker);
            request
        }
    }
}

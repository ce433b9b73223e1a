//! What was said, from the record that an agent keeps itself.
//!
//! Records grow by lines of JSON. [`read`] hears what was said since the last time and tells where to go on. Tools,
//! thoughts, summaries and what hooks put in are left out. [`turns`] tells what was done: the tools that were called
//! between one prompt and the next, in words, and what came of them.
//!
//! The forms are those of 2026: Claude Code, Codex (by its events, old and new), Gemini CLI (by lines, not the single
//! document of before), Cursor, and Visual Studio Code. Windsurf is not read: its hooks tell the answer.

mod claude;
mod codex;
mod copilot;
mod cursor;
mod deeds;
mod gemini;
mod heard;
mod lines;
mod turns;

use std::fs::File;
use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

pub use deeds::{Deed, DeedResult, Delegation, TurnEnd};
pub use heard::{Heard, Rest, Role, Said};
pub use turns::{Turn, Turns, turns};

use self::deeds::Trace;
use self::heard::Joining;
use self::lines::{Line, Lines};
use super::json;
use super::plain;
use super::read::TEXT_BYTES_MAX;
use crate::Agent;

/// How much is read at once. Every part has a default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// A longer line is passed over.
    pub line_bytes_max: usize,
    /// No more bytes than these are read, except for the rest of a line.
    pub bytes_max: u64,
    /// No more messages than these are heard.
    pub messages_max: usize,
    /// What is longer in one line is cut, with a mark.
    pub text_bytes_max: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            line_bytes_max: 8 << 20,
            bytes_max: 512 << 20,
            messages_max: 10_000,
            text_bytes_max: TEXT_BYTES_MAX,
        }
    }
}

/// What is to be read.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'a> {
    /// Whose record it is.
    pub agent: Agent,
    /// Where it is.
    pub path: &'a Path,
    /// Where to go on: [`Heard::next`] of the last time, or 0.
    pub from: u64,
    /// The time of what has none of its own, such as that of the call.
    pub at: Timestamp,
    /// How much at once.
    pub limits: Limits,
}

/// Why nothing was heard.
#[derive(Debug, thiserror::Error)]
pub enum TranscriptError {
    /// Nobody knows how this agent writes. Use what its hooks tell.
    #[error("what {agent} records in {} cannot be read", path.display())]
    UnknownForm {
        /// Whose record it is.
        agent: Agent,
        /// Where it is.
        path: PathBuf,
    },
    /// There is no such file, or it is not one. Try again at the next call.
    #[error("there is no record in {}", path.display())]
    Missing {
        /// Where it should be.
        path: PathBuf,
    },
    /// The disk failed. Try again at the next call.
    #[error("the record in {} could not be read: {source}", path.display())]
    Disk {
        /// Where it is.
        path: PathBuf,
        /// What happened.
        source: io::Error,
    },
}

/// What one line says.
#[derive(Debug, Default)]
struct Told {
    said: Option<Piece>,
    /// How many traces of tools it holds.
    tools: usize,
    /// Which tools were called, what came of them, and what broke off.
    traces: Vec<Trace>,
    /// When, if it tells.
    at: Option<Timestamp>,
    /// Whether it was said while the agent was at work.
    is_amid: bool,
}

impl Told {
    /// That something broke off, and nothing else.
    fn ended(end: TurnEnd, line: &Value) -> Self {
        Self { traces: vec![Trace::Ended(end)], at: time_of(line), ..Self::default() }
    }
}

/// A message, or a part of one.
#[derive(Debug)]
struct Piece {
    role: Role,
    text: String,
    at: Option<Timestamp>,
    id: Option<String>,
}

type Teller = fn(&Value) -> Told;

/// Whether a record can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// It is in a form that is known.
    Known,
    /// Only what the hooks tell can be heard.
    Unknown,
}

/// Whether what an agent records in this file can be read, by its name alone.
pub fn form(agent: Agent, path: &Path) -> Form {
    form_of(agent, path).map_or(Form::Unknown, |_| Form::Known)
}

/// How an agent writes; none if it is not known.
fn form_of(agent: Agent, path: &Path) -> Option<(Teller, Joining)> {
    let ends_with = |end: &str| path.extension().is_some_and(|own| own == end);
    match agent {
        Agent::ClaudeCode => Some((claude::told, Joining::Append)),
        // Codex packs records that nobody writes any more.
        Agent::Codex if ends_with("zst") => None,
        Agent::Codex => Some((codex::told, Joining::Append)),
        Agent::Gemini if ends_with("json") => None,
        // Gemini CLI writes a message again when more is known of it.
        Agent::Gemini => Some((gemini::told, Joining::Replace)),
        Agent::Cursor => Some((cursor::told, Joining::Append)),
        Agent::VsCode => Some((copilot::told, Joining::Append)),
        Agent::Windsurf => None,
    }
}

/// Hears what was said since the last time. A last line that is not complete yet is left for the next time. A record that
/// became shorter, or that was plainly replaced, is read from its beginning.
pub fn read(reading: &Reading<'_>) -> Result<Heard, TranscriptError> {
    let opened = opened(reading)?;
    hear(reading, opened).map_err(|source| reading.failed(source))
}

/// A record, ready to be read on.
struct Opened {
    lines: Lines<BufReader<File>>,
    from: u64,
    teller: Teller,
    joining: Joining,
}

fn opened(reading: &Reading<'_>) -> Result<Opened, TranscriptError> {
    let Reading { agent, path, from, limits, .. } = *reading;
    let (teller, joining) =
        form_of(agent, path).ok_or_else(|| TranscriptError::UnknownForm { agent, path: path.to_owned() })?;
    let failed = |source: io::Error| reading.failed(source);
    // A pipe would be waited for.
    if !path.metadata().map_err(failed)?.is_file() {
        return Err(TranscriptError::Missing { path: path.to_owned() });
    }
    let mut file = peri_private::open(path).map_err(failed)?;
    let from = begin(&mut file, from).map_err(failed)?;
    let lines = Lines::new(BufReader::with_capacity(256 << 10, file), limits.line_bytes_max);
    Ok(Opened { lines, from, teller, joining })
}

impl Reading<'_> {
    fn failed(&self, source: io::Error) -> TranscriptError {
        let path = self.path.to_owned();
        match source.kind() {
            io::ErrorKind::NotFound => TranscriptError::Missing { path },
            _ => TranscriptError::Disk { path, source },
        }
    }
}

/// Where reading begins, with the file put there. What was read always ended with a line.
fn begin(file: &mut File, from: u64) -> io::Result<u64> {
    let is_within = from > 0 && file.metadata()?.len() >= from;
    if is_within {
        file.seek(SeekFrom::Start(from - 1))?;
        let mut last = [0];
        file.read_exact(&mut last)?;
        if last == *b"\n" {
            return Ok(from);
        }
    }
    file.seek(SeekFrom::Start(0))?;
    Ok(0)
}

fn hear(reading: &Reading<'_>, opened: Opened) -> io::Result<Heard> {
    let (limits, Opened { mut lines, from, teller, joining }) = (reading.limits, opened);
    let mut heard = Heard::nothing(from, joining);
    loop {
        if heard.next - from >= limits.bytes_max || heard.messages.len() >= limits.messages_max {
            heard.rest = Rest::More;
            return Ok(heard);
        }
        let offset = heard.next;
        let (line, length) = lines.next()?;
        let told = match line {
            Line::Whole(bytes) => told_in(bytes, teller),
            Line::TooLong => None,
            Line::Unfinished => return Ok(heard),
        };
        heard.next += length;
        match told {
            Some(told) => {
                heard.tools += told.tools;
                told.said
                    .and_then(|piece| said_in(reading, piece, offset))
                    .into_iter()
                    .for_each(|said| heard.add(said));
            }
            None => heard.unreadable += 1,
        }
    }
}

/// What a line tells; none if it cannot be read.
fn told_in(line: &[u8], teller: Teller) -> Option<Told> {
    if line.trim_ascii().is_empty() {
        return Some(Told::default());
    }
    json::parse(line).ok().map(|value| teller(&value))
}

/// What was said in a piece; none if nothing was.
fn said_in(reading: &Reading<'_>, piece: Piece, offset: u64) -> Option<Said> {
    let text = own_words(reading, &piece);
    (!text.is_empty()).then(|| Said {
        role: piece.role,
        text,
        at: piece.at.unwrap_or_else(|| later(reading.at, offset)),
        id: piece.id.filter(|id| !id.is_empty()),
    })
}

/// What somebody said in a piece, without what was put around it; empty if nothing.
fn own_words(reading: &Reading<'_>, piece: &Piece) -> String {
    let text = match piece.role {
        Role::User => plain::said(reading.agent, &piece.text),
        Role::Assistant => piece.text.trim().to_owned(),
    };
    plain::cut(text, reading.limits.text_bytes_max)
}

/// A time for what has none: that of the call and, so that no two are alike, a little later for each line.
fn later(at: Timestamp, offset: u64) -> Timestamp {
    let offset = SignedDuration::from_nanos(i64::try_from(offset).unwrap_or(i64::MAX));
    at.checked_add(offset).unwrap_or(at)
}

/// The time that a line gives.
fn time_of(line: &Value) -> Option<Timestamp> {
    match line.get("timestamp")? {
        Value::String(text) => text.parse().ok(),
        Value::Number(number) => Timestamp::from_millisecond(number.as_i64()?).ok(),
        _ => None,
    }
}

fn name_of(value: &Value, field: &str) -> Option<String> {
    value.get(field).and_then(Value::as_str).map(str::to_owned)
}

fn is_true(value: &Value, field: &str) -> bool {
    value.get(field).and_then(Value::as_bool).unwrap_or(false)
}

/// How many blocks of a message are of a kind that the function knows.
fn blocks(content: &Value, is_one: impl Fn(&str) -> bool) -> usize {
    let kinds = content.as_array().into_iter().flatten().filter_map(|block| block.get("type"));
    kinds.filter_map(Value::as_str).filter(|kind| is_one(kind)).count()
}

/// The blocks of a message with what each is.
fn kinds(content: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let blocks = content.as_array().into_iter().flatten();
    blocks.filter_map(|block| Some((block.get("type")?.as_str()?, block)))
}

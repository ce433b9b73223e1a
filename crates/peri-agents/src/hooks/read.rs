//! What an agent says to a hook, read into a [`Call`].

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde_json::Value;

use super::call::{Call, Occasion, Start};
use super::folder::tidied;
use super::json::{self, Fields};
use super::plain;
use super::table::{self, OccasionKind};
use crate::Agent;

/// Longest input of a hook, in bytes.
pub const INPUT_BYTES_MAX: usize = 8 << 20;
/// Longest prompt and longest answer that are kept whole, in bytes. Longer ones are cut, with a mark.
pub const TEXT_BYTES_MAX: usize = 256 << 10;
/// Longest name of a session, in bytes. A longer one is replaced by one made of it.
const SESSION_BYTES_MAX: usize = 512;
/// What Gemini CLI says when it has called tools and said nothing.
const NO_ANSWER: &str = "[no response text]";

/// What a hook was given.
#[derive(Debug, Clone, Copy)]
pub struct Received<'a> {
    /// Who called.
    pub agent: Agent,
    /// The event, as it stands on the command line.
    pub event: &'a str,
    /// What came on the input, of which no more than [`INPUT_BYTES_MAX`] and one byte need to be read.
    pub input: &'a [u8],
    /// The folder of the project, if the agent puts it into the environment, as in `CLAUDE_PROJECT_DIR`.
    pub project: Option<&'a Path>,
    /// Where the hook runs; an absolute path. Used if the agent does not say where it works.
    pub folder: &'a Path,
    /// When.
    pub at: Timestamp,
}

/// Why nothing was understood. Nothing is kept of such a call, and the agent goes on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HookError {
    /// An event that means nothing here. Pass over it in silence.
    #[error("{agent} has no event {event:?} that is of use here; it was passed over")]
    UnknownEvent {
        /// Who called.
        agent: Agent,
        /// The beginning of what it called it.
        event: String,
    },
    /// Another agent runs the hooks of this one too, as Cursor and Visual Studio Code do with those of Claude Code. Pass
    /// over it in silence: it has hooks of its own, and nothing is to be heard twice.
    #[error("{other} ran a hook of {agent}; it was passed over")]
    OtherAgent {
        /// Whose hook it is.
        agent: Agent,
        /// Who ran it.
        other: Agent,
    },
    /// More than is read. Log it.
    #[error("what {agent} said is longer than {INPUT_BYTES_MAX} bytes; nothing of it was kept")]
    TooLong {
        /// Who called.
        agent: Agent,
    },
    /// No JSON object. Log it.
    #[error("what {agent} said could not be read, and nothing of it was kept: {why}")]
    Unreadable {
        /// Who called.
        agent: Agent,
        /// What is wrong with it.
        why: String,
    },
}

/// Reads what an agent says to a hook. Whatever it does not say is made up as well as can be; only what happened must be
/// known.
pub fn read(received: &Received<'_>) -> Result<Call, HookError> {
    let Received { agent, event, input, at, .. } = *received;
    let kind = table::kind_of(agent, event)
        .ok_or_else(|| HookError::UnknownEvent { agent, event: event.chars().take(64).collect() })?;
    let fields = fields_of(agent, input)?;
    if let Some(other) = borrower(agent, &fields) {
        return Err(HookError::OtherAgent { agent, other });
    }
    let folder = folder_in(&fields, received);
    let name = fields.name(&["conversationid", "sessionid", "trajectoryid", "threadid"]).and_then(named);
    let session = name.unwrap_or_else(|| made_up(agent, &folder, at));
    let transcript = transcript_in(&fields, &folder);
    Ok(Call { agent, occasion: occasion_in(agent, kind, &fields), session, folder, transcript, at })
}

fn fields_of(agent: Agent, input: &[u8]) -> Result<Fields, HookError> {
    if input.len() > INPUT_BYTES_MAX {
        return Err(HookError::TooLong { agent });
    }
    if input.trim_ascii().is_empty() {
        return Ok(Fields::of(&Value::Null));
    }
    let value = json::parse(input)
        .map_err(|error| HookError::Unreadable { agent, why: format!("it is not JSON ({error})") })?;
    if !value.is_object() {
        return Err(HookError::Unreadable { agent, why: "it is JSON but not an object".to_owned() });
    }
    Ok(Fields::of(&value))
}

/// Who runs a hook of Claude Code without being Claude Code; none if nobody says so.
fn borrower(agent: Agent, fields: &Fields) -> Option<Agent> {
    if agent != Agent::ClaudeCode {
        return None;
    }
    let is_in_code = |path: String| path.contains("workspaceStorage") || path.contains("GitHub.copilot-chat");
    if fields.name(&["cursorversion"]).is_some() {
        Some(Agent::Cursor)
    } else if fields.name(&["transcriptpath"]).is_some_and(is_in_code) {
        Some(Agent::VsCode)
    } else {
        None
    }
}

fn occasion_in(agent: Agent, kind: OccasionKind, fields: &Fields) -> Occasion {
    let inner = fields.inside("toolinfo");
    match kind {
        OccasionKind::SessionStart => Occasion::SessionStart { reason: start_in(fields) },
        OccasionKind::Prompt => {
            let names = ["prompt", "userprompt", "usermessage"];
            let text = fields.text(&names).or_else(|| inner.text(&names)).unwrap_or_default();
            Occasion::Prompt { text: plain::cut(plain::said(agent, &text), TEXT_BYTES_MAX) }
        }
        OccasionKind::Stop => {
            let names = ["lastassistantmessage", "promptresponse", "text", "response"];
            let answer = fields.text(&names).or_else(|| inner.text(&names));
            let answer = answer.map(|text| text.trim().to_owned()).filter(|text| text != NO_ANSWER);
            Occasion::Stop { answer: answer.map(|text| plain::cut(text, TEXT_BYTES_MAX)) }
        }
        OccasionKind::BeforeCompaction => Occasion::BeforeCompaction,
        OccasionKind::SessionEnd => Occasion::SessionEnd,
    }
}

/// What is new to us is a new session: nothing is taken for known that may not be.
fn start_in(fields: &Fields) -> Start {
    match fields.name(&["source", "trigger"]).as_deref() {
        Some("resume" | "resumed") => Start::Resumed,
        Some("clear" | "cleared") => Start::Cleared,
        Some("compact" | "compacted" | "compress") => Start::Compacted,
        Some(_) | None => Start::New,
    }
}

fn folder_in(fields: &Fields, received: &Received<'_>) -> PathBuf {
    let project = ["workspaceroots", "workspaceroot", "projectdir", "claudeprojectdir", "cursorprojectdir"];
    let said = project.iter().find_map(|name| fields.first(name)).map(PathBuf::from);
    let said = said.or_else(|| received.project.filter(|path| path.has_root()).map(Path::to_owned));
    let working =
        || fields.first("cwd").or_else(|| fields.inside("toolinfo").first("cwd")).map(PathBuf::from);
    let folder = said.or_else(working).unwrap_or_default();
    written(&tidied(&received.folder.join(folder)))
}

fn transcript_in(fields: &Fields, folder: &Path) -> Option<PathBuf> {
    let path =
        fields.name(&["transcriptpath"]).or_else(|| fields.inside("toolinfo").name(&["transcriptpath"]));
    path.map(|path| folder.join(path))
}

/// The path as it can be written down, which a few names cannot.
fn written(path: &Path) -> PathBuf {
    PathBuf::from(path.to_string_lossy().replace('\0', "\u{fffd}"))
}

/// The agent's name of a session, or one made of it if it is too long; none if there is nothing in it to be seen.
fn named(name: String) -> Option<String> {
    let name = name.replace(char::is_control, " ");
    if name.trim().is_empty() {
        return None;
    }
    let is_short = name.len() <= SESSION_BYTES_MAX;
    Some(if is_short { name } else { blake3::hash(name.as_bytes()).to_hex().as_str().to_owned() })
}

/// The session of an agent that does not name it: one for each folder and day.
fn made_up(agent: Agent, folder: &Path, at: Timestamp) -> String {
    let digest = blake3::hash(folder.to_string_lossy().as_bytes()).to_hex();
    format!("{agent}-{}-{}", &digest[..12], at.strftime("%Y-%m-%d"))
}

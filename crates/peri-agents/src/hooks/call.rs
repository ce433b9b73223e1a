//! A call of a hook: which agent, on which occasion, in which session and folder.

use std::path::PathBuf;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::table::OccasionKind;
use crate::Agent;

/// How a session began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// It is new.
    New,
    /// It goes on where it was left, with all of its context.
    Resumed,
    /// The user threw its context away.
    Cleared,
    /// Its context was replaced by a summary.
    Compacted,
}

/// What a hook was called for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Occasion {
    /// A session began, went on, or lost its context.
    SessionStart {
        /// Which of these.
        reason: Start,
    },
    /// The user said something.
    Prompt {
        /// What was said; empty if nothing of it was the user's own words.
        text: String,
    },
    /// The agent has answered.
    Stop {
        /// What it said, if the agent tells. The transcript tells it otherwise.
        #[serde(default)]
        answer: Option<String>,
    },
    /// The context is about to be made smaller.
    BeforeCompaction,
    /// The session is over.
    SessionEnd,
}

impl Occasion {
    /// Which one it is, without what was said.
    pub const fn kind(&self) -> OccasionKind {
        match self {
            Self::SessionStart { .. } => OccasionKind::SessionStart,
            Self::Prompt { .. } => OccasionKind::Prompt,
            Self::Stop { .. } => OccasionKind::Stop,
            Self::BeforeCompaction => OccasionKind::BeforeCompaction,
            Self::SessionEnd => OccasionKind::SessionEnd,
        }
    }
}

/// What an agent told when it ran a hook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Call {
    /// Who called.
    pub agent: Agent,
    /// What for.
    pub occasion: Occasion,
    /// The agent's name of the session; never blank.
    pub session: String,
    /// Where the agent works; an absolute path. [`folder_of`](super::folder_of) tells the project it belongs to.
    pub folder: PathBuf,
    /// The agent's own record of what was said, if it keeps one.
    pub transcript: Option<PathBuf>,
    /// When.
    pub at: Timestamp,
}

impl Call {
    /// The version of the written form. What a later one says cannot be read.
    pub const VERSION: u32 = 1;
}

/// A call in its written form. Fields that are added later are passed over.
#[derive(Clone, Serialize, Deserialize)]
struct Written {
    version: u32,
    agent: Agent,
    occasion: Occasion,
    session: String,
    folder: PathBuf,
    #[serde(default)]
    transcript: Option<PathBuf>,
    at: Timestamp,
}

/// The version of a written call, whatever else it says.
#[derive(Deserialize)]
pub(super) struct WrittenVersion {
    pub(super) version: u32,
}

impl From<Call> for Written {
    fn from(call: Call) -> Self {
        let Call { agent, occasion, session, folder, transcript, at } = call;
        Self { version: Call::VERSION, agent, occasion, session, folder, transcript, at }
    }
}

impl TryFrom<Written> for Call {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let Written { version, agent, occasion, session, folder, transcript, at } = written;
        if version > Self::VERSION {
            return Err(format!("it was written by a newer version of Perihelion (form {version})"));
        }
        if session.trim().is_empty() {
            return Err("its session has no name".to_owned());
        }
        Ok(Self { agent, occasion, session, folder, transcript, at })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(occasion: Occasion) -> Call {
        Call {
            agent: Agent::VsCode,
            occasion,
            session: "회의 1".to_owned(),
            folder: "/집/项目".into(),
            transcript: Some("/집/t.jsonl".into()),
            at: "2026-11-16T17:30:00.123456789Z".parse().unwrap(),
        }
    }

    #[test]
    fn a_call_reads_back_on_every_occasion() {
        for occasion in [
            Occasion::SessionStart { reason: Start::Compacted },
            Occasion::Prompt { text: "안녕\n\"你好\"".to_owned() },
            Occasion::Stop { answer: None },
            Occasion::Stop { answer: Some(String::new()) },
            Occasion::BeforeCompaction,
            Occasion::SessionEnd,
        ] {
            let call = example(occasion);
            let text = serde_json::to_string(&call).unwrap();
            assert_eq!(serde_json::from_str::<Call>(&text).unwrap(), call, "{text}");
        }
    }

    #[test]
    fn what_was_added_later_is_passed_over_and_a_later_form_is_refused() {
        let mut value = serde_json::to_value(example(Occasion::SessionEnd)).unwrap();
        value["mood"] = "good".into();
        value["occasion"]["reason"] = "exit".into();
        value.as_object_mut().unwrap().remove("transcript");
        let call: Call = serde_json::from_value(value.clone()).unwrap();
        assert_eq!(call, Call { transcript: None, ..example(Occasion::SessionEnd) });
        value["version"] = (Call::VERSION + 1).into();
        assert!(serde_json::from_value::<Call>(value).unwrap_err().to_string().contains("newer"));
    }
}

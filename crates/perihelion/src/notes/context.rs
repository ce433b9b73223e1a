//! The context of an agent: durable notes, notes of its session, memories and working memory, within a budget.
//!
//! What changes least comes first, so that caches of prompts hold for as long as possible.

mod gather;
mod render;

pub(super) use render::origin;

use std::time::Duration;

use peri_notes::LoanId;
use peri_types::{MemoryId, Namespace, PatternId};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::engine::Perihelion;

/// What an agent is to be given.
#[derive(Debug, Clone, PartialEq)]
pub struct ContextRequest {
    /// Where to look.
    pub namespace: Namespace,
    /// The agent's session.
    pub session: Option<String>,
    /// What the agent was asked, if anything: memories that matter to it are among what it is given.
    pub query: Option<String>,
    /// At which moment.
    pub moment: Moment,
    /// At most so many tokens; the engine's setting for the moment if left out.
    pub tokens_max: Option<usize>,
    /// At most so many characters, for those who count them.
    pub chars_max: Option<usize>,
    /// Whether what must be given once counts as given.
    pub delivery: Delivery,
    /// An id of whoever asks: asking again on the same occasion does not begin the session once more.
    pub occasion: Option<String>,
}

/// At which moment an agent is given something.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Moment {
    /// A session begins, and the agent knows nothing.
    Start,
    /// A session goes on where it was: the agent has what it was given.
    Resumed,
    /// The agent has lost sight of what it was given.
    Compacted,
    /// The agent is asked something.
    Prompt,
    /// Somebody wants to see everything there is.
    #[default]
    Look,
}

/// Whether what must be given once counts as given.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Delivery {
    /// It does not: whoever looks takes nothing away.
    #[default]
    Look,
    /// It does, once [`Perihelion::confirm_context`] says so; nobody else is given it until the lease is over.
    Once {
        /// How long the giver may take.
        lease: Duration,
    },
}

/// What an agent is given.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AgentContext {
    /// The text for the agent; empty if there is nothing to give.
    pub text: String,
    /// How many tokens it has.
    pub tokens: usize,
    /// How many it might have had.
    pub tokens_max: usize,
    /// Its parts, in order.
    pub parts: Vec<ContextPart>,
    /// What did not take part although it should have, in words for a person.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub degraded: Vec<String>,
    /// What has to be confirmed once the agent has the text.
    #[serde(skip)]
    pub loan: Option<LoanId>,
}

/// A part of a context.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContextPart {
    /// What it holds.
    pub kind: PartKind,
    /// How many tokens it has.
    pub tokens: usize,
    /// How many things did not fit.
    pub left_out: usize,
    /// What it holds, in order, and where each thing is from.
    pub given: Vec<Given>,
    /// Its text.
    #[serde(skip)]
    pub(crate) text: String,
}

/// What a part of a context holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PartKind {
    /// The digest of the namespace.
    DurableNotes,
    /// The notes of the agent's own session.
    SessionNotes,
    /// The notes of the session before it, which no other session was given.
    EarlierSession,
    /// Memories.
    Memories,
    /// Strategies that worked for such tasks.
    Patterns,
    /// Working memory.
    WorkingMemory,
}

/// One thing that an agent is given.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Given {
    /// What it says.
    pub text: String,
    /// Where it is from.
    pub from: Provenance,
}

/// Where something that an agent is given is from.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Provenance {
    /// A note.
    Note {
        /// Which one: `n17` of a session, or `d4` of the digest.
        id: String,
        /// Of which session; none for the digest.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session: Option<String>,
        /// The journal entries, memories and notes it was made from.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        origins: Vec<String>,
    },
    /// A memory.
    Memory {
        /// Which one.
        id: MemoryId,
        /// How relevant it seems, if something was asked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        score: Option<f32>,
    },
    /// A pattern.
    Pattern {
        /// Which one: whoever records that it was followed names it.
        id: PatternId,
        /// How much it is recommended.
        score: f32,
    },
    /// A value of working memory.
    Work {
        /// Under which key.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<String>,
    },
}

impl ContextRequest {
    /// Everything there is, to look at.
    pub fn new(namespace: Namespace) -> Self {
        Self {
            namespace,
            session: None,
            query: None,
            moment: Moment::Look,
            tokens_max: None,
            chars_max: None,
            delivery: Delivery::Look,
            occasion: None,
        }
    }

    /// The same for a session.
    pub fn in_session(mut self, session: impl Into<String>) -> Self {
        self.session = Some(session.into());
        self
    }

    /// The same, with memories that matter to a question.
    pub fn about(mut self, query: impl Into<String>) -> Self {
        self.query = Some(query.into());
        self
    }

    /// The same at a moment.
    pub fn at(mut self, moment: Moment) -> Self {
        self.moment = moment;
        self
    }

    /// The same, so that what must be given once counts as given when that is confirmed.
    pub fn once(mut self, lease: Duration) -> Self {
        self.delivery = Delivery::Once { lease };
        self
    }

    /// The same in at most so many tokens.
    pub fn tokens_max(mut self, tokens: usize) -> Self {
        self.tokens_max = Some(tokens);
        self
    }
}

impl AgentContext {
    /// Everything in it, in words, for the guard against learning it again.
    pub fn handed_out(&self) -> Vec<String> {
        self.parts.iter().flat_map(|part| part.given.iter().map(|given| given.text.clone())).collect()
    }
}

impl Perihelion {
    /// What an agent is to be given. Trouble with notes or memories leaves them out and says so; only a malformed
    /// request is an error.
    pub fn context(&self, request: &ContextRequest) -> Result<AgentContext, Error> {
        self.core.usage.note_asked_in(&request.namespace, self.core.time_of_use());
        let mut gathered = self.gather(request)?;
        gathered.degraded.extend(self.clock_leap().map(|leap| leap.to_string()));
        if request.moment == Moment::Start {
            gathered.notices.extend(self.core.fading_told_at_start(&request.namespace));
        }
        Ok(render::render(&gathered, self.budget(request), request.chars_max.unwrap_or(usize::MAX)))
    }

    /// Asks for the notes of a session to be given to its agent again, with its next prompt. The same occasion, which is
    /// any id of whoever asks, does so once.
    pub fn ask_for_notes(&self, namespace: &Namespace, session: &str, occasion: &str) -> Result<(), Error> {
        let session = self.core.session_named(session)?;
        self.core.notes()?.raise_inject_flag(namespace, &session, occasion)?;
        Ok(())
    }

    /// Says that the agent has what it was given: it counts as given from now on, and is known if it comes back.
    pub fn confirm_context(
        &self,
        namespace: &Namespace,
        session: &str,
        context: &AgentContext,
    ) -> Result<(), Error> {
        let Some(loan) = &context.loan else { return Ok(()) };
        let session = self.core.session_named(session)?;
        let companion = self.core.companion()?;
        match companion.confirm(namespace, &session, loan, &context.handed_out())? {
            peri_notes::Confirmed::Done => {}
            peri_notes::Confirmed::TooLate => {
                tracing::warn!("what an agent was given was confirmed too late; it may be given again");
            }
        }
        Ok(())
    }

    /// Says that the agent did not get what it was to be given: it is given to whoever asks next.
    pub fn give_back_context(
        &self,
        namespace: &Namespace,
        session: &str,
        context: &AgentContext,
    ) -> Result<(), Error> {
        let Some(loan) = &context.loan else { return Ok(()) };
        let session = self.core.session_named(session)?;
        Ok(self.core.notes()?.give_back(namespace, &session, loan)?)
    }

    fn budget(&self, request: &ContextRequest) -> usize {
        let settings = &self.core.options.notes.context;
        let usual = match request.moment {
            Moment::Prompt => settings.prompt_tokens,
            Moment::Start | Moment::Resumed | Moment::Compacted | Moment::Look => settings.start_tokens,
        };
        request.tokens_max.unwrap_or(usual)
    }
}

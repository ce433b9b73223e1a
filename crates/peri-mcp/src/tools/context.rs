//! `context_get`, `context_take`: what an agent is to know before it answers.

use std::time::Duration;

use perihelion::{
    AgentContext, Confirmation, ContextRequest, MemoryId, Moment, PartKind, PatternId, Provenance,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::desk::Desk;
use crate::refusal::Refusal;

pub(crate) const GET_WHEN: &str = "Look at everything to know before going on: durable notes, the notes of a session, \
memories and working memory, as one text within a budget. It takes nothing away. For one question, use memory_recall.";

pub(crate) const TAKE_WHEN: &str = "Be given what is new for your session: call it once when the session starts, after \
your context was compacted, and later for what was noted meanwhile. Each note is given once, and to one session only.";

/// Nobody else is given the same while it is written down that the caller has it.
const LEASE: Duration = Duration::from_secs(60);

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Get {
    /// Your own
    #[schemars(length(min = 1, max = 256))]
    session: Option<String>,
    /// What memories should be about
    query: Option<String>,
    #[schemars(range(min = 1))]
    max_tokens: Option<usize>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Take {
    /// Your own
    #[schemars(length(min = 1, max = 256))]
    session: String,
    /// What memories should be about
    query: Option<String>,
    #[schemars(range(min = 1))]
    max_tokens: Option<usize>,
    #[serde(default)]
    moment: TakeMoment,
}

/// Why an agent asks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum TakeMoment {
    /// Its session begins.
    #[default]
    Start,
    /// Its session goes on where it was.
    Resumed,
    /// It has lost sight of what it was given.
    Compacted,
    /// It was asked something.
    Prompt,
}

impl From<TakeMoment> for Moment {
    fn from(moment: TakeMoment) -> Self {
        match moment {
            TakeMoment::Start => Self::Start,
            TakeMoment::Resumed => Self::Resumed,
            TakeMoment::Compacted => Self::Compacted,
            TakeMoment::Prompt => Self::Prompt,
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Context {
    text: String,
    tokens: usize,
    /// Where each line is from, in their order.
    sources: Vec<Source>,
    /// How many things did not fit.
    #[serde(skip_serializing_if = "is_zero")]
    left_out: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    degraded: Vec<String>,
}

/// Where a line of a context is from.
#[derive(Debug, Serialize, JsonSchema)]
struct Source {
    part: PartKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    /// What the note was made from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    origins: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<MemoryId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pattern: Option<PatternId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    /// Of working memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

fn rounded(score: f32) -> f64 {
    (f64::from(score) * 1000.0).round() / 1000.0
}

impl Source {
    fn of(part: PartKind, from: &Provenance) -> Self {
        let nothing = Self {
            part,
            note: None,
            session: None,
            origins: Vec::new(),
            memory: None,
            pattern: None,
            score: None,
            key: None,
        };
        match from.clone() {
            Provenance::Note { id, session, origins } => Self { note: Some(id), session, origins, ..nothing },
            Provenance::Memory { id, score } => {
                Self { memory: Some(id), score: score.map(rounded), ..nothing }
            }
            Provenance::Pattern { id, score } => {
                Self { pattern: Some(id), score: Some(rounded(score)), ..nothing }
            }
            Provenance::Work { key } => Self { key, ..nothing },
        }
    }
}

impl From<AgentContext> for Context {
    fn from(context: AgentContext) -> Self {
        let AgentContext { text, tokens, parts, degraded, .. } = context;
        let sources = parts.iter().flat_map(|part| {
            let kind = part.kind;
            part.given.iter().map(move |given| Source::of(kind, &given.from))
        });
        let sources = sources.collect();
        let left_out = parts.iter().map(|part| part.left_out).sum();
        Self { text, tokens, sources, left_out, degraded }
    }
}

/// What a model reads: the context itself.
pub(crate) fn as_text(context: &Context) -> String {
    let mut text = match context.text.is_empty() {
        true => "There is nothing to give.\n".to_owned(),
        false => context.text.clone(),
    };
    for trouble in &context.degraded {
        text.push_str(&format!("\n{trouble}"));
    }
    text
}

pub(crate) fn get(desk: &Desk<'_>, asked: Get) -> Result<Context, Refusal> {
    let mut request = ContextRequest::new(desk.namespace()?.clone());
    request.session.clone_from(&asked.session);
    request.query = asked.query;
    request.tokens_max = budget(asked.max_tokens)?;
    let mut context = desk.engine.context(&request)?;
    if let Some(session) = &asked.session {
        desk.note_handed_out(session, &context.handed_out(), &mut context.degraded);
    }
    Ok(context.into())
}

pub(crate) fn take(desk: &Desk<'_>, asked: Take) -> Result<Context, Refusal> {
    let namespace = desk.namespace()?.clone();
    let occasion = match asked.moment {
        // Every time it is lost, it is given again.
        TakeMoment::Compacted => Some(format!("compacted {}", desk.engine.options().clock.now())),
        TakeMoment::Start | TakeMoment::Resumed | TakeMoment::Prompt => None,
    };
    let mut request = ContextRequest::new(namespace.clone())
        .in_session(asked.session.clone())
        .at(asked.moment.into())
        .once(LEASE);
    (request.query, request.occasion) = (asked.query, occasion);
    request.tokens_max = budget(asked.max_tokens)?;
    let mut context = desk.engine.context(&request)?;
    let texts = context.handed_out();
    match context.loan_number() {
        // What cannot be confirmed is not given either: it comes with the next call.
        Some(loan) => match desk.engine.confirm_loan(&namespace, &asked.session, &loan, &texts)? {
            Confirmation::Confirmed => {}
            Confirmation::TooLate => {
                return Err(Refusal::new("another call of this session was given it meanwhile; call again"));
            }
        },
        None => desk.note_handed_out(&asked.session, &texts, &mut context.degraded),
    }
    Ok(context.into())
}

fn budget(asked: Option<usize>) -> Result<Option<usize>, Refusal> {
    match asked {
        Some(0) => Err(Refusal::argument("max_tokens", "0 is less than 1")),
        asked => Ok(asked),
    }
}

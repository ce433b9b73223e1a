//! What surrounds the engine and is none of it: where backups go, and what language models were asked. Whoever starts
//! the server knows, and hands it in; the routes only tell it.

use perihelion::{ChangeNumber, ErrorKind, Perihelion, Timestamp};
use schemars::JsonSchema;
use serde::Serialize;

/// Looks at something beside an engine.
type Look<T> = Box<dyn Fn(&Perihelion) -> Result<T, Failure> + Send + Sync>;
/// The same, with at most so many of the latest.
type LookAtMost<T> = Box<dyn Fn(&Perihelion, usize) -> Result<T, Failure> + Send + Sync>;

/// What a server is told of beside its engine. By default there is nothing: no backups and no language model.
#[derive(Default)]
pub struct Surroundings {
    pub(crate) backups: Option<BackupPlace>,
    pub(crate) llm: Option<LookAtMost<LlmUse>>,
}

/// Where backups are.
pub(crate) struct BackupPlace {
    pub(crate) list: Look<BackupList>,
    pub(crate) create: Look<BackupMade>,
}

impl Surroundings {
    /// The same with backups: what lists them, and what makes one. Both may take long.
    pub fn with_backups(
        self,
        list: impl Fn(&Perihelion) -> Result<BackupList, Failure> + Send + Sync + 'static,
        create: impl Fn(&Perihelion) -> Result<BackupMade, Failure> + Send + Sync + 'static,
    ) -> Self {
        let backups = Some(BackupPlace { list: Box::new(list), create: Box::new(create) });
        Self { backups, ..self }
    }

    /// The same with what tells of the language model, and of at most so many of its latest calls.
    pub fn with_llm(
        self,
        look: impl Fn(&Perihelion, usize) -> Result<LlmUse, Failure> + Send + Sync + 'static,
    ) -> Self {
        Self { llm: Some(Box::new(look)), ..self }
    }
}

/// Why something around the engine could not be looked at or done.
#[derive(Debug, Clone)]
pub struct Failure {
    /// What kind of failure it is.
    pub kind: ErrorKind,
    /// What happened, and what was kept.
    pub detail: String,
    /// What to do about it.
    pub hint: Option<String>,
}

/// The backups there are.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct BackupList {
    /// Where they go; null if the server does not know.
    pub place: Option<String>,
    /// Whether the server makes them by itself.
    pub scheduled: bool,
    /// When it makes the next one.
    #[schemars(with = "Option<crate::routes::Moment>")]
    pub next_at: Option<Timestamp>,
    /// The latest first.
    pub backups: Vec<BackupInfo>,
}

/// One backup.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct BackupInfo {
    /// What it is called.
    pub name: String,
    /// When it was made.
    #[schemars(with = "crate::routes::Moment")]
    pub at: Timestamp,
    /// How many memories it holds; null if it is damaged.
    pub memories: Option<u64>,
    /// How many bytes it takes; null if it is damaged.
    pub bytes: Option<u64>,
    /// Up to which change it holds everything.
    pub change: ChangeNumber,
    /// Whether it was made to come back to what a restore replaced.
    pub before_restore: bool,
}

/// A backup that was made and verified.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct BackupMade {
    /// What it is called.
    pub name: String,
    /// How many bytes it takes.
    pub bytes: u64,
    /// How many memories it holds.
    pub memories: u64,
}

/// What a language model was asked, and what that took. What was said is not told.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct LlmUse {
    /// The model that is asked; null if none is.
    pub model: Option<String>,
    /// What its server speaks.
    pub provider: Option<String>,
    /// So many tokens may be spent in a day, UTC.
    pub cap_tokens: Option<u64>,
    /// So many are spent or reserved today.
    pub spent_tokens_today: u64,
    /// When the next day begins.
    #[schemars(with = "Option<crate::routes::Moment>")]
    pub resets_at: Option<Timestamp>,
    /// The latest first.
    pub calls: Vec<LlmCall>,
    /// The last thirty days, the earliest first.
    pub days: Vec<LlmDay>,
}

/// One call.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LlmCall {
    /// When it began.
    #[schemars(with = "crate::routes::Moment")]
    pub at: Timestamp,
    /// What it was for.
    pub purpose: String,
    /// Which model was asked.
    pub model: String,
    /// How it ended.
    pub outcome: LlmOutcome,
    /// So many tokens were charged for what was asked...
    pub input_tokens: u64,
    /// ...and for what was answered.
    pub output_tokens: u64,
    /// How long it took, waits included; null if it has not ended.
    pub took_ms: Option<u64>,
    /// Why there is no answer, if there is none.
    pub error: Option<String>,
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LlmOutcome {
    /// There was an answer.
    Ok,
    /// Nothing was sent: the day's tokens did not suffice, or there were failures in a row.
    Refused,
    /// There was no answer that can be used.
    Failed,
    /// It is under way, or its process died.
    Unfinished,
}

/// A day of calls, UTC.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LlmDay {
    /// Which day, such as 2026-11-15.
    #[schemars(with = "crate::routes::Day")]
    pub day: String,
    /// How many calls began.
    pub calls: usize,
    /// How many tokens were spent or are reserved.
    pub tokens: u64,
}

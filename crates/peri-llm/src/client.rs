//! Asks a model: reserves, sends, tries again, settles and records.

use std::path::PathBuf;

use jiff::{Timestamp, civil::Date};
use parking_lot::Mutex;
use peri_remote::{Backoff, Breaker, Health, Question, Transport, Waits, Watch};
use peri_seal::Seal;
use peri_types::Clock;
use uuid::Uuid;

use crate::attempt::{Attempt, Next, Spent};
use crate::ledger::day_of;
use crate::provider::{Cost, Exchange, Manners, compose};
use crate::{
    Answer, Call, Hold, KeptTexts, Ledger, Outcome, Pace, Refusal, Request, ReserveError, Settings,
    SettingsError, Texts, Wanted,
};

/// Asks one model. May be shared between threads, and called from within an async runtime, whose thread it blocks.
#[derive(Debug)]
pub struct Client {
    settings: Settings,
    clock: Clock,
    pace: Pace,
    ledger: Ledger,
    transport: Transport,
    breaker: Breaker,
    backoff: Backoff,
    /// What the server was found to take.
    manners: Mutex<Manners>,
}

/// What a call has come to so far.
struct Progress {
    call: Uuid,
    began: Timestamp,
    watch: Watch,
    attempts: u32,
    spent: u64,
    day: Date,
}

impl Client {
    /// Asks as the settings say and records calls in a folder. Nothing is sent yet.
    pub fn new(settings: Settings, clock: Clock, folder: impl Into<PathBuf>) -> Result<Self, SettingsError> {
        Self::with_pace(settings, clock, folder, Pace::real())
    }

    /// The same, with waits that pass otherwise.
    pub fn with_pace(
        settings: Settings,
        clock: Clock,
        folder: impl Into<PathBuf>,
        pace: Pace,
    ) -> Result<Self, SettingsError> {
        settings.check()?;
        Ok(Self {
            transport: Transport::new(&settings.address, settings.answer_bytes_max)?,
            breaker: Breaker::new(settings.breaker_failures, settings.breaker_pause),
            backoff: Backoff::new(Waits {
                min: settings.backoff_min,
                max: settings.backoff_max,
                server_max: settings.retry_after_max,
                seed: settings.seed,
            }),
            manners: Mutex::new(Manners::new(&settings)),
            ledger: Ledger::new(folder),
            settings,
            clock,
            pace,
        })
    }

    /// The same, with its record of calls sealed.
    #[must_use]
    pub fn sealed(self, seal: Seal) -> Self {
        Self { ledger: self.ledger.sealed(seal), ..self }
    }

    /// The record of calls.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Asks, and records the call however it ends.
    pub fn ask(&self, request: &Request) -> Result<Answer, Refusal> {
        let began = self.clock.now();
        let mut progress = Progress {
            call: Uuid::now_v7(),
            began,
            watch: self.pace.start(),
            attempts: 0,
            spent: 0,
            day: day_of(began),
        };
        let result = self.admitted(request, &mut progress);
        let call = self.told(request, &progress, &result);
        if let Err(error) = self.ledger.record(progress.day, &call) {
            tracing::warn!(%error, "a call of the language model is not recorded; its tokens are");
        }
        result
    }

    fn admitted(&self, request: &Request, progress: &mut Progress) -> Result<Answer, Refusal> {
        check(request)?;
        self.breaker
            .admit(self.clock.now())
            .map_err(|until| Refusal::Paused { place: self.settings.address.to_string(), until })?;
        let result = self.tried(request, progress);
        self.breaker.report(health(&result), self.clock.now());
        result
    }

    /// Tries until there is an answer, or no use in trying.
    fn tried(&self, request: &Request, progress: &mut Progress) -> Result<Answer, Refusal> {
        let mut manners = *self.manners.lock();
        let mut failures = 0;
        loop {
            match self.attempt(request, manners, progress)? {
                Next::Done(answer) => {
                    *self.manners.lock() = manners;
                    return Ok(answer);
                }
                Next::Adapt(other) => manners = other,
                Next::Fail(refusal) => return Err(refusal),
                Next::Retry(server, refusal) => {
                    failures += 1;
                    let wait = self.backoff.wait(failures, server);
                    let over = progress.watch.elapsed().saturating_add(wait) >= self.settings.deadline;
                    if failures >= self.settings.attempts_max || over {
                        return Err(refusal);
                    }
                    self.pace.wait(wait);
                }
            }
        }
    }

    fn attempt(&self, request: &Request, manners: Manners, progress: &mut Progress) -> Result<Next, Refusal> {
        let Exchange { url, headers, body, cost } = compose(&self.settings, request, manners);
        let hold = self.reserve(request, cost, progress)?;
        progress.attempts += 1;
        progress.day = hold.day();
        let left = self.settings.deadline.saturating_sub(progress.watch.elapsed());
        let login = self.settings.address.login().filter(|_| self.settings.key.is_none());
        let question = Question { url, headers, login, body: body.to_string() };
        let reply = self.transport.post(question, self.settings.attempt_timeout.min(left));
        let attempt = Attempt {
            settings: &self.settings,
            request,
            manners,
            cost,
            number: progress.attempts,
            now: self.clock.now(),
        };
        let verdict = attempt.judge(reply);
        let spent = match verdict.spent {
            Spent::Nothing => 0,
            Spent::Everything => hold.tokens(),
            Spent::Known(tokens_in, tokens_out) => tokens_in.saturating_add(tokens_out),
        };
        progress.spent = progress.spent.saturating_add(spent);
        if let Err(error) = self.ledger.settle(self.clock.now(), hold, spent) {
            tracing::warn!(%error, "what a call of the language model may have spent counts in full");
        }
        Ok(verdict.next)
    }

    fn reserve(&self, request: &Request, cost: Cost, progress: &Progress) -> Result<Hold, Refusal> {
        let tokens = cost.worst.saturating_add(u64::from(request.max_output_tokens));
        let wanted = Wanted {
            call: progress.call,
            purpose: &request.purpose,
            model: &self.settings.model,
            tokens,
            tokens_per_day: self.settings.tokens_per_day,
        };
        self.ledger.reserve(self.clock.now(), &wanted).map_err(|error| match error {
            ReserveError::CapReached { day, spent } => {
                Refusal::CapReached { day, cap: self.settings.tokens_per_day, spent, wanted: tokens }
            }
            ReserveError::Ledger(error) => Refusal::Ledger(error),
        })
    }

    /// What is recorded of a call.
    fn told(&self, request: &Request, progress: &Progress, result: &Result<Answer, Refusal>) -> Call {
        let answer = result.as_ref().ok();
        let texts = match self.settings.kept_texts {
            KeptTexts::None => None,
            KeptTexts::All => Some(Texts {
                system: request.system.clone(),
                messages: request.messages.clone(),
                answer: answer.map(|answer| match &answer.json {
                    Some(json) if answer.text.is_empty() => json.to_string(),
                    _ => answer.text.clone(),
                }),
            }),
        };
        Call {
            call: progress.call,
            at: progress.began,
            purpose: request.purpose.clone(),
            model: answer.map_or(&self.settings.model, |answer| &answer.model).clone(),
            tokens_in: answer.map_or(0, |answer| answer.tokens_in),
            tokens_out: answer.map_or(0, |answer| answer.tokens_out),
            tokens_spent: progress.spent,
            duration_ms: u64::try_from(progress.watch.elapsed().as_millis()).unwrap_or(u64::MAX),
            attempts: progress.attempts,
            outcome: match result {
                Ok(_) => Outcome::Ok,
                Err(Refusal::CapReached { .. } | Refusal::Paused { .. }) => Outcome::Refused,
                Err(_) => Outcome::Failed,
            },
            why: result.as_ref().err().map(Refusal::brief),
            prompt: request.prompt.clone(),
            texts,
        }
    }
}

fn check(request: &Request) -> Result<(), Refusal> {
    let wrong = [
        (request.messages.is_empty(), "there is no message"),
        (request.messages.iter().any(|message| message.content.trim().is_empty()), "a message is empty"),
        (request.max_output_tokens == 0, "the answer is allowed no tokens"),
        (
            request.temperature.is_some_and(|temperature| !(0.0..=2.0).contains(&temperature)),
            "the temperature is not between 0 and 2",
        ),
    ];
    match wrong.into_iter().find(|(is_wrong, _)| *is_wrong) {
        Some((_, what)) => Err(Refusal::Request { what }),
        None => Ok(()),
    }
}

fn health(result: &Result<Answer, Refusal>) -> Health {
    match result {
        Ok(_) | Err(Refusal::Cut { .. } | Refusal::Declined) => Health::Well,
        Err(Refusal::Unreachable { .. } | Refusal::Status { .. } | Refusal::Garbled { .. }) => Health::Ill,
        Err(
            Refusal::Request { .. }
            | Refusal::CapReached { .. }
            | Refusal::Paused { .. }
            | Refusal::Ledger(_),
        ) => Health::Unknown,
    }
}

//! What surrounds a served engine, as configured: where backups go, and what the language model was asked.

use std::collections::HashMap;

use jiff::ToSpan as _;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use peri_http::{Failure, LlmCall, LlmDay, LlmOutcome, LlmUse, Surroundings};
use peri_llm::{Call, Ledger, LedgerError, Outcome};
use perihelion::{ErrorKind, Timestamp};

use super::backup::ServedBackups;
use crate::config::{LlmSettings, ModelSettings};

/// So many days of calls are summed up, today included.
const DAYS: i64 = 30;

/// What `peri serve` tells its server.
pub(crate) fn surroundings(backups: &ServedBackups, llm: &LlmSettings) -> Surroundings {
    let (listing, creating, llm) = (backups.clone(), backups.clone(), llm.clone());
    Surroundings::default()
        .with_backups(move |engine| listing.list(engine), move |engine| creating.create(engine))
        .with_llm(move |engine, limit| {
            used(&llm, engine.options().clock.now(), limit).map_err(|error| failure(&error))
        })
}

/// What the language model was asked until now.
fn used(settings: &LlmSettings, now: Timestamp, limit: usize) -> Result<LlmUse, LedgerError> {
    let ledger = Ledger::new(&settings.ledger).sealed(settings.seal.clone());
    let model = settings.model.as_ref();
    let today = day_of(now);
    let days = days(&ledger, today)?;
    let resets_at = today.tomorrow().ok().and_then(|day| day.to_zoned(TimeZone::UTC).ok());
    Ok(LlmUse {
        model: model.map(|model| model.name().to_owned()),
        provider: model.map(|model| ModelSettings::provider(model).to_owned()),
        cap_tokens: model.map(|_| settings.tokens_per_day),
        spent_tokens_today: days.last().map_or(0, |day| day.tokens),
        resets_at: resets_at.map(|day| day.timestamp()).filter(|_| model.is_some()),
        calls: ledger.calls(Timestamp::MIN, limit)?.into_iter().map(told).collect(),
        days,
    })
}

/// The last days, the earliest first, also those without a call.
fn days(ledger: &Ledger, today: Date) -> Result<Vec<LlmDay>, LedgerError> {
    let first = today.checked_sub((DAYS - 1).days()).unwrap_or(Date::MIN);
    let since = first.to_zoned(TimeZone::UTC).map_or(Timestamp::MIN, |day| day.timestamp());
    let mut begun: HashMap<Date, usize> = HashMap::new();
    for call in ledger.calls(since, usize::MAX)? {
        *begun.entry(day_of(call.at)).or_default() += 1;
    }
    let days = first.series(1.day()).take_while(|day| *day <= today);
    let sum = |day: Date| {
        let calls = begun.get(&day).copied().unwrap_or_default();
        Ok(LlmDay { day: day.to_string(), calls, tokens: ledger.spent(day)? })
    };
    days.map(sum).collect()
}

/// A call without what was said in it.
fn told(call: Call) -> LlmCall {
    let outcome = match call.outcome {
        Outcome::Ok => LlmOutcome::Ok,
        Outcome::Refused => LlmOutcome::Refused,
        Outcome::Failed => LlmOutcome::Failed,
        Outcome::Unfinished => LlmOutcome::Unfinished,
    };
    LlmCall {
        at: call.at,
        purpose: call.purpose,
        model: call.model,
        outcome,
        input_tokens: call.tokens_in,
        output_tokens: call.tokens_out,
        took_ms: (outcome != LlmOutcome::Unfinished).then_some(call.duration_ms),
        error: call.why,
    }
}

fn day_of(at: Timestamp) -> Date {
    at.to_zoned(TimeZone::UTC).date()
}

fn failure(error: &LedgerError) -> Failure {
    let hint = "nothing was changed; look at the folder llm in the data folder, and at the disk";
    Failure { kind: ErrorKind::Unavailable, detail: error.to_string(), hint: Some(hint.to_owned()) }
}

//! The record of calls, which is also the account of what they spent.
//!
//! Each day (UTC) has a file of JSON lines. Before something is sent, the most it may spend is reserved there, under a
//! lock and on the disk; afterwards the reservation is settled with what was really spent. A reservation that is never
//! settled counts in full. So the sum of a day never exceeds what is allowed, whichever processes ask or are killed.

mod account;
mod call;
mod error;
mod file;

use std::path::{Path, PathBuf};

use jiff::{Timestamp, civil::Date, tz::TimeZone};
use parking_lot::Mutex;
use peri_seal::Seal;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use account::Account;
pub use call::{Call, Outcome, Texts};
pub use error::{LedgerError, ReserveError};

/// The record of calls in a folder.
#[derive(Debug)]
pub struct Ledger {
    folder: PathBuf,
    /// What is known of the current day already.
    account: Mutex<Account>,
    seal: Seal,
}

/// What is to be reserved.
#[derive(Debug, Clone)]
pub struct Wanted<'a> {
    /// Of which call it is a part; calls may need several attempts.
    pub call: Uuid,
    /// What the call is for.
    pub purpose: &'a str,
    /// Which model is asked.
    pub model: &'a str,
    /// So many tokens at most.
    pub tokens: u64,
    /// So many may be spent in a day.
    pub tokens_per_day: u64,
}

/// Tokens that are reserved. Dropping it without settling leaves them counted in full.
#[must_use = "a reservation that is not settled counts in full"]
#[derive(Debug)]
pub struct Hold {
    id: Uuid,
    day: Date,
    tokens: u64,
}

impl Hold {
    /// How many tokens are reserved.
    pub fn tokens(&self) -> u64 {
        self.tokens
    }

    /// Of which day, UTC.
    pub fn day(&self) -> Date {
        self.day
    }
}

/// A line of a day's file.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Entry {
    Reserved {
        id: Uuid,
        call: Uuid,
        at: Timestamp,
        process: u32,
        purpose: String,
        model: String,
        tokens: u64,
    },
    Settled {
        id: Uuid,
        at: Timestamp,
        tokens: u64,
    },
    Call(Call),
}

impl Ledger {
    /// The record in a folder, which is made when something is first written.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), account: Mutex::default(), seal: Seal::default() }
    }

    /// Seals each line that is written; lines that are there are read either way.
    #[must_use]
    pub fn sealed(self, seal: Seal) -> Self {
        Self { seal, ..self }
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Reserves tokens of the current day, durably, or says why not.
    pub fn reserve(&self, now: Timestamp, wanted: &Wanted<'_>) -> Result<Hold, ReserveError> {
        let day = day_of(now);
        let locked = file::lock(&self.folder, &self.seal)?;
        let mut account = self.account.lock();
        account.catch_up(&file::path(&self.folder, day), day, &self.seal)?;
        let spent = account.spent();
        if spent.checked_add(wanted.tokens).is_none_or(|sum| sum > wanted.tokens_per_day) {
            return Err(ReserveError::CapReached { day, spent });
        }
        let id = Uuid::now_v7();
        let entry = Entry::Reserved {
            id,
            call: wanted.call,
            at: now,
            process: std::process::id(),
            purpose: wanted.purpose.to_owned(),
            model: wanted.model.to_owned(),
            tokens: wanted.tokens,
        };
        locked.append(day, &[entry], file::Durable::Now)?;
        Ok(Hold { id, day, tokens: wanted.tokens })
    }

    /// Replaces a reservation by what was really spent.
    pub fn settle(&self, now: Timestamp, hold: Hold, tokens: u64) -> Result<(), LedgerError> {
        if tokens > hold.tokens {
            tracing::warn!(
                tokens,
                reserved = hold.tokens,
                "a language model used more tokens than it was allowed"
            );
        }
        let entry = Entry::Settled { id: hold.id, at: now, tokens };
        // Losing this line in a power cut leaves more counted than was spent, never less.
        file::lock(&self.folder, &self.seal)?.append(hold.day, &[entry], file::Durable::Later)
    }

    /// Records a call that is over, in the file of the day of its last reservation.
    pub fn record(&self, day: Date, call: &Call) -> Result<(), LedgerError> {
        let entry = Entry::Call(call.clone());
        file::lock(&self.folder, &self.seal)?.append(day, &[entry], file::Durable::Later)
    }

    /// How many tokens are spent or reserved of a day, UTC.
    pub fn spent(&self, day: Date) -> Result<u64, LedgerError> {
        let mut account = Account::default();
        account.catch_up(&file::path(&self.folder, day), day, &self.seal)?;
        Ok(account.spent())
    }

    /// The latest calls that began then or later, at most so many, the latest first. Calls that are under way, or
    /// whose process died, are among them.
    pub fn calls(&self, since: Timestamp, limit: usize) -> Result<Vec<Call>, LedgerError> {
        let mut calls: Vec<Call> = Vec::new();
        // A call that began before midnight may be recorded in the file of the day before or after.
        let first_day = day_of(since).yesterday().unwrap_or(Date::MIN);
        for day in file::days(&self.folder)?.into_iter().rev().take_while(|day| *day >= first_day) {
            let fresh = call::of_day(&file::path(&self.folder, day), since, &self.seal)?;
            calls.extend(fresh);
            let complete = calls.iter().filter(|call| day_of(call.at) > day).count();
            if complete >= limit {
                break;
            }
        }
        call::newest_first(&mut calls);
        calls.truncate(limit);
        Ok(calls)
    }
}

/// The day of a moment, UTC.
pub(crate) fn day_of(at: Timestamp) -> Date {
    at.to_zoned(TimeZone::UTC).date()
}

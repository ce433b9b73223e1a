//! What is remembered of a call.

use std::collections::HashMap;
use std::path::Path;

use jiff::Timestamp;
use peri_seal::Seal;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{Entry, LedgerError, file};
use crate::{Message, PromptStamp};

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// There was an answer.
    Ok,
    /// The day's tokens did not suffice, or nothing is asked for a while after failures in a row.
    Refused,
    /// There was no answer that can be used.
    Failed,
    /// It is under way, or its process died.
    Unfinished,
}

/// A call as it is remembered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// Which call it is.
    pub call: Uuid,
    /// When it began.
    pub at: Timestamp,
    /// What it was for.
    pub purpose: String,
    /// Which model was asked.
    pub model: String,
    /// So many tokens were charged for what was asked...
    pub tokens_in: u64,
    /// ...and for what was answered.
    pub tokens_out: u64,
    /// So many tokens count against the day for all attempts together.
    pub tokens_spent: u64,
    /// How long it took, waits included.
    pub duration_ms: u64,
    /// How often it was tried.
    pub attempts: u32,
    /// How it ended.
    pub outcome: Outcome,
    /// Why there is no answer, if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Which prompt was used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<PromptStamp>,
    /// What was said, if that is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texts: Option<Texts>,
}

/// What was said in a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Texts {
    /// What the model was told to be.
    pub system: String,
    /// What it was asked.
    pub messages: Vec<Message>,
    /// What it answered, if it did.
    pub answer: Option<String>,
}

/// The calls of a day's file that began then or later. Of calls without an end only the reservations are known.
pub(crate) fn of_day(path: &Path, since: Timestamp, seal: &Seal) -> Result<Vec<Call>, LedgerError> {
    let (entries, _) = file::entries(path, 0, seal)?;
    let mut calls: HashMap<Uuid, Call> = HashMap::new();
    for entry in entries {
        match entry {
            Entry::Call(call) => {
                calls.insert(call.call, call);
            }
            Entry::Reserved { call, at, purpose, model, tokens, .. } => {
                let begun = calls.entry(call).or_insert_with(|| unfinished(call, at, purpose, model));
                if begun.outcome == Outcome::Unfinished {
                    begun.attempts += 1;
                    begun.tokens_spent = begun.tokens_spent.saturating_add(tokens);
                }
            }
            Entry::Settled { .. } => {}
        }
    }
    Ok(calls.into_values().filter(|call| call.at >= since).collect())
}

fn unfinished(call: Uuid, at: Timestamp, purpose: String, model: String) -> Call {
    Call {
        call,
        at,
        purpose,
        model,
        tokens_in: 0,
        tokens_out: 0,
        tokens_spent: 0,
        duration_ms: 0,
        attempts: 0,
        outcome: Outcome::Unfinished,
        why: None,
        prompt: None,
        texts: None,
    }
}

/// Puts calls in order. Of a call that two days' files know, the one that knows its end is kept.
pub(crate) fn newest_first(calls: &mut Vec<Call>) {
    calls.sort_by_key(|call| (call.call, call.outcome == Outcome::Unfinished));
    calls.dedup_by_key(|call| call.call);
    calls.sort_by_key(|call| std::cmp::Reverse((call.at, call.call)));
}

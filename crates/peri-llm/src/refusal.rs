//! Why a call brought no answer, and what to do about it.

use jiff::{Timestamp, civil::Date};

use crate::{LedgerError, Unreadable};

/// Why a call brought no answer. Nothing was changed but the record of calls; what was to be asked is still with the
/// caller.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The request cannot be sent as it is. Change it.
    #[error("this cannot be asked: {what}")]
    Request {
        /// What is wrong with it.
        what: &'static str,
    },
    /// The day's tokens do not suffice for the worst case. Ask tomorrow, or allow more.
    #[error(
        "the language model may use {cap} tokens a day, {spent} of {day} are spent or reserved, and this call may need \
         {wanted}: it is possible again tomorrow (UTC), or with a higher limit"
    )]
    CapReached {
        /// The day, UTC.
        day: Date,
        /// So many are allowed.
        cap: u64,
        /// So many are spent, or reserved by calls under way.
        spent: u64,
        /// So many the call may need at most.
        wanted: u64,
    },
    /// Too many calls failed in a row. Ask again then.
    #[error("the language model at {place} failed several times in a row and is not asked before {until}")]
    Paused {
        /// Where the model is.
        place: String,
        /// When it is asked again.
        until: Timestamp,
    },
    /// The server does not answer. Ask again later; look at the address and the network.
    #[error("the language model at {place} is unreachable after {attempts} attempts: {detail}")]
    Unreachable {
        /// Where the model is.
        place: String,
        /// How often it was tried.
        attempts: u32,
        /// What happened last.
        detail: String,
    },
    /// The server answers with an error. 401 and 403: look at the key; 404: at the address and the model; 429 and 5xx:
    /// ask again later.
    #[error("the language model at {place} refused with status {status} after {attempts} attempts: {detail}")]
    Status {
        /// Where the model is.
        place: String,
        /// The HTTP status.
        status: u16,
        /// How often it was tried.
        attempts: u32,
        /// What the server said.
        detail: String,
    },
    /// The answer did not fit into the tokens it was allowed. Allow more, or ask for less.
    #[error("the answer was cut off at {tokens_max} tokens and is not used")]
    Cut {
        /// So many were allowed.
        tokens_max: u32,
    },
    /// The model does not want to answer. Ask otherwise.
    #[error("the language model declined to answer")]
    Declined,
    /// What came is no answer of such a server, or not the JSON that was asked for. Look at the address, or ask a
    /// model that can do it.
    #[error("the language model's answer cannot be used: {why}")]
    Garbled {
        /// What is wrong with it.
        why: Garbled,
    },
    /// The record of calls cannot be kept, and without it nothing is asked. Look at the disk.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

/// What is wrong with an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Garbled {
    /// It is too long to be one.
    #[error("it has more than {bytes_max} bytes")]
    Long {
        /// So many are read.
        bytes_max: usize,
    },
    /// It is not what such servers send.
    #[error("{detail}")]
    Envelope {
        /// What is missing.
        detail: String,
    },
    /// The model's words do not hold the JSON that was asked for.
    #[error(transparent)]
    Json(#[from] Unreadable),
}

impl Refusal {
    /// Whether it may go away by itself.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::CapReached { .. } | Self::Paused { .. } | Self::Unreachable { .. } => true,
            Self::Status { status, .. } => peri_remote::is_transient(*status),
            Self::Request { .. }
            | Self::Cut { .. }
            | Self::Declined
            | Self::Garbled { .. }
            | Self::Ledger(_) => false,
        }
    }

    /// What the record of calls says: never what a server or a model wrote.
    pub(crate) fn brief(&self) -> String {
        match self {
            Self::Unreachable { .. } => "unreachable".to_owned(),
            Self::Status { status, .. } => format!("status {status}"),
            Self::Paused { .. } => "paused after failures in a row".to_owned(),
            Self::Garbled { why: Garbled::Envelope { .. } } => "no answer of such a server".to_owned(),
            Self::Request { .. }
            | Self::CapReached { .. }
            | Self::Cut { .. }
            | Self::Declined
            | Self::Garbled { .. }
            | Self::Ledger(_) => self.to_string(),
        }
    }
}

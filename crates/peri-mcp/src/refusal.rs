//! What a model is told when a call cannot be answered: what is wrong, and what to do about it.

use perihelion::{Error, LimitError, Refused};

/// Why a call is not answered, in words that a model can act on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal(pub(crate) String);

impl Refusal {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    /// Whether it is none at all: the change is kept and will be made when the store can be reached.
    pub(crate) fn is_queued(&self) -> bool {
        self.0 == Error::Queued.to_string()
    }

    /// An argument that cannot be read.
    pub(crate) fn argument(name: &str, why: impl std::fmt::Display) -> Self {
        Self(format!("`{name}`: {why}"))
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let message = error.to_string();
        if let Error::Queued = error {
            return Self(message);
        }
        Self(match error.hint() {
            Some(hint) => format!("{message}; {hint}"),
            None => message,
        })
    }
}

impl From<Refused> for Refusal {
    fn from(refused: Refused) -> Self {
        Self(refused.to_string())
    }
}

impl From<LimitError> for Refusal {
    fn from(error: LimitError) -> Self {
        Error::from(error).into()
    }
}

//! Why a server gave no vectors, and what to do about it.

use peri_embed::EmbedError;
use peri_types::Timestamp;

/// Why a server gave no vectors. Texts that were to be embedded are still with the caller. Keys are never told.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RemoteError {
    /// The settings cannot be used. Change them.
    #[error("the embedding server cannot be asked: {what}")]
    Settings {
        /// What is wrong with them.
        what: String,
    },
    /// Too many batches failed in a row. Ask again then.
    #[error("the embedding server at {place} failed several times in a row and is not asked before {until}")]
    Resting {
        /// Where it is.
        place: String,
        /// When it is asked again.
        until: Timestamp,
    },
    /// There was no time to wait for the server, which was waited for in vain before. Ask again later.
    #[error(
        "the embedding server at {place} is unreachable or does not answer in time, and is not waited for now"
    )]
    NotAsked {
        /// Where it is.
        place: String,
    },
    /// The server does not answer. Ask again later; look at the address and the network.
    #[error("the embedding server at {place} is unreachable after {attempts} attempts: {detail}")]
    Unreachable {
        /// Where it is.
        place: String,
        /// How often it was tried.
        attempts: u32,
        /// What happened last.
        detail: String,
    },
    /// The server answers with an error. 401 and 403: look at the key; 404: at the address and the model; 429 and 5xx:
    /// ask again later; others: at the texts.
    #[error(
        "the embedding server at {place} refused with status {status} after {attempts} attempts: {detail}"
    )]
    Refused {
        /// Where it is.
        place: String,
        /// The HTTP status.
        status: u16,
        /// How often it was tried.
        attempts: u32,
        /// What the server said.
        detail: String,
    },
    /// What came is no answer of such a server. Look at the address and the model.
    #[error("what the embedding server at {place} answered cannot be used: {why}")]
    Garbled {
        /// Where it is.
        place: String,
        /// What is wrong with it.
        why: String,
    },
    /// The vectors are longer or shorter than the space's. Set `dimensions` to what the model gives, or ask for the
    /// model that gave the others.
    #[error(
        "the embedding server at {place} gave vectors of {found} numbers for {model}, and the space has {expected}: \
         it is another model, or the dimensions are set wrongly"
    )]
    OtherDimensions {
        /// Where it is.
        place: String,
        /// The model that was asked.
        model: String,
        /// So many were expected.
        expected: u32,
        /// So many came.
        found: usize,
    },
    /// Two engines are to stand in for each other, and their vectors are of different spaces. Vectors of two spaces are
    /// never mixed: choose one of the engines.
    #[error(
        "{first} and {second} are different spaces, and vectors of two spaces are never mixed: name two engines of one \
         space, or only one; memories that it cannot embed at once are embedded later"
    )]
    OtherSpace {
        /// The space of the first.
        first: String,
        /// The space of the second.
        second: String,
    },
    /// Two engines say that they are of one space, and give different vectors. Choose one of them.
    #[error(
        "both engines are said to be of the space {space}, but their vectors for the same sentence have a cosine of \
         {cosine:.3} only: they are different models, or treat texts differently; name one of them alone"
    )]
    Unlike {
        /// What both are said to be.
        space: String,
        /// The lowest of the sentences.
        cosine: f64,
    },
    /// Neither of two engines gave vectors. What each says tells what to do.
    #[error("{first}; and the fallback failed too: {second}")]
    Both {
        /// What the first said.
        first: String,
        /// What the second said.
        second: String,
    },
}

impl RemoteError {
    /// Whether the two engines of a pair were found not to belong together, which no waiting mends.
    pub fn is_mismatch(&self) -> bool {
        matches!(self, Self::OtherSpace { .. } | Self::OtherDimensions { .. } | Self::Unlike { .. })
    }
}

impl RemoteError {
    /// What an engine's error says, if it is one of ours.
    pub(crate) fn of(error: &EmbedError) -> Option<&Self> {
        match error {
            EmbedError::Elsewhere(error) => error.downcast_ref(),
            _ => None,
        }
    }
}

impl From<RemoteError> for EmbedError {
    fn from(error: RemoteError) -> Self {
        Self::elsewhere(error)
    }
}

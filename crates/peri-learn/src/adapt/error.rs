//! What can be wrong with an adapter or with what it is to learn from.

/// Why an adapter or an example was refused. Nothing was changed by it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AdaptError {
    /// Written by another version of the program; update the program, or learn anew.
    #[error("the adapter is written in format {given}, and this program reads format 1")]
    Format {
        /// The number of its format.
        given: u32,
    },
    /// A space without dimensions, or with too many; report it.
    #[error("{given} dimensions are not between 1 and {most}")]
    Dimensions {
        /// How many there are.
        given: usize,
        /// How many there may be.
        most: usize,
    },
    /// A rank of none, or too large a one; choose another.
    #[error("rank {given} is not between 1 and {most}")]
    Rank {
        /// The rank.
        given: usize,
        /// The largest that is allowed.
        most: usize,
    },
    /// Weights or vectors of another length than the space has; leave them out.
    #[error("{given} numbers were given where {expected} belong")]
    Size {
        /// How many there should be.
        expected: usize,
        /// How many there are.
        given: usize,
    },
    /// Something that is no number, or far too large a one; leave it out.
    #[error("{what} is not a usable number")]
    NotANumber {
        /// What it is.
        what: &'static str,
    },
    /// Feedback that tells nothing of the order, because all or none of it was used; leave it out.
    #[error("feedback of which everything or nothing was used tells nothing")]
    TellsNothing,
    /// Too little to learn from; wait for more feedback.
    #[error("{given} examples are too few to learn from, {least} are needed")]
    TooFew {
        /// How many there are.
        given: usize,
        /// How many are needed.
        least: usize,
    },
    /// Two adapters that belong to different spaces or have different ranks; learn anew.
    #[error("two adapters of different spaces or ranks cannot be compared")]
    Unlike,
}

//! Why a store was not moved, and what to do about it.

use crate::StoreError;

/// Why a store was not moved. The source is as it was, whatever happened; the target cannot be used before the move
/// is finished.
#[derive(Debug, Clone, thiserror::Error)]
pub enum RelocateError {
    /// One of the stores failed. If that passes, run the same move again: it goes on where it was.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Both places are the same. Name another target.
    #[error("{place} is both the source and the target of the move")]
    SamePlace {
        /// The place.
        place: String,
    },
    /// There is no store to be moved. Check the place.
    #[error("there is no store at {place}")]
    NoSource {
        /// Where it was looked for.
        place: String,
    },
    /// The store is of another release. Open it once with this one, or choose another target.
    #[error("{place} has format {found}, and a move needs format {needed}")]
    Older {
        /// Where it is.
        place: String,
        /// Its format.
        found: u32,
        /// The format of this release.
        needed: u32,
    },
    /// The target holds a store already. Choose an empty one.
    #[error("{place} is not empty: its {table} hold something already")]
    Occupied {
        /// The target.
        place: String,
        /// A table that has rows.
        table: &'static str,
    },
    /// A move from another store into the target was begun and not finished. Finish that, or remove it.
    #[error("another store is on its way to {place}, and that move is not finished")]
    OtherSource {
        /// The target.
        place: String,
    },
    /// Somebody else wrote into the target. Stop whoever it is, then run the move again.
    #[error("somebody else wrote into {place} during the move")]
    Disturbed {
        /// The target.
        place: String,
    },
    /// A text of the source cannot be kept by the target. Mend or forget what holds it.
    #[error("a text with a NUL character cannot be kept there: {table}, {key}")]
    Unstorable {
        /// The table.
        table: &'static str,
        /// The row's key.
        key: String,
    },
    /// What was read back is not what was moved. Run the move again: it begins anew.
    #[error("source and target differ in {table} at {key}")]
    Differs {
        /// The table.
        table: &'static str,
        /// The first key that differs.
        key: String,
    },
    /// It was told to stop. Run the same move again: it goes on where it was.
    #[error("the move was stopped before its end")]
    Halted,
}

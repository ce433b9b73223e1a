//! Days on which a namespace was used: what idle time is counted by.

const DAY_MS: i64 = 86_400_000;
const HOUR_MS: i64 = 3_600_000;

/// A day on which a namespace was used. Times are in milliseconds since the epoch, in whole hours, so that zones go on
/// changing at the same minutes, and a day is written at most once an hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayInUse {
    /// Whole days since the epoch.
    pub day: i64,
    /// When the hour of its first use began.
    pub first: i64,
    /// When the hour of its last use began.
    pub last: i64,
}

impl DayInUse {
    /// The day of one use.
    pub fn of(at: i64) -> Self {
        let hour = at.div_euclid(HOUR_MS) * HOUR_MS;
        Self { day: at.div_euclid(DAY_MS), first: hour, last: hour }
    }
}

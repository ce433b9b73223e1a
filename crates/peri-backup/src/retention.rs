//! Which backups are kept: the newest ones, and the newest of each day, week and month.

use std::collections::BTreeSet;

use jiff::SignedDuration;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use peri_types::Timestamp;

use crate::BackupName;

/// How many backups are kept, and of what. Zero keeps none for that reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retention {
    /// So many of the newest.
    pub last: u32,
    /// The newest of so many days on which one was made.
    pub daily: u32,
    /// The newest of so many weeks, which begin on Monday.
    pub weekly: u32,
    /// The newest of so many months.
    pub monthly: u32,
    /// Where days begin and end.
    pub zone: TimeZone,
}

impl Retention {
    /// Whether it keeps anything at all.
    pub fn keeps_something(&self) -> bool {
        self.last + self.daily + self.weekly + self.monthly > 0
    }
}

/// Tells one day, week or month from every other.
type Period<'a> = &'a dyn Fn(Date) -> (i32, i32, i32);

/// What a restore replaced can be brought back for at least so long.
const BEFORE_RESTORE_KEPT: SignedDuration = SignedDuration::from_hours(7 * 24);

/// The backups that are not kept, the oldest first. What a restore has replaced is kept for its week and counts for
/// nothing else: it never takes the place of a backup that somebody wanted. The newest one always stays.
pub fn to_remove(names: &[BackupName], retention: &Retention, now: Timestamp) -> Vec<BackupName> {
    let of_late =
        |name: &BackupName| name.is_before_restore() && now.duration_since(name.time()) < BEFORE_RESTORE_KEPT;
    let mut kept: BTreeSet<&BackupName> = names.iter().filter(|name| of_late(name)).collect();
    let mut newest_first: Vec<&BackupName> = names.iter().filter(|name| !name.is_before_restore()).collect();
    newest_first.sort_by(|a, b| b.cmp(a));
    kept.extend(newest_first.iter().take(retention.last.max(1) as usize));
    if newest_first.is_empty() {
        // Better than nothing at all.
        kept.extend(names.iter().max());
    }
    let week = |date: Date| {
        let week = date.iso_week_date();
        (i32::from(week.year()), i32::from(week.week()), 0)
    };
    let day = |date: Date| (i32::from(date.year()), i32::from(date.month()), i32::from(date.day()));
    let month = |date: Date| (i32::from(date.year()), i32::from(date.month()), 0);
    let rules: [(u32, Period<'_>); 3] =
        [(retention.daily, &day), (retention.weekly, &week), (retention.monthly, &month)];
    for (count, period) in rules {
        let mut periods = BTreeSet::new();
        for name in &newest_first {
            let date = name.time().to_zoned(retention.zone.clone()).date();
            if periods.len() == count as usize {
                break;
            }
            if periods.insert(period(date)) {
                kept.insert(name);
            }
        }
    }
    let mut removed: Vec<BackupName> = names.iter().filter(|name| !kept.contains(name)).cloned().collect();
    removed.sort();
    removed
}

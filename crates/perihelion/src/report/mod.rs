//! Reports: what happened on a day or over several, in numbers, and how things stand.
//!
//! What happened is counted from the events, each by its number and so once, whether it is in the audit log, in the
//! store, or in both. A report never guesses: where events are gone, it says so.

mod daily;
mod gather;
mod markdown;
mod tally;

use std::path::{Path, PathBuf};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use peri_store::NamespaceStats;
use peri_types::{KeyId, Layer, Namespace, Scope, Timestamp};
use serde::Serialize;

pub(crate) use self::daily::ReportTimes;
pub(crate) use self::gather::{Gathered, Span, Wanted};
pub(crate) use self::tally::percentile;
use self::tally::{Tally, counted};
use crate::Error;
use crate::engine::{Core, Perihelion};

/// What to report on.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportQuery {
    /// The first day.
    pub first_day: Date,
    /// The last day, which may be the first one, and may not have ended.
    pub last_day: Date,
    /// Where to look. Events of no namespace are in [`Scope::All`] alone.
    pub scope: Scope,
}

/// What happened in some days, and how things stand.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Report {
    /// The first day.
    pub first_day: Date,
    /// The last day.
    pub last_day: Date,
    /// The time zone in which these are days.
    pub time_zone: String,
    /// When the first day begins.
    pub from: Timestamp,
    /// When the last day ends.
    pub until: Timestamp,
    /// When this was counted.
    pub written_at: Timestamp,
    /// Where it was looked.
    pub scope: Scope,
    /// Whether every event of these days, up to now, is known to be counted.
    pub complete: bool,
    /// Why not, and what else somebody should know.
    pub notes: Vec<String>,
    /// What happened.
    pub counts: Counts,
    /// How long recalls took, if any was measured.
    pub recall_times: Option<RecallTimes>,
    /// The slowest recalls, the slowest first.
    pub slowest_recalls: Vec<SlowRecall>,
    /// What should have worked and did not, the most frequent first.
    pub failures: Vec<Failed>,
    /// Who was turned away, the most frequent first.
    pub refusals: Vec<TurnedAway>,
    /// What each namespace holds now.
    pub namespaces: Vec<NamespaceStats>,
    /// What is held now besides memories.
    pub held: ReportedHeld,
    /// What is taken on the disk now.
    pub disk: ReportedDisk,
    /// Events that wait for the audit log now.
    pub events_waiting: u64,
    /// Events that were lost since the store was made, because the audit log could not be written for too long.
    pub events_lost: u64,
}

/// What happened, in numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Counts {
    /// New memories.
    pub stored: u64,
    /// Statements that were here already.
    pub repeated: u64,
    /// Memories that came from an export, a snapshot or another program.
    pub imported: u64,
    /// Questions that were answered.
    pub recalled: u64,
    /// Those of them for which nothing was found.
    pub recalled_nothing: u64,
    /// Memories that were changed.
    pub revised: u64,
    /// Memories that somebody moved to the trash.
    pub forgotten: u64,
    /// Memories that were moved to the trash because nobody used them.
    pub auto_forgotten: u64,
    /// Memories that reached the end of their time.
    pub expired: u64,
    /// Memories that left a full working memory.
    pub evicted: u64,
    /// Episodes that were moved to the trash because their time was over.
    pub outlived: u64,
    /// Long-term memories that were moved to the trash by the clean-up.
    pub cleaned_up: u64,
    /// Memories that went to the trash or were destroyed with their namespace.
    pub deleted_with_namespace: u64,
    /// Memories that were brought back from the trash.
    pub restored: u64,
    /// Memories that were destroyed.
    pub purged: u64,
    /// Memories that others of a lower layer became, by layers.
    pub promoted: Vec<PromotedCount>,
    /// Promotions that were undone.
    pub promotions_undone: u64,
    /// Near-duplicates that were merged.
    pub consolidated: u64,
    /// Merged memories that were split off again.
    pub split: u64,
    /// Statements that a newer one took the place of.
    pub superseded: u64,
    /// Pairs of statements that contradict each other.
    pub contradicted: u64,
    /// Sessions that began.
    pub sessions_started: u64,
    /// Sessions that ended.
    pub sessions_ended: u64,
    /// Snapshots of episodes that were taken.
    pub snapshots: u64,
    /// Backups that were made.
    pub backups: u64,
    /// Times that a backup took the place of what was here.
    pub backups_restored: u64,
}

/// How many memories were promoted from one layer to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PromotedCount {
    /// The layer that they came from.
    pub from: Layer,
    /// The layer that they came to.
    pub to: Layer,
    /// How many new memories.
    pub memories: u64,
    /// How many they were made from.
    pub sources: u64,
}

/// How long recalls took, in millionths of a second: so many percent took at most so long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecallTimes {
    /// How many were measured.
    pub measured: u64,
    /// Half of them.
    pub p50_micros: u64,
    /// 90 percent.
    pub p90_micros: u64,
    /// 95 percent.
    pub p95_micros: u64,
    /// 99 percent.
    pub p99_micros: u64,
    /// The slowest.
    pub max_micros: u64,
}

/// A recall that took long.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SlowRecall {
    /// When.
    pub at: Timestamp,
    /// Where, if in one namespace.
    pub namespace: Option<Namespace>,
    /// What was asked, as it is in the audit log.
    pub query: String,
    /// How many memories were handed out.
    pub results: u64,
    /// How long it took, in millionths of a second.
    pub micros: u64,
}

/// What should have worked and did not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Failed {
    /// What was tried.
    pub operation: String,
    /// Why it failed.
    pub reason: String,
    /// How often.
    pub count: u64,
    /// When last.
    pub last_at: Timestamp,
}

/// Somebody who was turned away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TurnedAway {
    /// What was asked for.
    pub action: String,
    /// Why it was refused.
    pub reason: String,
    /// The key that was shown, if it is one of ours.
    pub key: Option<KeyId>,
    /// How often.
    pub count: u64,
    /// When last.
    pub last_at: Timestamp,
}

/// What is held besides memories.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReportedHeld {
    /// Events of the journal.
    pub journal_events: u64,
    /// Turns of the journal.
    pub turns: u64,
    /// Sessions of which something is noted.
    pub noted_sessions: u64,
    /// Notes of those sessions.
    pub notes: u64,
    /// Calls that wait for the store on this machine, of whichever namespace.
    pub queued: u64,
    /// Calls that were given up and wait for somebody to decide.
    pub dead_calls: u64,
}

/// What is taken on the disk, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReportedDisk {
    /// The database and its log.
    pub database_bytes: u64,
    /// Saved indexes, which can be deleted at any time.
    pub index_bytes: u64,
    /// The audit log.
    pub log_bytes: u64,
    /// Snapshots of episodes.
    pub snapshot_bytes: u64,
    /// Backups in the data folder.
    pub backup_bytes: u64,
    /// Reports like this one.
    pub report_bytes: u64,
    /// Notes in files.
    pub notes_bytes: u64,
    /// The vault, if it lies in the data folder under its usual name.
    pub vault_bytes: u64,
    /// Calls that wait for the store.
    pub queue_bytes: u64,
}

/// How things stand, whichever day is reported on.
struct Present {
    namespaces: Vec<NamespaceStats>,
    held: ReportedHeld,
    disk: ReportedDisk,
}

impl Perihelion {
    /// What happened in some days, and how things stand.
    pub fn report(&self, query: &ReportQuery) -> Result<Report, Error> {
        let span = self.core.span(query.first_day, query.last_day);
        let wanted = Wanted { kinds: counted(), texts: Vec::new() };
        let gathered = self.core.gather(&span, &query.scope, &wanted)?;
        let present = self.core.present(&query.scope)?;
        Ok(self.core.report_of(query, &span, &gathered, present))
    }

    /// The day that it is, in the time zone of the options.
    pub fn today(&self) -> Date {
        self.core.today()
    }

    /// Writes the report of one day, over every namespace, to its file, in the place of an earlier one.
    pub fn write_report(&self, day: Date) -> Result<PathBuf, Error> {
        let report = self.report(&ReportQuery { first_day: day, last_day: day, scope: Scope::All })?;
        self.core.put_report(&report)
    }
}

impl Core {
    fn time_zone(&self) -> TimeZone {
        self.options.time_zone.clone()
    }

    fn today(&self) -> Date {
        self.now().to_zoned(self.time_zone()).date()
    }

    /// From the first moment of a day to the last of another.
    fn span(&self, first_day: Date, last_day: Date) -> Span {
        let zone = self.time_zone();
        let begin = |day: Date| day.to_zoned(zone.clone()).map(|moment| moment.timestamp());
        let from = begin(first_day).unwrap_or(Timestamp::MIN);
        let until = last_day.tomorrow().and_then(begin).unwrap_or(Timestamp::MAX);
        Span { from, until }
    }

    fn present(&self, scope: &Scope) -> Result<Present, Error> {
        let mut namespaces = self.store.stats(scope)?;
        namespaces.retain(|stats| stats.memories + stats.trashed > 0);
        Ok(Present { namespaces, held: self.reported_held(scope)?, disk: self.reported_disk() })
    }

    fn reported_held(&self, scope: &Scope) -> Result<ReportedHeld, Error> {
        let mut held = ReportedHeld::default();
        for own in self.store.journal_stats(scope)? {
            held.journal_events += own.entries;
            held.turns += own.turns;
        }
        let notes = self.notes()?;
        for namespace in notes.namespaces()?.into_iter().filter(|own| scope.contains(own)) {
            for session in notes.overview(&namespace)? {
                held.noted_sessions += u64::from(session.notes > 0);
                held.notes += session.notes as u64;
            }
        }
        if let Some(queue) = &self.queue {
            let (_, _, stats) = queue.look(0)?;
            (held.queued, held.dead_calls) = (stats.depth, stats.dead);
        }
        Ok(held)
    }

    fn reported_disk(&self) -> ReportedDisk {
        let folder = &self.options.folder;
        let named = |folder: &Path, begins: &str| {
            bytes_in(folder, &|name: &str| name.starts_with(begins) && !name.ends_with(".lock"))
        };
        ReportedDisk {
            database_bytes: named(folder, Perihelion::DATABASE),
            index_bytes: self.senses.now().indexes.disk_bytes(),
            log_bytes: named(&folder.join("logs"), "events."),
            snapshot_bytes: named(&folder.join("snapshots"), ""),
            backup_bytes: named(&folder.join("backups"), ""),
            report_bytes: named(&self.report_folder(), ""),
            notes_bytes: named(&folder.join(Perihelion::NOTES), ""),
            vault_bytes: named(&folder.join("vault"), ""),
            queue_bytes: named(&folder.join(crate::queue::FOLDER), ""),
        }
    }

    fn report_of(&self, query: &ReportQuery, span: &Span, gathered: &Gathered, present: Present) -> Report {
        let mut tally = Tally::default();
        gathered.events.iter().filter(|event| span.holds(event.at)).for_each(|event| tally.add(event));
        let (complete, mut notes) = gathered.trust(span);
        if self.now() < span.until {
            notes.push("The last day has not ended: this is what has happened so far.".to_owned());
        }
        Report {
            first_day: query.first_day,
            last_day: query.last_day,
            time_zone: name_of(&self.time_zone()),
            from: span.from,
            until: span.until,
            written_at: self.now(),
            scope: query.scope.clone(),
            complete,
            notes,
            recall_times: tally.recall_times(),
            slowest_recalls: tally.slowest(),
            failures: tally.failures(),
            refusals: tally.refusals(),
            counts: tally.counts(),
            namespaces: present.namespaces,
            held: present.held,
            disk: present.disk,
            events_waiting: gathered.waiting,
            events_lost: gathered.lost,
        }
    }
}

fn name_of(zone: &TimeZone) -> String {
    match zone.iana_name() {
        Some(name) => name.to_owned(),
        None => zone.to_fixed_offset().map_or_else(|_| "local time".to_owned(), |offset| offset.to_string()),
    }
}

/// The bytes of the files in a folder whose names fit, with everything in folders whose names fit. What cannot be read
/// takes no room that we know of.
fn bytes_in(folder: &Path, fits: &dyn Fn(&str) -> bool) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let entries = entries.filter_map(Result::ok).filter(|entry| entry.file_name().to_str().is_some_and(fits));
    let bytes = |entry: std::fs::DirEntry| match entry.metadata() {
        Ok(found) if found.is_dir() => bytes_in(&entry.path(), &|_| true),
        Ok(found) => found.len(),
        Err(_) => 0,
    };
    entries.map(bytes).sum()
}

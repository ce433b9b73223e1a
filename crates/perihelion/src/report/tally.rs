//! Counting events.

use std::collections::BTreeMap;

use peri_types::{Event, EventKind, Happening, KeyId, Layer, Timestamp};

use super::{Counts, Failed, PromotedCount, RecallTimes, SlowRecall, TurnedAway};

/// So many of the slowest recalls are shown.
const SLOWEST: usize = 10;
/// They are gathered so many at a time, and then cut to those.
const GATHERED: usize = 256;
/// So many different failures and refusals are shown.
const DIFFERENT: usize = 100;

/// Kinds that are many and not counted, so that a reader need not hold them.
const PASSED_OVER: [EventKind; 5] = [
    EventKind::Reorbited,
    EventKind::ZoneChanged,
    EventKind::Decayed,
    EventKind::Linked,
    EventKind::Unlinked,
];

/// The kinds that are counted.
pub(super) fn counted() -> Vec<EventKind> {
    EventKind::ALL.iter().copied().filter(|kind| !PASSED_OVER.contains(kind)).collect()
}

/// What has been counted so far.
#[derive(Default)]
pub(super) struct Tally {
    counts: Counts,
    promoted: BTreeMap<(Layer, Layer), (u64, u64)>,
    micros: Vec<u64>,
    slow: Vec<(u64, SlowRecall)>,
    failed: BTreeMap<(String, String), (u64, Timestamp)>,
    refused: BTreeMap<(String, String, Option<KeyId>), (u64, Timestamp)>,
}

impl Tally {
    pub(super) fn add(&mut self, event: &Event) {
        let counts = &mut self.counts;
        match &event.what {
            Happening::Stored { .. } => counts.stored += 1,
            Happening::Repeated { .. } => counts.repeated += 1,
            Happening::Imported { memories, .. } => counts.imported += memories,
            Happening::Recalled { query, ids, micros } => {
                self.add_recall(event, query, ids.len() as u64, *micros);
            }
            Happening::Revised { .. } => counts.revised += 1,
            Happening::Forgotten { .. } => counts.forgotten += 1,
            Happening::AutoForgotten { .. } => counts.auto_forgotten += 1,
            Happening::Expired { .. } => counts.expired += 1,
            Happening::Evicted { .. } => counts.evicted += 1,
            Happening::Outlived { .. } => counts.outlived += 1,
            Happening::CleanedUp { .. } => counts.cleaned_up += 1,
            Happening::NamespaceDeleted { memories, .. } => counts.deleted_with_namespace += memories,
            Happening::Restored { .. } => counts.restored += 1,
            Happening::Purged { count, .. } => counts.purged += count,
            Happening::LayerPromoted { sources, from, to, .. } => {
                let (memories, of) = self.promoted.entry((*from, *to)).or_default();
                *memories += 1;
                *of += sources.len() as u64;
            }
            Happening::PromotionUndone { .. } => counts.promotions_undone += 1,
            Happening::Consolidated { .. } => counts.consolidated += 1,
            Happening::Split { .. } => counts.split += 1,
            Happening::Superseded { .. } => counts.superseded += 1,
            Happening::Contradicted { .. } => counts.contradicted += 1,
            Happening::SessionStarted { .. } => counts.sessions_started += 1,
            Happening::SessionEnded { .. } => counts.sessions_ended += 1,
            Happening::SnapshotTaken { .. } => counts.snapshots += 1,
            Happening::BackedUp { .. } => counts.backups += 1,
            Happening::BackupRestored { .. } => counts.backups_restored += 1,
            Happening::OperationFailed { operation, reason, count } => {
                let failed = self.failed.entry((operation.clone(), reason.clone()));
                note(failed.or_insert((0, event.at)), *count, event.at);
            }
            Happening::AccessRefused { key, action, reason, count } => {
                let refused = self.refused.entry((action.clone(), reason.clone(), *key));
                note(refused.or_insert((0, event.at)), *count, event.at);
            }
            Happening::Reorbited { .. }
            | Happening::ZoneChanged { .. }
            | Happening::Decayed { .. }
            | Happening::Linked { .. }
            | Happening::Unlinked { .. }
            | Happening::NamespaceMoved { .. }
            | Happening::FeedbackGiven { .. }
            | Happening::WeightsChanged { .. }
            | Happening::PatternLearned { .. }
            | Happening::PatternPromoted { .. }
            | Happening::PatternRetired { .. }
            | Happening::Learned { .. }
            | Happening::TrajectoryRecorded { .. }
            | Happening::WorkerDispatched { .. }
            | Happening::WorkerCompleted { .. }
            | Happening::WorkerAlert { .. }
            | Happening::Observed { .. }
            | Happening::Reflected { .. }
            | Happening::Promoted { .. }
            | Happening::Compacted { .. }
            | Happening::JournalDropped { .. }
            | Happening::WritesQueued { .. }
            | Happening::QueueEmptied { .. }
            | Happening::KeyCreated { .. }
            | Happening::KeyRevoked { .. } => {}
        }
    }

    fn add_recall(&mut self, event: &Event, query: &str, results: u64, micros: Option<u64>) {
        self.counts.recalled += 1;
        self.counts.recalled_nothing += u64::from(results == 0);
        let Some(micros) = micros else { return };
        self.micros.push(micros);
        let (at, namespace, query) = (event.at, event.namespace.clone(), query.to_owned());
        self.slow.push((event.number, SlowRecall { at, namespace, query, results, micros }));
        if self.slow.len() >= GATHERED {
            self.keep_slowest();
        }
    }

    fn keep_slowest(&mut self) {
        self.slow.sort_by_key(|(number, recall)| (std::cmp::Reverse(recall.micros), *number));
        self.slow.truncate(SLOWEST);
    }

    /// How long recalls took, if any was measured.
    pub(super) fn recall_times(&mut self) -> Option<RecallTimes> {
        self.micros.sort_unstable();
        let max_micros = *self.micros.last()?;
        let at = |percent| percentile(&self.micros, percent);
        Some(RecallTimes {
            measured: self.micros.len() as u64,
            p50_micros: at(50),
            p90_micros: at(90),
            p95_micros: at(95),
            p99_micros: at(99),
            max_micros,
        })
    }

    /// The slowest recalls, the slowest first; of equal ones the earlier.
    pub(super) fn slowest(&mut self) -> Vec<SlowRecall> {
        self.keep_slowest();
        self.slow.iter().map(|(_, recall)| recall.clone()).collect()
    }

    /// The most frequent failures, the most frequent first.
    pub(super) fn failures(&self) -> Vec<Failed> {
        let failed = self.failed.iter().map(|((operation, reason), (count, last_at))| Failed {
            operation: operation.clone(),
            reason: reason.clone(),
            count: *count,
            last_at: *last_at,
        });
        most_frequent(failed.collect(), |failed| failed.count)
    }

    /// The most frequent refusals, the most frequent first.
    pub(super) fn refusals(&self) -> Vec<TurnedAway> {
        let refused = self.refused.iter().map(|((action, reason, key), (count, last_at))| TurnedAway {
            action: action.clone(),
            reason: reason.clone(),
            key: *key,
            count: *count,
            last_at: *last_at,
        });
        most_frequent(refused.collect(), |refused| refused.count)
    }

    /// What happened, in numbers.
    pub(super) fn counts(self) -> Counts {
        let promoted = self.promoted.into_iter().map(|((from, to), (memories, sources))| PromotedCount {
            from,
            to,
            memories,
            sources,
        });
        Counts { promoted: promoted.collect(), ..self.counts }
    }
}

fn note((count, last_at): &mut (u64, Timestamp), more: u64, at: Timestamp) {
    *count = count.saturating_add(more);
    *last_at = at.max(*last_at);
}

fn most_frequent<T>(mut all: Vec<T>, count: impl Fn(&T) -> u64) -> Vec<T> {
    all.sort_by_key(|one| std::cmp::Reverse(count(one)));
    all.truncate(DIFFERENT);
    all
}

/// The least of the sorted values that so many percent of them do not exceed.
pub(crate) fn percentile(sorted: &[u64], percent: usize) -> u64 {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_a_value_that_occurred() {
        let hundred: Vec<u64> = (1..=100).collect();
        for (sorted, percent, expected) in [
            (&hundred[..], 50, 50),
            (&hundred, 90, 90),
            (&hundred, 99, 99),
            (&hundred[..10], 50, 5),
            (&hundred[..10], 95, 10),
            (&hundred[..1], 50, 1),
            (&hundred[..2], 50, 1),
            (&hundred[..2], 90, 2),
            (&[], 50, 0),
        ] {
            assert_eq!(percentile(sorted, percent), expected, "{percent} of {}", sorted.len());
        }
    }

    #[test]
    fn of_very_many_recalls_the_slowest_are_shown_and_of_equal_ones_the_earlier() {
        let mut tally = Tally::default();
        for number in 0..2000_u64 {
            let what = Happening::Recalled {
                query: format!("질문 {number}"),
                ids: Vec::new(),
                micros: Some(1 + number.min(1500)),
            };
            tally.add(&Event { number, at: Timestamp::UNIX_EPOCH, namespace: None, what });
        }
        let slowest: Vec<String> = tally.slowest().into_iter().map(|recall| recall.query).collect();
        let expected: Vec<String> = (1500..1510).map(|number| format!("질문 {number}")).collect();
        assert_eq!(slowest, expected);
        assert_eq!(tally.recall_times().map(|times| (times.measured, times.max_micros)), Some((2000, 1501)));
    }
}

//! Looking at queues that other processes hold.

use std::path::Path;

use crate::queue::Trial;
use crate::segment::Segment;
use crate::{DeadLetter, QueueError, Record, Stats, dead, files};

/// What the queue in a folder holds as its files tell it, whoever holds it. Nothing is changed. A queue that is worked
/// off meanwhile is seen as it was at some moment on the way.
pub(crate) fn look_into(
    folder: &Path,
    limit: usize,
) -> Result<(Vec<Record>, Vec<DeadLetter>, Stats), QueueError> {
    let mut stats = Stats::default();
    let mut records: Vec<Record> = Vec::new();
    let trial: Trial = serde_json::from_slice(&files::read(&folder.join(files::STATE))?).unwrap_or_default();
    let letters = dead::look(folder)?;
    for number in files::segments(folder)? {
        let Ok((segment, _)) = Segment::open(folder, number) else { continue };
        stats.depth += segment.waiting;
        stats.bytes += segment.bytes;
        if records.len() < limit.max(1) {
            // A segment that is gone meanwhile holds nothing.
            let read = segment.read(0, |record| {
                records.push(trial.told(record));
                if records.len() < limit.max(1) {
                    std::ops::ControlFlow::Continue(())
                } else {
                    std::ops::ControlFlow::Break(())
                }
            });
            if let Err(error) = read {
                tracing::debug!(%error, "a segment of a queue went while it was looked at");
            }
        }
    }
    if let Some(first) = records.first() {
        stats.oldest_at = Some(first.at);
        (stats.attempts, stats.next_try) = (first.attempts, first.next_try);
        stats.last_error.clone_from(&first.last_error);
    }
    stats.dead = letters.len() as u64;
    let damaged = files::read(&folder.join(files::DAMAGED))?;
    stats.damaged = damaged.iter().filter(|byte| **byte == b'\n').count() as u64;
    records.truncate(limit);
    Ok((records, letters, stats))
}

//! How writes are queued that the store cannot take.

use std::time::Duration;

/// How writes are queued that the store cannot take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueSettings {
    /// Whether they are.
    pub queueing: Queueing,
    /// At most so many calls are held in memory; the rest waits in files until its turn comes.
    pub in_memory_max: usize,
    /// A file of so many bytes is followed by a new one.
    pub segment_bytes: u64,
    /// After so many failed attempts a call is given up although the store does not answer. None: it waits for as long
    /// as that lasts.
    pub attempts_max: Option<u32>,
    /// The same for failures of which nobody can say whether they pass.
    pub unclear_attempts_max: u32,
    /// The first wait after a failure is at most so long; each further one at most twice as long as the one before...
    pub backoff_min: Duration,
    /// ...but never longer than this.
    pub backoff_max: Duration,
    /// What the jitter of the waits is drawn from; none draws anew in each process.
    pub seed: Option<u64>,
}

/// Whether writes are queued that the store cannot take.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Queueing {
    /// They wait on this machine, durably, and are made when the store can be reached again.
    #[default]
    On,
    /// They fail, and the caller is told.
    Off,
}

impl Default for QueueSettings {
    fn default() -> Self {
        let files = peri_queue::QueueSettings::default();
        Self {
            queueing: Queueing::On,
            in_memory_max: files.in_memory_max,
            segment_bytes: files.segment_bytes,
            attempts_max: files.attempts_max,
            unclear_attempts_max: files.unclear_attempts_max,
            backoff_min: files.backoff_min,
            backoff_max: files.backoff_max,
            seed: files.seed,
        }
    }
}

impl QueueSettings {
    /// The part that concerns the files.
    pub(super) fn of_files(&self) -> peri_queue::QueueSettings {
        peri_queue::QueueSettings {
            in_memory_max: self.in_memory_max,
            segment_bytes: self.segment_bytes,
            attempts_max: self.attempts_max,
            unclear_attempts_max: self.unclear_attempts_max,
            backoff_min: self.backoff_min,
            backoff_max: self.backoff_max,
            seed: self.seed,
            ..peri_queue::QueueSettings::default()
        }
    }
}

//! How a queue behaves.

use std::time::Duration;

/// How a queue behaves. Every part has a default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueSettings {
    /// At most so many records are held in memory; the rest waits in the files until its turn comes.
    pub in_memory_max: usize,
    /// Likewise so many bytes of records.
    pub in_memory_bytes_max: usize,
    /// A file of so many bytes is followed by a new one.
    pub segment_bytes: u64,
    /// After so many failed attempts a record that cannot be delivered because the store does not answer is put among
    /// the dead letters. None: it waits for as long as that lasts.
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

impl Default for QueueSettings {
    fn default() -> Self {
        Self {
            in_memory_max: 10_000,
            in_memory_bytes_max: 64 * 1024 * 1024,
            segment_bytes: 50 * 1024 * 1024,
            attempts_max: None,
            unclear_attempts_max: 20,
            backoff_min: Duration::from_millis(100),
            backoff_max: Duration::from_secs(60),
            seed: None,
        }
    }
}

//! How much of a file is taken in.

const MEBIBYTE: u64 = 1024 * 1024;

/// What a learning file may hold at most, so that a hostile one cannot fill the memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RvfLimits {
    /// The longest line. Longer ones are skipped without being kept in memory, and reported. 64 MiB
    pub line_bytes_max: u64,
    /// The most records. A file with more is refused. 1,000,000
    pub records_max: usize,
    /// The largest file. A larger one is refused. 1 GiB
    pub bytes_max: u64,
    /// How many lines that could not be read are told with their reason; all are counted. 100
    pub problems_max: usize,
}

impl Default for RvfLimits {
    fn default() -> Self {
        Self {
            line_bytes_max: 64 * MEBIBYTE,
            records_max: 1_000_000,
            bytes_max: 1024 * MEBIBYTE,
            problems_max: 100,
        }
    }
}

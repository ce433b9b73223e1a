//! How much of a folder is looked at, at most.

use std::time::Duration;

/// How much of a folder is looked at, at most. What lies beyond is reported as left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Files in all. By default 50,000.
    pub files_max: usize,
    /// Bytes of one file; larger ones are data rather than code. By default 1 MiB.
    pub file_bytes_max: u64,
    /// Bytes of all files together. By default 512 MiB.
    pub bytes_max: u64,
    /// How deep folders may lie in folders, where git does not list them. By default 64.
    pub depth_max: usize,
    /// How long one git command may take. By default 30 seconds.
    pub git_timeout: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            files_max: 50_000,
            file_bytes_max: 1024 * 1024,
            bytes_max: 512 * 1024 * 1024,
            depth_max: 64,
            git_timeout: Duration::from_secs(30),
        }
    }
}

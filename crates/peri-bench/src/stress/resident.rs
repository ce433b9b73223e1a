//! How much memory the process takes while it runs.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::Serialize;

/// Into so many parts the run is cut.
const PARTS: usize = 10;

/// Samples of the resident size, in megabytes.
#[derive(Default)]
pub(super) struct Resident(Vec<f64>);

/// The least, the middle and the largest size in a part of the run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Part {
    pub(super) least_mb: f64,
    pub(super) middle_mb: f64,
    pub(super) largest_mb: f64,
}

impl Resident {
    /// Looks at the process until it is told to stop. Where there is no `/proc`, there are no samples.
    pub(super) fn sample(every: Duration, stop: &AtomicBool) -> Self {
        let mut samples = Vec::new();
        while !stop.load(Ordering::Relaxed) {
            samples.extend(now_mb());
            std::thread::sleep(every);
        }
        Self(samples)
    }

    /// The run in tenths.
    pub(super) fn parts(&self) -> Vec<Part> {
        let size = self.0.len().div_ceil(PARTS).max(1);
        self.0
            .chunks(size)
            .map(|part| {
                let mut part = part.to_vec();
                part.sort_by(f64::total_cmp);
                let (least_mb, largest_mb) = (part[0], part[part.len() - 1]);
                Part { least_mb, middle_mb: part[part.len() / 2], largest_mb }
            })
            .collect()
    }
}

fn now_mb() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let told = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: f64 = told.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024.0 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_cut_into_tenths() {
        let parts = Resident((0..100).map(f64::from).collect()).parts();
        assert_eq!(parts.len(), PARTS);
        assert_eq!(parts[9], Part { least_mb: 90.0, middle_mb: 95.0, largest_mb: 99.0 });
        assert!(Resident::default().parts().is_empty());
    }
}

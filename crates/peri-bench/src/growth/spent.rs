//! What a piece of work took: on the wall, and of all this process's threads on processors.

use std::fs;
use std::time::Instant;

use crate::speed::figures::Figures;

/// Microseconds of one piece of work.
#[derive(Clone, Copy)]
pub(super) struct Spent {
    pub(super) wall_us: f64,
    /// None where the system does not tell.
    processor_us: Option<f64>,
}

impl Spent {
    /// Enters what each of so many pieces took under names that begin with `name`.
    pub(super) fn enter(self, figures: &mut Figures, name: &str, pieces: usize) {
        let pieces = pieces.max(1) as f64;
        figures.insert(format!("{name}_us"), self.wall_us / pieces);
        if let Some(processor) = self.processor_us {
            figures.insert(format!("{name}_processor_us"), processor / pieces);
        }
    }

    pub(super) fn and(self, other: Self) -> Self {
        let processor_us = self.processor_us.zip(other.processor_us).map(|(one, other)| one + other);
        Self { wall_us: self.wall_us + other.wall_us, processor_us }
    }

    pub(super) const NOTHING: Self = Self { wall_us: 0.0, processor_us: Some(0.0) };
}

/// Does the work and says what it took. Threads that end meanwhile are not counted; the engine's stay.
pub(super) fn spent<T>(work: impl FnOnce() -> T) -> (Spent, T) {
    let (start, before) = (Instant::now(), threads_us());
    let done = work();
    let wall_us = start.elapsed().as_secs_f64() * 1e6;
    let processor_us = before.zip(threads_us()).map(|(before, after)| (after - before).max(0.0));
    (Spent { wall_us, processor_us }, done)
}

/// How long the threads of this process have been on processors, where Linux tells.
fn threads_us() -> Option<f64> {
    let mut nanos = 0.0;
    for thread in fs::read_dir("/proc/self/task").ok()? {
        // A thread may end between being listed and being read.
        let told = fs::read_to_string(thread.ok()?.path().join("schedstat")).unwrap_or_default();
        nanos += told.split(' ').next().and_then(|nanos| nanos.parse::<f64>().ok()).unwrap_or(0.0);
    }
    Some(nanos / 1e3)
}

//! Consolidate: near-duplicates are merged, what matters moves on to the next layer, and orbits are brought up to date.

use perihelion::{EventKind, Happening};

use crate::job::{Findings, Job, Trouble};

/// Events are read so many at a time.
const PAGE: usize = 1000;

pub(crate) fn run(job: &Job<'_>) -> Result<Findings, Trouble> {
    let before = job.engine.last_event_number()?;
    job.engine.maintain()?;
    job.check()?;
    let told = Told::since(job, before)?;
    Ok(Findings::new(format!(
        "{} merged, {} replaced, {} moved on to the next layer, {} changed their zone, {} forgotten",
        told.merged, told.superseded, told.promoted, told.moved, told.forgotten
    ))
    .figure("merged", told.merged)
    .figure("superseded", told.superseded)
    .figure("promoted", told.promoted)
    .figure("moved", told.moved)
    .figure("forgotten", told.forgotten)
    .figure("linked", told.linked))
}

/// What happened, in numbers.
#[derive(Default)]
struct Told {
    merged: u64,
    superseded: u64,
    promoted: u64,
    moved: u64,
    forgotten: u64,
    linked: u64,
}

impl Told {
    fn since(job: &Job<'_>, mut number: u64) -> Result<Self, Trouble> {
        let mut told = Self::default();
        loop {
            let events = job.engine.events_after(number, PAGE)?;
            let Some(last) = events.last() else { return Ok(told) };
            number = last.number;
            events.iter().for_each(|event| told.count(&event.what));
            job.breathe()?;
        }
    }

    fn count(&mut self, what: &Happening) {
        match what.kind() {
            EventKind::Consolidated => self.merged += 1,
            EventKind::Superseded => self.superseded += 1,
            EventKind::LayerPromoted => self.promoted += 1,
            EventKind::ZoneChanged => self.moved += 1,
            EventKind::AutoForgotten | EventKind::Outlived | EventKind::CleanedUp => self.forgotten += 1,
            EventKind::Linked => self.linked += 1,
            _ => {}
        }
    }
}

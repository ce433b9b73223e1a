//! Starting and recalling; the system has the files in its cache.

use perihelion::Perihelion;

use super::One;
use super::spent::{Spent, spent};
use crate::Outcome;
use crate::speed::figures::{Figures, Latency};
use crate::speed::machine;

/// Opens and recalls once, as a process does that answers one question.
pub(super) fn start(one: &One) -> Outcome<Figures> {
    let mut figures = Figures::new();
    let requests = one.recalls()?;
    let (opening, engine) = spent(|| Perihelion::open(one.options()));
    let engine = engine?;
    opening.enter(&mut figures, "open", 1);
    let request = requests.first().ok_or("there are no questions")?;
    let (first, recalled) = spent(|| engine.recall(request));
    recalled?;
    first.enter(&mut figures, "first_recall", 1);
    engine.leave();
    Ok(figures)
}

/// Recalls at length, and says what that keeps in memory.
pub(super) fn measure(one: &One) -> Outcome<Figures> {
    let mut figures = Figures::new();
    let requests = one.recalls()?;
    let engine = Perihelion::open(one.options())?;
    for request in &requests {
        engine.recall(request)?;
    }
    machine::memory(&mut figures)?;
    let mut times = Vec::with_capacity(requests.len());
    let mut all = Spent::NOTHING;
    for request in &requests {
        let (took, recalled) = spent(|| engine.recall(request));
        recalled?;
        times.push(took.wall_us);
        all = all.and(took);
    }
    all.enter(&mut figures, "recall", requests.len());
    let latency = Latency::of(times);
    figures.insert("recall_p50_us".to_owned(), latency.p50);
    figures.insert("recall_p95_us".to_owned(), latency.p95);
    engine.leave();
    Ok(figures)
}

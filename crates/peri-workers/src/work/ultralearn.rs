//! Ultralearn: finished turns become trajectories, and trajectories become patterns.

use std::time::Duration;

use perihelion::{JournalPosition, Timestamp};
use serde_json::json;

use crate::job::{Findings, Job, Trouble};

/// On the first run turns of so long ago are looked at.
const FIRST_LOOK: Duration = Duration::from_secs(30 * 24 * 3600);

/// A turn that is open for longer will not end.
const OPEN_FOR: Duration = Duration::from_secs(24 * 3600);

pub(crate) fn run(job: &Job<'_>) -> Result<Findings, Trouble> {
    let now = job.engine.now();
    let before = |span: Duration| now.checked_sub(span).unwrap_or(Timestamp::MIN);
    let after =
        job.left_behind().get("after").and_then(|text| text.as_str()?.parse::<JournalPosition>().ok());
    let since = after.map_or_else(|| before(FIRST_LOOK), |after| after.at);
    let turns = job.engine.learn_from_turns(job.scope, (since, after), before(OPEN_FOR), job.go_on)?;
    job.check()?;
    let drawn = job.engine.distil(job.scope, job.go_on)?;
    job.check()?;
    let count = |part: fn(&perihelion::Distilling) -> usize| drawn.iter().map(part).sum::<usize>();
    let (learned, promoted, retired) =
        (count(|one| one.learned.len()), count(|one| one.promoted.len()), count(|one| one.retired.len()));
    let trajectories: u64 = drawn.iter().map(|one| one.trajectories).sum();
    let mut findings = Findings::new(format!(
        "{trajectories} new trajectories ({} from turns): {learned} patterns learned, {promoted} promoted, {retired} put aside",
        turns.recorded
    ))
    .figure("turns", turns.turns)
    .figure("recorded", turns.recorded)
    .figure("trajectories", trajectories)
    .figure("learned", learned)
    .figure("promoted", promoted)
    .figure("retired", retired)
    .figure("judged", count(|one| one.judged.len()));
    findings.state = json!({ "after": turns.next.map(|place| place.to_string()) });
    Ok(findings)
}

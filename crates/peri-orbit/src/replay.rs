//! How zones advance in time, the same whether they are brought up to date often or seldom.
//!
//! Zones change only at whole steps, and each step is a function of the memories and the zones before it.
//! A run therefore walks every step since the last one. It does so in segments: most memories do nothing
//! in a segment, some drift outward by themselves, and only few contend for the places of a full zone.

mod arena;
mod segment;
mod timeline;

use peri_types::{MoveReason, Zone};

use crate::rules::{Course, Rules};
use crate::settings::OrbitSettings;
use crate::zones::Body;

use segment::Segment;

const DAY_MS: i64 = 86_400_000;
/// The first segment's length in steps. Later ones are as long as pays.
const STEPS: i64 = 1024;

/// A memory and where it orbits. Between two runs, nothing else needs to be kept but the settled time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Orbit {
    /// The memory.
    pub body: Body,
    /// Its zone at the last settled step, or the one it was stored with.
    pub zone: Zone,
}

/// Recalls of one memory that its body does not count yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Use {
    /// Which memory, by its place in the list. A use of one that is not there counts for nothing.
    pub index: usize,
    /// When, in milliseconds since the epoch.
    pub at: i64,
    /// How often. 0 says that it was changed by hand at that time, such as pinned: it does not become
    /// fresh by that, but its move is its own and none for want of room.
    pub recalls: u64,
}

/// What to bring up to date: the memories of one namespace, as they were at the last settled step.
///
/// Memories keep their order between runs, because of two equal ones the first has the better place.
#[derive(Debug, Clone, Copy)]
pub struct Replay<'a> {
    /// The rules.
    pub settings: &'a OrbitSettings,
    /// The memories. One that is born after a step takes no part in it.
    pub orbits: &'a [Orbit],
    /// What was recalled since. Each use counts from the first step at or after its time, and at the
    /// first step of this run if that is over.
    pub uses: &'a [Use],
    /// The settled time of the run before.
    pub from: i64,
    /// The time now.
    pub to: i64,
}

/// A memory that changed its zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move {
    /// Which one, by its place in the list.
    pub index: usize,
    /// Where it was.
    pub from: Zone,
    /// Where it is.
    pub to: Zone,
    /// The time of the step.
    pub at: i64,
    /// Why.
    pub reason: MoveReason,
}

/// A memory that was forgotten, having moved to the cloud at that step or before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Forgetting {
    /// Which one, by its place in the list.
    pub index: usize,
    /// The time of the step.
    pub at: i64,
    /// For how many whole days nobody had used it.
    pub idle_days: u64,
}

/// What a run did.
#[derive(Debug, Clone, PartialEq)]
pub struct Replayed {
    /// The moves, by time and then by index.
    pub moves: Vec<Move>,
    /// The forgotten, by time and then by index. The caller leaves them out of the next run.
    pub forgotten: Vec<Forgetting>,
    /// All memories as they are now, with every use counted that lies at or before `settled`.
    pub orbits: Vec<Orbit>,
    /// The time of the last step taken, or `from` if there was none. Later uses belong to the next run.
    pub settled: i64,
}

/// Walks every step after `from` and up to `to`.
pub fn replay(request: &Replay<'_>) -> Replayed {
    let rules = Rules::new(request.settings);
    let first = request.from.div_euclid(rules.step) + 1;
    let last = request.to.div_euclid(rules.step);
    if first > last {
        let orbits = request.orbits.to_vec();
        return Replayed { moves: Vec::new(), forgotten: Vec::new(), orbits, settled: request.from };
    }
    let settled = last * rules.step;
    let mut run = Run::new(rules, request, first, last);
    run.walk(first, last);
    Replayed { moves: run.moves, forgotten: run.forgotten, orbits: run.orbits, settled }
}

/// A use with the step it counts from.
#[derive(Debug, Clone, Copy)]
struct Due {
    step: i64,
    index: usize,
    at: i64,
    recalls: u64,
}

/// The state of a run. The lists go by the memory's index.
struct Run {
    rules: Rules,
    orbits: Vec<Orbit>,
    courses: Vec<Course>,
    /// The first step that a memory takes part in; none for one that is forgotten.
    entries: Vec<i64>,
    /// By step.
    uses: Vec<Due>,
    moves: Vec<Move>,
    forgotten: Vec<Forgetting>,
}

/// The entry of what never takes part.
const NEVER: i64 = i64::MAX;

impl Run {
    fn new(rules: Rules, request: &Replay<'_>, first: i64, last: i64) -> Self {
        let step = rules.step;
        let mut orbits = request.orbits.to_vec();
        // Who is there from the start needs no division.
        let entry = |born| if born < first * step - step { first - 1 } else { step_from(born, step) };
        let entries: Vec<i64> = orbits.iter().map(|orbit| entry(orbit.body.born)).collect();
        let mut uses = Vec::new();
        for used in request.uses {
            let due = step_from(used.at, step).max(first);
            let Some(entry) = entries.get(used.index) else { continue };
            let use_ = Due { step: due, index: used.index, at: used.at, recalls: used.recalls };
            if due < *entry && due <= last {
                use_.count_in(&mut orbits[used.index].body);
            } else {
                uses.push(use_);
            }
        }
        uses.sort_unstable_by_key(|due| (due.step, due.index, due.at));
        let courses = orbits.iter().map(|orbit| rules.course(&orbit.body, first * step)).collect();
        Self { rules, orbits, courses, entries, uses, moves: Vec::new(), forgotten: Vec::new() }
    }

    fn walk(&mut self, first: i64, last: i64) {
        let mut length = STEPS;
        let mut begin = first.max(self.next_entry());
        while begin <= last {
            let end = (begin + length - 1).min(last).min(self.last_of_epoch(begin));
            let segment = Segment::scan(self, begin, end);
            if segment.is_heavy() && end > begin {
                length = (end - begin + 1) / 2;
                continue;
            }
            let is_empty = segment.is_empty();
            segment.play(self);
            length = (length * 2).min(1 << 20);
            begin = if is_empty { self.next_entry().max(end + 1) } else { end + 1 };
        }
    }

    fn next_entry(&self) -> i64 {
        self.entries.iter().copied().min().unwrap_or(NEVER)
    }

    /// The last step of the epoch that a step lies in: only within one, scores fall in straight lines.
    fn last_of_epoch(&self, step: i64) -> i64 {
        (self.rules.epoch_end(step * self.rules.step) - 1).div_euclid(self.rules.step).max(step)
    }

    /// The uses that count from these steps, by step.
    fn uses_in(&self, begin: i64, end: i64) -> &[Due] {
        let from = self.uses.partition_point(|due| due.step < begin);
        let to = self.uses.partition_point(|due| due.step <= end);
        &self.uses[from..to]
    }

    /// Writes down that a memory is in a zone from a step on.
    fn put(&mut self, index: usize, to: Zone, at: i64, reason: impl FnOnce(Zone) -> MoveReason) {
        let from = self.orbits[index].zone;
        if from != to {
            self.orbits[index].zone = to;
            self.moves.push(Move { index, from, to, at, reason: reason(from) });
        }
    }

    fn forget(&mut self, index: usize, last_used: i64, at: i64) {
        let idle_days = (at.saturating_sub(last_used) / DAY_MS).unsigned_abs();
        self.forgotten.push(Forgetting { index, at, idle_days });
        self.entries[index] = NEVER;
    }
}

impl Due {
    fn count_in(&self, body: &mut Body) {
        body.recalls = body.recalls.saturating_add(self.recalls);
        if self.recalls > 0 {
            body.last_used = body.last_used.max(self.at);
        }
    }
}

/// The first step at or after a time.
fn step_from(at: i64, step: i64) -> i64 {
    let whole = at.div_euclid(step);
    whole + i64::from(whole * step < at)
}

/// What lies behind a move.
#[derive(Debug, Clone, Copy)]
struct Cause {
    /// The zone by score alone.
    by_score: Zone,
    /// The zone it has by itself.
    own: Zone,
    /// Whether it was used, changed or born at this step.
    touched: bool,
}

impl Cause {
    /// Nobody comes nearer by itself: without use there must be room again. Who falls does so because of
    /// others, of the score, or, if the score alone would have let it stay, of idling.
    fn reason(self, from: Zone, to: Zone) -> MoveReason {
        if to < from {
            if self.touched { MoveReason::Score } else { MoveReason::Room }
        } else if to != self.own {
            MoveReason::Room
        } else if self.by_score > from {
            MoveReason::Score
        } else {
            MoveReason::Idle
        }
    }
}

//! A run of steps in which most memories do nothing.
//!
//! Who may get a place in a full zone is found at the two ends. Without use, two memories change places at
//! most once, so whoever stands below another at both ends stands below it all the time. If there are
//! enough of those others to fill all places, the memory has none at any step and needs no further look.

use peri_types::Zone;

use crate::rules::Own;

use super::arena::Arena;
use super::timeline::{Steps, Timeline, Turn, own_changes};
use super::{Cause, Run};

/// More contenders than this for each place make a segment too long.
const CONTENDERS_PER_PLACE: usize = 8;
/// Fewer are never too many.
const CONTENDERS_FEW: usize = 64;

pub(super) struct Segment {
    steps: Steps,
    places: usize,
    /// The indexes of memories that are used, changed or born in it.
    eventful: Vec<usize>,
    /// Those that may have a place.
    contenders: Vec<Plain>,
    /// Those that go their way whatever the others do, and change something.
    drifters: Vec<Plain>,
    is_empty: bool,
}

/// A memory that nobody uses in the segment.
#[derive(Clone, Copy)]
struct Plain {
    index: usize,
    own_begin: Own,
    own_end: Own,
    /// The first 64 bits of where it stands, which is enough to be surely below.
    standing_begin: u64,
    standing_end: u64,
}

impl Segment {
    /// Sorts the memories out; changes nothing.
    pub(super) fn scan(run: &Run, begin: i64, end: i64) -> Self {
        let rules = &run.rules;
        let steps = Steps::new(rules, begin, end);
        let (first, last) = (steps.moment(begin), steps.moment(end));
        let mut used = vec![false; run.orbits.len()];
        run.uses_in(begin, end).iter().for_each(|due| used[due.index] = true);
        let mut eventful = Vec::new();
        let mut claimants = Vec::with_capacity(run.orbits.len());
        let mut drifters = Vec::new();
        let mut is_empty = true;
        for (index, course) in run.courses.iter().enumerate() {
            let entry = run.entries[index];
            if entry > end {
                continue;
            }
            is_empty = false;
            if used[index] || entry >= begin || (course.ahead && course.last_used <= last.at) {
                eventful.push(index);
                continue;
            }
            let own_begin = rules.own(course, first);
            let own_end = if end == begin { own_begin } else { rules.own(course, last) };
            let mut plain = Plain { index, own_begin, own_end, standing_begin: 0, standing_end: 0 };
            if own_begin.claim().is_some() {
                plain.standing_begin = (rules.standing(course, first) >> 64) as u64;
                plain.standing_end = match end - begin {
                    0 => plain.standing_begin,
                    _ => (rules.standing(course, last) >> 64) as u64,
                };
                claimants.push(plain);
            } else if plain.changes(own_begin.zone(), run) {
                drifters.push(plain);
            }
        }
        let places = rules.capacities.iter().fold(0, |sum: usize, capacity| sum.saturating_add(*capacity));
        let bars = [0, 1, 2].map(|zone| Bar::of(&claimants, zone, places, end - begin));
        let hopeless = claimants.iter().filter(|plain| !plain.may_pass(&bars));
        drifters.extend(hopeless.filter(|plain| plain.changes(Zone::Belt, run)));
        let contenders = claimants.iter().filter(|plain| plain.may_pass(&bars)).copied().collect();
        Self { steps, places, eventful, contenders, drifters, is_empty }
    }

    /// Whether nobody takes part.
    pub(super) fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// Whether a shorter segment would be less work.
    pub(super) fn is_heavy(&self) -> bool {
        let few = self.places.saturating_mul(CONTENDERS_PER_PLACE).max(CONTENDERS_FEW);
        self.eventful.len() + self.contenders.len() > few
    }

    /// Lets the segment happen.
    pub(super) fn play(self, run: &mut Run) {
        let moves_before = run.moves.len();
        let forgotten_before = run.forgotten.len();
        for plain in &self.drifters {
            self.drift(run, plain);
        }
        self.contend(run);
        run.moves[moves_before..].sort_unstable_by_key(|moved| (moved.at, moved.index));
        run.forgotten[forgotten_before..]
            .sort_unstable_by_key(|forgetting| (forgetting.at, forgetting.index));
    }

    fn drift(&self, run: &mut Run, plain: &Plain) {
        let Plain { index, own_begin, own_end, .. } = *plain;
        let (begin, end) = (self.steps.begin, self.steps.end);
        let course = run.courses[index];
        let mut turns = vec![Turn { step: begin, own: own_begin, course: None, touched: false }];
        own_changes(&run.rules, &self.steps, &course, (begin, own_begin), (end, own_end), &mut turns);
        for turn in turns {
            let moment = self.steps.moment(turn.step);
            let own = turn.own.zone();
            let to = if turn.own.claim().is_some() { Zone::Belt } else { own };
            let by_score = run.rules.by_score(&course, moment);
            let cause = Cause { by_score, own, touched: false };
            run.put(index, to, moment.at, |from| cause.reason(from, to));
            if turn.own.is_forgotten() {
                run.forget(index, course.last_used, moment.at);
            }
        }
    }

    /// Lets those contend who may have a place. They stand in the order of their indexes.
    fn contend(&self, run: &mut Run) {
        let mut arena = Arena::new(&self.steps);
        let mut uses = run.uses_in(self.steps.begin, self.steps.end).to_vec();
        uses.sort_by_key(|due| due.index);
        let mut contenders = self.contenders.iter().peekable();
        for index in &self.eventful {
            while let Some(plain) = contenders.next_if(|plain| plain.index < *index) {
                self.enter(&mut arena, run, plain);
            }
            let from = uses.partition_point(|due| due.index < *index);
            let to = uses.partition_point(|due| due.index <= *index);
            let body = run.orbits[*index].body;
            let timeline = Timeline::new(&run.rules, &self.steps, body, run.entries[*index], &uses[from..to]);
            arena.enter(*index, run.orbits[*index].zone, timeline.turns);
            run.orbits[*index].body = timeline.body;
            run.courses[*index] = timeline.course;
        }
        for plain in contenders {
            self.enter(&mut arena, run, plain);
        }
        arena.play(run);
    }

    fn enter(&self, arena: &mut Arena<'_>, run: &Run, plain: &Plain) {
        let Plain { index, own_begin, own_end, .. } = *plain;
        let (begin, end) = (self.steps.begin, self.steps.end);
        let course = run.courses[index];
        let mut turns = vec![Turn { step: begin, own: own_begin, course: Some(course), touched: false }];
        own_changes(&run.rules, &self.steps, &course, (begin, own_begin), (end, own_end), &mut turns);
        arena.enter(index, run.orbits[index].zone, turns);
    }
}

impl Plain {
    /// Whether anything happens to one that is in `zone` as long as its own zone stays.
    fn changes(&self, zone: Zone, run: &Run) -> bool {
        self.own_begin != self.own_end || self.own_begin.is_forgotten() || run.orbits[self.index].zone != zone
    }

    fn may_pass(&self, bars: &[Option<Bar>; 3]) -> bool {
        let bar = self.own_begin.claim().and_then(|zone| bars[zone].as_ref());
        bar.is_none_or(|bar| self.standing_begin >= bar.begin || self.standing_end >= bar.end)
    }
}

/// Who stands below at both ends has no place in between.
struct Bar {
    begin: u64,
    end: u64,
}

impl Bar {
    /// The bar for those whose own zone is `zone` or further out. Only those count as standing above it who
    /// claim that zone or a nearer one to the end: one who could not take a place takes it from nobody.
    fn of(claimants: &[Plain], zone: usize, places: usize, length: i64) -> Option<Self> {
        let count = places.checked_mul(2)?;
        let lasting =
            || claimants.iter().filter(|plain| plain.own_end.claim().is_some_and(|own| own <= zone));
        let begin = highest(lasting().map(|plain| plain.standing_begin), count)?;
        let end = match length {
            0 => begin,
            _ => highest(lasting().map(|plain| plain.standing_end), count)?,
        };
        let above = |plain: &&Plain| plain.standing_begin >= begin && plain.standing_end >= end;
        (lasting().filter(above).count() >= places).then_some(Self { begin, end })
    }
}

/// The so manieth highest number, if there are more.
fn highest(numbers: impl Iterator<Item = u64>, count: usize) -> Option<u64> {
    let mut numbers: Vec<u64> = numbers.collect();
    let at = numbers.len().checked_sub(count).filter(|below| *below > 0)?;
    Some(*numbers.select_nth_unstable(at).1)
}

//! When a memory's own zone changes, whatever the others do.

use crate::rules::{Course, Moment, Own, Rules};
use crate::zones::Body;

use super::{Due, step_from};

/// The steps of a segment with their moments.
pub(super) struct Steps {
    pub(super) begin: i64,
    pub(super) end: i64,
    moments: Vec<Moment>,
}

/// From a step on, a memory has this zone by itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turn {
    pub(super) step: i64,
    pub(super) own: Own,
    /// How its score goes on from here, if that is new.
    pub(super) course: Option<Course>,
    /// Whether it was used, changed or born at this step.
    pub(super) touched: bool,
}

impl Steps {
    pub(super) fn new(rules: &Rules, begin: i64, end: i64) -> Self {
        let moments = (begin..=end).map(|step| rules.moment(step * rules.step)).collect();
        Self { begin, end, moments }
    }

    pub(super) fn moment(&self, step: i64) -> &Moment {
        &self.moments[(step - self.begin) as usize]
    }
}

/// Adds the changes after one step and up to another. Between them nobody uses it, so its own zone only
/// grows, and equal ends mean that nothing happens in between.
pub(super) fn own_changes(
    rules: &Rules,
    steps: &Steps,
    course: &Course,
    (low, at_low): (i64, Own),
    (high, at_high): (i64, Own),
    turns: &mut Vec<Turn>,
) {
    if at_low == at_high {
        return;
    }
    if high - low <= 1 {
        turns.push(Turn { step: high, own: at_high, course: None, touched: false });
        return;
    }
    let middle = low + (high - low) / 2;
    let at_middle = rules.own(course, steps.moment(middle));
    own_changes(rules, steps, course, (low, at_low), (middle, at_middle), turns);
    own_changes(rules, steps, course, (middle, at_middle), (high, at_high), turns);
}

/// What becomes of a memory that is used or born in a segment.
pub(super) struct Timeline {
    pub(super) turns: Vec<Turn>,
    pub(super) body: Body,
    pub(super) course: Course,
}

impl Timeline {
    /// `entry` is the first step it takes part in, `uses` are its own ones in the segment, by step.
    pub(super) fn new(rules: &Rules, steps: &Steps, mut body: Body, entry: i64, mut uses: &[Due]) -> Self {
        let mut turns: Vec<Turn> = Vec::new();
        let mut step = entry.max(steps.begin);
        loop {
            let mut touched = step == entry;
            while let Some((due, later)) = uses.split_first()
                && due.step <= step
            {
                due.count_in(&mut body);
                touched = true;
                uses = later;
            }
            let moment = steps.moment(step);
            let course = rules.course(&body, moment.at);
            let mut next = uses.first().map_or(steps.end + 1, |due| due.step);
            if course.ahead {
                next = next.min(step_from(body.last_used, rules.step));
            }
            let own = rules.own(&course, moment);
            turns.push(Turn { step, own, course: Some(course), touched });
            let last = (next - 1, rules.own(&course, steps.moment(next - 1)));
            own_changes(rules, steps, &course, (step, own), last, &mut turns);
            let forgotten = turns.iter().position(|turn| turn.own.is_forgotten());
            if forgotten.is_some() || next > steps.end {
                turns.truncate(forgotten.map_or(turns.len(), |at| at + 1));
                return Self { turns, body, course };
            }
            step = next;
        }
    }
}

//! Those that contend for places, step by step where something happens.

use peri_types::Zone;

use crate::contest::{Claim, Crowd, share_out};
use crate::rules::{Course, Own};

use super::timeline::{Steps, Turn};
use super::{Cause, Run};

pub(super) struct Arena<'a> {
    steps: &'a Steps,
    slots: Vec<Slot>,
    /// Each with its slot.
    turns: Vec<(usize, Turn)>,
}

struct Slot {
    index: usize,
    zone: Zone,
    touched: bool,
    /// None before it is born and after it is forgotten.
    present: Option<(Own, Course)>,
}

impl<'a> Arena<'a> {
    pub(super) fn new(steps: &'a Steps) -> Self {
        Self { steps, slots: Vec::new(), turns: Vec::new() }
    }

    /// Adds a memory with all that happens to it. The first turn brings its course.
    pub(super) fn enter(&mut self, index: usize, zone: Zone, turns: Vec<Turn>) {
        let slot = self.slots.len();
        self.slots.push(Slot { index, zone, touched: false, present: None });
        self.turns.extend(turns.into_iter().map(|turn| (slot, turn)));
    }

    /// Places everybody at each step at which somebody's own zone or course changes, and in between finds
    /// the steps at which places change hands.
    pub(super) fn play(mut self, run: &mut Run) {
        let mut turns = std::mem::take(&mut self.turns);
        turns.sort_by_key(|(_, turn)| turn.step);
        let mut ahead = turns.as_slice();
        while let Some((_, next)) = ahead.first() {
            let step = next.step;
            let (now, later) = ahead.split_at(ahead.partition_point(|(_, turn)| turn.step <= step));
            ahead = later;
            now.iter().for_each(|(slot, turn)| self.slots[*slot].turn(turn));
            let (zones, crowd) = self.placement(run, step);
            self.apply(run, step, &zones);
            let quiet = ahead.first().map_or(self.steps.end, |(_, turn)| turn.step - 1);
            if crowd == Crowd::Crowded && quiet > step {
                let (zones, _) = self.placement(run, quiet);
                self.bisect(run, step, quiet, &zones);
            }
        }
    }

    /// If the same memories have the same places at two steps, nothing changes between them.
    fn bisect(&mut self, run: &mut Run, low: i64, high: i64, zones: &[Zone]) {
        if self.slots.iter().zip(zones).all(|(slot, zone)| slot.zone == *zone) {
            return;
        }
        if high - low == 1 {
            self.apply(run, high, zones);
            return;
        }
        let middle = low + (high - low) / 2;
        let (halfway, _) = self.placement(run, middle);
        self.bisect(run, low, middle, &halfway);
        self.bisect(run, middle, high, zones);
    }

    fn placement(&self, run: &Run, step: i64) -> (Vec<Zone>, Crowd) {
        let moment = self.steps.moment(step);
        let mut zones = Vec::with_capacity(self.slots.len());
        let mut claims = Vec::with_capacity(self.slots.len());
        for (slot, state) in self.slots.iter().enumerate() {
            zones.push(state.present.map_or(state.zone, |(own, _)| own.zone()));
            if let Some((own, course)) = &state.present
                && let Some(zone) = own.claim()
            {
                claims.push(Claim { slot, zone, standing: run.rules.standing(course, moment) });
            }
        }
        let crowd = share_out(run.rules.capacities, &claims, |slot, zone| zones[slot] = zone);
        (zones, crowd)
    }

    fn apply(&mut self, run: &mut Run, step: i64, zones: &[Zone]) {
        let moment = self.steps.moment(step);
        for (slot, to) in self.slots.iter_mut().zip(zones.iter().copied()) {
            let Some((own, course)) = slot.present else { continue };
            if slot.zone != to {
                let by_score = run.rules.by_score(&course, moment);
                let cause = Cause { by_score, own: own.zone(), touched: slot.touched };
                run.put(slot.index, to, moment.at, |from| cause.reason(from, to));
                slot.zone = to;
            }
            slot.touched = false;
            if own.is_forgotten() {
                run.forget(slot.index, course.last_used, moment.at);
                slot.present = None;
            }
        }
    }
}

impl Slot {
    fn turn(&mut self, turn: &Turn) {
        let course = turn.course.or(self.present.map(|(_, course)| course));
        self.present = course.map(|course| (turn.own, course));
        self.touched |= turn.touched;
    }
}

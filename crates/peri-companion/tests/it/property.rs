//! Whatever happens in whatever order, every message is observed once, waits, or was put aside.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use peri_companion::{
    Condensed, Condensing, Observed, Observing, Promoting, Promotion, Settings, ThinkError, Thinker, When,
};
use peri_llm::Refusal;
use peri_notes::{MemoryShelf, Shelf};
use peri_types::Clock;
use proptest::prelude::*;

use crate::shelves::{Break, Breaking};
use crate::support::*;

#[derive(Debug, Clone)]
enum Act {
    /// So many messages are told in a turn.
    Turn(usize),
    Step(When),
    StepAll,
    /// The next answers are of this sort.
    Answers(Sort),
    /// Everything breaks at the so-manieth call from here on, and begins anew.
    Crash(usize, Break),
    Pass(u64),
    Retry,
}

#[derive(Debug, Clone, Copy)]
enum Sort {
    Good,
    Refused,
    Unusable,
}

fn any_act() -> impl Strategy<Value = Act> {
    let when = prop_oneof![Just(When::Due), Just(When::Now)];
    let sort = prop_oneof![2 => Just(Sort::Good), 1 => Just(Sort::Refused), 1 => Just(Sort::Unusable)];
    let how = prop_oneof![Just(Break::Before), Just(Break::After)];
    prop_oneof![
        4 => (1_usize..6).prop_map(Act::Turn),
        3 => when.prop_map(Act::Step),
        1 => Just(Act::StepAll),
        2 => sort.prop_map(Act::Answers),
        3 => (0_usize..40, how).prop_map(|(at, how)| Act::Crash(at, how)),
        2 => (0_u64..4000).prop_map(Act::Pass),
        1 => Just(Act::Retry),
    ]
}

/// A scribe whose answers may be of no use.
struct Fickle(Arc<Mutex<Sort>>);

impl Thinker for Fickle {
    fn observe(&self, given: &Observing<'_>) -> Result<Observed, ThinkError> {
        match *self.0.lock() {
            Sort::Good => Scribe.observe(given),
            Sort::Unusable => Err(unsound()),
            Sort::Refused => {
                Err(ThinkError::Refused(Refusal::Paused { place: String::new(), until: given.now }))
            }
        }
    }

    fn reflect(&self, given: &Condensing<'_>) -> Result<Condensed, ThinkError> {
        Scribe.reflect(given)
    }

    fn promote(&self, given: &Promoting<'_>) -> Result<Promotion, ThinkError> {
        Scribe.promote(given)
    }

    fn compact(&self, given: &Condensing<'_>) -> Result<Condensed, ThinkError> {
        Scribe.compact(given)
    }
}

struct World {
    shelf: Arc<MemoryShelf>,
    breaking: Option<Arc<Breaking>>,
    sort: Arc<Mutex<Sort>>,
    clock: Clock,
    told: Vec<String>,
}

impl World {
    fn desk(&self) -> Desk {
        let shelf: Arc<dyn Shelf> = match &self.breaking {
            Some(breaking) => Arc::clone(breaking) as Arc<dyn Shelf>,
            None => Arc::clone(&self.shelf) as Arc<dyn Shelf>,
        };
        let settings = Settings {
            observe_tokens_min: 30,
            observe_tokens_max: 60,
            attempts_max: 3,
            ..Settings::default()
        };
        Desk::with_clock(shelf, Arc::new(Fickle(Arc::clone(&self.sort))), settings, self.clock.clone())
    }

    /// A new process takes the place of one that broke off.
    fn revive(&mut self) {
        if self.breaking.as_ref().is_some_and(|breaking| breaking.is_broken()) {
            self.breaking = None;
        }
    }

    fn act(&mut self, act: &Act) {
        let desk = self.desk();
        match act {
            Act::Turn(count) => self.turn(&desk, *count),
            Act::Step(when) => drop(desk.companion.step(&team(), &desk.session, *when)),
            Act::StepAll => drop(desk.companion.step_all(&team())),
            Act::Answers(sort) => *self.sort.lock() = *sort,
            Act::Crash(at, how) => self.breaking = Some(Arc::new(Breaking::new(&self.shelf, *at, *how))),
            Act::Pass(seconds) => desk.advance(Duration::from_secs(*seconds)),
            Act::Retry => drop(desk.companion.retry(&team(), &desk.session)),
        }
        self.revive();
    }

    /// Tells new messages, again if it is not sure that they are kept.
    fn turn(&mut self, desk: &Desk, count: usize) {
        let first = self.told.len();
        let texts: Vec<String> =
            (first..first + count).map(|number| format!("말씀 {number} 这句话。")).collect();
        let messages: Vec<_> = texts.iter().map(|text| user(text)).collect();
        let kept = desk.companion.turn(&team(), &desk.session, &messages, &[]);
        if kept.is_err() {
            self.breaking = None;
            drop(self.desk().companion.keep(&team(), &desk.session, &messages, &[]).unwrap());
        }
        self.told.extend(texts);
    }

    fn check(&mut self) -> Result<(), TestCaseError> {
        self.breaking = None;
        let desk = self.desk();
        let noted = desk.texts();
        let mut all: Vec<String> = noted.iter().cloned().chain(desk.aside()).chain(desk.pending()).collect();
        all.sort();
        let mut told = self.told.clone();
        told.sort();
        prop_assert_eq!(all, told);
        Ok(())
    }

    /// In the end, with good answers and patience, everything is observed.
    fn finish(&mut self) -> Result<(), TestCaseError> {
        *self.sort.lock() = Sort::Good;
        let desk = self.desk();
        desk.companion.retry(&team(), &desk.session).unwrap();
        desk.step(When::Now);
        let (mut noted, mut told) = (desk.texts(), self.told.clone());
        noted.sort();
        told.sort();
        prop_assert_eq!(noted, told);
        prop_assert!(desk.pending().is_empty() && desk.aside().is_empty());
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_message_is_observed_once_or_waits(acts in proptest::collection::vec(any_act(), 1..40)) {
        let mut world = World {
            shelf: Arc::default(),
            breaking: None,
            sort: Arc::new(Mutex::new(Sort::Good)),
            clock: clock(),
            told: Vec::new(),
        };
        for act in &acts {
            world.act(act);
        }
        world.check()?;
        world.finish()?;
    }
}

//! With outages at any moment the store ends up as it would have without them.

use jiff::SignedDuration;
use perihelion::{Error, MemoryId, Outcome, Remember, Revise, Scope, Trashed};
use proptest::prelude::*;

use super::World;
use crate::support::all;

#[derive(Debug, Clone)]
enum Step {
    Remember,
    Revise(usize),
    Forget(usize),
    Restore(usize),
    CutOff,
    BreakOff,
    Mend,
    Wait(u16),
    Maintain,
    Restart,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        5 => Just(Step::Remember),
        3 => (0..20_usize).prop_map(Step::Revise),
        2 => (0..20_usize).prop_map(Step::Forget),
        2 => (0..20_usize).prop_map(Step::Restore),
        2 => Just(Step::CutOff),
        1 => Just(Step::BreakOff),
        3 => Just(Step::Mend),
        3 => (0..2000_u16).prop_map(Step::Wait),
        2 => Just(Step::Maintain),
        1 => Just(Step::Restart),
    ]
}

/// A memory as it should end up.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Expected {
    id: MemoryId,
    content: String,
    version: u32,
    trashed: bool,
}

/// A change is made or waits. Nothing else may come of it.
fn taken<T>(outcome: Result<T, Error>) {
    assert!(matches!(outcome, Ok(_) | Err(Error::Queued)), "{:?}", outcome.err());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn outages_change_nothing_of_what_comes_of_writes(steps in prop::collection::vec(step(), 1..60)) {
        let folder = tempfile::tempdir().unwrap();
        let mut world = World::new(folder.path());
        let mut expected: Vec<Expected> = Vec::new();
        for (number, step) in steps.into_iter().enumerate() {
            let content = format!("{number}{number} zx{number}q unlike {number}v");
            let which = |which: usize| (!expected.is_empty()).then(|| which % expected.len());
            match step {
                Step::Remember => {
                    let receipt = world.engine.remember(Remember::new(content.clone())).unwrap();
                    prop_assert!(receipt.outcome != Outcome::Merged);
                    expected.push(Expected { id: receipt.id, content, version: 1, trashed: false });
                }
                Step::Revise(one) => if let Some(one) = which(one).filter(|one| !expected[*one].trashed) {
                    let request = Revise { content: Some(content.clone()), ..Revise::default() };
                    taken(world.engine.revise(&Scope::All, expected[one].id, request));
                    expected[one].content = content;
                    expected[one].version += 1;
                },
                Step::Forget(one) => if let Some(one) = which(one) {
                    taken(world.engine.forget(&Scope::All, expected[one].id));
                    expected[one].trashed = true;
                },
                Step::Restore(one) => if let Some(one) = which(one).filter(|one| expected[*one].trashed) {
                    taken(world.engine.restore(&Scope::All, expected[one].id));
                    expected[one].trashed = false;
                },
                Step::CutOff => world.cut_off(),
                Step::BreakOff => { world.store.mend(); world.store.break_off(); }
                Step::Mend => world.store.mend(),
                Step::Wait(millis) => world.clock.advance(SignedDuration::from_millis(i64::from(millis))),
                Step::Maintain => world.do_chores(),
                Step::Restart => {
                    let now = world.clock.now();
                    drop(world);
                    world = World::new(folder.path());
                    world.clock.advance(now.duration_since(world.clock.now()));
                }
            }
        }
        world.come_back();
        prop_assert_eq!(world.depth(), 0);
        prop_assert_eq!(world.engine.dead_calls(10).unwrap(), []);
        let mut held: Vec<Expected> = [(Trashed::Without, false), (Trashed::Only, true)]
            .into_iter()
            .flat_map(|(side, trashed)| {
                all(&world.engine, side).into_iter().map(move |memory| (memory, trashed))
            })
            .map(|(memory, trashed)| {
                Expected { id: memory.id, content: memory.content, version: memory.version, trashed }
            })
            .collect();
        held.sort();
        expected.sort();
        prop_assert_eq!(held, expected);
    }
}

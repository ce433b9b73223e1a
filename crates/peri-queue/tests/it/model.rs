//! Any sequence of operations, with restarts in between, does what a plain list would.

use peri_queue::{Fate, QueueSettings, Severity};
use proptest::prelude::*;

use crate::support::*;

#[derive(Debug, Clone)]
enum Step {
    Push(u16),
    Done(usize),
    Fail(u8),
    Drop(usize),
    Replay(usize),
    ReplayAll,
    DropDead,
    DropWaiting,
    Restart,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        12 => (0..300_u16).prop_map(Step::Push),
        6 => (1..6_usize).prop_map(Step::Done),
        4 => (0..3_u8).prop_map(Step::Fail),
        3 => (0..30_usize).prop_map(Step::Drop),
        2 => (0..10_usize).prop_map(Step::Replay),
        1 => Just(Step::ReplayAll),
        1 => Just(Step::DropDead),
        1 => Just(Step::DropWaiting),
        3 => Just(Step::Restart),
    ]
}

#[derive(Debug, Default)]
struct Model {
    waiting: Vec<(u64, String)>,
    dead: Vec<(u64, String)>,
    attempts: u32,
    next: u64,
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn a_queue_does_what_a_list_would(
        steps in prop::collection::vec(step(), 1..80),
        in_memory_max in 1..6_usize,
        in_memory_bytes_max in 1..800_usize,
        segment_bytes in 1..1500_u64,
    ) {
        let settings = QueueSettings { in_memory_max, in_memory_bytes_max, segment_bytes, ..small() };
        let root = tempfile::tempdir().unwrap();
        let mut queue = create(root.path(), settings.clone());
        let mut model = Model::default();
        for step in steps {
            match step {
                Step::Push(length) => {
                    let (number, text) = (model.next, format!("{}한", "x".repeat(usize::from(length))));
                    model.next += 1;
                    queue.push(id(number), at(0), text.clone()).unwrap();
                    model.waiting.push((number, text));
                }
                Step::Done(count) => {
                    let batch = queue.peek(count, usize::MAX).unwrap();
                    prop_assert_eq!(batch.is_empty(), model.waiting.is_empty());
                    for record in &batch {
                        let (number, text) = model.waiting.remove(0);
                        prop_assert_eq!((number_of(record.id), &*record.payload), (number, text.as_str()));
                        model.attempts = 0;
                    }
                    queue.done(&batch.iter().map(|record| record.number).collect::<Vec<_>>()).unwrap();
                }
                Step::Fail(severity) if !model.waiting.is_empty() => {
                    let severity = [Severity::Passing, Severity::Unclear, Severity::Final][usize::from(severity)];
                    let fate = queue.failed(first(&queue), failure(severity), at(0)).unwrap();
                    model.attempts += 1;
                    let dies = match severity {
                        Severity::Passing => false,
                        Severity::Unclear => model.attempts >= 3,
                        Severity::Final => true,
                    };
                    prop_assert_eq!(fate == Fate::Dead, dies);
                    if dies {
                        model.dead.push(model.waiting.remove(0));
                        model.attempts = 0;
                    }
                }
                Step::Drop(which) if !model.waiting.is_empty() => {
                    let which = which % model.waiting.len();
                    model.attempts = if which == 0 { 0 } else { model.attempts };
                    queue.drop_one(id(model.waiting.remove(which).0)).unwrap();
                }
                Step::Replay(which) if !model.dead.is_empty() => {
                    let letter = model.dead.remove(which % model.dead.len());
                    queue.replay(id(letter.0)).unwrap();
                    model.waiting.push(letter);
                }
                Step::ReplayAll => {
                    prop_assert_eq!(queue.replay_all().unwrap(), model.dead.len() as u64);
                    model.waiting.append(&mut model.dead);
                }
                Step::DropDead => {
                    prop_assert_eq!(queue.drop_dead().unwrap(), model.dead.len() as u64);
                    model.dead.clear();
                }
                Step::DropWaiting => {
                    prop_assert_eq!(queue.drop_waiting().unwrap(), model.waiting.len() as u64);
                    model.waiting.clear();
                    model.attempts = 0;
                }
                Step::Restart => queue = reopen(queue, settings.clone()),
                Step::Fail(_) | Step::Drop(_) | Step::Replay(_) => {}
            }
            let numbers = |list: &[(u64, String)]| list.iter().map(|(number, _)| *number).collect::<Vec<_>>();
            prop_assert_eq!(waiting(&queue), numbers(&model.waiting));
            let mut died = dead(&queue);
            let mut expected = numbers(&model.dead);
            died.sort_unstable();
            expected.sort_unstable();
            prop_assert_eq!(died, expected);
            let stats = queue.stats();
            prop_assert_eq!((stats.depth, stats.attempts), (model.waiting.len() as u64, model.attempts));
            prop_assert_eq!(stats.bytes == 0, model.waiting.is_empty());
        }
        prop_assert!(queue.take_reports().is_empty());
    }
}

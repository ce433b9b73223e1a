//! Any sequence of changes keeps the engine equal to a naive model of it.

use std::collections::BTreeMap;

use perihelion::{Memory, MemoryId, Perihelion, Remember, Revise, Scope, Trashed};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

use crate::support::{all, ask, open};

#[derive(Debug, Clone)]
enum Step {
    Remember { subject: usize },
    RememberMany,
    Repeat(prop::sample::Index),
    Revise(prop::sample::Index, usize),
    Forget(prop::sample::Index),
    Restore(prop::sample::Index),
    Purge(prop::sample::Index),
    Recall(prop::sample::Index),
    Maintain,
    Reopen,
}

const SUBJECTS: [&str; 6] =
    ["the harbour", "a red kite", "our invoice", "the night train", "두부찌개", "数据库"];

fn step() -> impl Strategy<Value = Step> {
    use prop::sample::Index;
    prop_oneof![
        10 => (0..SUBJECTS.len()).prop_map(|subject| Step::Remember { subject }),
        1 => Just(Step::RememberMany),
        2 => any::<Index>().prop_map(Step::Repeat),
        4 => (any::<Index>(), 0..SUBJECTS.len()).prop_map(|(which, subject)| Step::Revise(which, subject)),
        5 => any::<Index>().prop_map(Step::Forget),
        3 => any::<Index>().prop_map(Step::Restore),
        3 => any::<Index>().prop_map(Step::Purge),
        5 => any::<Index>().prop_map(Step::Recall),
        1 => Just(Step::Maintain),
        2 => Just(Step::Reopen),
    ]
}

/// What should be there: content and whether it lies in the trash.
#[derive(Default)]
struct Model {
    memories: BTreeMap<MemoryId, (String, bool)>,
    made: usize,
}

impl Model {
    /// Content with a word of its own, which makes it distinctive.
    fn fresh(&mut self, subject: usize) -> String {
        self.made += 1;
        let mut number = self.made;
        let mut word = String::from("z");
        for _ in 0..4 {
            word.push(char::from(b"bdfgklmnprst"[number % 12]));
            word.push(char::from(b"aeiou"[number % 5]));
            number /= 5;
        }
        format!("{} goes by the name {word}{}", SUBJECTS[subject], self.made)
    }

    fn pick(&self, which: &prop::sample::Index) -> Option<(MemoryId, String, bool)> {
        if self.memories.is_empty() {
            return None;
        }
        let (id, (content, trashed)) = self.memories.iter().nth(which.index(self.memories.len()))?;
        Some((*id, content.clone(), *trashed))
    }

    fn side(&self, trashed: bool) -> Vec<(MemoryId, String)> {
        let own = self.memories.iter().filter(|(_, (_, side))| *side == trashed);
        own.map(|(id, (content, _))| (*id, content.clone())).collect()
    }
}

fn pairs(memories: Vec<Memory>) -> Vec<(MemoryId, String)> {
    memories.into_iter().map(|memory| (memory.id, memory.content)).collect()
}

fn perform(engine: &Perihelion, model: &mut Model, step: &Step) {
    let everywhere = &Scope::All;
    match step {
        Step::Remember { subject } => {
            let content = model.fresh(*subject);
            let id = engine.remember(Remember::new(&content)).unwrap().id;
            assert!(model.memories.insert(id, (content, false)).is_none());
        }
        Step::RememberMany => {
            let batch: Vec<String> = (0..70).map(|i| model.fresh(i % SUBJECTS.len())).collect();
            let receipts = engine.remember_all(batch.iter().map(Remember::new).collect()).unwrap();
            for (receipt, content) in receipts.into_iter().zip(batch) {
                model.memories.insert(receipt.id, (content, false));
            }
        }
        Step::Repeat(which) => {
            let Some((id, content, trashed)) = model.pick(which) else { return };
            let receipt = engine.remember(Remember::new(&content)).unwrap();
            let twin_lives = model.memories.values().any(|(own, side)| !side && *own == content);
            if trashed && !twin_lives {
                assert_ne!(receipt.id, id, "what lies in the trash is not merged into");
                model.memories.insert(receipt.id, (content, false));
            } else {
                assert_eq!(model.memories[&receipt.id], (content, false));
            }
        }
        Step::Revise(which, subject) => {
            let Some((id, _, trashed)) = model.pick(which) else { return };
            let content = model.fresh(*subject);
            let revise = Revise { content: Some(content.clone()), ..Revise::default() };
            let revised = engine.revise(everywhere, id, revise);
            assert_eq!(revised.is_ok(), !trashed);
            if revised.is_ok() {
                model.memories.insert(id, (content, false));
            }
        }
        Step::Forget(which) => {
            let Some((id, content, _)) = model.pick(which) else { return };
            engine.forget(everywhere, id).unwrap();
            model.memories.insert(id, (content, true));
        }
        Step::Restore(which) => {
            let Some((id, content, trashed)) = model.pick(which) else { return };
            let twin = model.memories.values().any(|(own, side)| !side && *own == content);
            let restored = engine.restore(everywhere, id);
            assert_eq!(restored.is_ok(), trashed && !twin);
            if restored.is_ok() {
                model.memories.insert(id, (content, false));
            }
        }
        Step::Purge(which) => {
            let Some((id, _, trashed)) = model.pick(which) else { return };
            assert_eq!(engine.purge(everywhere, id).is_ok(), trashed);
            if trashed {
                model.memories.remove(&id);
            }
        }
        Step::Recall(which) => {
            let Some((_, content, _)) = model.pick(which) else { return };
            check_recall(engine, model, &content);
        }
        Step::Maintain => engine.maintain().unwrap(),
        Step::Reopen => {}
    }
}

fn check_recall(engine: &Perihelion, model: &Model, content: &str) {
    let hits = ask(engine, content).hits;
    for hit in &hits {
        assert_eq!(model.memories.get(&hit.memory.id), Some(&(hit.memory.content.clone(), false)));
    }
    if model.memories.values().any(|(own, trashed)| own == content && !trashed) {
        assert_eq!(hits.first().map(|hit| hit.memory.content.as_str()), Some(content));
    }
}

proptest! {
    #![proptest_config(Config {
        cases: 40,
        rng_seed: RngSeed::Fixed(0x5EED),
        failure_persistence: None,
        ..Config::default()
    })]

    #[test]
    fn any_sequence_of_changes_equals_the_model(steps in prop::collection::vec(step(), 1..40)) {
        let folder = tempfile::tempdir().unwrap();
        let mut engine = open(folder.path());
        let mut model = Model::default();
        for step in &steps {
            if matches!(step, Step::Reopen) {
                engine.close().unwrap();
                engine = open(folder.path());
            }
            perform(&engine, &mut model, step);
            prop_assert_eq!(pairs(all(&engine, Trashed::Without)), model.side(false));
            prop_assert_eq!(pairs(all(&engine, Trashed::Only)), model.side(true));
        }
        let contents: Vec<String> = model.side(false).into_iter().map(|(_, content)| content).collect();
        for content in contents.iter().take(10) {
            check_recall(&engine, &model, content);
        }
    }
}

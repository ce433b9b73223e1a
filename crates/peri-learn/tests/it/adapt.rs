//! The adapter of queries: what it changes, what it learns, what it keeps, and when it is believed.

use peri_learn::adapt::{
    AdaptError, Adapted, Adapter, Consolidation, Example, Lesson, Memory, Mode, ModeSettings, QUERIES_MIN,
    Refusal, Training, Verdict, judge, learn, roll_back, try_out,
};
use peri_types::SpaceId;
use proptest::prelude::*;

const DIMENSIONS: usize = 24;

fn space() -> SpaceId {
    SpaceId { model: "시험-测试".to_owned(), dimensions: DIMENSIONS as u32 }
}

/// Settings that train fast on few dimensions.
fn quick() -> ModeSettings {
    ModeSettings { rank: 6, epochs_max: 40, ..Mode::Balanced.settings() }
}

/// A small generator, so that every run is the same.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1_u64 << 24) as f32 - 0.5
    }

    fn vector(&mut self) -> Vec<f32> {
        unit((0..DIMENSIONS).map(|_| self.next()).collect())
    }
}

fn unit(vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    vector.into_iter().map(|value| value / length).collect()
}

fn near(vector: &[f32], numbers: &mut Numbers) -> Vec<f32> {
    unit(vector.iter().map(|value| value + 0.15 * numbers.next()).collect())
}

/// Somebody whose topics have other names in the questions than in the memories: what was of use for a question lies
/// where its topic's memories lie, and what lies near the question is shown in vain.
fn feedback(seed: u64, count: usize) -> Vec<Example> {
    let mut topics = Numbers(seed);
    let topics: Vec<(Vec<f32>, Vec<f32>)> = (0..4).map(|_| (topics.vector(), topics.vector())).collect();
    let mut numbers = Numbers(seed ^ 0xabcd);
    let one = |at: usize| {
        let (asked, meant) = &topics[at % topics.len()];
        let query = near(asked, &mut numbers);
        let used = vec![near(meant, &mut numbers)];
        let unused = vec![near(asked, &mut numbers), numbers.vector(), numbers.vector()];
        Example { query, used, unused }
    };
    (0..count).map(one).collect()
}

/// Feedback that tells nothing: any of the results may have been of use.
fn noise(seed: u64, count: usize) -> Vec<Example> {
    let mut numbers = Numbers(seed);
    let mut one = || Example {
        query: numbers.vector(),
        used: vec![numbers.vector()],
        unused: vec![numbers.vector(), numbers.vector(), numbers.vector()],
    };
    (0..count).map(|_| one()).collect()
}

fn train(settings: ModeSettings, examples: &[Example]) -> Adapter {
    let (current, protected) = (Adapter::new(space(), settings.rank).unwrap(), Consolidation::new(0.0));
    let training = Training { current: &current, protected: &protected, settings, seed: 1 };
    training.on(&examples.iter().collect::<Vec<_>>()).unwrap().adapter
}

/// How often a memory of use stands above all that was shown in vain.
fn right(adapter: &Adapter, examples: &[Example]) -> f64 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    let is_right = |example: &&Example| {
        let mut query = example.query.clone();
        adapter.adapt(&mut query);
        example.unused.iter().all(|memory| dot(memory, &query) < dot(&example.used[0], &query))
    };
    examples.iter().filter(is_right).count() as f64 / examples.len() as f64
}

#[test]
fn a_new_adapter_changes_nothing() {
    let adapter = Adapter::new(space(), 8).unwrap();
    let mut query = Numbers(1).vector();
    let before = query.clone();
    assert_eq!(adapter.adapt(&mut query), Adapted::Untouched);
    assert_eq!(query, before);
    assert!(adapter.is_identity());
}

#[test]
fn training_learns_what_the_questions_mean() {
    let (seen, unseen) = (feedback(5, 60), feedback(5, 160).split_off(60));
    let adapter = train(quick(), &seen);
    let fresh = Adapter::new(space(), 6).unwrap();
    assert!(right(&fresh, &unseen) < 0.1, "{}", right(&fresh, &unseen));
    assert!(right(&adapter, &unseen) > 0.9, "{}", right(&adapter, &unseen));
}

#[test]
fn the_same_feedback_teaches_the_same() {
    let examples = feedback(6, 40);
    assert_eq!(train(quick(), &examples), train(quick(), &examples));
}

#[test]
fn what_is_adapted_has_length_one() {
    let adapter = train(quick(), &feedback(7, 40));
    let mut numbers = Numbers(8);
    for _ in 0..50 {
        let mut query = numbers.vector();
        assert_eq!(adapter.adapt(&mut query), Adapted::Yes);
        assert!((query.iter().map(|value| value * value).sum::<f32>() - 1.0).abs() < 1e-4);
    }
}

#[test]
fn a_query_of_another_space_or_without_numbers_stays() {
    let adapter = train(quick(), &feedback(7, 40));
    for mut query in [
        vec![],
        vec![1.0],
        vec![f32::NAN; DIMENSIONS],
        vec![f32::INFINITY; DIMENSIONS],
        vec![0.0; DIMENSIONS],
    ] {
        let before: Vec<u32> = query.iter().map(|value: &f32| value.to_bits()).collect();
        assert_eq!(adapter.adapt(&mut query), Adapted::Untouched);
        assert_eq!(query.iter().map(|value| value.to_bits()).collect::<Vec<_>>(), before);
    }
}

#[test]
fn bad_examples_are_refused() {
    let good = feedback(9, 1).remove(0);
    let (mut short, mut broken, mut all, mut none) = (good.clone(), good.clone(), good.clone(), good.clone());
    short.query.pop();
    broken.used[0][3] = f32::NAN;
    all.unused.clear();
    none.used.clear();
    assert_eq!(good.check(DIMENSIONS), Ok(()));
    assert!(matches!(short.check(DIMENSIONS), Err(AdaptError::Size { .. })));
    assert!(matches!(broken.check(DIMENSIONS), Err(AdaptError::NotANumber { .. })));
    assert_eq!(all.check(DIMENSIONS), Err(AdaptError::TellsNothing));
    assert_eq!(none.check(DIMENSIONS), Err(AdaptError::TellsNothing));
    let mut memory = Memory::new(quick(), DIMENSIONS);
    assert!([short, broken, all, none].into_iter().all(|bad| memory.record(bad).is_err()));
    assert!(memory.examples().is_empty());
}

fn lesson(settings: ModeSettings, examples: &[Example]) -> Result<Lesson, AdaptError> {
    let (current, protected) = (Adapter::new(space(), 6).unwrap(), Consolidation::new(100.0));
    let training = Training { current: &current, protected: &protected, settings, seed: 1 };
    learn(&training, "첫째", examples)
}

#[test]
fn an_adapter_that_helps_is_taken() {
    let lesson = lesson(quick(), &feedback(10, 50)).unwrap();
    let Verdict::Taken { gain, queries, chance } = lesson.verdict else { panic!("{}", lesson.verdict) };
    assert!(gain > 0.2 && queries == 50 && chance < 0.01, "{}", lesson.verdict);
    assert_eq!(lesson.protected.tasks_learned(), 1);
}

#[test]
fn feedback_without_signal_seldom_gets_an_adapter_taken() {
    let brief = ModeSettings { epochs_max: 4, ..quick() };
    let taken = (0..30).filter(|seed| lesson(brief, &noise(*seed, 40)).unwrap().verdict.is_taken()).count();
    assert!(taken <= 4, "{taken} of 30, where chance allows one or two");
}

#[test]
fn too_little_feedback_teaches_nothing() {
    assert!(matches!(lesson(quick(), &feedback(11, 12)), Err(AdaptError::TooFew { .. })));
    let few = vec![0.1; QUERIES_MIN - 1];
    let verdict = judge(&few, &[1.0; QUERIES_MIN - 1]);
    assert!(matches!(verdict, Verdict::Refused { why: Refusal::TooFew { .. } }));
}

#[test]
fn figures_that_are_no_numbers_prove_nothing() {
    let verdict = judge(&[0.1; 30], &[f64::NAN; 30]);
    assert_eq!(verdict, Verdict::Refused { why: Refusal::NotANumber });
}

#[test]
fn an_adapter_of_another_space_is_refused() {
    let other = SpaceId { model: "other".to_owned(), dimensions: DIMENSIONS as u32 };
    let (own, other) = (Adapter::new(space(), 2).unwrap(), Adapter::new(other, 2).unwrap());
    assert_eq!(try_out(&own, &other, &[]), Verdict::Refused { why: Refusal::Unlike });
}

#[test]
fn an_adapter_that_has_become_worse_is_rolled_back_and_a_good_one_is_not() {
    let (adapter, fresh) = (train(quick(), &feedback(12, 60)), Adapter::new(space(), 6).unwrap());
    let same = feedback(12, 120).split_off(60);
    assert!(!roll_back(&fresh, &adapter, &same.iter().collect::<Vec<_>>()).is_taken());
    // Now the questions mean what they say.
    let mut numbers = Numbers(13);
    let plain = same.iter().map(|example| Example {
        used: vec![near(&example.query, &mut numbers)],
        unused: example.used.iter().cloned().chain([numbers.vector()]).collect(),
        query: example.query.clone(),
    });
    let plain: Vec<Example> = plain.collect();
    assert!(roll_back(&fresh, &adapter, &plain.iter().collect::<Vec<_>>()).is_taken());
}

/// What remains of a first task after a second one was learned, and what was learned of that.
fn two_tasks(strength: f32) -> (f64, f64) {
    let (first, second) = (feedback(20, 60), feedback(21, 60));
    let (current, nothing) = (Adapter::new(space(), 6).unwrap(), Consolidation::new(strength));
    let settings = ModeSettings { epochs_max: 400, ..quick() };
    let training = Training { current: &current, protected: &nothing, settings, seed: 1 };
    let examples: Vec<&Example> = first.iter().collect();
    let adapter = training.on(&examples).unwrap().adapter;
    let protected = nothing.after("first", &adapter, &examples).unwrap();
    let training = Training { current: &adapter, protected: &protected, settings, seed: 1 };
    let after = training.on(&second.iter().collect::<Vec<_>>()).unwrap().adapter;
    let moved = |from: &Adapter, to: &Adapter| -> f64 {
        let pairs = from.u().iter().chain(from.v()).zip(to.u().iter().chain(to.v()));
        let parts = pairs.zip(protected.fisher());
        parts.map(|((a, b), fisher)| f64::from(fisher * (a - b).powi(2))).sum()
    };
    (moved(&adapter, &after), right(&after, &second))
}

#[test]
fn protection_keeps_what_an_earlier_task_needs() {
    let ((free, _), (kept, _)) = (two_tasks(0.0), two_tasks(1000.0));
    assert!(kept < 0.5 * free, "moved {kept} with protection and {free} without");
}

#[test]
fn protection_leaves_room_for_the_next_task() {
    let (_, learned) = two_tasks(1.0);
    assert!(learned > 0.5, "{learned}");
}

#[test]
fn tasks_are_counted_and_summed_in_bounded_memory() {
    let examples = feedback(22, 30);
    let examples: Vec<&Example> = examples.iter().collect();
    let adapter = train(quick(), &feedback(22, 30));
    let mut protected = Consolidation::new(10.0);
    for task in 0..50 {
        protected = protected.after(&format!("任务 {task}"), &adapter, &examples).unwrap();
    }
    assert_eq!(protected.tasks_learned(), 50);
    assert_eq!(protected.fisher().len(), 2 * 6 * DIMENSIONS);
    assert_eq!(protected.task_weights().len(), 32);
    assert!(protected.task_weights().values().all(|weights| weights.len() == 6));
    assert!(protected.fisher().iter().any(|value| *value > 0.0));
    let other = Adapter::new(space(), 3).unwrap();
    assert_eq!(protected.after("unlike", &other, &examples), Err(AdaptError::Unlike));
}

#[test]
fn a_memory_keeps_as_many_as_its_mode_and_says_when_to_train() {
    for mode in Mode::ALL {
        let settings = mode.settings();
        let mut memory = Memory::new(settings, DIMENSIONS);
        let mut due_at = None;
        for (at, example) in noise(30, settings.capacity + 5).into_iter().enumerate() {
            memory.record(example).unwrap();
            due_at = due_at.or(memory.is_due().then_some(at + 1));
        }
        assert_eq!(memory.examples().len(), settings.capacity, "{mode}");
        assert_eq!(due_at, Some(settings.train_every), "{mode}");
        memory.trained();
        assert!(!memory.is_due());
    }
}

#[test]
fn what_is_asked_all_the_time_does_not_push_out_what_is_asked_seldom() {
    let mut memory = Memory::new(ModeSettings { capacity: 10, ..quick() }, DIMENSIONS);
    let seldom = noise(31, 1).remove(0);
    memory.record(seldom.clone()).unwrap();
    for example in feedback(32, 200) {
        memory.record(example).unwrap();
    }
    assert_eq!(memory.examples().len(), 10);
    assert!(memory.examples().contains(&seldom));
}

#[test]
fn each_setting_of_a_mode_changes_what_is_learned() {
    let examples = feedback(40, 60);
    let base = quick();
    let usual = train(base, &examples);
    assert_eq!(train(ModeSettings { rank: 3, ..base }, &examples).rank(), 3);
    assert_ne!(train(ModeSettings { rate: base.rate / 4.0, ..base }, &examples).u(), usual.u());
    assert_ne!(train(ModeSettings { epochs_max: 1, ..base }, &examples).u(), usual.u());
    assert_ne!(
        two_tasks(Mode::RealTime.settings().protection_strength),
        two_tasks(Mode::Edge.settings().protection_strength)
    );
    for (at, mode) in Mode::ALL.into_iter().enumerate() {
        for other in &Mode::ALL[..at] {
            let (own, other) = (mode.settings(), other.settings());
            assert!(
                own.capacity != other.capacity
                    && own.rank != other.rank
                    && own.epochs_max != other.epochs_max
            );
            assert!(
                own.train_every != other.train_every && own.protection_strength != other.protection_strength
            );
        }
    }
}

#[test]
fn hostile_adapters_are_refused() {
    let text = serde_json::to_value(train(quick(), &feedback(41, 30))).unwrap();
    let with = |key: &str, value: serde_json::Value| {
        let mut text = text.clone();
        text[key] = value;
        serde_json::from_value::<Adapter>(text)
    };
    assert!(serde_json::from_value::<Adapter>(text.clone()).is_ok());
    for (key, value) in [
        ("format", serde_json::Value::from(2)),
        ("rank", 0.into()),
        ("rank", 5.into()),
        ("rank", 1_000_000_000.into()),
        ("u", vec![0.0; 3].into()),
        ("v", vec![1e30; 6 * DIMENSIONS].into()),
        ("extra", 1.into()),
    ] {
        assert!(with(key, value.clone()).is_err(), "{key} {value}");
    }
    let nothing = SpaceId { model: String::new(), dimensions: 0 };
    assert!(Adapter::new(nothing, 1).is_err());
    assert!(Adapter::of(space(), 1, vec![f32::NAN; DIMENSIONS], vec![0.0; DIMENSIONS]).is_err());
    let hostile = r#"{"format":1,"protection_strength":1.0,"tasks_learned":1,"fisher":[-1.0],"anchor":[0.0],"tasks":[]}"#;
    assert!(serde_json::from_str::<Consolidation>(hostile).is_err());
    assert!(serde_json::from_str::<Consolidation>(&hostile.replace("-1.0", "1.0,2.0")).is_err());
    assert!(serde_json::from_str::<Consolidation>(&hostile.replace("-1.0", "1.0")).is_ok());
}

proptest! {
    #[test]
    fn adapters_and_their_protection_survive_being_written(weights in prop::collection::vec(-2.0_f32..2.0, 2 * DIMENSIONS), strength in 0.0_f32..1e4) {
        let (u, v) = weights.split_at(DIMENSIONS);
        let adapter = Adapter::of(space(), 1, u.to_vec(), v.to_vec()).unwrap();
        let text = serde_json::to_string(&adapter).unwrap();
        prop_assert_eq!(serde_json::from_str::<Adapter>(&text).unwrap(), adapter.clone());
        let examples = feedback(50, 3);
        let protected = Consolidation::new(strength).after("셋째", &adapter, &examples.iter().collect::<Vec<_>>()).unwrap();
        let text = serde_json::to_string(&protected).unwrap();
        prop_assert_eq!(serde_json::from_str::<Consolidation>(&text).unwrap(), protected);
    }

    #[test]
    fn no_query_makes_an_adapter_panic(query in prop::collection::vec(any::<f32>(), 0..2 * DIMENSIONS), weights in prop::collection::vec(-1e6_f32..1e6, 2 * DIMENSIONS)) {
        let (u, v) = weights.split_at(DIMENSIONS);
        let adapter = Adapter::of(space(), 1, u.to_vec(), v.to_vec()).unwrap();
        let mut adapted = query.clone();
        if adapter.adapt(&mut adapted) == Adapted::Yes {
            prop_assert!(adapted.iter().all(|value| value.is_finite()));
        }
    }
}

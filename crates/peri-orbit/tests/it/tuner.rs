//! What the weight tuner promises.

use peri_orbit::Weights;
use peri_orbit::tuner::{
    Feedback, InvalidTuner, Shown, Terms, TunerSettings, Tuning, Usage, order, roll_back, tune,
};
use proptest::prelude::*;

/// splitmix64.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Recalls of six memories of which the two are used that a taste, in the order of the weights, likes best.
fn feedback(seed: u64, count: usize, taste: [f64; 4], noise: f64) -> Vec<Feedback> {
    let mut random = Random(seed);
    let mut recall = |has_context: bool| {
        let mut shown: Vec<(f64, Shown)> = (0..6)
            .map(|_| {
                let own: [f64; 4] = std::array::from_fn(|_| random.unit());
                let context = has_context.then_some(own[3]);
                let terms = Terms { recall: own[0], freshness: own[1], importance: own[2], context };
                let liking: f64 = own.iter().zip(taste).map(|(term, worth)| term * worth).sum();
                (liking + noise * random.unit(), Shown { terms, usage: Usage::Unused })
            })
            .collect();
        shown.sort_by(|a, b| b.0.total_cmp(&a.0));
        shown[..2].iter_mut().for_each(|one| one.1.usage = Usage::Used);
        Feedback { shown: shown.into_iter().map(|one| one.1).collect() }
    };
    (0..count).map(|at| recall(at % 2 == 0)).collect()
}

const RECENT: [f64; 4] = [0.0, 1.0, 0.0, 0.0];
const IMPORTANT: [f64; 4] = [0.0, 0.0, 1.0, 0.0];
const FITTING: [f64; 4] = [0.0, 0.0, 0.0, 1.0];
const NONE: [f64; 4] = [0.0; 4];

fn array(weights: Weights) -> [f64; 4] {
    [weights.recall, weights.freshness, weights.importance, weights.context]
}

fn tuned(feedback: &[Feedback]) -> Option<Tuning> {
    tune(Weights::default(), feedback, &TunerSettings::default())
}

#[test]
fn what_is_used_raises_the_weight_of_what_it_has_in_common() {
    for (term, taste) in [(1, RECENT), (2, IMPORTANT), (3, FITTING)] {
        let tuning = tuned(&feedback(7, 200, taste, 0.3)).expect("a clear taste is learned");
        let (before, after) = (array(Weights::default())[term], array(tuning.weights)[term]);
        assert!(after > before + 0.03, "{term}: {before} {after}");
        assert!(tuning.gain > 0.0 && tuning.reason.improved > tuning.reason.worsened, "{tuning:?}");
    }
}

#[test]
fn feedback_that_teaches_nothing_changes_nothing() {
    let with = |change: fn(&mut Shown)| {
        let mut all = feedback(3, 200, RECENT, 0.1);
        all.iter_mut().flat_map(|recall| &mut recall.shown).for_each(change);
        all
    };
    for (name, all) in [
        ("nothing", vec![]),
        ("empty recalls", vec![Feedback::default(); 200]),
        ("too few", feedback(3, 49, RECENT, 0.1)),
        ("everything used", with(|shown| shown.usage = Usage::Used)),
        ("nothing used", with(|shown| shown.usage = Usage::Unused)),
        ("no numbers", with(|shown| shown.terms.freshness = f64::NAN)),
        ("infinite", with(|shown| shown.terms.recall = f64::INFINITY)),
        ("out of range", with(|shown| shown.terms.importance = 1.5)),
        ("no context but a number that is none", with(|shown| shown.terms.context = Some(f64::NAN))),
        (
            "all alike",
            with(|shown| shown.terms = Terms { recall: 0.5, freshness: 0.5, importance: 0.5, context: None }),
        ),
    ] {
        assert_eq!(tuned(&all), None, "{name}");
    }
}

#[test]
fn the_same_recall_handed_in_often_is_one_observation() {
    let few = feedback(5, 40, RECENT, 0.1);
    let often: Vec<Feedback> = few.iter().cycle().take(4000).cloned().collect();
    assert_eq!(tuned(&often), None);
    let enough = feedback(5, 200, RECENT, 0.1);
    let twice: Vec<Feedback> = enough.iter().chain(&enough).cloned().collect();
    assert_eq!(tuned(&twice), tuned(&enough));
}

#[test]
fn some_terms_that_are_no_numbers_do_not_spoil_the_rest() {
    let mut all = feedback(9, 200, RECENT, 0.2);
    all.iter_mut().step_by(3).for_each(|recall| recall.shown[0].terms.recall = f64::NAN);
    assert!(tuned(&all).is_some_and(|tuning| tuning.weights.freshness > 0.32));
}

#[test]
fn feedback_without_signal_is_rarely_believed() {
    const RUNS: u64 = 400;
    let believed = (0..RUNS).filter(|seed| tuned(&feedback(1000 + seed, 60, NONE, 1.0)).is_some()).count();
    println!("believed {believed} of {RUNS} without signal");
    assert!(believed as u64 * 100 <= RUNS * 4, "{believed} of {RUNS}");
}

#[test]
fn whoever_takes_what_stands_on_top_moves_nothing() {
    let taste = array(Weights::default());
    let moved = (0..40).filter(|seed| tuned(&feedback(*seed, 200, taste, 0.1)).is_some()).count();
    assert!(moved <= 1, "{moved}");
}

#[test]
fn repeated_tuning_arrives_and_stays() {
    for (term, taste) in [(1, RECENT), (2, IMPORTANT)] {
        let mut weights = Weights::default();
        let mut path = vec![array(weights)];
        for round in 0..40 {
            let all = feedback(50_000 * (term as u64) + round, 100, taste, 0.5);
            weights = tune(weights, &all, &TunerSettings::default()).map_or(weights, |tuning| tuning.weights);
            path.push(array(weights));
        }
        let change = |from: usize, to: usize| {
            (0..4).map(|term| (path[from][term] - path[to][term]).abs()).fold(0.0, f64::max)
        };
        assert!(path[20][term] > 0.4, "it arrives: {:?}", path[20]);
        assert!((20..=40).all(|round| change(20, round) <= 0.1), "it stays: {path:?}");
        let unseen = feedback(77, 2000, taste, 0.5);
        let (before, after) = (order(Weights::default(), &unseen), order(weights, &unseen));
        assert!(after > before, "{before:?} {after:?}");
    }
}

#[test]
fn tuning_again_on_the_same_feedback_comes_to_an_end() {
    let all = feedback(11, 300, IMPORTANT, 0.5);
    let mut weights = Weights::default();
    for _ in 0..30 {
        match tune(weights, &all, &TunerSettings::default()) {
            Some(tuning) => weights = tuning.weights,
            None => return,
        }
    }
    panic!("still moving: {weights:?}");
}

#[test]
fn a_changed_mind_is_rolled_back() {
    let settings = TunerSettings::default();
    let learned = Weights { recall: 0.2, freshness: 0.15, importance: 0.45, context: 0.2 };
    let back = roll_back(Weights::default(), learned, &feedback(21, 200, RECENT, 0.5), &settings);
    let back = back.expect("the previous weights order this better");
    assert_eq!(array(back.weights), array(Weights::default()));
    assert!(back.gain > 0.0);
    assert_eq!(roll_back(Weights::default(), learned, &feedback(22, 200, IMPORTANT, 0.5), &settings), None);
    assert_eq!(roll_back(Weights::default(), learned, &feedback(21, 40, RECENT, 0.5), &settings), None);
    assert_eq!(roll_back(learned, learned, &feedback(21, 200, RECENT, 0.5), &settings), None);
}

#[test]
fn weights_outside_the_bounds_are_left_alone() {
    let all = feedback(7, 200, RECENT, 0.3);
    for [recall, freshness, importance, context] in [
        [0.7, 0.1, 0.1, 0.1],
        [0.5, 0.5, 0.0, 0.0],
        [0.0; 4],
        [f64::NAN, 0.3, 0.3, 0.4],
        [-0.1, 0.4, 0.4, 0.3],
        [f64::INFINITY, 0.3, 0.3, 0.3],
        [0.0, 0.0, 0.0, 1.0],
    ] {
        let weights = Weights { recall, freshness, importance, context };
        assert_eq!(tune(weights, &all, &TunerSettings::default()), None, "{weights:?}");
    }
}

#[test]
fn only_the_proportions_of_the_current_weights_count() {
    let all = feedback(7, 200, RECENT, 0.3);
    let doubled = Weights { recall: 0.6, freshness: 0.6, importance: 0.5, context: 0.3 };
    let (one, other) = (tuned(&all), tune(doubled, &all, &TunerSettings::default()));
    let (one, other) = (one.expect("learned"), other.expect("learned"));
    assert!(array(one.weights).iter().zip(array(other.weights)).all(|(a, b)| (a - b).abs() < 1e-9));
}

#[test]
fn every_setting_changes_something() {
    let all = feedback(7, 60, RECENT, 0.3);
    let with = |change: fn(&mut TunerSettings)| {
        let mut settings = TunerSettings::default();
        change(&mut settings);
        assert_eq!(settings.check(), Ok(()));
        tune(Weights::default(), &all, &settings)
    };
    let usual = tuned(&all).expect("learned");
    assert_eq!(with(|settings| settings.feedbacks_min = 61), None);
    assert_eq!(with(|settings| settings.chance_max = 1e-9), None);
    assert_ne!(with(|settings| settings.step_max = 0.01), Some(usual));
    assert_ne!(with(|settings| settings.weight_max = 0.32), Some(usual));
    assert_ne!(with(|settings| settings.weight_min = 0.15), Some(usual));
    let wide = TunerSettings { feedbacks_max: 1000, ..TunerSettings::default() };
    let tries = |settings: TunerSettings| {
        std::iter::successors(Some(0), move |tried| Some(settings.next_try(*tried)))
            .skip(1)
            .take(6)
            .collect::<Vec<_>>()
    };
    assert_eq!(tries(TunerSettings::default()), [50, 100, 200, 400, 800, 1200]);
    assert_eq!(tries(wide), [50, 100, 200, 400, 800, 1600]);
}

#[test]
fn settings_that_make_no_sense_are_named_and_learn_nothing() {
    let all = feedback(7, 200, RECENT, 0.3);
    let usual = TunerSettings::default();
    for (settings, expected) in [
        (TunerSettings { feedbacks_min: 3, ..usual }, "the least number of feedbacks is 3"),
        (TunerSettings { feedbacks_max: 49, ..usual }, "the largest number of feedbacks is 49"),
        (TunerSettings { step_max: f64::NAN, ..usual }, "the largest step is NaN"),
        (TunerSettings { weight_min: 0.3, ..usual }, "the least weight is 0.3"),
        (TunerSettings { weight_max: 0.2, ..usual }, "the largest weight is 0.2"),
        (TunerSettings { chance_max: 0.9, ..usual }, "the largest chance is 0.9"),
    ] {
        let error: InvalidTuner = settings.check().expect_err(expected);
        assert!(error.to_string().starts_with(expected), "{error}");
        assert_eq!(tune(Weights::default(), &all, &settings), None, "{expected}");
    }
}

#[test]
fn the_reason_can_be_read() {
    let tuning = tuned(&feedback(7, 200, RECENT, 0.3)).expect("learned");
    let text = tuning.reason.to_string();
    assert!(text.starts_with("of 200 recalls, ") && text.contains("are ordered better and"), "{text}");
}

fn any_feedback() -> impl Strategy<Value = Vec<Feedback>> {
    let term = prop_oneof![
        20 => 0.0..=1.0_f64,
        2 => prop::sample::select(vec![0.0, -0.0, 0.5, 1.0]),
        1 => prop::sample::select(vec![f64::NAN, f64::INFINITY, -1.0, 2.0, f64::MIN_POSITIVE]),
    ];
    let shown = (term.clone(), term.clone(), term.clone(), prop::option::of(term), any::<bool>()).prop_map(
        |(recall, freshness, importance, context, used)| Shown {
            terms: Terms { recall, freshness, importance, context },
            usage: if used { Usage::Used } else { Usage::Unused },
        },
    );
    let recall = prop::collection::vec(shown, 0..7).prop_map(|shown| Feedback { shown });
    prop::collection::vec(recall, 0..80)
}

fn any_weights() -> impl Strategy<Value = Weights> {
    prop::array::uniform4(0.05..=0.5_f64).prop_map(|[recall, freshness, importance, context]| Weights {
        recall,
        freshness,
        importance,
        context,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_bounds_always_hold(
        current in any_weights(),
        random in any_feedback(),
        taste in prop::array::uniform4(0.0..=1.0_f64),
        seed in any::<u64>(),
        step_max in 0.001..=0.5_f64,
        weight_min in 0.0..=0.25_f64,
        weight_max in 0.25..=1.0_f64,
    ) {
        let settings = TunerSettings { feedbacks_min: 10, step_max, weight_min, weight_max, chance_max: 0.5, ..TunerSettings::default() };
        let all: Vec<Feedback> = random.into_iter().chain(feedback(seed, 40, taste, 0.2)).collect();
        if let Some(tuning) = tune(current, &all, &settings) {
            let sum: f64 = array(current).iter().sum();
            for (before, after) in array(current).iter().zip(array(tuning.weights)) {
                prop_assert!((before / sum - after).abs() <= step_max + 1e-9, "{:?} {:?}", current, tuning);
                prop_assert!((weight_min - 1e-9..=weight_max + 1e-9).contains(&after), "{:?}", tuning);
            }
            prop_assert!((array(tuning.weights).iter().sum::<f64>() - 1.0).abs() < 1e-9, "{:?}", tuning);
            prop_assert!(tuning.gain > 0.0 && tuning.gain <= 1.0 && tuning.reason.chance <= 0.5);
        }
    }

    #[test]
    fn the_order_of_feedback_does_not_matter(seed in any::<u64>(), taste in prop::array::uniform4(0.0..=1.0_f64), count in 50_usize..90) {
        let all = feedback(seed, count, taste, 0.2);
        let mut random = Random(!seed);
        let mut shuffled = all.clone();
        for at in (1..shuffled.len()).rev() {
            shuffled.swap(at, (random.unit() * (at + 1) as f64) as usize);
            shuffled[at].shown.reverse();
        }
        let settings = TunerSettings { chance_max: 0.5, ..TunerSettings::default() };
        prop_assert_eq!(tune(Weights::default(), &all, &settings), tune(Weights::default(), &shuffled, &settings));
    }

    #[test]
    fn the_order_is_a_share_and_ignores_what_tells_nothing(weights in any_weights(), all in any_feedback()) {
        if let Some(share) = order(weights, &all) {
            prop_assert!((0.0..=1.0).contains(&share));
        }
        let mut more = all.clone();
        more.push(Feedback::default());
        prop_assert_eq!(order(weights, &more), order(weights, &all));
    }
}

#[test]
fn a_clear_taste_moves_the_weights_although_one_step_turns_no_order() {
    // What was used is always far less fresh than what was not, and more important: no single step is enough.
    let mut random = Random(5);
    let mut shown = |freshness: f64, importance: f64, usage| {
        let jitter = 0.02 * random.unit();
        let terms = Terms {
            recall: 0.2,
            freshness: freshness + jitter,
            importance: importance - jitter,
            context: None,
        };
        Shown { terms, usage }
    };
    let feedback: Vec<Feedback> = (0..52)
        .map(|_| Feedback { shown: vec![shown(0.05, 0.9, Usage::Used), shown(0.95, 0.2, Usage::Unused)] })
        .collect();
    let settings = TunerSettings::default();
    let (mut weights, mut steps) = (Weights::default(), 0);
    assert_eq!(order(weights, &feedback), Some(0.0), "everything is in the wrong order");
    while let Some(tuning) = tune(weights, &feedback, &settings) {
        let (before, after) = (array(weights), array(tuning.weights));
        assert!(before.iter().zip(after).all(|(a, b)| (a - b).abs() <= settings.step_max + 1e-9));
        assert!(
            after
                .iter()
                .all(|weight| (settings.weight_min - 1e-9..=settings.weight_max + 1e-9).contains(weight))
        );
        (weights, steps) = (tuning.weights, steps + 1);
        assert!(steps < 20, "it arrives");
    }
    assert!(steps > 1 && order(weights, &feedback) == Some(1.0), "{steps} steps to {weights:?}");
}

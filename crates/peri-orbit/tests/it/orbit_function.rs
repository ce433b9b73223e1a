//! The memory function.

use std::time::Duration;

use peri_orbit::{Body, OrbitSettings, Weights, score};
use proptest::prelude::*;

use crate::orbit_support::*;

fn near(left: f64, right: f64) -> bool {
    (left - right).abs() < 1e-9
}

#[test]
fn each_term_is_what_its_formula_says() {
    let settings = OrbitSettings { saturation: 99, half_life: days(10), ..OrbitSettings::default() };
    let body = Body { recalls: 9, ..body(0.7, START) };
    let score = score(&settings, &body, Some(0.4), START + 20 * DAY);
    assert!(near(score.recall, 0.5), "ln 10 / ln 100");
    assert!(near(score.freshness, 0.25));
    assert_eq!((score.importance, score.context), (0.7, Some(0.4)));
    assert!(near(score.total, 0.30 * 0.5 + 0.30 * 0.25 + 0.25 * 0.7 + 0.15 * 0.4));
}

#[test]
fn without_a_context_the_other_weights_share_its_part() {
    let settings = OrbitSettings::default();
    let body = body(0.6, START);
    let without = score(&settings, &body, None, START);
    assert!(near(without.total, (0.30 + 0.25 * 0.6) / 0.85));
    assert_eq!(without.context, None);
    assert!(near(score(&settings, &body, Some(0.0), START).total, 0.30 + 0.25 * 0.6));
}

#[test]
fn recalls_beyond_saturation_count_no_more() {
    let settings = OrbitSettings::default();
    let recall = |recalls| score(&settings, &Body { recalls, ..body(0.5, START) }, None, START).recall;
    let saturation = u64::from(settings.saturation);
    assert!(recall(saturation - 1) < 1.0);
    assert_eq!(
        (recall(0), recall(saturation), recall(saturation + 1), recall(u64::MAX)),
        (0.0, 1.0, 1.0, 1.0)
    );
}

#[test]
fn a_last_use_in_the_future_counts_as_now_and_pinned_is_fresh() {
    let settings = OrbitSettings::default();
    let freshness = |body: Body, now| score(&settings, &body, None, now).freshness;
    assert_eq!(freshness(body(0.5, START + DAY), START), 1.0);
    assert_eq!(freshness(Body { pinned: true, ..body(0.5, START) }, START + 1000 * DAY), 1.0);
    assert!(freshness(body(0.5, START), START + 1000 * DAY) < 1e-9);
}

proptest! {
    #[test]
    fn no_score_is_outside_0_to_1(
        recalls: u64,
        last_used: i64,
        now: i64,
        weights: [f64; 4],
        context: Option<f64>,
        saturation: u32,
        half_life in 0..u64::MAX,
        tenths in 0..=10_i32,
        pinned: bool,
    ) {
        let [recall, freshness, weight, context_weight] = weights;
        let settings = OrbitSettings {
            weights: Weights { recall, freshness, importance: weight, context: context_weight },
            saturation,
            half_life: Duration::from_millis(half_life),
            ..OrbitSettings::default()
        };
        let importance = importance(f64::from(tenths) / 10.0);
        let body = Body { born: last_used, last_used, recalls, importance, pinned, kept: false };
        let score = score(&settings, &body, context, now);
        for value in [score.total, score.recall, score.freshness, score.importance] {
            prop_assert!((0.0..=1.0).contains(&value), "{score:?}");
        }
        prop_assert!(score.context.is_none_or(|context| (0.0..=1.0).contains(&context)));
    }
}

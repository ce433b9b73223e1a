//! The rules of the bank: quality, worth, joining and tending.

use jiff::{SignedDuration, Timestamp};
use peri_learn::bank::{
    BankSettings, Held, RetireReason, START_QUALITY, Tending, estimate, match_score, merge, offers,
    outcome_value, record_outcome, say_the_same, tend, worth,
};
use peri_types::{ChangeNumber, Namespace, Pattern, PatternId, PatternTerm, TaskOutcome, TrajectoryId};
use proptest::prelude::*;

fn now() -> Timestamp {
    "2026-03-01T12:00:00Z".parse().unwrap()
}

fn hours_ago(hours: i64) -> Timestamp {
    now() - SignedDuration::from_hours(hours)
}

fn pattern(number: u8, strategy: &str) -> Pattern {
    Pattern {
        id: PatternId::from_bytes([number; 16]),
        namespace: Namespace::default(),
        strategy: strategy.to_owned(),
        domain: "testing".to_owned(),
        agent: None,
        quality: START_QUALITY,
        uses: 0,
        successes: 0,
        term: PatternTerm::Short,
        sources: vec![TrajectoryId::from_bytes([number; 16])],
        created_at: hours_ago(48),
        used_at: None,
        retired_at: None,
        change: ChangeNumber::default(),
    }
}

fn tended(patterns: &[Pattern], settings: &BankSettings) -> Tending {
    let held: Vec<Held<'_>> = patterns.iter().map(|pattern| Held { pattern, vector: None }).collect();
    tend(&held, now(), settings)
}

fn after(outcomes: &[TaskOutcome]) -> Pattern {
    let mut pattern = pattern(1, "먼저 테스트를 실행한다");
    for outcome in outcomes {
        record_outcome(&mut pattern, *outcome, now(), &BankSettings::default());
    }
    pattern
}

#[test]
fn quality_is_the_mean_of_the_guess_and_of_what_came_of_it() {
    use TaskOutcome::{Failure, Partial, Success};
    for (outcomes, quality, successes) in [
        (&[][..], 0.5, 0),
        (&[Success], 0.6, 1),
        (&[Success, Success, Success], 5.0 / 7.0, 3),
        (&[Success, Failure, Success], 4.0 / 7.0, 2),
        (&[Partial, Partial], 0.5, 0),
        (&[Failure, Failure, Failure, Failure], 0.25, 0),
    ] {
        let pattern = after(outcomes);
        assert!((pattern.quality - quality).abs() < 1e-6, "{outcomes:?}: {}", pattern.quality);
        assert_eq!((pattern.uses as usize, pattern.successes), (outcomes.len(), successes), "{outcomes:?}");
        let known = estimate(outcomes.iter().copied(), &BankSettings::default());
        assert!((known - quality).abs() < 1e-6, "{outcomes:?}");
    }
}

#[test]
fn a_quality_that_is_no_number_becomes_the_guess() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut pattern = Pattern { quality: bad, ..pattern(1, "a") };
        assert_eq!(worth(&pattern, now(), &BankSettings::default()).to_bits() >> 31, 0);
        record_outcome(&mut pattern, TaskOutcome::Success, now(), &BankSettings::default());
        assert!((pattern.quality - 0.6).abs() < 1e-6, "{bad}");
    }
}

#[test]
fn a_strategy_that_stops_working_is_noticed_however_long_it_worked() {
    let mut pattern = after(&[TaskOutcome::Success; 1000]);
    for _ in 0..60 {
        record_outcome(&mut pattern, TaskOutcome::Failure, now(), &BankSettings::default());
    }
    assert!(pattern.quality < START_QUALITY, "{}", pattern.quality);
}

#[test]
fn what_is_recorded_late_does_not_make_a_pattern_look_older() {
    let mut pattern = after(&[TaskOutcome::Success]);
    record_outcome(&mut pattern, TaskOutcome::Success, hours_ago(10), &BankSettings::default());
    assert_eq!(pattern.used_at, Some(now()));
}

#[test]
fn patterns_that_say_the_same_are_found_by_words_or_by_meaning() {
    let settings = BankSettings::default();
    let (one, two) = (pattern(1, "先运行测试"), pattern(2, "先运行测试。"));
    let other = pattern(3, "그다음 고친다");
    let elsewhere = Pattern { namespace: "team/other".parse().unwrap(), ..two.clone() };
    let other_field = Pattern { domain: "security".to_owned(), ..other.clone() };
    let held = |pattern, vector| Held { pattern, vector };
    let (near, far): (&[f32], &[f32]) = (&[1.0, 0.01], &[0.0, 1.0]);
    assert!(say_the_same(held(&one, None), held(&two, None), &settings));
    assert!(!say_the_same(held(&one, None), held(&elsewhere, None), &settings));
    assert!(!say_the_same(held(&one, None), held(&other, None), &settings));
    assert!(say_the_same(held(&one, Some(&[1.0, 0.0])), held(&other, Some(near)), &settings));
    assert!(!say_the_same(held(&one, Some(&[1.0, 0.0])), held(&other, Some(far)), &settings));
    assert!(!say_the_same(held(&one, Some(&[1.0, 0.0])), held(&other_field, Some(near)), &settings));
    assert!(!say_the_same(held(&one, Some(&[1.0])), held(&other, Some(near)), &settings));
}

#[test]
fn what_is_joined_adds_up() {
    let settings = BankSettings { sources_max: 2, ..BankSettings::default() };
    let source = |number| TrajectoryId::from_bytes([number; 16]);
    let one = Pattern { uses: 6, successes: 5, quality: 0.8, ..pattern(1, "run the tests") };
    let two = Pattern {
        uses: u32::MAX,
        successes: 2,
        quality: 0.4,
        term: PatternTerm::Long,
        agent: Some("tester".to_owned()),
        sources: vec![source(1), source(7), source(9)],
        created_at: hours_ago(100),
        used_at: Some(hours_ago(1)),
        ..pattern(2, "Run the tests!")
    };
    let joined = merge(&one, &two, &settings);
    assert_eq!((joined.id, joined.strategy.as_str()), (one.id, "run the tests"));
    assert_eq!((joined.uses, joined.successes, joined.term), (u32::MAX, 7, PatternTerm::Long));
    assert_eq!(joined.sources, [source(7), source(9)]);
    assert_eq!((joined.created_at, joined.used_at), (hours_ago(100), Some(hours_ago(1))));
    assert_eq!(joined.agent.as_deref(), Some("tester"));
    assert!(joined.quality > 0.4 && joined.quality < 0.6, "{}", joined.quality);
}

#[test]
fn proven_patterns_are_promoted_and_failing_or_unproven_ones_are_put_aside() {
    let base = |number: u8| pattern(number, &format!("strategy {number}"));
    let patterns = [
        Pattern { uses: 3, successes: 3, quality: 0.7, ..base(1) },
        Pattern { uses: 2, successes: 2, quality: 0.9, ..base(2) },
        Pattern { uses: 3, successes: 1, quality: 0.59, ..base(3) },
        Pattern { uses: 5, successes: 1, quality: 0.3, ..base(4) },
        Pattern { uses: 5, successes: 1, quality: 0.3, term: PatternTerm::Long, ..base(5) },
        Pattern { uses: 10, successes: 0, quality: 0.5, ..base(6) },
        Pattern { uses: 1, quality: 0.4, ..base(7) },
        Pattern { uses: 1, quality: 0.4, term: PatternTerm::Long, ..base(8) },
        Pattern { uses: 1, quality: 0.4, created_at: hours_ago(24), ..base(9) },
        Pattern { quality: 0.5, ..base(10) },
        Pattern { uses: 9, quality: 0.0, retired_at: Some(hours_ago(1)), ..base(11) },
    ];
    let tending = tended(&patterns, &BankSettings::default());
    assert_eq!(tending.promoted, [patterns[0].id]);
    let mut retired = tending.retired;
    retired.sort_by_key(|(id, _)| *id);
    let expected = [
        (patterns[3].id, RetireReason::Failing),
        (patterns[4].id, RetireReason::Failing),
        (patterns[6].id, RetireReason::Unproven),
    ];
    assert_eq!(retired, expected);
}

#[test]
fn what_somebody_told_is_left_alone_for_a_day_unless_it_fails() {
    let told = |number: u8, hours| Pattern {
        sources: Vec::new(),
        created_at: hours_ago(hours),
        quality: 0.1,
        ..pattern(number, "배포 전에 백업한다")
    };
    let none = BankSettings { short_max: 0, ..BankSettings::default() };
    let fresh = [told(1, 23), told(2, 1)];
    assert!(tended(&fresh, &none).is_empty(), "neither joined nor crowded out");
    let failing = [Pattern { uses: 6, ..told(1, 23) }];
    assert_eq!(tended(&failing, &none).retired, [(failing[0].id, RetireReason::Failing)]);
    let old = [told(1, 25), told(2, 26)];
    assert_eq!(tended(&old, &none).merged.len(), 1);
    assert_eq!(tended(&old, &none).retired.len(), 1);
}

#[test]
fn the_least_worth_leave_when_room_is_short_in_each_namespace_by_itself() {
    let elsewhere: Namespace = "other".parse().unwrap();
    let base = |number: u8, quality| Pattern { quality, ..pattern(number, &format!("strategy {number}")) };
    let mut patterns: Vec<Pattern> =
        [0.9, 0.6, 0.7, 0.55].into_iter().zip(1..).map(|(quality, number)| base(number, quality)).collect();
    patterns.push(Pattern { namespace: elsewhere, ..base(9, 0.5) });
    patterns.push(Pattern { term: PatternTerm::Long, ..base(10, 0.5) });
    let settings = BankSettings { short_max: 2, long_max: 1, ..BankSettings::default() };
    let retired = tended(&patterns, &settings).retired;
    assert_eq!(retired, [(patterns[3].id, RetireReason::NoRoom), (patterns[1].id, RetireReason::NoRoom)]);
}

#[test]
fn a_much_better_match_is_never_outvoted_and_a_near_tie_is_settled_by_worth() {
    let settings = BankSettings::default();
    let poor = Pattern { quality: 0.4, created_at: hours_ago(9999), ..pattern(1, "a") };
    let rich = Pattern { quality: 1.0, used_at: Some(now()), ..pattern(2, "b") };
    let retired = Pattern { retired_at: Some(now()), ..pattern(3, "c") };
    let bad = Pattern { quality: 0.1, ..pattern(4, "d") };
    let order = |poor_similarity: f32, rich_similarity: f32| -> Vec<PatternId> {
        let found = vec![
            (rich.clone(), rich_similarity),
            (poor.clone(), poor_similarity),
            (retired.clone(), 1.0),
            (bad.clone(), 1.0),
        ];
        offers(found, now(), &settings).into_iter().map(|offer| offer.pattern.id).collect()
    };
    assert_eq!(order(0.95, 0.7), [poor.id, rich.id]);
    assert_eq!(order(0.75, 0.7), [rich.id, poor.id]);
    assert_eq!(order(0.75, 0.49), [poor.id]);
    assert_eq!(order(f32::NAN, f32::NAN), []);
}

fn outcome() -> impl Strategy<Value = TaskOutcome> {
    prop_oneof![Just(TaskOutcome::Success), Just(TaskOutcome::Partial), Just(TaskOutcome::Failure)]
}

prop_compose! {
    fn any_pattern()(
        number in 0_u8..40,
        text in prop_oneof![Just("run tests"), Just("Run tests!"), Just("테스트 실행"), Just("修复"), Just("deploy")],
        domain in prop_oneof![Just("testing"), Just("data")],
        quality in 0.0_f32..=1.0,
        uses in 0_u32..9,
        full in 0_u32..9,
        is_long in any::<bool>(),
        is_told in any::<bool>(),
        created in 0_i64..60,
        used in proptest::option::of(0_i64..60),
        is_retired in proptest::bool::weighted(0.1),
        vector in proptest::option::of(prop_oneof![
            Just(vec![1.0_f32, 0.0]), Just(vec![1.0, 0.2]), Just(vec![1.0, 0.45]), Just(vec![0.0, 1.0])
        ]),
    ) -> (Pattern, Option<Vec<f32>>) {
        let mut one = pattern(number, text);
        one.domain = domain.to_owned();
        (one.quality, one.uses, one.successes) = (quality, uses, full.min(uses));
        one.term = if is_long { PatternTerm::Long } else { PatternTerm::Short };
        if is_told {
            one.sources.clear();
        }
        (one.created_at, one.used_at) = (hours_ago(created), used.map(hours_ago));
        one.retired_at = is_retired.then(now);
        (one, vector)
    }
}

fn bank() -> impl Strategy<Value = Vec<(Pattern, Option<Vec<f32>>)>> {
    proptest::collection::vec(any_pattern(), 0..30).prop_map(|mut bank| {
        bank.sort_by_key(|(pattern, _)| pattern.id);
        bank.dedup_by_key(|(pattern, _)| pattern.id);
        bank
    })
}

fn tend_all(bank: &[(Pattern, Option<Vec<f32>>)], settings: &BankSettings) -> Tending {
    let held: Vec<Held<'_>> =
        bank.iter().map(|(pattern, vector)| Held { pattern, vector: vector.as_deref() }).collect();
    tend(&held, now(), settings)
}

proptest! {
    #[test]
    fn quality_stays_between_0_and_1_and_better_outcomes_never_lower_it(
        outcomes in proptest::collection::vec(outcome(), 0..200),
        at in any::<prop::sample::Index>(),
    ) {
        let quality = after(&outcomes).quality;
        prop_assert!((0.0..=1.0).contains(&quality));
        if !outcomes.is_empty() {
            let mut better = outcomes.clone();
            better[at.index(outcomes.len())] = TaskOutcome::Success;
            prop_assert!(after(&better).quality >= quality);
        }
        let mut one = after(&outcomes);
        record_outcome(&mut one, TaskOutcome::Success, now(), &BankSettings::default());
        prop_assert!(one.quality >= quality);
    }

    #[test]
    fn the_order_of_outcomes_matters_only_beyond_what_is_remembered_and_then_little(
        outcomes in proptest::collection::vec(outcome(), 2..150),
        at in any::<prop::sample::Index>(),
    ) {
        let at = at.index(outcomes.len() - 1);
        let mut swapped = outcomes.clone();
        swapped.swap(at, at + 1);
        let difference = (after(&outcomes).quality - after(&swapped).quality).abs();
        let bound = if outcomes.len() <= 60 { 0.0 } else { 1.0 / (65.0_f32 * 65.0) };
        prop_assert!(difference <= bound + 2e-5, "{difference}");
        let mean = outcomes.iter().map(|one| outcome_value(*one)).sum::<f32>();
        if outcomes.len() <= 60 {
            let exact = (2.0 + mean) / (4.0 + outcomes.len() as f32);
            prop_assert!((after(&outcomes).quality - exact).abs() < 2e-5);
        }
    }

    #[test]
    fn a_match_that_is_a_third_more_similar_always_comes_first(
        one in any_pattern(), two in any_pattern(), similarity in 0.01_f32..0.7,
    ) {
        let settings = BankSettings::default();
        let better = match_score(similarity * 1.34, &one.0, now(), &settings);
        prop_assert!(better > match_score(similarity, &two.0, now(), &settings));
        prop_assert!((0.0..=1.0).contains(&worth(&one.0, now(), &settings)));
    }

    #[test]
    fn joining_is_bounded_by_what_is_joined(one in any_pattern(), two in any_pattern()) {
        let joined = merge(&one.0, &two.0, &BankSettings::default());
        prop_assert_eq!(joined.uses, one.0.uses + two.0.uses);
        prop_assert!(joined.successes <= joined.uses);
        let (low, high) = (one.0.quality.min(two.0.quality), one.0.quality.max(two.0.quality));
        prop_assert!(joined.quality >= low - 1e-6 && joined.quality <= high + 1e-6);
    }

    #[test]
    fn tending_twice_is_tending_once(bank in bank(), short_max in 0_usize..12, long_max in 0_usize..12) {
        let settings = BankSettings { short_max, long_max, ..BankSettings::default() };
        let tending = tend_all(&bank, &settings);
        let mut patterns: Vec<Pattern> = bank.iter().map(|(pattern, _)| pattern.clone()).collect();
        tending.apply(&mut patterns, now(), &settings);
        let again: Vec<_> = patterns.into_iter().zip(bank.iter().map(|(_, vector)| vector.clone())).collect();
        prop_assert_eq!(tend_all(&again, &settings), Tending::default());
    }

    #[test]
    fn tending_does_not_depend_on_the_order_of_the_bank(bank in bank()) {
        let settings = BankSettings { short_max: 5, long_max: 5, ..BankSettings::default() };
        let reversed: Vec<_> = bank.iter().rev().cloned().collect();
        let sorted = |mut tending: Tending| {
            tending.promoted.sort();
            tending.retired.sort_by_key(|(id, _)| *id);
            tending
        };
        prop_assert_eq!(sorted(tend_all(&bank, &settings)), sorted(tend_all(&reversed, &settings)));
    }

    #[test]
    fn what_is_spared_is_neither_joined_nor_crowded_out(bank in bank()) {
        let settings = BankSettings { short_max: 0, long_max: 0, ..BankSettings::default() };
        let tending = tend_all(&bank, &settings);
        for (pattern, _) in &bank {
            let is_spared = pattern.sources.is_empty() && pattern.created_at > hours_ago(24);
            let reason = tending.retired.iter().find(|(id, _)| *id == pattern.id).map(|(_, reason)| *reason);
            let is_merged = tending.merged.iter().any(|(one, two)| [*one, *two].contains(&pattern.id));
            if is_spared {
                prop_assert!(!is_merged);
                prop_assert!(reason.is_none_or(|reason| reason == RetireReason::Failing));
            }
            if pattern.retired_at.is_some() {
                prop_assert!(!is_merged && reason.is_none());
            }
            if pattern.term == PatternTerm::Long {
                prop_assert_ne!(reason, Some(RetireReason::Unproven));
            }
        }
    }
}

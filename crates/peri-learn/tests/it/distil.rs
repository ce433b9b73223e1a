//! From trajectories to patterns.

use jiff::{SignedDuration, Timestamp};
use peri_learn::bank::{BankSettings, DistilSettings, Distilled, START_QUALITY, distil};
use peri_types::{Namespace, Pattern, TaskOutcome, Trajectory, TrajectoryId, TrajectoryStep};
use proptest::prelude::*;

fn now() -> Timestamp {
    "2026-03-01T12:00:00Z".parse().unwrap()
}

fn done(number: u8, task: &str, outcome: TaskOutcome, steps: &[&str]) -> (Trajectory, Option<Vec<f32>>) {
    let steps = steps
        .iter()
        .map(|input| TrajectoryStep { input: (*input).to_owned(), confidence: 0.9, ..Default::default() })
        .collect();
    let trajectory = Trajectory {
        id: TrajectoryId::from_bytes([number; 16]),
        namespace: Namespace::default(),
        session: None,
        turn: None,
        task: task.to_owned(),
        domain: "testing".to_owned(),
        agent: Some("tester".to_owned()),
        steps,
        outcome,
        at: now() - SignedDuration::from_hours(200 - i64::from(number)),
        duration_ms: 10,
        patterns: Vec::new(),
        distilled_at: None,
    };
    (trajectory, None)
}

fn drawn(trajectories: &[(Trajectory, Option<Vec<f32>>)], known: &[Pattern]) -> Vec<Distilled> {
    distil(trajectories, known, now(), &DistilSettings::default(), &BankSettings::default())
}

/// What a keeper does with the outcome.
fn kept(known: &[Pattern], distilled: &[Distilled]) -> Vec<Pattern> {
    let mut known = known.to_vec();
    for one in distilled {
        for pattern in known.iter_mut().filter(|pattern| one.replaces.contains(&pattern.id)) {
            pattern.retired_at = Some(now());
        }
        known.push(one.pattern.clone());
    }
    known
}

use TaskOutcome::{Failure, Partial, Success};

const FIX: &[&str] =
    &["Read: README.md", "Bash: cargo test -p store", "Edit: src/lib.rs", "Bash: cargo test -p store"];

#[test]
fn two_successes_become_a_readable_pattern() {
    let trajectories = [
        done(1, "fix the failing store test", Success, FIX),
        done(
            2,
            "the store test is failing again",
            Success,
            &[
                "Read: README.md",
                "Bash: cd /home/ann/app && cargo test -p store --jobs 4",
                "Grep: fn open",
                "Edit: /home/ann/app/src/lib.rs",
                "Bash: cargo test -p store",
            ],
        ),
        done(3, "fix the failing store test", Failure, &["Read: README.md", "Bash: git push --force origin"]),
    ];
    let found = drawn(&trajectories, &[]);
    let [one] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(
        one.pattern.strategy,
        "For tasks about failing, store, test: `Bash: cargo test -p store`, then `Edit: src/lib.rs`, \
         then `Bash: cargo test -p store`. avoid: `Bash: git push --force origin`"
    );
    assert_eq!(one.pattern.sources, [trajectories[0].0.id, trajectories[1].0.id]);
    assert_eq!((one.drawn.as_slice(), one.support), (one.pattern.sources.as_slice(), 2));
    assert_eq!((one.pattern.agent.as_deref(), one.pattern.domain.as_str()), (Some("tester"), "testing"));
    assert!((one.pattern.quality - 4.0 / 6.0).abs() < 1e-6, "{}", one.pattern.quality);
    assert_eq!((one.pattern.uses, one.pattern.created_at), (0, now()));
}

#[test]
fn korean_and_chinese_tasks_are_grouped_without_vectors() {
    for (tasks, common) in [
        (["로그인 테스트를 고쳐 줘", "로그인 테스트 실패를 고쳐 줘"], "로그인"),
        (["修复登录测试的失败", "登录测试又失败了,请修复"], "登录测试"),
    ] {
        let steps = ["운영: 测试 실행", "Edit: src/로그인.rs"];
        let found = drawn(&[done(1, tasks[0], Success, &steps), done(2, tasks[1], Success, &steps)], &[]);
        assert_eq!(found.len(), 1, "{tasks:?}");
        assert!(found[0].pattern.strategy.contains(common), "{}", found[0].pattern.strategy);
        assert!(found[0].pattern.strategy.contains("src/로그인.rs"));
    }
}

#[test]
fn vectors_tell_tasks_apart_that_share_their_words() {
    let mut trajectories = [
        done(1, "fix the store test", Success, &FIX[..2]),
        done(2, "fix the store test", Success, &FIX[..2]),
    ];
    trajectories[0].1 = Some(vec![1.0, 0.0]);
    trajectories[1].1 = Some(vec![0.0, 1.0]);
    assert!(drawn(&trajectories, &[]).is_empty());
    trajectories[1].1 = Some(vec![0.8, 0.6]);
    assert_eq!(drawn(&trajectories, &[]).len(), 1);
    trajectories[1].0.domain = "data".to_owned();
    assert!(drawn(&trajectories, &[]).is_empty());
    trajectories[1].0.domain = "testing".to_owned();
    trajectories[1].0.namespace = "other".parse().unwrap();
    assert!(drawn(&trajectories, &[]).is_empty());
}

#[test]
fn successes_that_share_nothing_and_failures_alone_give_nothing() {
    let task = "fix the store test";
    let apart = [
        done(1, task, Success, &["Bash: make", "Edit: a.rs"]),
        done(2, task, Success, &["Bash: npm test", "Edit: b.ts"]),
    ];
    assert!(drawn(&apart, &[]).is_empty());
    let failed = [done(1, task, Failure, FIX), done(2, task, Failure, FIX), done(3, task, Partial, FIX)];
    assert!(drawn(&failed, &[]).is_empty());
    assert!(drawn(&[], &[]).is_empty());
    assert!(drawn(&[done(1, task, Success, &[]), done(2, task, Success, &["", " "])], &[]).is_empty());
}

#[test]
fn who_took_the_same_steps_and_failed_speaks_against_them() {
    let task = "fix the store test";
    let successes = [done(1, task, Success, FIX), done(2, task, Success, FIX)];
    let quality = |others: &[(Trajectory, Option<Vec<f32>>)]| {
        drawn(&[&successes[..], others].concat(), &[])[0].pattern.quality
    };
    let alone = quality(&[]);
    assert!(quality(&[done(3, task, Failure, FIX)]) < alone);
    assert!(quality(&[done(3, task, Partial, FIX)]) < alone);
    assert_eq!(quality(&[done(3, task, Failure, &["Bash: rm -rf target"])]), alone);
    assert!(quality(&[done(3, task, Success, FIX)]) > alone);
}

#[test]
fn a_sure_success_of_three_steps_may_stand_alone_until_a_second_one_confirms_it() {
    let first = [done(1, "fix the store test", Success, FIX)];
    let single = drawn(&first, &[]);
    assert_eq!(single.len(), 1);
    assert!(single[0].pattern.quality < START_QUALITY);
    assert!(single[0].pattern.strategy.starts_with("For tasks about fix the store test: `Read: README.md`"));
    let mut known = kept(&[], &single);
    assert!(drawn(&first, &known).is_empty(), "not twice");
    (known[0].uses, known[0].successes, known[0].quality) = (1, 1, 0.55);

    let both = [first[0].clone(), done(2, "fix the store test", Success, FIX)];
    let group = drawn(&both, &known);
    assert_eq!(group.len(), 1);
    assert_eq!(group[0].replaces, [single[0].pattern.id]);
    assert_eq!((group[0].pattern.uses, group[0].pattern.successes), (1, 1));
    let known = kept(&known, &group);
    assert!(drawn(&both, &known).is_empty());

    // A third like them waits for a fourth instead of standing alone beside the pattern that it repeats.
    let third = [both[0].clone(), both[1].clone(), done(3, "fix the store test", Success, FIX)];
    assert!(drawn(&third, &known).is_empty());

    let mut unsure = done(1, "fix the store test", Success, FIX);
    unsure.0.steps.iter_mut().for_each(|step| step.confidence = 0.5);
    assert!(drawn(&[unsure], &[]).is_empty());
    assert!(drawn(&[done(1, "fix the store test", Success, &FIX[..2])], &[]).is_empty());
}

#[test]
fn what_is_marked_as_drawn_from_is_not_drawn_from_again() {
    let task = "fix the store test";
    let mut trajectories = [done(1, task, Success, FIX), done(2, task, Success, FIX)];
    trajectories.iter_mut().for_each(|one| one.0.distilled_at = Some(now()));
    assert!(drawn(&trajectories, &[]).is_empty());
}

#[test]
fn a_straggler_does_not_wear_a_pattern_down() {
    let task = "fix the store test";
    let rich = [
        "Bash: make setup",
        "Bash: cargo test",
        "Edit: a.rs",
        "Edit: b.rs",
        "Bash: cargo clippy",
        "Bash: git commit",
    ];
    let trajectories = [
        done(1, task, Success, &rich),
        done(2, task, Success, &["Bash: cargo test", "Bash: git commit", "Bash: reboot"]),
        done(3, task, Success, &rich),
    ];
    let found = drawn(&trajectories, &[]);
    assert_eq!(found[0].support, 2);
    assert!(found[0].pattern.strategy.contains("`Edit: b.rs`"), "{}", found[0].pattern.strategy);
}

#[test]
fn only_an_agent_of_more_than_half_is_named() {
    let task = "fix the store test";
    let mut trajectories =
        [done(1, task, Success, FIX), done(2, task, Success, FIX), done(3, task, Success, FIX)];
    trajectories[0].0.agent = Some("coder".to_owned());
    assert_eq!(drawn(&trajectories, &[])[0].pattern.agent.as_deref(), Some("tester"));
    trajectories[1].0.agent = None;
    assert_eq!(drawn(&trajectories, &[])[0].pattern.agent, None);
}

#[test]
fn a_secret_among_the_first_words_does_not_get_into_a_strategy() {
    let steps = ["Bash: psql postgres://ann:hunter2@db/app", "Bash: make"];
    let found =
        drawn(&[done(1, "load the store", Success, &steps), done(2, "load the store", Success, &steps)], &[]);
    assert!(!found[0].pattern.strategy.contains("hunter2"), "{}", found[0].pattern.strategy);
}

fn any_trajectory() -> impl Strategy<Value = (Trajectory, Option<Vec<f32>>)> {
    let task = prop_oneof![
        Just("fix the store test"),
        Just("로그인 테스트를 고쳐 줘"),
        Just("修复登录测试"),
        Just(""),
        Just("deploy the application to production"),
    ];
    let step = prop_oneof![
        Just("Bash: cargo test"),
        Just("Edit: src/lib.rs"),
        Just("Read: README.md"),
        Just("运行测试😀"),
        Just("배포: 운영 서버에 3번"),
        Just(" "),
    ];
    let outcome = prop_oneof![3 => Just(Success), 1 => Just(Partial), 1 => Just(Failure)];
    let vector = proptest::option::of(prop_oneof![
        Just(vec![1.0_f32, 0.1]),
        Just(vec![0.1, 1.0]),
        Just(vec![0.0, 0.0])
    ]);
    (any::<u8>(), task, outcome, proptest::collection::vec(step, 0..8), vector)
        .prop_map(|(number, task, outcome, steps, vector)| (done(number, task, outcome, &steps).0, vector))
}

proptest! {
    #[test]
    fn the_same_trajectories_never_give_a_pattern_twice(
        trajectories in proptest::collection::vec(any_trajectory(), 0..25),
    ) {
        let first = drawn(&trajectories, &[]);
        let known = kept(&[], &first);
        prop_assert_eq!(drawn(&trajectories, &known), vec![]);
        let mut ids: Vec<_> = first.iter().flat_map(|one| one.drawn.clone()).collect();
        let count = ids.len();
        ids.sort();
        ids.dedup();
        prop_assert_eq!(ids.len(), count, "each trajectory belongs to one pattern");
    }

    #[test]
    fn the_order_of_trajectories_does_not_matter(
        trajectories in proptest::collection::vec(any_trajectory(), 0..15),
    ) {
        let mut unique = trajectories;
        unique.sort_by_key(|one| one.0.id);
        unique.dedup_by_key(|one| one.0.id);
        let reversed: Vec<_> = unique.iter().rev().cloned().collect();
        prop_assert_eq!(drawn(&unique, &[]), drawn(&reversed, &[]));
    }

    #[test]
    fn a_strategy_keeps_within_its_bound_and_its_quality_within_0_and_1(
        trajectories in proptest::collection::vec(any_trajectory(), 0..15), chars_max in 1_usize..200,
    ) {
        let settings = DistilSettings { strategy_chars_max: chars_max, ..Default::default() };
        for one in distil(&trajectories, &[], now(), &settings, &BankSettings::default()) {
            prop_assert!(one.pattern.strategy.chars().count() <= chars_max, "{}", one.pattern.strategy);
            prop_assert!((0.0..=1.0).contains(&one.pattern.quality));
            prop_assert!(!one.pattern.sources.is_empty());
        }
    }

    #[test]
    fn any_text_is_distilled_without_harm(task in "\\PC{0,60}", steps in proptest::collection::vec("\\PC{0,120}", 0..6)) {
        let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
        let found = drawn(&[done(1, &task, Success, &steps), done(2, &task, Success, &steps)], &[]);
        for one in found {
            prop_assert!(one.pattern.strategy.chars().count() <= 600);
        }
    }
}

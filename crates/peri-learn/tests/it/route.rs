//! Routing: what outcomes do to routes, and what a router that was kept or told nonsense does.

use peri_learn::route::{
    Basis, DEFAULT_AGENT, Link, PatternVote, Reason, Route, RouteError, Router, Settings, Task,
};
use peri_text::{QueryTerm, TermClass, analyze_query};
use peri_types::{SpaceId, TaskOutcome};
use proptest::prelude::*;

fn chance(route: &Route, agent: &str) -> f32 {
    let others = route.alternatives.iter().map(|(name, chance)| (name.as_str(), *chance));
    let mut all = std::iter::once((route.agent.as_str(), route.confidence)).chain(others);
    all.find(|(name, _)| *name == agent).map_or(0.0, |(_, chance)| chance)
}

fn chance_of(router: &Router, text: &str, agent: &str) -> f32 {
    chance(&router.route(&Task::of(text)), agent)
}

fn space(dimensions: u32) -> SpaceId {
    SpaceId { model: "tests".to_owned(), dimensions }
}

fn taught() -> Router {
    let mut router = Router::default();
    let space = space(3);
    for (at, (text, agent, outcome)) in [
        ("로그인 테스트를 작성해 줘", "tester", TaskOutcome::Success),
        ("为支付模块补充文档", "documenter", TaskOutcome::Success),
        ("translate the labels", "translator", TaskOutcome::Success),
        ("speed up the import of users", "coder", TaskOutcome::Failure),
        ("translate the help pages", "coder", TaskOutcome::Partial),
    ]
    .into_iter()
    .cycle()
    .take(40)
    .enumerate()
    {
        let vector = [1.0, at as f32 / 40.0, -0.5];
        router.learn(&Task::of(text).with_vector(&vector, &space), agent, outcome).unwrap();
    }
    router
}

fn task_text() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("add a button to the settings page".to_owned()),
        Just("결제 페이지에 쿠폰 입력란을 추가해 줘".to_owned()),
        Just("检查接口有没有越权漏洞".to_owned()),
        "[a-z]{2,8}( [a-z]{2,8}){0,6}",
        "\\PC{1,60}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..Default::default() })]

    #[test]
    fn learning_a_task_again_and_again_makes_its_agent_the_choice(text in task_text(), at in 0..8_usize) {
        let mut router = Router::default();
        let agent = router.agents()[at].clone();
        let before = chance_of(&router, &text, &agent);
        for _ in 0..12 {
            router.learn(&Task::of(&text), &agent, TaskOutcome::Success).unwrap();
        }
        prop_assert!(chance_of(&router, &text, &agent) > before);
        prop_assert_eq!(router.route(&Task::of(&text)).agent, agent);
    }

    #[test]
    fn failures_lower_the_agent_and_no_other(text in task_text()) {
        // A task without words says nothing that could be learned; numbers and dates are not learned from.
        let tells = |term: &QueryTerm| !matches!(term.class, TermClass::Number | TermClass::Date);
        prop_assume!(analyze_query(&text).iter().any(tells));
        let mut router = Router::default();
        let first = router.route(&Task::of(&text));
        for _ in 0..6 {
            router.learn(&Task::of(&text), &first.agent, TaskOutcome::Failure).unwrap();
        }
        let after = router.route(&Task::of(&text));
        prop_assert!(chance(&after, &first.agent) < first.confidence);
        prop_assert_ne!(&after.agent, &first.agent);
    }

    #[test]
    fn probabilities_are_probabilities_and_reasons_begin_with_what_decided(text in "\\PC{0,200}") {
        for router in [Router::default(), taught()] {
            let route = router.route(&Task::of(&text));
            let sum = route.confidence + route.alternatives.iter().map(|(_, chance)| chance).sum::<f32>();
            prop_assert!((sum - 1.0).abs() < 1e-4, "{}", sum);
            prop_assert!(route.alternatives.iter().all(|(_, chance)| *chance <= route.confidence));
            prop_assert_eq!(route.alternatives.len() + 1, router.agents().len());
            let decided = |reason: &Reason| matches!(reason, Reason::Decided { .. });
            prop_assert!(decided(&route.reasons[0]) && !route.reasons[1..].iter().any(decided));
            prop_assert!(route.reasoning().starts_with(&route.agent));
        }
    }

    #[test]
    fn a_kept_router_reads_back_the_same(text in task_text()) {
        let mut router = taught();
        router.learn(&Task::of(&text), "tester", TaskOutcome::Success).unwrap();
        let read: Router = serde_json::from_str(&serde_json::to_string(&router).unwrap()).unwrap();
        prop_assert_eq!(&read, &router);
        prop_assert_eq!(read.route(&Task::of(&text)), router.route(&Task::of(&text)));
    }

    #[test]
    fn a_damaged_router_is_refused_or_works_and_never_panics(at in 0..100_000_usize, byte in any::<u8>()) {
        let mut kept = serde_json::to_vec(&taught()).unwrap();
        let at = at % kept.len();
        kept[at] = byte;
        if let Ok(mut router) = serde_json::from_slice::<Router>(&kept) {
            router.learn(&Task::of("translate this"), "tester", TaskOutcome::Failure).unwrap();
            prop_assert!(router.route(&Task::of("translate this")).confidence.is_finite());
        }
    }
}

#[test]
fn partly_done_lies_between_failed_and_done() {
    let text = "move the logo to the left";
    let after = |outcome| {
        let mut router = Router::default();
        (0..8).for_each(|_| router.learn(&Task::of(text), "tester", outcome).unwrap());
        chance_of(&router, text, "tester")
    };
    let [failure, partial, success] =
        [TaskOutcome::Failure, TaskOutcome::Partial, TaskOutcome::Success].map(after);
    assert!(failure < partial && partial < success, "{failure} {partial} {success}");
    assert!((partial - 0.5).abs() < 0.25, "{partial}");
}

#[test]
fn a_language_that_nobody_knows_goes_to_the_default_agent() {
    for text in ["ช่วยเพิ่มปุ่มหน่อย", "أضف زرا إلى الصفحة", "lisää painike sivulle", "🙂", "", "   "]
    {
        let route = Router::default().route(&Task::of(text));
        assert_eq!((route.agent.as_str(), route.basis()), (DEFAULT_AGENT, Basis::Default), "{text}");
        assert!(route.confidence < 0.5, "nothing speaks for it: {}", route.confidence);
    }
}

#[test]
fn the_table_speaks_before_anything_is_learned_and_names_its_keyword() {
    let route = Router::default().route(&Task::of("write tests for the parser"));
    assert_eq!((route.agent.as_str(), route.basis()), ("tester", Basis::Table));
    assert!(route.reasoning().contains("“test”"), "{}", route.reasoning());
}

#[test]
fn what_was_learned_overrules_the_table_and_says_by_which_words() {
    let mut router = Router::default();
    for text in ["update the memory docs", "the memory page of the docs is old", "docs of the memory engine"]
    {
        (0..4).for_each(|_| router.learn(&Task::of(text), "documenter", TaskOutcome::Success).unwrap());
    }
    let route = router.route(&Task::of("rewrite the memory engine page"));
    assert_eq!((route.agent.as_str(), route.basis()), ("documenter", Basis::Learned));
    assert!(route.reasons.iter().any(|reason| matches!(reason, Reason::Word { word, .. } if word == "page")));
    let earlier = |reason: &Reason| matches!(reason, Reason::Earlier { agent, .. } if agent == "documenter");
    assert!(route.reasons.iter().any(earlier), "{:?}", route.reasons);
}

#[test]
fn an_agent_appears_with_its_first_success_and_not_with_a_failure() {
    let mut router = Router::default();
    let task = Task::of("앱 이름을 번역해 줘");
    router.learn(&task, "번역가", TaskOutcome::Failure).unwrap();
    assert_eq!(router, Router::default());
    router.learn(&task, "번역가", TaskOutcome::Success).unwrap();
    assert!(router.agents().contains(&"번역가".to_owned()));
}

#[test]
fn what_cannot_be_learned_changes_nothing() {
    let mut router = taught();
    let before = router.clone();
    let long = "a".repeat(65);
    for name in ["", "  ", "a\nb", long.as_str()] {
        let refused = router.learn(&Task::of("x"), name, TaskOutcome::Success);
        assert_eq!(refused, Err(RouteError::AgentName), "{name:?}");
    }
    let lessons =
        [(Task::of("a"), "tester", TaskOutcome::Success), (Task::of("b"), "\u{7}", TaskOutcome::Success)];
    assert_eq!(router.learn_all(&lessons), Err(RouteError::AgentName));
    assert_eq!(router, before);
}

#[test]
fn the_number_of_agents_is_bounded() {
    let mut router = Router::default();
    let mut refused = None;
    for at in 0..100 {
        let told = router.learn(&Task::of("x"), &format!("agent-{at}"), TaskOutcome::Success);
        refused = refused.or(told.err());
    }
    assert_eq!(refused, Some(RouteError::TooManyAgents { count: 64 }));
    assert_eq!(router.agents().len(), 64);
}

#[test]
fn the_same_outcomes_give_the_same_router() {
    assert_eq!(taught(), taught());
    let lessons = [
        (Task::of("写测试"), "tester", TaskOutcome::Success),
        (Task::of("b"), "coder", TaskOutcome::Partial),
    ];
    let (mut one, mut all) = (taught(), taught());
    lessons.iter().for_each(|(task, agent, outcome)| one.learn(task, agent, *outcome).unwrap());
    all.learn_all(&lessons).unwrap();
    assert_eq!(one, all);
}

#[test]
fn vectors_of_another_space_or_without_sense_do_not_count() {
    let router = taught();
    let task = Task::of("speed up the import");
    let plain = router.route(&task);
    let own = router.route(&task.with_vector(&[0.3, -0.9, 0.1], &space(3)));
    assert_ne!(own.confidence, plain.confidence, "a vector of the router's space counts");
    let other = SpaceId { model: "other".to_owned(), dimensions: 3 };
    assert_eq!(router.route(&task.with_vector(&[0.3, -0.9, 0.1], &other)), plain);
    for odd in [&[0.3, -0.9][..], &[f32::NAN, 0.0, 1.0], &[f32::INFINITY; 3], &[0.0; 3], &[f32::MAX; 3]] {
        assert_eq!(router.route(&task.with_vector(odd, &space(3))), plain, "{odd:?}");
    }
    let mut learned = router.clone();
    learned.learn(&task.with_vector(&[1.0, 0.0, 0.0], &other), "coder", TaskOutcome::Success).unwrap();
    assert_eq!(learned.space(), Some(&space(3)));
    learned.leave_space();
    learned.learn(&task.with_vector(&[1.0, 0.0, 0.0], &other), "coder", TaskOutcome::Success).unwrap();
    assert_eq!(learned.space(), Some(&other));
}

#[test]
fn a_very_long_task_is_routed_and_learned() {
    let text = format!(
        "{} 로그를 보고 원인을 찾아 줘",
        "2026-01-01 ERROR 连接失败 at Foo.bar(Foo.java:12)\n".repeat(2_000)
    );
    assert!(text.len() > 100_000);
    let mut router = taught();
    router.learn(&Task::of(&text), "researcher", TaskOutcome::Success).unwrap();
    assert!(router.route(&Task::of(&text)).confidence > 0.0);
    let kept = serde_json::to_string(&router).unwrap();
    assert!(!kept.contains("Foo.java:12)\\n2026-01-01 ERROR 连接失败 at Foo.bar(Foo.java:12)\\n2026-01-01"));
}

#[test]
fn secrets_of_a_task_are_not_kept() {
    let mut router = Router::default();
    let text = "connect to postgres://ann:hunter2pass@db/app and fix the import";
    router.learn(&Task::of(text), "coder", TaskOutcome::Success).unwrap();
    assert!(!serde_json::to_string(&router).unwrap().contains("hunter2pass"));
}

#[test]
fn patterns_have_a_say_that_grows_with_similarity_and_quality() {
    let router = Router::default();
    let task = Task::of("adjust the colours of the header");
    let with = |similarity, quality| {
        let vote = PatternVote { agent: "documenter", similarity, quality };
        router.route_with(&task, &[vote])
    };
    let strong = with(0.95, 0.9);
    assert_eq!((strong.agent.as_str(), strong.basis()), ("documenter", Basis::Patterns));
    assert!(strong.reasons.iter().any(|reason| matches!(reason, Reason::Pattern { .. })));
    assert!(chance(&with(0.8, 0.7), "documenter") < strong.confidence);
    assert_eq!(with(0.3, 0.9), router.route(&task), "a weak pattern says nothing");
    assert_eq!(with(f32::NAN, 0.9), router.route(&task));
    let stranger = PatternVote { agent: "nobody", similarity: 1.0, quality: 1.0 };
    assert_eq!(router.route_with(&task, &[stranger]), router.route(&task));
}

#[test]
fn every_setting_changes_what_is_learned() {
    let plain = Settings::default();
    let learned = |settings: Settings| {
        let mut router = Router::new(settings);
        for at in 0..30 {
            let text = format!("task number{at} about things{}", at % 7);
            router.learn(&Task::of(&text), ["tester", "coder"][at % 2], TaskOutcome::Success).unwrap();
        }
        chance_of(&router, "a task about things3", "tester")
    };
    let before = learned(plain.clone());
    for other in [
        Settings { learning_rate: 0.1, ..plain.clone() },
        Settings { decay: 0.05, ..plain.clone() },
        Settings { rehearsals: 0, ..plain.clone() },
        Settings { earlier_max: 2, ..plain.clone() },
        Settings { link: Link::Apart, ..plain.clone() },
    ] {
        assert_ne!(learned(other.clone()), before, "{other:?}");
    }
    let wild = Settings { learning_rate: f32::NAN, decay: f32::INFINITY, ..plain };
    assert!(learned(wild).is_finite());
}

#[test]
fn a_router_of_another_format_or_analysis_is_refused_with_its_number() {
    let kept = serde_json::to_value(taught()).unwrap();
    let refused = |key: &str, value: serde_json::Value| {
        let mut other = kept.clone();
        other[key] = value;
        serde_json::from_value::<Router>(other).unwrap_err().to_string()
    };
    assert!(refused("format", 2.into()).contains("format 2"));
    assert!(refused("analysis", 99.into()).contains("analysis 99"));
    assert!(refused("agents", serde_json::json!(["only one"])).contains("agents"));
    assert!(refused("words", "AAA".into()).contains("weights"));
    assert!(refused("temperature", 0.0.into()).contains("calibration"));
    assert!(refused("next", 4_000_000_000_u64.into()).contains("earlier"));
}

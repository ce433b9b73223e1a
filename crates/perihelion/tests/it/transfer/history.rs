//! Whatever happened to a store, its export brings it back to the byte.

use jiff::SignedDuration;
use perihelion::{
    Clock, Deletion, EdgeType, Importance, Kind, Namespace, NewEdge, Perihelion, Recall, Remember, Revise,
    Scope, Trashed,
};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, RngSeed};

use super::{everything, export, import, later, sides};
use crate::supersession::clocked;
use crate::support::ns;

/// Some of these repeat, replace or contradict each other.
const TEXTS: [&str; 16] = [
    "Ana prefers tea over coffee.",
    "Ana prefers tea to coffee",
    "Ana lives in Berlin",
    "Ana now lives in Lisbon",
    "Ana now lives in Oslo",
    "The cache is enabled",
    "The cache is not enabled",
    "We deploy on Mondays.",
    "On Mondays we deploy.",
    "김민수는 서울에 산다 🏙",
    "민수는 부산으로 이사했다.",
    "数据库每天晚上备份一次",
    "默认分支现在是main",
    "quotes \" and \\ backslashes,\nlines, tabs\t and 🦀\u{200d}🚀 and \u{7f}",
    "e\u{301}cole and école",
    "a heron",
];

#[derive(Debug, Clone)]
enum Step {
    Remember { text: usize, namespace: usize, labels: u8, time: i64, number: f64 },
    Say { text: usize, session: usize },
    Revise(Index, usize),
    Supersede(Index, Index),
    Forget(Index),
    Restore(Index),
    Purge(Index),
    Split(Index),
    Link(Index, Index, u8),
    Recall(usize),
    Start(usize),
    End(usize),
    Wait(i64),
    Maintain,
    Move(usize, usize),
    Delete(usize),
}

const NAMESPACES: [&str; 3] = ["default", "team/a", "작업"];
const SESSIONS: [&str; 3] = ["monday", "회의", "s3"];

fn step() -> impl Strategy<Value = Step> {
    let text = 0..TEXTS.len();
    let number = any::<f64>().prop_filter("JSON has no other numbers", |number| number.is_finite());
    prop_oneof![
        14 => (text.clone(), 0..3_usize, any::<u8>(), -40..40_i64, number).prop_map(
            |(text, namespace, labels, time, number)| Step::Remember { text, namespace, labels, time, number }
        ),
        3 => (text.clone(), 0..3_usize).prop_map(|(text, session)| Step::Say { text, session }),
        4 => (any::<Index>(), text.clone()).prop_map(|(which, text)| Step::Revise(which, text)),
        2 => (any::<Index>(), any::<Index>()).prop_map(|(old, new)| Step::Supersede(old, new)),
        5 => any::<Index>().prop_map(Step::Forget),
        2 => any::<Index>().prop_map(Step::Restore),
        2 => any::<Index>().prop_map(Step::Purge),
        2 => any::<Index>().prop_map(Step::Split),
        4 => (any::<Index>(), any::<Index>(), 1..=9_u8).prop_map(|(a, b, weight)| Step::Link(a, b, weight)),
        3 => text.prop_map(Step::Recall),
        1 => (0..3_usize).prop_map(Step::Start),
        2 => (0..3_usize).prop_map(Step::End),
        3 => (1..50_i64).prop_map(Step::Wait),
        2 => Just(Step::Maintain),
        1 => (0..3_usize, 0..3_usize).prop_map(|(from, to)| Step::Move(from, to)),
        1 => (0..3_usize).prop_map(Step::Delete),
    ]
}

fn remember(text: usize, namespace: usize, labels: u8, time: i64, number: f64, clock: &Clock) -> Remember {
    let day = |days: i64| clock.now() + SignedDuration::from_hours(24 * days);
    let has = |bit: u8| labels & (1 << bit) != 0;
    let mut request = Remember::new(TEXTS[text]).in_namespace(ns(NAMESPACES[namespace]));
    let facets = &mut request.facets;
    if has(0) {
        facets.tags = vec!["태그".into(), format!("tag {time}")];
        facets.aliases = vec!["别名".into()];
    }
    if has(1) {
        facets
            .metadata
            .insert("깊이".into(), serde_json::json!({ "list": [number, null, -7, u64::MAX], "😀": "é" }));
    }
    facets.pinned = labels.is_multiple_of(5);
    facets.occurred_at = has(2).then(|| day(time));
    facets.valid_from = (has(3) && has(4)).then(|| day(time - 1));
    facets.valid_until = (has(3) && has(5)).then(|| day(time + 3));
    facets.expires_at = (has(4) && has(5)).then(|| day(time + 30));
    facets.source = has(6).then(|| "notes.md".to_owned());
    request.kind = has(7).then_some(Kind::Preference);
    request.importance = has(2).then(|| Importance::new(f64::from(labels) / 255.0).unwrap());
    request
}

/// Takes a step. Many are refused, which is part of the life of a store.
fn perform(engine: &Perihelion, clock: &Clock, step: &Step) {
    let ids = sides(engine).concat();
    let pick = |which: &Index| (!ids.is_empty()).then(|| ids[which.index(ids.len())]);
    let scope = &Scope::All;
    let here = Namespace::default();
    match step {
        Step::Remember { text, namespace, labels, time, number } => {
            drop(engine.remember(remember(*text, *namespace, *labels, *time, *number, clock)));
        }
        Step::Say { text, session } => {
            drop(engine.remember(Remember::new(TEXTS[*text]).said(SESSIONS[*session], "Ana 🎙")));
        }
        Step::Revise(which, text) => {
            let content = Some(format!("{} ({})", TEXTS[*text], clock.now()));
            let revise = Revise { content, ..Revise::default() };
            drop(pick(which).map(|id| engine.revise(scope, id, revise)));
        }
        Step::Supersede(old, new) => {
            let revise = Revise { superseded_by: Some(pick(new)), ..Revise::default() };
            drop(pick(old).map(|id| engine.revise(scope, id, revise)));
        }
        Step::Forget(which) => drop(pick(which).map(|id| engine.forget(scope, id))),
        Step::Restore(which) => drop(pick(which).map(|id| engine.restore(scope, id))),
        Step::Purge(which) => drop(pick(which).map(|id| engine.purge(scope, id))),
        Step::Split(which) => drop(pick(which).map(|id| engine.split(scope, id))),
        Step::Link(from, to, weight) => {
            let (Some(source), Some(target)) = (pick(from), pick(to)) else { return };
            let (edge_type, weight) = (EdgeType::Sequence, f32::from(*weight) / 9.0);
            drop(engine.link(scope, &NewEdge { source, target, edge_type, weight }));
        }
        Step::Recall(text) => drop(engine.recall(&Recall::new(TEXTS[*text]).in_scope(Scope::All)).unwrap()),
        Step::Start(session) => drop(engine.start_session(&here, SESSIONS[*session]).unwrap()),
        Step::End(session) => drop(engine.end_session(&here, SESSIONS[*session])),
        Step::Wait(days) => clock.advance(SignedDuration::from_hours(24 * days)),
        Step::Maintain => engine.maintain().unwrap(),
        Step::Move(from, to) => drop(engine.move_namespace(&ns(NAMESPACES[*from]), &ns(NAMESPACES[*to]))),
        Step::Delete(which) => drop(engine.delete_namespace(&ns(NAMESPACES[*which]), Deletion::ToTrash)),
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
    fn an_export_of_an_import_is_the_same_to_the_byte(steps in prop::collection::vec(step(), 1..60)) {
        let (_folder, engine, clock) = clocked();
        for step in &steps {
            perform(&engine, &clock, step);
        }
        let lines = export(&engine);
        prop_assert_eq!(&export(&engine), &lines, "an export does not change what it exports");
        // What was put aside for a promotion is not listed, and comes along all the same.
        let held = lines.matches("{\"record\":\"memory\"").count();
        let (_folder, copy) = later(&clock, 400);
        let told = import(&copy, &lines);
        prop_assert!(told.refused.is_empty(), "{:?}", told.refused);
        prop_assert_eq!(told.added as usize, held);
        prop_assert_eq!(&export(&copy), &lines);
        let again = import(&copy, &lines);
        prop_assert_eq!((again.added, again.replaced), (0, 0));
        prop_assert_eq!(&export(&copy), &lines);
        let seen = |engine: &Perihelion| {
            let current = everything(engine, Trashed::Without);
            let facts = current.into_iter().map(|one| (one.id, one.facets.superseded_by, one.facets.valid_until));
            facts.collect::<Vec<_>>()
        };
        prop_assert_eq!(seen(&copy), seen(&engine), "and is seen in the same way");
        // What has expired meanwhile is nobody's any more; everything else stays where it is.
        let now = clock.now() + SignedDuration::from_hours(24 * 400);
        let lasting = |engine: &Perihelion| {
            [Trashed::Without, Trashed::Only].map(|side| {
                let all = everything(engine, side).into_iter();
                let lasting = all.filter(|one| one.facets.expires_at.is_none_or(|at| now < at));
                lasting.map(|one| one.id).collect::<Vec<_>>()
            })
        };
        let brought = lasting(&copy);
        copy.maintain().unwrap();
        prop_assert_eq!(lasting(&copy), brought, "the first maintenance takes nothing away");
    }
}

//! Every kind of record there is goes out and comes in again to the byte.

use jiff::SignedDuration;
use peri_store::Store;
use perihelion::{
    Clock, Context, EdgeType, Entity, Facets, Feedback, Importance, Kind, KnowledgeGraph, Layer, MemoryId,
    NewEdge, Perihelion, Relation, Remember, Revise, Scope, SetWork,
};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, RngSeed};

use super::learning::{learn, pattern, put, record, store_of, trajectory, weigh, weights};
use super::{export, import, later, sides};
use crate::supersession::clocked;
use crate::support::ns;

const NAMESPACES: [&str; 2] = ["default", "작업/一"];

#[derive(Debug, Clone)]
enum Step {
    Remember { layer: usize, kind: usize, facets: u16, number: u32 },
    Work { key: u8, number: u32 },
    Know { name: u8, other: u8 },
    Judge(Index, Index),
    Weigh,
    Strategy(u16),
    Task(u16),
    Learn(u16),
    Promote(Index, usize),
    Undo(Index),
    Link(Index, Index, usize),
    Revise(Index, u32),
    Forget(Index),
    Wait(i64),
    Maintain,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        12 => (any::<usize>(), any::<usize>(), any::<u16>(), any::<u32>())
            .prop_map(|(layer, kind, facets, number)| Step::Remember { layer, kind, facets, number }),
        3 => (0..5_u8, any::<u32>()).prop_map(|(key, number)| Step::Work { key, number }),
        2 => (0..4_u8, 0..4_u8).prop_map(|(name, other)| Step::Know { name, other }),
        2 => (any::<Index>(), any::<Index>()).prop_map(|(used, unused)| Step::Judge(used, unused)),
        1 => Just(Step::Weigh),
        2 => any::<u16>().prop_map(Step::Strategy),
        2 => any::<u16>().prop_map(Step::Task),
        1 => any::<u16>().prop_map(Step::Learn),
        3 => (any::<Index>(), any::<usize>()).prop_map(|(which, layer)| Step::Promote(which, layer)),
        1 => any::<Index>().prop_map(Step::Undo),
        4 => (any::<Index>(), any::<Index>(), any::<usize>()).prop_map(|(a, b, kind)| Step::Link(a, b, kind)),
        2 => (any::<Index>(), any::<u32>()).prop_map(|(which, number)| Step::Revise(which, number)),
        2 => any::<Index>().prop_map(Step::Forget),
        2 => (1..40_i64).prop_map(Step::Wait),
        2 => Just(Step::Maintain),
    ]
}

fn pick<T: Copy>(all: &[T], which: usize) -> T {
    all[which % all.len()]
}

/// Facets by the bits of a number, so that each of them is there and is not.
fn facets(bits: u16, number: u32, clock: &Clock) -> Facets {
    let has = |bit: u16| bits & (1 << bit) != 0;
    let day = |days: i64| Some(clock.now() + SignedDuration::from_hours(24 * days));
    let mut context = Context::default();
    if has(0) {
        context.spatial.insert("장소".into(), format!("room {}", number % 9));
        context.emotional.insert("mood".into(), "é🎉".into());
    }
    let mut facets = Facets { context, pinned: has(1), ..Facets::default() };
    facets.tags = if has(2) { vec!["标签".into(), format!("t{}", number % 7)] } else { Vec::new() };
    facets.aliases = if has(3) { vec![format!("alias {number}")] } else { Vec::new() };
    facets.session = has(4).then(|| format!("회의 {}", number % 3));
    facets.speaker = has(5).then(|| "Ana \"🎙\"".to_owned());
    facets.source = has(6).then(|| "notes\\a.md".to_owned());
    facets.occurred_at = if has(7) { day(-i64::from(number % 90)) } else { None };
    facets.expires_at = if has(8) { day(i64::from(number % 90) + 1) } else { None };
    facets.valid_from = if has(9) { day(-100) } else { None };
    facets.valid_until = if has(10) { day(100) } else { None };
    facets.data =
        has(11).then(|| serde_json::json!({ "단계": [number, { "x": -0.125 }, null], "z": "\u{7f}" }));
    if has(12) {
        facets.metadata.insert("깊이".into(), serde_json::json!([{ "n": u64::MAX }, 1e-7, number]));
    }
    facets
}

/// Takes a step. Many are refused, which is part of the life of a store.
fn perform(engine: &Perihelion, store: &dyn Store, clock: &Clock, step: &Step) {
    let ids: Vec<MemoryId> = sides(engine).concat();
    let one = |which: &Index| (!ids.is_empty()).then(|| ids[which.index(ids.len())]);
    let (scope, here) = (&Scope::All, ns(NAMESPACES[0]));
    match step {
        Step::Remember { layer, kind, facets: bits, number } => {
            let text = format!("Quixou{number}zq says {} 입니다 数据", number % 11);
            let mut request = Remember::new(text).in_namespace(ns(NAMESPACES[usize::from(*bits >> 15)]));
            (request.layer, request.kind) = (Some(pick(Layer::ALL, *layer)), Some(pick(Kind::ALL, *kind)));
            request.importance = Importance::new(f64::from(*bits) / 65_535.0).ok();
            request.facets = facets(*bits, *number, clock);
            drop(engine.remember(request));
        }
        Step::Work { key, number } => {
            let value = serde_json::json!({ "값": number });
            drop(engine.work_set(SetWork::new(format!("key {key}"), value).in_session("회의 1")));
        }
        Step::Know { name, other } => {
            let entity = |name: &u8| Entity {
                name: format!("실체 {name}"),
                entity_type: "person".into(),
                observations: vec![format!("has {name} 只猫")],
            };
            let relation = Relation {
                from: format!("실체 {name}"),
                to: format!("실체 {other}"),
                relation_type: "knows".into(),
            };
            let graph =
                KnowledgeGraph { entities: vec![entity(name), entity(other)], relations: vec![relation] };
            drop(engine.add_knowledge(&here, graph));
        }
        Step::Judge(used, unused) => {
            let (Some(used), Some(unused)) = (one(used), one(unused)) else { return };
            let query = "한국어 question".to_owned();
            let feedback = Feedback { query, used: vec![used], unused: vec![unused], session: None };
            drop(engine.feedback(&here, &feedback));
        }
        Step::Weigh => weigh(store, clock.now().as_second() / 3600 % 1000),
        Step::Strategy(number) => put(store, pattern(NAMESPACES[usize::from(number & 1)], *number)),
        Step::Task(number) => record(store, trajectory(NAMESPACES[usize::from(number & 1)], *number)),
        Step::Learn(number) => {
            let (namespace, hour) = (NAMESPACES[usize::from(number & 1)], i64::from(number % 100));
            learn(store, namespace, &format!("배운 것 {}", number % 3), weights(*number), hour);
        }
        Step::Promote(which, layer) => {
            let layers: Vec<Option<Layer>> =
                std::iter::once(None).chain(Layer::ALL.iter().copied().map(Some)).collect();
            drop(one(which).map(|id| engine.promote(scope, &[id], pick(&layers, *layer))));
        }
        Step::Undo(which) => drop(one(which).map(|id| engine.undo_promotion(scope, id))),
        Step::Link(from, to, kind) => {
            let (Some(source), Some(target)) = (one(from), one(to)) else { return };
            let edge_type = pick(EdgeType::ALL, *kind);
            drop(engine.link(scope, &NewEdge { source, target, edge_type, weight: 0.7 }));
        }
        Step::Revise(which, number) => {
            let revise = Revise { content: Some(format!("Quixou{number}zr 고침")), ..Revise::default() };
            drop(one(which).map(|id| engine.revise(scope, id, revise)));
        }
        Step::Forget(which) => drop(one(which).map(|id| engine.forget(scope, id))),
        Step::Wait(hours) => clock.advance(SignedDuration::from_hours(*hours)),
        Step::Maintain => engine.maintain().unwrap(),
    }
}

proptest! {
    #![proptest_config(Config {
        cases: 24,
        rng_seed: RngSeed::Fixed(0xFACE75),
        failure_persistence: None,
        ..Config::default()
    })]

    #[test]
    fn every_kind_of_record_comes_back_to_the_byte(steps in prop::collection::vec(step(), 20..70)) {
        let (folder, engine, clock) = clocked();
        let store = store_of(&folder);
        for step in &steps {
            perform(&engine, &store, &clock, step);
        }
        let lines = export(&engine);
        let (_folder, copy) = later(&clock, 0);
        let told = import(&copy, &lines);
        prop_assert!(told.refused.is_empty(), "{:?}", told.refused);
        prop_assert_eq!(&export(&copy), &lines);
        let again = import(&copy, &lines);
        prop_assert_eq!((again.added, again.replaced, again.trashed), (0, 0, 0));
        prop_assert_eq!((again.patterns, again.trajectories, again.learned), (0, 0, 0));
        prop_assert_eq!(&export(&copy), &lines);
    }
}

/// The generated stores do hold what they are meant to hold.
#[test]
fn one_store_of_every_step_holds_every_kind_of_record() {
    let (folder, engine, clock) = clocked();
    let store = store_of(&folder);
    for bits in [0, 0x7fff, 0xffff, 0x0aaa, 0x1555] {
        for layer in 0..4 {
            let number = u32::from(bits as u16) * 7 + layer as u32;
            perform(
                &engine,
                &store,
                &clock,
                &Step::Remember { layer, kind: layer, facets: bits as u16, number },
            );
        }
    }
    perform(&engine, &store, &clock, &Step::Work { key: 1, number: 7 });
    perform(&engine, &store, &clock, &Step::Know { name: 1, other: 2 });
    for step in [Step::Strategy(63), Step::Task(62), Step::Learn(7)] {
        perform(&engine, &store, &clock, &step);
    }
    let ids = sides(&engine).concat();
    engine.start_session(&ns("default"), "회의 1").unwrap();
    let feedback = Feedback { query: "q".into(), used: vec![ids[0]], unused: vec![], session: None };
    engine.feedback(&engine.get(&Scope::All, ids[0]).unwrap().namespace, &feedback).unwrap();
    perform(&engine, &store, &clock, &Step::Weigh);
    let lines = export(&engine);
    let learned = ["pattern", "trajectory", "learned"];
    let others = ["header", "namespace", "memory", "edge", "feedback", "weights", "session", "end"];
    for record in others.into_iter().chain(learned) {
        assert!(lines.contains(&format!("{{\"record\":\"{record}\"")), "{record}");
    }
    for field in ["key", "context", "data", "metadata", "tags", "aliases", "speaker", "source", "valid_from"]
    {
        assert!(lines.contains(&format!("\"{field}\":")), "{field}");
    }
    for layer in Layer::ALL {
        assert!(lines.contains(&format!("\"layer\":\"{}\"", layer.as_str())), "{}", layer.as_str());
    }
    let (_folder, copy) = later(&clock, 0);
    assert!(import(&copy, &lines).refused.is_empty());
    assert_eq!(export(&copy), lines);
}

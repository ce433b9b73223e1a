//! What links bring to a recall.

use perihelion::{
    Clock, EngineChoice, Filter, GraphSettings, Kind, MemoryId, Namespace, NewEdge, Options, Perihelion,
    Recall, Remember, Revise, Scope, Stage, Stages,
};

use super::{drawn, link};
use crate::support::{ask, contents, fresh, keep, ns, options, time};

const QUERY: &str = "who designed the lighthouse?";
const BEST: &str = "The lighthouse was designed by Marguerite";
const NEIGHBOUR: &str = "Apple cake needs cinnamon";

fn plain(query: &str) -> Recall {
    Recall { stages: Some(Stages::ALL.without(Stage::Graph)), ..Recall::new(query) }
}

fn ids(engine: &Perihelion, request: &Recall) -> Vec<MemoryId> {
    engine.recall(request).unwrap().hits.into_iter().map(|hit| hit.memory.id).collect()
}

/// A best match, another match, and something that shares nothing with the question but is linked to the best.
fn linked(engine: &Perihelion) -> [MemoryId; 3] {
    let [best, neighbour] = [BEST, NEIGHBOUR].map(|text| keep(engine, text));
    let other = keep(engine, "The keeper of the lighthouse is called Ole");
    assert!(!contents(&ask(engine, QUERY)).contains(&NEIGHBOUR), "it shares nothing with the question");
    link(engine, best, neighbour);
    [best, other, neighbour]
}

#[test]
fn what_is_linked_by_hand_to_the_best_match_joins_it_and_comes_after_it() {
    let (_folder, engine) = fresh();
    let [best, _, neighbour] = linked(&engine);
    let found = ids(&engine, &Recall::new(QUERY));
    assert_eq!(found[0], best);
    assert_eq!(found.iter().filter(|id| **id == neighbour).count(), 1, "{found:?}");
    let hits = ask(&engine, QUERY).hits;
    let joined = hits.iter().find(|hit| hit.memory.id == neighbour).unwrap();
    assert!(joined.explanation.parts.iter().any(|part| part.stage == Stage::Graph), "{joined:?}");
    assert!(hits.is_sorted_by(|a, b| a.score >= b.score), "scores say the same as the order");
}

#[test]
fn a_link_never_brings_a_memory_before_a_better_direct_match() {
    let (_folder, engine) = fresh();
    let designers =
        ["The lighthouse was designed by Marguerite", "Who designed the lighthouse? Marguerite designed it"];
    let direct: Vec<_> = designers.iter().map(|text| keep(&engine, text)).collect();
    let neighbour = keep(&engine, NEIGHBOUR);
    let before = ids(&engine, &plain(QUERY));
    assert!(direct.iter().all(|id| before.contains(id)));
    // Linked to the second best: the first one stays where it is.
    link(&engine, before[1], neighbour);
    let after = ids(&engine, &Recall::new(QUERY));
    let at = |id| after.iter().position(|one| *one == id);
    assert!(at(neighbour) > at(before[1]) && at(before[1]) > at(before[0]), "{after:?}");
    let without: Vec<_> = after.iter().copied().filter(|id| *id != neighbour).collect();
    assert_eq!(without, before, "the others keep their order");
}

#[test]
fn without_the_stage_the_results_are_the_plain_ones() {
    let (_folder, engine) = fresh();
    let before = (keep(&engine, BEST), engine.recall(&plain(QUERY)).unwrap());
    let neighbour = keep(&engine, NEIGHBOUR);
    link(&engine, before.0, neighbour);
    let after = ids(&engine, &plain(QUERY));
    assert_eq!(after, before.1.hits.iter().map(|hit| hit.memory.id).collect::<Vec<_>>());
    let folder = tempfile::tempdir().unwrap();
    let mut off = options(folder.path());
    off.recall.stages = Stages::ALL.without(Stage::Graph);
    let engine = Perihelion::open(off).unwrap();
    let [_, _, neighbour] = linked(&engine);
    assert!(!ids(&engine, &Recall::new(QUERY)).contains(&neighbour), "the setting switches it off too");
}

#[test]
fn the_limit_holds_and_nothing_comes_twice() {
    let (_folder, engine) = fresh();
    let [best, other, neighbour] = linked(&engine);
    link(&engine, other, neighbour);
    link(&engine, best, other);
    link(&engine, other, best);
    for limit in 1..=4 {
        let found = ids(&engine, &Recall::new(QUERY).limit(limit));
        assert_eq!(found.len(), limit.min(3), "{found:?}");
        assert_eq!(found.iter().collect::<std::collections::HashSet<_>>().len(), found.len());
        assert_eq!(found[0], best);
    }
}

#[test]
fn conditions_hold_for_what_a_link_brings() {
    let (_folder, engine) = fresh();
    let [.., neighbour] = linked(&engine);
    let ask = |filter| ids(&engine, &Recall { filter, ..Recall::new(QUERY) });
    let only = |kind| Filter { kinds: vec![kind], ..Filter::default() };
    assert!(ask(only(Kind::Fact)).contains(&neighbour));
    let revise = Revise { kind: Some(Kind::Preference), ..Revise::default() };
    engine.revise(&Scope::All, neighbour, revise).unwrap();
    assert!(!ask(only(Kind::Fact)).contains(&neighbour));
    assert!(!ask(Filter { tags: vec!["cake".into()], ..Filter::default() }).contains(&neighbour));
}

type Hide = fn(&Perihelion, MemoryId);

#[test]
fn what_may_not_be_seen_is_not_brought_by_a_link() {
    let now = time("2026-03-01T00:00:00Z");
    let hidden: [(&str, Hide); 4] = [
        ("superseded", |engine, id| {
            let newer = keep(engine, "Apple cake needs nutmeg and no cinnamon");
            let revise = Revise { superseded_by: Some(Some(newer)), ..Revise::default() };
            engine.revise(&Scope::All, id, revise).unwrap();
        }),
        ("expired", |engine, id| {
            let expires_at = Some(Some(time("2026-02-01T00:00:00Z")));
            engine.revise(&Scope::All, id, Revise { expires_at, ..Revise::default() }).unwrap();
        }),
        ("no longer true", |engine, id| {
            let valid_until = Some(Some(time("2026-02-01T00:00:00Z")));
            engine.revise(&Scope::All, id, Revise { valid_until, ..Revise::default() }).unwrap();
        }),
        ("trashed", |engine, id| drop(engine.forget(&Scope::All, id).unwrap())),
    ];
    for (how, hide) in hidden {
        let folder = tempfile::tempdir().unwrap();
        let clock = Clock::manual(now);
        let engine = Perihelion::open(Options { clock, ..options(folder.path()) }).unwrap();
        let [.., neighbour] = linked(&engine);
        assert!(ids(&engine, &Recall::new(QUERY)).contains(&neighbour));
        hide(&engine, neighbour);
        assert!(!ids(&engine, &Recall::new(QUERY)).contains(&neighbour), "{how}");
    }
}

#[test]
fn links_of_another_namespace_bring_nothing() {
    let (_folder, engine) = fresh();
    let [best, _, neighbour] = linked(&engine);
    let copy = |id, text| Remember { id: Some(id), ..Remember::new(text).in_namespace(ns("copy")) };
    for (id, text) in [(best, BEST), (neighbour, NEIGHBOUR)] {
        engine.remember(copy(id, text)).unwrap();
    }
    let found = engine.recall(&Recall::new(QUERY).in_scope(Scope::Exact(ns("copy")))).unwrap();
    assert_eq!(contents(&found), [BEST], "the same ids are not linked there");
}

#[test]
fn recalls_change_neither_zones_nor_importance_nor_edges() {
    let (_folder, engine) = fresh();
    let all = linked(&engine);
    let picture = || {
        all.map(|id| {
            let memory = engine.get(&Scope::All, id).unwrap();
            (
                memory.zone,
                memory.importance,
                memory.version,
                memory.change,
                engine.edges(&Scope::All, id).unwrap(),
            )
        })
    };
    let before = picture();
    let first = ask(&engine, QUERY);
    for _ in 0..20 {
        let again = ask(&engine, QUERY);
        assert_eq!(again, first, "nothing adds up");
    }
    assert_eq!(picture(), before);
    engine.maintain().unwrap();
    let usage = |id| engine.usage(&Namespace::default(), id).unwrap().map(|(recalls, _)| recalls);
    // Two of them were found once more, before the link was drawn.
    assert_eq!(all.map(usage), [Some(22), Some(22), Some(21)], "what a link brought counts like the rest");
}

#[test]
fn an_empty_graph_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let graph = GraphSettings { auto_link: false, ..GraphSettings::default() };
    let engine = Perihelion::open(Options { graph, ..options(folder.path()) }).unwrap();
    for i in 0..30 {
        keep(&engine, &format!("lighthouse{i}x number {i} stands at harbour{}y", i * 3));
    }
    keep(&engine, BEST);
    assert_eq!(engine.health().edges, 0);
    for query in [QUERY, "lighthouse7x", "where is number 12?", "harbour9y"] {
        assert_eq!(engine.recall(&Recall::new(query)).unwrap(), engine.recall(&plain(query)).unwrap());
    }
}

#[test]
fn links_work_without_an_embedding_engine() {
    let folder = tempfile::tempdir().unwrap();
    let off = Options { engine: EngineChoice::Off, ..options(folder.path()) };
    let engine = Perihelion::open(off).unwrap();
    let [best, _, neighbour] = linked(&engine);
    let found = ids(&engine, &Recall::new(QUERY));
    assert_eq!(found[0], best);
    assert!(found.contains(&neighbour));
}

#[test]
fn a_light_link_brings_nothing_that_does_not_bear_on_the_question() {
    let (_folder, engine) = fresh();
    let [best, neighbour] = [BEST, NEIGHBOUR].map(|text| keep(&engine, text));
    assert!(engine.link(&Scope::All, &NewEdge { weight: 0.5, ..drawn(best, neighbour) }).unwrap());
    assert_eq!(ids(&engine, &Recall::new(QUERY)), [best]);
}

#[test]
fn what_is_two_links_away_from_the_best_match_never_joins() {
    let (_folder, engine) = fresh();
    let [_, _, neighbour] = linked(&engine);
    let further = keep(&engine, "축구 경기는 일요일이다");
    link(&engine, neighbour, further);
    let found = ids(&engine, &Recall::new(QUERY).limit(50));
    assert!(found.contains(&neighbour) && !found.contains(&further), "{found:?}");
}

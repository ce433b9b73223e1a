//! Calls that read before they write: while the store is away they wait as a whole, and are decided when it is back.

use jiff::SignedDuration;
use peri_store::{Store, StoreError, Write};
use perihelion::{
    AddObservations, Chores, DeleteObservations, EdgeType, Entity, Error, ErrorKind, Feedback, JournalStatus,
    KnowledgeGraph, Layer, ListQuery, Memory, MemoryId, Namespace, NewEdge, NewTurn, Options, Outcome,
    Perihelion, Relation, Remember, Revise, Scope, SetWork, Trashed, TurnUpdate,
};
use serde_json::json;

use super::{World, queue_one, unreachable};
use crate::support::{keep, kind_of};

pub fn edge(source: MemoryId, target: MemoryId) -> NewEdge {
    NewEdge { source, target, edge_type: EdgeType::RelatedTo, weight: 0.5 }
}

pub fn entity(name: &str, observations: &[&str]) -> Entity {
    let observations = observations.iter().map(|&text| text.to_owned()).collect();
    Entity { name: name.to_owned(), entity_type: "person".to_owned(), observations }
}

pub fn relation(from: &str, to: &str) -> Relation {
    Relation { from: from.to_owned(), to: to.to_owned(), relation_type: "knows".to_owned() }
}

/// A call waits: it is neither made nor refused.
#[track_caller]
pub fn queued<T: std::fmt::Debug>(outcome: Result<T, Error>) {
    assert!(matches!(outcome, Err(Error::Queued)), "{outcome:?}");
}

fn here() -> Namespace {
    Namespace::default()
}

fn ends(engine: &Perihelion, id: MemoryId) -> Vec<MemoryId> {
    engine
        .edges(&Scope::All, id)
        .unwrap()
        .into_iter()
        .map(|edge| edge.target)
        .filter(|end| *end != id)
        .collect()
}

fn feedback(used: MemoryId) -> Feedback {
    Feedback { query: "두루미".into(), used: vec![used], ..Feedback::default() }
}

/// What there was before the store went away.
struct Before {
    heron: MemoryId,
    stork: MemoryId,
    linked: MemoryId,
    episode: MemoryId,
    turn: perihelion::TurnId,
}

fn begin(world: &World) -> Before {
    let engine = &world.engine;
    let [heron, stork, linked] = ["a heron by the lake", "a stork on the roof", "a crane in the reeds"]
        .map(|content| keep(engine, content));
    engine.link(&Scope::All, &edge(heron, linked)).unwrap();
    let episode = Remember { layer: Some(Layer::Episodic), ..Remember::new("李娜到了") };
    let episode = engine.remember(episode).unwrap().id;
    engine.start_session(&here(), "standup").unwrap();
    engine.remember(Remember::new("The release is on Friday").said("standup", "Ana")).unwrap();
    let graph =
        vec![entity("Ana", &["drinks tea", "lives in Bonn"]), entity("Ben", &[]), entity("Cleo", &[])];
    engine.create_entities(&here(), graph).unwrap();
    engine.create_relations(&here(), vec![relation("Ben", "Cleo")]).unwrap();
    let turn = engine.begin_turn(NewTurn::default()).unwrap().turn.id;
    engine.feedback(&here(), &feedback(heron)).unwrap();
    let value = json!({"recall": 0.2, "freshness": 0.3, "importance": 0.3, "context": 0.2});
    let (namespace, reason, at) = (here(), "by hand".to_owned(), world.clock.now());
    world.store.write(vec![Write::SetWeights { namespace, value, reason, at }]).unwrap();
    Before { heron, stork, linked, episode, turn }
}

/// Makes every call that reads first; each of them waits.
fn call_all(engine: &Perihelion, before: &Before) {
    let (all, ns) = (&Scope::All, &here());
    queued(engine.link(all, &edge(before.heron, before.stork)));
    queued(engine.unlink(all, before.heron, before.linked, None));
    queued(engine.promote(all, &[before.episode], None));
    queued(engine.feedback(ns, &feedback(before.stork)));
    queued(engine.feedback_within(all, &feedback(before.heron)));
    queued(engine.rollback_weights(ns, 0));
    queued(engine.end_session(ns, "standup"));
    let data = Some(Some(json!({"concept": "두루미", "definition": "큰 새"})));
    queued(engine.revise(all, before.stork, Revise { data, ..Revise::default() }));
    queued(engine.create_entities(ns, vec![entity("지수", &["제주도에 산다"])]));
    queued(engine.create_relations(ns, vec![relation("Ana", "지수")]));
    let contents = vec!["喜欢喝茶".to_owned()];
    queued(engine.add_observations(ns, vec![AddObservations { entity_name: "지수".into(), contents }]));
    queued(engine.delete_relations(ns, vec![relation("Ben", "Cleo")]));
    let observations = vec!["lives in Bonn".to_owned()];
    queued(
        engine.delete_observations(ns, vec![DeleteObservations { entity_name: "Ana".into(), observations }]),
    );
    queued(engine.delete_entities(ns, vec!["Ben".to_owned()]));
    let graph = KnowledgeGraph { entities: vec![entity("Dan", &["walks"])], relations: Vec::new() };
    queued(engine.add_knowledge(ns, graph));
}

/// Checks that each call was made, once.
fn check_all(engine: &Perihelion, before: &Before) {
    let (all, ns) = (&Scope::All, &here());
    assert_eq!(ends(engine, before.heron), [before.stork]);
    let episode = engine.get(all, before.episode).unwrap();
    let promoted = engine.get(all, episode.facets.superseded_by.unwrap()).unwrap();
    assert_eq!((promoted.content.as_str(), promoted.layer), ("李娜到了", Layer::LongTerm));
    assert_eq!(engine.weights(ns).unwrap().last().unwrap().reason, "rolled back to 0");
    assert_eq!(engine.weights(ns).unwrap().len(), 3);
    let session = engine.session(ns, "standup").unwrap();
    assert!(session.ended_at.is_some());
    assert_eq!(summaries(engine).len(), 1);
    assert_eq!(session.summary, Some(summaries(engine)[0].id));
    assert_eq!(engine.edges(all, session.summary.unwrap()).unwrap().len(), 1);
    let revised = engine.get(all, before.stork).unwrap();
    assert_eq!((revised.version, &revised.facets.data.unwrap()["definition"]), (2, &json!("큰 새")));
    let graph = engine.read_graph(ns).unwrap();
    let expected = [
        entity("Ana", &["drinks tea"]),
        entity("Cleo", &[]),
        entity("지수", &["제주도에 산다", "喜欢喝茶"]),
        entity("Dan", &["walks"]),
    ];
    assert_eq!((graph.entities, graph.relations), (expected.to_vec(), vec![relation("Ana", "지수")]));
}

fn summaries(engine: &Perihelion) -> Vec<Memory> {
    let query = ListQuery { limit: 100, ..ListQuery::default() };
    let memories = engine.list(query).unwrap().memories;
    memories.into_iter().filter(|memory| memory.content.starts_with("Session standup")).collect()
}

#[test]
fn every_call_that_reads_first_waits_while_the_store_is_away_and_is_made_once_when_it_is_back() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(folder.path());
    let before = begin(&world);
    world.cut_off();
    call_all(&world.engine, &before);
    let operations: Vec<_> =
        world.engine.queued(50).unwrap().into_iter().map(|call| call.operation).collect();
    let expected = [
        "link",
        "unlink",
        "promote",
        "feedback",
        "feedback",
        "roll back weights",
        "end session",
        "revise",
        "create entities",
        "create relations",
        "add observations",
        "delete relations",
        "delete observations",
        "delete entities",
        "add knowledge",
    ];
    assert_eq!(operations, expected);
    assert!(world.engine.queued(50).unwrap().iter().all(|call| call.changes == 1));
    world.come_back();
    assert_eq!((world.depth(), world.engine.dead_calls(10).unwrap()), (0, Vec::new()));
    check_all(&world.engine, &before);
    assert_eq!(world.store.inner.feedback(&here(), 10).unwrap().len(), 3);
}

#[test]
fn a_replay_whose_commits_all_break_off_makes_each_call_once() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(folder.path());
    let before = begin(&world);
    world.cut_off();
    call_all(&world.engine, &before);
    world.store.mend();
    world.store.break_off();
    for _ in 0..60 {
        world.clock.advance(SignedDuration::from_secs(61));
        world.do_chores();
    }
    world.come_back();
    assert_eq!((world.depth(), world.engine.dead_calls(10).unwrap()), (0, Vec::new()));
    check_all(&world.engine, &before);
    assert_eq!(world.store.inner.feedback(&here(), 10).unwrap().len(), 3);
}

#[test]
fn a_call_whose_own_commit_broke_off_is_made_once() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(folder.path());
    let before = begin(&world);
    world.store.break_off();
    call_all(&world.engine, &before);
    world.come_back();
    assert_eq!((world.depth(), world.engine.dead_calls(10).unwrap()), (0, Vec::new()));
    check_all(&world.engine, &before);
    assert_eq!(world.store.inner.feedback(&here(), 10).unwrap().len(), 3);
}

#[test]
fn a_call_that_is_stopped_at_any_of_its_reads_or_writes_waits_and_is_made_once() {
    let methods =
        ["get", "sessions", "list", "weights", "usage", "knowledge_revision", "write", "write_once"];
    for method in methods {
        let folder = tempfile::tempdir().unwrap();
        let world = World::new(folder.path());
        let before = begin(&world);
        world.store.break_down(method, unreachable());
        let (all, ns) = (&Scope::All, &here());
        let outcomes = [
            world.engine.link(all, &edge(before.heron, before.stork)).map(drop),
            world.engine.end_session(ns, "standup").map(drop),
            world.engine.feedback(ns, &feedback(before.stork)).map(drop),
            world.engine.add_observations(ns, vec![]).map(drop),
            world.engine.create_entities(ns, vec![entity("지수", &[])]).map(drop),
        ];
        for outcome in outcomes {
            assert!(matches!(outcome, Ok(()) | Err(Error::Queued)), "{method}: {outcome:?}");
        }
        world.come_back();
        assert_eq!((world.depth(), world.engine.dead_calls(10).unwrap()), (0, Vec::new()), "{method}");
        assert!(ends(&world.engine, before.heron).contains(&before.stork), "{method}");
        assert_eq!(summaries(&world.engine).len(), 1, "{method}");
        assert!(world.engine.session(ns, "standup").unwrap().ended_at.is_some(), "{method}");
        assert_eq!(world.store.inner.feedback(ns, 10).unwrap().len(), 2, "{method}");
        assert_eq!(world.engine.read_graph(ns).unwrap().entities.len(), 4, "{method}");
    }
}

#[test]
fn a_link_waits_behind_the_memories_that_it_links() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(folder.path());
    world.cut_off();
    let [from, to] =
        ["지수는 제주도로 이사했다", "李娜喜欢喝茶"].map(|content| queue_one(&world.engine, content));
    let asked_at = world.clock.now();
    queued(world.engine.link(&Scope::All, &edge(from, to)));
    queued(world.engine.forget(&Scope::All, to));
    world.come_back();
    world.engine.restore(&Scope::All, to).unwrap();
    let edges = world.engine.edges(&Scope::All, from).unwrap();
    assert_eq!(
        (edges.len(), edges[0].target, edges[0].created_at),
        (1, to, asked_at),
        "as of when it was asked"
    );
}

#[test]
fn while_something_waits_a_call_waits_behind_it_although_the_store_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(folder.path());
    let full = || StoreError::DiskFull { path: "perihelion.db".into() };
    world.store.break_down("write", full());
    let from = queue_one(&world.engine, "a heron");
    world.store.break_down("write_once", full());
    let to = queue_one(&world.engine, "a stork");
    queued(world.engine.link(&Scope::All, &edge(from, to)));
    assert_eq!(world.engine.look_before_change(&Scope::All, from).unwrap(), None, "nobody can tell yet");
    world.come_back();
    assert_eq!(ends(&world.engine, from), [to]);
    assert_eq!(world.engine.look_before_change(&Scope::All, from).unwrap().unwrap().id, from);
}

#[test]
fn a_call_that_is_refused_when_its_turn_comes_is_a_dead_letter_that_can_be_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(folder.path());
    let from = keep(&world.engine, "a heron");
    let missing = MemoryId::generate(world.clock.now());
    world.cut_off();
    queued(world.engine.link(&Scope::All, &edge(from, missing)));
    queued(world.engine.create_relations(&here(), vec![relation("Ana", "지수")]));
    queue_one(&world.engine, "a stork");
    world.come_back();
    let dead = world.engine.dead_calls(10).unwrap();
    let told: Vec<_> = dead.iter().map(|call| (call.operation.as_str(), call.reason.clone())).collect();
    let reasons = [
        ("link", Error::Store(StoreError::NotFound { id: missing }).to_string()),
        ("create relations", Error::NoEntity { name: "Ana".into() }.to_string()),
    ];
    assert_eq!((told, world.depth()), (reasons.to_vec(), 0));
    assert_eq!(world.contents(Trashed::Without), ["a heron", "a stork"], "nobody is held up");
    world.engine.remember(Remember { id: Some(missing), ..Remember::new("a crane") }).unwrap();
    assert_eq!(world.engine.replay_queue(Some(dead[0].id)).unwrap(), 1);
    assert_eq!(ends(&world.engine, from), [missing]);
    assert_eq!(world.engine.dead_calls(10).unwrap().len(), 1);
}

#[test]
fn bad_input_is_refused_at_once_and_nothing_waits() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(folder.path());
    let id = keep(&world.engine, "a heron");
    world.cut_off();
    let engine = &world.engine;
    let (all, ns) = (&Scope::All, &here());
    let wrong = NewEdge { weight: 7.0, ..edge(id, MemoryId::generate(world.clock.now())) };
    let long = "길다".repeat(200_000);
    let update = TurnUpdate { output_text: Some("\0".into()), ..TurnUpdate::default() };
    let turn = perihelion::TurnId::generate(world.clock.now());
    let add = AddObservations { entity_name: "Ana".into(), contents: vec![long.clone()] };
    let data = Some(Some(json!({"skill": "fly", "steps": []})));
    let procedure = Revise { kind: Some(perihelion::Kind::Procedure), data, ..Revise::default() };
    let kinds = [
        kind_of(engine.link(all, &wrong)),
        kind_of(engine.link(all, &edge(id, id))),
        kind_of(engine.promote(all, &[], None)),
        kind_of(engine.feedback(ns, &Feedback { query: long.clone(), ..feedback(id) })),
        kind_of(engine.end_session(ns, &long)),
        kind_of(engine.create_entities(ns, vec![entity("", &[])])),
        kind_of(engine.create_relations(ns, vec![relation("", "지수")])),
        kind_of(engine.add_observations(ns, vec![add])),
        kind_of(engine.update_turn(all, turn, update)),
        kind_of(engine.revise(all, id, procedure)),
    ];
    assert_eq!(kinds, [Some(ErrorKind::InvalidInput); 10]);
    assert_eq!(world.depth(), 0);
}

#[test]
fn what_waits_on_the_disk_holds_no_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(folder.path());
    let id = keep(&world.engine, "a heron");
    world.cut_off();
    let secret = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
    let told = format!("the token is {secret}");
    let (all, ns, engine) = (&Scope::All, &here(), &world.engine);
    queued(engine.feedback(ns, &Feedback { query: told.clone(), ..feedback(id) }));
    let data = Some(Some(json!({"concept": "login", "definition": told})));
    queued(engine.revise(all, id, Revise { data, ..Revise::default() }));
    let update = TurnUpdate { output_text: Some(told.clone()), ..TurnUpdate::default() };
    queued(engine.update_turn(all, perihelion::TurnId::generate(world.clock.now()), update));
    queued(engine.create_entities(ns, vec![entity("Ana", &[&told])]));
    let mut held = String::new();
    for own in std::fs::read_dir(folder.path().join("queue")).unwrap() {
        for file in std::fs::read_dir(own.unwrap().path()).unwrap() {
            held.push_str(&std::fs::read_to_string(file.unwrap().path()).unwrap());
        }
    }
    assert!(held.contains("the token is") && !held.contains(&secret));
}

#[test]
fn a_turn_that_another_process_began_is_finished_when_the_store_is_back() {
    let folder = tempfile::tempdir().unwrap();
    let turn = begin(&World::new(folder.path())).turn;
    let world = World::new(folder.path());
    world.cut_off();
    let asked_at = world.clock.now();
    let told = |metadata: serde_json::Value| TurnUpdate {
        metadata: metadata.as_object().unwrap().clone(),
        ..TurnUpdate::default()
    };
    queued(world.engine.update_turn(&Scope::All, turn, told(json!({"first": "첫째"}))));
    queued(world.engine.update_turn(&Scope::All, turn, told(json!({"second": "第二"}))));
    let output_text = Some("끝났다".to_owned());
    queued(world.engine.finish_turn(&Scope::All, turn, TurnUpdate { output_text, ..TurnUpdate::default() }));
    world.come_back();
    let turn = world.engine.turn(&Scope::All, turn).unwrap();
    assert_eq!((turn.status, turn.finished_at), (Some(JournalStatus::Ok), Some(asked_at)));
    assert_eq!(
        (turn.metadata.len(), turn.output_text.as_deref()),
        (2, Some("끝났다")),
        "nothing overwrote it"
    );
}

#[test]
fn a_working_memory_that_ends_during_the_outage_is_promoted_as_it_was_when_that_was_asked() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(folder.path());
    let item = world.engine.work_set(SetWork::new("plan", "the herons nest by the lake")).unwrap().item;
    world.cut_off();
    queued(world.engine.promote(&Scope::All, &[item.id], Some(Layer::LongTerm)));
    world.clock.advance(SignedDuration::from_hours(24 * 7));
    world.come_back();
    assert_eq!(world.engine.dead_calls(10).unwrap(), Vec::new());
    assert_eq!(world.contents(Trashed::Without), ["the herons nest by the lake"]);
}

#[test]
fn a_condition_is_looked_at_when_the_call_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(folder.path());
    let ids = ["a heron", "a stork", "a crane"].map(|content| keep(&world.engine, content));
    let seen = ids.map(|id| {
        let memory = world.engine.get(&Scope::All, id).unwrap();
        perihelion::Seen { version: memory.version, change: memory.change }
    });
    let content = |text: &str| Revise { content: Some(text.to_owned()), ..Revise::default() };
    world.cut_off();
    queued(world.engine.revise_as_seen(&Scope::All, ids[0], content("a grey heron"), &seen[..1]));
    queued(world.engine.revise_as_seen(&Scope::All, ids[0], content("a white heron"), &seen[..1]));
    queued(world.engine.forget_as_seen(&Scope::All, ids[1], &seen[1..2]));
    queued(world.engine.forget_as_seen(&Scope::All, ids[2], &seen[..2]));
    world.come_back();
    assert_eq!(world.contents(Trashed::Without), ["a grey heron", "a crane"]);
    assert_eq!(world.contents(Trashed::Only), ["a stork"]);
    let reasons: Vec<_> = world.engine.dead_calls(10).unwrap().into_iter().map(|call| call.reason).collect();
    assert_eq!(reasons, [0, 2].map(|at| Error::Changed { id: ids[at] }.to_string()));
    assert_eq!(Error::Changed { id: ids[0] }.kind(), ErrorKind::Conflict);
}

#[test]
fn results_of_two_namespaces_are_no_feedback_even_if_that_is_found_out_later() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(folder.path());
    let one = keep(&world.engine, "a heron");
    let elsewhere = Remember::new("a stork").in_namespace("team/지수".parse().unwrap());
    let other = world.engine.remember(elsewhere).unwrap().id;
    let both = Feedback { unused: vec![other], ..feedback(one) };
    assert_eq!(kind_of(world.engine.feedback_within(&Scope::All, &both)), Some(ErrorKind::InvalidInput));
    world.cut_off();
    queued(world.engine.feedback_within(&Scope::All, &both));
    world.come_back();
    assert_eq!(
        world.engine.dead_calls(10).unwrap()[0].reason,
        "the results are of two namespaces, default and team/지수"
    );
}

#[test]
fn without_a_queue_calls_that_read_first_fail_as_before() {
    let folder = tempfile::tempdir().unwrap();
    let queue = crate::support::options(folder.path()).queue;
    let world = World::with(folder.path(), |own| Options { queue, ..own });
    let before = begin(&world);
    world.cut_off();
    let unavailable = Some(ErrorKind::Unavailable);
    assert_eq!(kind_of(world.engine.link(&Scope::All, &edge(before.heron, before.stork))), unavailable);
    assert_eq!(kind_of(world.engine.end_session(&here(), "standup")), unavailable);
    assert_eq!(kind_of(world.engine.look_before_change(&Scope::All, before.heron)), unavailable);
    assert!(!folder.path().join("queue").exists());
}

#[test]
fn the_thread_of_a_program_that_stays_makes_them_without_anybody_calling() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::with(folder.path(), |own| Options {
        chores: Chores::Background,
        clock: perihelion::Clock::system(),
        queue: super::thread::eager(),
        ..own
    });
    let before = begin(&world);
    world.cut_off();
    call_all(&world.engine, &before);
    assert_eq!(world.depth(), 15);
    world.store.mend();
    super::thread::until(|| world.depth() == 0);
    assert_eq!(world.engine.dead_calls(10).unwrap(), Vec::new());
    super::thread::until(|| {
        world.engine.remember(Remember::new("and life goes on")).unwrap().outcome != Outcome::Queued
    });
    check_all(&world.engine, &before);
    world.engine.close().unwrap();
}

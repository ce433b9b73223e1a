//! What the verbs of an engine answer, in three languages.

use std::io::BufReader;

use jiff::SignedDuration;
use perihelion::{
    Deletion, EdgeType, Entity, Facets, Feedback, FeedbackReceipt, ImportOptions, Importance, Kind,
    KnowledgeGraph, ListQuery, LogQuery, Meaning, MemoryId, Namespace, NewEdge, NewKey, Outcome,
    PageRankSettings, Perihelion, Recall, Recalled, Receipt, Relation, Remember, Revise, Role, Scope, Stage,
    Trashed, Walk,
};
use serde_json::json;

use super::{check, check_all};
use crate::supersession::clocked;
use crate::support::{fresh, keep, ns, scope, time};

fn home() -> Namespace {
    Namespace::default()
}

/// Remembers, and looks at the receipt and at the memory.
fn tell(engine: &Perihelion, request: Remember) -> Receipt {
    let receipt = engine.remember(request).unwrap();
    check(&receipt);
    check(&engine.get(&Scope::All, receipt.id).unwrap());
    receipt
}

fn say(engine: &Perihelion, content: &str) -> Receipt {
    tell(engine, Remember::new(content))
}

/// A statement with everything that can be said about one.
fn whole() -> Remember {
    let mut request =
        Remember::new("每周一上午九点开会，地点是三楼会议室").said("晨会", "李雷").tags(["会议"]);
    request.importance = Importance::new(0.7).ok();
    request.facets = Facets {
        aliases: vec!["周会".into()],
        source: Some("calendar".into()),
        occurred_at: Some(time("2025-12-01T09:00:00Z")),
        expires_at: Some(time("2027-01-01T00:00:00.5Z")),
        valid_from: Some(time("2025-12-01T00:00:00Z")),
        valid_until: Some(time("2026-12-01T00:00:00Z")),
        pinned: true,
        metadata: serde_json::Map::from_iter([("room".to_owned(), json!({"floor": 3, "tags": [null, 0.1]}))]),
        ..request.facets
    };
    request.in_namespace(ns("팀/김민수"))
}

#[test]
fn what_becomes_of_a_statement_is_what_its_schema_says() {
    let (_folder, engine) = fresh();
    assert_eq!(say(&engine, "Ana prefers tea over coffee.").meaning, Meaning::Embedded);
    assert_eq!(say(&engine, "민수는 서울에 산다.").meaning, Meaning::WordsOnly);
    assert_eq!(say(&engine, "Ana prefers tea over coffee.").outcome, Outcome::Merged);
    assert!(say(&engine, "Ana prefers tea to coffee").absorbed.is_some());
    assert_eq!(say(&engine, "민수는 부산으로 이사했다.").superseded.len(), 1);
    say(&engine, "The cache is enabled.");
    assert_eq!(say(&engine, "The cache is not enabled.").contradicts.len(), 1);
    let token = ["ghp_", "Qm7Xk2Vd9Rt4", "Yb6Nw3Hs8Pz5", "Lc1Jf0Ga7Te2"].concat();
    assert_eq!(say(&engine, &format!("The deploy token is {token}")).redacted.len(), 1);
    let id = tell(&engine, whole()).id;
    let revise = Revise {
        content: Some(format!("会议的口令是 {token}")),
        expires_at: Some(None),
        ..Revise::default()
    };
    let revised = engine.revise(&Scope::All, id, revise).unwrap();
    assert!(!revised.redacted.is_empty());
    check(&revised);
    check(&engine.revise(&Scope::All, id, Revise::default()).unwrap());
    check(&engine.forget(&Scope::All, id).unwrap());
    check(&engine.list(ListQuery { trashed: Trashed::Only, ..ListQuery::default() }).unwrap());
    check(&engine.restore(&Scope::All, id).unwrap());
}

#[test]
fn what_became_of_a_memory_is_what_its_schema_says() {
    let (_folder, engine, clock) = clocked();
    let kept = tell(&engine, Remember::new("发布定在3月3日。").tags(["发布"])).id;
    let mut again = Remember::new("发布定在3月3号").tags(["计划"]);
    (again.importance, again.facets.pinned) = (Importance::new(0.9).ok(), true);
    again.facets.aliases = vec!["上线".into()];
    let absorbed = tell(&engine, again).absorbed.unwrap();
    let merged = engine.history(&Scope::All, kept).unwrap();
    assert!(merged.merges[0].gained.importance_before.is_some(), "{merged:?}");
    check(&merged);
    check(&merged.merges[0]);
    check(&engine.split(&Scope::All, absorbed).unwrap());
    let [first, second] = ["Ana lives in Berlin", "Ana now lives in Lisbon"].map(|content| {
        clock.advance(SignedDuration::from_hours(24));
        keep(&engine, content)
    });
    let content = Some("Ana lives in Berlin, in the north".to_owned());
    engine.revise(&Scope::All, first, Revise { content, ..Revise::default() }).unwrap();
    let [old, new] = [first, second].map(|id| engine.history(&Scope::All, id).unwrap());
    assert_eq!((old.versions.len(), old.replaced_by.len(), new.replaces.len()), (1, 1, 1));
    check(&old);
    check(&old.versions[0]);
    check(&new);
}

#[test]
fn what_is_recalled_is_what_its_schema_says() {
    let (_folder, engine) = fresh();
    for content in ["Ana prefers tea over coffee", "민수는 부산에서 녹차를 마신다", "李雷喜欢喝绿茶"]
    {
        keep(&engine, content);
    }
    tell(&engine, whole());
    for query in ["what does Ana like to drink?", "민수는 무엇을 마시나?", "李雷喜欢喝什么", "周会"]
    {
        let recalled = engine.recall(&Recall::new(query).in_scope(Scope::All)).unwrap();
        assert!(!recalled.hits.is_empty(), "{query}");
        check(&recalled);
        check_all(&recalled.hits);
        check(&recalled.hits[0].explanation.parts[0]);
        check(&Recalled { degraded: vec!["meaning did not take part".into()], ..recalled });
    }
    let nothing = engine.recall(&Recall::new("quantum chromodynamics")).unwrap();
    assert!(nothing.hits.is_empty());
    check(&nothing);
    check_all(&engine.weigh(&Recall::new("tea")).unwrap());
    check_all(&engine.features().collect::<Vec<_>>());
    check_all(&Stage::ALL);
    check(&engine.list(ListQuery { limit: 2, ..ListQuery::default() }).unwrap());
    check(&engine.list(ListQuery::default()).unwrap());
}

#[test]
fn how_an_engine_is_is_what_its_schema_says() {
    let (_folder, engine, clock) = clocked();
    check(&engine.health());
    check(&engine.stats(&Scope::All).unwrap());
    tell(&engine, whole());
    keep(&engine, "Ana prefers tea over coffee");
    for _ in 0..40 {
        clock.advance(SignedDuration::from_hours(24));
        engine.recall(&Recall::new("quantum chromodynamics")).unwrap();
    }
    let reorbited = engine.reorbit(&Scope::All).unwrap();
    assert!(reorbited.moved > 0 && !reorbited.namespaces.is_empty(), "{reorbited:?}");
    check(&reorbited);
    engine.maintain().unwrap();
    let health = engine.health();
    check(&health);
    check_all(&health.zones);
    let stats = engine.stats(&Scope::All).unwrap();
    check(&stats);
    check_all(&stats.namespaces);
    check_all(&engine.doctor());
    check(&engine.options().limits);
}

#[test]
fn what_is_connected_is_what_its_schema_says() {
    let (_folder, engine) = fresh();
    let ids =
        ["the heron stood by the lake", "민수는 부산에 산다", "发布定在3月3日", "a key hangs by the door"]
            .map(|content| keep(&engine, content));
    for (pair, edge_type) in
        ids.windows(2).zip([EdgeType::RelatedTo, EdgeType::DerivedFrom, EdgeType::Sequence])
    {
        let edge = NewEdge { source: pair[0], target: pair[1], edge_type, weight: 0.7 };
        assert!(engine.link(&Scope::All, &edge).unwrap());
    }
    let edges = engine.edges(&Scope::All, ids[1]).unwrap();
    check_all(&edges);
    let steps = engine.walk(&home(), &Walk { depth_max: 3, ..Walk::from(&ids[..1]) }).unwrap();
    check_all(&steps);
    assert!(edges.len() >= 2 && steps.len() == 3, "{edges:?} {steps:?}");
    let path = engine.path(&home(), ids[0], ids[3]).unwrap();
    assert_eq!(path.as_ref().map(|path| path.links.len()), Some(3));
    check(&path);
    check(&engine.path(&home(), ids[0], MemoryId::from_bytes([9; 16])).unwrap());
    check(&engine.pagerank(&home(), &PageRankSettings::default()).unwrap());
    check(&engine.communities(&home()).unwrap());
    check(&engine.communities(&ns("nothing/here")).unwrap());
}

#[test]
fn sessions_and_feedback_are_what_their_schemas_say() {
    let (_folder, engine) = fresh();
    check(&engine.start_session(&home(), "晨会").unwrap());
    let said = tell(&engine, Remember::new("발표는 한 주 미뤄진다").said("晨会", "민수")).id;
    let ended = engine.end_session(&home(), "晨会").unwrap();
    assert!(ended.summary.is_some());
    check(&ended);
    check(&engine.sessions(&Scope::All, 10).unwrap());
    let feedback = Feedback {
        query: "발표는 언제?".into(),
        used: vec![said],
        unused: vec![],
        session: Some("晨会".into()),
    };
    check(&feedback);
    let receipt = engine.feedback(&home(), &feedback).unwrap();
    check(&receipt);
    let weights = engine.weights(&home()).unwrap();
    check(&weights);
    let back = engine.rollback_weights(&home(), 0).unwrap();
    check(&back);
    check(&FeedbackReceipt { weights: Some(back), ..receipt });
}

#[test]
fn what_is_carried_away_is_what_its_schema_says() {
    let (_folder, engine) = fresh();
    tell(&engine, whole());
    keep(&engine, "Ana prefers tea over coffee");
    let mut lines = Vec::new();
    let exported = engine.export(&Scope::All, &mut lines).unwrap();
    assert_eq!(exported.memories, 2);
    check(&exported);
    let (_folder, other) = fresh();
    lines.extend_from_slice(b"not a line\n");
    let imported = other.import(&mut BufReader::new(&lines[..]), ImportOptions::default()).unwrap();
    assert_eq!((imported.added, imported.refused.len()), (2, 1));
    check(&imported);
    check(&other.move_namespace(&ns("팀/김민수"), &ns("archive")).unwrap());
}

#[test]
fn what_is_told_of_all_this_is_what_its_schema_says() {
    let (_folder, engine, clock) = clocked();
    let id = tell(&engine, whole()).id;
    for content in [
        "Ana lives in Berlin",
        "Ana moved to Lisbon",
        "Ana moved to Lisbon",
        "The cache is enabled.",
        "The cache is not enabled.",
    ] {
        keep(&engine, content);
    }
    engine.recall(&Recall::new("周会").in_scope(Scope::All)).unwrap();
    engine.revise(&Scope::All, id, Revise { kind: Some(Kind::Decision), ..Revise::default() }).unwrap();
    engine.forget(&Scope::All, id).unwrap();
    engine.restore(&Scope::All, id).unwrap();
    engine.start_session(&home(), "standup").unwrap();
    engine.end_session(&home(), "standup").unwrap();
    clock.advance(SignedDuration::from_hours(24 * 400));
    engine.maintain().unwrap();
    engine.delete_namespace(&home(), Deletion::Purge).unwrap();
    let log = engine.events(&LogQuery { limit: 1000, ..LogQuery::default() }).unwrap();
    let mut kinds: Vec<_> = log.events.iter().map(|event| event.what.kind()).collect();
    kinds.sort();
    kinds.dedup();
    assert!(kinds.len() >= 12, "{kinds:?}");
    check(&log);
    check_all(&log.events);
}

#[test]
fn keys_are_what_their_schemas_say() {
    let (_folder, engine) = fresh();
    for (role, scope) in
        [(Role::Reader, scope("팀/*")), (Role::Writer, scope("team/agent")), (Role::Admin, Scope::All)]
    {
        let created = engine.create_key(NewKey { name: "배포".into(), role, scope }).unwrap();
        check(&created);
        assert!(engine.authenticate(&created.secret).unwrap().is_some());
        engine.maintain().unwrap();
        check(&engine.keys().unwrap());
        let revoked = engine.revoke_key(created.key.id).unwrap();
        assert!(revoked.revoked_at.is_some());
        check(&revoked);
    }
}

#[test]
fn what_is_known_of_entities_is_what_its_schema_says() {
    let (_folder, engine) = fresh();
    let entity = |name: &str| Entity {
        name: name.to_owned(),
        entity_type: "사람".to_owned(),
        observations: vec!["喜欢喝绿茶".to_owned()],
    };
    let relation = Relation { from: "Ana".into(), to: "민수".into(), relation_type: "knows".into() };
    let known = KnowledgeGraph { entities: vec![entity("Ana"), entity("민수")], relations: vec![relation] };
    check(&engine.add_knowledge(&home(), known).unwrap());
    let graph = engine.read_graph(&home()).unwrap();
    assert_eq!((graph.entities.len(), graph.relations.len()), (2, 1));
    check(&graph);
    check(&engine.delete_entities(&home(), vec!["Ana".into(), "nobody".into()]).unwrap());
}

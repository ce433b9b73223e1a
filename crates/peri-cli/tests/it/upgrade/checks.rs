//! What must hold of a folder that an earlier release wrote.

use peri_vault::{Sync, Vault};
use perihelion::{
    EdgeType, ErrorKind, JournalQuery, ListQuery, Memory, MemoryId, Namespace, Order, PatternList,
    Perihelion, Recall, Scope, TrajectoryQuery, Trashed, Verdict,
};
use serde_json::Value;

use super::fixture::Fixture;

/// What a release may say differently of a memory that is as it was: numbers of its own order and derived places.
const DERIVED: [&str; 6] = ["change", "zone", "space", "score", "arrived_at", "unlinked"];

/// Memories on one side of the trash.
fn listed(engine: &Perihelion, trashed: Trashed) -> Vec<Memory> {
    let query = ListQuery { trashed, order: Order::OldestFirst, limit: 500, ..ListQuery::default() };
    engine.list(query).unwrap().memories
}

/// Every memory, in the trash and out of it, without what is derived.
pub fn everything(engine: &Perihelion) -> Vec<Value> {
    let sides = [Trashed::Without, Trashed::Only].map(|side| listed(engine, side));
    sides.into_iter().flatten().map(|memory| lasting(serde_json::to_value(memory).unwrap())).collect()
}

fn lasting(mut memory: Value) -> Value {
    let fields = memory.as_object_mut().unwrap();
    DERIVED.iter().for_each(|name| drop(fields.remove(*name)));
    memory
}

/// Everything that the release listed is there, field by field, with what belongs to it.
pub fn is_complete(fixture: &Fixture, engine: &Perihelion) {
    for (side, name) in [(Trashed::Without, "memories"), (Trashed::Only, "trash")] {
        let there = listed(engine, side);
        let told = fixture.told[name].as_array().unwrap();
        let found = |id: &str| there.iter().find(|memory| memory.id.to_string() == id);
        for old in told {
            let id = old["id"].as_str().unwrap();
            let memory = found(id).unwrap_or_else(|| panic!("{fixture}: {name} lack {old}"));
            let memory = serde_json::to_value(memory).unwrap();
            for (field, value) in lasting(old.clone()).as_object().unwrap() {
                assert_eq!(&memory[field], value, "{fixture}: {field} of {old}");
            }
        }
        assert_eq!(there.len(), told.len(), "{fixture}: {name}");
    }
    keeps_its_past(fixture, engine);
    keeps_what_belongs_to_it(fixture, engine);
}

fn id(fixture: &Fixture, name: &str) -> MemoryId {
    fixture.told["ids"][name].as_str().unwrap().parse().unwrap()
}

fn keeps_its_past(fixture: &Fixture, engine: &Perihelion) {
    let history = engine.history(&Scope::All, id(fixture, "revised")).unwrap();
    let told = fixture.told["history"]["history"].as_array().unwrap();
    let before: Vec<_> = history.versions.iter().map(|version| version.content.as_str()).collect();
    let expected: Vec<_> = told.iter().map(|version| version["content"].as_str().unwrap()).collect();
    assert_eq!((before.len(), &before), (1, &expected), "{fixture}");
    let replaced = engine.get(&Scope::All, id(fixture, "superseded")).unwrap();
    assert_eq!(replaced.facets.superseded_by, Some(id(fixture, "successor")), "{fixture}");
    let gone = engine.get(&Scope::All, id(fixture, "destroyed"));
    assert_eq!(gone.map_err(|error| error.kind()).err(), Some(ErrorKind::NotFound), "{fixture}");
}

fn keeps_what_belongs_to_it(fixture: &Fixture, engine: &Perihelion) {
    let (format, namespace) = (fixture.format(), Namespace::default());
    if let Some(edge) = fixture.told["edge"].as_array() {
        let [source, target] = [0, 1].map(|end| edge[end].as_str().unwrap().parse::<MemoryId>().unwrap());
        let edges = engine.edges(&Scope::All, source).unwrap();
        let drawn = edges.iter().find(|edge| edge.target == target && edge.edge_type == EdgeType::Sequence);
        assert!(drawn.is_some(), "{fixture}: {edges:?}");
        let sessions = engine.sessions(&Scope::All, 99).unwrap();
        let planning = sessions.iter().find(|session| session.name == "planning");
        assert!(planning.is_some_and(|session| session.ended_at.is_some()), "{fixture}: {sessions:?}");
    }
    if format >= 6 {
        let held = engine.work_get(&namespace, Some("today"), "plan").unwrap().unwrap();
        assert_eq!(held.value, "먼저 옮기고 나서 배포한다", "{fixture}");
    }
    if format >= 7 {
        let entries = engine.journal(&JournalQuery::default()).unwrap().entries;
        assert!(entries.iter().any(|entry| entry.text.contains("部署已经完成")), "{fixture}: {entries:?}");
    }
    if format >= 8 {
        let notes = engine.session_notes(&namespace, "chat").unwrap().unwrap().notes;
        assert!(notes.iter().any(|note| note.text.contains("Friday")), "{fixture}: {notes:?}");
    }
    if format >= 9 {
        let patterns = engine.patterns(&PatternList { scope: Scope::All, ..PatternList::default() }).unwrap();
        assert!(patterns.iter().any(|pattern| pattern.strategy.contains("실패한 테스트")), "{fixture}");
        let tasks = engine.trajectories(&TrajectoryQuery::default()).unwrap().trajectories;
        assert_eq!(tasks.len(), 1, "{fixture}");
    }
}

/// The vault's document is known, and bringing it into step changes nothing.
pub fn knows_its_vault(fixture: &Fixture, engine: &Perihelion) {
    let vault = Vault::new(fixture.home().join("vault"), Namespace::default());
    let Sync::Done(done) = vault.sync(engine).unwrap() else {
        panic!("{fixture}: the vault was not brought into step")
    };
    let touched =
        [&done.added, &done.changed, &done.deleted, &done.rewritten, &done.discarded, &done.restored];
    assert_eq!(
        (done.documents, touched.map(|keys| keys.len()), done.rebuilt),
        (1, [0; 6], None),
        "{fixture}"
    );
}

/// What is answered to the fixed questions.
pub fn answers(fixture: &Fixture, engine: &Perihelion) -> Vec<Vec<String>> {
    let asked = fixture.told["asked"].as_array().unwrap();
    let answer = |asked: &Value| {
        let scope: Scope = asked["namespace"].as_str().unwrap().parse().unwrap();
        let recalled = engine.recall(&Recall::new(asked["query"].as_str().unwrap()).in_scope(scope)).unwrap();
        assert_eq!(recalled.degraded, [] as [String; 0], "{fixture}");
        recalled.hits.into_iter().map(|hit| hit.memory.content).collect()
    };
    asked.iter().map(answer).collect()
}

/// Each question finds its memory first, as the release that wrote the folder did.
pub fn finds_every_gold(fixture: &Fixture, engine: &Perihelion) {
    let asked = fixture.told["asked"].as_array().unwrap();
    for (asked, answers) in asked.iter().zip(answers(fixture, engine)) {
        assert_eq!(asked["answers"][0], asked["gold"], "{fixture}: {asked}");
        assert_eq!(
            Some(asked["gold"].as_str().unwrap()),
            answers.first().map(String::as_str),
            "{fixture}: {asked}"
        );
    }
}

/// The doctor finds nothing, keys let in whom they let in, and what is told now is found.
pub fn is_sound(fixture: &Fixture, engine: &Perihelion) {
    let keys = engine.keys().unwrap();
    let made = fixture.told["key"].as_str();
    assert_eq!(keys.iter().map(|key| key.id.as_str()).collect::<Vec<_>>(), Vec::from_iter(made), "{fixture}");
    engine.maintain().unwrap();
    for check in engine.doctor() {
        assert_eq!(check.verdict, Verdict::Ok, "{fixture}: {check:?}");
    }
    let content = "그리고 여기서부터 계속된다";
    engine.remember(perihelion::Remember::new(content)).unwrap();
    let hits = engine.recall(&Recall::new("여기서부터 계속된다")).unwrap().hits;
    assert_eq!(hits.first().map(|hit| hit.memory.content.as_str()), Some(content), "{fixture}");
}

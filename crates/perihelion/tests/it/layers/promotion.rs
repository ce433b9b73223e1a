//! What moves on to the next layer, where it came from, and how that is undone.

use perihelion::{
    EdgeType, ErrorKind, Event, EventKind, Happening, ImportOptions, Importance, Layer, Memory, MemoryId,
    Namespace, Recall, Remember, Scope, SetWork, Trashed, Zone,
};

use super::Bench;
use crate::support::{all, kind_of};

fn work(bench: &Bench, key: &str, value: &str, importance: f64) -> MemoryId {
    let mut request = SetWork::new(key, value).in_session("today");
    request.importance = Some(Importance::new(importance).unwrap());
    bench.engine.work_set(request).unwrap().item.id
}

fn only(bench: &Bench) -> Memory {
    let mut found = all(&bench.engine, Trashed::Without);
    assert_eq!(found.len(), 1, "{found:?}");
    found.pop().unwrap()
}

fn sources(bench: &Bench, id: MemoryId) -> Vec<MemoryId> {
    let edges = bench.engine.edges(&Scope::All, id).unwrap();
    let derived = edges.iter().filter(|edge| edge.edge_type == EdgeType::DerivedFrom && edge.source == id);
    derived.map(|edge| edge.target).collect()
}

#[test]
fn what_expires_from_working_memory_and_matters_becomes_an_episode_and_later_is_known() {
    let bench = Bench::usual();
    let source = work(&bench, "decision", "We decided to keep PostgreSQL", 0.9);
    work(&bench, "scratch", "line 42 looks odd", 0.2);
    bench.pass(900);
    let swept = bench.engine.sweep().unwrap();
    assert_eq!((swept.expired, swept.promoted), (1, 1));
    let episode = only(&bench);
    assert_eq!((episode.layer, episode.facets.promoted_from), (Layer::Episodic, Some(Layer::Working)));
    assert_eq!(
        (episode.content.as_str(), episode.facets.key.as_deref()),
        ("We decided to keep PostgreSQL", None)
    );
    assert_eq!(episode.facets.expires_at, None);
    assert_eq!(sources(&bench, episode.id), [source]);
    assert_eq!(bench.engine.recall(&Recall::new("which database do we keep?")).unwrap().hits.len(), 1);

    bench.pass_days(30);
    assert_eq!(bench.engine.sweep().unwrap().promoted, 1);
    let known = only(&bench);
    assert_eq!((known.layer, known.facets.promoted_from), (Layer::LongTerm, Some(Layer::Episodic)));
    assert_eq!(known.created_at, episode.created_at, "it was said when it was said");
    assert_eq!(sources(&bench, known.id), [episode.id]);
    let told = bench.events(&[EventKind::LayerPromoted]);
    let moves: Vec<_> = told
        .iter()
        .filter_map(|Event { what, .. }| match what {
            Happening::LayerPromoted { from, to, sources, .. } => Some((*from, *to, sources.clone())),
            _ => None,
        })
        .collect();
    let expected = [
        (Layer::Working, Layer::Episodic, vec![source]),
        (Layer::Episodic, Layer::LongTerm, vec![episode.id]),
    ];
    assert_eq!(moves, expected);
    let hits = bench.engine.recall(&Recall::new("which database do we keep?")).unwrap().hits;
    assert_eq!(hits.iter().map(|hit| hit.memory.id).collect::<Vec<_>>(), [known.id], "once, not three times");
}

#[test]
fn what_was_used_often_matters_too() {
    let bench = Bench::usual();
    work(&bench, "branch", "we work on branch comet", 0.2);
    for _ in 0..3 {
        bench.engine.work_get(&Namespace::default(), Some("today"), "branch").unwrap().unwrap();
    }
    bench.pass(900);
    assert_eq!(bench.engine.sweep().unwrap().promoted, 1);
    let episode = only(&bench);
    bench.engine.sweep().unwrap();
    let (recalls, _) = bench.engine.usage(&episode.namespace, episode.id).unwrap().unwrap();
    assert_eq!(recalls, 3, "and its use is not forgotten");
}

#[test]
fn a_value_that_leaves_for_want_of_room_is_promoted_if_it_matters() {
    let bench = Bench::usual();
    work(&bench, "important", "the customer's deadline is Friday", 0.9);
    for number in 0..12 {
        bench.pass(1);
        work(&bench, &format!("key {number}"), &format!("value {number}"), 0.1);
    }
    let promoted: Vec<_> = all(&bench.engine, Trashed::Without)
        .into_iter()
        .filter(|memory| memory.layer == Layer::Episodic)
        .map(|memory| memory.content)
        .collect();
    assert_eq!(promoted, ["the customer's deadline is Friday"]);
}

#[test]
fn a_key_whose_value_was_promoted_can_be_set_again() {
    let bench = Bench::usual();
    work(&bench, "decision", "We keep PostgreSQL", 0.9);
    bench.pass(900);
    bench.engine.sweep().unwrap();
    work(&bench, "decision", "We move to SQLite", 0.9);
    let item = bench.engine.work_get(&Namespace::default(), Some("today"), "decision").unwrap().unwrap();
    assert_eq!(item.value, "We move to SQLite");
    bench.pass(900);
    bench.engine.sweep().unwrap();
    let mut contents: Vec<_> =
        all(&bench.engine, Trashed::Without).into_iter().map(|memory| memory.content).collect();
    contents.sort();
    assert_eq!(contents, ["We keep PostgreSQL", "We move to SQLite"]);
}

#[test]
fn episodes_that_repeat_each_other_on_several_occasions_become_one_memory() {
    let bench = Bench::usual();
    let mut told = Vec::new();
    for session in ["monday", "tuesday", "wednesday"] {
        let mut request = Remember::new("We deploy the billing service on Fridays").said(session, "Ana");
        request.importance = Some(Importance::new(0.3).unwrap());
        told.push(bench.engine.remember(request).unwrap().id);
    }
    let mut once = Remember::new("My cat sat on the keyboard").said("monday", "Ana");
    once.importance = Some(Importance::new(0.3).unwrap());
    bench.engine.remember(once).unwrap();
    bench.pass_days(30);
    let swept = bench.engine.sweep().unwrap();
    assert_eq!((swept.promoted, swept.outlived), (3, 1));
    let known = only(&bench);
    assert_eq!(
        (known.layer, known.content.as_str()),
        (Layer::LongTerm, "We deploy the billing service on Fridays")
    );
    let mut derived = sources(&bench, known.id);
    derived.sort();
    assert_eq!(derived, told);
}

#[test]
fn saying_the_same_thing_often_on_one_occasion_is_not_repetition() {
    let bench = Bench::usual();
    for number in 0..5 {
        let mut request =
            Remember::new(format!("We deploy the billing service on Fridays{}", "!".repeat(number)))
                .said("monday", "Ana");
        request.importance = Some(Importance::new(0.3).unwrap());
        bench.engine.remember(request).unwrap();
    }
    bench.pass_days(30);
    let swept = bench.engine.sweep().unwrap();
    assert_eq!((swept.promoted, swept.outlived), (0, 5));
}

#[test]
fn a_promotion_is_undone_as_if_it_had_not_been_and_stays_undone() {
    let bench = Bench::usual();
    let source = work(&bench, "decision", "We decided to keep PostgreSQL", 0.9);
    bench.pass(900);
    bench.engine.sweep().unwrap();
    let episode = only(&bench);
    let undone = bench.engine.undo_promotion(&Scope::All, episode.id).unwrap();
    assert_eq!(undone.sources.iter().map(|one| one.id).collect::<Vec<_>>(), [source]);
    let item = bench.engine.work_get(&Namespace::default(), Some("today"), "decision").unwrap().unwrap();
    assert_eq!((item.id, item.value), (source, "We decided to keep PostgreSQL".into()));
    assert_eq!(only(&bench).id, source);
    assert!(bench.engine.get(&Scope::All, episode.id).unwrap().trashed_at.is_some());
    assert!(sources(&bench, episode.id).is_empty());
    assert_eq!(bench.events(&[EventKind::PromotionUndone]).len(), 1);
    assert_eq!(kind_of(bench.engine.undo_promotion(&Scope::All, episode.id)), Some(ErrorKind::Conflict));
    bench.pass(900);
    let swept = bench.engine.sweep().unwrap();
    assert_eq!((swept.promoted, swept.expired), (0, 1), "the engine does not insist");
}

#[test]
fn promotion_by_hand_checks_what_it_is_given_and_changes_nothing_otherwise() {
    let bench = Bench::usual();
    let episode = bench.tell("monday", "The staging server is called Ganymede");
    let fact = bench.engine.remember(Remember::new("Lisbon has seven hills")).unwrap().id;
    let elsewhere = Remember::new("The moon is far").said("x", "Bo").in_namespace("other".parse().unwrap());
    let elsewhere = bench.engine.remember(elsewhere).unwrap().id;
    let before = bench.export();
    for (ids, to, kind) in [
        (vec![], None, ErrorKind::InvalidInput),
        (vec![fact], None, ErrorKind::Conflict),
        (vec![episode, fact], None, ErrorKind::Conflict),
        (vec![episode, elsewhere], None, ErrorKind::Conflict),
        (vec![episode], Some(Layer::Episodic), ErrorKind::Conflict),
        (vec![MemoryId::from_bytes([7; 16])], None, ErrorKind::NotFound),
    ] {
        assert_eq!(kind_of(bench.engine.promote(&Scope::All, &ids, to)), Some(kind), "{ids:?} {to:?}");
    }
    assert_eq!(bench.export(), before);
    let promoted = bench.engine.promote(&Scope::All, &[episode], None).unwrap();
    assert_eq!((promoted.memory.layer, promoted.sources), (Layer::LongTerm, vec![episode]));
    assert_eq!(kind_of(bench.engine.promote(&Scope::All, &[episode], None)), Some(ErrorKind::Conflict));
}

#[test]
fn forgetting_what_was_promoted_does_not_bring_its_sources_back() {
    let bench = Bench::usual();
    let source = bench.tell("monday", "The staging server is called Ganymede");
    let promoted = bench.engine.promote(&Scope::All, &[source], None).unwrap().memory.id;
    bench.engine.forget(&Scope::All, promoted).unwrap();
    assert!(all(&bench.engine, Trashed::Without).is_empty());
    assert!(bench.engine.recall(&Recall::new("Ganymede")).unwrap().hits.is_empty());
    bench.engine.restore(&Scope::All, promoted).unwrap();
    assert_eq!(only(&bench).id, promoted);
    bench.engine.forget(&Scope::All, promoted).unwrap();
    bench.engine.purge(&Scope::All, promoted).unwrap();
    assert!(all(&bench.engine, Trashed::Only).is_empty(), "destroyed with what it was made from");
    assert!(!bench.export().contains("Ganymede"));
}

#[test]
fn a_statement_that_is_known_already_stands_for_what_is_promoted() {
    let bench = Bench::usual();
    let known = bench.engine.remember(Remember::new("We keep PostgreSQL")).unwrap().id;
    let mut request = SetWork::new("decision", "We keep PostgreSQL");
    request.importance = Some(Importance::new(0.9).unwrap());
    let source = bench.engine.work_set(request).unwrap().item.id;
    bench.pass(900);
    assert_eq!(bench.engine.sweep().unwrap().promoted, 1);
    assert_eq!(only(&bench).id, known);
    assert_eq!(only(&bench).layer, Layer::LongTerm);
    assert_eq!(sources(&bench, known), [source]);
    let undone = bench.engine.undo_promotion(&Scope::All, known).unwrap();
    assert_eq!(undone.sources.len(), 1);
    assert_eq!(all(&bench.engine, Trashed::Without).len(), 2, "what was there before stays");
}

#[test]
fn promoted_memories_and_their_sources_move_between_stores() {
    let bench = Bench::usual();
    work(&bench, "decision", "We decided to keep PostgreSQL", 0.9);
    bench.pass(900);
    bench.engine.sweep().unwrap();
    let source = bench.tell("monday", "The staging server is called Ganymede");
    bench.engine.promote(&Scope::All, &[source], None).unwrap();
    let export = bench.export();
    let other = Bench::usual();
    other.pass_days(3);
    let imported = other.engine.import(&mut export.as_bytes(), ImportOptions::default()).unwrap();
    assert!(imported.refused.is_empty(), "{imported:?}");
    assert_eq!(other.export(), export);
    let episode = all(&other.engine, Trashed::Without)
        .into_iter()
        .find(|memory| memory.facets.promoted_from == Some(Layer::Working))
        .unwrap();
    other.engine.undo_promotion(&Scope::All, episode.id).unwrap();
    let item = other.engine.work_get(&Namespace::default(), Some("today"), "decision").unwrap();
    assert!(item.is_some(), "and can be undone there");
}

#[test]
fn a_promoted_memory_keeps_its_place_in_its_orbit() {
    let bench = Bench::usual();
    let mut request = Remember::new("The staging server is called Ganymede").said("monday", "Ana");
    request.importance = Some(Importance::new(1.0).unwrap());
    let source = bench.engine.remember(request).unwrap().id;
    for _ in 0..30 {
        bench.engine.recall(&Recall::new("what is the staging server called?")).unwrap();
        bench.pass(3600);
    }
    bench.engine.maintain().unwrap();
    let before = bench.engine.get(&Scope::All, source).unwrap().zone;
    let promoted = bench.engine.promote(&Scope::All, &[source], None).unwrap().memory;
    bench.engine.maintain().unwrap();
    let after = bench.engine.get(&Scope::All, promoted.id).unwrap().zone;
    assert!(before < Zone::Outer && after <= before, "{before} then {after}");
}

#[test]
fn a_doctor_finds_nothing_wrong_with_what_was_promoted() {
    let bench = Bench::usual();
    let source = bench.tell("monday", "The staging server is called Ganymede");
    bench.engine.promote(&Scope::All, &[source], None).unwrap();
    for check in bench.engine.doctor() {
        assert_eq!(check.verdict, perihelion::Verdict::Ok, "{check:?}");
    }
    let undone = bench.engine.undo_promotion(&Scope::All, only(&bench).id).unwrap();
    assert_eq!(undone.sources, [bench.engine.get(&Scope::All, source).unwrap()], "as it is told, so it is");
}

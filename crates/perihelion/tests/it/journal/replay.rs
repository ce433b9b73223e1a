use jiff::SignedDuration;
use perihelion::{
    Effect, EngineChoice, ErrorKind, JournalStatus, Kind, Layer, NewEntry, NewTurn, Options, Perihelion,
    Recall, Remember, Replay, Replayed, Scope, Trashed,
};

use super::{said, timed};
use crate::support::{all, kind_of, ns, scope};

fn replay(engine: &Perihelion) -> Replayed {
    engine.replay(&Replay::from(Scope::All)).unwrap()
}

/// The memories of an export, without what is bookkeeping of this store.
fn exported(engine: &Perihelion) -> Vec<String> {
    let mut file = Vec::new();
    engine.export(Scope::All, &mut file).unwrap();
    String::from_utf8(file).unwrap().lines().map(ToOwned::to_owned).collect()
}

fn purge_all(engine: &Perihelion) {
    for memory in all(engine, Trashed::Without) {
        engine.forget(&Scope::All, memory.id).unwrap();
        engine.purge(&Scope::All, memory.id).unwrap();
    }
}

#[test]
fn a_remembered_entry_is_recalled_and_traced_to_its_turn() {
    let folder = tempfile::tempdir().unwrap();
    let engine =
        Perihelion::open(Options { engine: EngineChoice::Bundled, ..timed(folder.path()).0 }).unwrap();
    let turn = engine.begin_turn(NewTurn::default()).unwrap().turn;
    let new = NewEntry { turn: Some(turn.id), ..said("The staging server is called Ganymede").remembered() };
    let appended = engine.append(new).unwrap();
    let hit = engine.recall(&Recall::new("Ganymede")).unwrap().hits.remove(0).memory;
    assert_eq!(Some(hit.id), appended.memory);
    assert_eq!((hit.layer, hit.kind), (Layer::Episodic, Kind::Episode));
    assert_eq!((hit.facets.session.as_deref(), hit.facets.speaker.as_deref()), (Some("아침"), Some("Ana")));
    let other = Remember {
        facets: perihelion::Facets { entry: Some(appended.id), ..Default::default() },
        ..Remember::new("Ganymede is a server")
    };
    let other = engine.remember(other).unwrap().id;

    let traced = engine.trace(&Scope::All, hit.id).unwrap();
    assert_eq!(traced.entry.unwrap().id, appended.id);
    assert_eq!(traced.turn.unwrap().id, turn.id);
    let ids: Vec<_> = traced.memories.iter().map(|memory| memory.id).collect();
    assert!(ids.contains(&hit.id) && ids.contains(&other) && ids.len() == 2, "{ids:?}");
    assert_eq!(engine.trace_entry(&Scope::All, appended.id).unwrap().memories.len(), 2);
    assert_eq!(kind_of(engine.trace_entry(&scope("elsewhere"), appended.id)), Some(ErrorKind::NotFound));

    let plain = engine.remember(Remember::new("plain")).unwrap().id;
    let traced = engine.trace(&Scope::All, plain).unwrap();
    assert!(traced.entry_id.is_none() && traced.memories.is_empty());
}

#[test]
fn where_a_memory_came_from_outlives_revision_and_promotion() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Perihelion::open(timed(folder.path()).0).unwrap();
    let appended = engine.append(said("우리는 화요일에 만난다").remembered()).unwrap();
    let id = appended.memory.unwrap();
    let revise = perihelion::Revise {
        content: Some("우리는 수요일에 만난다".to_owned()),
        ..Default::default()
    };
    let revised = engine.revise(&Scope::All, id, revise).unwrap().memory;
    assert_eq!(revised.facets.entry, Some(appended.id));
    let promoted = engine.promote(&Scope::All, &[id], Some(Layer::LongTerm)).unwrap();
    let found = engine.get(&Scope::All, promoted.memory.id).unwrap();
    assert_eq!(found.facets.entry, Some(appended.id));
}

/// What is exported but up to when orbits are settled, which forgetting may bring forward.
fn contents(engine: &Perihelion) -> Vec<String> {
    let lines = exported(engine).into_iter();
    lines.filter(|line| !line.starts_with(r#"{"record":"namespace""#)).collect()
}

#[test]
fn purged_memories_come_back_as_they_were_and_a_second_replay_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (options, clock) = timed(folder.path());
    let engine = Perihelion::open(options).unwrap();
    for (minute, text) in ["첫 번째 이야기", "第二个故事", "the third story"].into_iter().enumerate()
    {
        let at = clock.now() - SignedDuration::from_hours(24 * 200);
        engine.append(NewEntry { at: Some(at), ..said(text).remembered() }).unwrap();
        engine.append(said(&format!("not remembered {minute}"))).unwrap();
        clock.advance(SignedDuration::from_secs(60));
    }
    let before = contents(&engine);
    purge_all(&engine);
    clock.advance(SignedDuration::from_hours(24 * 50));
    assert_eq!(replay(&engine), Replayed { entries: 3, made: 3, ..Replayed::default() });
    assert_eq!(contents(&engine), before);
    assert_eq!(replay(&engine), Replayed { entries: 3, here: 3, ..Replayed::default() });
    assert_eq!(contents(&engine), before);
    engine.maintain().unwrap();
    assert_eq!(all(&engine, Trashed::Without).len(), 3, "they count as having come now");
}

#[test]
fn what_somebody_forgot_stays_forgotten_and_a_rehearsal_makes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Perihelion::open(timed(folder.path()).0).unwrap();
    let ids: Vec<_> = ["가", "나", "다"]
        .map(|text| engine.append(NewEntry { namespace: ns("team/a"), ..said(text).remembered() }).unwrap())
        .map(|appended| appended.memory.unwrap())
        .to_vec();
    engine.forget(&Scope::All, ids[0]).unwrap();
    engine.forget(&Scope::All, ids[1]).unwrap();
    engine.purge(&Scope::All, ids[1]).unwrap();
    let told = Replayed { entries: 3, made: 1, here: 1, forgotten: 1, ..Replayed::default() };
    let rehearsed = Replay { effect: Effect::Rehearsed, ..Replay::from(Scope::All) };
    assert_eq!(engine.replay(&rehearsed).unwrap(), told);
    assert_eq!(all(&engine, Trashed::Without).len(), 1, "nothing was made");
    for nothing in [
        Replay::from(scope("elsewhere")),
        Replay { session: Some("저녁".to_owned()), ..Replay::from(Scope::All) },
        Replay { until: Some(perihelion::Timestamp::UNIX_EPOCH), ..Replay::from(Scope::All) },
    ] {
        assert_eq!(engine.replay(&nothing).unwrap(), Replayed::default());
    }
    assert_eq!(replay(&engine), told);
    assert_eq!(all(&engine, Trashed::Only)[0].id, ids[0]);
    assert!(all(&engine, Trashed::Without).iter().any(|memory| memory.id == ids[1]));
}

#[test]
fn two_entries_that_say_the_same_at_once_make_one_memory_and_stay_settled() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Perihelion::open(timed(folder.path()).0).unwrap();
    let same = || NewEntry { status: Some(JournalStatus::Ok), ..said("같은 말").remembered() };
    engine.append_all(vec![same(), same()]).unwrap();
    assert_eq!(all(&engine, Trashed::Without).len(), 1);
    let settled = Replayed { entries: 2, here: 2, ..Replayed::default() };
    assert_eq!((replay(&engine), replay(&engine)), (settled, settled));
}

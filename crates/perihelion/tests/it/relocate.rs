//! A whole store moved from place to place: what the engine hands out stays the same, byte for byte.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use jiff::SignedDuration;
use perihelion::{
    Address, Clock, EdgeType, Error, ErrorKind, Facets, Kind, Layer, NewEdge, NewEntry, NewKey, NewTurn,
    Options, Perihelion, Place, Relocation, Remember, Revise, Role, Scope, ServerSettings, SetWork,
    StoreChoice, TurnUpdate,
};
use serde_json::json;

use crate::support::{keep, ns, options, time};

fn clock() -> Clock {
    Clock::manual(time("2026-01-01T01:00:00Z"))
}

fn open(folder: &Path, clock: &Clock) -> Perihelion {
    Perihelion::open(Options { clock: clock.clone(), ..options(folder) }).unwrap()
}

/// Something of everything that the engine keeps.
fn fill(folder: &Path) {
    let clock = Clock::manual(time("2026-01-01T00:00:00Z"));
    let engine = open(folder, &clock);
    let tea = keep(&engine, "Ana prefers tea over coffee.");
    assert!(engine.remember(Remember::new("Ana prefers tea to coffee")).unwrap().absorbed.is_some());
    keep(&engine, "Ana lives in Berlin");
    clock.advance(SignedDuration::from_hours(1));
    let lisbon = keep(&engine, "Ana moved to Lisbon");
    let kiln = keep(&engine, "도자기 가마는 헛간에 있다 🏺");
    let revised = Revise { content: Some("陶窑在棚子里 🏺".to_owned()), ..Revise::default() };
    engine.revise(&Scope::All, kiln, revised).unwrap();
    let forgotten = keep(&engine, "잊을 것");
    engine.forget(&Scope::All, forgotten).unwrap();
    let structured = json!({ "값": "zero\u{0}inside", "n": [0.1, 1e300, -7] });
    let facets = Facets { data: Some(structured), ..Facets::default() };
    let elsewhere = Remember::new("구조가 있는 기억").in_namespace(ns("팀/记忆")).kind(Kind::Decision);
    engine.remember(Remember { facets, ..elsewhere }).unwrap();
    let edge = NewEdge { source: tea, target: lisbon, edge_type: EdgeType::Sequence, weight: 0.3 };
    engine.link(&Scope::All, &edge).unwrap();
    engine.work_set(SetWork::new("다음 일", "설거지").in_session("오늘")).unwrap();
    let episode = Remember { layer: Some(Layer::Episodic), ..Remember::new("We fired the kiln on Sunday") };
    let episode = engine.remember(episode).unwrap().id;
    engine.promote(&Scope::All, &[episode], Some(Layer::LongTerm)).unwrap();
    engine.start_session(&ns("default"), "晨会").unwrap();
    let turn =
        engine.begin_turn(NewTurn { session: Some("아침".to_owned()), ..NewTurn::default() }).unwrap().turn;
    engine.append(NewEntry { turn: Some(turn.id), ..NewEntry::new("안녕 世界") }).unwrap();
    let done = TurnUpdate { output_text: Some("끝".to_owned()), ..TurnUpdate::default() };
    engine.finish_turn(&Scope::All, turn.id, done).unwrap();
    engine.create_key(NewKey { name: "열쇠".into(), role: Role::Reader, scope: Scope::All }).unwrap();
    engine.maintain().unwrap();
    engine.close().unwrap();
}

fn go(from: &Place, to: &Place) -> Result<Relocation, Error> {
    perihelion::relocate(from, to, &mut |_| {}, &AtomicBool::new(false))
}

/// The export of the store at a place, opened with an empty data folder beside it if it is on a server.
fn export(place: &Place) -> String {
    let beside = tempfile::tempdir().unwrap();
    let options = match place {
        Place::File(path) => options(path.parent().unwrap()),
        Place::Server(address) => on_server(beside.path(), address),
    };
    let engine = Perihelion::open(Options { clock: clock(), ..options }).unwrap();
    let mut out = Vec::new();
    engine.export(&Scope::All, &mut out).unwrap();
    engine.close().unwrap();
    String::from_utf8(out).unwrap()
}

fn on_server(folder: &Path, address: &Address) -> Options {
    let store = StoreChoice::Server { address: address.clone(), settings: ServerSettings::default() };
    Options { store, ..options(folder) }
}

#[test]
fn exports_are_the_same_after_a_move_over_both_servers_and_back() {
    if peri_servers::may_be_left_out() {
        return;
    }
    let (source, back) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fill(source.path());
    let postgres = peri_servers::Postgres::shared().fresh_database().unwrap();
    let mariadb = peri_servers::MariaDb::shared().fresh_database().unwrap();
    let places = [
        Place::in_folder(source.path()),
        Place::parse(&postgres).unwrap(),
        Place::parse(&mariadb).unwrap(),
        Place::in_folder(back.path()),
    ];
    // All moves come first, so that nothing but the moves themselves can have changed a store.
    let moved: Vec<_> = places.windows(2).map(|pair| go(&pair[0], &pair[1]).unwrap()).collect();
    assert!(moved.iter().all(|one| (&one.digest, &one.tables) == (&moved[0].digest, &moved[0].tables)));
    let first = export(&places[0]);
    for part in ["陶窑在棚子里 🏺", "팀/记忆", "안녕 世界", "설거지", "晨会", "\\u0000"] {
        assert!(first.contains(part), "{part} is exported");
    }
    for place in &places[1..] {
        assert!(export(place) == first, "{place} exports something else");
    }
}

#[test]
fn a_folder_in_which_writes_wait_is_not_moved() {
    let (source, target) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fill(source.path());
    let (from, to) = (Place::in_folder(source.path()), Place::in_folder(target.path()));
    let queues = peri_queue::Queues::new(source.path().join("queue"), peri_queue::QueueSettings::default());
    let at = time("2026-01-01T00:00:00Z");
    queues.push(peri_queue::RecordId::generate(at), at, "{}").unwrap();
    let error = go(&from, &to).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Conflict);
    assert!(error.to_string().starts_with("1 writes wait in "), "{error}");
    assert!(!target.path().join("perihelion.db").exists());
    queues.drop_waiting().unwrap();
    go(&from, &to).unwrap();
    assert_eq!(export(&from), export(&to));
}

#[test]
fn every_refusal_says_what_to_do() {
    let (source, target) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fill(source.path());
    keep(&open(target.path(), &clock()), "有人在这里");
    let (from, to) = (Place::in_folder(source.path()), Place::in_folder(target.path()));
    let nowhere = Place::in_folder(&source.path().join("nowhere"));
    let cases = [
        (go(&from, &to), ErrorKind::Conflict),
        (go(&from, &from), ErrorKind::InvalidInput),
        (go(&nowhere, &to), ErrorKind::NotFound),
    ];
    for (outcome, kind) in cases {
        let error = outcome.unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.hint().is_some(), "{error}");
    }
}

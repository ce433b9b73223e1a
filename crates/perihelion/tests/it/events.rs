//! Events: each thing that happens is told once, in one order, to subscribers and to the audit log.

use std::path::Path;
use std::sync::{Arc, Mutex};

use peri_store::{SqliteSettings, SqliteStore, Store, Told};
use perihelion::{
    Clock, Deletion, EdgeType, ErrorKind, Event, EventKind, EventSettings, Feedback, Happening,
    ImportOptions, LogQuery, MemoryId, Namespace, NewEdge, Options, OrbitSettings, Perihelion, Recall,
    Remember, Revise, Scope, Subscription,
};

use crate::orbit::{DAY, important, logged, move_to, plain, start};
use crate::support::{fresh, keep, kind_of, ns, options};

/// What a subscriber was told.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<Event>>>);

impl Heard {
    fn by(engine: &Perihelion, kinds: Option<Vec<EventKind>>) -> (Self, Subscription) {
        let heard = Self::default();
        let own = heard.clone();
        let subscription =
            engine.subscribe(kinds, move |event| own.0.lock().unwrap().push(event.clone())).unwrap();
        (heard, subscription)
    }

    fn all(&self) -> Vec<Event> {
        self.0.lock().unwrap().clone()
    }

    fn numbers(&self) -> Vec<u64> {
        self.all().iter().map(|event| event.number).collect()
    }
}

fn kinds(events: &[Event]) -> Vec<EventKind> {
    events.iter().map(|event| event.what.kind()).collect()
}

fn home() -> Namespace {
    Namespace::default()
}

fn two(engine: &Perihelion) -> [MemoryId; 2] {
    ["Otters sleep in rafts", "The ferry leaves at noon"].map(|content| keep(engine, content))
}

fn edge([source, target]: [MemoryId; 2]) -> NewEdge {
    NewEdge { source, target, edge_type: EdgeType::DerivedFrom, weight: 1.0 }
}

type Deed = fn(&Perihelion);

/// What the engine tells of, and how to make it do so.
const DEEDS: [(EventKind, Deed); 20] = [
    (EventKind::Stored, |engine| {
        keep(engine, "The staging server is called Ganymede");
    }),
    (EventKind::Repeated, |engine| {
        keep(engine, "The staging server is called Ganymede");
    }),
    (EventKind::Recalled, |engine| {
        engine.recall(&Recall::new("Ganymede")).unwrap();
        engine.maintain().unwrap();
    }),
    (EventKind::Revised, |engine| {
        let id = keep(engine, "The staging server is called Ganymede");
        let tags = Some(vec!["infra".to_owned()]);
        engine.revise(&Scope::All, id, Revise { tags, ..Revise::default() }).unwrap();
    }),
    (EventKind::Forgotten, |engine| {
        let id = keep(engine, "The staging server is called Ganymede");
        engine.forget(&Scope::All, id).unwrap();
        engine.forget(&Scope::All, id).unwrap();
    }),
    (EventKind::Restored, |engine| {
        let id = keep(engine, "A lighthouse stands on the cape");
        engine.forget(&Scope::All, id).unwrap();
        engine.restore(&Scope::All, id).unwrap();
    }),
    (EventKind::Purged, |engine| {
        let id = keep(engine, "A lighthouse stands on the cape");
        engine.forget(&Scope::All, id).unwrap();
        engine.purge(&Scope::All, id).unwrap();
    }),
    (EventKind::Consolidated, |engine| {
        keep(engine, "Ana prefers tea over coffee.");
        keep(engine, "Ana prefers tea to coffee");
    }),
    (EventKind::Split, |engine| {
        let merged = engine.remember(Remember::new("Ben prefers rye over wheat.")).unwrap();
        let again = engine.remember(Remember::new("Ben prefers rye to wheat")).unwrap();
        assert_eq!(again.id, merged.id);
        engine.split(&Scope::All, again.absorbed.unwrap()).unwrap();
    }),
    (EventKind::Superseded, |engine| {
        keep(engine, "Ana lives in Berlin.");
        keep(engine, "Ana moved to Lisbon.");
    }),
    (EventKind::Contradicted, |engine| {
        keep(engine, "The cache is enabled.");
        keep(engine, "The cache is not enabled.");
    }),
    (EventKind::Linked, |engine| assert!(engine.link(&Scope::All, &edge(two(engine))).unwrap())),
    (EventKind::Unlinked, |engine| {
        let [source, target] = two(engine);
        assert_eq!(engine.unlink(&Scope::All, source, target, Some(EdgeType::DerivedFrom)).unwrap(), 1);
    }),
    (EventKind::SessionStarted, |engine| drop(engine.start_session(&home(), "standup").unwrap())),
    (EventKind::SessionEnded, |engine| {
        engine.remember(Remember::new("The release slips a week").said("standup", "Ines")).unwrap();
        assert!(engine.end_session(&home(), "standup").unwrap().summary.is_some());
    }),
    (EventKind::FeedbackGiven, |engine| {
        let [used, unused] = two(engine).map(|id| vec![id]);
        let feedback = Feedback { query: "otters".into(), used, unused, session: None };
        assert_eq!(engine.feedback(&home(), &feedback).unwrap().judged, 2);
    }),
    (EventKind::WeightsChanged, |engine| {
        let weights = r#"{"recall":0.25,"freshness":0.35,"importance":0.25,"context":0.15}"#;
        let lines = format!(
            "{{\"record\":\"header\",\"perihelion\":1}}\n{{\"record\":\"weights\",\"namespace\":\"{}\",\"at\":\"2026-01-01T00:00:00Z\",\"weights\":{weights},\"reason\":\"taught\"}}\n",
            home()
        );
        engine.import(&mut lines.as_bytes(), ImportOptions::default()).unwrap();
    }),
    (EventKind::NamespaceMoved, |engine| {
        engine.remember(Remember::new("elsewhere").in_namespace(ns("one"))).unwrap();
        assert_eq!(engine.move_namespace(&ns("one"), &ns("two")).unwrap().memories, 1);
    }),
    (EventKind::NamespaceDeleted, |engine| {
        assert_eq!(engine.delete_namespace(&ns("two"), Deletion::ToTrash).unwrap(), 1);
    }),
    (EventKind::Imported, |engine| {
        let mut lines = Vec::new();
        engine.export(&Scope::All, &mut lines).unwrap();
        engine.import(&mut lines.as_slice(), ImportOptions::default()).unwrap();
    }),
];

/// What time alone brings about.
const OF_TIME: [EventKind; 4] =
    [EventKind::ZoneChanged, EventKind::Decayed, EventKind::Reorbited, EventKind::AutoForgotten];

#[test]
fn everything_that_happens_is_told_once_in_one_order_to_subscribers_and_to_the_log() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let orbit = plain(folder.path(), &clock, OrbitSettings::default()).orbit;
    let engine = Perihelion::open(Options { clock: clock.clone(), orbit, ..options(folder.path()) }).unwrap();
    let (heard, _subscription) = Heard::by(&engine, None);
    for (kind, deed) in DEEDS {
        let before = heard.all().len();
        deed(&engine);
        let news = kinds(&heard.all()[before..]);
        assert_eq!(news.iter().filter(|news| **news == kind).count(), 1, "{kind} among {news:?}");
    }
    move_to(&clock, 100 * DAY);
    let before = heard.all().len();
    engine.maintain().unwrap();
    let news = kinds(&heard.all()[before..]);
    assert!(OF_TIME.iter().all(|kind| news.contains(kind)), "{news:?}");
    let numbers = heard.numbers();
    assert_eq!(
        numbers,
        (1..=numbers.len() as u64).collect::<Vec<_>>(),
        "none is left out and none comes twice"
    );
    // What was asked is blanked in the log where what it found was purged.
    let kept = |event: Event| match event.what {
        Happening::Recalled { query, ids, micros } => {
            let what = Happening::Recalled { query: " ".repeat(query.len()), ids, micros };
            Event { what, ..event }
        }
        _ => event,
    };
    let told: Vec<Event> = heard.all().into_iter().map(kept).collect();
    assert_eq!(logged(&engine, &[]), told);
    engine.close().unwrap();
    let engine = Perihelion::open(Options { clock, ..options(folder.path()) }).unwrap();
    assert_eq!(logged(&engine, &[])[..numbers.len()], told, "and so they stay");
}

#[test]
fn what_is_refused_is_not_told() {
    let (_folder, engine) = fresh();
    let id = keep(&engine, "The staging server is called Ganymede");
    keep(&engine, "The ferry leaves at noon");
    let gone = MemoryId::from_bytes([7; 16]);
    engine.maintain().unwrap();
    let before = logged(&engine, &[]);
    let (heard, _subscription) = Heard::by(&engine, None);
    let batch = vec![Remember::new("a good statement"), Remember::new(" ")];
    let same = Some("The ferry leaves at noon".to_owned());
    let feedback = Feedback { query: "x".into(), used: vec![gone], ..Feedback::default() };
    let refusals = [
        kind_of(engine.remember_all(batch)),
        kind_of(engine.forget(&Scope::All, gone)),
        kind_of(engine.restore(&Scope::All, id)),
        kind_of(engine.purge(&Scope::All, id)),
        kind_of(engine.revise(&Scope::All, id, Revise { content: same, ..Revise::default() })),
        kind_of(engine.split(&Scope::All, id)),
        kind_of(engine.link(&Scope::All, &edge([id, gone]))),
        kind_of(engine.end_session(&home(), "nobody began it")),
        kind_of(engine.feedback(&home(), &feedback)),
        kind_of(engine.rollback_weights(&home(), 7)),
        kind_of(engine.move_namespace(&ns("nowhere"), &ns("two"))),
        kind_of(engine.delete_namespace(&ns("nowhere"), Deletion::Purge)),
    ];
    for (number, refusal) in refusals.iter().enumerate() {
        use ErrorKind::{Conflict, InvalidInput, NotFound};
        assert!(matches!(refusal, Some(InvalidInput | NotFound | Conflict)), "{number}: {refusal:?}");
    }
    engine.maintain().unwrap();
    assert_eq!((heard.all(), logged(&engine, &[])), (Vec::new(), before));
}

/// Everything in the log's files.
fn log_text(folder: &Path) -> String {
    let files = std::fs::read_dir(folder.join("logs")).unwrap();
    files.map(|file| String::from_utf8(std::fs::read(file.unwrap().path()).unwrap()).unwrap()).collect()
}

#[test]
fn what_memories_say_is_not_in_the_log() {
    let (folder, engine) = fresh();
    let request = Remember::new("the zanzibar plan");
    let id = engine.remember(request.said("standup", "Ines").tags(["quagga"])).unwrap().id;
    engine.recall(&Recall::new("which plan?")).unwrap();
    let content = Some("the zanzibar plan, second draft".to_owned());
    engine.revise(&Scope::All, id, Revise { content, ..Revise::default() }).unwrap();
    engine.forget(&Scope::All, id).unwrap();
    engine.purge(&Scope::All, id).unwrap();
    engine.maintain().unwrap();
    engine.close().unwrap();
    let text = log_text(folder.path());
    assert!(text.contains("purged") && text.contains(&id.to_string()));
    for word in ["zanzibar", "quagga", "draft"] {
        assert!(!text.contains(word), "{word} is in the log: {text}");
    }
}

#[test]
fn a_subscriber_hears_only_what_it_asked_for_from_then_on_until_it_is_dropped() {
    let (_folder, engine) = fresh();
    keep(&engine, "before anybody listened");
    let (some, some_held) = Heard::by(&engine, Some(vec![EventKind::Forgotten]));
    let (all, _all_held) = Heard::by(&engine, None);
    let id = keep(&engine, "a heron by the lake");
    engine.forget(&Scope::All, id).unwrap();
    assert_eq!(kinds(&some.all()), [EventKind::Forgotten]);
    assert_eq!(kinds(&all.all()), [EventKind::Stored, EventKind::Forgotten]);
    drop(some_held);
    engine.restore(&Scope::All, id).unwrap();
    engine.forget(&Scope::All, id).unwrap();
    assert_eq!((some.all().len(), all.all().len()), (1, 4));
}

#[test]
fn a_subscriber_that_panics_harms_neither_the_caller_nor_other_subscribers() {
    let (_folder, engine) = fresh();
    let panicking = engine.subscribe(None, |_| panic!("on purpose")).unwrap();
    let (heard, _subscription) = Heard::by(&engine, None);
    for number in 0..5 {
        let id = keep(&engine, &format!("heron number {number}"));
        assert!(engine.get(&Scope::All, id).is_ok());
    }
    engine.maintain().unwrap();
    assert!(panicking.panics() > 0 && !panicking.is_active());
    assert_eq!(heard.all(), logged(&engine, &[]));
}

#[test]
fn a_subscriber_may_use_the_engine() {
    let (_folder, engine) = fresh();
    let engine = Arc::new(engine);
    let (own, heard) = (Arc::downgrade(&engine), Heard::default());
    let note = heard.clone();
    let _subscription = engine.subscribe(Some(vec![EventKind::Stored]), move |event| {
        note.0.lock().unwrap().push(event.clone());
        if let (Some(engine), 1) = (own.upgrade(), note.all().len()) {
            keep(&engine, "said because something was said");
        }
    });
    keep(&engine, "a heron by the lake");
    assert_eq!(heard.all().len(), 2);
}

#[test]
fn a_log_that_cannot_be_written_stops_nothing_and_lacks_nothing_once_it_is_mended() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("logs"), "in the way").unwrap();
    let engine = Perihelion::open(options(folder.path())).unwrap();
    let (heard, _subscription) = Heard::by(&engine, None);
    let id = keep(&engine, "a heron by the lake");
    engine.recall(&Recall::new("heron")).unwrap();
    engine.maintain().unwrap();
    engine.forget(&Scope::All, id).unwrap();
    let health = engine.health();
    assert!(health.healthy, "{:?}", health.problems);
    assert!(health.warnings.iter().any(|warning| warning.contains("audit log")), "{:?}", health.warnings);
    // What happened, and word of the log itself.
    let waiting = engine.events_after(0, 100).unwrap();
    assert_eq!(health.queue.events, waiting.len() as u64);
    assert!(waiting.iter().any(|event| event.what.kind() == EventKind::OperationFailed), "{waiting:?}");
    assert_eq!(kind_of(engine.events(&LogQuery::default())), Some(ErrorKind::Unavailable));
    std::fs::remove_file(folder.path().join("logs")).unwrap();
    engine.maintain().unwrap();
    let health = engine.health();
    assert_eq!((health.queue.events, health.queue.events_lost), (0, 0));
    assert!(!health.warnings.iter().any(|warning| warning.contains("audit log")), "{:?}", health.warnings);
    let told: Vec<_> = logged(&engine, &[])
        .into_iter()
        .filter(|event| event.what.kind() != EventKind::OperationFailed)
        .collect();
    assert_eq!(kinds(&told), [EventKind::Stored, EventKind::Recalled, EventKind::Forgotten]);
    assert_eq!(logged(&engine, &[]), heard.all());
}

#[test]
fn events_that_wait_for_a_broken_log_do_not_grow_without_end() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("logs"), "in the way").unwrap();
    let path = folder.path().join(Perihelion::DATABASE);
    let store = Arc::new(SqliteStore::open(&path, &SqliteSettings::default()).unwrap());
    let engine = Perihelion::on_store(options(folder.path()), store.clone()).unwrap();
    let told = |_| {
        let what = Happening::SessionStarted { session: "daily".to_owned() };
        Told { namespace: None, at: start(), what }
    };
    store.record_usage(&[], &(0..100_020).map(told).collect::<Vec<_>>(), &[]).unwrap();
    engine.maintain().unwrap();
    let queue = engine.health().queue;
    // Word of the broken log comes on top.
    assert_eq!(queue.events, 100_000);
    let lost = queue.events_lost;
    assert!((20..30).contains(&lost), "{lost}");
    assert!(engine.health().warnings.iter().any(|warning| warning.contains("events were dropped")));
    std::fs::remove_file(folder.path().join("logs")).unwrap();
    engine.maintain().unwrap();
    let queue = engine.health().queue;
    assert_eq!((queue.events, queue.events_lost), (0, lost), "the rest is in the log");
    let last = LogQuery { limit: 1, ..LogQuery::default() };
    assert!(engine.events(&last).unwrap().events[0].number >= 100_000 + lost);
}

#[test]
fn a_log_goes_on_over_many_files_and_is_read_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let events = EventSettings { log_bytes_max: 2_000, log_files_kept: 100, ..EventSettings::default() };
    let open =
        |events: EventSettings| Perihelion::open(Options { events, ..options(folder.path()) }).unwrap();
    let mut engine = open(events.clone());
    for number in 0..200 {
        engine.remember(important(format!("item{number}x"), 0.5)).unwrap();
        if number % 20 == 0 {
            engine.close().unwrap();
            engine = open(events.clone());
        } else if number % 3 == 0 {
            engine.maintain().unwrap();
        }
    }
    let stored: Vec<u64> = logged(&engine, &[EventKind::Stored]).iter().map(|event| event.number).collect();
    assert_eq!(stored.len(), 200);
    assert!(stored.is_sorted());
    let files = || std::fs::read_dir(folder.path().join("logs")).unwrap().count();
    assert!(files() > 10, "{}", files());
    engine.close().unwrap();
    let engine = open(EventSettings { log_files_kept: 2, ..events });
    (200..260).for_each(|number| drop(engine.remember(important(format!("item{number}x"), 0.5)).unwrap()));
    let left: Vec<u64> = logged(&engine, &[]).iter().map(|event| event.number).collect();
    assert!(left.len() < 100, "old files went: {}", left.len());
    assert!(left.windows(2).all(|pair| pair[1] == pair[0] + 1), "without a gap: {left:?}");
}

#[test]
fn what_other_engines_did_reaches_a_subscriber_with_its_next_chores() {
    let (folder, engine) = fresh();
    let other = Perihelion::open(options(folder.path())).unwrap();
    let (heard, _subscription) = Heard::by(&engine, None);
    keep(&other, "a heron by the lake");
    assert!(heard.all().is_empty());
    engine.maintain().unwrap();
    assert_eq!(kinds(&heard.all()), [EventKind::Stored]);
    keep(&other, "a stork on the roof");
    keep(&engine, "a crane at the harbour");
    assert_eq!(heard.numbers(), [1, 2, 3], "and before anything later");
    assert_eq!(logged(&engine, &[]), heard.all());
}

#[test]
fn engines_that_write_at_once_log_and_tell_every_event_once() {
    let folder = tempfile::tempdir().unwrap();
    let engines: Vec<_> = (0..3).map(|_| Perihelion::open(options(folder.path())).unwrap()).collect();
    let heard: Vec<_> = engines.iter().map(|engine| Heard::by(engine, None)).collect();
    std::thread::scope(|threads| {
        for (own, engine) in engines.iter().enumerate() {
            threads.spawn(move || {
                for number in 0..25 {
                    engine.remember(important(format!("item{own}x{number}"), 0.5)).unwrap();
                    if number % 4 == own {
                        engine.maintain().unwrap();
                    }
                }
            });
        }
    });
    engines.iter().for_each(|engine| engine.maintain().unwrap());
    let expected = logged(&engines[0], &[]);
    assert_eq!(kinds(&expected).iter().filter(|kind| **kind == EventKind::Stored).count(), 75);
    for (heard, _) in &heard {
        assert_eq!(heard.all(), expected);
    }
}

#[test]
fn every_setting_of_events_changes_what_is_kept() {
    let kept = |events: EventSettings| {
        let folder = tempfile::tempdir().unwrap();
        let engine = Perihelion::open(Options { events, ..options(folder.path()) }).unwrap();
        keep(&engine, "a heron by the lake");
        engine.recall(&Recall::new("heron")).unwrap();
        engine.maintain().unwrap();
        assert_eq!(engine.health().queue.events, 0, "nothing waits for a log that is not wanted");
        kinds(&logged(&engine, &[]))
    };
    assert_eq!(kept(EventSettings::default()), [EventKind::Stored, EventKind::Recalled]);
    assert_eq!(kept(EventSettings { recalls: false, ..EventSettings::default() }), [EventKind::Stored]);
    assert!(kept(EventSettings { log: false, ..EventSettings::default() }).is_empty());
}

#[test]
fn whoever_reads_on_from_a_number_gets_everything_that_follows_once_and_in_order() {
    let (_folder, engine) = fresh();
    let (mut heard, mut after) = (Vec::new(), 0);
    for round in 0..30 {
        keep(&engine, &format!("statement number {round} about herons"));
        if round % 7 == 3 {
            engine.events(&LogQuery::default()).unwrap();
        }
        while let Some(last) = engine.events_after(after, 2).unwrap().last().map(|event| event.number) {
            heard.extend(engine.events_after(after, 2).unwrap().into_iter().map(|event| event.number));
            after = last;
        }
    }
    assert_eq!(heard, Vec::from_iter(1..=after));
    assert_eq!(engine.last_event_number().unwrap(), after);
    assert!(engine.events_after(u64::MAX, 10).unwrap().is_empty());
}

#[test]
fn a_search_is_no_use_until_its_results_are_handed_out() {
    let (_folder, engine) = fresh();
    let [otters, _ferry] = two(&engine);
    let (heard, _subscription) = Heard::by(&engine, Some(vec![EventKind::Recalled]));
    let question = Recall::new("how do otters sleep?");
    let found = engine.search(&question).unwrap();
    assert_eq!(found.hits[0].memory.id, otters);
    engine.maintain().unwrap();
    assert!(heard.all().is_empty());
    engine.note_recall(&question, &found);
    engine.maintain().unwrap();
    let told = heard.all();
    let [Event { what: Happening::Recalled { ids, .. }, .. }] = &told[..] else { panic!("{told:?}") };
    assert_eq!(ids[..], [otters]);
}

#[test]
fn a_log_that_holds_what_waits_for_it_is_not_taken_for_that_of_another_store() {
    let (folder, engine) = fresh();
    two(&engine);
    let waiting = engine.events_after(0, 100).unwrap();
    let logs = folder.path().join("logs");
    // Nothing can be written to the log, and nothing noted as written.
    std::fs::create_dir_all(logs.join("events.lock")).unwrap();
    let write = |events: &[Event]| {
        let lines: String = events.iter().map(|event| serde_json::to_string(event).unwrap() + "\n").collect();
        std::fs::write(logs.join("events.jsonl"), lines).unwrap();
    };
    write(&waiting);
    assert_eq!(engine.log_ahead(), None);
    let mut others = waiting.clone();
    others[0].what = others[1].what.clone();
    write(&others);
    assert_eq!(engine.log_ahead(), waiting.last().map(|event| event.number));
}

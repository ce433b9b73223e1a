//! Sessions: their beginning and end, what sums them up, and what they mean to a recall.

use jiff::SignedDuration;
use perihelion::{
    EdgeType, ErrorKind, Importance, Kind, Layer, MemoryId, Namespace, Perihelion, Recall, Remember, Scope,
    Trashed,
};

use crate::supersession::clocked;
use crate::support::{all, ask, fresh, kind_of, ns, open, options};

fn say(engine: &Perihelion, session: &str, content: &str, importance: f64) -> MemoryId {
    let request = Remember {
        importance: Some(Importance::new(importance).unwrap()),
        ..Remember::new(content).said(session, "Ines")
    };
    engine.remember(request).unwrap().id
}

fn summaries(engine: &Perihelion) -> usize {
    all(engine, Trashed::Without).iter().filter(|memory| memory.kind == Kind::Summary).count()
}

#[test]
fn sessions_begin_end_and_are_listed_the_latest_first_also_after_a_restart() {
    let (folder, engine, clock) = clocked();
    let here = Namespace::default();
    let first = engine.start_session(&here, "monday").unwrap();
    assert_eq!((first.started_at, first.ended_at, first.summary), (clock.now(), None, None));
    clock.advance(SignedDuration::from_hours(1));
    assert_eq!(engine.start_session(&here, "monday").unwrap(), first, "beginning again changes nothing");
    engine.start_session(&ns("other"), "monday").unwrap();
    let ended = engine.end_session(&here, "monday").unwrap();
    assert_eq!((ended.started_at, ended.ended_at), (first.started_at, Some(clock.now())));
    engine.start_session(&here, "tuesday").unwrap();
    drop(engine);
    let engine = open(folder.path());
    let names = |scope: &Scope, limit| {
        let sessions = engine.sessions(scope, limit).unwrap();
        sessions.into_iter().map(|one| (one.namespace.to_string(), one.name)).collect::<Vec<_>>()
    };
    let told = |namespace: &str, name: &str| (namespace.to_owned(), name.to_owned());
    let default = Scope::Exact(here.clone());
    assert_eq!(names(&default, 10), [told("default", "tuesday"), told("default", "monday")]);
    assert_eq!(names(&default, 1), [told("default", "tuesday")]);
    assert_eq!(names(&Scope::All, 10).len(), 3);
    assert_eq!(engine.session(&here, "monday").unwrap(), ended);
}

#[test]
fn unknown_and_nameless_sessions_are_refused() {
    let (_folder, engine) = fresh();
    let here = Namespace::default();
    assert_eq!(kind_of(engine.end_session(&here, "never begun")), Some(ErrorKind::NotFound));
    assert_eq!(kind_of(engine.session(&here, "never begun")), Some(ErrorKind::NotFound));
    for name in ["", " ", "a\0b"] {
        assert_eq!(kind_of(engine.start_session(&here, name)), Some(ErrorKind::InvalidInput), "{name:?}");
    }
    assert!(engine.sessions(&Scope::All, 10).unwrap().is_empty());
}

#[test]
fn a_session_is_summed_up_by_what_mattered_most_in_it_in_the_order_it_was_said() {
    let (_folder, engine) = fresh();
    let here = Namespace::default();
    engine.start_session(&here, "planning").unwrap();
    say(&engine, "planning", "hello everybody", 0.1);
    let told = [
        ("the harbour closes in May", 0.6),
        ("Omar takes over the ferry line", 0.9),
        ("tickets will cost eleven euros", 0.7),
        ("the old pier is torn down", 0.8),
        ("lanterns are ordered from Ghent", 0.5),
    ];
    let ids = told.map(|(content, importance)| say(&engine, "planning", content, importance));
    say(&engine, "elsewhere", "nothing of what was said there, however much it matters", 1.0);
    let summary = engine.end_session(&here, "planning").unwrap().summary.unwrap();
    let memory = engine.get(&Scope::All, summary).unwrap();
    assert_eq!((memory.kind, memory.layer), (Kind::Summary, Layer::LongTerm));
    assert_eq!(memory.facets.session, None, "it is about the session, not a turn of it");
    let mut rest = memory.content.as_str();
    for (content, _) in told {
        let at = rest.find(content).unwrap_or_else(|| panic!("{content} in order in {}", memory.content));
        rest = &rest[at + content.len()..];
    }
    assert!(memory.content.contains("planning") && !memory.content.contains("hello"), "{}", memory.content);
    let mut derived: Vec<_> = engine.edges(&Scope::All, summary).unwrap();
    derived.retain(|edge| edge.edge_type == EdgeType::DerivedFrom && edge.source == summary);
    let mut targets: Vec<_> = derived.iter().map(|edge| edge.target).collect();
    targets.sort();
    assert_eq!(targets, ids);
    assert!(ask(&engine, "who takes over the ferry line?").hits.iter().any(|hit| hit.memory.id == summary));
}

#[test]
fn a_summary_is_short_however_much_was_said() {
    let (_folder, engine) = fresh();
    let here = Namespace::default();
    engine.start_session(&here, "long").unwrap();
    for i in 0..40 {
        say(&engine, "long", &format!("turn {i} {}", "두부찌개 and tofu ".repeat(50)), 0.5);
    }
    let summary = engine.end_session(&here, "long").unwrap().summary.unwrap();
    let content = engine.get(&Scope::All, summary).unwrap().content;
    assert!(content.chars().count() < 1000, "{} characters", content.chars().count());
}

#[test]
fn ending_a_session_again_does_not_sum_it_up_again() {
    let (_folder, engine, clock) = clocked();
    let here = Namespace::default();
    engine.start_session(&here, "monday").unwrap();
    say(&engine, "monday", "the harbour closes in May", 0.6);
    let first = engine.end_session(&here, "monday").unwrap();
    clock.advance(SignedDuration::from_hours(1));
    let second = engine.end_session(&here, "monday").unwrap();
    assert_eq!((second.summary, summaries(&engine)), (first.summary, 1));
    let reopened = engine.start_session(&here, "monday").unwrap();
    assert_eq!((reopened.ended_at, reopened.started_at), (None, first.started_at));
    assert_eq!(engine.end_session(&here, "monday").unwrap().summary, first.summary);
    assert_eq!(summaries(&engine), 1);
}

#[test]
fn what_is_said_after_a_session_was_summed_up_brings_a_new_summary_in_the_place_of_the_old_one() {
    let (_folder, engine, clock) = clocked();
    let here = Namespace::default();
    engine.start_session(&here, "晨会").unwrap();
    say(&engine, "晨会", "the harbour closes in May", 0.6);
    let first = engine.end_session(&here, "晨会").unwrap().summary.unwrap();
    clock.advance(SignedDuration::from_hours(1));
    engine.start_session(&here, "晨会").unwrap();
    say(&engine, "晨会", "페리는 6월에 멈춘다", 0.9);
    let second = engine.end_session(&here, "晨会").unwrap().summary.unwrap();
    assert_ne!(second, first);
    let content = engine.get(&Scope::All, second).unwrap().content;
    assert!(content.contains("harbour") && content.contains("페리"), "{content}");
    assert_eq!(engine.get(&Scope::All, first).unwrap().facets.superseded_by, Some(second));
    clock.advance(SignedDuration::from_hours(1));
    assert_eq!(engine.end_session(&here, "晨会").unwrap().summary, Some(second), "nothing was said since");
}

#[test]
fn an_empty_session_is_not_summed_up() {
    let (_folder, engine) = fresh();
    let here = Namespace::default();
    engine.start_session(&here, "quiet").unwrap();
    let forgotten = say(&engine, "quiet", "never mind", 0.5);
    engine.forget(&Scope::All, forgotten).unwrap();
    say(&engine, "another", "something else", 0.5);
    engine.remember(Remember::new("elsewhere").said("quiet", "Ben").in_namespace(ns("other"))).unwrap();
    let ended = engine.end_session(&here, "quiet").unwrap();
    assert!(ended.ended_at.is_some());
    assert_eq!((ended.summary, summaries(&engine)), (None, 0));
}

#[test]
fn of_about_equally_relevant_turns_those_of_the_asking_session_come_first() {
    let (_folder, engine) = fresh();
    let sessions = ["monday", "tuesday", "wednesday"];
    let ids = sessions.map(|session| say(&engine, session, "the meeting room is the blue one", 0.5));
    for (session, id) in sessions.iter().zip(ids) {
        let found = engine.recall(&Recall::new("which meeting room?").in_session(*session)).unwrap();
        assert_eq!(found.hits.len(), 3);
        assert_eq!(found.hits[0].memory.id, id, "asked in {session}");
    }
}

#[test]
fn a_clearly_better_match_of_another_session_stays_first() {
    let (_folder, engine) = fresh();
    let better = say(&engine, "monday", "the password of the guest network is marzipan", 0.5);
    let weaker = say(&engine, "tuesday", "the guest network is slow today", 0.5);
    let found = engine.recall(&Recall::new("password of the guest network").in_session("tuesday")).unwrap();
    let found: Vec<_> = found.hits.iter().map(|hit| hit.memory.id).collect();
    assert_eq!(found.first(), Some(&better));
    assert!(found.contains(&weaker));
}

#[test]
fn asking_in_a_session_nobody_knows_is_asking_in_none() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Perihelion::open(options(folder.path())).unwrap();
    say(&engine, "monday", "the meeting room is the blue one", 0.5);
    say(&engine, "tuesday", "the meeting room is the red one", 0.5);
    let plain = ask(&engine, "which meeting room?");
    let asked = engine.recall(&Recall::new("which meeting room?").in_session("unknown")).unwrap();
    let ids = |recalled: &perihelion::Recalled| {
        let mut ids: Vec<_> = recalled.hits.iter().map(|hit| hit.memory.id).collect();
        ids.sort();
        ids
    };
    assert_eq!(ids(&plain), ids(&asked));
}

#[test]
fn a_word_that_the_question_does_not_name_does_not_bring_another_session_first() {
    for [standup, retro, question] in [
        [
            "the deploy key is kept in the blue safe",
            "the deploy key is kept in the grey safe",
            "where is the deploy key kept?",
        ],
        [
            "the release train leaves on Monday",
            "the release train leaves on Friday",
            "when does the release train leave?",
        ],
        ["회의실은 파란 방이다", "회의실은 초록 방이다", "회의실은 어디?"],
        ["会议室是蓝色的房间", "会议室是绿色的房间", "会议室在哪"],
    ] {
        let (_folder, engine) = fresh();
        let ids = [say(&engine, "standup", standup, 0.5), say(&engine, "retro", retro, 0.5)];
        for (session, id) in ["standup", "retro"].iter().zip(ids) {
            let found = engine.recall(&Recall::new(question).in_session(*session)).unwrap();
            assert_eq!(found.hits.first().map(|hit| hit.memory.id), Some(id), "{question} in {session}");
        }
    }
}

#[test]
fn what_answers_better_comes_first_also_from_another_session() {
    let (_folder, engine) = fresh();
    let elsewhere = say(&engine, "retro", "the kiln is repaired by Omar on Thursday", 0.5);
    say(&engine, "standup", "the kiln is hot", 0.5);
    let found =
        engine.recall(&Recall::new("who repairs the kiln on Thursday?").in_session("standup")).unwrap();
    assert_eq!(found.hits[0].memory.id, elsewhere);
}

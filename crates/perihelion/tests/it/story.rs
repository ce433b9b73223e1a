//! The life of memories through the public API: remember, revise, forget, restore, purge, look.

use std::time::Duration;

use jiff::SignedDuration;
use perihelion::{
    Clock, ErrorKind, Facets, Importance, Kind, Layer, ListQuery, Meaning, Options, Order, Outcome,
    Perihelion, Recall, Redaction, Remember, Revise, Scope, Trashed,
};

use crate::support::{all, ask, contents, finds, fresh, keep, kind_of, ns, open, options, scope, time};

#[test]
fn a_receipt_tells_what_was_stored_and_get_returns_it() {
    let (_folder, engine) = fresh();
    let at = time("2024-05-01T10:00:00Z");
    let request = Remember {
        importance: Some(Importance::new(0.9).unwrap()),
        facets: Facets {
            aliases: vec!["Ganymede".into()],
            source: Some("handbook.md".into()),
            metadata: serde_json::Map::from_iter([("page".to_owned(), 7.into())]),
            pinned: true,
            ..Facets::default()
        },
        ..Remember::new("The staging server runs Debian").kind(Kind::Decision).in_namespace(ns("team/ops"))
    }
    .said("standup", "Ines")
    .at(at)
    .tags(["infra", " infra ", "server"]);
    let receipt = engine.remember(request).unwrap();
    assert_eq!((receipt.outcome, receipt.meaning), (Outcome::Stored, Meaning::Embedded));
    assert_eq!(receipt.namespace, ns("team/ops"));
    assert!(receipt.redacted.is_empty());
    let memory = engine.get(&Scope::All, receipt.id).unwrap();
    assert_eq!(memory.content, "The staging server runs Debian");
    assert_eq!((memory.kind, memory.layer), (Kind::Decision, Layer::Episodic));
    assert_eq!(memory.importance, Importance::new(0.9).unwrap());
    assert_eq!(memory.facets.tags, ["infra", "server"]);
    assert_eq!(memory.facets.aliases, ["Ganymede"]);
    assert_eq!(memory.facets.session.as_deref(), Some("standup"));
    assert_eq!(memory.facets.speaker.as_deref(), Some("Ines"));
    assert_eq!(memory.facets.source.as_deref(), Some("handbook.md"));
    assert_eq!(memory.facets.metadata["page"], 7);
    assert_eq!((memory.at(), memory.facets.pinned, memory.version), (at, true, 1));
    assert_eq!((memory.change, memory.space), (receipt.change, engine.space()));
}

#[test]
fn the_same_statement_twice_is_one_memory_with_both_sets_of_labels() {
    let (_folder, engine) = fresh();
    let first = engine.remember(Remember::new("Ana is allergic to nuts").tags(["health"])).unwrap();
    let second = engine
        .remember(Remember {
            importance: Some(Importance::new(1.0).unwrap()),
            ..Remember::new("Ana is allergic to nuts").tags(["food"])
        })
        .unwrap();
    assert_eq!((second.outcome, second.id), (Outcome::Merged, first.id));
    assert_eq!(second.meaning, Meaning::Embedded);
    let memories = all(&engine, Trashed::Without);
    assert_eq!(memories.len(), 1);
    assert_eq!(memories[0].facets.tags, ["health", "food"]);
    assert_eq!(memories[0].importance, Importance::new(1.0).unwrap());
    let again = engine.remember(Remember::new("Ana is allergic to nuts")).unwrap();
    assert_eq!(again.change, second.change, "a repetition that brings nothing new changes nothing");
}

#[test]
fn the_same_words_by_another_speaker_or_in_another_session_are_another_memory() {
    let (_folder, engine) = fresh();
    for (session, speaker) in [("one", "Ana"), ("one", "Ben"), ("two", "Ana")] {
        let receipt = engine.remember(Remember::new("Good morning to all").said(session, speaker)).unwrap();
        assert_eq!(receipt.outcome, Outcome::Stored, "{session} {speaker}");
    }
    let elsewhere = Remember::new("Good morning to all").said("one", "Ana").in_namespace(ns("other"));
    assert_eq!(engine.remember(elsewhere).unwrap().outcome, Outcome::Stored);
    assert_eq!(all(&engine, Trashed::Without).len(), 4);
}

#[test]
fn a_batch_with_one_bad_request_stores_nothing() {
    let (_folder, engine) = fresh();
    let batch = vec![Remember::new("a good statement"), Remember::new(" \n ")];
    assert_eq!(kind_of(engine.remember_all(batch)), Some(ErrorKind::InvalidInput));
    let taken = keep(&engine, "this id is taken");
    let clash = Remember { id: Some(taken), ..Remember::new("another statement with the same id") };
    let batch = vec![Remember::new("a good statement"), clash];
    assert_eq!(kind_of(engine.remember_all(batch)), Some(ErrorKind::Conflict));
    assert_eq!(all(&engine, Trashed::Without).len(), 1);
    assert!(engine.remember_all(Vec::new()).unwrap().is_empty());
}

#[test]
fn a_batch_that_repeats_itself_is_merged_within() {
    let (_folder, engine) = fresh();
    let receipts =
        engine.remember_all(vec![Remember::new("said twice"), Remember::new("said twice")]).unwrap();
    assert_eq!(receipts[0].outcome, Outcome::Stored);
    assert_eq!((receipts[1].outcome, receipts[1].id), (Outcome::Merged, receipts[0].id));
}

/// Made from parts, so that nobody takes it for one that leaked.
fn fake_token() -> String {
    ["ghp_", "Qm7Xk2Vd9Rt4", "Yb6Nw3Hs8Pz5", "Lc1Jf0Ga7Te2"].concat()
}

#[test]
fn secrets_are_taken_out_before_anything_is_written_and_the_receipt_says_so() {
    let secret = &fake_token();
    let (folder, engine) = fresh();
    let request = Remember {
        facets: Facets {
            tags: vec![format!("tag-{secret}"), secret.clone()],
            speaker: Some(secret.clone()),
            session: Some(secret.clone()),
            metadata: serde_json::Map::from_iter([("header".to_owned(), format!("token {secret}").into())]),
            ..Facets::default()
        },
        ..Remember::new(format!("The deploy token is {secret}"))
    };
    let receipt = engine.remember(request).unwrap();
    assert_eq!(receipt.redacted.iter().map(|secret| secret.count).sum::<usize>(), 6, "{receipt:?}");
    let memory = engine.get(&Scope::All, receipt.id).unwrap();
    assert!(!serde_json::to_string(&memory).unwrap().contains(secret), "{memory:?}");
    let revised = engine
        .revise(
            &Scope::All,
            receipt.id,
            Revise {
                content: Some(format!("now {secret}")),
                tags: Some(vec![secret.clone()]),
                ..Revise::default()
            },
        )
        .unwrap();
    assert_eq!(revised.redacted.iter().map(|secret| secret.count).sum::<usize>(), 2, "{revised:?}");
    engine.maintain().unwrap();
    engine.close().unwrap();
    for file in std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path()) {
        if file.is_file() {
            let bytes = std::fs::read(&file).unwrap();
            let found = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!found, "{} holds the secret", file.display());
        }
    }
}

#[test]
fn redaction_can_be_switched_off() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Perihelion::open(Options { redaction: Redaction::Off, ..options(folder.path()) }).unwrap();
    let content = format!("The deploy token is {}", fake_token());
    let receipt = engine.remember(Remember::new(&content)).unwrap();
    assert!(receipt.redacted.is_empty());
    assert_eq!(engine.get(&Scope::All, receipt.id).unwrap().content, content);
}

#[test]
fn a_receipt_says_when_a_memory_is_found_by_its_words_alone() {
    let (_folder, engine) = fresh();
    for content in ["민수는 매운 음식을 좋아한다", "服务器每天凌晨三点备份", "🚀🚀🚀"]
    {
        let receipt = engine.remember(Remember::new(content)).unwrap();
        assert_eq!(receipt.meaning, Meaning::WordsOnly, "{content}");
    }
    assert_eq!(engine.stats(&Scope::All).unwrap().unembedded, 0, "nothing waits for a vector in vain");
}

#[test]
fn bad_input_is_refused_with_its_kind_and_nothing_is_stored() {
    let (_folder, engine) = fresh();
    let long = |bytes: usize| "x".repeat(bytes);
    let limits = perihelion::Limits::default();
    let with = |facets: Facets| Remember { facets, ..Remember::new("fine") };
    let cases = [
        ("empty", Remember::new("")),
        ("blank", Remember::new(" \t\n")),
        ("nul", Remember::new("a\0b")),
        ("content", Remember::new(long(limits.content_bytes_max + 1))),
        ("tag", Remember::new("fine").tags([long(limits.label_bytes_max + 1)])),
        ("blank tag", Remember::new("fine").tags([" "])),
        ("tags", Remember::new("fine").tags((0..=limits.labels_max).map(|i| i.to_string()))),
        ("session", Remember::new("fine").said("", "Ana")),
        ("speaker", Remember::new("fine").said("s", long(limits.label_bytes_max + 1))),
        ("source", with(Facets { source: Some(String::new()), ..Facets::default() })),
        (
            "metadata",
            with(Facets {
                metadata: serde_json::Map::from_iter([(
                    "k".to_owned(),
                    long(limits.metadata_bytes_max).into(),
                )]),
                ..Facets::default()
            }),
        ),
    ];
    for (name, request) in cases {
        assert_eq!(kind_of(engine.remember(request)), Some(ErrorKind::InvalidInput), "{name}");
    }
    for query in ["", "  ", "a\0b"] {
        assert_eq!(kind_of(engine.recall(&Recall::new(query))), Some(ErrorKind::InvalidInput), "{query:?}");
    }
    let many = Recall::new("fine").limit(limits.results_max + 1);
    assert_eq!(kind_of(engine.recall(&many)), Some(ErrorKind::InvalidInput));
    assert_eq!(engine.stats(&Scope::All).unwrap().memories, 0);
    engine.remember(Remember::new(long(limits.content_bytes_max))).unwrap();
}

#[test]
fn recall_after_forget_never_returns_the_memory_until_it_is_restored() {
    let (_folder, engine) = fresh();
    let content = "The staging server is called Ganymede";
    let id = keep(&engine, content);
    assert!(finds(&engine, "Ganymede", content));
    let forgotten = engine.forget(&Scope::All, id).unwrap();
    assert!(forgotten.trashed_at.is_some());
    assert_eq!(engine.forget(&Scope::All, id).unwrap(), forgotten, "forgetting twice changes nothing");
    assert!(contents(&ask(&engine, "Ganymede")).is_empty());
    assert!(all(&engine, Trashed::Without).is_empty());
    assert_eq!(all(&engine, Trashed::Only)[0].id, id);
    let restored = engine.restore(&Scope::All, id).unwrap();
    assert_eq!((restored.trashed_at, restored.content.as_str()), (None, content));
    assert!(finds(&engine, "Ganymede", content));
    assert_eq!(kind_of(engine.restore(&Scope::All, id)), Some(ErrorKind::Conflict));
}

#[test]
fn purge_destroys_only_what_lies_in_the_trash_and_leaves_no_trace_in_answers() {
    let (_folder, engine) = fresh();
    let id = keep(&engine, "The old password policy asks for ninety days");
    let change = Revise { content: Some("The password policy asks for a year".into()), ..Revise::default() };
    engine.revise(&Scope::All, id, change).unwrap();
    assert_eq!(kind_of(engine.purge(&Scope::All, id)), Some(ErrorKind::Conflict));
    engine.forget(&Scope::All, id).unwrap();
    engine.purge(&Scope::All, id).unwrap();
    assert_eq!(kind_of(engine.get(&Scope::All, id)), Some(ErrorKind::NotFound));
    assert_eq!(kind_of(engine.history(&Scope::All, id)), Some(ErrorKind::NotFound));
    assert_eq!(kind_of(engine.purge(&Scope::All, id)), Some(ErrorKind::NotFound));
    assert!(contents(&ask(&engine, "password policy")).is_empty());
    let stats = engine.stats(&Scope::All).unwrap();
    assert_eq!((stats.memories, stats.trashed), (0, 0));
}

#[test]
fn maintenance_purges_the_trash_only_after_the_retention_time() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::manual(time("2025-01-01T00:00:00Z"));
    let engine = Perihelion::open(Options {
        clock: clock.clone(),
        trash_retention: Duration::from_secs(60),
        ..options(folder.path())
    })
    .unwrap();
    let id = keep(&engine, "to be forgotten");
    engine.forget(&Scope::All, id).unwrap();
    clock.advance(SignedDuration::from_secs(60));
    engine.maintain().unwrap();
    assert_eq!(all(&engine, Trashed::Only).len(), 1, "restorable for the whole retention time");
    clock.advance(SignedDuration::from_millis(1));
    engine.maintain().unwrap();
    assert_eq!(kind_of(engine.get(&Scope::All, id)), Some(ErrorKind::NotFound));
}

#[test]
fn purge_trashed_counts_what_it_destroys_and_stays_in_its_scope() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::manual(time("2025-01-01T00:00:00Z"));
    let engine = Perihelion::open(Options { clock: clock.clone(), ..options(folder.path()) }).unwrap();
    for namespace in ["a", "a/b", "ab"] {
        let request = Remember::new("forget me").in_namespace(ns(namespace));
        let id = engine.remember(request).unwrap().id;
        engine.forget(&Scope::Exact(ns(namespace)), id).unwrap();
    }
    assert_eq!(
        engine.purge_trashed(&Scope::All, clock.now()).unwrap().memories,
        0,
        "only what lay there before"
    );
    clock.advance(SignedDuration::from_millis(1));
    assert_eq!(engine.purge_trashed(&scope("a/*"), clock.now()).unwrap().memories, 2);
    let left = all(&engine, Trashed::Only);
    assert_eq!(left.iter().map(|memory| memory.namespace.as_str()).collect::<Vec<_>>(), ["ab"]);
}

#[test]
fn revising_changes_what_is_recalled_and_keeps_what_was_said_before() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::manual(time("2025-01-01T00:00:00Z"));
    let engine = Perihelion::open(Options { clock: clock.clone(), ..options(folder.path()) }).unwrap();
    let id = keep(&engine, "Ana works for Acme");
    for (content, hour) in [("Ana works for Globex", 1), ("Ana works for Initech", 2)] {
        clock.advance(SignedDuration::from_hours(1));
        let revise = Revise { content: Some(content.into()), ..Revise::default() };
        let revised = engine.revise(&Scope::All, id, revise).unwrap();
        assert_eq!((revised.memory.content.as_str(), revised.memory.version), (content, hour + 1));
    }
    assert!(!finds(&engine, "Acme", "Ana works for Acme"));
    assert!(finds(&engine, "Initech", "Ana works for Initech"));
    let history = engine.history(&Scope::All, id).unwrap().versions;
    let said: Vec<_> = history.iter().map(|version| (version.version, version.content.as_str())).collect();
    assert_eq!(said, [(1, "Ana works for Acme"), (2, "Ana works for Globex")]);
    assert_eq!(history[0].until, history[1].since);
    assert_eq!(history[1].until, clock.now());
}

#[test]
fn a_revision_that_expects_another_version_is_refused_and_changes_nothing() {
    let (_folder, engine) = fresh();
    let id = keep(&engine, "The port is 8080");
    let revise = |version, content: &str| Revise {
        content: Some(content.into()),
        expected_version: Some(version),
        ..Revise::default()
    };
    engine.revise(&Scope::All, id, revise(1, "The port is 9090")).unwrap();
    let refused = engine.revise(&Scope::All, id, revise(1, "The port is 7070"));
    assert_eq!(kind_of(refused), Some(ErrorKind::Conflict));
    assert_eq!(engine.get(&Scope::All, id).unwrap().content, "The port is 9090");
    let twin = keep(&engine, "The port is 6060");
    let same = engine.revise(&Scope::All, twin, revise(1, "The port is 9090"));
    assert_eq!(kind_of(same), Some(ErrorKind::Conflict), "two memories must not say the same");
    engine.forget(&Scope::All, id).unwrap();
    assert_eq!(kind_of(engine.revise(&Scope::All, id, revise(2, "x"))), Some(ErrorKind::NotFound));
}

#[test]
fn revising_labels_keeps_the_content_and_its_meaning() {
    let (_folder, engine) = fresh();
    let id = keep(&engine, "Backups run at three in the morning");
    let revise = Revise {
        tags: Some(vec!["ops".into(), " ops ".into(), "backup".into()]),
        aliases: Some(vec!["nightly job".into()]),
        kind: Some(Kind::Procedure),
        layer: Some(Layer::Episodic),
        pinned: Some(true),
        ..Revise::default()
    };
    let memory = engine.revise(&Scope::All, id, revise).unwrap().memory;
    assert_eq!(memory.facets.tags, ["ops", "backup"], "trimmed and each once, as when remembering");
    assert_eq!((memory.kind, memory.layer, memory.facets.pinned), (Kind::Procedure, Layer::Episodic, true));
    assert!(memory.space.is_some());
    assert!(engine.history(&Scope::All, id).unwrap().versions.is_empty());
    assert!(finds(&engine, "nightly job", "Backups run at three in the morning"));
}

#[test]
fn bad_revisions_are_refused() {
    let (_folder, engine) = fresh();
    let id = keep(&engine, "fine");
    for revise in [
        Revise { content: Some(" ".into()), ..Revise::default() },
        Revise { tags: Some(vec![String::new()]), ..Revise::default() },
        Revise { aliases: Some(vec!["a\0".into()]), ..Revise::default() },
    ] {
        let refused = engine.revise(&Scope::All, id, revise.clone());
        assert_eq!(kind_of(refused), Some(ErrorKind::InvalidInput), "{revise:?}");
    }
    assert_eq!(engine.get(&Scope::All, id).unwrap().version, 1);
}

#[test]
fn list_pages_through_everything_once_in_either_order() {
    let (_folder, engine) = fresh();
    let mut ids: Vec<_> = (0..25).map(|i| keep(&engine, &format!("memory number {i}"))).collect();
    for order in [Order::OldestFirst, Order::NewestFirst] {
        let mut query = ListQuery { order, limit: 7, ..ListQuery::default() };
        let mut listed = Vec::new();
        loop {
            let page = engine.list(query.clone()).unwrap();
            assert!(page.memories.len() <= 7);
            listed.extend(page.memories.into_iter().map(|memory| memory.id));
            query.after = page.next;
            if query.after.is_none() {
                break;
            }
        }
        assert_eq!(listed, ids);
        ids.reverse();
    }
}

#[test]
fn every_verb_stays_in_its_scope() {
    let (_folder, engine) = fresh();
    let request = Remember::new("only the team knows").in_namespace(ns("team/a"));
    let id = engine.remember(request).unwrap().id;
    for outside in [scope("team"), scope("team/b/*"), scope("tea/*"), scope("team/a/b"), Scope::default()] {
        assert_eq!(kind_of(engine.get(&outside, id)), Some(ErrorKind::NotFound), "{outside}");
        assert_eq!(kind_of(engine.history(&outside, id)), Some(ErrorKind::NotFound), "{outside}");
        assert_eq!(kind_of(engine.forget(&outside, id)), Some(ErrorKind::NotFound), "{outside}");
        let revise = engine.revise(&outside, id, Revise { pinned: Some(true), ..Revise::default() });
        assert_eq!(kind_of(revise), Some(ErrorKind::NotFound), "{outside}");
        let recalled = engine.recall(&Recall::new("only the team knows").in_scope(outside.clone())).unwrap();
        assert!(recalled.hits.is_empty(), "{outside}");
        let listed = engine.list(ListQuery { scope: outside.clone(), ..ListQuery::default() }).unwrap();
        assert!(listed.memories.is_empty(), "{outside}");
        assert_eq!(engine.stats(&outside).unwrap().memories, 0, "{outside}");
    }
    for inside in [scope("team/a"), scope("team/*"), scope("team/a/*"), Scope::All] {
        assert!(engine.get(&inside, id).is_ok(), "{inside}");
        let recalled = engine.recall(&Recall::new("only the team knows").in_scope(inside.clone())).unwrap();
        assert_eq!(recalled.hits.len(), 1, "{inside}");
    }
}

#[test]
fn the_same_id_in_two_namespaces_is_two_memories() {
    let (_folder, engine) = fresh();
    let id = keep(&engine, "the original");
    let copy = Remember { id: Some(id), ..Remember::new("the copy").in_namespace(ns("copies")) };
    engine.remember(copy).unwrap();
    engine.forget(&scope("copies"), id).unwrap();
    assert!(finds(&engine, "original", "the original"));
    assert_eq!(engine.get(&scope("default"), id).unwrap().trashed_at, None);
    assert!(engine.get(&scope("copies"), id).unwrap().trashed_at.is_some());
}

#[test]
fn recall_over_scopes_looks_into_each_namespace_once() {
    let (_folder, engine) = fresh();
    for namespace in ["team/a", "team/b", "shared", "private"] {
        let content = format!("the launch code word of {namespace} is plum");
        engine.remember(Remember::new(content).in_namespace(ns(namespace))).unwrap();
    }
    let request = Recall::new("launch code word plum")
        .in_scope(scope("team/*"))
        .in_scope(scope("team/a"))
        .in_scope(scope("shared"))
        .in_scope(scope("nowhere"));
    let recalled = engine.recall(&request).unwrap();
    let mut from: Vec<_> = recalled.hits.iter().map(|hit| hit.memory.namespace.as_str()).collect();
    from.sort_unstable();
    assert_eq!(from, ["shared", "team/a", "team/b"]);
}

#[test]
fn namespaces_are_listed_while_they_hold_something() {
    let (_folder, engine) = fresh();
    let id = engine.remember(Remember::new("a note").in_namespace(ns("brief"))).unwrap().id;
    engine.forget(&Scope::All, id).unwrap();
    assert_eq!(engine.namespaces(&Scope::All).unwrap(), [ns("brief")], "the trash counts");
    engine.purge(&Scope::All, id).unwrap();
    assert!(engine.namespaces(&Scope::All).unwrap().is_empty());
    engine.doctor();
    assert!(engine.namespaces(&Scope::All).unwrap().is_empty(), "the doctor leaves nothing behind");
}

#[test]
fn stats_count_what_is_there() {
    let (_folder, engine) = fresh();
    keep(&engine, "one");
    let two = keep(&engine, "two more words");
    engine.remember(Remember::new("a turn").said("s", "Ana").in_namespace(ns("team"))).unwrap();
    engine.forget(&Scope::All, two).unwrap();
    let stats = engine.stats(&Scope::All).unwrap();
    assert_eq!((stats.memories, stats.trashed, stats.unembedded), (2, 1, 0));
    assert!(stats.database_bytes > 0);
    assert_eq!(stats.space, engine.space().map(|space| space.to_string()));
    let default = stats.namespaces.iter().find(|stats| stats.namespace == ns("default")).unwrap();
    assert_eq!((default.memories, default.trashed, default.content_bytes), (1, 1, 3));
    assert_eq!(default.kinds, [(Kind::Fact, 1)]);
    let team = engine.stats(&scope("team")).unwrap();
    assert_eq!((team.memories, team.namespaces.len()), (1, 1));
    assert_eq!(team.namespaces[0].layers, [(Layer::Episodic, 1)]);
}

#[test]
fn everything_is_there_after_opening_again() {
    let (folder, engine) = fresh();
    let kept = keep(&engine, "The staging server is called Ganymede");
    let gone = keep(&engine, "The old server was called Callisto");
    engine.forget(&Scope::All, gone).unwrap();
    let before = (all(&engine, Trashed::Without), all(&engine, Trashed::Only));
    engine.close().unwrap();
    let engine = open(folder.path());
    assert_eq!((all(&engine, Trashed::Without), all(&engine, Trashed::Only)), before);
    assert_eq!(ask(&engine, "Ganymede").hits[0].memory.id, kept);
    assert!(ask(&engine, "Callisto").hits.is_empty());
}

#[test]
fn the_doctor_finds_a_healthy_engine_healthy_and_stores_nothing() {
    let (_folder, engine) = fresh();
    keep(&engine, "something to look at");
    let before = all(&engine, Trashed::Without);
    for check in engine.doctor() {
        assert_eq!(check.verdict, perihelion::Verdict::Ok, "{check:?}");
    }
    assert_eq!(all(&engine, Trashed::Without), before);
    assert!(all(&engine, Trashed::Only).is_empty());
}

//! What is heard becomes notes, and notes become memories.

use std::sync::{Arc, Mutex};

use jiff::SignedDuration;
use perihelion::{
    EventKind, Hear, JournalQuery, Kind, Namespace, Observe, Recall, Said, SaidBy, Scope, Trashed,
};

use super::{hear, noted, say};
use crate::supersession::clocked;
use crate::support::{all, ask, contents, fresh, ns};

#[test]
fn a_decision_becomes_a_note_and_a_memory_that_leads_back_to_the_words() {
    let (_folder, engine) = fresh();
    say(&engine, "default", "monday", "We decided to use PostgreSQL for the billing service.");
    let notes = engine.session_notes(&Namespace::default(), "monday").unwrap().unwrap();
    assert_eq!(notes.notes.len(), 1, "{notes:?}");
    let found = ask(&engine, "which database does billing use?");
    let memory = &found.hits[0].memory;
    assert!(memory.content.contains("PostgreSQL"), "{memory:?}");
    assert_eq!((memory.kind, memory.facets.source.as_deref()), (Kind::Decision, Some("notes")));
    let entry = memory.facets.entry.expect("it came from something that was said");
    let said = engine.journal_entry(&Scope::All, entry).unwrap();
    assert_eq!(said.text, "We decided to use PostgreSQL for the billing service.");
    assert_eq!((said.session.as_deref(), said.actor.as_deref()), (Some("monday"), Some("user")));
    assert!(notes.notes[0].origins.contains(&format!("journal:{entry}")), "{notes:?}");
}

#[test]
fn whoever_tells_a_turn_again_changes_nothing() {
    let (folder, engine) = fresh();
    let at = "2026-03-02T09:00:00Z".parse().unwrap();
    let turn = Hear {
        session: "월요일".to_owned(),
        messages: vec![
            Said::new(SaidBy::User, "앞으로 배포는 금요일에 하지 않기로 결정했어.", at),
            Said::new(SaidBy::Assistant, "네, 알겠습니다.", at),
        ],
        ..Hear::default()
    };
    let first = engine.hear(turn.clone(), Observe::Now).unwrap();
    assert_eq!((first.kept, first.repeated), (2, 0));
    let before = (noted(&engine, "default", "월요일"), all(&engine, Trashed::Without));
    assert!(!before.0.is_empty() && !before.1.is_empty(), "{before:?}");
    drop(engine);
    let engine = crate::support::open(folder.path());
    let again = engine.hear(turn, Observe::Now).unwrap();
    assert_eq!((again.kept, again.repeated), (0, 2));
    assert_eq!((noted(&engine, "default", "월요일"), all(&engine, Trashed::Without)), before);
    let journal =
        engine.journal(&JournalQuery { scope: Scope::All, limit: 10, ..JournalQuery::default() }).unwrap();
    assert_eq!(journal.entries.len(), 2);
}

#[test]
fn few_words_wait_until_there_is_enough_or_they_are_old() {
    let (_folder, engine, clock) = clocked();
    let heard = Hear {
        session: "s".to_owned(),
        messages: vec![Said { role: SaidBy::User, text: "I prefer tabs over spaces.".to_owned(), at: None }],
        ..Hear::default()
    };
    engine.hear(heard, Observe::Due).unwrap();
    let waits =
        |engine: &perihelion::Perihelion| engine.note_sessions(&Namespace::default()).unwrap()[0].pending;
    assert_eq!((waits(&engine), noted(&engine, "default", "s").len()), (1, 0));
    clock.advance(SignedDuration::from_hours(1));
    engine.maintain().unwrap();
    assert_eq!((waits(&engine), noted(&engine, "default", "s").len()), (0, 1));
    assert_eq!(all(&engine, Trashed::Without).len(), 1);
}

#[test]
fn what_is_done_and_what_is_no_longer_so_is_told_to_the_memories() {
    let (_folder, engine, clock) = clocked();
    say(&engine, "default", "one", "We use MySQL for the orders database.");
    say(&engine, "default", "one", "TODO: add an index on the orders table.");
    clock.advance(SignedDuration::from_hours(2));
    say(&engine, "default", "two", "We moved from MySQL to PostgreSQL for the orders database.");
    clock.advance(SignedDuration::from_hours(2));
    let found = ask(&engine, "which database holds the orders?");
    assert!(found.hits[0].memory.content.contains("PostgreSQL"), "{:?}", contents(&found));
    assert!(
        ask(&engine, "what is to be done about the orders table?").hits[0].memory.content.contains("index")
    );
    say(&engine, "default", "one", "Done: added an index on the orders table.");
    let found = ask(&engine, "was an index added to the orders table?");
    assert!(contents(&found)[0].to_lowercase().contains("done"), "{:?}", contents(&found));
}

#[test]
fn a_new_value_supersedes_the_old_one_of_another_session_and_leaves_other_things_alone() {
    let (_folder, engine, clock) = clocked();
    say(&engine, "default", "one", "We decided to use MySQL 8 for the checkout service.");
    say(&engine, "default", "one", "We decided to use MySQL for the wiki.");
    say(&engine, "default", "one", "결제 서비스는 Redis를 쓰기로 결정했어.");
    clock.advance(SignedDuration::from_hours(30));
    say(&engine, "default", "two", "We moved from MySQL to PostgreSQL for the checkout service.");
    say(&engine, "default", "two", "결제 서비스를 Redis에서 Valkey로 옮겼어.");
    let stands: Vec<String> = all(&engine, Trashed::Without)
        .into_iter()
        .filter(|memory| memory.facets.superseded_by.is_none())
        .map(|memory| memory.content)
        .collect();
    assert!(!stands.iter().any(|one| one.contains("MySQL 8")), "{stands:?}");
    assert!(stands.iter().any(|one| one.contains("wiki")), "{stands:?}");
    assert!(!stands.iter().any(|one| one.contains("Redis를 쓰기로")), "{stands:?}");
    assert!(stands.iter().any(|one| one.contains("PostgreSQL")), "{stands:?}");
}

#[test]
fn what_is_done_in_one_session_completes_the_task_of_another() {
    let (_folder, engine, clock) = clocked();
    say(&engine, "default", "one", "TODO: rotate the carrier webhook secret before the pilot.");
    say(&engine, "default", "one", "TODO: write the carrier documentation.");
    clock.advance(SignedDuration::from_hours(30));
    say(&engine, "default", "two", "I rotated the carrier webhook secret this morning, so that is done.");
    let found = ask(&engine, "was the carrier webhook secret rotated?");
    assert!(contents(&found)[0].contains("rotated"), "{:?}", contents(&found));
    let stands = |text: &str| {
        let all = all(&engine, Trashed::Without);
        all.iter().any(|memory| memory.content.contains(text) && memory.facets.superseded_by.is_none())
    };
    assert!(!stands("TODO: rotate") && stands("documentation"));
}

#[test]
fn a_note_that_changes_revises_its_memory_and_what_a_person_forgot_stays_forgotten() {
    let (folder, engine) = fresh();
    say(&engine, "default", "s", "We decided to release on Thursdays.");
    let [memory] = &all(&engine, Trashed::Without)[..] else { panic!("one memory") };
    let file = folder.path().join("notes/default/observations/s.md");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("Thursdays", "Tuesdays")).unwrap();
    engine.observe(&Namespace::default(), "s").unwrap();
    let revised = engine.get(&Scope::All, memory.id).unwrap();
    assert!(revised.content.contains("Tuesdays") && revised.version > 1, "{revised:?}");
    engine.forget(&Scope::All, memory.id).unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("Tuesdays", "Mondays")).unwrap();
    engine.observe(&Namespace::default(), "s").unwrap();
    assert!(all(&engine, Trashed::Without).is_empty());
    assert!(engine.get(&Scope::All, memory.id).unwrap().content.contains("Tuesdays"));
}

#[test]
fn secrets_are_neither_noted_nor_written_down() {
    let (folder, engine) = fresh();
    let secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let receipt =
        say(&engine, "default", "s", &format!("We decided to use the token {secret} for deployments."));
    assert_eq!(receipt.redacted, 1);
    drop(engine);
    let mut folders = vec![folder.path().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let bytes = std::fs::read(&path).unwrap();
            let found = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!found, "{}", path.display());
        }
    }
}

#[test]
fn nothing_of_a_namespace_is_seen_in_another() {
    let (_folder, engine) = fresh();
    say(&engine, "team/a", "s", "We decided to call the project Heron.");
    assert!(noted(&engine, "team/b", "s").is_empty());
    assert!(engine.note_sessions(&ns("team/b")).unwrap().is_empty());
    let elsewhere = Recall::new("what is the project called?").in_scope(Scope::Exact(ns("team/b")));
    assert!(engine.recall(&elsewhere).unwrap().hits.is_empty());
    let here = Recall::new("what is the project called?").in_scope(Scope::Exact(ns("team/a")));
    assert_eq!(engine.recall(&here).unwrap().hits.len(), 1);
}

#[test]
fn what_is_malformed_is_refused_and_what_is_too_long_is_cut() {
    let (_folder, engine) = fresh();
    for name in ["", " ", "a\0b"] {
        let heard = Hear { session: name.to_owned(), ..Hear::default() };
        assert!(engine.hear(heard, Observe::Now).is_err(), "{name:?}");
    }
    let long = format!("우리는 {} 쓰기로 결정했어", "가".repeat(200_000));
    let receipt = hear(&engine, "default", "s", &[(SaidBy::User, &long), (SaidBy::User, " \n")]);
    assert_eq!(receipt.kept, 1, "{receipt:?}");
}

#[test]
fn observing_is_among_the_events() {
    let (_folder, engine) = fresh();
    let seen: Arc<Mutex<Vec<EventKind>>> = Arc::default();
    let told = Arc::clone(&seen);
    let subscription =
        engine.subscribe(None, move |event| told.lock().unwrap().push(event.what.kind())).unwrap();
    say(&engine, "default", "s", "We decided to use Rust.");
    subscription.cancel();
    let kinds = seen.lock().unwrap().clone();
    assert!(kinds.contains(&EventKind::Observed) && kinds.contains(&EventKind::Stored), "{kinds:?}");
}

//! Notes tell which messages they came from, and what kind of thing they are.

use peri_companion::{Settings, When};
use peri_notes::{Item, Message, Origin, Progress};
use peri_types::EntryId;

use crate::support::*;

fn entry(number: u8) -> EntryId {
    EntryId::from_bytes([number; 16])
}

fn cites(numbers: &[u8]) -> Vec<Origin> {
    numbers.iter().map(|number| Origin::Entry(entry(*number))).collect()
}

/// Keeps what was said in entries that are numbered from a first one on, and observes it.
fn say(desk: &Desk, first: u8, texts: &[&str]) {
    let cited = |(number, text): (u8, &&str)| Message { entry: Some(entry(number)), ..user(text) };
    let messages: Vec<Message> = (first..).zip(texts).map(cited).collect();
    desk.companion.keep(&team(), &desk.session, &messages, &[]).unwrap();
    assert!(has_observed(&desk.step(When::Now)));
}

fn told(items: &[Item], words: &str) -> Item {
    items
        .iter()
        .find(|item| item.text.contains(words))
        .unwrap_or_else(|| panic!("{words}: {items:?}"))
        .clone()
}

#[test]
fn a_note_cites_the_message_it_came_from_and_every_one_that_changed_it() {
    let desk = Desk::ruled(Settings::default());
    say(
        &desk,
        1,
        &[
            "Hello!",
            "We decided to use MySQL for the orders database.",
            "항상 한국어로 답해 줘.",
            "We still need to write the release notes.",
        ],
    );
    let items = desk.items();
    let [decision, preference, task] = ["MySQL", "한국어", "release notes"].map(|words| told(&items, words));
    assert_eq!((decision.origins, decision.kind.as_deref()), (cites(&[2]), Some("decision")));
    assert_eq!(preference.origins, cites(&[3]));
    assert_eq!((task.origins, task.kind.as_deref()), (cites(&[4]), Some("open task")));
    say(&desk, 5, &["We moved the orders database from MySQL to Postgres.", "The release notes are done."]);
    let items = desk.items();
    let moved = told(&items, "Postgres");
    assert_eq!((moved.origins, moved.kind.as_deref()), (cites(&[5, 2]), Some("state change")));
    let done = told(&items, "need to write the release notes");
    assert_eq!((done.progress, done.origins), (Progress::Done, cites(&[4, 6])));
    assert_eq!(done.kind.as_deref(), Some("open task"), "a note stays what it is");
}

#[test]
fn what_is_in_no_journal_is_noted_all_the_same() {
    let desk = Desk::ruled(Settings::default());
    desk.keep(&["We decided to use MySQL for the orders database."]);
    desk.step(When::Now);
    assert_eq!(told(&desk.items(), "MySQL").origins, []);
}

#[test]
fn a_turn_that_is_told_again_with_its_entries_is_not_kept_again() {
    let desk = Desk::ruled(Settings::default());
    let message = user("我们决定用 MySQL。");
    let cited = Message { entry: Some(entry(1)), ..message.clone() };
    for (message, kept) in [(&message, 1), (&cited, 0), (&message, 0)] {
        let turned = desk.companion.keep(&team(), &desk.session, std::slice::from_ref(message), &[]).unwrap();
        assert_eq!((turned.kept, turned.repeated), (kept, 1 - kept));
    }
}

#[test]
fn a_note_of_the_digest_cites_the_note_of_the_session_and_keeps_its_kind() {
    let desk = Desk::ruled(Settings { promote_tokens: 1, ..Settings::default() });
    say(&desk, 1, &["항상 한국어로 답해 줘."]);
    let note = told(&desk.items(), "한국어");
    let promoted = told(&desk.digest(), "한국어");
    assert_eq!(promoted.origins, [Origin::Note { session: desk.session.clone(), id: note.id }]);
    assert_eq!(promoted.kind, note.kind);
    assert!(note.kind.is_some());
}

#[cfg(feature = "model")]
mod by_model {
    use std::sync::Arc;

    use peri_notes::MemoryShelf;
    use serde_json::{Value, json};

    use super::*;
    use crate::server::{Reply, Scripted};

    /// A desk with a model that answers so.
    fn desk(answer: Value) -> Desk {
        let scripted = Scripted::new(&clock(), move |_| Reply::Says(answer.to_string()));
        Desk::new(Arc::new(MemoryShelf::default()), Arc::new(scripted), Settings::default())
    }

    fn note(text: &str, from: Value) -> Value {
        json!({ "text": text, "priority": "medium", "kind": "decision", "replaces": [], "was": null,
                "durable": false, "from": from })
    }

    #[test]
    fn a_note_cites_the_messages_that_a_model_names_or_those_that_say_most_of_it() {
        let answer = json!({
            "new": [
                note("주문 데이터베이스는 Postgres로 한다", json!(["m1", "m2"])),
                note("금요일에는 배포하지 않는다", json!(["m77", "n1"])),
                note("团队周三开会", json!([])),
            ],
            "reworded": [],
            "done": [],
        });
        let desk = desk(answer);
        say(
            &desk,
            1,
            &["데이터베이스를 정하자", "Postgres로 하자", "금요일에는 배포하지 말자", "团队每周三开会"],
        );
        let items = desk.items();
        assert_eq!(told(&items, "Postgres").origins, cites(&[1, 2]));
        assert_eq!(told(&items, "금요일").origins, cites(&[3]));
        assert_eq!(told(&items, "团队").origins, cites(&[4]));
        assert!(items.iter().all(|item| item.kind.as_deref() == Some("decision")));
    }

    #[test]
    fn a_note_in_other_words_and_one_that_is_done_cite_what_was_said() {
        let answer = json!({
            "new": [],
            "reworded": [{ "id": "n1", "text": "The orders database is MySQL 8", "priority": "medium", "from": ["m2"] }],
            "done": ["n2"],
        });
        let desk = desk(answer);
        desk.note(&[
            (peri_notes::Priority::Medium, "The orders database is MySQL"),
            (peri_notes::Priority::Medium, "We still need to write the release notes"),
        ]);
        say(&desk, 1, &["We have written the release notes", "It is version 8 by the way"]);
        let items = desk.items();
        assert_eq!(told(&items, "MySQL 8").origins, cites(&[2]));
        let done = told(&items, "release notes");
        assert_eq!((done.progress, done.origins), (Progress::Done, cites(&[1])));
    }
}

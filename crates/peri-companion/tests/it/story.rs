//! One conversation, told to the companion with rules and with a model, on each shelf.

use std::sync::Arc;

use peri_companion::{Event, Rules, Settings, Thinker, When};
use peri_notes::{FileSettings, FileShelf, MemoryShelf, Message, Priority, Progress, Shelf, Speaker};

use crate::crash::held;
use crate::scripted;
use crate::server::Scripted;
use crate::shelves::{Break, Breaking};
use crate::support::*;

/// Talk of which nothing is to be noted, in about so many tokens.
fn talk(words: usize) -> Message {
    said(Speaker::Assistant, &"Here is what I see in the file, line by line. ".repeat(words / 11))
}

fn told(desk: &Desk, messages: &[Message], handed_out: &[&str]) -> Vec<Event> {
    let handed_out: Vec<String> = handed_out.iter().map(|text| (*text).to_owned()).collect();
    let turned = desk.companion.turn(&team(), &desk.session, messages, &handed_out).unwrap();
    ok(turned.stepped.unwrap())
}

fn story(desk: &Desk) {
    // A few words wait.
    let events = told(desk, &[user("안녕! 오늘도 잘 부탁해.")], &[]);
    assert!(matches!(events[..], [Event::Waits { of_tokens: 200, .. }]), "{events:?}");
    assert_eq!(desk.pending().len(), 1);

    // Enough of them are observed; what a tool said is not.
    let trace = said(Speaker::Tool, "{\"decided\": \"to use Oracle\"}");
    let first = [
        user("We decided to use MySQL for the orders database."),
        trace,
        user("앞으로 항상 한국어로 답해줘."),
        user("提交之前必须先跑测试。"),
        user("We still need to write the release notes."),
        talk(250),
    ];
    let turned = desk.companion.turn(&team(), &desk.session, &first, &[]).unwrap();
    assert_eq!((turned.kept, turned.left_out.messages), (5, 1));
    let events = ok(turned.stepped.unwrap());
    assert!(has_observed(&events), "{events:?}");
    assert!(desk.pending().is_empty());
    let texts = desk.texts().join("\n");
    for words in ["MySQL", "한국어로", "测试", "release notes"] {
        assert!(texts.contains(words), "{words} is not in {texts}");
    }
    assert!(!texts.contains("Oracle"), "{texts}");

    // What is no longer so goes, what is done is marked, and the memories can be told.
    let second =
        [user("We moved the orders database from MySQL to Postgres."), user("The release notes are done.")];
    assert_eq!(desk.companion.keep(&team(), &desk.session, &second, &[]).unwrap().kept, 2);
    let stepped = desk.companion.step(&team(), &desk.session, When::Now).unwrap();
    let replaced: Vec<_> = stepped.replaced().collect();
    assert_eq!(replaced.len(), 1, "{stepped:?}");
    assert!(replaced[0].old.contains("MySQL") && replaced[0].new.contains("Postgres"), "{replaced:?}");
    let kept = desk.notes().replaced(&team()).unwrap();
    assert_eq!(kept[0].1.entries, [replaced[0].clone()]);
    let items = desk.items();
    assert!(!items.iter().any(|item| item.text.contains("We decided to use MySQL")), "{items:?}");
    let notes = items.iter().find(|item| item.text.contains("write the release notes")).unwrap();
    assert_eq!(notes.progress, Progress::Done);

    // What memory handed out is not learned again.
    let handed = "User never deploys on a Friday.";
    let before = desk.texts();
    told(desk, &[], &[handed]);
    told(desk, &[said(Speaker::Assistant, "As you know, you never deploy on a Friday."), user(handed)], &[]);
    assert!(has_observed(&desk.step(When::Now)));
    assert_eq!(desk.texts(), before);
    assert!(desk.pending().is_empty());

    // Nothing is left to do.
    assert_eq!(desk.step(When::Now), []);
}

fn settings() -> Settings {
    Settings::default()
}

fn on_each_shelf(thinker: impl Fn() -> Arc<dyn Thinker>) {
    let folder = tempfile::tempdir().unwrap();
    let shelves: [Arc<dyn Shelf>; 2] = [
        Arc::new(MemoryShelf::default()),
        Arc::new(FileShelf::new(folder.path().join("notes"), FileSettings::default())),
    ];
    for shelf in shelves {
        story(&Desk::new(shelf, thinker(), settings()));
    }
}

#[test]
fn the_story_is_true_by_rules() {
    on_each_shelf(|| Arc::new(Rules::default()));
}

#[test]
fn the_story_is_true_with_a_model() {
    on_each_shelf(|| Arc::new(Scripted::new(&clock(), scripted::answer)));
}

#[test]
fn priorities_are_kept_in_each_language() {
    let desk = Desk::ruled(settings());
    desk.keep(&["절대 금요일에는 배포하지 마.", "I prefer short answers.", "我叫王伟，是后端工程师。"]);
    assert!(has_observed(&desk.step(When::Now)));
    let items = desk.items();
    assert_eq!(items.len(), 3, "{items:?}");
    assert_eq!(items[0].priority, Priority::High);
}

#[test]
fn a_step_that_is_not_due_costs_a_few_reads_and_changes_nothing() {
    let shelf = Arc::new(MemoryShelf::default());
    let desk = |shelf: Arc<dyn Shelf>| Desk::new(shelf, Arc::new(Rules::default()), settings());
    let before = desk(Arc::clone(&shelf) as Arc<dyn Shelf>);
    before.note(&[(Priority::High, "절대 금요일에는 배포하지 않는다")]);
    before.keep(&["안녕!"]);
    let kept = held(shelf.as_ref());
    let counted = Arc::new(Breaking::new(&shelf, usize::MAX, Break::Before));
    let events = desk(Arc::clone(&counted) as Arc<dyn Shelf>).step(When::Due);
    assert!(matches!(events[..], [Event::Waits { .. }]), "{events:?}");
    assert!(counted.calls() <= 12, "{} calls", counted.calls());
    assert_eq!(held(shelf.as_ref()), kept);
}

#[test]
fn few_messages_are_observed_once_they_are_old() {
    let desk = Desk::ruled(settings());
    desk.keep(&["We decided to use Postgres."]);
    assert!(matches!(desk.step(When::Due)[..], [Event::Waits { .. }]));
    desk.advance(settings().idle);
    let events = desk.companion.step_all(&team()).unwrap().events;
    assert!(has_observed(&events), "{events:?}");
    assert_eq!(desk.texts().len(), 1);
}

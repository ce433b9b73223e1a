//! Steps that fail wait, are tried again, and are given up with what they were to consider kept.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use peri_companion::{
    Condensed, Condensing, Event, Observed, Observing, Promoting, Promotion, Settings, Step, ThinkError,
    Thinker, When,
};
use peri_llm::Refusal;
use peri_notes::{Candidate, Draft, Place, Priority};

use crate::support::*;

/// Fails for as long as it is told to.
#[derive(Clone, Default)]
struct Moody(Arc<Mutex<Mood>>);

#[derive(Default)]
struct Mood {
    error: Option<ThinkError>,
    /// Messages with these words cannot be observed.
    poison: Option<&'static str>,
    calls: usize,
}

impl Moody {
    fn fails(&self, error: Option<ThinkError>) {
        self.0.lock().error = error;
    }

    fn calls(&self) -> usize {
        self.0.lock().calls
    }

    fn ask(&self) -> Result<(), ThinkError> {
        let mut mood = self.0.lock();
        mood.calls += 1;
        mood.error.clone().map_or(Ok(()), Err)
    }
}

impl Thinker for Moody {
    fn observe(&self, given: &Observing<'_>) -> Result<Observed, ThinkError> {
        self.ask()?;
        let poison = self.0.lock().poison;
        if poison.is_some_and(|words| given.messages.iter().any(|message| message.text.contains(words))) {
            return Err(unsound());
        }
        Scribe.observe(given)
    }

    fn reflect(&self, given: &Condensing<'_>) -> Result<Condensed, ThinkError> {
        self.ask()?;
        Scribe.reflect(given)
    }

    fn promote(&self, given: &Promoting<'_>) -> Result<Promotion, ThinkError> {
        self.ask()?;
        Scribe.promote(given)
    }

    fn compact(&self, given: &Condensing<'_>) -> Result<Condensed, ThinkError> {
        self.ask()?;
        Scribe.compact(given)
    }
}

fn unreachable() -> ThinkError {
    ThinkError::Refused(Refusal::Paused { place: "here".to_owned(), until: at(START) })
}

#[test]
fn what_failed_waits_twice_as_long_each_time_and_is_tried_again() {
    let moody = Moody::default();
    let desk = Desk::in_memory(moody.clone(), Settings::default());
    moody.fails(Some(unreachable()));
    desk.keep(&["하나"]);
    for (attempts, wait) in [(1, 30), (2, 60), (3, 120)] {
        let events = desk.step(When::Now);
        assert!(
            matches!(&events[..], [Event::Failed { step: Step::Observe, attempts: told, next_at: Some(_), .. }] if *told == attempts),
            "{events:?}"
        );
        desk.advance(Duration::from_secs(wait - 1));
        let events = desk.step(When::Now);
        assert!(matches!(events[..], [Event::Held { step: Step::Observe, .. }]), "{events:?}");
        assert_eq!(moody.calls(), attempts as usize, "nobody is asked before it is time");
        desk.advance(Duration::from_secs(1));
    }
    desk.keep(&["二"]);
    moody.fails(None);
    assert!(has_observed(&desk.step(When::Now)));
    assert_eq!(desk.texts(), ["하나", "二"]);
    assert!(desk.notes().troubles(&team(), Place::Session(&desk.session)).unwrap().is_empty());
}

#[test]
fn what_is_nobodys_fault_is_never_given_up() {
    let moody = Moody::default();
    let desk = Desk::in_memory(moody.clone(), Settings::default());
    moody.fails(Some(unreachable()));
    desk.keep(&["하나"]);
    for _ in 0..50 {
        assert!(matches!(desk.step(When::Now)[..], [Event::Failed { next_at: Some(_), .. }]));
        desk.advance(Settings::default().backoff_max);
    }
    moody.fails(Some(unsound()));
    assert!(
        matches!(desk.step(When::Now)[..], [Event::Failed { next_at: Some(_), .. }]),
        "that is the first"
    );
    assert_eq!(desk.pending(), ["하나"]);
}

#[test]
fn a_message_that_cannot_be_observed_is_put_aside_and_the_others_are_observed() {
    let moody = Moody::default();
    moody.0.lock().poison = Some("毒");
    let settings = Settings { observe_tokens_max: 64, ..Settings::default() };
    let desk = Desk::in_memory(moody.clone(), settings.clone());
    desk.keep(&["하나", "毒药", "셋", "넷"]);
    let mut events = Vec::new();
    for _ in 0..20 {
        events.extend(desk.step(When::Now));
        desk.advance(settings.backoff_max);
    }
    let aside = |event: &&Event| matches!(event, Event::SetAside { messages: 1, .. });
    assert_eq!(events.iter().filter(aside).count(), 1, "{events:?}");
    assert_eq!(desk.texts(), ["하나", "셋", "넷"]);
    assert_eq!((desk.aside(), desk.pending()), (vec!["毒药".to_owned()], Vec::new()));
    assert!(desk.notes().troubles(&team(), Place::Session(&desk.session)).unwrap().is_empty());

    // A person has it tried again.
    moody.0.lock().poison = None;
    assert_eq!(desk.companion.retry(&team(), &desk.session).unwrap(), 1);
    assert!(has_observed(&desk.step(When::Now)));
    assert_eq!(desk.texts(), ["하나", "셋", "넷", "毒药"]);
    assert!(desk.aside().is_empty());
    assert_eq!(desk.companion.retry(&team(), &desk.session).unwrap(), 0);
}

#[test]
fn notes_that_cannot_be_condensed_stay_and_wait_for_a_person() {
    let moody = Moody::default();
    let settings = Settings { reflect_tokens: 24, reflect_target_tokens: 20, ..Settings::default() };
    let desk = Desk::in_memory(moody.clone(), settings.clone());
    desk.note(&[
        (Priority::Low, "첫 번째 메모는 길다"),
        (Priority::Low, "第二条笔记也很长很长很长"),
        (Priority::High, "셋째는 중요하고 또 길다 아주 길다"),
    ]);
    let before = desk.items();
    moody.fails(Some(unsound()));
    for _ in 0..10 {
        assert!(!desk.step(When::Due).is_empty());
        desk.advance(settings.backoff_max);
    }
    assert_eq!(moody.calls(), 6, "after so many tries it is given up");
    assert_eq!(desk.items(), before);
    assert_eq!(desk.notes().troubled_sessions(&team()).unwrap(), [session("회의 3/10")]);
    let troubles = desk.notes().troubles(&team(), Place::Session(&desk.session)).unwrap();
    assert!(
        troubles["reflect"].next_at.is_none() && troubles["reflect"].error.contains("시험"),
        "{troubles:?}"
    );

    moody.fails(None);
    assert_eq!(desk.companion.retry(&team(), &desk.session).unwrap(), 0);
    assert!(matches!(desk.step(When::Due)[..], [Event::Reflected { .. }]));
}

#[test]
fn candidates_and_digests_wait_too() {
    let moody = Moody::default();
    let settings =
        Settings { promote_tokens: 5, compact_tokens: 16, compact_target_tokens: 10, ..Settings::default() };
    let desk = Desk::in_memory(moody.clone(), settings.clone());
    let candidate = Candidate {
        priority: Priority::High,
        text: "User always wants short answers.".to_owned(),
        at: at(START),
        items: Vec::new(),
        kind: Some("preference".to_owned()),
    };
    desk.notes().append_candidates(&team(), &desk.session, &[candidate]).unwrap();
    let fill = |digest: &mut peri_notes::Digest, now| {
        for text in ["The office has two floors and a garden.", "The team eats at noon on most days."] {
            digest.sheet.add(Draft::new(Priority::Low, text), now).unwrap();
        }
    };
    desk.notes().update_digest(&team(), fill).unwrap();
    moody.fails(Some(unsound()));
    let events = desk.companion.step_all(&team()).unwrap().events;
    assert!(
        matches!(
            &events[..],
            [
                Event::Failed { step: Step::Promote, session: None, .. },
                Event::Failed { step: Step::Compact, .. }
            ]
        ),
        "{events:?}"
    );
    let events = desk.companion.step_all(&team()).unwrap().events;
    assert!(matches!(&events[..], [Event::Held { .. }, Event::Held { .. }]), "{events:?}");
    assert_eq!((desk.digest().len(), moody.calls()), (2, 2));
    moody.fails(None);
    desk.companion.retry_digest(&team()).unwrap();
    let events = desk.companion.step_all(&team()).unwrap().events;
    assert!(matches!(&events[..], [Event::Promoted { .. }, Event::Compacted { .. }]), "{events:?}");
    assert!(desk.notes().troubles(&team(), Place::Digest).unwrap().is_empty());
}

#[test]
fn one_session_that_cannot_be_read_does_not_keep_the_others_waiting() {
    let broken = peri_notes::Key::new(peri_notes::Collection::Trouble, &session("나"));
    let shelf: Arc<dyn peri_notes::Shelf> = Arc::new(peri_notes::MemoryShelf::default());
    let desk = Desk::new(
        Arc::clone(&shelf),
        Arc::new(Scribe),
        Settings { observe_tokens_min: 1, ..Settings::default() },
    );
    for name in ["가", "나", "다"] {
        drop(desk.companion.keep(&team(), &session(name), &[user(name)], &[]).unwrap());
    }
    let garbage = peri_notes::Change::Put { key: broken, text: "{not json".to_owned() };
    assert_eq!(shelf.commit(&team(), &[garbage], &[]).unwrap(), peri_notes::Commit::Done);
    let error = desk.companion.step_all(&team()).unwrap_err();
    assert!(error.to_string().contains("나"), "{error}");
    let waiting = desk.notes().pending_sessions(&team()).unwrap();
    assert_eq!(waiting, [session("나")]);
}

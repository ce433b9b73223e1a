//! Two who do the same step at the same moment.

use std::sync::{Arc, Barrier};

use peri_companion::{
    Condensed, Condensing, Event, Observed, Observing, Promoting, Promotion, Settings, ThinkError, Thinker,
    When,
};
use peri_notes::{Candidate, Draft, MemoryShelf, Notes, Priority, Shelf};

use crate::support::*;

/// Thinks only when two do, and puts what is condensed in new words.
struct Pair(Barrier);

impl Pair {
    fn reworded(&self, condensed: Condensed) -> Condensed {
        self.0.wait();
        let drafts = condensed.drafts.into_iter().map(|draft| Draft { id: None, ..draft }).collect();
        Condensed { drafts, ..condensed }
    }
}

impl Thinker for Pair {
    fn observe(&self, given: &Observing<'_>) -> Result<Observed, ThinkError> {
        self.0.wait();
        Scribe.observe(given)
    }

    fn reflect(&self, given: &Condensing<'_>) -> Result<Condensed, ThinkError> {
        Ok(self.reworded(Scribe.reflect(given)?))
    }

    fn promote(&self, given: &Promoting<'_>) -> Result<Promotion, ThinkError> {
        self.0.wait();
        Scribe.promote(given)
    }

    fn compact(&self, given: &Condensing<'_>) -> Result<Condensed, ThinkError> {
        Ok(self.reworded(Scribe.compact(given)?))
    }
}

/// Lets two step at once, and gives what each tells.
fn both(settings: Settings, prepare: impl Fn(&Notes), when: When) -> (Desk, Vec<Event>) {
    let shelf: Arc<dyn Shelf> = Arc::new(MemoryShelf::default());
    let desk = Desk::new(shelf, Arc::new(Pair(Barrier::new(2))), settings);
    prepare(desk.notes());
    let mut events = std::thread::scope(|scope| {
        let steps = [(); 2].map(|()| scope.spawn(|| desk.step(when)));
        steps.into_iter().flat_map(|step| step.join().unwrap()).collect::<Vec<_>>()
    });
    events.sort_by_key(|event| matches!(event, Event::Elsewhere { .. }));
    (desk, events)
}

#[test]
fn messages_that_two_observe_are_noted_once() {
    let prepare = |notes: &Notes| {
        let messages = [user("하나"), user("二")];
        assert_eq!(notes.append_turn(&team(), &session("회의 3/10"), &messages, &[]).unwrap().messages, 2);
    };
    let (desk, events) = both(Settings::default(), prepare, When::Now);
    assert!(matches!(events[..], [Event::Observed { .. }, Event::Elsewhere { .. }]), "{events:?}");
    assert_eq!(desk.texts(), ["하나", "二"]);
}

#[test]
fn notes_that_two_condense_are_condensed_once() {
    let prepare = |notes: &Notes| {
        let add = |record: &mut peri_notes::Record, now| {
            for number in 0..20 {
                let text = format!("메모 {number} 내용은 {} 이다", number * 7919);
                record.sheet.add(Draft::new(Priority::Low, text), now).unwrap();
            }
        };
        notes.update(&team(), &session("회의 3/10"), add).unwrap();
    };
    let settings = Settings { reflect_tokens: 100, reflect_target_tokens: 50, ..Settings::default() };
    let (desk, events) = both(settings, prepare, When::Due);
    assert!(matches!(events[..], [Event::Reflected { .. }, Event::Elsewhere { .. }]), "{events:?}");
    let mut texts = desk.texts();
    let all = texts.len();
    texts.sort();
    texts.dedup();
    assert!(all > 2 && texts.len() == all, "{texts:?}");
}

#[test]
fn a_digest_that_two_condense_is_condensed_once() {
    let prepare = |notes: &Notes| {
        let add = |digest: &mut peri_notes::Digest, now| {
            for number in 0..20 {
                let text = format!("笔记 {number} 的内容是 {}", number * 7919);
                digest.sheet.add(Draft::new(Priority::Low, text), now).unwrap();
            }
        };
        notes.update_digest(&team(), add).unwrap();
    };
    let settings = Settings { compact_tokens: 100, compact_target_tokens: 50, ..Settings::default() };
    let (desk, events) = both(settings, prepare, When::Due);
    assert!(matches!(events[..], [Event::Compacted { .. }, Event::Elsewhere { .. }]), "{events:?}");
    let mut texts: Vec<String> = desk.digest().into_iter().map(|item| item.text).collect();
    let all = texts.len();
    texts.sort();
    texts.dedup();
    assert!(all > 2 && texts.len() == all, "{texts:?}");
    assert_eq!(desk.notes().archives(&team()).unwrap().len(), 1);
}

#[test]
fn candidates_that_two_consider_are_promoted_once() {
    let prepare = |notes: &Notes| {
        let candidate = Candidate {
            priority: Priority::High,
            text: "사용자는 항상 짧은 답을 원한다".to_owned(),
            at: at(START),
            items: Vec::new(),
            kind: Some("preference".to_owned()),
        };
        notes.append_candidates(&team(), &session("다른 회의"), &[candidate]).unwrap();
    };
    let settings = Settings { promote_tokens: 1, ..Settings::default() };
    let (desk, events) = both(settings, prepare, When::Due);
    assert!(
        matches!(events[..], [Event::Promoted { promoted: 1, .. }, Event::Elsewhere { .. }]),
        "{events:?}"
    );
    assert_eq!(desk.digest().len(), 1);
    assert!(desk.notes().all_candidates(&team()).unwrap().is_empty());
}

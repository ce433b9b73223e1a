//! A model that may not be asked.

use std::sync::Arc;

use jiff::SignedDuration;
use peri_companion::{By, Event, Fallback, ModelSettings, Settings, Thinker, When};
use peri_notes::{MemoryShelf, Source};

use crate::scripted;
use crate::server::Scripted;
use crate::support::*;

fn spent(fallback: Fallback) -> Desk {
    let clock = clock();
    let settings = ModelSettings { fallback, ..ModelSettings::default() };
    let scripted = Scripted::with(&clock, scripted::answer, |own| own.tokens_per_day = 10, settings);
    Desk::with_clock(
        Arc::new(MemoryShelf::default()),
        Arc::new(scripted) as Arc<dyn Thinker>,
        Settings::default(),
        clock.clone(),
    )
}

#[test]
fn rules_stand_in_for_a_model_whose_tokens_are_spent_and_the_notes_say_so() {
    let desk = spent(Fallback::Rules);
    desk.keep(&["We decided to use MySQL for the orders database."]);
    let events = desk.step(When::Now);
    let [Event::Observed { by: By::RulesInstead { why }, .. }] = &events[..] else { panic!("{events:?}") };
    assert!(why.contains("tokens a day"), "{why}");
    assert_eq!(desk.items().iter().map(|item| item.source).collect::<Vec<_>>(), [Source::Rules]);
}

#[test]
fn without_leave_it_waits_until_there_are_tokens_again() {
    let desk = spent(Fallback::Wait);
    desk.keep(&["We decided to use MySQL for the orders database."]);
    for _ in 0..30 {
        let events = desk.step(When::Now);
        assert!(matches!(events[..], [Event::Failed { next_at: Some(_), .. }]), "{events:?}");
        desk.clock.advance(SignedDuration::from_hours(1));
    }
    assert_eq!(desk.pending().len(), 1, "it is never given up");
    assert!(desk.items().is_empty());
}

#[test]
fn the_notes_of_a_model_name_the_observer_and_the_record_of_calls_the_prompt() {
    let clock = clock();
    let scripted = Scripted::new(&clock, scripted::answer);
    let given = peri_companion::Observing {
        notes: &[],
        messages: &[user("앞으로 항상 한국어로 답해줘.")],
        handed_out: &[],
        now: clock.now(),
    };
    let observed = scripted.model.observe(&given).unwrap();
    assert_eq!(observed.by, By::Model("scripted-1".to_owned()));
    assert_eq!(observed.drafts[0].source, Source::Observer);
    assert_eq!(observed.candidates[0].kind.as_deref(), Some("preference"));
    let calls = scripted.model.client().ledger().calls(at("2026-03-10T00:00:00Z"), 9).unwrap();
    let stamp = calls[0].prompt.as_ref().unwrap();
    assert_eq!((calls[0].purpose.as_str(), stamp.name.as_str(), stamp.version), ("observer", "observer", 1));
}

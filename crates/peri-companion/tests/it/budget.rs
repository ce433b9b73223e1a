//! Notes and digests stay within their budgets, and what must be remembered stays.

use std::sync::Arc;

use peri_companion::{Event, Rules, Settings, Thinker, When};
use peri_notes::{Item, MemoryShelf, Priority};

use crate::scripted;
use crate::server::Scripted;
use crate::support::*;

fn tokens_of(items: &[Item]) -> usize {
    items.iter().map(|item| peri_tokens::count(&item.text)).sum()
}

fn high(items: &[Item]) -> Vec<String> {
    items.iter().filter(|item| item.priority == Priority::High).map(|item| item.text.clone()).collect()
}

const SIGHTS: [&str; 8] = ["harbour", "정원", "图书馆", "bridge", "시장", "车站", "tower", "학교"];

fn fill(desk: &Desk, notes: usize, important: usize) {
    let texts: Vec<(Priority, String)> = (0..notes)
        .map(|number| {
            let priority = if number < important { Priority::High } else { Priority::ALL[number % 2] };
            let sight = SIGHTS[number % SIGHTS.len()];
            (
                priority,
                format!(
                    "Visit {number}: {sight} number {} costs {} won in week {}",
                    number * 31,
                    number * 977,
                    number % 50
                ),
            )
        })
        .collect();
    desk.note(&texts.iter().map(|(priority, text)| (*priority, text.as_str())).collect::<Vec<_>>());
}

fn thinkers() -> [Arc<dyn Thinker>; 2] {
    [Arc::new(Rules::default()), Arc::new(Scripted::new(&clock(), scripted::answer))]
}

#[test]
fn long_notes_are_condensed_to_half_with_the_default_settings() {
    for thinker in thinkers() {
        let desk = Desk::new(Arc::new(MemoryShelf::default()), thinker, Settings::default());
        fill(&desk, 1200, 40);
        let before = desk.items();
        assert!(tokens_of(&before) > 20_000, "{}", tokens_of(&before));
        let events = desk.step(When::Due);
        let [Event::Reflected { tokens_before, tokens_after, gone, exceeded_by: 0, .. }] = &events[..] else {
            panic!("{events:?}");
        };
        let after = desk.items();
        assert_eq!((*tokens_before, *tokens_after), (tokens_of(&before), tokens_of(&after)));
        assert!(*tokens_after <= 10_000, "{tokens_after}");
        assert_eq!(gone.len(), before.len() - after.len());
        assert_eq!(high(&after), high(&before));
        let dropped = desk.notes().dropped(&team(), &desk.session).unwrap();
        assert_eq!(dropped.entries.len(), gone.len(), "what went can be put back");
        assert_eq!(desk.step(When::Due), [], "nothing more is to be done");
    }
}

#[test]
fn what_must_be_remembered_stays_even_if_it_is_too_much() {
    for (thinker, by_model) in thinkers().into_iter().zip([false, true]) {
        let settings = Settings { reflect_tokens: 400, reflect_target_tokens: 200, ..Settings::default() };
        let desk = Desk::new(Arc::new(MemoryShelf::default()), thinker, settings);
        fill(&desk, 60, 30);
        let before = desk.items();
        assert!(matches!(desk.step(When::Due)[..], [Event::Reflected { .. }]));
        let after = desk.items();
        assert_eq!(high(&after), high(&before));
        assert!(after.len() > 30 || by_model, "there is room for others beside it");
        assert_eq!(desk.step(When::Due), [], "it is not condensed again and again");
    }
}

#[test]
fn a_long_digest_is_archived_and_condensed() {
    for thinker in thinkers() {
        let desk = Desk::new(Arc::new(MemoryShelf::default()), thinker, Settings::default());
        let add = |digest: &mut peri_notes::Digest, now| {
            for number in 0..900 {
                let priority = if number % 30 == 0 { Priority::High } else { Priority::ALL[number % 2] };
                let sight = SIGHTS[number % SIGHTS.len()];
                let text = format!(
                    "Rule {number}: {sight} {} is closed in week {} of year {}",
                    number * 31,
                    number % 50,
                    number * 7
                );
                digest.sheet.add(peri_notes::Draft::new(priority, text), now).unwrap();
            }
        };
        desk.notes().update_digest(&team(), add).unwrap();
        let before = desk.digest();
        assert!(tokens_of(&before) > 15_000, "{}", tokens_of(&before));
        let events = desk.companion.step_all(&team()).unwrap().events;
        assert!(matches!(events[..], [Event::Compacted { exceeded_by: 0, .. }]), "{events:?}");
        let after = desk.digest();
        assert!(tokens_of(&after) <= 8_000, "{}", tokens_of(&after));
        assert_eq!(high(&after), high(&before));
        let archives = desk.notes().archives(&team()).unwrap();
        let archived = desk.notes().archived(&team(), &archives[0]).unwrap().unwrap();
        assert_eq!(archived.matches("Rule ").count(), 900);
        assert_eq!(desk.companion.step_all(&team()).unwrap().events, []);
    }
}

//! Reflection and compaction keep what matters and stay within their budget.

use std::collections::BTreeSet;

use jiff::ToSpan;
use peri_observe::{Condensed, FindingKind, Fit, Item, ItemState, Priority, compact, reflect};
use proptest::prelude::*;

use crate::support::{item, now};

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

fn aged(mut item: Item, days: i64) -> Item {
    item.made = item.made.checked_sub(days.days()).expect("the calendar reaches so far back");
    item
}

fn with(mut item: Item, priority: Priority, state: ItemState) -> Item {
    item.priority = priority;
    item.state = state;
    item
}

fn ids(condensed: &Condensed) -> Vec<&str> {
    condensed.items.iter().map(|item| item.id.as_str()).collect()
}

#[test]
fn items_that_say_the_same_become_one_with_all_their_days() {
    let first = aged(
        with(
            item("a", FindingKind::Preference, "User prefers short answers."),
            Priority::High,
            ItemState::Open,
        ),
        5,
    );
    let second = item("b", FindingKind::Preference, "User prefers short answers!");
    let kept = reflect(&[first, second], 100, now(), &words);
    assert_eq!(ids(&kept), ["a"]);
    assert_eq!(kept.merged, [("b".to_owned(), "a".to_owned())]);
    assert_eq!(kept.items[0].priority, Priority::High);
    assert_eq!(kept.items[0].days, BTreeSet::from([now().date()]));
}

#[test]
fn what_is_over_goes_first_then_what_is_minor_then_what_is_worth_least() {
    let items = [
        with(
            item("red", FindingKind::Constraint, "Never push straight to main."),
            Priority::High,
            ItemState::Open,
        ),
        with(
            item("done", FindingKind::OpenTask, "Write some rollback script soon."),
            Priority::Medium,
            ItemState::Done,
        ),
        with(
            item("gone", FindingKind::Decision, "Jenkins builds every single branch."),
            Priority::Medium,
            ItemState::Superseded,
        ),
        aged(
            with(
                item("old", FindingKind::CompletedTask, "Cleaned dusty attic shelves yesterday."),
                Priority::Low,
                ItemState::Open,
            ),
            9,
        ),
        with(
            item("new", FindingKind::CompletedTask, "Painted kitchen walls bright yellow."),
            Priority::Low,
            ItemState::Open,
        ),
        aged(item("stale", FindingKind::Problem, "Elevator music sounded somewhat odd."), 60),
        item("fresh", FindingKind::Decision, "We decided on Postgres 16."),
    ];
    for (budget, expected) in [
        (35, vec!["red", "done", "gone", "old", "new", "stale", "fresh"]),
        (30, vec!["red", "done", "old", "new", "stale", "fresh"]),
        (25, vec!["red", "old", "new", "stale", "fresh"]),
        (20, vec!["red", "new", "stale", "fresh"]),
        (15, vec!["red", "stale", "fresh"]),
        (10, vec!["red", "fresh"]),
        (5, vec!["red"]),
    ] {
        let kept = reflect(&items, budget, now(), &words);
        assert_eq!((ids(&kept), kept.fit), (expected, Fit::Within), "{budget}");
    }
}

#[test]
fn what_must_be_remembered_stays_and_too_much_of_it_is_said() {
    let items = [
        with(
            item("a", FindingKind::Constraint, "Never push straight to main."),
            Priority::High,
            ItemState::Open,
        ),
        item("b", FindingKind::Decision, "We decided on Postgres 16."),
    ];
    for condense in [reflect, compact] {
        let kept = condense(&items, 3, now(), &words);
        assert_eq!((ids(&kept), kept.fit, kept.tokens), (vec!["a"], Fit::Exceeded { by_tokens: 2 }, 5));
        assert_eq!(kept.dropped, ["b"]);
    }
}

#[test]
fn durable_notes_prefer_what_holds_in_general() {
    let items = [
        item("problem", FindingKind::Problem, "Grey elevators rattle loudly sometimes."),
        item("person", FindingKind::Person, "Blue kitchens smell nicely sometimes."),
    ];
    assert_eq!(ids(&compact(&items, 5, now(), &words)), ["person"]);
}

#[test]
fn nothing_comes_of_nothing() {
    let kept = reflect(&[], 0, now(), &words);
    assert_eq!((kept.items.len(), kept.fit, kept.tokens), (0, Fit::Within, 0));
}

fn any_item() -> impl Strategy<Value = Item> {
    let text = prop::collection::vec(
        prop::sample::select(vec![
            "use", "postgres", "tabs", "never", "answers", "short", "8080", "결제", "배포", "금지", "决定",
            "接口", "short", "port",
        ]),
        1..7,
    );
    let priority = prop::sample::select(vec![Priority::Low, Priority::Medium, Priority::High]);
    let state =
        prop::sample::select(vec![ItemState::Open, ItemState::Open, ItemState::Done, ItemState::Superseded]);
    let kind = prop::option::of(prop::sample::select(FindingKind::ALL.to_vec()));
    ("[a-z]{6}", text, priority, state, kind, 0i64..200).prop_map(
        |(id, text, priority, state, kind, days)| {
            let mut made = with(item(&id, FindingKind::Decision, &text.join(" ")), priority, state);
            made.kind = kind;
            aged(made, days)
        },
    )
}

proptest! {
    #[test]
    fn condensing_keeps_its_promises(items in prop::collection::vec(any_item(), 0..25), budget in 0usize..60) {
        for condense in [reflect, compact] {
            let once = condense(&items, budget, now(), &words);
            let again = condense(&once.items, budget, now(), &words);
            prop_assert_eq!(&again.items, &once.items);
            prop_assert_eq!(once.tokens, once.items.iter().map(|item| words(&item.text)).sum::<usize>());
            match once.fit {
                Fit::Within => prop_assert!(once.tokens <= budget),
                Fit::Exceeded { by_tokens } => {
                    prop_assert_eq!(once.tokens, budget + by_tokens);
                    prop_assert!(once.items.iter().all(|item| item.priority == Priority::High));
                }
            }
            for high in items.iter().filter(|item| item.priority == Priority::High) {
                let is_merged = once.merged.iter().any(|(id, _)| *id == high.id);
                prop_assert!(is_merged || once.items.iter().any(|item| item.id == high.id));
            }
        }
    }
}

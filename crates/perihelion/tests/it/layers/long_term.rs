//! The clean-up of long-term memory: limits, order, and what is left alone.

use std::time::Duration;

use perihelion::{
    CleanUpReason, Event, EventKind, Happening, ImportOptions, Importance, LayerSettings, LongTermSettings,
    MemoryId, Recall, Remember, Scope, Trashed,
};

use super::Bench;
use crate::support::all;

fn bench(long_term: LongTermSettings) -> Bench {
    Bench::new(LayerSettings { long_term, ..LayerSettings::default() })
}

fn keep(bench: &Bench, content: &str, importance: f64) -> MemoryId {
    let importance = Some(Importance::new(importance).unwrap());
    bench.engine.remember(Remember { importance, ..Remember::new(content) }).unwrap().id
}

fn contents(bench: &Bench) -> Vec<String> {
    let mut contents: Vec<_> =
        all(&bench.engine, Trashed::Without).into_iter().map(|memory| memory.content).collect();
    contents.sort();
    contents
}

fn reasons(bench: &Bench) -> Vec<CleanUpReason> {
    let reason = |Event { what, .. }: Event| match what {
        Happening::CleanedUp { reason, .. } => Some(reason),
        _ => None,
    };
    bench.events(&[EventKind::CleanedUp]).into_iter().filter_map(reason).collect()
}

#[test]
fn nothing_is_cleaned_up_unless_a_limit_is_set() {
    let bench = bench(LongTermSettings::default());
    for number in 0..20 {
        keep(&bench, &format!("fact {number}"), 0.0);
    }
    bench.pass_days(20);
    assert_eq!(bench.engine.sweep().unwrap().count(), 0);
}

#[test]
fn over_the_limit_the_lowest_score_goes_first_then_the_least_recalled_then_the_longest_idle() {
    let bench = bench(LongTermSettings { items_max: Some(3), ..LongTermSettings::default() });
    keep(&bench, "apples are red", 0.5);
    bench.pass(7200);
    keep(&bench, "bananas are yellow", 0.5);
    bench.pass(7200);
    keep(&bench, "cherries are dark", 0.1);
    keep(&bench, "dates are sweet", 0.9);
    bench.engine.recall(&Recall::new("which fruits are red?").limit(1)).unwrap();
    assert_eq!(bench.engine.sweep().unwrap().cleaned_up, 1);
    assert_eq!(contents(&bench), ["apples are red", "bananas are yellow", "dates are sweet"]);
    keep(&bench, "elderberries are small", 0.9);
    assert_eq!(bench.engine.sweep().unwrap().cleaned_up, 1);
    assert_eq!(contents(&bench), ["apples are red", "dates are sweet", "elderberries are small"]);
    assert_eq!(reasons(&bench), [CleanUpReason::TooMany; 2]);
    assert_eq!(bench.engine.sweep().unwrap().count(), 0);
}

/// Lets days pass on which something else is asked for.
fn live(bench: &Bench, days: i64) {
    for _ in 0..days {
        bench.pass_days(1);
        bench.engine.recall(&Recall::new("quux")).unwrap();
    }
}

#[test]
fn low_scores_and_long_idleness_go_when_asked_for_at_their_boundaries() {
    let idle_max = Some(Duration::from_secs(10 * 24 * 60 * 60));
    let idle = bench(LongTermSettings { idle_max, ..LongTermSettings::default() });
    keep(&idle, "apples are red", 0.9);
    live(&idle, 10);
    assert_eq!(idle.engine.sweep().unwrap().count(), 0);
    idle.clock.advance(jiff::SignedDuration::from_millis(1));
    assert_eq!(idle.engine.sweep().unwrap().cleaned_up, 1);
    assert_eq!(reasons(&idle), [CleanUpReason::Idle]);

    let low = bench(LongTermSettings { score_min: Some(0.30), ..LongTermSettings::default() });
    keep(&low, "apples are red", 1.0);
    keep(&low, "bananas are yellow", 0.0);
    live(&low, 7);
    assert_eq!(low.engine.sweep().unwrap().cleaned_up, 1);
    assert_eq!(
        (contents(&low), reasons(&low)),
        (vec!["apples are red".to_owned()], vec![CleanUpReason::LowScore])
    );
}

#[test]
fn pinned_memories_episodes_and_what_was_just_imported_or_restored_are_left_alone() {
    let limits = LongTermSettings {
        items_max: Some(2),
        score_min: Some(0.99),
        idle_max: Some(Duration::from_secs(60)),
        ..LongTermSettings::default()
    };
    let donor = Bench::usual();
    for number in 0..5 {
        keep(&donor, &format!("imported fact {number}"), 0.1);
    }
    let export = donor.export();

    let bench = bench(limits);
    let mut pinned = Remember::new("our address is Rua Augusta 1");
    pinned.facets.pinned = true;
    bench.engine.remember(pinned).unwrap();
    bench.tell("monday", "we had soup");
    bench.engine.import(&mut export.as_bytes(), ImportOptions::default()).unwrap();
    let gone = keep(&bench, "apples are red", 0.1);
    bench.pass(3600);
    assert_eq!(bench.engine.sweep().unwrap().cleaned_up, 1);
    assert_eq!(contents(&bench).len(), 7);
    bench.engine.restore(&Scope::All, gone).unwrap();
    assert_eq!(bench.engine.sweep().unwrap().count(), 0, "what was just brought back stays");
    bench.pass_days(29);
    assert_eq!(bench.engine.sweep().unwrap().cleaned_up, 0);
    bench.pass_days(1);
    bench.engine.sweep().unwrap();
    assert_eq!(contents(&bench), ["our address is Rua Augusta 1"], "after its grace, limits hold for it too");
}

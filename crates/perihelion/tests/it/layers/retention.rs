//! How long episodes are kept, counted from their storing or import.

use std::time::Duration;

use perihelion::{
    EpisodicSettings, Event, EventKind, Happening, ImportOptions, Importance, Layer, LayerSettings, MemoryId,
    Remember, Scope, Trashed,
};

use super::Bench;
use crate::support::{all, time};

fn tell(bench: &Bench, content: &str, importance: f64) -> MemoryId {
    let mut request = Remember::new(content).said("standup", "Ana");
    request.importance = Some(Importance::new(importance).unwrap());
    bench.engine.remember(request).unwrap().id
}

fn ids(bench: &Bench, trashed: Trashed) -> Vec<MemoryId> {
    all(&bench.engine, trashed).into_iter().map(|memory| memory.id).collect()
}

#[test]
fn an_episode_is_kept_to_the_last_moment_of_its_retention() {
    let bench = Bench::usual();
    let id = tell(&bench, "We ordered pizza for lunch", 0.3);
    bench.pass_days(30);
    bench.clock.advance(jiff::SignedDuration::from_millis(-1));
    assert_eq!(bench.engine.sweep().unwrap().count(), 0);
    bench.clock.advance(jiff::SignedDuration::from_millis(1));
    let swept = bench.engine.sweep().unwrap();
    assert_eq!((swept.outlived, swept.count()), (1, 1));
    assert_eq!((ids(&bench, Trashed::Without), ids(&bench, Trashed::Only)), (vec![], vec![id]));
    let told = bench.events(&[EventKind::Outlived]);
    assert!(matches!(&told[..], [Event { what: Happening::Outlived { age_days: 30, .. }, .. }]), "{told:?}");
    bench.engine.restore(&Scope::All, id).unwrap();
    assert_eq!(bench.engine.sweep().unwrap().count(), 0, "what was brought back begins anew");
    bench.pass_days(30);
    assert_eq!(bench.engine.sweep().unwrap().outlived, 1);
}

#[test]
fn when_something_happened_does_not_shorten_how_long_it_is_kept() {
    let bench = Bench::usual();
    let mut request = Remember::new("We moved to Lisbon").said("old", "Ana").at(time("2019-05-01T10:00:00Z"));
    request.importance = Some(Importance::new(0.2).unwrap());
    bench.engine.remember(request).unwrap();
    bench.pass_days(29);
    assert_eq!(bench.engine.sweep().unwrap().count(), 0);
    bench.pass_days(1);
    assert_eq!(bench.engine.sweep().unwrap().outlived, 1);
}

#[test]
fn what_is_pinned_known_for_good_or_part_of_a_graph_is_not_ended() {
    let bench = Bench::usual();
    let mut pinned = Remember::new("We ordered sushi").said("standup", "Ana");
    pinned.facets.pinned = true;
    bench.engine.remember(pinned).unwrap();
    bench.engine.remember(Remember::new("Lisbon has seven hills")).unwrap();
    bench.pass_days(31);
    assert_eq!(bench.engine.sweep().unwrap().count(), 0);
    assert_eq!(ids(&bench, Trashed::Without).len(), 2);
}

#[test]
fn a_retention_of_zero_keeps_episodes_for_good() {
    let episodic = EpisodicSettings { retention: Duration::ZERO };
    let bench = Bench::new(LayerSettings { episodic, ..LayerSettings::default() });
    tell(&bench, "We ordered pizza for lunch", 0.2);
    bench.pass_days(4000);
    assert_eq!(bench.engine.sweep().unwrap().count(), 0);
}

#[test]
fn a_year_old_export_stays_when_it_is_imported() {
    let old = Bench::usual();
    for day in 0..40 {
        tell(&old, &format!("On day {day} we had soup"), 0.2);
        old.pass_days(1);
    }
    // All of it, with what lies in the trash by now.
    old.engine.sweep().unwrap();
    let export = old.export();

    let new = Bench::usual();
    new.pass_days(365);
    new.engine.import(&mut export.as_bytes(), ImportOptions::default()).unwrap();
    let (kept, trashed) = (ids(&new, Trashed::Without), ids(&new, Trashed::Only));
    assert_eq!(kept.len() + trashed.len(), 40);
    for _ in 0..3 {
        new.engine.maintain().unwrap();
        assert_eq!((ids(&new, Trashed::Without), ids(&new, Trashed::Only)), (kept.clone(), trashed.clone()));
    }
    new.pass_days(29);
    new.engine.maintain().unwrap();
    assert_eq!(ids(&new, Trashed::Without), kept);
    new.pass_days(1);
    new.engine.maintain().unwrap();
    assert!(ids(&new, Trashed::Without).is_empty());
}

#[test]
fn ending_episodes_by_hand_or_by_chores_once_or_often_is_the_same() {
    let run = |rounds: u32, by_hand: bool| {
        let bench = Bench::usual();
        for day in 0..50 {
            tell(
                &bench,
                &format!("On day {day} the number was {}", day * 37 % 101),
                0.2 + f64::from(day % 8) / 10.0,
            );
            bench.pass_days(1);
        }
        for _ in 0..rounds {
            if by_hand {
                bench.engine.sweep().unwrap();
            } else {
                bench.engine.maintain().unwrap();
            }
        }
        let kinds = [EventKind::Outlived, EventKind::LayerPromoted];
        let told = bench.events(&kinds).len();
        let mut left: Vec<_> = all(&bench.engine, Trashed::Without)
            .into_iter()
            .map(|memory| (memory.content, memory.layer))
            .collect();
        left.sort();
        (told, left)
    };
    let once = run(1, true);
    assert!(once.1.iter().any(|(_, layer)| *layer == Layer::LongTerm), "some were worth knowing");
    assert_eq!(once, run(5, true));
    assert_eq!(once, run(3, false));
}

//! The memories of a namespace as a picture shows them.

use peri_store::{Settlement, Store, Write};
use peri_types::{Importance, Kind, Layer, Memory};

use super::{expiring, forget, make, of_layer, store_it, supersede, use_times};
use crate::support::{at, memory, ns, open};

fn ids(store: &dyn Store, second: i64) -> Vec<peri_types::MemoryId> {
    store.orbit_view(&ns("a"), at(second), 10).unwrap().bodies.into_iter().map(|body| body.id).collect()
}

#[test]
fn what_holds_is_seen_with_how_it_begins_and_all_its_recalls() {
    let (_house, store) = open();
    let mut made = of_layer(Layer::LongTerm, None, "첫 줄\n🍵茶と抹茶の話をした", 1);
    (made.kind, made.importance) = (Kind::Decision, Importance::new(0.25).unwrap());
    made.facets.pinned = true;
    let made = store_it(&*store, made, 0.5);
    use_times(&*store, &made, 3, 20);
    let settled = Settlement {
        namespace: ns("a"),
        from: None,
        settled_at: at(30),
        uses_through: store.orbit(&ns("a")).unwrap().uses_through,
        moves: Vec::new(),
        faded: Vec::new(),
        fading: Default::default(),
    };
    make(&*store, Write::Settle(Box::new(settled)));
    use_times(&*store, &made, 2, 40);
    let view = store.orbit_view(&ns("a"), at(50), 7).unwrap();
    assert_eq!(view.settled_at, Some(at(30)));
    let [body] = &view.bodies[..] else { panic!("{view:?}") };
    assert_eq!((body.id, body.kind, body.layer, body.zone), (made.id, made.kind, made.layer, made.zone));
    assert_eq!((body.importance, body.pinned), (made.importance, true));
    assert_eq!((body.created_at, body.arrived_at), (at(1), None));
    assert_eq!((body.recalls, body.last_used_at), (5, Some(at(40))), "settled or not");
    assert_eq!(body.beginning, "첫 줄\n🍵茶と");
    assert_eq!(store.orbit_view(&ns("a"), at(50), 0).unwrap().bodies[0].beginning, "");
    assert_eq!(store.orbit_view(&ns("nowhere"), at(50), 7).unwrap(), peri_store::OrbitView::default());
}

#[test]
fn what_does_not_hold_is_not_seen() {
    let (_house, store) = open();
    let keep = |memory: Memory| store_it(&*store, memory, 0.5);
    let plain = keep(memory("a", "plain"));
    let trashed = keep(memory("a", "trashed"));
    let expired = keep(expiring(of_layer(Layer::Episodic, None, "expired", 1), 60));
    let working = keep(of_layer(Layer::Working, Some("회의"), "working", 1));
    let (older, newer) = (keep(memory("a", "older")), keep(memory("a", "newer")));
    keep(memory("b", "elsewhere"));
    let sorted = |all: &[&Memory]| {
        let mut ids: Vec<_> = all.iter().map(|memory| memory.id).collect();
        ids.sort_unstable();
        ids
    };
    assert_eq!(ids(&*store, 50), sorted(&[&plain, &trashed, &expired, &working, &older, &newer]));
    make(&*store, forget(&trashed, 50));
    make(&*store, supersede(&older, &newer, 50));
    assert_eq!(ids(&*store, 59), sorted(&[&plain, &expired, &working, &newer]));
    assert_eq!(ids(&*store, 60), sorted(&[&plain, &working, &newer]));
    make(&*store, forget(&newer, 61));
    assert_eq!(ids(&*store, 62), sorted(&[&plain, &working, &older]), "it holds again");
    let made =
        Write::Promote { namespace: ns("a"), sources: vec![working.id], to: Layer::Episodic, at: at(63) };
    make(&*store, made);
    let seen = ids(&*store, 64);
    assert!(!seen.contains(&working.id) && seen.len() == 3, "what it became is there instead");
}

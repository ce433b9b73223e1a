//! Settling the orbits of a namespace, whatever happens between reading and settling; leases; and events.

use std::time::Duration;

use peri_store::{
    Faded, Lease, ListQuery, Settled, Settlement, Store, Told, Trashed, Usage, Write, Written, ZoneMove,
};
use peri_types::{Event, Happening, Memory, MemoryId, MoveReason, Scope, Timestamp, Zone};

use crate::support::{at, keep, ns, open};

fn settle(store: &dyn Store, settlement: &Settlement) -> Option<Settled> {
    match store.write(vec![Write::Settle(Box::new(settlement.clone()))]).unwrap().remove(0) {
        Written::Settled(settled) => settled,
        other => panic!("not settled: {other:?}"),
    }
}

/// What a reader would settle up to a time: these move to the cloud and fade there, at that time.
fn fading(store: &dyn Store, second: i64, ids: &[MemoryId]) -> Settlement {
    let state = store.orbit(&ns("a")).unwrap();
    let time = at(second);
    let zone = |id: &MemoryId| state.bodies.iter().find(|body| body.id == *id).unwrap().zone;
    let reason = MoveReason::Idle;
    let moves = ids.iter().map(|id| ZoneMove { id: *id, from: zone(id), to: Zone::Cloud, at: time, reason });
    Settlement {
        namespace: ns("a"),
        from: state.settled_at,
        settled_at: time,
        uses_through: state.uses_through,
        moves: moves.collect(),
        faded: ids.iter().map(|id| Faded { id: *id, at: time, idle_days: 90 }).collect(),
        fading: Default::default(),
    }
}

fn use_once(store: &dyn Store, memory: &Memory, second: i64) {
    let (namespace, id) = (memory.namespace.clone(), memory.id);
    store.record_usage(&[Usage { namespace, id, recalls: 1, last_at: at(second) }], &[], &[]).unwrap();
}

fn get(store: &dyn Store, id: MemoryId) -> Option<Memory> {
    store.get(&Scope::All, &[id]).unwrap().pop()
}

fn events(store: &dyn Store) -> Vec<Event> {
    store.events(0, usize::MAX >> 1).unwrap().events
}

#[test]
fn a_settlement_moves_forgets_and_tells_of_it_step_by_step() {
    let (_folder, store) = open();
    let [one, two, three] = ["one", "two", "three"].map(|content| keep(&*store, "a", content));
    let before = events(&*store).len();
    let moved = |memory: &Memory, to, second, reason| {
        let (id, from) = (memory.id, Zone::Outer);
        ZoneMove { id, from, to, at: at(second), reason }
    };
    let settlement = Settlement {
        moves: vec![
            moved(&one, Zone::Inner, 300, MoveReason::Score),
            moved(&two, Zone::Cloud, 600, MoveReason::Idle),
        ],
        faded: vec![
            Faded { id: two.id, at: at(600), idle_days: 90 },
            Faded { id: three.id, at: at(900), idle_days: 91 },
        ],
        ..fading(&*store, 1200, &[])
    };
    assert_eq!(settle(&*store, &settlement), Some(Settled { moved: 2, forgotten: 2 }));
    let zone_changed =
        |memory: &Memory, to, reason| Happening::ZoneChanged { id: memory.id, from: Zone::Outer, to, reason };
    let reorbited = |moved, forgotten, second| Happening::Reorbited { moved, forgotten, step: at(second) };
    let told: Vec<(Timestamp, Happening)> =
        events(&*store).into_iter().skip(before).map(|event| (event.at, event.what)).collect();
    let expected = [
        (at(300), zone_changed(&one, Zone::Inner, MoveReason::Score)),
        (at(300), reorbited(1, 0, 300)),
        (at(600), zone_changed(&two, Zone::Cloud, MoveReason::Idle)),
        (at(600), Happening::AutoForgotten { id: two.id, idle_days: 90 }),
        (at(600), Happening::Decayed { demoted: 1, forgotten: 1 }),
        (at(600), reorbited(1, 1, 600)),
        (at(900), Happening::AutoForgotten { id: three.id, idle_days: 91 }),
        (at(900), Happening::Decayed { demoted: 0, forgotten: 1 }),
        (at(900), reorbited(0, 1, 900)),
    ];
    assert_eq!(told, expected);
    let state = store.orbit(&ns("a")).unwrap();
    assert_eq!(
        (state.settled_at, state.bodies.len(), state.bodies[0].zone),
        (Some(at(1200)), 1, Zone::Inner)
    );
    assert_eq!(
        get(&*store, one.id).unwrap().change,
        one.change,
        "a move is no change that indexes must follow"
    );
}

#[test]
fn a_settlement_of_what_somebody_else_has_settled_changes_nothing() {
    let (_folder, store) = open();
    let one = keep(&*store, "a", "one");
    use_once(&*store, &one, 10);
    let late = fading(&*store, 600, &[one.id]);
    assert_eq!(settle(&*store, &fading(&*store, 300, &[])), Some(Settled::default()));
    let (before, told) = (store.orbit(&ns("a")).unwrap(), events(&*store));
    for settlement in [&late, &Settlement { from: Some(at(299)), ..late.clone() }] {
        assert_eq!(settle(&*store, settlement), None);
    }
    assert_eq!((store.orbit(&ns("a")).unwrap(), events(&*store)), (before, told));
    assert_eq!(get(&*store, one.id).unwrap().trashed_at, None);
}

#[test]
fn what_was_used_pinned_or_restored_after_reading_is_not_forgotten() {
    let (_folder, store) = open();
    let [used, pinned, restored, idle] = ["u", "p", "r", "i"].map(|content| keep(&*store, "a", content));
    let settlement = fading(&*store, 600, &[used.id, pinned.id, restored.id, idle.id]);
    use_once(&*store, &used, 590);
    let revision = Box::new(peri_store::Revision { pinned: Some(true), ..peri_store::Revision::default() });
    let (scope, id) = (Scope::All, pinned.id);
    let pin = Write::Revise { scope, id, revision, expected_version: None, at: at(601) };
    let (scope, id) = (Scope::All, restored.id);
    let forget = Write::Forget { scope: scope.clone(), id, at: at(601) };
    store.write(vec![pin, forget, Write::Restore { scope, id, at: at(602) }]).unwrap();
    assert_eq!(settle(&*store, &settlement).unwrap().forgotten, 1);
    for (memory, gone) in [(&used, false), (&pinned, false), (&restored, false), (&idle, true)] {
        assert_eq!(get(&*store, memory.id).unwrap().trashed_at.is_some(), gone, "{}", memory.content);
    }
    let state = store.orbit(&ns("a")).unwrap();
    assert!(state.uses.iter().any(|one| one.id == used.id), "the use waits for the next step");
}

#[test]
fn what_was_used_after_it_faded_is_not_forgotten_although_the_use_is_counted() {
    let (_folder, store) = open();
    let [before, after] = ["before", "after"].map(|content| keep(&*store, "a", content));
    use_once(&*store, &before, 100);
    use_once(&*store, &after, 700);
    let faded = [&before, &after].map(|memory| Faded { id: memory.id, at: at(600), idle_days: 90 });
    let settlement = Settlement { faded: faded.to_vec(), ..fading(&*store, 900, &[]) };
    assert_eq!(settle(&*store, &settlement), Some(Settled { moved: 0, forgotten: 1 }));
    assert_eq!(get(&*store, after.id).unwrap().trashed_at, None);
    assert!(get(&*store, before.id).unwrap().trashed_at.is_some());
}

#[test]
fn what_is_gone_after_reading_is_skipped() {
    let (_folder, store) = open();
    let [trashed, purged, stays] = ["t", "p", "s"].map(|content| keep(&*store, "a", content));
    let settlement = fading(&*store, 600, &[trashed.id, purged.id, stays.id]);
    let forget = |id| Write::Forget { scope: Scope::All, id, at: at(300) };
    let purge = Write::Purge { scope: Scope::All, id: purged.id, at: at(300) };
    store.write(vec![forget(trashed.id), forget(purged.id), purge]).unwrap();
    let before = events(&*store).len();
    assert_eq!(settle(&*store, &settlement), Some(Settled { moved: 1, forgotten: 1 }));
    assert_eq!(get(&*store, trashed.id).unwrap().trashed_at, Some(at(300)), "as it was");
    let about: Vec<_> = events(&*store).into_iter().skip(before).map(|event| event.what).collect();
    assert_eq!(about.len(), 4, "{about:?}");
}

#[test]
fn uses_are_counted_once_and_those_after_the_settled_time_wait() {
    let (_folder, store) = open();
    let one = keep(&*store, "a", "one");
    [10, 300, 301].into_iter().for_each(|second| use_once(&*store, &one, second));
    let first = fading(&*store, 300, &[]);
    use_once(&*store, &one, 200);
    settle(&*store, &first).unwrap();
    let state = store.orbit(&ns("a")).unwrap();
    assert_eq!((state.bodies[0].recalls, state.bodies[0].last_used_at), (2, Some(at(300))));
    let waiting: Vec<_> = state.uses.iter().map(|one| one.at).collect();
    assert_eq!(waiting, [at(301), at(200)], "what came late was not in what was settled");
    assert_eq!(store.usage(&ns("a"), one.id).unwrap(), Some((4, at(301))));
    settle(&*store, &fading(&*store, 600, &[])).unwrap();
    let state = store.orbit(&ns("a")).unwrap();
    assert_eq!((state.bodies[0].recalls, state.uses.len()), (4, 0));
    assert_eq!(store.usage(&ns("a"), one.id).unwrap(), Some((4, at(301))));
}

#[test]
fn only_namespaces_with_memories_that_are_behind_wait_to_be_settled() {
    let (_folder, store) = open();
    keep(&*store, "a", "one");
    keep(&*store, "b", "one");
    store.write(vec![Write::StartSession { namespace: ns("c"), name: "s".into(), at: at(0) }]).unwrap();
    assert_eq!(store.unsettled(at(300)).unwrap(), [ns("a"), ns("b")]);
    settle(&*store, &fading(&*store, 300, &[])).unwrap();
    assert_eq!(store.unsettled(at(300)).unwrap(), [ns("b")]);
    assert_eq!(store.unsettled(at(301)).unwrap(), [ns("a"), ns("b")]);
}

#[test]
fn what_took_another_ones_place_orbits_alone() {
    let (_folder, store) = open();
    let [older, newer] = ["older", "newer"].map(|content| keep(&*store, "a", content));
    let supersede = Write::Supersede { namespace: ns("a"), older: older.id, newer: newer.id, at: at(1) };
    store.write(vec![supersede]).unwrap();
    let orbiting = || store.orbit(&ns("a")).unwrap().bodies.iter().map(|body| body.id).collect::<Vec<_>>();
    assert_eq!(orbiting(), [newer.id]);
    let stats = store.stats(&Scope::All).unwrap().remove(0);
    assert_eq!((stats.memories, stats.zones), (2, vec![(Zone::Outer, 1)]), "it takes nobody's room");
    store.write(vec![Write::Forget { scope: Scope::All, id: newer.id, at: at(2) }]).unwrap();
    assert_eq!(orbiting(), [older.id]);
    assert_eq!(store.stats(&Scope::All).unwrap()[0].zones, [(Zone::Outer, 1)]);
}

#[test]
fn a_lease_can_be_looked_at() {
    let (_folder, store) = open();
    assert_eq!(store.lease("chores").unwrap(), None);
    assert!(store.acquire_lease("chores", "one", at(0), Duration::from_secs(60)).unwrap());
    let held = |holder: &str, second| Some(Lease { holder: holder.to_owned(), expires_at: at(second) });
    assert_eq!(store.lease("chores").unwrap(), held("one", 60));
    assert!(store.acquire_lease("chores", "two", at(60), Duration::from_secs(60)).unwrap());
    assert_eq!(store.lease("chores").unwrap(), held("two", 120));
    store.release_lease("chores", "one").unwrap();
    assert_eq!(store.lease("chores").unwrap(), held("two", 120));
    store.release_lease("chores", "two").unwrap();
    assert_eq!(store.lease("chores").unwrap(), None);
}

#[test]
fn a_lease_taken_by_a_clock_that_was_years_ahead_holds_nobody_up() {
    let (_folder, store) = open();
    let minute = Duration::from_secs(60);
    let years = i64::from(3 * 365 * 24 * 3600);
    assert!(store.acquire_lease("chores", "ahead", at(years), minute).unwrap());
    assert!(!store.acquire_lease("chores", "beside it", at(years + 1), minute).unwrap());
    assert!(!store.lease("chores").unwrap().unwrap().is_held(at(0)));
    assert!(store.acquire_lease("chores", "right", at(0), minute).unwrap());
    assert!(!store.acquire_lease("chores", "another", at(1), minute).unwrap());
    // Who asks for a long one believes in long ones.
    let month = Duration::from_secs(30 * 24 * 3600);
    assert!(store.acquire_lease("episodes", "one", at(0), month).unwrap());
    assert!(!store.acquire_lease("episodes", "two", at(1), month).unwrap());
}

fn tell(store: &dyn Store, count: usize) {
    let told = |n| {
        let what = Happening::SessionStarted { session: format!("s{n}") };
        Told { namespace: None, at: at(n as i64), what }
    };
    store.record_usage(&[], &(0..count).map(told).collect::<Vec<_>>(), &[]).unwrap();
}

#[test]
fn events_keep_their_numbers_when_old_ones_are_dropped() {
    let (_folder, store) = open();
    tell(&*store, 10);
    store.write(vec![Write::ShipEvents { through: 10, keep: 3 }]).unwrap();
    let page = store.events(0, 100).unwrap();
    let numbers: Vec<_> = page.events.iter().map(|event| event.number).collect();
    assert_eq!((numbers, page.shipped, page.waiting, page.lost), (vec![8, 9, 10], 10, 0, 0));
    store.write(vec![Write::ShipEvents { through: 10, keep: 0 }]).unwrap();
    tell(&*store, 1);
    let page = store.events(10, 100).unwrap();
    assert_eq!((page.events[0].number, page.waiting), (11, 1));
    store.write(vec![Write::ShipEvents { through: 4, keep: 100 }]).unwrap();
    assert_eq!(store.events(0, 0).unwrap().shipped, 10, "what is in the log stays in the log");
}

#[test]
fn beyond_a_hundred_thousand_waiting_events_the_oldest_are_dropped_and_counted() {
    let (_folder, store) = open();
    tell(&*store, 100_007);
    store.write(vec![Write::ShipEvents { through: 0, keep: 10 }]).unwrap();
    let page = store.events(0, 1).unwrap();
    assert_eq!((page.events[0].number, page.waiting, page.lost), (8, 100_000, 7));
    store.write(vec![Write::ShipEvents { through: 0, keep: 10 }]).unwrap();
    assert_eq!(store.events(0, 1).unwrap().lost, 7);
}

#[test]
fn a_refused_call_tells_of_nothing() {
    let (_folder, store) = open();
    let one = keep(&*store, "a", "one");
    let before = events(&*store);
    let gone = MemoryId::generate(at(9));
    let forget = |id| Write::Forget { scope: Scope::All, id, at: at(1) };
    assert!(store.write(vec![forget(one.id), forget(gone)]).is_err());
    assert_eq!(events(&*store), before);
    let trash = ListQuery { trashed: Trashed::Only, ..ListQuery::default() };
    assert!(store.list(&trash).unwrap().memories.is_empty());
}

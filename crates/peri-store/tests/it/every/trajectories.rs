//! Trajectories: recorded once, read in pages, dropped once something was drawn from them.

use peri_store::{Distilled, OnConflict, Order, Store, TrajectoryQuery, Write, Written};
use peri_types::{
    Happening, PatternId, Scope, TaskOutcome, Trajectory, TrajectoryId, TrajectoryStep, TurnId,
};

use super::patterns::{HOSTILE, record, trajectory};
use super::{events, make, told_after};
use crate::support::{at, ns, open};

/// One with everything, in texts that are hard to keep.
fn rich(namespace: &str, number: u8) -> Trajectory {
    let step = |text: &&str| TrajectoryStep {
        input: (*text).to_owned(),
        output: format!("{text}{text}"),
        duration_ms: u64::MAX,
        confidence: 0.1,
    };
    Trajectory {
        session: Some(HOSTILE[0].to_owned()),
        turn: Some(TurnId::from_bytes([3; 16])),
        task: HOSTILE.join("\n"),
        domain: HOSTILE[1].to_owned(),
        agent: Some(HOSTILE[3].to_owned()),
        steps: HOSTILE.iter().map(step).collect(),
        outcome: TaskOutcome::Partial,
        duration_ms: i64::MAX as u64,
        patterns: vec![PatternId::from_bytes([4; 16]), PatternId::from_bytes([0; 16])],
        distilled_at: Some(at(9)),
        ..trajectory(namespace, number)
    }
}

fn all(store: &dyn Store, query: TrajectoryQuery) -> Vec<u8> {
    let page = store.trajectories(&query).unwrap();
    page.trajectories.iter().map(|own| own.id.as_bytes()[0]).collect()
}

fn distil(store: &dyn Store, namespace: &str, numbers: &[u8]) {
    let trajectories = numbers.iter().map(|number| TrajectoryId::from_bytes([*number; 16])).collect();
    let namespace = ns(namespace);
    let distilled = Distilled { namespace, patterns: Vec::new(), trajectories, told: Vec::new(), at: at(60) };
    assert_eq!(make(store, Write::Distil(Box::new(distilled))), Written::Done);
}

#[test]
fn a_trajectory_is_kept_to_the_letter_and_told_of_once() {
    let (house, store) = open();
    let (plain, rich) = (trajectory("팀", 1), rich("팀", 2));
    for one in [&plain, &rich] {
        assert_eq!(make(&*store, record(one)), Written::Appended(1));
        let other = Trajectory { task: "다른 말".into(), ..one.clone() };
        assert_eq!(make(&*store, record(&other)), Written::Appended(0), "it is written once");
    }
    drop(store);
    let store = house.open();
    for one in [&plain, &rich] {
        assert_eq!(store.trajectory(&Scope::All, one.id).unwrap().as_ref(), Some(one));
        assert_eq!(store.trajectory(&Scope::Exact(ns("남")), one.id).unwrap(), None);
    }
    let told = |own: &Trajectory| {
        (at(50), Happening::TrajectoryRecorded { trajectory: own.id, outcome: own.outcome })
    };
    assert_eq!(told_after(&*store, 0), [told(&plain), told(&rich)]);
}

#[test]
fn one_from_another_store_comes_silently_and_stays_or_is_replaced_as_asked() {
    let (_house, store) = open();
    let adopt = |one: &Trajectory, on_conflict| {
        make(&*store, Write::AdoptTrajectory { trajectory: Box::new(one.clone()), on_conflict, at: at(70) })
    };
    let (first, other) = (rich("a", 1), Trajectory { distilled_at: None, ..rich("a", 1) });
    assert_eq!(adopt(&first, OnConflict::Keep), Written::TrajectoryAdopted(true));
    assert_eq!(adopt(&other, OnConflict::Keep), Written::TrajectoryAdopted(false));
    assert_eq!(store.trajectory(&Scope::All, first.id).unwrap().as_ref(), Some(&first));
    for on_conflict in [OnConflict::Replace, OnConflict::TakeOver] {
        assert_eq!(adopt(&first, on_conflict), Written::TrajectoryAdopted(true));
        assert_eq!(adopt(&other, on_conflict), Written::TrajectoryAdopted(true));
        assert_eq!(store.trajectory(&Scope::All, first.id).unwrap().as_ref(), Some(&other));
    }
    assert_eq!(events(&*store), []);
}

#[test]
fn pages_of_any_size_hold_what_was_asked_for_in_either_order() {
    let (_house, store) = open();
    for number in 1..=7 {
        let namespace = if number == 4 { "b" } else { "a" };
        let one = trajectory(namespace, number);
        let one = if number % 2 == 0 { rich(namespace, number) } else { one };
        store.write(vec![record(&one)]).unwrap();
    }
    let query = |order| TrajectoryQuery { order, ..TrajectoryQuery::default() };
    for limit in [1, 2, 3, 7, usize::MAX] {
        for (order, expected) in
            [(Order::OldestFirst, [1, 2, 3, 4, 5, 6, 7]), (Order::NewestFirst, [7, 6, 5, 4, 3, 2, 1])]
        {
            let (mut after, mut seen) = (None, Vec::new());
            loop {
                let page = store.trajectories(&TrajectoryQuery { after, limit, ..query(order) }).unwrap();
                seen.extend(page.trajectories.iter().map(|own| own.id.as_bytes()[0]));
                after = page.next;
                if after.is_none() {
                    break;
                }
            }
            assert_eq!(seen, expected, "{limit} {order:?}");
        }
    }
    let asked = |query: TrajectoryQuery| all(&*store, TrajectoryQuery { order: Order::OldestFirst, ..query });
    let none = TrajectoryQuery::default;
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(asked(TrajectoryQuery { scope: Scope::Exact(ns("b")), ..none() }), [4]);
    assert_eq!(asked(TrajectoryQuery { session: some(HOSTILE[0]), ..none() }), [2, 4, 6]);
    assert_eq!(asked(TrajectoryQuery { domain: some("testing"), ..none() }), [1, 3, 5, 7]);
    assert_eq!(asked(TrajectoryQuery { domain: some("Testing"), ..none() }), [] as [u8; 0]);
    assert_eq!(asked(TrajectoryQuery { agent: some(HOSTILE[3]), ..none() }), [2, 4, 6]);
    assert_eq!(asked(TrajectoryQuery { outcome: Some(TaskOutcome::Partial), ..none() }), [2, 4, 6]);
    assert_eq!(asked(TrajectoryQuery { outcome: Some(TaskOutcome::Failure), ..none() }), [] as [u8; 0]);
    assert_eq!(asked(TrajectoryQuery { undistilled: true, ..none() }), [1, 3, 5, 7]);
    assert_eq!(asked(TrajectoryQuery { limit: 0, ..none() }), [] as [u8; 0]);
    let narrow = TrajectoryQuery { undistilled: true, domain: some("testing"), limit: 2, ..none() };
    assert_eq!(asked(narrow), [1, 3]);
}

#[test]
fn of_many_the_oldest_leave_that_something_was_drawn_from() {
    let (_house, store) = open();
    store.write((1..=6).map(|number| record(&trajectory("a", number))).collect()).unwrap();
    store.write(vec![record(&trajectory("b", 1))]).unwrap();
    distil(&*store, "a", &[1, 3, 5, 6]);
    distil(&*store, "b", &[1]);
    let drop_all_but =
        |namespace: &str, kept| make(&*store, Write::DropTrajectories { namespace: ns(namespace), kept });
    let left = || {
        let (order, scope) = (Order::OldestFirst, Scope::Exact(ns("a")));
        all(&*store, TrajectoryQuery { order, scope, ..TrajectoryQuery::default() })
    };
    for kept in [6, 7, 1000] {
        assert_eq!(drop_all_but("a", kept), Written::Appended(0));
    }
    assert_eq!(drop_all_but("a", 3), Written::Appended(2));
    assert_eq!(left(), [2, 4, 5, 6], "what nothing was drawn from stays");
    assert_eq!(drop_all_but("a", 0), Written::Appended(2));
    assert_eq!(left(), [2, 4]);
    assert_eq!(drop_all_but("nowhere", 0), Written::Appended(0));
    assert_eq!(store.namespaces(&Scope::All).unwrap(), [ns("a"), ns("b")], "no namespace comes of it");
    assert_eq!(store.learning_stats(&Scope::Exact(ns("b"))).unwrap()[0].trajectories, 1);
}

#[test]
fn trajectories_follow_their_namespace_and_leave_with_it() {
    let (_house, store) = open();
    store
        .write(vec![record(&rich("a", 1)), record(&trajectory("a", 2)), record(&trajectory("b", 2))])
        .unwrap();
    make(&*store, Write::MoveNamespace { from: ns("a"), to: ns("b"), at: at(90) });
    let of = |namespace: &str| -> Vec<Trajectory> {
        let (order, scope) = (Order::OldestFirst, Scope::Exact(ns(namespace)));
        store
            .trajectories(&TrajectoryQuery { order, scope, ..TrajectoryQuery::default() })
            .unwrap()
            .trajectories
    };
    assert_eq!((of("a"), of("b")), (Vec::new(), vec![rich("b", 1), trajectory("b", 2)]));
    let delete = |purge| make(&*store, Write::DeleteNamespace { namespace: ns("b"), purge, at: at(91) });
    delete(false);
    assert_eq!(of("b").len(), 2);
    delete(true);
    assert_eq!((of("b"), store.learning_stats(&Scope::All).unwrap().len()), (Vec::new(), 0));
}

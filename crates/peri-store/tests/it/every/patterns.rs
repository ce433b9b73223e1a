//! Patterns: put, read by their changes, drawn from trajectories once, moved and purged with their namespace.

use peri_store::{Distilled, PatternRow, Store, StoreError, TrajectoryQuery, WholePattern, Write, Written};
use peri_types::{
    ChangeNumber, Happening, Namespace, Pattern, PatternId, PatternTerm, Scope, SpaceId, TaskOutcome,
    Timestamp, Trajectory, TrajectoryId, Vector,
};

use super::{events, make, told_after};
use crate::support::{at, keep, ns, open, space, vector};

/// Texts that were trouble for one database or another.
pub const HOSTILE: [&str; 5] = [
    "먼저 '실패'한 시험만 돌린다",
    "先跑失败的测试 🧪𝒳",
    "\"; DROP TABLE patterns; --",
    "\\' \\\\ % _ ?1 $1",
    "e\u{301}\n\t ",
];

pub fn pattern(namespace: &str, number: u8) -> Pattern {
    Pattern {
        id: PatternId::from_bytes([number; 16]),
        namespace: ns(namespace),
        strategy: format!("전략 {number}"),
        domain: "testing".to_owned(),
        agent: None,
        quality: 0.5,
        uses: 0,
        successes: 0,
        term: PatternTerm::Short,
        sources: Vec::new(),
        created_at: at(0),
        used_at: None,
        retired_at: None,
        change: ChangeNumber::default(),
    }
}

/// One with everything, in texts that are hard to keep.
fn rich(namespace: &str, number: u8) -> Pattern {
    Pattern {
        strategy: HOSTILE.join("\n"),
        domain: HOSTILE[1].to_owned(),
        agent: Some(HOSTILE[2].to_owned()),
        quality: 0.1,
        uses: u32::MAX,
        successes: 7,
        term: PatternTerm::Long,
        sources: vec![TrajectoryId::from_bytes([1; 16]), TrajectoryId::from_bytes([0xff; 16])],
        used_at: Some(at(5)),
        retired_at: Some(at(6)),
        ..pattern(namespace, number)
    }
}

pub fn put(pattern: &Pattern, vector: Option<Vector>, expected: Option<u64>) -> WholePattern {
    WholePattern { pattern: pattern.clone(), vector, expected: expected.map(ChangeNumber) }
}

fn put_all(store: &dyn Store, patterns: Vec<WholePattern>) -> Written {
    make(store, Write::PutPatterns { patterns })
}

pub fn all(store: &dyn Store, namespace: &str) -> Vec<PatternRow> {
    store.patterns(&ns(namespace), Some(&space()), ChangeNumber(0), 1000).unwrap()
}

/// As it is read, but for the number of its change.
fn without_change((pattern, vector): PatternRow) -> PatternRow {
    (Pattern { change: ChangeNumber::default(), ..pattern }, vector)
}

fn ids(rows: &[PatternRow]) -> Vec<u8> {
    rows.iter().map(|(pattern, _)| pattern.id.as_bytes()[0]).collect()
}

#[test]
fn patterns_are_kept_to_the_letter_with_their_meaning_in_its_own_space_alone() {
    let (house, store) = open();
    let (plain, rich) = (pattern("팀", 1), rich("팀", 2));
    let written = put_all(&*store, vec![put(&plain, None, None), put(&rich, Some(vector(0.25)), None)]);
    assert_eq!(written, Written::Done);
    drop(store);
    let store = house.open();
    let read: Vec<_> = all(&*store, "팀").into_iter().map(without_change).collect();
    assert_eq!(read, [(plain.clone(), None), (rich.clone(), Some(vector(0.25).values))]);
    let other = SpaceId { dimensions: 5, ..space() };
    for (asked, vector) in [(None, None), (Some(&other), None), (Some(&space()), Some(vector(0.25).values))] {
        let one = store.pattern(&Scope::All, rich.id, asked).unwrap().map(without_change);
        assert_eq!(one, Some((rich.clone(), vector.clone())));
        assert_eq!(store.patterns(&ns("팀"), asked, ChangeNumber(1), 9).unwrap()[0].1, vector);
    }
    assert_eq!(store.pattern(&Scope::Exact(ns("남")), rich.id, None).unwrap(), None);
    assert_eq!(store.pattern(&Scope::All, PatternId::from_bytes([9; 16]), None).unwrap(), None);
    assert_eq!(store.patterns(&ns("nowhere"), None, ChangeNumber(0), 9).unwrap(), []);
    assert_eq!(store.learning_stats(&Scope::All).unwrap()[0].namespace, ns("팀"));
}

#[test]
fn whoever_follows_patterns_reads_each_change_once_in_pages_of_any_size() {
    let (_house, store) = open();
    let put_one = |number| put_all(&*store, vec![put(&pattern("a", number), None, None)]);
    (1..=5).for_each(|number| drop(put_one(number)));
    put_one(2);
    keep(&*store, "a", "하나");
    put_one(6);
    for limit in [1, 2, 100] {
        let (mut after, mut seen) = (ChangeNumber(0), Vec::new());
        loop {
            let page = store.patterns(&ns("a"), None, after, limit).unwrap();
            let Some((last, _)) = page.last() else { break };
            after = last.change;
            seen.extend(ids(&page));
        }
        assert_eq!(seen, [1, 3, 4, 5, 2, 6], "{limit}");
        assert_eq!(store.pattern_mark(&ns("a")).unwrap(), (6, after));
    }
    assert_eq!(store.pattern_mark(&ns("nowhere")).unwrap(), (0, ChangeNumber(0)));
}

#[test]
fn a_call_that_expected_another_state_of_a_pattern_is_taken_back_whole() {
    let (_house, store) = open();
    put_all(&*store, vec![put(&pattern("a", 1), None, Some(0))]);
    let (kept, _) = all(&*store, "a").remove(0);
    let changed = |quality| Pattern { quality, ..kept.clone() };
    let head = store.pattern_mark(&ns("a")).unwrap();
    for expected in [0, kept.change.0 + 1] {
        let patterns = vec![put(&pattern("a", 2), None, Some(0)), put(&changed(0.9), None, Some(expected))];
        let tell = Write::SetLearned {
            namespace: ns("a"),
            name: "router".into(),
            value: serde_json::json!(1),
            reason: String::new(),
            at: at(1),
        };
        let written = store.write(vec![tell, Write::PutPatterns { patterns }]).unwrap();
        assert_eq!(written, [Written::Stale, Written::Stale]);
        assert_eq!(store.pattern_mark(&ns("a")).unwrap(), head, "nothing of it was made");
        assert_eq!(store.learned_marks(&ns("a")).unwrap(), []);
    }
    assert_eq!(put_all(&*store, vec![put(&changed(0.9), None, Some(kept.change.0))]), Written::Done);
    assert_eq!(all(&*store, "a")[0].0.quality, 0.9);
    assert_eq!(put_all(&*store, vec![put(&changed(0.1), None, None)]), Written::Done, "nothing is expected");
}

#[test]
fn a_vector_that_is_put_away_is_gone_and_a_quality_keeps_every_bit() {
    let (_house, store) = open();
    for quality in [0.0, f32::MIN_POSITIVE, 0.1, 1.0 / 3.0, 0.999_999_94, 1.0] {
        let one = Pattern { quality, ..pattern("a", 1) };
        put_all(&*store, vec![put(&one, Some(vector(0.5)), None)]);
        let (read, vector) = all(&*store, "a").remove(0);
        assert_eq!((read.quality.to_bits(), vector.is_some()), (quality.to_bits(), true));
    }
    put_all(&*store, vec![put(&pattern("a", 1), None, None)]);
    assert_eq!(all(&*store, "a")[0].1, None);
}

pub fn trajectory(namespace: &str, number: u8) -> Trajectory {
    Trajectory {
        id: TrajectoryId::from_bytes([number; 16]),
        namespace: ns(namespace),
        session: None,
        turn: None,
        task: format!("할 일 {number}"),
        domain: "testing".to_owned(),
        agent: None,
        steps: Vec::new(),
        outcome: TaskOutcome::Success,
        at: at(i64::from(number)),
        duration_ms: 12,
        patterns: Vec::new(),
        distilled_at: None,
    }
}

pub fn record(trajectory: &Trajectory) -> Write {
    Write::RecordTrajectory { trajectory: Box::new(trajectory.clone()), at: at(50) }
}

fn distil(patterns: Vec<WholePattern>, trajectories: &[u8], second: i64) -> Write {
    let id = |number: &u8| TrajectoryId::from_bytes([*number; 16]);
    Write::Distil(Box::new(Distilled {
        namespace: ns("a"),
        patterns,
        trajectories: trajectories.iter().map(id).collect(),
        told: vec![Happening::Learned { name: "bank".into(), set: 1, reason: "배움".into() }],
        at: at(second),
    }))
}

fn undistilled(store: &dyn Store) -> Vec<u8> {
    let query = TrajectoryQuery { undistilled: true, ..TrajectoryQuery::default() };
    store.trajectories(&query).unwrap().trajectories.iter().map(|own| own.id.as_bytes()[0]).collect()
}

#[test]
fn what_was_drawn_from_trajectories_is_made_and_told_once() {
    let (_house, store) = open();
    store.write((1..=3).map(|number| record(&trajectory("a", number))).collect()).unwrap();
    let before = events(&*store).len();
    let drawn = || vec![put(&pattern("a", 7), Some(vector(0.5)), Some(0))];
    assert_eq!(make(&*store, distil(drawn(), &[1, 2], 60)), Written::Done);
    let mut left = undistilled(&*store);
    left.sort_unstable();
    assert_eq!(left, [3]);
    let told = told_after(&*store, before);
    assert_eq!(told, [(at(60), Happening::Learned { name: "bank".into(), set: 1, reason: "배움".into() })]);
    let mark = store.pattern_mark(&ns("a")).unwrap();
    // Somebody else has drawn from one of them, or it is not here: nothing of the call is made.
    for trajectories in [&[1_u8][..], &[3, 2], &[3, 99]] {
        let again = vec![put(&pattern("a", 8), None, None)];
        assert_eq!(make(&*store, distil(again, trajectories, 70)), Written::Stale);
        assert_eq!((store.pattern_mark(&ns("a")).unwrap(), undistilled(&*store)), (mark, vec![3]));
    }
    // Nor if a pattern is not as it was seen.
    assert_eq!(make(&*store, distil(drawn(), &[3], 70)), Written::Stale);
    assert_eq!((told_after(&*store, before).len(), undistilled(&*store)), (1, vec![3]));
    assert_eq!(make(&*store, distil(Vec::new(), &[3], 80)), Written::Done, "nothing can be learned of it");
    assert_eq!(undistilled(&*store), [] as [u8; 0]);
    let first = store.trajectory(&Scope::All, TrajectoryId::from_bytes([1; 16])).unwrap().unwrap();
    assert_eq!(first.distilled_at, Some(at(60)));
}

fn mark_of(store: &dyn Store, namespace: &str) -> (u64, ChangeNumber) {
    store.pattern_mark(&ns(namespace)).unwrap()
}

#[test]
fn whoever_follows_a_namespace_notices_what_came_and_what_left_when_another_is_moved_there() {
    let (_house, store) = open();
    let both = [("a", 1), ("a", 2), ("a", 3), ("b", 3), ("b", 4)];
    let strategy = |namespace: &str| format!("{namespace}에서");
    for (namespace, number) in both {
        let one = Pattern { strategy: strategy(namespace), ..pattern(namespace, number) };
        put_all(&*store, vec![put(&one, Some(vector(0.5)), None)]);
    }
    keep(&*store, "a", "하나");
    let (from, to) = (mark_of(&*store, "a"), mark_of(&*store, "b"));
    make(&*store, Write::MoveNamespace { from: ns("a"), to: ns("b"), at: at(90) });
    assert_eq!(mark_of(&*store, "a"), (0, ChangeNumber(0)));
    assert_ne!(mark_of(&*store, "a"), from);
    // One by one, as a follower with small pages would read them.
    let mut after = to.1;
    let mut came = Vec::new();
    while let Some((pattern, _)) = store.patterns(&ns("b"), None, after, 1).unwrap().pop() {
        after = pattern.change;
        came.push(pattern.id.as_bytes()[0]);
    }
    assert_eq!(came, [1, 2]);
    assert_eq!(mark_of(&*store, "b").0, to.0 + 2);
    let third = store.pattern(&Scope::All, PatternId::from_bytes([3; 16]), None).unwrap().unwrap().0;
    assert_eq!(third.strategy, strategy("b"), "what is at the new place stays");
    assert_eq!(all(&*store, "b")[0].1, Some(vector(0.5).values), "with their meaning");
    assert_eq!(all(&*store, "a"), []);
}

#[test]
fn patterns_stay_in_a_namespace_that_lies_in_the_trash_and_leave_with_one_that_is_purged() {
    let (_house, store) = open();
    for namespace in ["a", "b"] {
        put_all(&*store, vec![put(&pattern(namespace, 1), Some(vector(0.5)), None)]);
    }
    let (mine, other) = (mark_of(&*store, "a"), mark_of(&*store, "b"));
    let delete = |purge| make(&*store, Write::DeleteNamespace { namespace: ns("a"), purge, at: at(20) });
    delete(false);
    assert_eq!((mark_of(&*store, "a"), mark_of(&*store, "b")), (mine, other));
    delete(true);
    assert_eq!((mark_of(&*store, "a"), mark_of(&*store, "b")), ((0, ChangeNumber(0)), other));
    put_all(&*store, vec![put(&pattern("a", 1), None, Some(0))]);
    assert!(mark_of(&*store, "a").1 > mine.1, "numbers go on, so that a follower reads it again");
    let gone: Result<Written, StoreError> = store
        .write(vec![Write::DeleteNamespace { namespace: ns("none"), purge: true, at: at(21) }])
        .map(|mut all| all.remove(0));
    assert!(matches!(gone, Err(StoreError::NoNamespace { .. })), "{gone:?}");
}

#[test]
fn what_was_learned_is_counted_where_it_was() {
    let (_house, store) = open();
    let retired = |time: Timestamp, one: Pattern| Pattern { retired_at: Some(time), ..one };
    let long = Pattern { term: PatternTerm::Long, ..pattern("a", 2) };
    let patterns = [pattern("a", 1), long, retired(at(3), rich("a", 3)), pattern("b", 4)];
    put_all(&*store, patterns.iter().map(|own| put(own, None, None)).collect());
    store.write(vec![record(&trajectory("a", 1)), record(&trajectory("a", 2))]).unwrap();
    make(&*store, distil(Vec::new(), &[1], 60));
    keep(&*store, "quiet", "하나");
    let stats = store.learning_stats(&Scope::All).unwrap();
    let told: Vec<(Namespace, [u64; 5])> = stats
        .into_iter()
        .map(|own| {
            (own.namespace, [own.short_term, own.long_term, own.retired, own.trajectories, own.undistilled])
        })
        .collect();
    assert_eq!(told, [(ns("a"), [1, 1, 1, 2, 1]), (ns("b"), [1, 0, 0, 0, 0])]);
    assert_eq!(store.learning_stats(&Scope::Exact(ns("b"))).unwrap().len(), 1);
}

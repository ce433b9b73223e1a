//! How long recalls took: every event in the part of the time that it belongs to.

use jiff::SignedDuration;
use perihelion::{Happening, Latencies, LatencyQuery, MemoryId, Scope, Timestamp, Zone};

use crate::report::{fresh, happen, noon};
use crate::support::{ns, scope, time};

fn recalled(micros: Option<u64>) -> Happening {
    Happening::Recalled { query: "어디? 在哪里?".to_owned(), ids: Vec::new(), micros }
}

fn stored() -> Happening {
    Happening::Stored { id: MemoryId::generate(noon()), zone: Zone::Inner }
}

fn at(minutes: i64) -> Timestamp {
    noon() + SignedDuration::from_mins(minutes)
}

fn ask(engine: &perihelion::Perihelion, scope: Scope, hours: u32, buckets: u32) -> Latencies {
    engine.latencies(&LatencyQuery { scope, hours, buckets }).unwrap()
}

#[test]
fn each_recall_counts_in_its_own_part_and_in_no_other() {
    let (folder, clock, engine) = fresh();
    clock.advance(SignedDuration::from_mins(7));
    let team = || Some(ns("팀"));
    let mut told: Vec<_> = (1..=20).map(|n| (at(-15), team(), recalled(Some(n * 10)))).collect();
    told.extend([
        (at(-15), team(), recalled(None)),
        (at(0), team(), stored()),
        (at(6), team(), recalled(Some(7))),
        (at(-1), None, recalled(Some(9))),
        (at(-24 * 60), team(), recalled(Some(1))),
        (at(-24 * 60 + 14), team(), recalled(Some(2))),
        (at(-24 * 60 + 15), team(), stored()),
    ]);
    happen(folder.path(), told);
    let all = ask(&engine, scope("팀"), 24, 96);
    assert_eq!((all.bucket_seconds, all.buckets.len(), all.complete), (900, 96, true));
    assert_eq!((all.from, all.until), (time("2026-11-14T12:15:00Z"), time("2026-11-15T12:15:00Z")));
    assert!(
        all.buckets.iter().zip(0..).all(|(part, n)| part.at == all.from + SignedDuration::from_mins(15 * n))
    );
    let of = |part: &perihelion::LatencyBucket| (part.recalls, part.measured, part.stored);
    assert_eq!(of(&all.buckets[0]), (0, 0, 1), "what was earlier is left out");
    let before = &all.buckets[94];
    assert_eq!(of(before), (21, 20, 0));
    assert_eq!((before.p50_micros, before.p95_micros, before.max_micros), (Some(100), Some(190), Some(200)));
    let last = &all.buckets[95];
    assert_eq!((of(last), last.p50_micros, last.max_micros), ((1, 1, 1), Some(7), Some(7)));
    let silent = &all.buckets[50];
    assert_eq!(
        (of(silent), silent.p50_micros, silent.p95_micros, silent.max_micros),
        ((0, 0, 0), None, None, None)
    );
    let everywhere = ask(&engine, Scope::All, 24, 96);
    assert_eq!(everywhere.buckets[94].recalls, 22, "what was asked everywhere is in no namespace");
}

#[test]
fn parts_are_of_equal_length_and_no_more_than_asked_for() {
    let (_folder, _clock, engine) = fresh();
    for (hours, buckets) in [(1, 1), (1, 7), (24, 96), (24, 97), (24, 500), (720, 500), (720, 499), (5, 13)] {
        let told = ask(&engine, Scope::All, hours, buckets);
        let seconds = told.until.duration_since(told.from).as_secs().unsigned_abs();
        assert_eq!(seconds, told.bucket_seconds * told.buckets.len() as u64);
        assert!(
            told.buckets.len() <= buckets as usize && seconds >= u64::from(hours) * 3600,
            "{hours} {buckets}"
        );
        assert!(told.until > noon() && told.from <= noon());
    }
}

//! Days in use, what is kept of the clocks, and what happened by itself and is taken back.

use peri_store::{Asked, ClockRecord, Rewound, Store, Write, Written};
use peri_types::{DayInUse, Layer, MemoryId, Scope, Timestamp, TrashedBy};

use super::{get, make, of_layer, store_it};
use crate::support::{at, keep, ns, open};

const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;

fn asked(namespace: &str, second: i64) -> Asked {
    Asked { namespace: ns(namespace), at: at(second) }
}

fn hour_of(at: Timestamp) -> i64 {
    at.as_millisecond().div_euclid(3_600_000) * 3_600_000
}

fn days(store: &dyn Store, namespace: &str) -> Vec<DayInUse> {
    store.days_in_use(&ns(namespace)).unwrap()
}

#[test]
fn a_day_in_use_goes_from_its_first_use_to_its_last_in_whatever_order_they_come() {
    let (_house, store) = open();
    keep(&*store, "a", "하나");
    let first = days(&*store, "a");
    assert_eq!(first.len(), 1, "remembering is a use");
    let noon = at(40 * DAY).as_millisecond().div_euclid(DAY * 1000) * DAY + DAY / 2;
    let noon = noon - at(0).as_second();
    let uses = [noon, noon + 2 * HOUR, noon - 3 * HOUR, noon + HOUR].map(|second| asked("a", second));
    store.record_usage(&[], &[], &uses).unwrap();
    store.record_usage(&[], &[], &[asked("a", noon), asked("nobody", noon)]).unwrap();
    let day = DayInUse {
        day: at(noon).as_millisecond().div_euclid(DAY * 1000),
        first: hour_of(at(noon - 3 * HOUR)),
        last: hour_of(at(noon + 2 * HOUR)),
    };
    assert_eq!(days(&*store, "a"), [first, vec![day]].concat());
    assert!(days(&*store, "nobody").is_empty());
    make(&*store, Write::MoveNamespace { from: ns("a"), to: ns("b"), at: at(90) });
    assert!(days(&*store, "a").is_empty());
    assert!(days(&*store, "b").contains(&day));
}

#[test]
fn of_two_that_saw_a_clock_the_first_is_kept() {
    let (_house, store) = open();
    let (none, _) = store.clock().unwrap();
    assert_eq!(none, ClockRecord::default());
    let keep = |revision, state: &str| {
        let record = ClockRecord { revision, state: state.to_owned() };
        make(&*store, Write::KeepClock(record));
    };
    keep(0, "처음");
    keep(0, "late");
    let (kept, _) = store.clock().unwrap();
    assert_eq!(kept, ClockRecord { revision: 1, state: "처음".to_owned() });
    keep(1, "next");
    assert_eq!(store.clock().unwrap().0.state, "next");
    super::super::support::keep(&*store, "a", "하나");
    store.record_usage(&[], &[], &[asked("a", 3 * DAY)]).unwrap();
    let (_, latest) = store.clock().unwrap();
    assert_eq!(latest.map(Timestamp::as_millisecond), Some(hour_of(at(3 * DAY))));
}

fn trashed(store: &dyn Store, id: MemoryId) -> Option<(Timestamp, Option<TrashedBy>)> {
    get(store, id).and_then(|memory| Some((memory.trashed_at?, memory.trashed_by)))
}

#[test]
fn a_rewind_brings_back_what_went_by_itself_later_and_sets_times_that_lie_ahead_to_now() {
    let (_house, store) = open();
    let [mine, faded] =
        ["하나", "둘"].map(|content| store_it(&*store, of_layer(Layer::LongTerm, None, content, 1), 1.0));
    let mut value = of_layer(Layer::Working, Some("회의"), "값", 400 * DAY);
    value.facets.expires_at = Some(at(400 * DAY + 900));
    let value = store_it(&*store, value, 2.0);
    let mut doomed = of_layer(Layer::LongTerm, None, "셋", 2);
    doomed.facets.expires_at = Some(at(300 * DAY));
    let doomed = store_it(&*store, doomed, 3.0);
    make(&*store, Write::Forget { scope: Scope::All, id: mine.id, at: at(400 * DAY) });
    make(&*store, Write::Forget { scope: Scope::All, id: faded.id, at: at(50) });
    make(&*store, Write::Lapse { now: at(400 * DAY), matters: None, limit: 9 });
    assert_eq!(trashed(&*store, doomed.id), Some((at(400 * DAY), Some(TrashedBy::Expiry))));

    let now = at(DAY);
    let rewound = make(&*store, Write::Rewind { scope: Scope::All, after: now, at: now });
    assert_eq!(rewound, Written::Rewound(Rewound { restored: 1, corrected: 2 }));
    assert_eq!(trashed(&*store, doomed.id), None);
    assert_eq!(trashed(&*store, mine.id), Some((now, None)), "asked for, whatever the clock showed");
    assert_eq!(trashed(&*store, faded.id), Some((at(50), None)));
    let value = get(&*store, value.id).unwrap();
    assert_eq!((value.created_at, value.facets.expires_at), (now, Some(at(DAY + 900))));
    let again = make(&*store, Write::Rewind { scope: Scope::All, after: now, at: now });
    assert_eq!(again, Written::Rewound(Rewound::default()));
}

#[test]
fn what_working_memory_was_given_under_a_fast_clock_expires_on_the_right_one() {
    let (_house, store) = open();
    let mut value = of_layer(Layer::Working, Some("회의"), "값", 400 * DAY);
    value.facets.expires_at = Some(at(400 * DAY + 900));
    let value = store_it(&*store, value, 2.0);
    let lapse = |second| make(&*store, Write::Lapse { now: at(second), matters: None, limit: 9 });
    assert!(store.has_lapsed(at(100)).unwrap(), "it waits to be set right");
    lapse(100);
    assert_eq!(get(&*store, value.id).unwrap().facets.expires_at, Some(at(1000)));
    assert!(!store.has_lapsed(at(999)).unwrap());
    lapse(1000);
    assert_eq!(get(&*store, value.id), None);
}

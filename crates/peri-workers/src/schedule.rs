//! When a worker is due: a function of when it last began, its interval and the time.

use std::time::Duration;

use perihelion::Timestamp;

/// Between the first runs of two workers so much time passes, so that they do not all begin at once.
const STAGGER: Duration = Duration::from_secs(5);

/// Whoever starts is left alone for so long.
const SETTLE: Duration = Duration::from_secs(10);

/// When a worker is due that last began at a time.
pub fn due_at(last_started: Timestamp, interval: Duration) -> Timestamp {
    last_started.checked_add(interval).unwrap_or(Timestamp::MAX)
}

/// When a worker is due that has never run, or is overdue: some time after whoever runs it has started, those further
/// down the table later.
pub fn first_due_at(service_started: Timestamp, place: usize) -> Timestamp {
    let places = u32::try_from(place).unwrap_or(u32::MAX);
    service_started
        .checked_add(SETTLE.saturating_add(STAGGER.saturating_mul(places)))
        .unwrap_or(Timestamp::MAX)
}

/// When a worker is next due for a service that started at a time.
pub(crate) fn next_due(
    last_started: Option<Timestamp>,
    interval: Duration,
    service_started: Timestamp,
    place: usize,
) -> Timestamp {
    let first = first_due_at(service_started, place);
    match last_started {
        Some(last) => due_at(last, interval).max(first.min(due_at(service_started, interval))),
        None => first,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_000_000 + second).unwrap()
    }

    #[test]
    fn a_worker_is_due_one_interval_after_it_last_began_and_not_a_second_before() {
        let interval = Duration::from_secs(300);
        assert_eq!(due_at(at(0), interval), at(300));
        assert!(due_at(at(0), interval) > at(299));
    }

    #[test]
    fn workers_that_never_ran_begin_one_after_another_and_none_at_once() {
        let first: Vec<_> = (0..12).map(|place| first_due_at(at(0), place)).collect();
        assert!(first.windows(2).all(|pair| pair[0] < pair[1]) && first[0] > at(0));
    }

    #[test]
    fn one_that_is_overdue_waits_for_its_place_and_one_that_ran_lately_for_its_interval() {
        let interval = Duration::from_secs(600);
        assert_eq!(next_due(Some(at(-10_000)), interval, at(0), 2), first_due_at(at(0), 2));
        assert_eq!(next_due(Some(at(-60)), interval, at(0), 2), at(540));
    }

    #[test]
    fn no_time_and_no_interval_is_too_far() {
        assert_eq!(due_at(Timestamp::MAX, Duration::MAX), Timestamp::MAX);
        assert!(first_due_at(Timestamp::MAX, usize::MAX) <= Timestamp::MAX);
    }
}

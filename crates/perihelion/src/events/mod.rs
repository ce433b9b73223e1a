//! What happened, told to whoever listens and kept for whoever asks later.
//!
//! The store is the truth: every change writes its events in its own transaction, with numbers that rise.
//! From there they go two ways. [`Bus`] tells the subscribers of this process. [`AuditLog`] keeps them in
//! files that people and other programs can read; [`Follow`] waits at the end of those files. Neither way
//! can stop a memory operation: a subscriber that panics is caught, and a log that cannot be written is an
//! error value for whoever ships to it.

mod bus;
mod follow;
mod lines;
mod log;
mod read;
mod rotation;

pub use bus::{Bus, Subscription};
pub use follow::{Follow, FollowFrom};
pub use log::{AuditLog, LogWarning, Shipping};
pub use read::{LogPage, LogQuery};

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write as _;
    use std::path::Path;

    use peri_types::{Event, EventKind, Happening, Namespace, Timestamp};

    use super::log::Shipped;
    use super::{AuditLog, LogQuery, Shipping};

    /// An event whose time and namespace follow from its number.
    pub(super) fn event(number: u64) -> Event {
        telling(number, "daily")
    }

    pub(super) fn telling(number: u64, text: &str) -> Event {
        let namespace = (!number.is_multiple_of(3))
            .then(|| format!("team/{}", number % 3).parse::<Namespace>().expect("a namespace"));
        let what = if number.is_multiple_of(2) {
            Happening::SessionStarted { session: text.to_owned() }
        } else {
            Happening::Recalled { query: text.to_owned(), ids: Vec::new(), micros: None }
        };
        Event { number, at: Timestamp::from_second(1000 + number as i64).unwrap(), namespace, what }
    }

    pub(super) fn events(numbers: impl IntoIterator<Item = u64>) -> Vec<Event> {
        numbers.into_iter().map(event).collect()
    }

    pub(super) fn line(event: &Event) -> String {
        serde_json::to_string(event).unwrap() + "\n"
    }

    /// Ships where nobody is in the way.
    pub(super) fn shipped(log: &AuditLog, events: &[Event]) -> Shipped {
        match log.ship(events).unwrap() {
            Shipping::Shipped(shipped) => shipped,
            Shipping::Busy => panic!("nobody else ships"),
        }
    }

    /// The numbers of everything in the log.
    pub(super) fn numbers(log: &AuditLog) -> Vec<u64> {
        let page = log.read(&LogQuery { limit: usize::MAX, ..LogQuery::default() }).unwrap();
        page.events.iter().map(|event| event.number).collect()
    }

    /// Adds to a file what no shipper would write, as a crash or a person might.
    pub(super) fn scribble(path: &Path, text: &[u8]) {
        let mut file = fs::File::options().create(true).append(true).open(path).unwrap();
        file.write_all(text).unwrap();
    }

    #[test]
    fn samples_are_of_two_kinds_in_three_places() {
        let kinds: Vec<EventKind> = events(1..=2).iter().map(|event| event.what.kind()).collect();
        assert_eq!(kinds, [EventKind::Recalled, EventKind::SessionStarted]);
        assert!(event(3).namespace.is_none());
    }
}

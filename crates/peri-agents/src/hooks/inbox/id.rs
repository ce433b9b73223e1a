//! The names of calls: they sort by time and no two are alike.

use std::fmt;
use std::hash::{BuildHasher as _, RandomState};

use jiff::Timestamp;

const CALL: &str = ".json";
const PART: &str = ".part";
/// Digits of the time, the number, the process and the chance in a name.
const WIDTHS: [usize; 4] = [21, 6, 8, 16];

/// The name of a call that waits. Those of later calls are greater.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallId(String);

impl CallId {
    /// A name for a call of this moment, with its number in this process.
    pub(super) fn new(at: Timestamp, number: u32) -> Self {
        let nanoseconds = at.as_nanosecond().max(0);
        let chance = RandomState::new().hash_one(number);
        Self(format!("{nanoseconds:021}-{number:06}-{:08x}-{chance:016x}", std::process::id()))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(super) fn file_name(&self) -> String {
        format!("{}{CALL}", self.0)
    }

    pub(super) fn part_name(&self) -> String {
        format!("{}{PART}", self.0)
    }

    /// The call in a file; none if the file is not ours.
    pub(super) fn of_file(name: &str) -> Option<Self> {
        name.strip_suffix(CALL).and_then(Self::parse)
    }

    /// Whether a file is one of ours that is being written, or that nobody finished.
    pub(super) fn is_part(name: &str) -> bool {
        name.strip_suffix(PART).and_then(Self::parse).is_some()
    }

    fn parse(text: &str) -> Option<Self> {
        let parts: Vec<&str> = text.split('-').collect();
        let is_digit = |digit: u8| digit.is_ascii_digit() || matches!(digit, b'a'..=b'f');
        let is_ours = parts.len() == WIDTHS.len()
            && parts
                .iter()
                .zip(WIDTHS)
                .all(|(part, width)| part.len() == width && part.bytes().all(is_digit));
        is_ours.then(|| Self(text.to_owned()))
    }
}

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sort_by_time_then_by_number_and_are_never_alike() {
        let times = [
            "0001-01-01T00:00:00Z",
            "1970-01-01T00:00:01Z",
            "2026-11-16T17:30:00Z",
            "9999-12-30T22:00:00.999999999Z",
        ];
        let times: Vec<Timestamp> = times.iter().map(|time| time.parse().unwrap()).collect();
        let names: Vec<CallId> =
            times.iter().flat_map(|at| [0, 9, 10, 999_999].map(|number| CallId::new(*at, number))).collect();
        assert!(names.is_sorted(), "{names:?}");
        assert_ne!(CallId::new(times[2], 7), CallId::new(times[2], 7));
    }

    #[test]
    fn only_our_names_are_read_back() {
        let id = CallId::new("2026-11-16T17:30:00Z".parse().unwrap(), 3);
        assert_eq!(CallId::of_file(&id.file_name()), Some(id.clone()));
        assert!(CallId::is_part(&id.part_name()) && !CallId::is_part(&id.file_name()));
        let long = format!("0{}", id.file_name());
        for name in
            ["", ".json", "lock", "notes.json", "메모.json", "----.json", &long, &id.part_name(), id.as_str()]
        {
            assert_eq!(CallId::of_file(name), None, "{name}");
        }
    }
}

//! Repeated runs in a long row of numbers.

use std::collections::HashMap;

/// A run that occurs more often than this is how the language is written, not something that was copied.
const OCCURRENCES_MAX: usize = 200;
/// A window with fewer different lines is a table.
const DIFFERENT_MIN: usize = 3;
/// How many steps are made for each line, so that hostile input cannot take forever.
const STEPS_PER_LINE: usize = 200;
/// An odd number with well-mixed bits.
const BASE: u64 = 0x9E37_79B9_7F4A_7C15;

/// A run that occurs at several places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Run {
    /// Where it begins, in order; occurrences do not overlap.
    pub(super) starts: Vec<usize>,
    pub(super) len: usize,
}

/// All runs of at least `len_min` numbers that occur more than once, each as long as it can be. `BREAK` is in no run.
/// The second value tells whether the search was ended before its end.
pub(super) fn runs(row: &[u32], len_min: usize) -> (Vec<Run>, bool) {
    let windows = Windows::new(row, len_min);
    let mut found = Vec::new();
    let mut steps_left = row.len().saturating_mul(STEPS_PER_LINE);
    for group in windows.groups() {
        let mut waiting = vec![(group, len_min)];
        while let Some((starts, len)) = waiting.pop() {
            let (len, branches) = extend(row, &starts, len, &mut steps_left);
            found.extend(without_overlap(&starts, len, len_min));
            waiting.extend(branches.into_iter().map(|starts| (starts, len + 1)));
            if steps_left == 0 {
                return (found, true);
            }
        }
    }
    (found, false)
}

/// Stands between files.
pub(super) const BREAK: u32 = u32::MAX;

/// Windows of equal content, by a rolling hash.
struct Windows<'a> {
    row: &'a [u32],
    len: usize,
    /// Hash and place, sorted, so that equal ones stand together.
    sorted: Vec<(u64, usize)>,
    /// Places from which a run may begin.
    begins: Vec<bool>,
}

impl<'a> Windows<'a> {
    fn new(row: &'a [u32], len: usize) -> Self {
        let mut sorted = hashes(row, len);
        sorted.sort_unstable();
        let mut begins = vec![false; row.len()];
        for same in sorted.chunk_by(|a, b| a.0 == b.0) {
            let fits =
                (2..=OCCURRENCES_MAX).contains(&same.len()) && is_varied(&row[same[0].1..same[0].1 + len]);
            if fits {
                same.iter().for_each(|(_, at)| begins[*at] = true);
            }
        }
        Self { row, len, sorted, begins }
    }

    /// Groups of places with equal windows that cannot all be extended to the left.
    fn groups(&self) -> impl Iterator<Item = Vec<usize>> {
        self.sorted.chunk_by(|a, b| a.0 == b.0).filter(|same| self.begins[same[0].1]).filter_map(|same| {
            let first = &self.row[same[0].1..same[0].1 + self.len];
            // Two windows may have the same hash by chance.
            let equal = same.iter().map(|(_, at)| *at).filter(|at| self.row[*at..*at + self.len] == *first);
            let starts: Vec<usize> = equal.collect();
            let before = |at: usize| at.checked_sub(1).map(|at| (self.row[at], self.begins[at]));
            let extends = starts.iter().all(|at| {
                before(*at).is_some_and(|(id, begins)| {
                    id != BREAK && begins && Some(id) == before(starts[0]).map(|(id, _)| id)
                })
            });
            (starts.len() > 1 && !extends).then_some(starts)
        })
    }
}

fn hashes(row: &[u32], len: usize) -> Vec<(u64, usize)> {
    let top = (1..len).fold(1_u64, |power, _| power.wrapping_mul(BASE));
    let value = |id: u32| (u64::from(id) + 1).wrapping_mul(BASE).rotate_left(31);
    let (mut found, mut hash, mut since_break) = (Vec::with_capacity(row.len()), 0_u64, 0);
    for (at, id) in row.iter().enumerate() {
        if *id == BREAK {
            (hash, since_break) = (0, 0);
            continue;
        }
        if since_break >= len {
            hash = hash.wrapping_sub(value(row[at - len]).wrapping_mul(top));
        }
        hash = hash.wrapping_mul(BASE).wrapping_add(value(*id));
        since_break += 1;
        if since_break >= len {
            found.push((hash, at + 1 - len));
        }
    }
    found
}

fn is_varied(window: &[u32]) -> bool {
    let mut ids = window.to_vec();
    ids.sort_unstable();
    ids.dedup();
    ids.len() >= DIFFERENT_MIN
}

/// How far all go on alike, and the groups that go on alike beyond that.
fn extend(row: &[u32], starts: &[usize], mut len: usize, steps_left: &mut usize) -> (usize, Vec<Vec<usize>>) {
    loop {
        let next = |start: usize| row.get(start + len).copied().unwrap_or(BREAK);
        let first = next(starts[0]);
        if first != BREAK && starts.iter().all(|start| next(*start) == first) && *steps_left >= starts.len() {
            *steps_left -= starts.len();
            len += 1;
            continue;
        }
        *steps_left = steps_left.saturating_sub(starts.len());
        let mut branches: HashMap<u32, Vec<usize>> = HashMap::new();
        starts
            .iter()
            .filter(|start| next(**start) != BREAK)
            .for_each(|start| branches.entry(next(*start)).or_default().push(*start));
        let mut branches: Vec<Vec<usize>> =
            branches.into_values().filter(|branch| branch.len() > 1).collect();
        branches.retain(|branch| branch.len() < starts.len());
        branches.sort();
        return (len, branches);
    }
}

/// Occurrences that do not overlap, from the first on. Where something repeats without a pause, one round of it counts.
fn without_overlap(starts: &[usize], len: usize, len_min: usize) -> Option<Run> {
    let widest = starts.windows(2).map(|pair| pair[1] - pair[0]).max()?;
    let len = len.min(widest);
    let mut kept: Vec<usize> = Vec::with_capacity(starts.len());
    for start in starts {
        if kept.last().is_none_or(|last| *start >= last + len) {
            kept.push(*start);
        }
    }
    (kept.len() > 1 && len >= len_min).then_some(Run { starts: kept, len })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_run_is_found_whole_and_once() {
        let row = [9, 1, 2, 3, 4, 5, 8, BREAK, 7, 1, 2, 3, 4, 5, 6];
        assert_eq!(runs(&row, 3), (vec![Run { starts: vec![1, 9], len: 5 }], false));
    }

    #[test]
    fn some_of_the_occurrences_may_go_on_longer() {
        let row = [1, 2, 3, 4, 5, BREAK, 1, 2, 3, 4, 5, BREAK, 1, 2, 3, 9];
        let (mut found, _) = runs(&row, 3);
        found.sort_by_key(|run| run.len);
        assert_eq!(found, [Run { starts: vec![0, 6, 12], len: 3 }, Run { starts: vec![0, 6], len: 5 }]);
    }

    proptest! {
        #[test]
        fn what_is_found_is_equal_and_whatever_is_repeated_is_covered(
            row in prop::collection::vec(prop_oneof![8 => 0_u32..6, 1 => Just(BREAK)], 0..60)
        ) {
            let (found, stopped) = runs(&row, 3);
            prop_assert!(!stopped);
            for run in &found {
                for start in &run.starts {
                    prop_assert_eq!(&row[*start..start + run.len], &row[run.starts[0]..run.starts[0] + run.len]);
                    prop_assert!(!row[*start..start + run.len].contains(&BREAK));
                }
            }
            // Any two equal windows far enough apart lie in occurrences of some run, unless one is a table or overlaps.
            for a in 0..row.len().saturating_sub(2) {
                for b in a + 3..row.len().saturating_sub(2) {
                    let window = &row[a..a + 3];
                    let periodic = row[a..b].windows(3).skip(1).any(|other| other == window);
                    if window == &row[b..b + 3] && is_varied(window) && !window.contains(&BREAK) && !periodic {
                        let covers = |at: usize| found.iter().any(|run| run.starts.iter().any(|start| (*start..start + run.len).contains(&at)));
                        prop_assert!(covers(a) || covers(b), "{a} {b} {found:?}");
                    }
                }
            }
        }
    }
}

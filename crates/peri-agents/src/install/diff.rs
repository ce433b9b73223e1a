//! Which lines of two texts are the same, and how a change is shown.

use std::fmt::Write as _;
use std::path::Path;

/// What becomes of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// It stays: its number before and after.
    Keep(usize, usize),
    /// It goes.
    Drop(usize),
    /// It comes.
    Add(usize),
}

/// How `before` becomes `after` in the fewest steps, by Myers's greedy search.
pub(super) fn steps(before: &[&str], after: &[&str]) -> Vec<Step> {
    let head = before.iter().zip(after).take_while(|(left, right)| left == right).count();
    let most = (before.len() - head).min(after.len() - head);
    let same_from_end = before.iter().rev().zip(after.iter().rev());
    let tail = same_from_end.take(most).take_while(|(left, right)| left == right).count();
    let middle = shortest(&before[head..before.len() - tail], &after[head..after.len() - tail]);

    let mut steps: Vec<Step> = (0..head).map(|line| Step::Keep(line, line)).collect();
    steps.extend(middle.into_iter().map(|step| match step {
        Step::Keep(left, right) => Step::Keep(left + head, right + head),
        Step::Drop(left) => Step::Drop(left + head),
        Step::Add(right) => Step::Add(right + head),
    }));
    steps.extend((0..tail).rev().map(|back| Step::Keep(before.len() - 1 - back, after.len() - 1 - back)));
    steps
}

fn shortest(before: &[&str], after: &[&str]) -> Vec<Step> {
    let (rows, columns) = (before.len() as isize, after.len() as isize);
    let reach = rows + columns;
    let at = |diagonal: isize| (diagonal + reach + 1) as usize;
    let mut furthest = vec![0_isize; (2 * reach + 3) as usize];
    let mut rounds = Vec::new();
    for edits in 0..=reach {
        rounds.push(furthest[at(-edits - 1)..=at(edits + 1)].to_vec());
        for diagonal in (-edits..=edits).step_by(2) {
            let down = diagonal == -edits
                || (diagonal != edits && furthest[at(diagonal - 1)] < furthest[at(diagonal + 1)]);
            let mut row = if down { furthest[at(diagonal + 1)] } else { furthest[at(diagonal - 1)] + 1 };
            while row < rows
                && row - diagonal < columns
                && before[row as usize] == after[(row - diagonal) as usize]
            {
                row += 1;
            }
            furthest[at(diagonal)] = row;
            if row >= rows && row - diagonal >= columns {
                return walk_back(&rounds, rows, columns);
            }
        }
    }
    Vec::new()
}

/// Each round holds how far its diagonals and one more to either side had come before it.
fn walk_back(rounds: &[Vec<isize>], rows: isize, columns: isize) -> Vec<Step> {
    let (mut row, mut column) = (rows, columns);
    let mut steps = Vec::new();
    for (edits, furthest) in rounds.iter().enumerate().rev() {
        let (edits, diagonal) = (edits as isize, row - column);
        let at = |diagonal: isize| (diagonal + edits + 1) as usize;
        let down = diagonal == -edits
            || (diagonal != edits && furthest[at(diagonal - 1)] < furthest[at(diagonal + 1)]);
        let from = if down { diagonal + 1 } else { diagonal - 1 };
        let (from_row, from_column) = (furthest[at(from)], furthest[at(from)] - from);
        while row > from_row && column > from_column {
            (row, column) = (row - 1, column - 1);
            steps.push(Step::Keep(row as usize, column as usize));
        }
        if edits > 0 {
            steps.push(if down { Step::Add(from_column as usize) } else { Step::Drop(from_row as usize) });
        }
        (row, column) = (from_row, from_column);
    }
    steps.reverse();
    steps
}

/// Lines shown around a change.
const AROUND: usize = 3;

/// A change as `diff -u` writes it.
pub(super) fn unified(path: &Path, before: Option<&str>, after: Option<&str>) -> String {
    let name = |side: &str, text: Option<&str>| match text {
        Some(_) => format!("{side} {}\n", path.display()),
        None => format!("{side} /dev/null\n"),
    };
    let old: Vec<&str> = before.unwrap_or_default().split_inclusive('\n').collect();
    let new: Vec<&str> = after.unwrap_or_default().split_inclusive('\n').collect();
    let steps = steps(&old, &new);
    let mut shown = name("---", before) + &name("+++", after);
    for hunk in hunks(&steps) {
        write_hunk(&mut shown, &steps[hunk], &old, &new);
    }
    shown
}

fn hunks(steps: &[Step]) -> Vec<std::ops::Range<usize>> {
    let mut found: Vec<std::ops::Range<usize>> = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        if matches!(step, Step::Keep(..)) {
            continue;
        }
        let range = index.saturating_sub(AROUND)..(index + AROUND + 1).min(steps.len());
        match found.last_mut() {
            Some(last) if range.start <= last.end => last.end = range.end,
            _ => found.push(range),
        }
    }
    found
}

fn write_hunk(shown: &mut String, steps: &[Step], old: &[&str], new: &[&str]) {
    let old_lines = steps.iter().filter(|step| !matches!(step, Step::Add(_))).count();
    let new_lines = steps.iter().filter(|step| !matches!(step, Step::Drop(_))).count();
    let first_old = steps.iter().find_map(|step| match step {
        Step::Keep(line, _) | Step::Drop(line) => Some(line + 1),
        Step::Add(_) => None,
    });
    let first_new = steps.iter().find_map(|step| match step {
        Step::Keep(_, line) | Step::Add(line) => Some(line + 1),
        Step::Drop(_) => None,
    });
    let (from, to) = (first_old.unwrap_or(0), first_new.unwrap_or(0));
    writeln!(shown, "@@ -{from},{old_lines} +{to},{new_lines} @@").expect("a string takes every text");
    for step in steps {
        match *step {
            Step::Keep(_, line) => write_line(shown, ' ', new[line]),
            Step::Drop(line) => write_line(shown, '-', old[line]),
            Step::Add(line) => write_line(shown, '+', new[line]),
        }
    }
}

fn write_line(shown: &mut String, sign: char, line: &str) {
    let ended = line.ends_with('\n');
    let bare = line.trim_end_matches('\n').trim_end_matches('\r');
    writeln!(shown, "{sign}{bare}").expect("a string takes every text");
    if !ended {
        shown.push_str("\\ No newline at end of file\n");
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn replay(before: &[&str], after: &[&str]) -> Vec<String> {
        let mut built = Vec::new();
        let mut next = 0;
        for step in steps(before, after) {
            match step {
                Step::Keep(left, right) => {
                    assert_eq!((before[left], left), (after[right], next));
                    next += 1;
                    built.push(before[left].to_owned());
                }
                Step::Drop(left) => {
                    assert_eq!(left, next);
                    next += 1;
                }
                Step::Add(right) => built.push(after[right].to_owned()),
            }
        }
        assert_eq!(next, before.len());
        built
    }

    #[test]
    fn a_change_is_shown_with_three_lines_around_it() {
        let before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let after = "1\n2\n3\n4\n하나\n6\n7\n8\n9\n";
        let shown = unified(Path::new("/a/b.json"), Some(before), Some(after));
        assert_eq!(
            shown,
            "--- /a/b.json\n+++ /a/b.json\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+하나\n 6\n 7\n 8\n"
        );
    }

    #[test]
    fn a_new_file_and_a_missing_last_newline_are_told() {
        let shown = unified(Path::new("x"), None, Some("a\nb"));
        assert_eq!(shown, "--- /dev/null\n+++ x\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n");
    }

    proptest! {
        #[test]
        fn the_steps_lead_from_one_text_to_the_other(
            before in prop::collection::vec("[a-d]", 0..24),
            after in prop::collection::vec("[a-d]", 0..24),
        ) {
            let before: Vec<&str> = before.iter().map(String::as_str).collect();
            let after: Vec<&str> = after.iter().map(String::as_str).collect();
            prop_assert_eq!(replay(&before, &after), after);
        }
    }
}

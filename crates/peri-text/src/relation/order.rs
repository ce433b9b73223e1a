//! Whether two sequences of words differ in an order that does not matter.

/// How many words two sequences share at the start, and then at the end.
pub(super) fn shared_ends<T: PartialEq>(a: &[T], b: &[T]) -> (usize, usize) {
    let start = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[start..], &b[start..]);
    let end = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    (start, end)
}

/// Whether two neighbouring phrases changed places, one of which may stand anywhere in a sentence.
///
/// `is_free` says whether a phrase is such a one, as "on Mondays" is.
pub(super) fn is_swap<T: PartialEq>(a: &[T], b: &[T], is_free: impl Fn(&[T]) -> bool) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let (start, end) = shared_ends(a, b);
    let (a, b) = (&a[start..a.len() - end], &b[start..b.len() - end]);
    // Where the first word of `b` stands in `a` is where the second phrase begins.
    let candidates = a.iter().enumerate().skip(1).filter(|(_, word)| Some(*word) == b.first()).take(4);
    candidates.map(|(at, _)| at).any(|at| {
        let (first, second) = a.split_at(at);
        b.starts_with(second) && &b[second.len()..] == first && (is_free(first) || is_free(second))
    })
}

/// Whether the members of one list changed places. `is_separator` tells "and" and the like; at least
/// `lead_min` words must stand before the list, so that it is a list of objects and not of steps.
pub(super) fn is_list_reordered<T: PartialEq + Ord + Clone>(
    a: &[T],
    b: &[T],
    lead_min: usize,
    is_separator: impl Fn(&T) -> bool + Copy,
) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let (start, end) = shared_ends(a, b);
    // Another list beside this one may go with it member by member.
    let is_paired = a[..start].iter().any(is_separator);
    if start < lead_min || start + end >= a.len() || is_paired {
        return false;
    }
    let members = |all: &[T]| {
        let mut members: Vec<Vec<T>> = all.split(is_separator).map(<[T]>::to_vec).collect();
        members.sort();
        members
    };
    let tail = |back: usize| &a[a.len() - end + back..];
    // A member that the lists share at the end was taken for a common end; give back up to one of them.
    (0..=end.min(4)).any(|back| {
        let (a, b) = (&a[start..a.len() - end + back], &b[start..b.len() - end + back]);
        let (a, b) = (members(a), members(b));
        a.len() > 1
            && a == b
            && !tail(back).iter().any(is_separator)
            && a.iter().all(|member| !member.is_empty() && member.len() <= 4)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        text.split(' ').collect()
    }

    #[test]
    fn free_phrases_may_move_and_others_may_not() {
        let is_free = |phrase: &[&str]| phrase[0] == "on";
        for (a, b, expected) in [
            ("we deploy on mondays", "on mondays we deploy", true),
            ("ana saw ben", "ben saw ana", false),
            ("we deploy on mondays", "we deploy on mondays", false),
            ("on mondays we deploy", "on mondays deploy we", false),
        ] {
            assert_eq!(is_swap(&words(a), &words(b), is_free), expected, "{a} / {b}");
        }
    }

    #[test]
    fn members_of_a_list_may_change_places() {
        for (a, b, expected) in [
            ("maya has two cats and dog", "maya has dog and two cats", true),
            ("run lint and deploy", "run deploy and lint", false),
            ("we use a and b and c here", "we use c and a and b here", true),
            ("we use a and b", "we use b and c", false),
        ] {
            assert_eq!(
                is_list_reordered(&words(a), &words(b), 2, |word| *word == "and"),
                expected,
                "{a} / {b}"
            );
        }
    }
}

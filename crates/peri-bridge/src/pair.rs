//! Which text of before became which text of now.

use std::cmp::Reverse;

/// Texts that share at least this part of their pairs of letters are one text that was edited.
const ALIKE_MIN: f32 = 0.5;

/// Of what a text is like, only so many are looked at further.
const LOOKED_AT: usize = 16;

/// Pairs of old and new texts that are alike, by their places, the most alike first. None is in two pairs.
pub(crate) fn alike(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    let old_pairs: Vec<_> = old.iter().map(|text| letters(text)).collect();
    let new_pairs: Vec<_> = new.iter().map(|text| letters(text)).collect();
    let mut found = Vec::new();
    for (one, old) in old_pairs.iter().enumerate() {
        let likenesses = new_pairs.iter().map(|new| likeness(old, new)).enumerate();
        let mut best: Vec<_> = likenesses
            .filter(|(_, likeness)| *likeness >= ALIKE_MIN)
            // As a whole number, so that it sorts.
            .map(|(other, likeness)| (Reverse((likeness * 10_000.0) as u32), one.abs_diff(other), one, other))
            .collect();
        best.sort_unstable();
        best.truncate(LOOKED_AT);
        found.extend(best);
    }
    found.sort_unstable();
    let (mut is_old_taken, mut is_new_taken) = (vec![false; old.len()], vec![false; new.len()]);
    let mut chosen = Vec::new();
    for (_, _, one, other) in found {
        if !is_old_taken[one] && !is_new_taken[other] {
            (is_old_taken[one], is_new_taken[other]) = (true, true);
            chosen.push((one, other));
        }
    }
    chosen
}

/// The pairs of neighbouring letters of a text, sorted. Marks, spaces and case do not count.
fn letters(text: &str) -> Vec<(char, char)> {
    let letters: Vec<char> =
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let mut pairs: Vec<_> = match letters[..] {
        [only] => vec![(only, only)],
        _ => letters.windows(2).map(|pair| (pair[0], pair[1])).collect(),
    };
    pairs.sort_unstable();
    pairs
}

/// Which part of their pairs two texts share, from 0 to 1.
fn likeness(one: &[(char, char)], other: &[(char, char)]) -> f32 {
    let total = one.len() + other.len();
    if total == 0 || 2.0 * one.len().min(other.len()) as f32 / (total as f32) < ALIKE_MIN {
        return 0.0;
    }
    let (mut at, mut shared) = (0, 0);
    for pair in one {
        while at < other.len() && other[at] < *pair {
            at += 1;
        }
        if other.get(at) == Some(pair) {
            (at, shared) = (at + 1, shared + 1);
        }
    }
    2.0 * shared as f32 / total as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edited_text_is_known_and_another_one_is_not() {
        let old = ["Deploy on Friday", "금요일에는 배포하지 않는다", "测试必须可以失败", "Use tabs"];
        let new =
            ["测试一定可以失败", "월요일에는 배포하지 않는다", "The office is in Ulm", "Deploy on Monday!"];
        let mut pairs = alike(&old, &new);
        pairs.sort_unstable();
        assert_eq!(pairs, [(0, 3), (1, 1), (2, 0)]);
    }

    #[test]
    fn the_most_alike_come_first_and_each_is_used_once() {
        assert_eq!(alike(&["port is 80", "port is 81"], &["port is 81!", "port is 80!"]), [(0, 1), (1, 0)]);
        assert_eq!(alike(&["a", "…"], &["a", "…"]), [(0, 0)]);
    }
}

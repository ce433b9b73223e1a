//! Whether two words are one slip of the finger apart.

/// Letters a word needs before a slip is believed: shorter words are one edit from too many others.
const TYPO_LETTERS_MIN: usize = 4;

/// Whether at most one insertion, deletion, substitution or swap of neighbours turns `a` into `b`.
///
/// ```
/// assert!(peri_text::within_one_edit("memory", "memroy"));
/// assert!(!peri_text::within_one_edit("memory", "mammary"));
/// ```
pub fn within_one_edit(a: &str, b: &str) -> bool {
    let (a, b) = strip_common(a, b);
    let mut left = a.chars();
    let mut right = b.chars();
    match (left.next(), left.next(), left.next(), right.next(), right.next(), right.next()) {
        // Equal, or one character more on either side, or one in place of another.
        (_, None, _, _, None, _) => true,
        // Two characters each are one edit only as a swap.
        (Some(a1), Some(a2), None, Some(b1), Some(b2), None) => a1 == b2 && a2 == b1,
        _ => false,
    }
}

/// Whether `query` may be a misspelling of the indexed `term`: both are words of four letters or more
/// that begin alike and lie within one edit.
pub fn typo_candidate(query: &str, term: &str) -> bool {
    let is_word =
        |text: &str| text.chars().all(char::is_alphabetic) && text.chars().count() >= TYPO_LETTERS_MIN;
    let starts_alike = query.chars().take(2).eq(term.chars().take(2));
    starts_alike && is_word(query) && is_word(term) && within_one_edit(query, term)
}

/// What is left of both after their common start and then their common end are removed.
fn strip_common<'a>(a: &'a str, b: &'a str) -> (&'a str, &'a str) {
    let same = |(x, y): &(char, char)| x == y;
    let start: usize = a.chars().zip(b.chars()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
    let (a, b) = (&a[start..], &b[start..]);
    let end: usize = a.chars().rev().zip(b.chars().rev()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
    (&a[..a.len() - end], &b[..b.len() - end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(a: &str, b: &str, expected: bool) {
        assert_eq!(within_one_edit(a, b), expected, "{a:?} {b:?}");
        assert_eq!(within_one_edit(b, a), expected, "{b:?} {a:?}");
    }

    #[test]
    fn one_edit_is_told_from_two() {
        check("", "", true);
        check("", "a", true);
        check("", "ab", false);
        check("cat", "cat", true);
        check("cat", "cart", true);
        check("cat", "cut", true);
        check("cat", "act", true);
        check("abcd", "badc", false);
        check("cat", "dog", false);
        check("aab", "ab", true);
        check("abab", "baba", false);
        check("postgres", "postgras", true);
        check("postgres", "postgersq", false);
        check("메모리", "메머리", true);
        check("메모리", "메머러", false);
        check("ab", "ba", true);
        check("abc", "cba", false);
    }

    #[test]
    fn a_typo_needs_length_letters_and_the_same_start() {
        assert!(typo_candidate("kubernetse", "kubernetes"));
        assert!(typo_candidate("mempry", "memory"));
        assert!(!typo_candidate("cat", "cart"));
        assert!(!typo_candidate("emmory", "memory"));
        assert!(!typo_candidate("e0308", "e0309"));
        assert!(!typo_candidate("1234", "1235"));
    }

    proptest::proptest! {
        #[test]
        fn agrees_with_the_textbook_distance(a in "[abc]{0,6}", b in "[abc]{0,6}") {
            proptest::prop_assert_eq!(within_one_edit(&a, &b), distance(&a, &b) <= 1);
        }
    }

    fn distance(a: &str, b: &str) -> usize {
        let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                table[i][j] = if i == 0 || j == 0 {
                    i + j
                } else {
                    let cost = usize::from(a[i - 1] != b[j - 1]);
                    let mut best =
                        (table[i - 1][j] + 1).min(table[i][j - 1] + 1).min(table[i - 1][j - 1] + cost);
                    if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                        best = best.min(table[i - 2][j - 2] + 1);
                    }
                    best
                };
            }
        }
        table[a.len()][b.len()]
    }
}

//! How much of one text is in another, in any script.

use std::collections::BTreeSet;

/// Pairs of neighbouring letters and digits, regardless of case and of what stands between them.
fn pairs(text: &str) -> BTreeSet<(char, char)> {
    let signs: Vec<char> =
        text.chars().filter(|sign| sign.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    match signs[..] {
        [only] => BTreeSet::from([(only, only)]),
        _ => signs.windows(2).map(|two| (two[0], two[1])).collect(),
    }
}

/// Which share of a text's pairs of letters is in another, from 0 to 1; 0 for a text without letters.
pub(crate) fn share(of: &str, within: &str) -> f64 {
    let (of, within) = (pairs(of), pairs(within));
    if of.is_empty() {
        return 0.0;
    }
    of.intersection(&within).count() as f64 / of.len() as f64
}

/// Whether two texts say nearly the same in the same words.
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    const SAME: f64 = 0.9;
    share(one, other) >= SAME && share(other, one) >= SAME
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_compared_in_any_script() {
        assert!(is_same("Use tabs, always.", "use  TABS always"));
        assert!(is_same("금요일에는 배포하지 않는다", "금요일에는 배포하지 않는다."));
        assert!(!is_same("端口是8080", "端口是9443"));
        assert!(share("배포는 금요일에 하지 않는다", "배포 금지") < 0.5);
        assert_eq!(share("", "a"), 0.0);
        assert_eq!(share("!?", "!?"), 0.0);
        assert_eq!(share("a", "A"), 1.0);
    }
}

//! When two texts or two vectors are alike.

/// The cosine of two vectors; none if they cannot be compared: of different length, without length, or not finite.
pub fn cosine(one: &[f32], other: &[f32]) -> Option<f32> {
    if one.len() != other.len() {
        return None;
    }
    let (mut product, mut first, mut second) = (0_f64, 0_f64, 0_f64);
    for (a, b) in one.iter().zip(other) {
        let (a, b) = (f64::from(*a), f64::from(*b));
        product += a * b;
        first += a * a;
        second += b * b;
    }
    let cosine = product / (first.sqrt() * second.sqrt());
    cosine.is_finite().then_some(cosine.clamp(-1.0, 1.0) as f32)
}

/// Whether two texts have the same words, whatever their case, spaces and punctuation.
pub fn same_words(one: &str, other: &str) -> bool {
    plain(one) == plain(other)
}

/// A text without case, spaces and punctuation; one that consists of nothing else stays as it is.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for word in text.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty()) {
        if !plain.is_empty() {
            plain.push(' ');
        }
        plain.extend(word.chars().flat_map(char::to_lowercase));
    }
    if plain.is_empty() { text.trim().to_owned() } else { plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_compared_has_no_cosine() {
        assert_eq!(cosine(&[1.0], &[1.0, 0.0]), None);
        assert_eq!(cosine(&[0.0, 0.0], &[1.0, 0.0]), None);
        assert_eq!(cosine(&[], &[]), None);
        assert_eq!(cosine(&[f32::NAN, 1.0], &[1.0, 1.0]), None);
        assert_eq!(cosine(&[2.0, 0.0], &[5.0, 0.0]), Some(1.0));
    }

    #[test]
    fn words_decide_and_not_how_they_are_set() {
        assert!(same_words("Run the tests, first!", "run  the tests first"));
        assert!(same_words("테스트를 먼저 실행", "테스트를  먼저, 실행."));
        assert!(!same_words("先运行测试", "先修改测试"));
        assert!(!same_words("?!", "!!"));
    }
}

//! What a memory is called in a picture: how it begins, on one line.

/// A label has at most so many characters.
const LABEL_CHARS: usize = 120;

/// So many characters of a content are read for a label: white space at its beginning is left out.
pub(crate) const BEGINNING_CHARS: usize = 4 * LABEL_CHARS;

/// The first characters of a text on one line. White space and control characters in a row become one space.
pub(crate) fn label(text: &str) -> String {
    let mut label = String::new();
    let (mut chars, mut gap) = (0, false);
    for character in text.chars() {
        if character.is_whitespace() || character.is_control() {
            gap = true;
            continue;
        }
        let wide = usize::from(gap && chars > 0) + 1;
        if chars + wide > LABEL_CHARS {
            break;
        }
        if wide == 2 {
            label.push(' ');
        }
        label.push(character);
        (chars, gap) = (chars + wide, false);
    }
    label
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_label_is_one_line_of_whole_characters() {
        for (text, expected) in [
            ("", ""),
            (" \n\t ", ""),
            ("plain", "plain"),
            ("  회의는\n\n오후 세 시  ", "회의는 오후 세 시"),
            ("a\u{0}\u{7}b\r\nc", "a b c"),
        ] {
            assert_eq!(label(text), expected, "{text:?}");
        }
        for character in ['각', '茶', '𝄞'] {
            let long: String = std::iter::repeat_n(character, 500).collect();
            assert_eq!(label(&long).chars().collect::<Vec<_>>(), vec![character; LABEL_CHARS]);
        }
    }

    proptest! {
        #[test]
        fn a_label_never_breaks_or_outgrows_its_line(text in "(?s).{0,300}") {
            let label = label(&text);
            prop_assert!(label.chars().count() <= LABEL_CHARS);
            prop_assert!(!label.chars().any(|one| one.is_control() || (one.is_whitespace() && one != ' ')));
            prop_assert_eq!(label.trim(), &label);
        }
    }
}

//! Character boundaries near a byte offset; the standard library's own came after our oldest Rust.

/// The last character boundary at or before `at`, which may lie beyond the end.
pub(crate) fn floor(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (at.saturating_sub(3)..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// The first character boundary at or after `at`.
pub(crate) fn ceil(text: &str, at: usize) -> usize {
    (at..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::{ceil, floor};

    #[test]
    fn boundaries_surround_every_offset() {
        let text = "a漢😀é";
        for at in 0..=text.len() + 2 {
            let (low, high) = (floor(text, at), ceil(text, at));
            assert!(text.is_char_boundary(low) && low <= at, "{at}");
            assert!(text.is_char_boundary(high) && (high >= at || high == text.len()), "{at}");
        }
    }
}

//! Beginnings of texts.

use peri_tokens::{count, truncate};
use proptest::prelude::*;

#[test]
fn a_text_that_fits_is_returned_whole_and_nothing_fits_in_no_tokens() {
    assert_eq!(truncate("회의는 오후 2시", 100), "회의는 오후 2시");
    assert_eq!(truncate("회의는 오후 2시", 0), "");
    assert_eq!(truncate("", 5), "");
}

#[test]
fn characters_of_several_tokens_are_kept_whole_or_left_out() {
    let text = "🧑‍🚀🧑‍🚀";
    for tokens in 0..=count(text) {
        let kept = truncate(text, tokens);
        assert!(text.starts_with(kept) && count(kept) <= tokens);
    }
    assert_eq!(truncate("a👩🏽‍🔬", 2), "a");
}

proptest! {
    #[test]
    fn a_beginning_is_within_its_budget_and_whole_only_if_the_text_fits(
        text in "[a-c가-나日本 .\n'sA🟢\u{301}]{0,60}", tokens in 0_usize..40,
    ) {
        let kept = truncate(&text, tokens);
        prop_assert!(text.starts_with(kept));
        prop_assert!(count(kept) <= tokens);
        prop_assert_eq!(kept == text, count(&text) <= tokens);
    }
}

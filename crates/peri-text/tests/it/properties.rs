//! What must hold for any text.

use peri_text::{analyze, analyze_query, count_tokens, redact, truncate_to_tokens};
use proptest::prelude::*;

/// Text out of the pieces that steer the code, glued in any order, beside plain random text.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "\\PC{0,6}",
        "[a-zA-Z0-9_.:/@#+'’,=?& -]{0,12}",
        proptest::sample::select(vec![
            "password=",
            "token: ",
            "Bearer ",
            "://",
            "user:pw1@",
            "sk-ant-",
            "AKIA",
            "ghp_",
            "eyJ",
            "-----BEGIN",
            " PRIVATE KEY-----",
            "-----END",
            "4111 1111 1111 1111",
            "[redacted:",
            "]",
            "\"",
            "A1b2C3d4E5f6G7h8",
            "SG.",
            "Q~",
            "a1Q9z8Y7x6W5v4U3t2S1r0",
            "2025년",
            "1月",
            "25日",
            "May",
            "8th",
            "👨‍👩‍👧",
            "\u{200d}",
            "\u{fe0f}",
            "e\u{301}",
            "가",
            "漢",
            "カ",
            "C++",
            "don't",
            "\u{1100}",
            "ﬁ",
            "İ",
            "\u{0}",
            "\n",
            "：",
            "비밀번호",
        ])
        .prop_map(str::to_owned),
    ];
    proptest::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn query_terms_are_index_terms(text in hostile()) {
        let analysis = analyze(&text);
        prop_assert!(analysis.terms.is_sorted());
        for term in analyze_query(&text) {
            prop_assert!(analysis.terms.iter().any(|(known, _)| *known == term.text), "{:?}", term);
            prop_assert!(!term.text.is_empty() && term.text.len() <= peri_text::TERM_BYTES_MAX);
        }
    }

    #[test]
    fn redacting_twice_is_redacting_once(text in hostile()) {
        let once = redact(&text);
        let twice = redact(&once.text);
        prop_assert_eq!(&twice.text, &once.text);
        prop_assert!(twice.found.is_empty());
    }

    #[test]
    fn a_truncated_text_is_a_beginning_within_budget(text in hostile(), tokens_max in 0usize..40) {
        let cut = truncate_to_tokens(&text, tokens_max);
        prop_assert!(text.starts_with(cut));
        prop_assert!(count_tokens(cut) <= tokens_max);
        if count_tokens(&text) <= tokens_max {
            prop_assert_eq!(cut, text.as_str());
        }
    }
}

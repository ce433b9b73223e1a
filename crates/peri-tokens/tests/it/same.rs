//! The same numbers as `tiktoken` on texts of many scripts.

use std::sync::LazyLock;

use peri_tokens::{count, upper_bound};
use proptest::prelude::*;
use tiktoken_rs::CoreBPE;

static REAL: LazyLock<CoreBPE> = LazyLock::new(|| tiktoken_rs::o200k_base().unwrap());

fn check(text: &str) {
    let real = REAL.encode_ordinary(text).len();
    assert_eq!(count(text), real, "{text:?}");
    assert!(real <= upper_bound(text), "{text:?}");
}

#[test]
fn texts_of_many_kinds_have_as_many_tokens_as_the_real_tokenizer_says() {
    for text in [
        "",
        " ",
        "\n",
        "The quick brown fox jumps over the lazy dog.",
        "I'll say it's DON'T'S we'Ve I'M he'D 'S 'ſ a'ſ",
        "fn main() {\n    println!(\"{}\", 1_000_000);\n}\n\n\n",
        "서울에서 회의가 3월 2일 오후 2시로 옮겨졌습니다. 배포 완료!",
        "我们不再用旧的数据库，改用新的；明天下午三点开会。",
        "日本語のテキストとABCと１２３",
        "Привет, мир! Ελληνικά. مرحبا بالعالم. नमस्ते दुनिया สวัสดี",
        "🧑‍🚀🔴🟡🟢 e\u{301}\u{301}\u{301} \u{301}abc \u{301}ABC",
        "ǅungla ǅUNGLA ʰh Ⅷ ½ ٣٤٥٦",
        "  \t \r\n \u{3000}\u{a0}x   y\t\tz  ",
        "https://example.org/a/b//c?d=e&f=%20#g\n//\r\n/",
        "<|endoftext|> <|endofprompt|>",
        "zqxjkvbwpzqxjkvbwpzqxjkvbwpzqxjkvbwpzqxjkvbwpzqxjkvbwpzqxjkvbwpzqxjkvbwpzqxjkvbwpzqxjkvbwpzqxjkvbwp",
        "ﷺ ㍿ ﬁ",
    ] {
        check(text);
    }
    check(include_str!("same.rs"));
    check(&"안녕하세요".repeat(300));
    check(&"没有空格的长句子".repeat(300));
    check(&" ".repeat(1000));
    check(&"=".repeat(999));
}

#[test]
fn a_long_run_of_one_letter_is_counted_in_a_moment() {
    // Merging by looking through all pairs again and again would take minutes here.
    assert_eq!(count(&"a".repeat(100_000)), 12_500);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text_has_as_many_tokens_as_the_real_tokenizer_says(text in "\\PC{0,60}") {
        check(&text);
    }

    #[test]
    fn mixtures_that_the_pattern_tells_apart_are_cut_alike(text in "[aAbZéÉßǅʰ가나日本ا\u{301}\u{93e}0٣½ \t\n\r\u{a0}'slLrevtdmſ./🟢-]{0,40}") {
        check(&text);
    }
}

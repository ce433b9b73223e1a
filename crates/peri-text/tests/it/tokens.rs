//! The token estimate stays near the real tokenizer.

use peri_text::{count_tokens, truncate_to_tokens};

/// The estimate lies within `percent` of `o200k_base`, with two tokens allowed either way.
#[track_caller]
fn check(percent: usize, text: &str) {
    let real = tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len();
    let estimate = count_tokens(text);
    assert!(
        estimate.abs_diff(real) * 100 <= real * percent + 200,
        "estimate {estimate}, real {real}: {text:?}"
    );
}

#[test]
fn the_estimate_is_near_the_real_count() {
    check(0, "");
    check(
        10,
        "Caroline went to the support group yesterday and found it powerful. She wants to look into counselling.",
    );
    check(10, "I'm swamped with the kids & work. What's up with you? Anything new?\nNot much, we're fine!\n");
    check(
        15,
        "fn main() -> Result<(), Error> {\n    let config = parse_config(&args)?;\n    run(config)\n}\n",
    );
    check(15, "The build failed at 2025-01-25T10:31:07Z with E0308 in src/main.rs:42 (commit 3f2a9bc1de77).");
    check(15, "我刚做完年度复盘，发现对前沿科技行业跟踪不足，这直接影响了我的投资建议质量。");
    check(15, "어제 서울에서 친구를 만나 저녁을 먹고 다음 주에 제주도로 여행을 가기로 했다.");
    check(20, "昨日、友人と東京で会って、来週の会議について話しました。とても楽しかったです。");
    check(20, "Вчера мы встретились с друзьями и решили поехать в отпуск на следующей неделе.");
    check(25, "Gestern haben wir über die Größe der Wohnung gesprochen und später gegessen.");
    check(40, "great 🎉🎉 thanks 👍 see you ❤️");
}

#[test]
fn truncation_keeps_within_the_budget() {
    assert_eq!(truncate_to_tokens("one two three four", 2), "one two");
    assert_eq!(truncate_to_tokens("one two", 100), "one two");
    assert_eq!(truncate_to_tokens("one two", 0), "");
    assert!(count_tokens(truncate_to_tokens(&"가".repeat(1000), 10)) <= 10);
    assert!(!truncate_to_tokens(&"가".repeat(1000), 10).is_empty());
}

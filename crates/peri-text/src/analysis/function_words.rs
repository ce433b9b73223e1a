//! Words of Chinese, Japanese and Korean questions that say nothing about what is asked for.
//!
//! These scripts are cut into pairs of characters, so such a word would take part in up to three pairs, two of
//! them with characters of its neighbours. It is blanked before a question is cut; memories are indexed whole.

use std::borrow::Cow;

/// Longer words first, so that a shorter one inside them is not taken out alone.
const FUNCTION_WORDS: &[&str] = &[
    // Chinese: asking, then connecting.
    "为什么",
    "什么时候",
    "哪一天",
    "哪一个",
    "请问",
    "什么",
    "哪些",
    "哪个",
    "哪一",
    "哪天",
    "哪里",
    "哪位",
    "怎么样",
    "怎么",
    "怎样",
    "如何",
    "多少",
    "几次",
    "是否",
    "是不是",
    "有没有",
    "具体",
    "主要",
    "分别",
    "一个",
    "自己",
    "进行",
    "通过",
    "以及",
    "关于",
    "我们",
    "你们",
    "他们",
    "她们",
    "这个",
    "那个",
    "哪",
    "谁",
    "的",
    "了",
    "吗",
    "呢",
    "吧",
    "是",
    "在",
    "我",
    "你",
    "他",
    "她",
    "和",
    "与",
    "及",
    "并",
    "于",
    "从",
    "被",
    "把",
    // Japanese.
    "ですか",
    "ますか",
    "でしたか",
    "ましたか",
    "どこ",
    "いつ",
    "だれ",
    "なに",
    "なぜ",
    "どう",
    "どの",
    "です",
    "ます",
    "でした",
    "ました",
    // Korean.
    "무엇을",
    "무엇이",
    "무엇",
    "어디에서",
    "어디에",
    "어디서",
    "어디",
    "언제",
    "누가",
    "누구",
    "어떤",
    "어떻게",
    "얼마나",
    "왜",
];

/// The text with the function words of unspaced scripts blanked; as it is if it has none.
pub fn without_function_words(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let word = FUNCTION_WORDS.iter().find(|word| !c.is_ascii() && rest.starts_with(**word));
        let length = word.map_or(c.len_utf8(), |word| word.len());
        match word {
            Some(_) => kept.push(' '),
            None => kept.push(c),
        }
        rest = &rest[length..];
    }
    Cow::Owned(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_asks_and_connects_is_blanked_and_the_rest_stays() {
        for (text, kept) in [
            ("他在哪一天参观了艺术展？", "   参观 艺术展？"),
            ("부산으로 누가 옮기나요?", "부산으로   옮기나요?"),
            ("who went to the museum", "who went to the museum"),
        ] {
            assert_eq!(without_function_words(text), kept);
        }
    }
}

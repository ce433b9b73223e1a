//! What the importance rules promise in each language, and for any text at all.

use peri_orbit::importance::{Evaluation, Group, ORDINARY, Reason, evaluate};
use proptest::prelude::*;
use serde::Deserialize as _;
use serde::de::IntoDeserializer as _;
use serde::de::value::{Error, StrDeserializer};

fn importance(text: &str) -> f32 {
    evaluate(text).importance
}

#[test]
fn small_talk_is_worth_little_in_every_language() {
    for text in [
        "ok",
        "Thanks!",
        "lol",
        "hahaha",
        "Good morning!",
        "bye",
        "hmm",
        "yes please",
        "👍",
        "go on",
        "",
        " \n\t",
        "네",
        "ㅋㅋㅋㅋㅋ",
        "ㅇㅇ",
        "안녕하세요",
        "감사합니다",
        "잘 자",
        "음...",
        "좋아요ㅎㅎ",
        "好的",
        "哈哈哈哈哈",
        "谢谢",
        "謝謝",
        "晚安",
        "嗯",
        "早上好！",
        "没关系",
    ] {
        let found = importance(text);
        assert!((0.0..=0.2).contains(&found), "{text:?}: {found}");
    }
}

#[test]
fn a_plain_statement_stays_ordinary_in_every_language() {
    for text in [
        "The sky was grey when we walked along the river.",
        "She reads a long novel about the sea.",
        "강가를 따라 천천히 걸으면서 사진을 찍었다.",
        "我们在河边走了很久，拍了几张照片。",
    ] {
        let found = importance(text);
        assert!((found - ORDINARY).abs() < 0.1, "{text:?}: {found}");
    }
}

#[test]
fn one_clear_piece_of_evidence_is_enough() {
    for (text, reason) in [
        ("Her name is Amara.", Reason::Name),
        ("The cache listens on port 6380.", Reason::Property),
        ("The outage was caused by a full disk.", Reason::Cause),
        ("He is terrified of dogs.", Reason::Feeling),
        ("She hates coriander.", Reason::Preference),
        ("My uncle has asthma.", Reason::Health),
        ("Our neighbour passed away.", Reason::LifeEvent),
        ("Somebody must feed the fish.", Reason::Obligation),
        ("The form goes out by 3 May.", Reason::Deadline),
        ("There is an interview on Monday.", Reason::Appointment),
        ("I promised to help.", Reason::Promise),
        ("We decided against it.", Reason::Decision),
        ("TODO: clean the filter", Reason::Task),
        ("From now on write in Dutch.", Reason::Instruction),
        ("Remember the blue folder.", Reason::Remember),
        ("Important: the lid is loose.", Reason::Important),
        ("Never open that door.", Reason::Rule),
        ("이 일은 꼭 기억해 줘.", Reason::Remember),
        ("창문을 열면 절대 안 돼요.", Reason::Rule),
        ("우유를 사야 해.", Reason::Obligation),
        ("할머니가 돌아가셨다.", Reason::LifeEvent),
        ("새우 알레르기가 있다.", Reason::Health),
        ("제 이름은 도윤입니다.", Reason::Name),
        ("파란 서류철을 잊지 마.", Reason::Remember),
        ("请记住蓝色的文件夹。", Reason::Remember),
        ("千万别开那扇门。", Reason::Important),
        ("務必關上窗戶。", Reason::Important),
        ("我们决定不去了。", Reason::Decision),
        ("他对虾过敏。", Reason::Health),
        ("报告的截止日期是六月三号。", Reason::Deadline),
    ] {
        let found = evaluate(text);
        assert!(found.importance >= 0.63, "{text}: {}", found.importance);
        assert!(found.reasons.contains(&reason), "{text}: {:?}", found.reasons);
    }
}

#[test]
fn negated_markers_count_against() {
    for (denied, stated) in [
        ("This is not important.", "This is important."),
        ("It isn't really all that important.", "It is really important."),
        ("No need to remember this.", "Please remember this."),
        ("That doesn't matter.", "That matters a lot."),
        ("이건 중요하지 않아.", "이건 중요해."),
        ("그렇게 중요한 건 아니야.", "그게 중요한 거야."),
        ("기억할 필요 없어.", "꼭 기억해 줘."),
        ("这不重要。", "这很重要。"),
        ("這個並不重要。", "這個很重要。"),
        ("这个不用记住。", "这个要记住。"),
    ] {
        let (denied_value, stated_value) = (importance(denied), importance(stated));
        assert!(denied_value < 0.35, "{denied}: {denied_value}");
        assert!(stated_value > denied_value + 0.2, "{stated}: {stated_value}, {denied}: {denied_value}");
        assert!(evaluate(denied).reasons.contains(&Reason::Negated), "{denied}");
    }
}

#[test]
fn a_word_about_memory_is_no_request_to_remember() {
    for text in
        ["I remember that film.", "그 노래가 기억난다.", "我记得那部电影。", "It reminds me of the sea."]
    {
        assert_eq!(evaluate(text).explicit, 0.0, "{text}");
    }
}

#[test]
fn a_question_is_worth_less_than_the_statement() {
    for (question, statement) in [
        ("Is the deadline on 3 May?", "The deadline is on 3 May."),
        ("마감이 5월 3일이야?", "마감이 5월 3일이야."),
        ("截止日期是五月三号吗？", "截止日期是五月三号。"),
    ] {
        assert!(importance(question) < importance(statement), "{question}");
        assert!(evaluate(question).reasons.contains(&Reason::Question), "{question}");
    }
}

#[test]
fn a_greeting_does_not_hide_what_follows() {
    for text in [
        "Hello! How are you? I was diagnosed with diabetes.",
        "안녕하세요! 저는 땅콩 알레르기가 있어요.",
        "你好！我对花生过敏。",
    ] {
        assert!(importance(text) > 0.6, "{text}: {}", importance(text));
    }
}

#[test]
fn spelling_variants_read_alike() {
    for (one, other) in [
        ("Don't forget the keys.", "Don\u{2019}t  forget\tthe keys."),
        ("port 5433 is taken", "ＰＯＲＴ ５４３３ is taken"),
        ("不要忘记开会", "不要忘記開會"),
        ("잊지 마", "잊지마"),
        ("remember the milk", "re\u{200b}member the\u{0} milk"),
    ] {
        assert_eq!(evaluate(one), evaluate(other), "{one:?} {other:?}");
    }
}

#[test]
fn the_stamp_of_a_machine_is_no_date() {
    for text in [
        "the kettle boiled 2025-04-05 20:35:00",
        "20:35:00 the kettle boiled",
        "2025-04-05T20:35:00Z the kettle boiled",
    ] {
        assert_eq!(evaluate(text).factual, 0.0, "{text}");
    }
    assert!(evaluate("the kettle is due on 2025-04-05 at 20:35").reasons.contains(&Reason::Date));
}

#[test]
fn the_names_of_reasons_are_those_of_the_wire() {
    for reason in Reason::ALL {
        let name: StrDeserializer<'_, Error> = reason.name().into_deserializer();
        assert_eq!(Reason::deserialize(name), Ok(reason));
    }
}

fn check_bounds(found: &Evaluation) {
    for value in [found.importance, found.factual, found.emotional, found.actionable, found.explicit] {
        assert!((0.0..=1.0).contains(&value), "{found:?}");
    }
    assert!(
        found.reasons.is_sorted() && found.reasons.windows(2).all(|pair| pair[0] != pair[1]),
        "{found:?}"
    );
    for (group, value) in [
        (Group::Factual, found.factual),
        (Group::Emotional, found.emotional),
        (Group::Actionable, found.actionable),
        (Group::Explicit, found.explicit),
    ] {
        let is_given = found.reasons.iter().any(|reason| reason.group() == Some(group));
        assert_eq!(is_given, value > 0.0, "{group:?} {found:?}");
    }
}

#[test]
fn hostile_texts_are_judged_like_any_other() {
    let repeated = [
        "a",
        "1",
        "我",
        "ㅋ",
        "!",
        "?",
        ".",
        ",",
        " ",
        "\n",
        "\u{0}",
        "\u{200d}",
        "👨‍👩‍👧",
        "不",
        "중요",
        "重要",
        "remember ",
        "not ",
        "not important ",
        "by ",
        "by 3 May ",
        "1.",
        "a@",
        "://",
        "*^$|",
        "까지",
        "之前",
        "\u{202e}abc",
        "e\u{301}",
        "i i i ",
        "never never ",
        "\u{10ffff}",
    ];
    for part in repeated {
        check_bounds(&evaluate(&part.repeat(100_000 / part.len())));
    }
}

proptest! {
    #[test]
    fn every_text_is_judged_within_bounds_and_always_the_same(text in any::<String>()) {
        check_bounds(&evaluate(&text));
        prop_assert_eq!(evaluate(&text), evaluate(&text));
    }

    #[test]
    fn mixed_scripts_and_markers_stay_within_bounds(parts in prop::collection::vec(fragments(), 0..40)) {
        check_bounds(&evaluate(&parts.concat()));
    }

    #[test]
    fn asking_to_remember_never_makes_a_statement_less_important(parts in prop::collection::vec("[a-z]{2,9}", 3..10)) {
        let statement = parts.join(" ");
        let asked = format!("Remember that {statement}");
        prop_assert!(importance(&asked) >= importance(&statement) - 1e-6, "{}", statement);
    }

    #[test]
    fn how_often_it_is_said_hardly_matters(times in 2_usize..200) {
        let once = importance("The river was grey and slow.");
        let often = importance(&"The river was grey and slow. ".repeat(times));
        prop_assert!((once..once + 0.1).contains(&often), "{often}");
    }
}

fn fragments() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "remember ",
            "not ",
            "important",
            "중요하지 ",
            "않아 ",
            "기억해 줘",
            "记住",
            "不重要",
            "，",
            "。",
            "? ",
            "! ",
            "5433 ",
            "by ",
            "tomorrow ",
            "5월 31일",
            "까지 ",
            "三月",
            "之前",
            "haha ",
            "ㅋㅋ",
            "哈哈",
            "my ",
            "name is ",
            "€",
            "4,250 ",
            "a_b::c ",
            "KE902",
        ])
        .prop_map(str::to_owned),
        "\\PC{0,6}",
    ]
}

/// A labelled sentence of the set that `peri-bench importance` measures.
struct Labelled {
    language: String,
    label: String,
    split: String,
    text: String,
}

fn labelled() -> Vec<Labelled> {
    let field = |line: &str, name: &str| {
        let marker = format!("\"{name}\": \"");
        let start = line.find(&marker).expect("every line has every field") + marker.len();
        let end = start + line[start..].find('"').expect("texts hold no quotation marks");
        line[start..end].to_owned()
    };
    include_str!("../../../../bench/importance/sentences.jsonl")
        .lines()
        .map(|line| Labelled {
            language: field(line, "language"),
            label: field(line, "label"),
            split: field(line, "split"),
            text: field(line, "text"),
        })
        .collect()
}

#[test]
fn labelled_sentences_are_told_apart_in_every_language() {
    let sentences = labelled();
    for language in ["en", "ko", "zh"] {
        let mean = |label: &str| {
            let own = sentences.iter().filter(|one| one.language == language && one.label == label);
            let values: Vec<f32> = own.map(|one| importance(&one.text)).collect();
            values.iter().sum::<f32>() / values.len() as f32
        };
        let (low, ordinary, high) = (mean("low"), mean("ordinary"), mean("high"));
        assert!(
            low < 0.3 && (0.45..0.6).contains(&ordinary) && high > 0.68,
            "{language}: {low} {ordinary} {high}"
        );
    }
}

#[test]
fn sentences_written_after_the_rules_are_mostly_classed_right() {
    let blind: Vec<_> = labelled().into_iter().filter(|one| one.split == "blind").collect();
    let right = blind.iter().filter(|one| {
        let class = match importance(&one.text) {
            value if value < 0.35 => "low",
            value if value < 0.65 => "ordinary",
            _ => "high",
        };
        class == one.label
    });
    let share = right.count() as f32 / blind.len() as f32;
    assert!(share > 0.7, "{share}");
}

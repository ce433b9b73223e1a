//! How a newer statement stands to an older one, as tables and properties.

use peri_text::{Comparison, Reason, Relation, Statement, Verdict, relate};
use peri_types::Kind;
use proptest::prelude::*;

fn told(newer: &str, older: &str) -> Relation {
    relate(&Statement::new(newer), &Statement::new(older))
}

#[track_caller]
fn check(verdict: Verdict, pairs: &[(&str, &str)]) {
    for (older, newer) in pairs {
        let relation = told(newer, older);
        assert_eq!(relation.verdict, verdict, "{older:?} then {newer:?}: {:?}", relation.reasons);
    }
}

const SAME: &[(&str, &str)] = &[
    ("Ana prefers tea over coffee.", "Ana prefers tea to coffee"),
    ("The API runs on port 8080", "API runs on port 8080"),
    ("Don't commit to main.", "Do not commit to main"),
    ("Ben's email is ben@acme.io", "The email of Ben is ben@acme.io"),
    ("The audit is on 2025-03-04.", "The audit is on March 4, 2025"),
    ("Maya has two cats and a dog.", "Maya has a dog and two cats."),
    ("On Mondays we deploy.", "We deploy on Mondays."),
    ("API는 8080 포트에서 실행된다.", "API는 8080 포트에서 실행됩니다"),
    ("매주 화요일에 민호는 배포를 한다.", "민호는 매주 화요일에 배포를 한다."),
    ("发布定在3月3日。", "发布定在3月3号"),
    ("小丽会说法语、德语和俄语。", "小丽会说德语、俄语和法语。"),
];

const REPLACES: &[(&str, &str)] = &[
    ("Ana lives in Berlin", "Ana moved to Lisbon"),
    ("Ana lives in Berlin", "Ana now lives in Lisbon"),
    ("We use MySQL", "We switched from MySQL to PostgreSQL"),
    ("The staging server is Ganymede", "The staging server is Callisto now"),
    ("Standup is at 9:30", "Standup moved to 10:00"),
    ("Ana's favourite colour is blue", "Ana's favourite colour is green"),
    ("Ben works at Google", "Ben no longer works at Google"),
    ("We deploy with Jenkins", "We deploy with Argo instead of Jenkins"),
    ("The repo is called falcon", "The repo was renamed to kestrel"),
    ("The cache is enabled", "The cache is now disabled"),
    ("민수는 서울에 산다.", "민수는 부산으로 이사했다."),
    ("스탠드업은 9시 30분이다.", "스탠드업이 10시로 바뀌었다."),
    ("지훈은 네이버에서 일한다.", "지훈은 더 이상 네이버에서 일하지 않는다."),
    ("우리는 MySQL을 쓴다.", "우리는 MySQL에서 PostgreSQL로 옮겼다."),
    ("배포에는 젠킨스를 쓴다.", "이제 배포에는 젠킨스 대신 아르고를 쓴다."),
    ("小明住在北京。", "小明搬到上海了。"),
    ("站会是9点半。", "站会改成10点了。"),
    ("李雷在谷歌工作。", "李雷不再在谷歌工作。"),
    ("我们用MySQL", "我们从MySQL迁移到了PostgreSQL"),
    ("默认分支是master", "默认分支现在是main"),
    ("数据库每天晚上备份一次", "数据库现在每周备份一次"),
    ("我们每周开会", "我们现在每月开会"),
    ("데이터베이스는 매일 백업한다.", "데이터베이스는 이제 매주 백업한다."),
];

const CONTRADICTS: &[(&str, &str)] = &[
    ("The cache is enabled", "The cache is not enabled"),
    ("Guests are allowed to upload files", "Guests are forbidden to upload files"),
    ("Always squash commits", "Never squash commits"),
    ("Run migrations before the deploy", "Run migrations after the deploy"),
    ("민수는 생선을 먹는다.", "민수는 생선을 먹지 않는다."),
    ("캐시가 켜져 있다", "캐시가 꺼져 있다"),
    ("小明吃鱼。", "小明不吃鱼。"),
    ("允许访客上传文件。", "禁止访客上传文件。"),
];

const UNRELATED: &[(&str, &str)] = &[
    ("数据库每天晚上备份一次", "数据库每周备份一次"),
    ("우리는 매일 배포한다.", "우리는 매주 배포한다."),
    ("Ana likes tea", "Ana likes coffee"),
    ("Ana has a cat", "Ana has a dog"),
    ("Ana visited Rome", "Ana visited Paris"),
    ("Ben lives in Berlin", "Ana lives in Lisbon"),
    ("Ana gave Ben a book", "Ben gave Ana a book"),
    ("Omar will present the roadmap", "Omar presented the roadmap"),
    ("Ana lived in Berlin until 2019", "Ana lives in Lisbon"),
    ("The API runs on port 8080", "The admin API runs on port 9090"),
    ("The cache is enabled in staging", "The cache is disabled in production"),
    ("Ana lives in Germany", "Ana lives in Berlin"),
    ("민수가 지은에게 책을 줬다.", "지은이 민수에게 책을 줬다."),
    ("민수는 차를 좋아한다", "민수는 커피를 좋아한다"),
    ("小明送给小红一本书。", "小红送给小明一本书。"),
    ("小明喜欢茶", "小明喜欢咖啡"),
];

#[test]
fn other_words_for_the_same_are_the_same() {
    check(Verdict::Same, SAME);
}

#[test]
fn a_new_value_of_the_same_thing_replaces_the_old_one() {
    check(Verdict::Replaces, REPLACES);
}

#[test]
fn what_cannot_both_be_true_contradicts() {
    check(Verdict::Contradicts, CONTRADICTS);
}

#[test]
fn what_may_both_be_true_is_unrelated() {
    check(Verdict::Unrelated, UNRELATED);
}

#[test]
fn questions_wishes_and_guesses_replace_nothing() {
    for (older, newer, reason) in [
        ("Ana lives in Berlin", "Ana moved to Lisbon?", Reason::Question),
        ("Ana lives in Berlin", "Ana moved to Lisbon, I think", Reason::Unreal),
        ("Ana lives in Berlin", "Ana lives in Lisbon this week", Reason::Temporary),
        ("Ana lives in Berlin", "Ana lives in Lisbon too", Reason::Additive),
        ("He lives in Berlin", "He moved to Lisbon", Reason::UnclearSubject),
        ("민수는 서울에 산다.", "민수는 아마 부산으로 이사했다.", Reason::Unreal),
        ("小明住在北京。", "小明搬到上海了吗", Reason::Question),
    ] {
        assert_eq!(
            told(newer, older),
            Relation { verdict: Verdict::Unrelated, reasons: vec![reason] },
            "{newer}"
        );
    }
    check(
        Verdict::Unrelated,
        &[
            ("Ana lives in Berlin", "Ana might move to Lisbon"),
            ("Ana lives in Berlin", "Ana wants to move to Lisbon"),
            ("Ana lives in Berlin", "If Ana moved to Lisbon, she would need a job"),
            ("Ana lives in Berlin", "Ana did not move to Lisbon"),
            ("We use MySQL", "We should switch from MySQL to PostgreSQL"),
            ("민수는 서울에 산다.", "민수는 부산으로 이사하고 싶어 한다."),
            ("小明住在北京。", "小明打算明年搬到上海。"),
        ],
    );
}

#[test]
fn a_newer_statement_that_says_more_is_told_apart() {
    for (older, newer) in [
        ("The API runs on port 8080", "The API runs on port 8080 behind nginx."),
        ("We use PostgreSQL.", "We use PostgreSQL and Redis."),
        ("Ana lives in Berlin.", "Ana has a cat. Ana lives in Berlin."),
        ("우리는 PostgreSQL을 쓴다.", "우리는 PostgreSQL과 Redis를 쓴다."),
        ("我们用PostgreSQL。", "我们用PostgreSQL和Redis。"),
    ] {
        assert_eq!(
            told(newer, older),
            Relation { verdict: Verdict::Unrelated, reasons: vec![Reason::Contains] }
        );
    }
    assert!(!told("We use PostgreSQL", "We use PostgreSQL and Redis").reasons.contains(&Reason::Contains));
}

#[test]
fn past_events_summaries_and_documents_are_never_replaced() {
    let newer = Statement::new("Ana moved to Lisbon");
    let older = |kind| Statement { kind: Some(kind), ..Statement::new("Ana lives in Berlin") };
    for kind in [Kind::Episode, Kind::Summary, Kind::Document] {
        assert_eq!(relate(&newer, &older(kind)).reasons, [Reason::OtherKind]);
    }
    assert_eq!(relate(&newer, &older(Kind::Fact)).verdict, Verdict::Replaces);
    let summary = Statement { kind: Some(Kind::Summary), ..newer };
    assert_eq!(relate(&summary, &older(Kind::Fact)).verdict, Verdict::Unrelated);
    assert_eq!(told("Ana moved to Lisbon", "Ana moved to Berlin").verdict, Verdict::Unrelated);
}

#[test]
fn what_two_speakers_say_of_themselves_is_unrelated() {
    let by = |content, speaker| Statement { speaker: Some(speaker), ..Statement::new(content) };
    for (older, newer) in [
        ("I live in Oslo", "I live in Oslo"),
        ("I live in Oslo", "I moved to Rome"),
        ("저는 서울에 산다", "저는 부산으로 이사했다"),
    ] {
        assert_eq!(relate(&by(newer, "ana"), &by(older, "ben")).reasons, [Reason::OtherSpeaker], "{newer}");
        assert_ne!(relate(&by(newer, "ana"), &by(older, "ana")).verdict, Verdict::Unrelated, "{newer}");
    }
    assert_eq!(relate(&by("The cache is on", "ana"), &by("The cache is on", "ben")).verdict, Verdict::Same);
}

#[test]
fn among_several_sentences_only_plain_words_replace_the_one_that_is_left() {
    let rest = "The office has two floors. Visitors sign in at the desk.";
    let old = format!("{rest} The office is in Munich.");
    for (new, verdict) in [
        (format!("{rest} The office moved from Munich to Vienna."), Verdict::Replaces),
        (format!("{rest}  The office is in Munich!"), Verdict::Same),
        (format!("{rest} The office is in Vienna."), Verdict::Unrelated),
        ("The office moved from Munich to Vienna.".to_owned(), Verdict::Unrelated),
    ] {
        assert_eq!(told(&new, &old).verdict, verdict, "{new}");
    }
    assert_eq!(
        told("The build no longer uses webpack. It uses Vite.", "The build uses webpack").verdict,
        Verdict::Replaces
    );
}

#[test]
fn long_texts_are_the_same_word_by_word_or_not_at_all() {
    let long = "the quick brown fox jumps over the lazy dog and ".repeat(200);
    assert_eq!(told(&long.to_uppercase(), &long).verdict, Verdict::Same);
    assert_eq!(told(&format!("{long} runs"), &long).verdict, Verdict::Unrelated);
    let huge = "word ".repeat(50_000);
    assert_eq!(told(&format!("{huge} more"), &huge).reasons, [Reason::TooLong]);
}

/// Pairs with slots: both sides say the same when the slots are filled alike.
const TEMPLATES: &[(&str, &str)] = &[
    ("{a} prefers {b} over {c}.", "{a} prefers {b} to {c}"),
    ("The {a} service runs on port {n}", "{a} service runs on port {n}."),
    ("{a}'s email is {b}@{c}.io", "The email of {a} is {b}@{c}.io"),
    ("{a} works for {b} since {n}", "{a} works at {b} since {n}."),
    ("{a}는 {n} 포트에서 {b}을 쓴다.", "{a}는 {n} 포트에서 {b}을 씁니다"),
    ("{a}对{b}的限制是{n}", "{a}对{b}的限制为{n}。"),
];

const NAMES: &[&str] = &["ana", "ben", "kestrel", "mysql", "lisbon", "tea", "vega", "noor"];

fn filled(template: &str, names: [&str; 3], number: u32) -> String {
    let [a, b, c] = names;
    template.replace("{a}", a).replace("{b}", b).replace("{c}", c).replace("{n}", &number.to_string())
}

/// Text out of the pieces that steer the rules, glued in any order, beside plain random text.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "\\PC{0,6}",
        "[a-zA-Z0-9_.:/@#+'’,=?& -]{0,12}",
        proptest::sample::select(vec![
            " is ",
            " lives in ",
            " moved ",
            " from ",
            " to ",
            " no longer ",
            " instead of ",
            "'s ",
            " of ",
            " now ",
            " not ",
            "n't ",
            " and ",
            ", ",
            ". ",
            "? ",
            "; ",
            "\n",
            " 9:30 ",
            " 3pm ",
            " 30s",
            " May 8",
            "2025-01-25",
            " the ",
            " new ",
            "replaced ",
            " with ",
            "called ",
            "는 ",
            "에서 ",
            "으로 ",
            "이사했다",
            "바뀌었다",
            "더 이상 ",
            "이제 ",
            "대신 ",
            "지 않는다",
            "할 수 있다",
            "9시 30분",
            "오후 3시",
            "3시간",
            "十",
            "二十",
            "不",
            "再",
            "从",
            "搬到",
            "用",
            "代替",
            "是",
            "住在",
            "岁",
            "了",
            "点半",
            "下午",
            "3点",
            "、",
            "，",
            "。",
            "为",
            "的",
            "\u{1112}\u{1161}",
            "ﬁ",
            "İ",
            "\u{200b}",
            "-",
            "\"",
            "(",
            "👨‍👩‍👧",
        ])
        .prop_map(str::to_owned),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_the_same_as_itself(text in hostile()) {
        prop_assert_eq!(told(&text, &text).verdict, Verdict::Same);
    }

    #[test]
    fn any_two_texts_relate_without_a_panic_and_being_the_same_goes_both_ways(a in hostile(), b in hostile()) {
        let is_same = |relation: Relation| relation.verdict == Verdict::Same;
        prop_assert_eq!(is_same(told(&a, &b)), is_same(told(&b, &a)));
    }

    #[test]
    fn neighbours_relate_without_a_panic(a in hostile(), cut in 0usize..40, b in hostile()) {
        let start: String = a.chars().take(cut).collect();
        told(&a, &start);
        told(&(start + &b), &a);
    }

    #[test]
    fn case_spaces_and_marks_at_the_end_do_not_change_the_verdict(
        pair in 0usize..SAME.len() + REPLACES.len() + CONTRADICTS.len() + UNRELATED.len(),
        upper in 0usize..4,
        end in proptest::sample::select(vec!["", ".", "!", "...", " ", " . ", "!!", "。", "\n"]),
        space in proptest::sample::select(vec![" ", "  ", "\t", " \u{a0}"]),
    ) {
        let all = [SAME, REPLACES, CONTRADICTS, UNRELATED].concat();
        let (older, newer) = all[pair];
        let cased = |text: &str, upper: bool| if upper { text.to_ascii_uppercase() } else { text.to_owned() };
        let (old, new) = (cased(older, upper & 1 > 0), cased(newer, upper & 2 > 0));
        let new = format!("{space}{}{end}", new.trim_end_matches(['.', '。']).replace(' ', space));
        prop_assert_eq!(told(&new, &old).verdict, told(newer, older).verdict, "{} / {}", old, new);
    }

    #[test]
    fn a_swapped_name_or_number_is_never_the_same(
        template in 0usize..TEMPLATES.len(),
        names in proptest::sample::subsequence(NAMES.to_vec(), 4).prop_shuffle(),
        number in 1u32..9999,
        other in 1u32..9999,
        slot in 0usize..4,
    ) {
        let (one, two) = TEMPLATES[template];
        let alike = [names[0], names[1], names[2]];
        prop_assert_eq!(told(&filled(two, alike, number), &filled(one, alike, number)).verdict, Verdict::Same);
        let mut swapped = alike;
        let changed = match slot {
            3 => other,
            slot => {
                swapped[slot] = names[3];
                number
            }
        };
        let (new, old) = (filled(two, swapped, changed), filled(one, alike, number));
        let differs = filled(two, alike, number) != new;
        prop_assert!(!differs || told(&new, &old).verdict != Verdict::Same, "{} / {}", old, new);
    }

    #[test]
    fn a_question_replaces_nothing(pair in 0usize..REPLACES.len()) {
        let (older, newer) = REPLACES[pair];
        let asked = format!("{}?", newer.trim_end_matches(['.', '。']));
        prop_assert_eq!(told(&asked, older).verdict, Verdict::Unrelated);
    }
}

#[test]
fn who_has_read_much_says_the_same_as_who_has_read_nothing() {
    let pairs: Vec<_> = [SAME, REPLACES, CONTRADICTS, UNRELATED].concat();
    let mut comparison = Comparison::default();
    // Enough sentences between two uses of one that it is let go and read again.
    for round in 0..3 {
        for (number, (older, newer)) in pairs.iter().enumerate() {
            let (older, newer) = (Statement::new(older), Statement::new(newer));
            assert_eq!(comparison.relate(&newer, &older), relate(&newer, &older), "{newer:?}");
            assert_eq!(comparison.relate(&older, &newer), relate(&older, &newer), "{older:?}");
            let other = format!("The lantern of room {round} was lit {number} times.");
            let other = Statement::new(&other);
            assert_eq!(comparison.relate(&other, &older), relate(&other, &older), "{older:?}");
        }
    }
}

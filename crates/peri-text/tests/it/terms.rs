//! Words, scripts, emoji and signals.

use peri_text::{TermClass, analyze, analyze_query};

use crate::{index, query};

/// The query terms of `text`, in order, stop words included.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let terms: Vec<String> = analyze_query(text).into_iter().map(|term| term.text).collect();
    assert_eq!(terms, expected, "{text:?}");
}

/// Something in `query` that is not a stop word finds `text`.
#[track_caller]
fn check_finds(query_text: &str, text: &str) {
    let terms = index(text);
    let wanted: Vec<_> =
        analyze_query(query_text).into_iter().filter(|term| term.class != TermClass::StopWord).collect();
    assert!(wanted.iter().any(|term| terms.contains(&term.text)), "{wanted:?} not in {terms:?}");
}

#[test]
fn english_words_are_stemmed_and_folded() {
    check("Running runners ran", &["run", "runner", "ran"]);
    check("Caroline's painting", &["carolin", "paint"]);
    check("Caroline’s dogs’ toys", &["carolin", "dog", "toy"]);
    check("don't it's we’ll", &["don't", "it's", "we'll"]);
    check("café CAFE naïve", &["cafe", "naiv"]);
    check("ＡＢＣ ａｂｃ", &["abc"]);
    check("Hello, world! Hello...world", &["hello", "world"]);
    check("APIs and URLs", &["api", "and", "url"]);
    check("1,000,000 and 3.14 and 42", &["1000000", "and", "3.14", "3", "14", "42"]);
    check("", &[]);
    check(" \n\t--- ... !!", &[]);
}

#[test]
fn stop_words_are_flagged_but_indexed() {
    let text = "What did the cat do? Don't ask";
    assert_eq!(query(text, &[TermClass::StopWord]), ["what", "did", "the", "do", "don't"]);
    assert_eq!(query(text, &[TermClass::Word]), ["cat", "ask"]);
    assert!(index(text).contains(&"the".to_owned()));
}

#[test]
fn cjk_runs_become_pairs() {
    check("上周末的会议", &["上周", "周末", "末的", "的会", "会议"]);
    check("猫", &["猫"]);
    check("서울에서 만났다", &["서울", "울에", "에서", "만났", "났다"]);
    check("メモリと記憶", &["メモ", "モリ", "リと", "と記", "記憶"]);
    check("ﾒﾓﾘ", &["メモ", "モリ"]);
    check("E0308오류", &["e0308", "0308", "오류"]);
    check("iPhone手机", &["iphone", "iphon", "phone", "手机"]);
    check("상태😀좋음", &["상태", "😀", "좋음"]);
}

#[test]
fn a_single_character_finds_longer_runs() {
    check_finds("猫", "我家的猫咪");
    check_finds("집", "우리집에서");
    assert_eq!(index("猫咪"), ["咪", "猫", "猫咪"]);
    assert_eq!(analyze("我家的猫咪").length, 4);
    assert_eq!(analyze("猫").length, 1);
}

#[test]
fn emoji_clusters_stay_whole() {
    check("👍🏽 👨‍👩‍👧‍👦 ❤️ ❤ 🇰🇷🇯🇵", &["👍🏽", "👨‍👩‍👧‍👦", "❤", "🇰🇷", "🇯🇵"]);
    assert_eq!(query("great 🎉🎉", &[TermClass::Emoji]), ["🎉"]);
}

#[test]
fn other_scripts_are_words() {
    check("Привет ΜΝΉΜΗ किताब สวัสดี", &["привет", "μνήμη", "किताब", "สวัสดี"]);
    check("ΟΔΟΣ οδός", &["οδοσ", "οδόσ"]);
}

#[test]
fn a_long_token_is_cut_but_matches_itself() {
    let hash = "a1b2c3d4".repeat(20);
    check(&hash, &[&hash[..64]]);
    let thai = "ก".repeat(50);
    check_finds(&thai, &thai);
    assert!(index(&thai).iter().all(|term| term.len() <= peri_text::TERM_BYTES_MAX));
}

#[test]
fn counts_and_length_follow_the_text() {
    let analysis = analyze("the cat and the dogs and the dog");
    let count = |term: &str| analysis.terms.iter().find(|(text, _)| text == term).map(|(_, count)| *count);
    assert_eq!((count("the"), count("dog"), count("cat"), analysis.length), (Some(3), Some(2), Some(1), 8));
    assert!(analysis.terms.is_sorted());
}

#[test]
fn the_surface_is_what_was_written() {
    let terms = analyze_query("Studies");
    assert_eq!((terms[0].text.as_str(), terms[0].surface.as_str()), ("studi", "studies"));
}

/// `(question, number, time word)` of a text.
#[track_caller]
fn check_signals(text: &str, expected: (bool, bool, bool)) {
    let analysis = analyze(text);
    assert_eq!((analysis.is_question, analysis.has_number, analysis.has_time_word), expected, "{text:?}");
}

#[test]
fn signals_are_noticed_in_every_language() {
    check_signals("Where did we meet last week?", (true, false, true));
    check_signals("He said \"really?\"", (true, false, false));
    check_signals("we met 3 days ago", (false, true, true));
    check_signals("The last item is this one.", (false, false, false));
    check_signals("어제 뭐 먹었어？", (true, false, true));
    check_signals("지난주에 갔습니까", (true, false, true));
    check_signals("你昨天去哪了？", (true, false, true));
    check_signals("他来了吗", (true, false, false));
    check_signals("会议在上周", (false, false, true));
    check_signals("", (false, false, false));
}

#[test]
fn capitalised_words_inside_sentences_are_names() {
    let names = |text: &str| analyze(text).proper_names;
    assert_eq!(
        names("When did Caroline meet Mel in Seoul? Nobody knows. I do."),
        ["caroline", "mel", "seoul"]
    );
    assert_eq!(names("Hello"), Vec::<String>::new());
    assert_eq!(names("we saw Anna's dog and Anna"), ["anna"]);
}

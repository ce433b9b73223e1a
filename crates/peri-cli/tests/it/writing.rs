//! Scripts, signs and names come back as they went in.

use super::support::Peri;

#[test]
fn every_script_is_stored_whole_and_found_by_its_words() {
    let peri = Peri::new();
    let texts = [
        ("멜라니는 일요일에 도자기를 굽는다", "도자기"),
        ("我朋友在柏林学习做蛋糕", "蛋糕"),
        ("京都の図書館は月曜日に休みです", "図書館"),
        ("the build fails with E0308 in parse_berth_id()", "E0308"),
        ("Zoë's café — naïve façade ✨", "café"),
        ("two\nlines, \"quotes\" and \\ backslashes", "backslashes"),
        ("🎻👩‍👩‍👧 the family plays the violin 🎻", "violin"),
    ];
    for (text, _) in texts {
        peri.remember(&[text]);
    }
    for (text, question) in texts {
        let found = peri.recall(&[question]);
        assert_eq!(found.first().map(String::as_str), Some(text), "{question}: {found:?}");
    }
}

#[test]
fn arguments_pipes_and_files_give_the_same_memory() {
    let peri = Peri::new();
    let text = "정원의 사과나무 🍎 blüht";
    peri.remember(&[text]);
    let piped = peri.run_with(&["remember", "-"], format!("\u{feff}{text}\r\n").as_bytes());
    assert!(piped.out.starts_with("merged into "), "{piped:?}");
    let file = peri.file("notes.txt", format!("\u{feff}{text}\r\n"));
    assert_eq!(peri.ok(&["remember", "--file", &file]), "0 stored, 1 merged, 0 refused\n");
}

#[test]
fn escapes_in_a_memory_are_shown_on_a_pipe_and_exact_in_json() {
    let peri = Peri::new();
    let id = peri.remember(&["a \u{1b}[31mred\u{1b}[0m word"]);
    let shown = peri.ok(&["get", &id]);
    assert!(!shown.contains('\u{1b}') && shown.contains("[31mred"), "{shown}");
    assert_eq!(peri.json(&["get", &id])["memory"]["content"], "a \u{1b}[31mred\u{1b}[0m word");
}

//! Sheets and their Markdown.

use proptest::prelude::*;

use super::*;
use crate::item::{Priority, Progress};

fn read(text: &str) -> Sheet {
    Sheet::read(Owner::Session, text, &Details::default(), Timestamp::UNIX_EPOCH)
}

fn again(sheet: &Sheet) -> Sheet {
    Sheet::read(Owner::Session, &sheet.to_markdown(), &sheet.details(), Timestamp::UNIX_EPOCH)
}

/// What Markdown becomes when it is read and written.
#[track_caller]
fn check(given: &str, written: &str) {
    assert_eq!(read(given).to_markdown(), written);
    assert_eq!(read(written).to_markdown(), written, "once is enough");
}

#[test]
fn what_people_write_is_read_and_kept() {
    check("- 🔴 하나\n", "- 🔴 하나 <!-- n1 -->\n");
    check("* 项目\r\n🟢️ line\r\n", "- 🟡 项目 <!-- n1 -->\n- 🟢 line <!-- n2 -->\n");
    check("- [X] done\n- [ ] 🔴 open", "- [x] 🟡 done <!-- n1 -->\n- 🔴 open <!-- n2 -->\n");
    check("## 2026-02-10\n- a\n", "## 2026-02-10\n\n- 🟡 a <!-- n1 -->\n");
    check("\u{FEFF}# 제목\n- a\n글\n", "# 제목\n\n- 🟡 a <!-- n1 -->\n\n글\n");
    check("- a\n  둘째\n\n  넷째\n다른 글", "- 🟡 a <!-- n1 -->\n  둘째\n\n  넷째\n\n다른 글\n");
    check(
        "```\n- no note\n\n## 2026-02-10\n```\n- note",
        "```\n- no note\n\n## 2026-02-10\n```\n\n- 🟡 note <!-- n1 -->\n",
    );
    check("~~~ open\n- no note", "~~~ open\n- no note\n~~~\n");
    check("## 2026-02-30\n---\n* * *\n- \n", "## 2026-02-30\n---\n* * *\n-\n");
    check(
        "- a <!-- n7 -->\n- b <!-- n7 -->\n- c <!-- d2 -->",
        "- 🟡 a <!-- n7 -->\n- 🟡 b <!-- n8 -->\n- 🟡 c <!-- n9 -->\n",
    );
    check("- a <!-- todo -->\n", "- 🟡 a <!-- todo --> <!-- n1 -->\n");
    check("", "");
}

#[test]
fn a_number_that_somebody_typed_does_not_use_up_all_numbers() {
    let mut sheet = read("- a <!-- n999999999999999 -->\n- b <!-- n99999999999 -->\n");
    let ids: Vec<_> = sheet.items().map(|item| item.id.number()).collect();
    assert_eq!(ids, [100_000_000_000, 99_999_999_999]);
    sheet.add(Draft::new(Priority::Low, "c"), Timestamp::UNIX_EPOCH);
    assert_eq!(again(&sheet), sheet);
}

#[test]
fn numbers_of_notes_that_are_gone_are_not_given_again() {
    let mut sheet = read("- a\n- b\n");
    sheet.remove(ItemId::new(Owner::Session, 2)).unwrap();
    let mut sheet = again(&sheet);
    let id = sheet.add(Draft::new(Priority::Low, "c"), Timestamp::UNIX_EPOCH).unwrap();
    assert_eq!(id.to_string(), "n3");
    assert_eq!(sheet.add(Draft::new(Priority::Low, " \n\0"), Timestamp::UNIX_EPOCH), None, "it says nothing");
}

#[test]
fn a_note_keeps_its_id_when_it_moves_to_another_day() {
    let mut sheet = read("## 2026-02-09\n- a\n## 2026-02-10\n- b\n");
    let item = sheet.items().next().unwrap().clone();
    let date = Some(jiff::civil::date(2026, 2, 11));
    assert_eq!(sheet.revise(Draft { date, ..Draft::of(&item) }), Some(item.id));
    assert_eq!(
        sheet.to_markdown(),
        "## 2026-02-10\n\n- 🟡 b <!-- n2 -->\n\n## 2026-02-11\n\n- 🟡 a <!-- n1 -->\n"
    );
    assert_eq!(sheet.revise(Draft { text: " ".to_owned(), ..Draft::of(&item) }), None);
    assert_eq!(sheet.revise(Draft { id: None, ..Draft::of(&item) }), None);
}

/// Lines as people, editors and models write them.
fn any_line() -> impl Strategy<Value = String> {
    let start = prop_oneof![
        Just(""),
        Just("- "),
        Just("* "),
        Just("  "),
        Just("\t"),
        Just("    - "),
        Just("🔴 "),
        Just("- 🟢 "),
        Just("- [x] 🟡 "),
        Just("```"),
        Just("~~~~"),
        Just("## "),
        Just(" "),
        Just("- - "),
        Just("<!-- "),
    ];
    let middle = prop_oneof![
        "[a-zA-Z가-힣一-龥 ]{0,12}",
        Just("2026-02-10".to_owned()),
        Just("2026-02-11".to_owned()),
        Just("```".to_owned()),
        Just("<!-- n1 -->".to_owned()),
        ".{0,8}",
    ];
    let end = prop_oneof![
        Just(""),
        Just(" "),
        Just(" <!-- n1 -->"),
        Just(" <!-- n2 -->"),
        Just("<!--d3-->"),
        Just("\r"),
        Just("\u{c}"),
    ];
    (start, middle, end).prop_map(|(start, middle, end)| format!("{start}{middle}{end}"))
}

fn any_draft() -> impl Strategy<Value = Draft> {
    let text = proptest::collection::vec(any_line(), 1..4).prop_map(|lines| lines.join("\n"));
    let id = proptest::option::of((1_u64..9).prop_map(|number| ItemId::new(Owner::Session, number)));
    (id, 0_usize..3, any::<bool>(), text, proptest::option::of(1_i8..28)).prop_map(
        |(id, priority, done, text, day)| Draft {
            id,
            progress: if done { Progress::Done } else { Progress::Open },
            date: day.map(|day| jiff::civil::date(2026, 2, day)),
            ..Draft::new(Priority::ALL[priority], text)
        },
    )
}

/// The words of a text, without what reading and writing may add or take away.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = text
        .replace(crate::item::BYTE_ORDER, "")
        .split(|c: char| {
            c.is_whitespace() || c.is_control() || "-*#`~[]xX<>!\u{FEFF}\u{FE0F}🔴🟡🟢".contains(c)
        })
        .filter(|word| !word.is_empty() && word.parse::<ItemId>().is_err() && word.parse::<u64>().is_err())
        .map(str::to_owned)
        .collect();
    words.sort();
    words
}

proptest! {
    #[test]
    fn whatever_is_written_reads_back_the_same_and_no_word_is_lost(
        lines in proptest::collection::vec(any_line(), 0..14)
    ) {
        let text = lines.join("\n");
        let sheet = read(&text);
        prop_assert_eq!(&again(&sheet), &sheet);
        prop_assert_eq!(again(&sheet).to_markdown(), sheet.to_markdown());
        prop_assert_eq!(words(&sheet.to_markdown()), words(&text));
    }

    #[test]
    fn sheets_that_were_changed_read_back_the_same(
        lines in proptest::collection::vec(any_line(), 0..8),
        drafts in proptest::collection::vec(any_draft(), 0..8),
        gone in proptest::collection::vec(1_u64..9, 0..4),
    ) {
        let mut sheet = read(&lines.join("\n"));
        for draft in drafts {
            match draft.id {
                Some(_) => drop(sheet.revise(draft)),
                None => drop(sheet.add(draft, Timestamp::UNIX_EPOCH)),
            }
            prop_assert_eq!(&again(&sheet), &sheet);
        }
        for number in gone {
            sheet.remove(ItemId::new(Owner::Session, number));
            prop_assert_eq!(&again(&sheet), &sheet);
        }
    }

    #[test]
    fn a_merge_takes_what_was_made_and_keeps_what_people_did(
        base in proptest::collection::vec("[a-z가-힣]{1,5}", 1..6),
        kept in proptest::collection::vec(any::<bool>(), 6),
        edited in proptest::collection::vec(any::<bool>(), 6),
    ) {
        let mut sheet = Sheet::new(Owner::Session);
        for text in &base {
            sheet.add(Draft::new(Priority::Low, text.as_str()), Timestamp::UNIX_EPOCH);
        }
        let items: Vec<Item> = sheet.items().cloned().collect();
        let drafts: Vec<Draft> = items
            .iter()
            .zip(&kept)
            .filter(|(_, kept)| **kept)
            .map(|(item, _)| Draft { text: format!("{} revised", item.text), ..Draft::of(item) })
            .collect();
        for (item, _) in items.iter().zip(&edited).filter(|(_, edited)| **edited) {
            sheet.revise(Draft { text: format!("{} edited", item.text), ..Draft::of(item) });
        }
        let nothing = drafts.is_empty();
        sheet.merge(&items, drafts, Timestamp::UNIX_EPOCH);
        for ((item, kept), edited) in items.iter().zip(&kept).zip(&edited) {
            let expected = match (nothing, *kept, *edited) {
                (_, _, true) => Some(format!("{} edited", item.text)),
                (true, _, false) => Some(item.text.clone()),
                (false, true, false) => Some(format!("{} revised", item.text)),
                (false, false, false) => None,
            };
            prop_assert_eq!(sheet.item(item.id).map(|item| item.text.clone()), expected);
        }
    }
}

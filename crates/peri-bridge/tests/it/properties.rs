//! What holds for any Markdown whatever.

use peri_bridge::{BridgeError, Damage, FileFate};
use perihelion::{EngineChoice, Trashed};
use proptest::prelude::*;

use crate::support::{Desk, outside};

/// Lines as they occur in such files, and some that should not.
fn line() -> impl Strategy<Value = String> {
    let fixed = prop::sample::select(vec![
        "",
        "",
        "# 제목",
        "## Rules",
        "### 小节",
        "- item one",
        "  - nested item",
        "* 항목 둘",
        "1. first step",
        "text:",
        "plain text",
        "그냥 글",
        "一些文字",
        "```",
        "```sh",
        "~~~",
        "| a | b |",
        "|---|---|",
        "<!-- note -->",
        "<!-- open",
        "-->",
        "---",
        "===",
        "@docs/x.md",
        "> quote",
        "    code",
        "<div>",
        "`code` and @ana",
        "\ttab",
    ]);
    prop_oneof![4 => fixed.prop_map(str::to_owned), 1 => "\\PC{0,30}"]
}

fn markdown() -> impl Strategy<Value = String> {
    let lines = prop::collection::vec((line(), prop::sample::select(vec!["\n", "\r\n"])), 0..25);
    (lines, any::<bool>(), any::<bool>()).prop_map(|(lines, has_bom, has_end)| {
        let mut text: String = lines.into_iter().map(|(line, end)| line + end).collect();
        if !has_end {
            text.truncate(text.trim_end_matches(['\r', '\n']).len());
        }
        if has_bom { format!("\u{feff}{text}") } else { text }
    })
}

/// A desk with this file and some memories, or none if the file cannot have a section.
fn exported(text: &str) -> Option<Desk> {
    let desk = Desk::with_engine(EngineChoice::Bundled);
    desk.write(text);
    desk.pin("Ana drinks tea");
    desk.pin("금요일에는 <!-- 절대 --> 배포하지 않는다\n```\ncode\n```");
    match desk.try_export() {
        Ok(exported) => {
            assert_eq!(exported.file, FileFate::Written);
            Some(desk)
        }
        Err(BridgeError::Markers { damage: Damage::OpenCode, .. }) => None,
        Err(error) => panic!("{error}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_export_changes_nothing_outside_its_section_and_a_second_one_nothing(text in markdown()) {
        let Some(desk) = exported(&text) else { return Ok(()) };
        let first = desk.read();
        let (before, after) = outside(&first);
        prop_assert!(before.starts_with(&text));
        prop_assert!(before[text.len()..].chars().all(|c| matches!(c, '\r' | '\n')));
        prop_assert!(matches!(after.as_str(), "" | "\n" | "\r\n"));
        prop_assert_eq!(desk.export().file, FileFate::Unchanged);
        prop_assert_eq!(desk.read(), first.clone());
        // And when something is to be written, the rest is still the same.
        desk.pin("a third memory");
        prop_assert_eq!(desk.export().file, FileFate::Written);
        prop_assert_eq!(outside(&desk.read()), (before, after));
    }

    #[test]
    fn importing_twice_is_importing_once(text in markdown()) {
        let desk = Desk::with_engine(EngineChoice::Bundled);
        desk.write(&text);
        let first = desk.import();
        let memories = desk.memories(Trashed::Without);
        let again = desk.import();
        prop_assert_eq!(again.unchanged, first.statements - first.counts.refused);
        prop_assert_eq!(desk.memories(Trashed::Without), memories);
        prop_assert_eq!(desk.read(), text);
    }

    #[test]
    fn a_sync_is_stable(text in markdown(), edited in line()) {
        let Some(desk) = exported(&text) else { return Ok(()) };
        desk.sync();
        let second = desk.sync();
        prop_assert!(second.is_nothing(), "{second:?}");
        // Whatever somebody writes into the section, it settles at once, and the outside stays as it is.
        let sides = outside(&desk.read());
        let opens_code = edited.trim_start_matches("- ").trim_start().starts_with("```") || edited.trim_start().starts_with("~~~");
        prop_assume!(!opens_code && !edited.contains("perihelion:"));
        desk.edit("<!-- perihelion:end -->", &format!("{edited}\n<!-- perihelion:end -->"));
        desk.sync();
        let settled = desk.sync();
        prop_assert!(settled.is_nothing(), "{settled:?}");
        prop_assert_eq!(outside(&desk.read()), sides);
    }

    #[test]
    fn any_edit_of_the_outside_settles_at_once(one in markdown(), other in markdown()) {
        let desk = Desk::with_engine(EngineChoice::Bundled);
        for text in [&one, &other, &one] {
            desk.write(text);
            desk.import();
            let memories = desk.memories(Trashed::Without);
            let again = desk.import();
            prop_assert!(again.changes.iter().all(|change| change.what == peri_bridge::What::Refused), "{again:?}");
            prop_assert_eq!(desk.memories(Trashed::Without), memories);
        }
    }
}

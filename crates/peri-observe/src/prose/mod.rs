//! The sentences that somebody wrote, without code, logs, diffs, traces, quotations and tool output.

mod blocks;
mod sentences;

use std::ops::Range;

/// One sentence of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sentence {
    /// Where it stands in the message, in bytes.
    pub(crate) range: Range<usize>,
    /// Which paragraph it belongs to; a list below its heading is one.
    pub(crate) paragraph: usize,
}

/// The sentences of a message, in order.
pub(crate) fn sentences(text: &str) -> Vec<Sentence> {
    let mut found = Vec::new();
    for line in blocks::prose_lines(text) {
        for range in sentences::split(text, line.range) {
            found.push(Sentence { range, paragraph: line.paragraph });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<&str> {
        sentences(text).into_iter().map(|sentence| &text[sentence.range]).collect()
    }

    #[test]
    fn only_prose_is_left() {
        for (text, expected) in [
            ("One. Two!\n\nThree", vec!["One.", "Two!", "Three"]),
            ("Look:\n```rust\nlet must = never;\n```\nWe agreed.", vec!["Look:", "We agreed."]),
            ("~~~\nopen to the end\nWe agreed.", vec![]),
            ("> We decided.\nReally?", vec!["Really?"]),
            (
                "- Buy milk.\n* Call Ana.\n1. Rest\n- [ ] Sleep",
                vec!["Buy milk.", "Call Ana.", "Rest", "Sleep"],
            ),
            ("2026-03-01 10:00:01 ERROR it must close\n[12:01:02] never\nWARN: always", vec![]),
            (
                "Traceback (most recent call last):\n  File \"a.py\", line 3, in main\nValueError: must be set",
                vec![],
            ),
            ("at a.b.C.run(C.java:4)\n    at d.e (index.js:1:2)\nCaused by: X", vec![]),
            (
                "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-we decided\n+we agreed\n\nFine.",
                vec!["Fine."],
            ),
            ("$ cargo test\n>>> never = 1\nfn main() { must(); }\n{\"must\": true}", vec![]),
            ("<tool_result>\nWe decided.\n</tool_result>\nWe agreed.", vec!["We agreed."]),
            ("| a | must |\n|---|---|\n# We decided", vec![]),
            ("第一句。第二句！3.5 版。", vec!["第一句。", "第二句！", "3.5 版。"]),
            ("버전 2.4를 씁니다. 좋아요!", vec!["버전 2.4를 씁니다.", "좋아요!"]),
            ("Ask Dr. Vogt, e.g. today. Bye", vec!["Ask Dr. Vogt, e.g. today.", "Bye"]),
            ("-----BEGIN PRIVATE KEY-----\nWe decided\n-----END PRIVATE KEY-----\nOk", vec!["Ok"]),
            ("No. We agreed on No. 5.", vec!["No.", "We agreed on No. 5."]),
            ("", vec![]),
            (" \n\t\n", vec![]),
        ] {
            assert_eq!(read(text), expected, "{text:?}");
        }
    }
}

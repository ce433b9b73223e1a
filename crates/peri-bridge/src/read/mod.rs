//! What a Markdown file says, as statements: its paragraphs and the items of its lists, each with the headings above it.

mod blocks;
mod code;
mod comments;
mod imports;
mod lines;

use perihelion::Kind;

use crate::kind;

/// What is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// What people wrote: comments and lines of nothing but tags say nothing.
    Own,
    /// The section of Perihelion, where every line counts.
    Section,
}

/// One statement of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Statement {
    /// What it says, with the code and the tables that belong to it.
    pub(crate) text: String,
    /// The headings above it, the outermost first, without the title of the file, and the sentence that leads to its list.
    pub(crate) context: Vec<String>,
    /// The title of the file and all headings.
    pub(crate) headings: Vec<String>,
    /// What sort of statement it is.
    pub(crate) form: Form,
}

/// How a statement is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// As plain text.
    Plain,
    /// As a step, or with code.
    Steps,
}

impl Statement {
    /// The statement by itself: with its context, as a memory says it.
    pub(crate) fn content(&self) -> String {
        content_of(&self.context, &self.text)
    }

    /// What a memory of it is.
    pub(crate) fn kind(&self) -> Kind {
        kind::of(self)
    }
}

/// A text with its context.
pub(crate) fn content_of(context: &[String], text: &str) -> String {
    if context.is_empty() {
        return text.to_owned();
    }
    // Code that stands alone below a heading begins on a line of its own.
    let gap = if text.starts_with('\n') { "" } else { " " };
    format!("{}:{gap}{text}", context.join(" > "))
}

/// What was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Read {
    /// The statements, in order, none of them twice.
    pub(crate) statements: Vec<Statement>,
    /// Other files that it asks agents to read, as in `@docs/style.md`.
    pub(crate) imports: Vec<String>,
    /// Blocks of code and tables that belong to no statement and no heading.
    pub(crate) blocks_left_out: usize,
}

/// Reads a text without its byte order mark and without the section.
pub(crate) fn read(text: &str, reading: Reading) -> Read {
    let text = match reading {
        Reading::Own => comments::without(without_front_matter(text)),
        Reading::Section => text.to_owned(),
    };
    let mut read = blocks::read(&text, reading);
    let mut seen = std::collections::HashSet::new();
    read.statements.retain(|statement| seen.insert(statement.content()));
    read
}

/// A text without the front matter at its beginning.
fn without_front_matter(text: &str) -> &str {
    let mut lines = text.split_inclusive('\n');
    let Some(first) = lines.next().filter(|line| line.trim_end() == "---") else { return text };
    let mut at = first.len();
    for line in lines {
        at += line.len();
        if matches!(line.trim_end(), "---" | "...") {
            return &text[at..];
        }
    }
    text
}

/// Whether a text says anything: it holds a letter or a digit.
pub(crate) fn says_something(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contents(text: &str) -> Vec<String> {
        read(text, Reading::Own).statements.iter().map(Statement::content).collect()
    }

    #[test]
    fn paragraphs_and_items_are_statements_below_their_headings() {
        let text = "# Orbit\n\nA memory engine\nin Rust.\n\n## 테스트\n\n- 항상 nextest를 쓴다\n* 测试必须\n  可以失败\n\n### Unit ###\n1. one\n2) two\n\n## Style\nShort.\n";
        assert_eq!(
            contents(text),
            [
                "A memory engine in Rust.",
                "테스트: 항상 nextest를 쓴다",
                "테스트: 测试必须可以失败",
                "테스트 > Unit: one",
                "테스트 > Unit: two",
                "Style: Short.",
            ]
        );
        assert_eq!(read(text, Reading::Own).statements[3].headings, ["Orbit", "테스트", "Unit"]);
    }

    #[test]
    fn of_several_headings_of_the_first_level_none_is_a_title() {
        assert_eq!(contents("# A\none\n# B\ntwo"), ["A: one", "B: two"]);
        assert_eq!(contents("Title\n=====\none\n\nPart\n---\ntwo"), ["one", "Part: two"]);
    }

    #[test]
    fn a_sentence_with_a_colon_leads_to_its_list() {
        assert_eq!(
            contents("Before a commit:\n\n- format\n- test:\n  - all crates\n  - twice\n- push\n\nDone."),
            [
                "Before a commit: format",
                "Before a commit > test: all crates",
                "Before a commit > test: twice",
                "Before a commit: push",
                "Done."
            ]
        );
        assert_eq!(contents("规则:\n- 用中文"), ["规则: 用中文"]);
        assert_eq!(
            contents("- Use Rust\n  - edition 2024\n    for all\n- else"),
            ["Use Rust\n- edition 2024 for all", "else"]
        );
    }

    #[test]
    fn code_and_tables_stay_with_what_stands_above_them() {
        let code = "```sh\nnpm run build\n\nnpm test\n```";
        assert_eq!(
            contents(&format!("Build it:\n\n{code}\n\nThen rest.")),
            [format!("Build it:\n{code}"), "Then rest.".to_owned()]
        );
        assert_eq!(contents(&format!("## Commands\n{code}\n")), [format!("Commands:\n{code}")]);
        assert_eq!(
            contents("Ports\n\n| a | b |\n|---|---|\n| 1 | 2 |"),
            ["Ports\n| a | b |\n|---|---|\n| 1 | 2 |"]
        );
        assert_eq!(contents("- one\n  ```\n  x\n  ```\n- two"), ["one\n```\nx\n```", "two"]);
        let alone = read(&format!("{code}\ntext"), Reading::Own);
        assert_eq!((alone.blocks_left_out, alone.statements[0].text.as_str()), (1, "text"));
    }

    #[test]
    fn front_matter_comments_tags_and_breaks_say_nothing() {
        let text = "---\nname: x\n---\n<!-- a\nb -->\none <!-- c --> two\n\n***\n<div>\n\nthree `<!-- d -->`\n\n> 四\n</div>\n";
        assert_eq!(contents(text), ["one two", "three `<!-- d -->`", "四"]);
        assert_eq!(contents("---\nname: x\n"), ["name: x"], "what never ends is no front matter");
        assert_eq!(contents("a <!-- b"), ["a <!-- b"], "what never ends is no comment");
    }

    #[test]
    fn imports_are_told_and_what_is_only_an_import_is_no_statement() {
        let read = read(
            "@docs/style.md\n\nSee @README.md and `@not/this` or ask @ana.\n- @~/own.md\n",
            Reading::Own,
        );
        assert_eq!(read.imports, ["docs/style.md", "README.md", "~/own.md"]);
        assert_eq!(read.statements.len(), 1);
    }

    #[test]
    fn what_is_said_twice_counts_once() {
        assert_eq!(contents("- a\n- a\n\n## B\n- a\n"), ["a", "B: a"]);
    }

    #[test]
    fn in_the_section_every_line_counts() {
        let text = "## Other\n\n- one\nloose <!-- note -->\n\nlead:\n- two\n<b>\n```\ncode\n```\n";
        let read = read(text, Reading::Section);
        let texts: Vec<_> = read.statements.iter().map(|statement| statement.text.as_str()).collect();
        assert_eq!(texts, ["one loose <!-- note -->", "lead:", "two <b>\n```\ncode\n```"]);
        assert_eq!(read.blocks_left_out, 0);
    }
}

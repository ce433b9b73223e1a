//! An instruction for the model, where hooks cannot hand it anything.

use super::places::RuleFile;

const BEGIN: &str = "<!-- perihelion: begin -->\n";
const END: &str = "<!-- perihelion: end -->\n";

/// What a file of its own begins with, so that the rule always holds.
const HEAD: &str = "---\ntrigger: always_on\n---\n\n";

const RULE: &str = "\
Long-term memory is in the tools of the MCP server `perihelion`.

- At the beginning of a task, call `memory_recall` with what the user asks for, and use what it finds.
- When the user states a lasting preference, decision, correction or fact, keep it with `memory_store`, one statement a call.
- Keep nothing secret and nothing that holds for the moment only.
";

/// The text with the instruction in it, once and as it should be by now.
pub(super) fn install(text: &str, file: RuleFile) -> String {
    let block = format!("{BEGIN}{RULE}{END}");
    if let Some((before, after)) = around(text) {
        return format!("{before}{block}{after}");
    }
    let head = match file {
        RuleFile::Own if text.is_empty() => HEAD,
        RuleFile::Own | RuleFile::Shared => "",
    };
    let gap = match text {
        "" => "",
        text if text.ends_with("\n\n") => "",
        text if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    format!("{head}{text}{gap}{block}")
}

/// The text without the instruction.
pub(super) fn remove(text: &str) -> String {
    match around(text) {
        None => text.to_owned(),
        Some((before, "")) => {
            before.strip_suffix("\n\n").map_or(before.to_owned(), |text| format!("{text}\n"))
        }
        Some((before, after)) => format!("{before}{after}"),
    }
}

/// Whether nothing is left that anybody but us would have written.
pub(super) fn is_blank(text: &str) -> bool {
    let text = text.trim();
    text.is_empty() || text == HEAD.trim()
}

/// What stands before and after the instruction; none if it is not there whole.
fn around(text: &str) -> Option<(&str, &str)> {
    let start = text.find(BEGIN)?;
    let end = start + text[start..].find(END.trim_end())? + END.trim_end().len();
    let after = &text[end..];
    Some((&text[..start], after.strip_prefix('\n').unwrap_or(after)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_instruction_comes_once_and_goes_without_a_trace() {
        for text in ["", "# 규칙\n\n- 한국어로 답한다\n", "一\n二\n"] {
            let once = install(text, RuleFile::Shared);
            assert_eq!(install(&once, RuleFile::Shared), once);
            assert_eq!(remove(&once), text);
        }
    }

    #[test]
    fn an_older_instruction_is_replaced_where_it_stands() {
        let old = format!("a\n{BEGIN}veraltet\n{END}b\n");
        let new = install(&old, RuleFile::Shared);
        assert!(new.starts_with("a\n<!--") && new.ends_with("-->\nb\n") && !new.contains("veraltet"));
        assert_eq!(remove(&new), "a\nb\n");
    }

    #[test]
    fn half_an_instruction_is_not_ours_to_take_out() {
        let half = format!("a\n{BEGIN}b\n");
        assert_eq!(remove(&half), half);
    }
}

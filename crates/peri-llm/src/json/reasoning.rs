//! Leaves out what a model thinks aloud before it answers.

/// What such thoughts are put into.
const TAGS: [&str; 4] = ["think", "thinking", "reasoning", "thought"];

/// Whoever thinks more often than this before an answer does not come to one.
const ROUNDS_MAX: usize = 64;

/// What is written behind the thoughts; none if they do not end.
pub(crate) fn without_reasoning(text: &str) -> Option<&str> {
    let mut rest = text;
    for _ in 0..ROUNDS_MAX {
        // An answer that has begun is not searched: its strings may hold anything.
        let answer = rest.find(['{', '[', '"']).unwrap_or(rest.len());
        let (before, _) = rest.split_at(answer);
        let opened =
            TAGS.iter().find_map(|tag| find_on_own_line(before, &format!("<{tag}>")).map(|at| (at, *tag)));
        if let Some((at, tag)) = opened {
            let closing = format!("</{tag}>");
            let thoughts = &rest[at..];
            rest = &thoughts[find(thoughts, &closing)? + closing.len()..];
            continue;
        }
        return Some(behind_closing(rest));
    }
    None
}

/// Some servers send thoughts without the tag that opens them.
fn behind_closing(text: &str) -> &str {
    if text.trim_start().starts_with(['{', '[', '"', '`']) {
        return text;
    }
    let ends = TAGS.iter().filter_map(|tag| {
        let closing = format!("</{tag}>");
        find_on_own_line(text, &closing).map(|at| at + closing.len())
    });
    ends.min().map_or(text, |end| &text[end..])
}

/// Where a tag stands first in its line; elsewhere it may be what is talked about.
fn find_on_own_line(text: &str, tag: &str) -> Option<usize> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        if line.as_bytes()[indent..]
            .get(..tag.len())
            .is_some_and(|begin| begin.eq_ignore_ascii_case(tag.as_bytes()))
        {
            return Some(start + indent);
        }
        start += line.len();
    }
    None
}

/// Where a tag stands, in capitals or not.
fn find(text: &str, tag: &str) -> Option<usize> {
    text.as_bytes().windows(tag.len()).position(|window| window.eq_ignore_ascii_case(tag.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thoughts_before_the_answer_are_left_out_and_the_answer_is_left_alone() {
        for (text, rest) in [
            ("<think>흠 {1}</think>\n{\"a\":1}", Some("\n{\"a\":1}")),
            ("  <THINKING>a</THINKING><think>b</think>c", Some("c")),
            ("thoughts with {\"draft\": 1}\n</think>{\"a\":1}", Some("{\"a\":1}")),
            ("Sure.\n<think>x</think> Here: [1]", Some(" Here: [1]")),
            ("Close with `</think>`, open with <think>.", Some("Close with `</think>`, open with <think>.")),
            ("{\"a\":\"<think>x</think>\"}", Some("{\"a\":\"<think>x</think>\"}")),
            ("<think>and so on", None),
            ("plain words", Some("plain words")),
            ("", Some("")),
        ] {
            assert_eq!(without_reasoning(text), rest, "{text}");
        }
    }
}

//! What the user said, without what agents and hooks wrapped around it.

use crate::Agent;

/// What stands between these is never the user's: it came from commands, from tools and from hooks.
const NOT_SAID: [&str; 25] = [
    "bash-input",
    "bash-stderr",
    "bash-stdout",
    "command-args",
    "command-contents",
    "command-message",
    "command-name",
    "cross-session-message",
    "environment_context",
    "hook_context",
    "hook_prompt",
    "ide_diagnostics",
    "ide_opened_file",
    "ide_selection",
    "local-command-caveat",
    "local-command-stderr",
    "local-command-stdout",
    "new-diagnostics",
    "session-start-hook",
    "session_context",
    "system-reminder",
    "system_reminder",
    "task-notification",
    "user-prompt-submit-hook",
    "user_instructions",
];

/// Where Cursor puts what the user said.
const CURSOR_QUERY: &str = "user_query";
/// Before what the user said, when the editor told Codex what is open.
const CODEX_REQUEST: &str = "## My request for Codex:";
/// After what the user said, when Gemini CLI read files that were named in it.
const GEMINI_FILES: &str = "--- Content from referenced files ---";
/// What Claude Code writes in the user's name when a turn is broken off.
const INTERRUPTED: &str = "[Request interrupted by user";

/// What the user said in what an agent says that the user said; empty if nothing of it was the user's.
pub(super) fn said(agent: Agent, text: &str) -> String {
    let own = match agent {
        Agent::Cursor => insides(text, CURSOR_QUERY),
        Agent::Codex if text.trim_start().starts_with('#') => {
            text.split_once(CODEX_REQUEST).map(|(_, request)| request.to_owned())
        }
        Agent::Gemini => text.split_once(GEMINI_FILES).map(|(before, _)| before.to_owned()),
        Agent::ClaudeCode | Agent::Codex | Agent::Windsurf | Agent::VsCode => None,
    };
    let own = own.or_else(|| typed_command(text));
    let text = without_blocks(own.as_deref().unwrap_or(text));
    let text = text.trim();
    let is_note = text.starts_with(INTERRUPTED) && text.ends_with(']') && !text.contains('\n');
    if is_note { String::new() } else { text.to_owned() }
}

/// A command as it was typed, if something was said with it: those words are the user's.
fn typed_command(text: &str) -> Option<String> {
    if !text.trim_start().starts_with("<command-") {
        return None;
    }
    let words = insides(text, "command-args").filter(|words| !words.is_empty())?;
    Some(format!("{} {words}", insides(text, "command-name").unwrap_or_default()))
}

/// The text, or its beginning with a mark that says how much is left out.
pub(super) fn cut(text: String, bytes_max: usize) -> String {
    if text.len() <= bytes_max {
        return text;
    }
    let end = (0..=bytes_max).rev().find(|end| text.is_char_boundary(*end)).unwrap_or_default();
    format!("{}\n[… {} more bytes were left out]", &text[..end], text.len() - end)
}

/// The text without the blocks that are never the user's.
fn without_blocks(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut open = [true; NOT_SAID.len()];
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let block = NOT_SAID.iter().position(|tag| begins_with_tag(rest, tag)).filter(|block| open[*block]);
        let end = block.and_then(|block| end_of_block(rest, NOT_SAID[block]));
        if let Some(end) = end {
            rest = &rest[end..];
            continue;
        }
        // What never ends is text like any other, and is not looked for again: that would take for ever.
        if let Some(block) = block {
            open[block] = false;
        }
        plain.push('<');
        rest = &rest[1..];
    }
    plain.push_str(rest);
    plain
}

/// What stands between the tags, one below the other; none if they are not there.
fn insides(text: &str, tag: &str) -> Option<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        rest = &rest[at..];
        let end = if begins_with_tag(rest, tag) { end_of_block(rest, tag) } else { None };
        if let Some(end) = end {
            let inside = &rest[..end - tag.len() - "</>".len()];
            found.push(inside.split_once('>').map_or(inside, |(_, inside)| inside).trim());
            rest = &rest[end..];
        } else if begins_with_tag(rest, tag) {
            break;
        } else {
            rest = &rest[1..];
        }
    }
    if found.is_empty() { None } else { Some(found.join("\n\n")) }
}

fn begins_with_tag(text: &str, tag: &str) -> bool {
    let after = text.strip_prefix('<').and_then(|text| text.strip_prefix(tag));
    after.and_then(|after| after.chars().next()).is_some_and(|next| next == '>' || next.is_whitespace())
}

/// Where the block ends that the text begins with.
fn end_of_block(text: &str, tag: &str) -> Option<usize> {
    let close = format!("</{tag}>");
    text.find(&close).map(|at| at + close.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(agent: Agent, text: &str, expected: &str) {
        assert_eq!(said(agent, text), expected, "{agent}: {text}");
    }

    #[test]
    fn what_commands_and_hooks_said_is_taken_out() {
        let claude = Agent::ClaudeCode;
        check(claude, "  로그인 고쳐 줘\n", "로그인 고쳐 줘");
        check(claude, "<command-name>/clear</command-name>\n<command-args></command-args>", "");
        let command =
            "<command-message>고쳐</command-message>\n<command-name>/고쳐</command-name>\n<command-args>";
        check(claude, &format!("{command}로그인 <b></command-args>"), "/고쳐 로그인 <b>");
        check(claude, &format!("{command} </command-args>"), "");
        check(claude, "무엇? <command-args>x</command-args>", "무엇?");
        check(claude, "<local-command-stdout>done</local-command-stdout>", "");
        check(claude, "<system-reminder>\nnotes\n</system-reminder>\n修好它", "修好它");
        check(claude, "앞 <system-reminder a=\"b\">x</system-reminder> 뒤", "앞  뒤");
        check(claude, "[Request interrupted by user for tool use]", "");
        check(
            claude,
            "[Request interrupted by user] 왜 이렇게 나와?",
            "[Request interrupted by user] 왜 이렇게 나와?",
        );
        check(Agent::Gemini, "보자<hook_context>&lt;기억&gt;</hook_context>", "보자");
        check(Agent::Gemini, "@a.rs 설명\n--- Content from referenced files ---\nfn main", "@a.rs 설명");
    }

    #[test]
    fn what_only_looks_like_a_block_stays() {
        for text in [
            "what is <system-reminder>?",
            "a < b && c > d",
            "<div>글</div>",
            "<",
            "<system-reminders>x",
            "끝<",
        ] {
            check(Agent::ClaudeCode, text, text);
        }
    }

    #[test]
    fn each_agent_puts_what_was_said_where_it_likes() {
        let query = "<timestamp>월요일</timestamp>\n<user_query>\n하나\n</user_query>";
        check(Agent::Cursor, query, "하나");
        check(Agent::Cursor, "<user_query>1</user_query>x<user_query>二</user_query>", "1\n\n二");
        check(Agent::Cursor, "그냥 말", "그냥 말");
        check(Agent::Cursor, "<user_query>끝이 없다", "<user_query>끝이 없다");
        check(
            Agent::Codex,
            "# Context from my IDE setup:\n## Open\n\n## My request for Codex:\n고쳐",
            "고쳐",
        );
        check(
            Agent::Codex,
            "please keep ## My request for Codex: as it is",
            "please keep ## My request for Codex: as it is",
        );
    }

    #[test]
    fn long_text_is_cut_between_characters_and_says_so() {
        assert_eq!(cut("가나다".to_owned(), 9), "가나다");
        assert_eq!(cut("가나다".to_owned(), 8), "가나\n[… 3 more bytes were left out]");
        assert_eq!(cut("가".to_owned(), 0), "\n[… 3 more bytes were left out]");
    }

    #[test]
    fn very_many_blocks_that_never_end_take_no_longer_than_others() {
        let text = "<system-reminder>".repeat(100_000);
        assert_eq!(said(Agent::ClaudeCode, &text), text);
        let text = "<user_query>".repeat(100_000);
        assert_eq!(said(Agent::Cursor, &text), text);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_text_is_read_and_what_was_injected_never_comes_back(
            before in "[^<]{0,20}",
            inside in "[^<]{0,20}",
            after in "[^<]{0,20}",
            tag in proptest::sample::select(NOT_SAID.to_vec()),
        ) {
            let text = format!("x{before}<{tag}>SECRET{inside}</{tag}>{after}");
            prop_assert!(!said(Agent::ClaudeCode, &text).contains("SECRET"));
            for agent in Agent::ALL {
                let half: String = text.chars().take(text.chars().count() / 2).collect();
                said(agent, &half);
            }
        }
    }
}

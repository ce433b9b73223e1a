//! What a hook prints, so that the model sees it.

use serde_json::json;

use super::call::Occasion;
use super::table::{self, TakesContext};
use crate::Agent;

/// Longest context that every agent hands to its model at once, in characters. What is longer is put into a file by
/// Claude Code and by Cursor, which the model may never read.
pub const CONTEXT_CHARS_MAX: usize = 10_000;

/// What an agent expects on the output of a hook to show this to the model. Empty if there is nothing to show or nobody
/// would see it. Nothing of it ever holds the agent up.
pub fn answer(agent: Agent, occasion: &Occasion, context: &str) -> String {
    let kind = occasion.kind();
    if context.trim().is_empty() || table::takes_context(agent, kind) == TakesContext::No {
        return String::new();
    }
    let Some(event) = table::name_of(agent, kind) else { return String::new() };
    let answer = match (agent, occasion) {
        (Agent::Cursor, Occasion::Prompt { .. }) => json!({"continue": true, "additional_context": context}),
        (Agent::Cursor, _) => json!({"additional_context": context}),
        // Codex refuses any field more than these.
        _ => json!({"hookSpecificOutput": {"hookEventName": event, "additionalContext": context}}),
    };
    answer.to_string()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::hooks::{OccasionKind, Start};

    fn occasions() -> Vec<Occasion> {
        vec![
            Occasion::SessionStart { reason: Start::New },
            Occasion::Prompt { text: "안녕".to_owned() },
            Occasion::Stop { answer: None },
            Occasion::BeforeCompaction,
            Occasion::SessionEnd,
        ]
    }

    #[test]
    fn each_agent_is_answered_as_it_expects() {
        let context = "기억 \"记忆\"\n</x>";
        let start = Occasion::SessionStart { reason: Start::Cleared };
        let prompt = Occasion::Prompt { text: String::new() };
        let check = |agent, occasion: &Occasion, expected: Value| {
            let text = answer(agent, occasion, context);
            assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), expected, "{agent}");
            assert!(!text.contains('\n'), "{agent}: one line");
        };
        let claude_like = |event: &str| json!({"hookSpecificOutput": {"hookEventName": event, "additionalContext": context}});
        for agent in [Agent::ClaudeCode, Agent::Codex, Agent::Gemini, Agent::VsCode] {
            check(agent, &start, claude_like("SessionStart"));
        }
        check(Agent::ClaudeCode, &prompt, claude_like("UserPromptSubmit"));
        check(Agent::Codex, &prompt, claude_like("UserPromptSubmit"));
        check(Agent::Gemini, &prompt, claude_like("BeforeAgent"));
        check(Agent::Cursor, &start, json!({"additional_context": context}));
        check(Agent::Cursor, &prompt, json!({"continue": true, "additional_context": context}));
    }

    #[test]
    fn nothing_is_printed_where_nobody_would_see_it() {
        for agent in Agent::ALL {
            for occasion in occasions() {
                assert_eq!(answer(agent, &occasion, " \n"), "", "{agent} {occasion:?}");
                let is_empty = answer(agent, &occasion, "x").is_empty();
                let takes = table::takes_context(agent, occasion.kind()) == TakesContext::Yes;
                assert_eq!(is_empty, !takes, "{agent} {occasion:?}");
                let is_late = !matches!(occasion.kind(), OccasionKind::SessionStart | OccasionKind::Prompt);
                assert!(is_empty || !is_late, "{agent} {occasion:?}: an answer would hold it up");
            }
            assert_eq!(agent == Agent::Windsurf, answer(agent, &occasions()[0], "x").is_empty());
        }
    }
}

//! The one table from what each agent calls its events to what they mean.

use super::json::plain_name;
use crate::Agent;

/// What an event of an agent tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OccasionKind {
    /// A session began, went on, or lost its context.
    SessionStart,
    /// The user said something.
    Prompt,
    /// The agent has answered.
    Stop,
    /// The context is about to be made smaller.
    BeforeCompaction,
    /// The session is over.
    SessionEnd,
}

impl OccasionKind {
    /// All of them, in the order in which a session meets them.
    pub const ALL: [Self; 5] =
        [Self::SessionStart, Self::Prompt, Self::Stop, Self::BeforeCompaction, Self::SessionEnd];
}

/// An event that an agent runs hooks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// As the agent writes it in its settings.
    pub name: &'static str,
    /// What it tells.
    pub occasion: OccasionKind,
}

/// Whether what a hook prints reaches the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TakesContext {
    /// It is added to what the model sees.
    Yes,
    /// It is thrown away, or shown to the user only.
    No,
}

const fn event(name: &'static str, occasion: OccasionKind) -> Event {
    Event { name, occasion }
}

const CLAUDE_CODE: [Event; 5] = [
    event("SessionStart", OccasionKind::SessionStart),
    event("UserPromptSubmit", OccasionKind::Prompt),
    event("Stop", OccasionKind::Stop),
    event("PreCompact", OccasionKind::BeforeCompaction),
    event("SessionEnd", OccasionKind::SessionEnd),
];

/// `afterAgentResponse` carries the answer; `stop`, which follows it, does not.
const CURSOR: [Event; 5] = [
    event("sessionStart", OccasionKind::SessionStart),
    event("beforeSubmitPrompt", OccasionKind::Prompt),
    event("afterAgentResponse", OccasionKind::Stop),
    event("preCompact", OccasionKind::BeforeCompaction),
    event("sessionEnd", OccasionKind::SessionEnd),
];

const GEMINI: [Event; 5] = [
    event("SessionStart", OccasionKind::SessionStart),
    event("BeforeAgent", OccasionKind::Prompt),
    event("AfterAgent", OccasionKind::Stop),
    event("PreCompress", OccasionKind::BeforeCompaction),
    event("SessionEnd", OccasionKind::SessionEnd),
];

const WINDSURF: [Event; 2] =
    [event("pre_user_prompt", OccasionKind::Prompt), event("post_cascade_response", OccasionKind::Stop)];

const VS_CODE: [Event; 4] = [
    event("SessionStart", OccasionKind::SessionStart),
    event("UserPromptSubmit", OccasionKind::Prompt),
    event("Stop", OccasionKind::Stop),
    event("PreCompact", OccasionKind::BeforeCompaction),
];

/// Names that are understood although nothing is installed for them.
const CURSOR_TOO: [Event; 1] = [event("stop", OccasionKind::Stop)];
const CODEX_TOO: [Event; 1] = [event("agent-turn-complete", OccasionKind::Stop)];
const WINDSURF_TOO: [Event; 1] = [event("post_cascade_response_with_transcript", OccasionKind::Stop)];
const VS_CODE_TOO: [Event; 3] = [
    event("userPromptSubmitted", OccasionKind::Prompt),
    event("agentStop", OccasionKind::Stop),
    event("sessionEnd", OccasionKind::SessionEnd),
];

/// The events of an agent that a hook is worth installing for; what an agent does not have is not there.
pub fn events(agent: Agent) -> &'static [Event] {
    match agent {
        // Codex took over the names of Claude Code; it ends sessions since its version 0.145.
        Agent::ClaudeCode | Agent::Codex => &CLAUDE_CODE,
        Agent::Cursor => &CURSOR,
        Agent::Gemini => &GEMINI,
        Agent::Windsurf => &WINDSURF,
        Agent::VsCode => &VS_CODE,
    }
}

/// What an event means, however it is spelt; none if it is not one we know.
pub fn kind_of(agent: Agent, name: &str) -> Option<OccasionKind> {
    let also: &[Event] = match agent {
        Agent::ClaudeCode | Agent::Gemini => &[],
        Agent::Cursor => &CURSOR_TOO,
        Agent::Codex => &CODEX_TOO,
        Agent::Windsurf => &WINDSURF_TOO,
        Agent::VsCode => &VS_CODE_TOO,
    };
    let mut known = events(agent).iter().chain(also);
    known.find(|event| is_same_name(event.name, name)).map(|event| event.occasion)
}

/// As the agent writes the event of this kind; none if it has none.
pub fn name_of(agent: Agent, kind: OccasionKind) -> Option<&'static str> {
    events(agent).iter().find(|event| event.occasion == kind).map(|event| event.name)
}

/// Whether what a hook prints on this occasion reaches the model.
pub fn takes_context(agent: Agent, kind: OccasionKind) -> TakesContext {
    let takes = match agent {
        Agent::ClaudeCode | Agent::Codex | Agent::Gemini | Agent::Cursor => {
            matches!(kind, OccasionKind::SessionStart | OccasionKind::Prompt)
        }
        // Its hooks of prompts answer with nothing but whether to go on.
        Agent::VsCode => kind == OccasionKind::SessionStart,
        Agent::Windsurf => false,
    };
    if takes { TakesContext::Yes } else { TakesContext::No }
}

/// `session-start`, `session_start` and `SessionStart` are one name.
fn is_same_name(left: &str, right: &str) -> bool {
    plain_name(left) == plain_name(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_agent_has_two_events_of_one_kind_or_name() {
        for agent in Agent::ALL {
            for (index, event) in events(agent).iter().enumerate() {
                for other in &events(agent)[index + 1..] {
                    assert_ne!(event.name, other.name, "{agent}");
                    assert_ne!(event.occasion, other.occasion, "{agent}");
                }
                assert_eq!(kind_of(agent, event.name), Some(event.occasion), "{agent}");
                assert_eq!(name_of(agent, event.occasion), Some(event.name), "{agent}");
            }
        }
    }

    #[test]
    fn names_are_known_however_they_are_spelt_and_strangers_are_not() {
        for name in ["SessionStart", "session-start", "session_start", "sessionStart"] {
            assert_eq!(kind_of(Agent::ClaudeCode, name), Some(OccasionKind::SessionStart), "{name}");
        }
        for name in ["", "PreToolUse", "SubagentStop", "세션", "-_-", &"Stop".repeat(1000)] {
            assert_eq!(kind_of(Agent::ClaudeCode, name), None, "{name}");
        }
        assert_eq!(kind_of(Agent::Windsurf, "session-start"), None);
        assert_eq!(kind_of(Agent::Codex, "agent-turn-complete"), Some(OccasionKind::Stop));
    }

    #[test]
    fn context_is_taken_only_where_an_agent_has_the_event() {
        for agent in Agent::ALL {
            for kind in OccasionKind::ALL {
                if takes_context(agent, kind) == TakesContext::Yes {
                    assert!(name_of(agent, kind).is_some(), "{agent} {kind:?}");
                }
            }
        }
    }
}

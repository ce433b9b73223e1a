//! Which agents there are.

use std::fmt;
use std::str::FromStr;

/// A coding agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Agent {
    /// Claude Code by Anthropic.
    ClaudeCode,
    /// Cursor.
    Cursor,
    /// Codex by OpenAI.
    Codex,
    /// Gemini CLI by Google.
    Gemini,
    /// Windsurf.
    Windsurf,
    /// Visual Studio Code with GitHub Copilot.
    #[serde(rename = "vscode")]
    VsCode,
}

/// A name that no agent has. Use one of those that are listed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no agent {given:?}; known are claude-code, cursor, codex, gemini, windsurf and vscode")]
pub struct UnknownAgent {
    /// What was given.
    pub given: String,
}

impl Agent {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::ClaudeCode, Self::Cursor, Self::Codex, Self::Gemini, Self::Windsurf, Self::VsCode];

    /// As it is written on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Cursor => "cursor",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Windsurf => "windsurf",
            Self::VsCode => "vscode",
        }
    }

    /// As its makers call it.
    pub const fn title(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::Cursor => "Cursor",
            Self::Codex => "Codex",
            Self::Gemini => "Gemini CLI",
            Self::Windsurf => "Windsurf",
            Self::VsCode => "Visual Studio Code",
        }
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Agent {
    type Err = UnknownAgent;

    fn from_str(text: &str) -> Result<Self, UnknownAgent> {
        let named = Self::ALL.into_iter().find(|agent| agent.name() == text);
        named.ok_or_else(|| UnknownAgent { given: text.chars().take(64).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_and_strangers_are_refused() {
        for agent in Agent::ALL {
            assert_eq!(agent.name().parse(), Ok(agent));
            assert_eq!(serde_json::to_value(agent).unwrap(), agent.name());
        }
        assert!("notepad".parse::<Agent>().unwrap_err().to_string().contains("claude-code"));
    }
}

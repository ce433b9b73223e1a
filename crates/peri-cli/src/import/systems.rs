//! Telling by a record which system wrote it, so that a file that was given to the wrong command is not half read.

use serde_json::{Map, Value};

use crate::error::CliError;

/// Who may have written a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum System {
    /// OpenAI's export of conversations.
    Chatgpt,
    /// Anthropic's export of conversations.
    Claude,
    /// mem0.
    Mem0,
    /// The reference MCP memory server.
    MemoryServer,
    /// This program.
    Perihelion,
}

impl System {
    /// Who wrote a record of this shape, if that is plain.
    pub(super) fn of(record: &Map<String, Value>) -> Option<Self> {
        let is = |key: &str, words: &[&str]| {
            record.get(key).and_then(Value::as_str).is_some_and(|word| words.contains(&word))
        };
        if record.get("mapping").is_some_and(Value::is_object) {
            Some(Self::Chatgpt)
        } else if record.get("chat_messages").is_some_and(Value::is_array) {
            Some(Self::Claude)
        } else if record.contains_key("perihelion") || is("record", &["header", "namespace", "memory"]) {
            Some(Self::Perihelion)
        } else if is("type", &["entity", "relation"]) {
            Some(Self::MemoryServer)
        } else if record.get("memory").is_some_and(Value::is_string) {
            Some(Self::Mem0)
        } else {
            // Its memories may come within an object, which others take for a record.
            record.get("results")?.get(0)?.get("memory").map(|_| Self::Mem0)
        }
    }

    fn described(self) -> (&'static str, &'static str) {
        match self {
            Self::Chatgpt => ("a ChatGPT export", "peri import chatgpt"),
            Self::Claude => ("a Claude export", "peri import claude"),
            Self::Mem0 => ("memories of mem0", "peri import mem0"),
            Self::MemoryServer => ("the file of an MCP memory server", "peri import memory-json"),
            Self::Perihelion => ("an export of this program", "peri import"),
        }
    }

    /// Refuses a file that another system wrote.
    pub(super) fn check(self, record: &Value, name: &str) -> Result<(), CliError> {
        match record.as_object().and_then(Self::of) {
            Some(other) if other != self => {
                let (what, command) = other.described();
                Err(CliError::input(
                    format!("{name} looks like {what}"),
                    format!("nothing was stored; use: {command} FILE"),
                ))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_system_is_known_by_its_records() {
        for (record, expected) in [
            (json!({"title": "x", "mapping": {}}), Some(System::Chatgpt)),
            (json!({"uuid": "x", "chat_messages": []}), Some(System::Claude)),
            (json!({"id": "x", "memory": "Ana prefers tea"}), Some(System::Mem0)),
            (json!({"results": [{"memory": "Ana prefers tea"}]}), Some(System::Mem0)),
            (json!({"type": "entity", "name": "Ana"}), Some(System::MemoryServer)),
            (json!({"record": "header", "perihelion": 1}), Some(System::Perihelion)),
            (json!({"content": "Ana prefers tea"}), None),
        ] {
            assert_eq!(System::of(record.as_object().unwrap()), expected, "{record}");
        }
    }
}

//! The records that agents keep of what is said, each in its own form.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use peri_agents::Agent;
use serde_json::{Value, json};

/// The record of one session.
pub(super) struct Transcript {
    agent: Agent,
    path: PathBuf,
    lines: usize,
    /// What hooks gave since the user last spoke, where the agent puts it into what the user said.
    given: Vec<String>,
}

impl Transcript {
    /// A record that is made with its first line.
    pub(super) fn new(agent: Agent, path: PathBuf) -> Self {
        Self { agent, path, lines: 0, given: Vec::new() }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    fn write(&mut self, line: &Value) {
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(&self.path).unwrap();
        file.write_all(format!("{line}\n").as_bytes()).unwrap();
        self.lines += 1;
    }

    fn id(&self) -> String {
        format!("line-{}", self.lines)
    }

    /// The user said something.
    pub(super) fn user(&mut self, text: &str, at: Timestamp) {
        let (id, given) = (self.id(), std::mem::take(&mut self.given));
        match self.agent {
            Agent::ClaudeCode => self.write(&json!({
                "type": "user", "uuid": id, "timestamp": at, "isSidechain": false, "userType": "external",
                "message": {"role": "user", "content": text},
            })),
            Agent::Codex => {
                self.write(&json!({"timestamp": at, "type": "response_item", "payload":
                    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}}));
                self.write(&json!({"timestamp": at, "type": "event_msg", "payload":
                    {"type": "user_message", "message": text, "kind": "plain"}}));
            }
            Agent::Gemini => {
                let hooks = given
                    .iter()
                    .map(|given| json!({"text": format!("<hook_context>{given}</hook_context>")}));
                let content: Vec<Value> = std::iter::once(json!({"text": text})).chain(hooks).collect();
                self.write(&json!({"id": id, "timestamp": at, "type": "user", "content": content}));
            }
            Agent::Cursor => {
                let hooks: String = given
                    .iter()
                    .map(|given| format!("<system_reminder>{given}</system_reminder>\n"))
                    .collect();
                let text = format!("{hooks}<user_query>\n{text}\n</user_query>");
                self.write(
                    &json!({"role": "user", "message": {"content": [{"type": "text", "text": text}]}}),
                );
            }
            Agent::VsCode => self.write(&json!({"type": "user.message", "id": id, "timestamp": at,
                "data": {"content": text, "attachments": []}})),
            Agent::Windsurf => {}
        }
    }

    /// The agent said something.
    pub(super) fn assistant(&mut self, text: &str, at: Timestamp) {
        let id = self.id();
        match self.agent {
            Agent::ClaudeCode => {
                let line = |content: Value| {
                    json!({"type": "assistant", "uuid": id, "timestamp": at, "isSidechain": false,
                        "message": {"id": format!("msg-{id}"), "role": "assistant", "model": "a-model", "content": content}})
                };
                self.write(&line(
                    json!([{"type": "thinking", "thinking": "what should be said?", "signature": "x"}]),
                ));
                self.write(&line(json!([{"type": "text", "text": text}])));
            }
            Agent::Codex => {
                self.write(&json!({"timestamp": at, "type": "event_msg", "payload":
                    {"type": "agent_message", "message": text}}));
                self.write(&json!({"timestamp": at, "type": "response_item", "payload":
                    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}}));
            }
            Agent::Gemini => {
                // A message is written again when more is known of it.
                for tokens in [Value::Null, json!({"total": 9})] {
                    self.write(&json!({"id": id, "timestamp": at, "type": "gemini", "tokens": tokens,
                        "content": [{"text": "what should be said?", "thought": true}, {"text": text}]}));
                }
            }
            Agent::Cursor => {
                let content = json!([{"type": "text", "text": format!("{text}\n\n[REDACTED]")}]);
                self.write(&json!({"role": "assistant", "message": {"content": content}}));
            }
            Agent::VsCode => self.write(&json!({"type": "assistant.message", "id": id, "timestamp": at,
                "data": {"messageId": format!("msg-{id}"), "content": text, "toolRequests": []}})),
            Agent::Windsurf => {}
        }
    }

    /// The agent ran a tool.
    pub(super) fn tool(&mut self, command: &str, output: &str, at: Timestamp) {
        let id = self.id();
        match self.agent {
            Agent::ClaudeCode => {
                self.write(&json!({"type": "assistant", "uuid": id, "timestamp": at, "isSidechain": false,
                    "message": {"id": format!("msg-{id}"), "role": "assistant", "model": "a-model",
                        "content": [{"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command}}]}}));
                self.write(&json!({"type": "user", "uuid": format!("{id}-out"), "timestamp": at, "isSidechain": false,
                    "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": output}]}}));
            }
            Agent::Codex => {
                self.write(&json!({"timestamp": at, "type": "response_item", "payload":
                    {"type": "function_call", "name": "shell", "arguments": command, "call_id": id}}));
                self.write(&json!({"timestamp": at, "type": "response_item", "payload":
                    {"type": "function_call_output", "call_id": id, "output": output}}));
            }
            Agent::Gemini => self.write(&json!({"id": id, "timestamp": at, "type": "gemini", "content": "",
                "toolCalls": [{"id": id, "name": command, "result": output}]})),
            Agent::Cursor => self.write(&json!({"role": "assistant", "message": {"content":
                [{"type": "tool_use", "name": command}, {"type": "tool_result", "content": output}]}})),
            Agent::VsCode => self
                .write(&json!({"type": "tool.execution_complete", "id": id, "timestamp": at,
                "data": {"toolCallId": id, "success": true, "result": output}})),
            Agent::Windsurf => {}
        }
    }

    /// A hook gave the agent this.
    pub(super) fn given(&mut self, context: &str, at: Timestamp) {
        let id = self.id();
        match self.agent {
            Agent::ClaudeCode => self.write(&json!({"type": "attachment", "uuid": id, "timestamp": at,
                "attachment": {"type": "hook_additional_context", "content": [context], "hookName": "a hook"}})),
            Agent::Codex => self.write(&json!({"timestamp": at, "type": "response_item", "payload":
                {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": context}]}})),
            Agent::Gemini | Agent::Cursor => self.given.push(context.to_owned()),
            Agent::VsCode | Agent::Windsurf => {}
        }
    }

    /// The context was replaced by a summary.
    pub(super) fn compacted(&mut self, at: Timestamp) {
        let id = self.id();
        let summary =
            "This session goes on from an earlier one. We decided to summarise everything in one sentence.";
        match self.agent {
            Agent::ClaudeCode => self.write(&json!({"type": "user", "uuid": id, "timestamp": at,
                "isCompactSummary": true, "message": {"role": "user", "content": summary}})),
            Agent::Codex => {
                self.write(&json!({"timestamp": at, "type": "compacted", "payload": {"message": summary}}));
            }
            Agent::Gemini => self.write(&json!({"$set": {"lastUpdated": at, "summary": summary}})),
            Agent::Cursor | Agent::VsCode | Agent::Windsurf => {}
        }
    }
}

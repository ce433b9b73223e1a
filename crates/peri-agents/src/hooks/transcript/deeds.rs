//! What an agent did: the tools it called, in words, and what came of them.

use jiff::Timestamp;
use serde_json::Value;

use crate::hooks::json::{plain_name, text_of};

/// Of an argument so many characters are kept, and of what came of it so many.
const ARGUMENT_CHARS: usize = 200;
const OUTPUT_CHARS: usize = 400;
/// What another agent is asked is a task of its own, and kept at more length.
const TASK_CHARS: usize = 2_000;
const NAME_CHARS: usize = 64;

/// The arguments that say what a call is about, the best first.
const MAIN: [&str; 13] = [
    "command",
    "cmd",
    "filepath",
    "absolutepath",
    "notebookpath",
    "path",
    "pattern",
    "query",
    "url",
    "description",
    "prompt",
    "script",
    "input",
];
/// Helpers that agents bring along. They say nothing about who should take a task.
const HELPERS: [&str; 6] =
    ["generalpurpose", "explore", "plan", "statuslinesetup", "outputstylesetup", "claudecodeguide"];

/// Something that an agent did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deed {
    /// The tool, such as `Bash`.
    pub tool: String,
    /// What it was called with, in words and in one line; empty if that is not told.
    pub argument: String,
    /// How what came of it begins.
    pub output: String,
    /// What is known of how it ended.
    pub result: DeedResult,
    /// How long it took, if the record tells.
    pub duration_ms: Option<u64>,
    /// What another agent was asked to do, if that is what it was.
    pub delegation: Option<Delegation>,
    pub(super) id: Option<String>,
    pub(super) at: Option<Timestamp>,
}

/// How something that an agent did ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeedResult {
    /// Nothing is told of it.
    Unknown,
    /// It is not said to have failed.
    Done,
    /// It failed, or was refused.
    Failed,
}

/// What another agent was asked to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delegation {
    /// Whom, such as `tester`.
    pub agent: String,
    /// What.
    pub task: String,
}

impl Deed {
    /// What was done, in words: `Bash: cargo test`.
    pub fn text(&self) -> String {
        if self.argument.is_empty() { self.tool.clone() } else { format!("{}: {}", self.tool, self.argument) }
    }
}

/// How a turn came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnEnd {
    /// The agent was done, or still is at it.
    Finished,
    /// The user broke it off.
    Interrupted,
    /// The agent could not go on.
    Failed,
}

/// A trace of a tool, or of a turn that broke off, in a line.
#[derive(Debug)]
pub(super) enum Trace {
    Called(Deed),
    Answered { id: Option<String>, output: String, result: DeedResult },
    Ended(TurnEnd),
}

/// A call of a tool.
pub(super) fn called(id: Option<String>, tool: &str, arguments: &Value) -> Trace {
    Trace::Called(Deed {
        tool: line(tool, NAME_CHARS),
        argument: main_argument(arguments),
        output: String::new(),
        result: DeedResult::Unknown,
        duration_ms: None,
        delegation: delegation(tool, arguments),
        id,
        at: None,
    })
}

/// What came of one.
pub(super) fn answered(id: Option<String>, output: &Value, has_failed: bool) -> Trace {
    let result = if has_failed { DeedResult::Failed } else { DeedResult::Done };
    Trace::Answered { id, output: begin(&text_of(output), OUTPUT_CHARS), result }
}

/// What a call is about: its best known argument, or the first that is a text.
fn main_argument(arguments: &Value) -> String {
    let text = match arguments {
        Value::String(text) => match serde_json::from_str(text) {
            Ok(inner @ Value::Object(_)) => return main_argument(&inner),
            _ => text.clone(),
        },
        Value::Object(map) => {
            let named = |name: &&str| map.iter().find(|(own, _)| plain_name(own) == **name);
            let best = MAIN.iter().filter_map(named).find_map(|(_, value)| words(value));
            best.or_else(|| map.values().find_map(words)).unwrap_or_default()
        }
        Value::Array(_) => words(arguments).unwrap_or_default(),
        Value::Null | Value::Bool(_) | Value::Number(_) => String::new(),
    };
    line(&text, ARGUMENT_CHARS)
}

/// A text, or a command in parts.
fn words(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let parts: Vec<&str> = parts.iter().map_while(Value::as_str).collect();
            match parts.as_slice() {
                // What a shell is told is the command.
                [_, "-c" | "-lc" | "-Command" | "/c", command] => (*command).to_owned(),
                parts => parts.join(" "),
            }
        }
        _ => return None,
    };
    (!text.trim().is_empty()).then_some(text)
}

fn delegation(tool: &str, arguments: &Value) -> Option<Delegation> {
    if !matches!(
        plain_name(tool).as_str(),
        "task" | "agent" | "runsubagent" | "spawnagent" | "delegatetoagent"
    ) {
        return None;
    }
    let text = |names: [&str; 3]| {
        let texts = names.into_iter().filter_map(|name| arguments.get(name)?.as_str());
        texts.into_iter().find(|text| !text.trim().is_empty())
    };
    let agent = line(text(["subagent_type", "agent_type", "agentName"])?, NAME_CHARS);
    let task = text(["prompt", "description", "task"])?;
    let is_helper = HELPERS.contains(&plain_name(&agent).as_str());
    (!is_helper).then(|| Delegation { agent, task: begin(task.trim(), TASK_CHARS) })
}

/// The beginning of a text in one line.
fn line(text: &str, chars: usize) -> String {
    // What lies far behind the beginning is not looked at.
    let near: String = text.chars().take(chars * 4).collect();
    begin(&near.split_whitespace().collect::<Vec<_>>().join(" "), chars).replace('\0', " ")
}

fn begin(text: &str, chars: usize) -> String {
    let mut begin: String = text.chars().take(chars).collect();
    if begin.len() < text.len() {
        begin.pop();
        begin.push('…');
    }
    begin.replace('\0', " ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn deed(tool: &str, arguments: Value) -> Deed {
        match called(None, tool, &arguments) {
            Trace::Called(deed) => deed,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_deed_is_told_by_its_tool_and_what_it_is_about() {
        for (tool, arguments, expected) in [
            ("Bash", json!({"description": "Run tests", "command": "cargo test"}), "Bash: cargo test"),
            (
                "Edit",
                json!({"old_string": "a", "file_path": "src/lib.rs", "new_string": "b"}),
                "Edit: src/lib.rs",
            ),
            ("Read", json!({"filePath": "설명.md"}), "Read: 설명.md"),
            (
                "shell",
                json!("{\"command\":[\"bash\",\"-lc\",\"cargo  test\\n-p 存储\"]}"),
                "shell: cargo test -p 存储",
            ),
            ("shell", json!({"command": ["git", "status"]}), "shell: git status"),
            ("apply_patch", json!("*** Begin Patch"), "apply_patch: *** Begin Patch"),
            ("TodoWrite", json!({"todos": []}), "TodoWrite"),
            ("mcp__x", json!({"number": 7, "other": "나"}), "mcp__x: 나"),
            ("Wait", json!(null), "Wait"),
        ] {
            assert_eq!(deed(tool, arguments).text(), expected);
        }
    }

    #[test]
    fn long_arguments_and_outputs_are_cut_between_characters() {
        let long = deed("Bash", json!({"command": "가나다漢字😀 ".repeat(100_000)}));
        assert_eq!(long.argument.chars().count(), ARGUMENT_CHARS);
        assert!(long.argument.ends_with('…'));
        let Trace::Answered { output, .. } = answered(None, &json!("결과\0".repeat(9999)), true) else {
            panic!()
        };
        assert!(output.chars().count() == OUTPUT_CHARS && !output.contains('\0'));
    }

    #[test]
    fn others_are_asked_by_name_and_helpers_do_not_count() {
        let asked =
            |agent: &str| json!({"subagent_type": agent, "prompt": "로그인을 시험해 줘", "description": "x"});
        let delegation = deed("Task", asked("tester")).delegation.unwrap();
        assert_eq!((delegation.agent.as_str(), delegation.task.as_str()), ("tester", "로그인을 시험해 줘"));
        assert_eq!(deed("Task", asked("general-purpose")).delegation, None);
        assert_eq!(deed("Agent", asked("Explore")).delegation, None);
        assert_eq!(deed("Bash", asked("tester")).delegation, None);
        assert_eq!(deed("Task", json!({"prompt": "x"})).delegation, None);
    }
}

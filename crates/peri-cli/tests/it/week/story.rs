//! The script of the week: sessions with what is said in them, and questions about it afterwards.
//!
//! A session begins with `=== name agent place time`, with `beside` after it if it runs at the same time as the one
//! before, and `untold` if its agent keeps no record. Then come its steps, a line each; lines that are indented go on:
//! `>` the user, `<` the agent, `$ command | lines` a tool with so many lines of output, `?` a question of the user that
//! must be answered by what the agent was given in its present context, and `!` an event of the agent or the machine.

use jiff::Timestamp;
use peri_agents::Agent;

/// A session of an agent.
pub(super) struct Session {
    pub(super) name: String,
    pub(super) agent: Agent,
    /// The folder it works in.
    pub(super) place: String,
    pub(super) at: Timestamp,
    pub(super) beside: Beside,
    pub(super) record: Record,
    pub(super) steps: Vec<Step>,
}

/// Whether a session runs at the same time as the one before.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Beside {
    Nobody,
    TheOneBefore,
}

/// Whether an agent keeps a record of what is said.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Record {
    Kept,
    Untold,
}

/// One thing that happens in a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    User(String),
    Assistant(String),
    Tool {
        command: String,
        lines: usize,
    },
    Ask(Question),
    /// The agent's context is replaced by a summary.
    Compact,
    /// The user throws the context away; the agent goes on under another name.
    Clear,
    /// The agent is ended and begun again, with all of its context.
    Resume,
    /// Another program begins to write to the store, and does not end.
    Lock,
    /// It ends.
    Unlock,
    /// The window is closed, and the agent with it: no hook tells of the end.
    Abandon,
}

/// A question about what was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Question {
    pub(super) place: String,
    pub(super) text: String,
    /// What one note or memory must say, all of it.
    pub(super) words: Vec<String>,
    /// What no longer holds, and must not come first.
    pub(super) no_longer: Vec<String>,
    /// Why it is not answered yet; none if it has to be.
    pub(super) weakness: Option<String>,
}

/// The sessions of a story, in the order of their beginning.
pub(super) fn sessions(text: &str) -> Vec<Session> {
    let mut sessions: Vec<Session> = Vec::new();
    for line in joined(text) {
        match line.strip_prefix("=== ") {
            Some(head) => sessions.push(session(head)),
            None => {
                let session = sessions.last_mut().expect("a session begins before anything is said");
                let step = step(&line, &session.place);
                session.steps.push(step);
            }
        }
    }
    sessions
}

/// What is asked when the week is over.
pub(super) fn questions(text: &str) -> Vec<Question> {
    let lines = joined(text).into_iter().map(|line| {
        let (place, question) = line.split_once(" ? ").expect("place ? question");
        self::question(place.trim(), question)
    });
    lines.collect()
}

/// The lines, each with those that go on with it; without empty ones and those that begin with `#`.
fn joined(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        match line.strip_prefix("  ").filter(|_| !lines.is_empty()) {
            Some(more) => {
                let last = lines.last_mut().expect("there is one");
                last.push('\n');
                last.push_str(more);
            }
            None => lines.push(line.to_owned()),
        }
    }
    lines
}

fn session(head: &str) -> Session {
    let parts: Vec<&str> = head.split_whitespace().collect();
    let [name, agent, place, at, more @ ..] = &parts[..] else { panic!("=== name agent place time: {head}") };
    Session {
        name: (*name).to_owned(),
        agent: agent.parse().unwrap_or_else(|_| panic!("no agent is called {agent}")),
        place: (*place).to_owned(),
        at: at.parse().unwrap(),
        beside: if more.contains(&"beside") { Beside::TheOneBefore } else { Beside::Nobody },
        record: if more.contains(&"untold") { Record::Untold } else { Record::Kept },
        steps: Vec::new(),
    }
}

fn step(line: &str, place: &str) -> Step {
    let (sign, rest) = line.split_at(1);
    let rest = rest.trim();
    match (sign, rest) {
        (">", text) => Step::User(text.to_owned()),
        ("<", text) => Step::Assistant(text.to_owned()),
        ("?", text) => Step::Ask(question(place, text)),
        ("$", text) => {
            let (command, lines) = text.split_once(" | ").expect("$ command | lines");
            Step::Tool { command: command.to_owned(), lines: lines.parse().unwrap() }
        }
        ("!", "compact") => Step::Compact,
        ("!", "clear") => Step::Clear,
        ("!", "resume") => Step::Resume,
        ("!", "lock") => Step::Lock,
        ("!", "unlock") => Step::Unlock,
        ("!", "abandon") => Step::Abandon,
        _ => panic!("what does {line:?} mean?"),
    }
}

/// `question | word, word | not word, word | weak: why it is not answered yet`
fn question(place: &str, line: &str) -> Question {
    let words = |text: &str| text.split(", ").map(|word| word.trim().to_owned()).collect();
    let parts: Vec<&str> = line.split(" | ").map(str::trim).collect();
    let [text, expected, more @ ..] = &parts[..] else { panic!("question | words: {line}") };
    let marked = |mark: &str| more.iter().find_map(|part| part.strip_prefix(mark));
    Question {
        place: place.to_owned(),
        text: (*text).to_owned(),
        words: words(expected),
        no_longer: marked("not ").map(words).unwrap_or_default(),
        weakness: marked("weak: ").map(str::to_owned),
    }
}

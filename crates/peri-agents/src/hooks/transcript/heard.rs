//! What was heard in a transcript.

use std::collections::HashMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Who said something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The user.
    User,
    /// The agent.
    Assistant,
}

/// A message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// By whom.
    pub role: Role,
    /// What; never empty.
    pub text: String,
    /// When.
    pub at: Timestamp,
    /// The agent's name of the message, if it has one. A later part of a message that was heard before has its name.
    pub id: Option<String>,
}

/// Whether there is more to hear at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    /// All that is complete was heard.
    None,
    /// A limit was reached. Read on from where it ended.
    More,
}

/// What becomes of two parts of a message that have the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joining {
    /// The later one goes on where the earlier one ended.
    Append,
    /// The later one is the whole message.
    Replace,
}

/// What was heard.
#[derive(Debug, Clone)]
pub struct Heard {
    /// What was said, in order.
    pub messages: Vec<Said>,
    /// Where reading began: where it was asked to, or 0 if the file was replaced.
    pub from: u64,
    /// Where to go on the next time.
    pub next: u64,
    /// How many traces of tools were left out.
    pub tools: usize,
    /// How many lines could not be read and were passed over.
    pub unreadable: usize,
    /// Whether there is more to hear at once.
    pub rest: Rest,
    joining: Joining,
    named: HashMap<(Role, String), usize>,
}

impl PartialEq for Heard {
    fn eq(&self, other: &Self) -> bool {
        let all = |heard: &Self| (heard.from, heard.next, heard.tools, heard.unreadable, heard.rest);
        all(self) == all(other) && self.messages == other.messages
    }
}

impl Eq for Heard {}

impl Heard {
    pub(super) fn nothing(from: u64, joining: Joining) -> Self {
        Self {
            messages: Vec::new(),
            from,
            next: from,
            tools: 0,
            unreadable: 0,
            rest: Rest::None,
            joining,
            named: HashMap::new(),
        }
    }

    /// This and what was heard after it, as if it had been heard at once. If the file was replaced in between, only the
    /// later counts.
    #[must_use]
    pub fn and(mut self, later: Self) -> Self {
        if later.from != self.next {
            return later;
        }
        self.next = later.next;
        self.tools += later.tools;
        self.unreadable += later.unreadable;
        self.rest = later.rest;
        later.messages.into_iter().for_each(|said| self.add(said));
        self
    }

    /// Adds a message, or a part of one that is there already.
    pub(super) fn add(&mut self, said: Said) {
        let name = said.id.clone().map(|id| (said.role, id));
        let known =
            name.as_ref().and_then(|name| self.named.get(name)).and_then(|at| self.messages.get_mut(*at));
        match (known, self.joining) {
            (Some(known), Joining::Append) => {
                known.text.push_str("\n\n");
                known.text.push_str(&said.text);
            }
            (Some(known), Joining::Replace) => known.text = said.text,
            (None, _) => {
                self.named.extend(name.map(|name| (name, self.messages.len())));
                self.messages.push(said);
            }
        }
    }
}

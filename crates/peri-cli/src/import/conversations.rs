//! Conversations with an assistant: what was said becomes turns of a session.

use std::collections::HashSet;
use std::hash::Hash;

use perihelion::{Limits, Namespace, Remember, Timestamp};
use serde_json::Value;

use super::archive::{Export, Part};
use super::documents::{self, Found};
use super::intake::{Intake, Item};
use super::systems::System;
use super::{chatgpt, claude, identity, pieces};
use crate::error::CliError;

/// Who holds the conversations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Service {
    /// OpenAI.
    Chatgpt,
    /// Anthropic.
    Claude,
}

impl Service {
    /// Its name: the source of the memories.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Chatgpt => "chatgpt",
            Self::Claude => "claude",
        }
    }

    fn system(self) -> System {
        match self {
            Self::Chatgpt => System::Chatgpt,
            Self::Claude => System::Claude,
        }
    }
}

/// A conversation as far as it is taken.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Conversation {
    /// What the service calls it; empty if it does not.
    pub(super) id: String,
    /// What people call it.
    pub(super) title: String,
    /// When it began.
    pub(super) at: Option<Timestamp>,
    /// What was said, in order.
    pub(super) turns: Vec<Turn>,
    /// What is passed over, a name for each.
    pub(super) left_out: Vec<&'static str>,
}

/// Something said.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Turn {
    /// What the service calls it; empty if it does not.
    pub(super) id: String,
    /// Who said it.
    pub(super) speaker: &'static str,
    /// What was said.
    pub(super) text: String,
    /// When.
    pub(super) at: Option<Timestamp>,
}

/// What the person is called.
pub(super) const USER: &str = "user";
/// What the assistant is called.
pub(super) const ASSISTANT: &str = "assistant";

/// Whether a file of an export holds conversations: `conversations.json`, or `conversations-000.json` and so on.
pub(crate) fn is_conversations(name: &str) -> bool {
    let Some(stem) = name.strip_prefix("conversations").and_then(|name| name.strip_suffix(".json")) else {
        return false;
    };
    stem.is_empty()
        || stem.strip_prefix('-').is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Takes all conversations of an export; how many there were.
pub(crate) fn take_all(
    export: Export,
    service: Service,
    namespace: &Namespace,
    intake: &mut Intake<'_>,
    shown: bool,
) -> Result<u64, CliError> {
    let (name, mut count, mut first) = (export.name.clone(), 0, true);
    export.each(shown, &mut |Part { name: part, reader }| {
        let within = |place: &str| part.as_ref().map_or(place.to_owned(), |part| format!("{part}, {place}"));
        let broken = documents::read(reader, &[], &mut |Found { place, value, .. }| {
            let place = within(&place);
            let conversation = match value {
                Ok(value) => {
                    if std::mem::take(&mut first) {
                        service.system().check(&value, &name)?;
                    }
                    read(service, value)
                }
                Err(reason) => Err(reason),
            };
            match conversation {
                Ok(conversation) => {
                    count += 1;
                    take(conversation, service, namespace, intake, &place)?;
                }
                Err(reason) => intake.refuse(place, reason),
            }
            Ok(())
        })?;
        if let Some(broken) = broken {
            intake.refuse(within(&broken.place), format!("{}; nothing after it was read", broken.reason));
        }
        Ok(())
    })?;
    intake.flush()?;
    Ok(count)
}

fn read(service: Service, value: Value) -> Result<Conversation, String> {
    let Value::Object(record) = value else { return Err("it is not a conversation".to_owned()) };
    match service {
        Service::Chatgpt => chatgpt::conversation(&record),
        Service::Claude => claude::conversation(&record),
    }
}

fn take(
    conversation: Conversation,
    service: Service,
    namespace: &Namespace,
    intake: &mut Intake<'_>,
    place: &str,
) -> Result<(), CliError> {
    let session = session(&conversation, intake.limits());
    for what in &conversation.left_out {
        intake.leave_out(what, 1);
    }
    let mut at = conversation.at;
    for (number, turn) in conversation.turns.into_iter().enumerate() {
        // What has no time of its own was said after what comes before it.
        at = turn.at.or(at);
        let mut request = Remember::new(turn.text).in_namespace(namespace.clone());
        request = request.said(session.clone(), turn.speaker);
        request.facets.occurred_at = at;
        request.facets.source = Some(service.name().to_owned());
        let metadata = &mut request.facets.metadata;
        for (key, id) in [("conversation", &conversation.id), ("message", &turn.id)] {
            if !id.is_empty() {
                metadata.insert(key.to_owned(), id.clone().into());
            }
        }
        let place = format!("{place}, message {}", number + 1);
        let key = if turn.id.is_empty() {
            identity::key_of(&[&conversation.id, &session, &number.to_string(), &request.content])
        } else {
            identity::key_of(&[&conversation.id, &turn.id])
        };
        intake.take(Item { place, key, request })?;
    }
    Ok(())
}

/// What the session is called: the title, and the beginning of the id, since titles are not unique.
fn session(conversation: &Conversation, limits: &Limits) -> String {
    let title = conversation.title.replace('\0', "");
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    let title = if title.is_empty() { "Untitled" } else { &title };
    let id: String = conversation.id.chars().filter(|c| !c.is_control()).take(8).collect();
    if id.is_empty() {
        return pieces::shorten(title, limits.label_bytes_max);
    }
    let room = limits.label_bytes_max.saturating_sub(id.len() + " ()".len());
    format!("{} ({id})", pieces::shorten(title, room))
}

/// The way from a message up to the beginning, in the order in which it was said. A ring ends where it closes.
pub(super) fn branch<K: Copy + Eq + Hash>(leaf: K, parent_of: impl Fn(K) -> Option<K>) -> Vec<K> {
    let (mut way, mut seen, mut next) = (Vec::new(), HashSet::new(), Some(leaf));
    while let Some(node) = next.filter(|node| seen.insert(*node)) {
        way.push(node);
        next = parent_of(node);
    }
    way.reverse();
    way
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_called_by_its_title_and_a_piece_of_its_id_within_the_limits() {
        let limits = Limits { label_bytes_max: 32, ..Limits::default() };
        for (title, id, expected) in [
            ("Tea", "0123456789", "Tea (01234567)"),
            (" 한글\n제목 ", "ab", "한글 제목 (ab)"),
            ("", "ab", "Untitled (ab)"),
            ("x\0y", "", "xy"),
            ("아주 길고 긴 대화의 제목이다", "0123456789", "아주 길고 긴… (01234567)"),
        ] {
            let conversation = Conversation { title: title.into(), id: id.into(), ..Conversation::default() };
            let session = session(&conversation, &limits);
            assert_eq!(session, expected);
            assert!(session.len() <= 32);
        }
    }

    #[test]
    fn a_branch_ends_at_the_root_and_a_ring_where_it_closes() {
        let parents = [None, Some(0), Some(1), Some(1)];
        assert_eq!(branch(3_usize, |node| parents[node]), [0, 1, 3]);
        assert_eq!(branch(0_usize, |node| Some((node + 1) % 3)), [2, 1, 0]);
    }

    #[test]
    fn only_files_of_conversations_are_read_from_an_archive() {
        for (name, expected) in [
            ("conversations.json", true),
            ("conversations-001.json", true),
            ("shared_conversations.json", false),
            ("conversations-x.json", false),
            ("._conversations.json", false),
            ("user.json", false),
        ] {
            assert_eq!(is_conversations(name), expected, "{name}");
        }
    }
}

//! What a turn of a conversation leaves behind until it is observed, and what becomes of it if it cannot be.

use std::collections::BTreeSet;

use peri_types::{Namespace, Timestamp};

use super::logs::written;
use super::{Batch, Cleared, Notes, Place, Plan};
use crate::record::{RecordMeta, from_json};
use crate::shelf::{Change, Collection, Expected, Key, Mark, Version};
use crate::{Aside, HandedOut, Message, NotesError, Replaced, Session};

/// So many messages and texts that were handed out are remembered; of more, the oldest are forgotten.
const REMEMBERED_MAX: usize = 400;

/// What was kept of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Kept {
    /// How many messages wait now that did not before.
    pub messages: usize,
    /// How many were kept before, with the same words, speaker and time.
    pub repeated: usize,
    /// How many texts that were handed out are remembered that were not before.
    pub handed_out: usize,
}

impl Notes {
    /// Keeps the messages of a turn for the observer, and what the agent was given from memory, all at once. Messages
    /// that were kept lately, whether they still wait or not, are not kept again; so whoever does not know whether a turn
    /// was kept tells it again.
    pub fn append_turn(
        &self,
        namespace: &Namespace,
        session: &Session,
        messages: &[Message],
        handed_out: &[String],
    ) -> Result<Kept, NotesError> {
        let pending = Key::new(Collection::Pending, session);
        let heard_key = Key::new(Collection::Heard, session);
        let lines = written(messages);
        let digests: Vec<String> = messages.iter().map(digest_of).collect();
        self.commit(namespace, session.as_str(), || {
            let heard = self.shelf.lines(namespace, &heard_key)?;
            let mut seen: BTreeSet<String> = heard.iter().cloned().collect();
            let (fresh, unheard): (Vec<String>, Vec<String>) = lines
                .iter()
                .zip(&digests)
                .filter(|(_, digest)| seen.insert((*digest).clone()))
                .map(|(line, digest)| (line.clone(), digest.clone()))
                .unzip();
            let handed = self.remembering_handed(namespace, session, handed_out)?;
            let mut plan = Plan::nothing(Kept {
                messages: fresh.len(),
                repeated: lines.len() - fresh.len(),
                handed_out: handed.answer,
            });
            if !fresh.is_empty() {
                plan.changes.extend(remembering(&heard_key, &heard, unheard));
                plan.expected.push((heard_key.clone(), Expected::Lines(Mark::of(&heard))));
                plan.changes.push(Change::Append { key: pending.clone(), lines: fresh });
            }
            plan.changes.extend(handed.changes);
            plan.expected.extend(handed.expected);
            Ok(plan)
        })
    }

    /// What the agent of a session was given from memory, the oldest first.
    pub fn handed_out(
        &self,
        namespace: &Namespace,
        session: &Session,
    ) -> Result<Batch<HandedOut>, NotesError> {
        self.batch(namespace, &Key::new(Collection::HandedOut, session))
    }

    /// Forgets texts that agents were given in the sessions of a namespace. How many those were.
    pub fn forget_handed_out(
        &self,
        namespace: &Namespace,
        gone: impl Fn(&str) -> bool,
    ) -> Result<usize, NotesError> {
        let mut forgotten = 0;
        for key in self.shelf.list(namespace, Collection::HandedOut)? {
            forgotten += self.commit(namespace, key.name(), || {
                let lines = self.shelf.lines(namespace, &key)?;
                let stays = |line: &&String| {
                    serde_json::from_str(line).map_or(true, |handed: HandedOut| !gone(&handed.text))
                };
                let kept: Vec<String> = lines.iter().filter(stays).cloned().collect();
                let mut plan = Plan::nothing(lines.len() - kept.len());
                if kept.len() < lines.len() {
                    plan.expected.push((key.clone(), Expected::Lines(Mark::of(&lines))));
                    plan.changes.push(Change::Clear { key: key.clone() });
                    if !kept.is_empty() {
                        plan.changes.push(Change::Append { key: key.clone(), lines: kept });
                    }
                }
                Ok(plan)
            })?;
        }
        Ok(forgotten)
    }

    /// The first messages that wait to be observed for as long as they are wanted, to observe no more than these.
    pub fn first_pending(
        &self,
        namespace: &Namespace,
        session: &Session,
        mut wanted: impl FnMut(&Message) -> bool,
    ) -> Result<Batch<Message>, NotesError> {
        self.first(namespace, &Key::new(Collection::Pending, session), &mut wanted)
    }

    /// The sessions with messages that wait to be observed, sorted.
    pub fn pending_sessions(&self, namespace: &Namespace) -> Result<Vec<Session>, NotesError> {
        let keys = self.shelf.list(namespace, Collection::Pending)?;
        Ok(keys.iter().map(|key| key.session().clone()).collect())
    }

    /// How many tokens the notes of each session had when they were last saved. A session whose details cannot be read
    /// is left out.
    pub fn sizes(&self, namespace: &Namespace) -> Result<Vec<(Session, usize)>, NotesError> {
        let mut sizes = Vec::new();
        for (key, text) in self.shelf.documents(namespace, Collection::Meta)? {
            match from_json::<RecordMeta>("details of the notes", key.name(), Some(&text)) {
                Ok(meta) => sizes.extend(meta.map(|meta| (key.session().clone(), meta.tokens))),
                Err(error) => tracing::warn!(%error, "the size of a session's notes is not known"),
            }
        }
        Ok(sizes)
    }

    /// Puts the messages up to a mark aside, with what went wrong, so that those behind them can be observed. The step
    /// counts as no longer in trouble.
    pub fn put_aside(
        &self,
        namespace: &Namespace,
        session: &Session,
        batch: &Batch<Message>,
        (step, error): (&str, &str),
    ) -> Result<Cleared, NotesError> {
        let pending = Key::new(Collection::Pending, session);
        let aside = Key::new(Collection::Aside, session);
        self.commit(namespace, session.as_str(), || {
            let Some((mut changes, held)) = self.clearing::<Message>(namespace, &pending, &batch.mark)?
            else {
                return Ok(Plan::nothing(Cleared::Already));
            };
            let at = self.clock.now();
            let entry = |message: &Message| Aside { at, error: error.to_owned(), message: message.clone() };
            let entries: Vec<Aside> = batch.entries.iter().map(entry).collect();
            changes.push(Change::Append { key: aside.clone(), lines: written(&entries) });
            let (soothed, calm) = self.soothing(namespace, Place::Session(session), step)?;
            changes.extend(soothed);
            Ok(Plan { changes, expected: vec![held, calm], answer: Cleared::Done })
        })
    }

    /// The messages of a session that were put aside, the oldest first.
    pub fn aside(&self, namespace: &Namespace, session: &Session) -> Result<Batch<Aside>, NotesError> {
        self.batch(namespace, &Key::new(Collection::Aside, session))
    }

    /// Puts what was put aside before the messages that wait, to be observed after all. Answers how many there were.
    pub fn take_back(&self, namespace: &Namespace, session: &Session) -> Result<usize, NotesError> {
        let pending = Key::new(Collection::Pending, session);
        let aside = Key::new(Collection::Aside, session);
        self.commit(namespace, session.as_str(), || {
            let batch = self.aside(namespace, session)?;
            let Some((cleared, held)) = self.clearing::<Aside>(namespace, &aside, &batch.mark)? else {
                return Ok(Plan { changes: Vec::new(), expected: Vec::new(), answer: 0 });
            };
            if batch.entries.is_empty() {
                return Ok(Plan::nothing(0));
            }
            let waiting = self.shelf.lines(namespace, &pending)?;
            let messages: Vec<Message> = batch.entries.into_iter().map(|entry| entry.message).collect();
            let lines: Vec<String> = written(&messages).into_iter().chain(waiting.iter().cloned()).collect();
            let mut plan = Plan::nothing(messages.len());
            plan.changes.extend(cleared);
            plan.changes.push(Change::Clear { key: pending.clone() });
            plan.changes.push(Change::Append { key: pending.clone(), lines });
            plan.expected.extend([held, (pending.clone(), Expected::Lines(Mark::of(&waiting)))]);
            Ok(plan)
        })
    }

    /// What notes took the place of and the memories were not told yet, by session.
    pub fn replaced(&self, namespace: &Namespace) -> Result<Vec<(Session, Batch<Replaced>)>, NotesError> {
        let keys = self.shelf.list(namespace, Collection::Replaced)?;
        keys.iter().map(|key| Ok((key.session().clone(), self.batch(namespace, key)?))).collect()
    }

    /// Removes what the memories were told, and nothing that came meanwhile.
    pub fn clear_replaced(
        &self,
        namespace: &Namespace,
        session: &Session,
        mark: &Mark,
    ) -> Result<Cleared, NotesError> {
        let key = Key::new(Collection::Replaced, session);
        self.commit(namespace, session.as_str(), || {
            let Some((changes, held)) = self.clearing::<Replaced>(namespace, &key, mark)? else {
                return Ok(Plan::nothing(Cleared::Already));
            };
            Ok(Plan { changes, expected: vec![held], answer: Cleared::Done })
        })
    }

    /// What remembers texts as handed out, and how many were not remembered yet.
    pub(super) fn remembering_handed(
        &self,
        namespace: &Namespace,
        session: &Session,
        handed_out: &[String],
    ) -> Result<Plan<usize>, NotesError> {
        if handed_out.is_empty() {
            return Ok(Plan::nothing(0));
        }
        let key = Key::new(Collection::HandedOut, session);
        let known = self.shelf.lines(namespace, &key)?;
        // What the agent was given before it lost its context, it does not have any more.
        let since = self.read_given(namespace, session)?.1.began_at;
        let fresh = self.newly_handed(&known, handed_out, since);
        let mut plan = Plan::nothing(fresh.len());
        if !fresh.is_empty() {
            plan.changes = remembering(&key, &known, written(&fresh));
            plan.expected = vec![(key, Expected::Lines(Mark::of(&known)))];
        }
        Ok(plan)
    }

    /// The texts that are not remembered as handed out yet.
    fn newly_handed(
        &self,
        known: &[String],
        handed_out: &[String],
        since: Option<Timestamp>,
    ) -> Vec<HandedOut> {
        let known = known.iter().filter_map(|line| serde_json::from_str::<HandedOut>(line).ok());
        let known: Vec<HandedOut> =
            known.filter(|entry| since.is_none_or(|since| entry.at >= since)).collect();
        let mut seen: BTreeSet<&str> = known.iter().map(|entry| entry.text.as_str()).collect();
        let at = self.clock.now();
        let is_text = |text: &&String| !text.trim().is_empty();
        let fresh = handed_out.iter().filter(is_text).filter(|text| seen.insert(text));
        fresh.map(|text| HandedOut { at, text: text.clone() }).collect()
    }
}

/// What tells one message from another, as a line of a log. In which entry of a journal it is does not matter.
pub(super) fn digest_of(message: &Message) -> String {
    let line = written(&[Message { entry: None, ..message.clone() }]).concat();
    format!("\"{}\"", Version::of(&line).as_str())
}

/// What adds lines to those that are remembered, and forgets the oldest of too many.
fn remembering(key: &Key, known: &[String], fresh: Vec<String>) -> Vec<Change> {
    if known.len() + fresh.len() <= REMEMBERED_MAX {
        return vec![Change::Append { key: key.clone(), lines: fresh }];
    }
    let all: Vec<String> = known.iter().cloned().chain(fresh).collect();
    let latest = all[all.len() - REMEMBERED_MAX..].to_vec();
    vec![Change::Clear { key: key.clone() }, Change::Append { key: key.clone(), lines: latest }]
}

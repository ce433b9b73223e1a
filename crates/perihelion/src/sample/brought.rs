//! What came with the sample, so that nothing else leaves with it.

use std::collections::{HashMap, HashSet};

use peri_store::{
    JournalQuery, ListQuery, LoadedRows, StoreError, TrajectoryQuery, Trashed, TurnQuery, Write,
};
use peri_types::{ChangeNumber, Memory, MemoryId, Namespace, Scope};
use serde::{Deserialize, Serialize};

use super::deed::Deed;
use super::story::story;
use crate::Error;
use crate::engine::Core;

/// Under this name it is kept, among what a namespace has learned: it moves, is exported and leaves with that.
const NAME: &str = "sample";
/// More than a namespace can hold.
const ALL: usize = usize::MAX >> 2;

/// What came with the sample.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Brought {
    /// The memories with the versions that they had: one that somebody has revised since is theirs.
    memories: HashMap<MemoryId, u32>,
    /// Everything else.
    rows: LoadedRows,
}

/// What a namespace holds, by whom it came there.
pub(super) struct Parted {
    /// What came with the sample and is still there.
    pub(super) brought: LoadedRows,
    /// Memories of somebody else, those in the trash included.
    pub(super) own: u64,
    /// Whether somebody else left something that is no memory.
    pub(super) others_left_more: bool,
    /// Sessions that somebody else had a part in.
    pub(super) own_sessions: HashSet<String>,
}

impl Core {
    /// Notes what there is in the sample's namespace, all of which came with it.
    pub(super) fn note_brought(&self, namespace: &Namespace) -> Result<(), Error> {
        let memories =
            self.memories_of(namespace)?.iter().map(|memory| (memory.id, memory.version)).collect();
        let brought = Brought { memories, rows: self.rows_of(namespace)? };
        let value = serde_json::to_value(brought).map_err(|_| Error::Store(StoreError::Closed))?;
        let (name, reason) = (NAME.to_owned(), "what came with the sample".to_owned());
        self.store.write(vec![Write::SetLearned {
            namespace: namespace.clone(),
            name,
            value,
            reason,
            at: self.now(),
        }])?;
        Ok(())
    }

    /// Tells what came with the sample from what did not.
    pub(super) fn part(&self, namespace: &Namespace) -> Result<Parted, Error> {
        let brought = self.brought(namespace)?;
        let (memories, rows) = (self.memories_of(namespace)?, self.rows_of(namespace)?);
        let (theirs, own): (Vec<&Memory>, Vec<&Memory>) =
            memories.iter().partition(|memory| brought.holds(memory, &memories));
        let mut own_sessions: HashSet<String> =
            own.iter().filter_map(|memory| memory.facets.session.clone()).collect();
        let mut known = brought.rows;
        known.learned.push((NAME.to_owned(), u64::from(u32::MAX)));
        let scope = Scope::Exact(namespace.clone());
        let own_entries: Vec<_> =
            rows.entries.iter().filter(|id| !known.entries.contains(id)).copied().collect();
        for some in own_entries.chunks(500) {
            let entries = self.store.entries(&scope, some)?;
            own_sessions.extend(entries.into_iter().filter_map(|entry| entry.session));
        }
        let own_turns = rows.turns.iter().filter(|id| !known.turns.contains(id));
        for id in own_turns.clone() {
            own_sessions.extend(self.store.turn(&scope, *id)?.and_then(|turn| turn.session));
        }
        own_sessions.extend(rows.sessions.iter().filter(|name| !known.sessions.contains(name)).cloned());
        let others_left_more = !own_entries.is_empty()
            || own_turns.count() > 0
            || rows.sessions.iter().any(|name| !known.sessions.contains(name))
            || rows.trajectories.iter().any(|id| !known.trajectories.contains(id));
        let ids: Vec<MemoryId> = theirs.iter().map(|memory| memory.id).collect();
        let sessions = known.sessions.into_iter().filter(|name| !own_sessions.contains(name)).collect();
        let brought = LoadedRows { memories: ids, sessions, ..known };
        Ok(Parted { brought, own: own.len() as u64, others_left_more, own_sessions })
    }

    fn brought(&self, namespace: &Namespace) -> Result<Brought, Error> {
        let noted = self.store.learned(namespace, NAME, 0, 1)?.into_iter().next();
        match noted.and_then(|set| serde_json::from_value(set.value).ok()) {
            Some(brought) => Ok(brought),
            // An earlier release loaded it, or loading was broken off: it is known by what the story says.
            None => self.told_in_story(namespace),
        }
    }

    fn told_in_story(&self, namespace: &Namespace) -> Result<Brought, Error> {
        let mut contents = HashSet::new();
        let mut sessions = HashSet::new();
        for step in story(self.now(), &self.options.time_zone) {
            match step.deed {
                Deed::Remember(told) => drop(contents.insert(told.request.content)),
                Deed::Append(happened) => drop(contents.insert(happened.text)),
                Deed::Revise(revised) => contents.extend(revised.content),
                Deed::Session { session } => drop(sessions.insert(session)),
                _ => {}
            }
        }
        let memories = self.memories_of(namespace)?;
        let is_told = |memory: &&Memory| {
            contents.contains(&memory.content)
                || memory.facets.session.as_ref().is_some_and(|session| sessions.contains(session))
        };
        let versions = memories.iter().filter(is_told).map(|memory| (memory.id, memory.version)).collect();
        let mut rows = self.rows_of(namespace)?;
        rows.sessions.retain(|session| sessions.contains(session));
        Ok(Brought { memories: versions, rows })
    }

    fn memories_of(&self, namespace: &Namespace) -> Result<Vec<Memory>, Error> {
        let mut all = Vec::new();
        for trashed in [Trashed::Without, Trashed::Only] {
            let scope = Scope::Exact(namespace.clone());
            let query = ListQuery { scope, trashed, as_kept: true, limit: ALL, ..ListQuery::default() };
            all.extend(self.store.list(&query)?.memories);
        }
        Ok(all)
    }

    fn rows_of(&self, namespace: &Namespace) -> Result<LoadedRows, Error> {
        let scope = || Scope::Exact(namespace.clone());
        let store = &self.store;
        let entries =
            store.journal(&JournalQuery { scope: scope(), limit: ALL, ..JournalQuery::default() })?;
        let turns = store.turns(&TurnQuery { scope: scope(), limit: ALL, ..TurnQuery::default() })?;
        let tasks = TrajectoryQuery { scope: scope(), limit: ALL, ..TrajectoryQuery::default() };
        let trajectories = store.trajectories(&tasks)?.trajectories;
        let patterns = store.patterns(namespace, None, ChangeNumber(0), ALL)?;
        let learned = store.learned_marks(namespace)?;
        Ok(LoadedRows {
            memories: Vec::new(),
            entries: entries.entries.into_iter().map(|entry| entry.id).collect(),
            turns: turns.turns.into_iter().map(|turn| turn.id).collect(),
            sessions: store.sessions(&scope(), ALL)?.into_iter().map(|session| session.name).collect(),
            trajectories: trajectories.into_iter().map(|trajectory| trajectory.id).collect(),
            patterns: patterns.into_iter().map(|(pattern, _)| pattern.id).collect(),
            learned: learned.into_iter().map(|mark| (mark.name, mark.number)).collect(),
            feedback_through: store
                .feedback_after(namespace, 0, ALL)?
                .last()
                .map_or(0, |(number, _)| *number),
            weights_through: store.weights(namespace)?.last().map_or(0, |set| set.number),
        })
    }
}

impl Brought {
    /// Whether a memory came with the sample, or was made of nothing but what did.
    fn holds(&self, memory: &Memory, all: &[Memory]) -> bool {
        if let Some(version) = self.memories.get(&memory.id) {
            return *version == memory.version;
        }
        let mut sources = all.iter().filter(|source| source.facets.promoted_to == Some(memory.id)).peekable();
        sources.peek().is_some() && sources.all(|source| self.memories.contains_key(&source.id))
    }
}

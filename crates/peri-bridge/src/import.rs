//! From what people wrote to memories.

use std::collections::{HashMap, HashSet};

use perihelion::{ErrorKind, Memory, MemoryId, Scope};

use crate::pass::{Draft, Pass, Rewritten, Stored, is_from_a_file};
use crate::read::{Read, Statement};
use crate::report::{Change, Counts, Imported, What};
use crate::state::{Known, digest_of};
use crate::{BridgeError, Rehearsal, pair};

/// What is to be done about the statements of a file.
struct Plan {
    /// For each statement what was known of it, and what to do.
    steps: Vec<Step>,
    /// What was known and is no longer stated.
    gone: Vec<Known>,
}

enum Step {
    /// It says what it said.
    Same(Known),
    /// It says something else.
    Edited(Known),
    /// It is new.
    New,
}

impl Pass<'_> {
    /// Makes the memories follow what people wrote outside the section.
    pub(crate) fn import(&mut self, read: &Read) -> Result<Imported, BridgeError> {
        let plan = self.plan(&read.statements);
        let unchanged = plan.steps.iter().filter(|step| matches!(step, Step::Same(_))).count();
        let mut held: HashSet<MemoryId> = self.stated_elsewhere()?;
        held.extend(plan.steps.iter().filter_map(|step| match step {
            Step::Same(known) => Some(known.id),
            Step::Edited(_) | Step::New => None,
        }));
        let mut changes = Vec::new();
        // First what goes: a new statement could be joined to a memory that is about to go.
        for known in &plan.gone {
            changes.extend(self.let_go(known, &held)?);
        }
        self.state.statements = Vec::new();
        let mut new = Vec::new();
        for (statement, step) in read.statements.iter().zip(plan.steps) {
            match step {
                Step::Same(known) => self.state.statements.push(known),
                Step::Edited(known) => {
                    if let Some(fresh) = self.follow(statement, known, &mut held, &mut changes)? {
                        new.push(fresh);
                    }
                }
                Step::New => new.push((statement, None)),
            }
        }
        self.take(new, &mut changes)?;
        Ok(Imported {
            path: self.target.path.clone(),
            namespace: self.namespace.clone(),
            rehearsal: self.rehearsal,
            statements: read.statements.len(),
            unchanged,
            counts: Counts::of(&changes),
            changes,
            imports: read.imports.clone(),
            blocks_left_out: read.blocks_left_out,
            rebuilt: self.rebuilt.clone(),
        })
    }

    /// Which statement was which: by what it says, else the one that it is most like.
    fn plan(&self, statements: &[Statement]) -> Plan {
        let clean = |text: &str| self.engine.redacted(text);
        let mut known: Vec<Option<Known>> = self.state.statements.iter().cloned().map(Some).collect();
        // Two may say the same once their secrets are taken out.
        let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, own) in self.state.statements.iter().enumerate().rev() {
            places.entry(own.digest.as_str()).or_default().push(at);
        }
        let mut steps: Vec<Step> = statements
            .iter()
            .map(|statement| {
                let digest = digest_of(&clean(&statement.content()));
                let at = places.get_mut(digest.as_str()).and_then(Vec::pop);
                at.and_then(|at| known[at].take()).map_or(Step::New, Step::Same)
            })
            .collect();
        let left: Vec<usize> = (0..known.len()).filter(|at| known[*at].is_some()).collect();
        let new: Vec<usize> = (0..steps.len()).filter(|at| matches!(steps[*at], Step::New)).collect();
        let old_texts: Vec<&str> = left.iter().map(|at| self.state.statements[*at].text.as_str()).collect();
        let new_texts: Vec<String> = new.iter().map(|at| clean(&statements[*at].text)).collect();
        let new_texts: Vec<&str> = new_texts.iter().map(String::as_str).collect();
        for (one, other) in pair::alike(&old_texts, &new_texts) {
            if let Some(own) = known[left[one]].take() {
                steps[new[other]] = Step::Edited(own);
            }
        }
        Plan { steps, gone: known.into_iter().flatten().collect() }
    }

    /// Forgets what is no longer stated, if it came from a file and nobody else changed or states it.
    fn let_go(&self, known: &Known, held: &HashSet<MemoryId>) -> Result<Option<Change>, BridgeError> {
        let Some(memory) = self.live(known.id)? else { return Ok(None) };
        let kept = |why| Ok(Some(Change::new(What::Kept, &known.text, Some(known.id)).because(why)));
        if !is_from_a_file(&memory) {
            return kept("it was known before the file said so");
        }
        if held.contains(&known.id) {
            return kept("another statement says so too");
        }
        if memory.version != known.version || memory.facets.pinned {
            return kept("it was changed since it came from the file");
        }
        self.forget(known.id)?;
        Ok(Some(Change::new(What::Forgotten, &known.text, Some(known.id))))
    }

    fn forget(&self, id: MemoryId) -> Result<(), BridgeError> {
        if self.rehearsal == Rehearsal::Dry {
            return Ok(());
        }
        for scope in [Scope::Exact(self.namespace.clone()), Scope::All] {
            match self.engine.forget(&scope, id) {
                Ok(_) => return Ok(()),
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Makes the memory of an edited statement follow it. What needs a new memory is given back, with its key.
    fn follow<'s>(
        &mut self,
        statement: &'s Statement,
        known: Known,
        held: &mut HashSet<MemoryId>,
        changes: &mut Vec<Change>,
    ) -> Result<Option<(&'s Statement, Option<String>)>, BridgeError> {
        let Some(memory) = self.live(known.id)?.filter(is_from_a_file) else {
            return Ok(Some((statement, Some(known.key))));
        };
        if !held.insert(known.id) {
            return Ok(Some((statement, Some(known.key))));
        }
        let draft = self.draft(statement, known.key.clone());
        let text = self.engine.redacted(&statement.text);
        let known = Known { digest: digest_of(&draft.clean), text, ..known };
        if memory.content == draft.clean {
            self.state.statements.push(Known { version: memory.version, ..known });
            return Ok(None);
        }
        let what = if memory.version == known.version { What::Revised } else { What::Overruled };
        self.revise(&memory, draft, known, changes, what)?;
        Ok(None)
    }

    fn revise(
        &mut self,
        memory: &Memory,
        draft: Draft,
        known: Known,
        changes: &mut Vec<Change>,
        what: What,
    ) -> Result<(), BridgeError> {
        let told = |what, id| Change::new(what, &draft.clean, Some(id));
        if self.rehearsal == Rehearsal::Dry {
            changes.push(told(what, known.id));
            self.imagined.revised.insert(known.id, draft.clean);
            self.state.statements.push(known);
            return Ok(());
        }
        match self.rewrite(memory, &draft.request.content, Some(&draft.key))? {
            Rewritten::Yes(version) => {
                changes.push(told(what, known.id));
                self.state.statements.push(Known { version, ..known });
            }
            Rewritten::Twin(twin) => {
                self.forget(known.id)?;
                changes.push(told(What::Joined, twin));
                let version = self.version(twin)?;
                self.state.statements.push(Known { id: twin, version, ..known });
            }
            Rewritten::Refused(why) => {
                changes.push(told(What::Refused, known.id).because(why));
                self.state.statements.push(known);
            }
        }
        Ok(())
    }

    /// Remembers new statements as far as there is room for them.
    fn take(
        &mut self,
        new: Vec<(&Statement, Option<String>)>,
        changes: &mut Vec<Change>,
    ) -> Result<(), BridgeError> {
        let mut room = self.settings.statements_max.saturating_sub(self.state.statements.len());
        let taken: usize = self.state.statements.iter().map(|known| known.text.len()).sum();
        let mut bytes = self.settings.bytes_max.saturating_sub(taken);
        let (mut texts, mut drafts) = (Vec::new(), Vec::new());
        for (statement, key) in new {
            let text = self.engine.redacted(&statement.text);
            let (max, bytes_max) = (self.settings.statements_max, self.settings.bytes_max);
            let why = match (room, text.len() <= bytes) {
                (0, _) => format!("a file has at most {max} statements (statements_max)"),
                (_, false) => format!("its statements have at most {bytes_max} bytes (bytes_max)"),
                _ => {
                    (room, bytes) = (room - 1, bytes - text.len());
                    let key = key.unwrap_or_else(|| self.state.free_key(&statement.content()));
                    drafts.push(self.draft(statement, key));
                    texts.push(text);
                    continue;
                }
            };
            changes.push(Change::new(What::LeftOut, &text, None).because(why));
        }
        if self.rehearsal == Rehearsal::Dry {
            changes.extend(drafts.iter().map(|draft| Change::new(What::Remembered, &draft.clean, None)));
            return Ok(());
        }
        let stored = self.remember(drafts.iter().map(|draft| draft.request.clone()).collect())?;
        for ((draft, text), stored) in drafts.into_iter().zip(texts).zip(stored) {
            self.note(draft, text, stored, changes)?;
        }
        Ok(())
    }

    fn note(
        &mut self,
        draft: Draft,
        text: String,
        stored: Stored,
        changes: &mut Vec<Change>,
    ) -> Result<(), BridgeError> {
        let (what, id, version) = match stored {
            Stored::New(id) => (What::Remembered, id, 1),
            Stored::Joined(id) => (What::Joined, id, self.version(id)?),
            Stored::Refused(why) => {
                changes.push(Change::new(What::Refused, &draft.clean, None).because(why));
                return Ok(());
            }
        };
        changes.push(Change::new(what, &draft.clean, Some(id)));
        self.state.statements.push(Known {
            key: draft.key,
            digest: digest_of(&draft.clean),
            text,
            id,
            version,
        });
        Ok(())
    }
}

//! What people edited within the section.

use std::collections::{HashMap, HashSet};

use perihelion::MemoryId;

use crate::markers;
use crate::pass::{Pass, Rewritten, Stored};
use crate::read::{Statement, content_of};
use crate::report::{Change, Counts, Edits, SectionState, What};
use crate::state::{Hidden, Shown};
use crate::{BridgeError, Rehearsal, pair, render};

/// What was done to the lines of a section.
#[derive(Default)]
struct Difference {
    changed: Vec<(Shown, Statement)>,
    removed: Vec<Shown>,
    added: Vec<Statement>,
}

impl Difference {
    fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.removed.is_empty() && self.added.is_empty()
    }
}

impl Pass<'_> {
    /// How the section is, compared with what was written.
    pub(crate) fn section_state(&self) -> SectionState {
        let Some(section) = &self.section else { return SectionState::None };
        let lines: Vec<String> = self.read_section().into_iter().map(|own| own.text).collect();
        if lines.is_empty() && section.digest.is_empty() {
            // Two markers that somebody put where the section should be.
            return SectionState::WrittenElsewhere;
        }
        let is_as_written = markers::digest_of(&lines) == section.digest;
        match (is_as_written, self.state.base(&section.digest)) {
            (false, _) => SectionState::Edited,
            (true, Some(_)) => SectionState::AsWritten,
            (true, None) => SectionState::WrittenElsewhere,
        }
    }

    /// Takes over what people edited within the section.
    pub(crate) fn take_edits(&mut self, outside: &[Statement]) -> Result<Edits, BridgeError> {
        if self.section_state() != SectionState::Edited {
            return Ok(Edits::default());
        }
        let difference = self.difference(outside)?;
        if difference.is_empty() {
            return Ok(Edits::default());
        }
        self.check_edits(&difference)?;
        let mut changes = Vec::new();
        for shown in difference.removed {
            self.hide(shown, &mut changes);
        }
        for (shown, statement) in difference.changed {
            self.change(&shown, &statement, &mut changes)?;
        }
        for statement in difference.added {
            self.add(&statement, &mut changes)?;
        }
        Ok(Edits { counts: Counts::of(&changes), changes })
    }

    /// What differs from what was written. Where nobody remembers that, only what is new can be told.
    fn difference(&self, outside: &[Statement]) -> Result<Difference, BridgeError> {
        let digest = self.section.as_ref().map_or("", |section| section.digest.as_str());
        let lines = self.read_section();
        let (base, is_remembered) = match self.state.base(digest) {
            Some(base) => (base.to_vec(), true),
            None => (self.all_lines(outside)?, false),
        };
        let mut difference = compare(base, lines);
        if !is_remembered {
            difference.added.extend(difference.changed.drain(..).map(|(_, statement)| statement));
            difference.removed.clear();
        }
        Ok(difference)
    }

    /// Every line that could have been written here.
    fn all_lines(&self, outside: &[Statement]) -> Result<Vec<Shown>, BridgeError> {
        let mut lines = self.candidates(outside)?.lines;
        lines.extend(self.state.shown.iter().chain(self.state.announced.iter().flatten()).cloned());
        Ok(lines)
    }

    /// Refuses what cannot become memories before anything is done: the section is about to be written anew.
    fn check_edits(&self, difference: &Difference) -> Result<(), BridgeError> {
        let (lines, max) = (difference.added.len() + difference.changed.len(), self.settings.statements_max);
        if lines > max {
            return Err(BridgeError::TooManyEdits { path: self.target.path.clone(), lines, max });
        }
        let edited = difference.changed.iter().map(|(shown, statement)| said(statement, &shown.tail));
        let written = difference.added.iter().map(|statement| said(statement, ""));
        let limits = &self.engine.options().limits;
        for content in edited.chain(written) {
            limits.check_content(&content).map_err(perihelion::Error::from)?;
        }
        Ok(())
    }

    fn hide(&mut self, shown: Shown, changes: &mut Vec<Change>) {
        changes.push(Change::new(What::Hidden, &shown.line, shown.id));
        self.state.own.retain(|own| Some(*own) != shown.id);
        self.take_out(shown.line, shown.id);
    }

    fn take_out(&mut self, line: String, id: Option<MemoryId>) {
        let hidden = Hidden { line, id };
        if !self.state.hidden.contains(&hidden) {
            self.state.hidden.push(hidden);
        }
    }

    /// Makes a memory say what its line says now.
    fn change(
        &mut self,
        shown: &Shown,
        statement: &Statement,
        changes: &mut Vec<Change>,
    ) -> Result<(), BridgeError> {
        let memory = match shown.id {
            Some(id) => self.live(id)?,
            None => None,
        };
        let Some(memory) = memory else {
            if shown.id.is_none() {
                // The note says it otherwise, and would come back beside its edit.
                self.take_out(shown.line.clone(), None);
            }
            return self.add(statement, changes);
        };
        let content = said(statement, &shown.tail);
        let clean = self.engine.redacted(&content);
        self.keep_shown(memory.id);
        if memory.content == clean {
            return Ok(());
        }
        let what = if memory.version == shown.version { What::Revised } else { What::Overruled };
        if self.rehearsal == Rehearsal::Dry {
            changes.push(Change::new(what, &clean, Some(memory.id)));
            self.imagined.revised.insert(memory.id, clean);
            return Ok(());
        }
        match self.rewrite(&memory, &content, None)? {
            Rewritten::Yes(_) => changes.push(Change::new(what, &clean, Some(memory.id))),
            Rewritten::Twin(twin) => {
                changes.push(Change::new(What::Joined, &clean, Some(twin)));
                self.state.own.retain(|own| *own != memory.id);
                self.take_out(shown.line.clone(), Some(memory.id));
                self.keep_shown(twin);
            }
            Rewritten::Refused(why) => {
                return Err(BridgeError::file(
                    "cannot take over an edit of",
                    &self.target.path,
                    std::io::Error::other(why),
                ));
            }
        }
        Ok(())
    }

    /// Makes a memory of a line that somebody wrote, or shows again what was taken out.
    fn add(&mut self, statement: &Statement, changes: &mut Vec<Change>) -> Result<(), BridgeError> {
        if let Some(at) = self.state.hidden.iter().position(|hidden| hidden.line == statement.text) {
            let hidden = self.state.hidden.remove(at);
            changes.push(Change::new(What::ShownAgain, &hidden.line, hidden.id));
            hidden.id.into_iter().for_each(|id| self.keep_shown(id));
            return Ok(());
        }
        // A line that was about to be shown when the program ended.
        let mut announced = self.state.announced.iter().flatten();
        if let Some(shown) = announced.find(|own| own.id.is_some() && own.line == statement.text) {
            shown.id.into_iter().for_each(|id| self.keep_shown(id));
            return Ok(());
        }
        let plain = Statement { text: render::said(&statement.text, ""), ..statement.clone() };
        let draft = self.draft(&plain, self.state.free_key(&plain.content()));
        if self.rehearsal == Rehearsal::Dry {
            changes.push(Change::new(What::Remembered, &draft.clean, None));
            self.imagined.added.push(draft.clean);
            return Ok(());
        }
        let (what, id) = match self.remember(vec![draft.request])?.pop() {
            Some(Stored::New(id)) => (What::Remembered, id),
            Some(Stored::Joined(id)) => (What::Joined, id),
            Some(Stored::Refused(why)) => {
                return Err(BridgeError::file(
                    "cannot take over a line of",
                    &self.target.path,
                    std::io::Error::other(why),
                ));
            }
            None => return Ok(()),
        };
        self.state.hidden.retain(|hidden| hidden.id != Some(id));
        self.keep_shown(id);
        changes.push(Change::new(what, &draft.clean, Some(id)));
        Ok(())
    }

    /// What somebody wrote into the section stays in it.
    fn keep_shown(&mut self, id: MemoryId) {
        if !self.state.own.contains(&id) {
            self.state.own.push(id);
        }
    }
}

/// What an edited line says, as a memory.
fn said(statement: &Statement, tail: &str) -> String {
    content_of(&statement.context, &render::said(&statement.text, tail))
}

/// What became of the lines of a section: those that are still there, those that were edited, and the rest.
fn compare(base: Vec<Shown>, lines: Vec<Statement>) -> Difference {
    let texts: HashSet<&str> = lines.iter().map(|own| own.text.as_str()).collect();
    let written: HashSet<&str> = base.iter().map(|own| own.line.as_str()).collect();
    let is_new: Vec<bool> = lines.iter().map(|own| !written.contains(own.text.as_str())).collect();
    let is_gone: Vec<bool> = base.iter().map(|own| !texts.contains(own.line.as_str())).collect();
    let gone: Vec<Shown> =
        base.into_iter().zip(is_gone).filter(|(_, gone)| *gone).map(|(own, _)| own).collect();
    let new: Vec<Statement> =
        lines.into_iter().zip(is_new).filter(|(_, new)| *new).map(|(own, _)| own).collect();
    let old_texts: Vec<&str> = gone.iter().map(|own| own.line.as_str()).collect();
    let new_texts: Vec<&str> = new.iter().map(|own| own.text.as_str()).collect();
    let became: HashMap<usize, usize> = pair::alike(&old_texts, &new_texts).into_iter().collect();
    let mut difference = Difference::default();
    let mut new: Vec<Option<Statement>> = new.into_iter().map(Some).collect();
    for (at, shown) in gone.into_iter().enumerate() {
        match became.get(&at).and_then(|other| new[*other].take()) {
            Some(statement) => difference.changed.push((shown, statement)),
            None => difference.removed.push(shown),
        }
    }
    difference.added = new.into_iter().flatten().collect();
    difference
}

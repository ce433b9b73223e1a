//! Which memories matter most: those that a section shows.

use std::collections::HashSet;

use perihelion::{Filter, Kind, Layer, ListQuery, Memory, MemoryId, Scope, Timestamp, Zone, gives_orders};

use crate::BridgeError;
use crate::pass::Pass;
use crate::read::Statement;
use crate::render;
use crate::state::Shown;

/// Of the outer zone at most so many are looked at, the newest first.
const OUTER_MAX: usize = 5_000;

/// What could be shown, the most important first.
pub(crate) struct Candidates {
    pub(crate) lines: Vec<Shown>,
    /// What is not among them because somebody took it out.
    pub(crate) hidden: usize,
}

impl Pass<'_> {
    /// The memories that could be shown in the section of a file that says something of its own already.
    pub(crate) fn candidates(&self, outside: &[Statement]) -> Result<Candidates, BridgeError> {
        let said = self.said_by(outside);
        let mut memories = self.near()?;
        memories.retain(|memory| self.is_for_show(memory) && !self.is_said(memory, &said));
        memories
            .sort_by(|one, other| self.rank(one).total_cmp(&self.rank(other)).then(one.id.cmp(&other.id)));
        let (mut lines, mut hidden, mut seen) = (Vec::new(), 0, HashSet::new());
        for content in &self.imagined.added {
            lines.extend(self.shown(content, None, 0).filter(|own| seen.insert(own.line.clone())));
        }
        for memory in memories {
            let content = self.imagined.revised.get(&memory.id).unwrap_or(&memory.content);
            let Some(own) = self.shown(content, Some(memory.id), memory.version) else { continue };
            if self.state.hides(own.id, &own.line) {
                hidden += 1;
            } else if !said.contains(&own.line) && seen.insert(own.line.clone()) {
                lines.push(own);
            }
        }
        Ok(Candidates { lines, hidden })
    }

    /// A text as a line of the section.
    pub(crate) fn shown(&self, content: &str, id: Option<MemoryId>, version: u32) -> Option<Shown> {
        let line = render::line(content, self.settings.line_bytes_max)?;
        Some(Shown { line: line.text, tail: line.tail, id, version })
    }

    /// What the file says outside the section, with and without its context.
    fn said_by(&self, outside: &[Statement]) -> HashSet<String> {
        let both = |statement: &Statement| [statement.content(), statement.text.clone()];
        outside.iter().flat_map(both).map(|text| self.engine.redacted(&text)).collect()
    }

    /// Whether the file says outside the section what a memory says: in these words, or in nearly the same.
    fn is_said(&self, memory: &Memory, said: &HashSet<String>) -> bool {
        let is_stated = |id, version| {
            self.state.statements.iter().any(|known| known.id == id && known.version == version)
        };
        said.contains(&memory.content) || is_stated(memory.id, memory.version)
    }

    /// The memories that are pinned, near, or were written into the section by somebody.
    fn near(&self) -> Result<Vec<Memory>, BridgeError> {
        let scope = || Scope::Exact(self.namespace.clone());
        let pinned = Filter { pinned: Some(true), ..Filter::default() };
        let near = vec![Zone::Core, Zone::Inner];
        let queries = [
            (ListQuery { scope: scope(), filter: pinned, ..ListQuery::default() }, usize::MAX),
            (ListQuery { scope: scope(), zones: near, ..ListQuery::default() }, usize::MAX),
            (ListQuery { scope: scope(), zones: vec![Zone::Outer], ..ListQuery::default() }, OUTER_MAX),
        ];
        let (mut memories, mut seen) = (Vec::new(), HashSet::new());
        for id in &self.state.own {
            memories.extend(self.live(*id)?.filter(|memory| memory.namespace == *self.namespace));
        }
        for (mut query, mut left) in queries {
            query.limit = self.page();
            loop {
                let page = self.engine.list(query.clone())?;
                left = left.saturating_sub(page.memories.len());
                memories.extend(page.memories);
                query.after = page.next;
                if query.after.is_none() || left == 0 {
                    break;
                }
            }
        }
        memories.retain(|memory| seen.insert(memory.id));
        Ok(memories)
    }

    /// Whether a memory is one statement that holds now and matters. Documents have files of their own.
    fn is_for_show(&self, memory: &Memory) -> bool {
        let now: Timestamp = self.engine.options().clock.now();
        let is_statement = memory.layer != Layer::Working
            && !matches!(memory.kind, Kind::Document | Kind::Episode)
            && memory.document().is_none()
            && memory.part().is_none();
        let matters = memory.facets.pinned
            || self.state.own.contains(&memory.id)
            || matches!(memory.zone, Zone::Core | Zone::Inner)
            || memory.importance >= self.settings.importance_min;
        // An agent obeys this file. What reads like an order stays out of it, unless somebody wrote it there by hand.
        let is_safe = self.state.own.contains(&memory.id) || !gives_orders(&memory.content);
        memory.is_visible(now) && is_statement && matters && is_safe
    }

    /// How far behind a memory comes: pinned and written by hand first, then by zone, then by importance.
    fn rank(&self, memory: &Memory) -> f32 {
        if memory.facets.pinned || self.state.own.contains(&memory.id) {
            return 0.0;
        }
        1.0 + f32::from(memory.zone.code()) + 0.999 * (1.0 - memory.importance.value())
    }
}

//! From memories to the section of a file.

use std::collections::HashSet;

use perihelion::gives_orders;

use crate::choose::Candidates;
use crate::files::FILE_BYTES_MAX;
use crate::markers::{self, FRAME_LINES};
use crate::pass::Pass;
use crate::read::Statement;
use crate::report::{Exported, FileFate};
use crate::state::{Shown, lines_of};
use crate::{BridgeError, Rehearsal};

/// What Claude Code reads of a MEMORY.md at the start of a session.
const INDEX: &str = "MEMORY.md";
const INDEX_LINES_MAX: usize = 200;
const INDEX_BYTES_MAX: usize = 25 * 1024;

/// What a section has room for.
struct Room {
    lines: usize,
    bytes: usize,
    tokens: usize,
}

/// What a section shows.
#[derive(Default)]
struct Chosen {
    notes: Vec<(usize, Shown)>,
    memories: Vec<Shown>,
    tokens: usize,
    left_out: usize,
}

impl Pass<'_> {
    /// Writes what matters most into the section, if that is not what it shows already.
    pub(crate) fn export(
        &mut self,
        outside: &[Statement],
        durable: &[String],
    ) -> Result<Exported, BridgeError> {
        let candidates = self.candidates(outside)?;
        let hidden = candidates.hidden;
        let chosen = self.choose(candidates, outside, durable);
        let (notes, memories) = (chosen.notes.len(), chosen.memories.len());
        let mut shown: Vec<Shown> = chosen.notes.into_iter().map(|(_, own)| own).collect();
        shown.extend(chosen.memories);
        let before: Vec<String> = self.read_section().into_iter().map(|own| own.text).collect();
        let lines = lines_of(&shown);
        let missing = |from: &[String], other: &[String]| {
            let other: HashSet<&String> = other.iter().collect();
            from.iter().filter(|line| !other.contains(line)).cloned().collect()
        };
        let (added, removed) = (missing(&lines, &before), missing(&before, &lines));
        let (file, text) = self.outcome(&before, &lines)?;
        let warnings = self.warnings(&text, file);
        let has_section = self.section.is_some() || !lines.is_empty();
        let (frame_lines, frame_bytes) =
            if has_section { (FRAME_LINES, markers::frame_bytes()) } else { (0, 0) };
        let bytes = frame_bytes + lines.iter().map(|line| line.len() + 3).sum::<usize>();
        self.show(file, &text, shown)?;
        Ok(Exported {
            path: self.target.path.clone(),
            namespace: self.namespace.clone(),
            rehearsal: self.rehearsal,
            file,
            lines: lines.len() + frame_lines,
            bytes,
            tokens: chosen.tokens,
            memories,
            notes,
            left_out: chosen.left_out,
            hidden,
            added,
            removed,
            warnings,
        })
    }

    /// What the file becomes.
    fn outcome(&self, before: &[String], lines: &[String]) -> Result<(FileFate, String), BridgeError> {
        let is_same = match &self.section {
            Some(section) => before == lines && section.digest == markers::digest_of(lines),
            None => lines.is_empty(),
        };
        if is_same {
            return Ok((FileFate::Unchanged, self.text().to_owned()));
        }
        let path = || self.target.path.clone();
        let text = markers::put(self.text(), self.section.as_ref(), lines)
            .map_err(|damage| BridgeError::Markers { path: path(), damage })?;
        if text.len() as u64 > FILE_BYTES_MAX {
            return Err(BridgeError::TooLarge {
                path: path(),
                bytes: text.len() as u64,
                max: FILE_BYTES_MAX,
            });
        }
        let fate = if self.target.text.is_some() { FileFate::Written } else { FileFate::Created };
        Ok((fate, text))
    }

    /// Writes the file, and around that what it shows: whichever of the two is on the disk, it is known.
    fn show(&mut self, file: FileFate, text: &str, shown: Vec<Shown>) -> Result<(), BridgeError> {
        if self.rehearsal == Rehearsal::Dry {
            return Ok(());
        }
        if file != FileFate::Unchanged {
            self.state.announced = Some(shown.clone());
            self.save()?;
            self.target.write(text)?;
        }
        self.state.shown = shown;
        self.state.announced = None;
        self.save()
    }

    /// Chooses as much as there is room for: half of it is first for durable notes, the rest for memories, and what is
    /// left for notes again.
    fn choose(&self, candidates: Candidates, outside: &[Statement], durable: &[String]) -> Chosen {
        let known: HashSet<&str> = candidates.lines.iter().map(|own| own.line.as_str()).collect();
        let stated: HashSet<&str> = outside.iter().map(|own| own.text.as_str()).collect();
        let mut seen = HashSet::new();
        let mut notes: Vec<(usize, Shown)> = Vec::new();
        // An agent obeys this file: what reads like an order to one stays out of it.
        for (at, note) in durable.iter().enumerate().filter(|(_, note)| !gives_orders(note)) {
            let Some(own) = self.shown(note, None, 0) else { continue };
            let is_said = known.contains(own.line.as_str()) || stated.contains(own.line.as_str());
            if !is_said && !self.state.hides(None, &own.line) && seen.insert(own.line.clone()) {
                notes.push((at, own));
            }
        }
        let settings = self.settings;
        let whole = Room {
            lines: settings.lines_max.saturating_sub(FRAME_LINES),
            bytes: settings.section_bytes_max.saturating_sub(markers::frame_bytes()),
            tokens: settings.tokens_max,
        };
        let half = Room { lines: whole.lines / 2, bytes: whole.bytes / 2, tokens: whole.tokens / 2 };
        let mut chosen = Chosen::default();
        let mut used = Room { lines: 0, bytes: 0, tokens: 0 };
        let mut fits = |own: &Shown, room: &Room| {
            let next = Room {
                lines: used.lines + 1,
                bytes: used.bytes + own.line.len() + 3,
                tokens: used.tokens + (settings.count_tokens)(&own.line),
            };
            let fits = next.lines <= room.lines && next.bytes <= room.bytes && next.tokens <= room.tokens;
            if fits {
                used = next;
            }
            fits
        };
        let (first, later): (Vec<_>, Vec<_>) = notes.into_iter().partition(|(_, own)| fits(own, &half));
        let wanted = candidates.lines.len() + later.len();
        chosen.memories = candidates.lines.into_iter().filter(|own| fits(own, &whole)).collect();
        let last: Vec<_> = later.into_iter().filter(|(_, own)| fits(own, &whole)).collect();
        chosen.left_out = wanted - chosen.memories.len() - last.len();
        chosen.notes = first.into_iter().chain(last).collect();
        chosen.tokens = used.tokens;
        // In an order that stays, whatever is used more today.
        chosen.notes.sort_by_key(|(at, _)| *at);
        chosen.memories.sort_by_key(|own| (own.id.is_none(), own.id));
        chosen
    }

    /// What somebody should know of a file as it becomes.
    fn warnings(&self, text: &str, file: FileFate) -> Vec<String> {
        let is_index = self.target.path.file_name().is_some_and(|name| name == INDEX);
        let section = markers::find(text).ok().flatten().filter(|_| is_index && file != FileFate::Unchanged);
        let Some(section) = section else { return Vec::new() };
        let lines = text[..section.range.end].lines().count();
        let is_read = lines <= INDEX_LINES_MAX && section.range.end <= INDEX_BYTES_MAX;
        let told = format!(
            "the section ends on line {lines}, and Claude Code reads only the first {INDEX_LINES_MAX} lines or \
             {INDEX_BYTES_MAX} bytes of a {INDEX}; move the section up, markers and all, and it stays there"
        );
        if is_read { Vec::new() } else { vec![told] }
    }
}

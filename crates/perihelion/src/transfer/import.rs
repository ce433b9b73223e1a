//! Everything in.

use std::io::{BufRead, ErrorKind};
use std::sync::atomic::Ordering;

use jiff::SignedDuration;
use peri_store::{FeedbackRecord, ImportState, LearnedSet, Missing, OnConflict, Told, WeightSet, Write};
use peri_types::{EdgeType, Happening, Namespace, Scope};
use serde::Serialize;

use super::FORMAT;
use super::learning;
use super::line::{EdgeLine, LearnedLine, Line, NamespaceLine, WeightsLine, is_zero};
use super::meaning::Tally;
use super::outline::{Ending, Outline};
use super::parts::{self, Desk, Handling, Waiting};
use super::source::{ExportLines, Lines};
use crate::engine::{Core, Perihelion};
use crate::{Error, RedactedSecret, Redaction};

/// Why a line is refused is told in so many characters: what is wrong with it may be as long as the line.
const REASON_CHARS_MAX: usize = 300;
/// How long it is kept in mind how far an import was.
const STATES_KEPT: SignedDuration = SignedDuration::from_hours(30 * 24);

/// What an import does with what is here.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ImportMode {
    /// It stays; only memories with new ids come in. Notes are joined with those that are here, and none is lost.
    #[default]
    Append,
    /// Of two memories with the same id the one that was changed later holds; what the other said is a version of it. Where
    /// one of the two times lies ahead of the clock here, they cannot be compared, and the one here holds. Turns, patterns
    /// and trajectories with the same id, the notes of a session of the same name, and the digest, which goes to the
    /// archive, are replaced.
    Upsert,
    /// The imported memory holds in any case, and what the one here said is a version of it; and what the namespaces of the
    /// file hold beyond it goes to the trash at the end, if the file was
    /// whole. What was remembered since the import began stays, and so do the journal, patterns, trajectories and
    /// notes, which know no trash.
    Replace,
}

impl ImportMode {
    pub(super) fn on_conflict(self) -> OnConflict {
        match self {
            Self::Append => OnConflict::Keep,
            Self::Upsert => OnConflict::Replace,
            Self::Replace => OnConflict::TakeOver,
        }
    }
}

/// Whether an import happens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Effect {
    /// It does.
    #[default]
    Written,
    /// It only tells what would happen.
    Rehearsed,
}

/// Where an import begins that was interrupted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Start {
    /// Where it was.
    #[default]
    WhereItWas,
    /// At the first line.
    Anew,
}

/// How an import that was interrupted is known again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resume {
    /// What tells it from others: the same file with the same options has the same name.
    pub name: String,
    /// Where to begin.
    pub start: Start,
}

/// Whether to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// Go on.
    GoOn,
    /// Stop after what is under way.
    Stop,
}

/// How to import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportOptions {
    /// What to do with what is here.
    pub mode: ImportMode,
    /// Lines of other namespaces are refused. Everything is taken unless set.
    pub within: Scope,
    /// Longest line, in bytes; a longer one ends the import. A memory brings its whole history in one line, so there
    /// is no bound unless set.
    pub line_bytes_max: usize,
    /// So many refused lines are listed, further ones only counted. All are listed unless set.
    pub refused_listed_max: usize,
    /// Whether it happens.
    pub effect: Effect,
    /// How to go on if it is interrupted. It begins at the first line unless set.
    pub resume: Option<Resume>,
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self {
            mode: ImportMode::default(),
            within: Scope::All,
            line_bytes_max: usize::MAX,
            refused_listed_max: usize::MAX,
            effect: Effect::default(),
            resume: None,
        }
    }
}

/// What was imported, or would be.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Imported {
    /// Memories that are new here.
    pub added: u64,
    /// Memories that replaced those with their ids.
    pub replaced: u64,
    /// Memories that were here already, by their id or by what they say.
    pub known: u64,
    /// Memories that stayed as they are because they were changed here later than in the file.
    pub newer_here: u64,
    /// Edges that are here now.
    pub edges: u64,
    /// Sessions that were read.
    pub sessions: u64,
    /// Journal events that are new here.
    pub entries: u64,
    /// Turns that are new here or replaced those with their ids.
    pub turns: u64,
    /// Sets of notes, of sessions and digests, that are new here or changed what was here.
    pub notes: u64,
    /// Patterns that are new here or replaced those with their ids.
    pub patterns: u64,
    /// Trajectories that are new here or replaced those with their ids.
    pub trajectories: u64,
    /// Learned sets that are new here.
    pub learned: u64,
    /// Memories that were moved to the trash.
    pub trashed: u64,
    /// Lines that could not be taken, with the reason; the rest is kept.
    pub refused: Vec<(u64, String)>,
    /// Lines that could not be taken beyond those that are listed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub refused_unlisted: u64,
    /// Secrets that were taken out before anything was stored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redacted: Vec<RedactedSecret>,
    /// How it came to its end.
    pub ending: Ending,
    /// After which line it went on, if it had been interrupted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resumed_after: Option<u64>,
    /// The last line that was handled.
    pub lines: u64,
    /// Why nothing was moved to the trash although that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nothing_trashed: Option<String>,
}

impl Perihelion {
    /// Reads what [`Perihelion::export`] wrote. Nothing that comes in counts as idle from before. A line that cannot
    /// be taken is told of and left out.
    pub fn import(&self, lines: &mut dyn BufRead, options: ImportOptions) -> Result<Imported, Error> {
        self.import_watched(lines, options, &mut |_| Pace::GoOn)
    }

    /// The same, asking now and then whether to go on.
    pub fn import_watched(
        &self,
        lines: &mut dyn BufRead,
        options: ImportOptions,
        watch: &mut dyn FnMut(&ImportState) -> Pace,
    ) -> Result<Imported, Error> {
        let mut source = ExportLines::new(lines, options.line_bytes_max);
        self.import_lines(&mut source, &options, Handling::default(), watch).map(|(imported, _)| imported)
    }

    /// The same from lines of any kind, telling how the memories came to their vectors.
    pub(crate) fn import_lines(
        &self,
        source: &mut dyn Lines,
        options: &ImportOptions,
        handling: Handling,
        watch: &mut dyn FnMut(&ImportState) -> Pace,
    ) -> Result<(Imported, Tally), Error> {
        let core = &*self.core;
        core.leaves_chores.store(true, Ordering::Relaxed);
        let begun = begin(core, options)?;
        let mut outline = Outline::new(options.mode == ImportMode::Replace);
        if begun.lines > 0 {
            skim(source, begun.lines, &mut outline)?;
        }
        let mut import = Import { core, options, outline, redacted: Vec::new(), learned: None };
        let mut taken =
            parts::run(core, options, handling, begun.clone(), |desk| import.read(source, desk, watch))?;
        let Import { outline, redacted, .. } = import;
        let mut nothing_trashed = None;
        if options.mode == ImportMode::Replace {
            nothing_trashed = why_not_whole(taken.ending, &outline, taken.state.refused);
            if nothing_trashed.is_none() {
                taken.sweep(core, options, &outline)?;
            }
        }
        core.finish_import(options, taken.ending, &begun, &taken.state)?;
        let resumed_after = (begun.lines > 0).then_some(begun.lines);
        let tally = taken.tally;
        let told = Imported { redacted, resumed_after, nothing_trashed, ..Imported::default() };
        Ok((taken.tell(told), tally))
    }
}

/// Where an import begins: at the first line, unless it was interrupted and is to go on.
fn begin(core: &Core, options: &ImportOptions) -> Result<ImportState, Error> {
    let fresh = ImportState { started_at: core.now(), ..ImportState::default() };
    let Some(resume) = &options.resume else { return Ok(fresh) };
    match resume.start {
        Start::WhereItWas => Ok(core.store.import_state(&resume.name)?.unwrap_or(fresh)),
        Start::Anew if options.effect == Effect::Rehearsed => Ok(fresh),
        Start::Anew => {
            core.store.write(vec![Write::DropImport { name: resume.name.clone() }])?;
            Ok(fresh)
        }
    }
}

/// Reads past lines that were handled before, only to know what they are about.
fn skim(source: &mut dyn Lines, lines: u64, outline: &mut Outline) -> Result<(), Error> {
    while source.place().0 < lines && source.advance()? {
        // What was wrong with a line was told and counted when it was handled.
        let parsed = source.read().ok().flatten();
        drop(parsed.map(|line| outline.note(&line)));
    }
    Ok(())
}

/// Why a file cannot be taken for all that its namespaces hold.
fn why_not_whole(ending: Ending, outline: &Outline, refused: u64) -> Option<String> {
    let why = match ending {
        Ending::Cut => "the file was cut: its last line is missing",
        Ending::Unmarked => "the file has no last line that would show that it is whole",
        Ending::Stopped => "the import was stopped",
        Ending::Whole if outline.is_partial => "the file holds only a part of its namespaces",
        Ending::Whole if refused > 0 => "lines were refused",
        Ending::Whole => return None,
    };
    Some(why.to_owned())
}

impl Core {
    /// Checks what comes from elsewhere as it would be checked if it was said here.
    fn check_line(&self, line: &Line) -> Result<(), Error> {
        let limits = &self.options.limits;
        match line {
            Line::Memory(line) => {
                self.check_memory(&line.memory)?;
                let contents = line.versions.iter().map(|version| version.content.as_str());
                contents.into_iter().try_for_each(|content| limits.check_content(content))?;
            }
            Line::Edge(line) => peri_graph::check_edge(&line.edge)?,
            Line::Session(session) => limits.check_label("session", &session.name)?,
            Line::Entry(entry) => self.check_entry(entry)?,
            Line::Turn(turn) => self.check_turn(turn)?,
            Line::Trajectory(trajectory) => self.check_trajectory(trajectory)?,
            Line::Pattern(pattern) => self.check_pattern(pattern)?,
            Line::Learned(line) => self.check_learned(line)?,
            Line::Notes(line) => {
                line.parcel.session().map_or(Ok(()), |own| limits.check_label("session", own.as_str()))?;
            }
            Line::Feedback(record) => limits.check_query(&record.query)?,
            Line::Weights(line) => limits.check_content(&line.reason)?,
            Line::Header(_) | Line::Namespace(_) | Line::End(_) => {}
        }
        Ok(())
    }

    /// Tells of an import, and forgets how far it was if it need not go on.
    fn finish_import(
        &self,
        options: &ImportOptions,
        ending: Ending,
        begun: &ImportState,
        state: &ImportState,
    ) -> Result<(), Error> {
        if options.effect == Effect::Rehearsed {
            return Ok(());
        }
        let taken = |state: &ImportState| state.added + state.replaced;
        let memories = taken(state).saturating_sub(taken(begun));
        let what = Happening::Imported { memories, edges: state.edges.saturating_sub(begun.edges) };
        let at = self.now();
        let mut writes = vec![Write::Tell(Told { namespace: None, at, what })];
        if let Some(resume) = options.resume.as_ref().filter(|_| ending != Ending::Stopped) {
            writes.push(Write::DropImport { name: resume.name.clone() });
        }
        let before = at.checked_sub(STATES_KEPT).unwrap_or(at);
        writes.push(Write::DropImports { before });
        self.write(writes)?;
        self.nudge();
        self.nudge_notes();
        Ok(())
    }
}

/// An import under way: from lines to what they ask for.
struct Import<'a> {
    core: &'a Core,
    options: &'a ImportOptions,
    outline: Outline,
    redacted: Vec<RedactedSecret>,
    /// What use had taught in the namespace it is at, before the import came to it.
    learned: Option<Learned>,
}

/// What use has taught in a namespace.
struct Learned {
    namespace: Namespace,
    feedback: Vec<FeedbackRecord>,
    weights: Vec<WeightSet>,
    sets: Vec<LearnedSet>,
}

impl Import<'_> {
    /// Reads to the end, or as far as it goes. What was read is handed over whatever comes after it.
    fn read(
        &mut self,
        source: &mut dyn Lines,
        desk: &mut Desk<'_>,
        watch: &mut dyn FnMut(&ImportState) -> Pace,
    ) -> Result<Ending, Error> {
        loop {
            match source.advance() {
                Ok(true) => {}
                Ok(false) => return Ok(self.outline.ending()),
                // What was compressed and cut ends in the middle of something.
                Err(Error::Transfer(error)) if error.kind() == ErrorKind::UnexpectedEof => {
                    return Ok(Ending::Cut);
                }
                Err(error) => return Err(error),
            }
            let (number, bytes) = source.place();
            let taken = match source.read() {
                Ok(Some(line)) => self.take(number, line)?,
                Ok(None) => Ok(None),
                Err(why) => Err(why),
            };
            match taken {
                Ok(Some(waiting)) => desk.add(number, waiting, source.len()),
                Ok(None) => {}
                Err(why) => desk.refuse(number, why.chars().take(REASON_CHARS_MAX).collect()),
            }
            desk.come_to(number, bytes);
            if desk.is_full() && (!desk.hand_over() || watch(&desk.progress()) == Pace::Stop) {
                return Ok(Ending::Stopped);
            }
        }
    }

    /// What a line asks for, if for anything; or why it cannot be taken.
    fn take(&mut self, number: u64, mut taken: Line) -> Result<Result<Option<Waiting>, String>, Error> {
        if let Line::Header(header) = &taken
            && header.perihelion > FORMAT
        {
            let detail = format!("it has format {}, this release knows up to {FORMAT}", header.perihelion);
            return Err(Error::Import { line: number, detail });
        }
        if let Err(why) = self.outline.note(&taken) {
            return Ok(Err(why));
        }
        if let Some(namespace) = taken.namespace().filter(|own| !self.options.within.contains(own)) {
            return Ok(Err(format!("{namespace} is not within {}", self.options.within)));
        }
        if let Err(error) = self.core.check_line(&taken) {
            return Ok(Err(error.to_string()));
        }
        if let Some(why) = learning::wrong_number(&taken) {
            return Ok(Err(why));
        }
        if self.core.options.redaction == Redaction::On {
            taken.redact(&mut self.redacted);
        }
        let is_here = self.has_learned(&taken)?
            || self.has_turn(&taken)?
            || learning::has_pattern(self.core, self.options, &taken)?;
        if is_here {
            return Ok(Ok(None));
        }
        Ok(Ok(self.asks_for(taken)))
    }

    fn asks_for(&self, line: Line) -> Option<Waiting> {
        let write = match line {
            Line::Memory(memory) => return Some(Waiting::Memory(memory)),
            Line::Session(session) => return Some(Waiting::Session(session)),
            Line::Entry(entry) => return Some(Waiting::Entry(entry)),
            Line::Turn(turn) => return Some(Waiting::Turn(turn)),
            Line::Notes(line) => return Some(Waiting::Notes(line)),
            Line::Pattern(pattern) => return Some(Waiting::Pattern(pattern)),
            Line::Trajectory(trajectory) => return Some(Waiting::Trajectory(trajectory)),
            Line::Learned(line) => {
                let LearnedLine { namespace, name, at, value, reason } = *line;
                Write::SetLearned { namespace, name, value, reason, at }
            }
            Line::Edge(EdgeLine { namespace, edge }) => {
                // What replaced others points to all of them, however many.
                let replaces = edge.edge_type == EdgeType::Supersedes;
                let max = if replaces { usize::MAX } else { self.core.options.graph.edges_max };
                Write::Link { namespace, edges: vec![edge], max, missing: Missing::Skipped }
            }
            Line::Feedback(record) => Write::Judge(Box::new(record)),
            Line::Weights(WeightsLine { namespace, at, weights, reason }) => {
                Write::SetWeights { namespace, value: weights, reason, at }
            }
            Line::Namespace(NamespaceLine { namespace, settled_at }) => {
                Write::AdoptSettled { namespace, settled_at: settled_at? }
            }
            Line::Header(_) | Line::End(_) => return None,
        };
        Some(Waiting::Other(write))
    }

    /// Whether a turn is here already that is to stay as it is. Entries never change, so that the store leaves those
    /// alone that it has.
    fn has_turn(&self, line: &Line) -> Result<bool, Error> {
        let Line::Turn(turn) = line else { return Ok(false) };
        let stays = self.options.mode == ImportMode::Append;
        let scope = Scope::Exact(turn.namespace.clone());
        Ok(stays && self.core.store.turn(&scope, turn.id)?.is_some())
    }

    /// Whether this very piece of what use has taught was here before.
    fn has_learned(&mut self, line: &Line) -> Result<bool, Error> {
        let namespace = match line {
            Line::Feedback(FeedbackRecord { namespace, .. })
            | Line::Weights(WeightsLine { namespace, .. }) => namespace,
            Line::Learned(line) => &line.namespace,
            _ => return Ok(false),
        };
        let known = match self.learned.take().filter(|known| known.namespace == *namespace) {
            Some(known) => known,
            None => {
                let store = &self.core.store;
                let feedback = store.feedback(namespace, usize::MAX >> 1)?;
                let (weights, sets) = (store.weights(namespace)?, learning::sets(&**store, namespace)?);
                Learned { namespace: namespace.clone(), feedback, weights, sets }
            }
        };
        let known = self.learned.insert(known);
        Ok(match line {
            Line::Feedback(record) => known.feedback.contains(record),
            Line::Weights(WeightsLine { at, weights, reason, .. }) => {
                let same = |set: &WeightSet| set.at == *at && set.value == *weights && set.reason == *reason;
                known.weights.iter().any(same)
            }
            Line::Learned(line) => {
                let LearnedLine { name, at, value, reason, .. } = &**line;
                let same = |set: &LearnedSet| {
                    set.name == *name && set.at == *at && set.value == *value && set.reason == *reason
                };
                known.sets.iter().any(same)
            }
            _ => false,
        })
    }
}

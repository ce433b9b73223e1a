//! From what lines ask for to what is written: in parts, each of them together with how far the import is then.
//!
//! While one part is written, the next is read and embedded; a third waits at most.

use std::collections::{HashMap, HashSet};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use parking_lot::Mutex;
use peri_store::{ImportNote, ImportPart, ImportState, Session, Write, Written};
use peri_types::{JournalEntry, Memory, MemoryId, Namespace, Pattern, Scope, Trajectory, Turn};

use super::import::{Effect, ImportMode, ImportOptions, Imported};
use super::learning;
use super::line::NotesLine;
use super::meaning::{self, Fate, Tally};
use super::memory_line::MemoryLine;
use super::notes::{self, Noted};
use super::outline::Ending;
use super::rehearsal::Rehearsal;
use crate::Error;
use crate::engine::Core;

/// A part has so many writes at most...
const WRITES_MAX: usize = 1024;
/// ...or fewer, when their lines have so many bytes together.
const BYTES_MAX: usize = 4 * 1024 * 1024;
/// After so many lines it is handed over although it asks for little.
const LINES_MAX: u64 = 65_536;

/// What an import does other than usual.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Handling {
    /// A part has so many writes at most, which are embedded and written together.
    pub(crate) writes_max: usize,
    /// What becomes of a line whose id is taken by something that says something else.
    pub(crate) differing: Differing,
}

impl Default for Handling {
    fn default() -> Self {
        Self { writes_max: WRITES_MAX, differing: Differing::Known }
    }
}

/// What becomes of a line whose id is taken by something that says something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Differing {
    /// It counts as known: who exports and imports knows that memories are revised.
    Known,
    /// It is refused, unless what is here was revised since.
    Refused,
}

/// What a line asks for.
pub(super) enum Waiting {
    /// A memory, which is embedded first.
    Memory(Box<MemoryLine>),
    /// A session, which is counted.
    Session(Session),
    /// A journal event.
    Entry(Box<JournalEntry>),
    /// A turn, which is counted.
    Turn(Box<Turn>),
    /// A pattern, which is embedded first, and counted.
    Pattern(Box<Pattern>),
    /// The steps of a task.
    Trajectory(Box<Trajectory>),
    /// Notes, which may lie elsewhere than in the store.
    Notes(Box<NotesLine>),
    /// Something else.
    Other(Write),
}

/// Lines that are taken, and which of them are here already.
type Sorted = (Vec<(u64, Waiting)>, HashSet<u64>);

/// What is written together.
#[derive(Default)]
pub(super) struct Part {
    /// What to write, each with the line that asked for it.
    pub(super) writes: Vec<(u64, Write)>,
    /// How each of these came to its vector, if it is a memory.
    pub(super) fates: Vec<Option<Fate>>,
    /// The notes to take before, each with its line.
    pub(super) notes: Vec<(u64, NotesLine)>,
    /// The last line up to here, and the bytes of all of them.
    pub(super) through: (u64, u64),
    /// Sessions, turns, patterns and refused lines in it.
    pub(super) sessions: u64,
    pub(super) turns: u64,
    pub(super) patterns: u64,
    pub(super) refused: u64,
}

impl Part {
    /// Where the import is with this part, before what becomes of its writes.
    pub(super) fn advance(&self, state: &mut ImportState) {
        (state.lines, state.bytes) = self.through;
        state.sessions += self.sessions;
        state.turns += self.turns;
        state.patterns += self.patterns;
        state.refused += self.refused;
    }
}

/// Lines that could not be taken.
#[derive(Default)]
struct Refusals {
    listed: Vec<(u64, String)>,
    max: usize,
}

impl Refusals {
    fn add(&mut self, number: u64, why: String) {
        if self.listed.len() < self.max {
            self.listed.push((number, why));
        }
    }
}

/// Where lines are gathered until they make a part.
pub(super) struct Desk<'a> {
    core: &'a Core,
    options: &'a ImportOptions,
    handling: Handling,
    outlet: Outlet<'a>,
    /// How far the import is written.
    progress: &'a Mutex<ImportState>,
    waiting: Vec<(u64, Waiting)>,
    waiting_bytes: usize,
    /// The last line that was handed over.
    handed_over: u64,
    through: (u64, u64),
    refused_since: u64,
    refusals: Refusals,
    /// Why nothing can be handed over any more.
    failed: Option<Error>,
}

/// Where parts go.
enum Outlet<'a> {
    Store(SyncSender<Part>),
    Rehearsal(Box<Rehearsal<'a>>),
}

/// Hands what is read over to the store, or to a rehearsal, and tells what came of it.
pub(super) fn run(
    core: &Core,
    options: &ImportOptions,
    handling: Handling,
    begun: ImportState,
    read: impl FnOnce(&mut Desk<'_>) -> Result<Ending, Error>,
) -> Result<Taken, Error> {
    let (progress, tally) = (Mutex::new(begun), Mutex::new(Tally::default()));
    let (ending, refusals, written, rehearsal) = match options.effect {
        Effect::Rehearsed => {
            let outlet = Outlet::Rehearsal(Box::new(Rehearsal::new(core, options, &progress, &tally)));
            let desk = Desk::new(core, options, handling, &progress, outlet);
            let (ending, refusals, rehearsal) = desk.attend(read);
            let (refused, placed) = rehearsal.map(|rehearsal| rehearsal.close()).unzip();
            (ending, refusals, refused.unwrap_or(Ok(Vec::new())), placed)
        }
        Effect::Written => std::thread::scope(|threads| {
            let (parts, queue) = sync_channel(1);
            let writer = threads.spawn(|| write_parts(core, options, &progress, &tally, queue));
            let outlet = Outlet::Store(parts);
            let desk = Desk::new(core, options, handling, &progress, outlet);
            let (ending, refusals, _) = desk.attend(read);
            let written = writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            (ending, refusals, written, None)
        }),
    };
    let mut refused = refusals.listed;
    refused.extend(written?);
    refused.sort_by_key(|(number, _)| *number);
    refused.truncate(options.refused_listed_max);
    Ok(Taken { state: progress.into_inner(), tally: tally.into_inner(), ending: ending?, refused, rehearsal })
}

impl<'a> Desk<'a> {
    fn new(
        core: &'a Core,
        options: &'a ImportOptions,
        handling: Handling,
        progress: &'a Mutex<ImportState>,
        outlet: Outlet<'a>,
    ) -> Self {
        let (lines, bytes) = {
            let begun = progress.lock();
            (begun.lines, begun.bytes)
        };
        Self {
            core,
            options,
            handling,
            outlet,
            progress,
            waiting: Vec::new(),
            waiting_bytes: 0,
            handed_over: lines,
            through: (lines, bytes),
            refused_since: 0,
            refusals: Refusals { listed: Vec::new(), max: options.refused_listed_max },
            failed: None,
        }
    }

    /// Reads, and hands over what is left, however reading ended. After that nothing can come any more, which ends the
    /// writer; a rehearsal is handed back.
    fn attend(
        mut self,
        read: impl FnOnce(&mut Desk<'_>) -> Result<Ending, Error>,
    ) -> (Result<Ending, Error>, Refusals, Option<Box<Rehearsal<'a>>>) {
        let ending = read(&mut self);
        self.hand_over();
        let ending = self.failed.map_or(ending, Err);
        let rehearsal = match self.outlet {
            Outlet::Store(_) => None,
            Outlet::Rehearsal(rehearsal) => Some(rehearsal),
        };
        (ending, self.refusals, rehearsal)
    }

    /// Takes what a line asks for.
    pub(super) fn add(&mut self, number: u64, waiting: Waiting, bytes: usize) {
        self.waiting.push((number, waiting));
        self.waiting_bytes += bytes;
    }

    /// Notes that a line cannot be taken.
    pub(super) fn refuse(&mut self, number: u64, why: String) {
        self.refused_since += 1;
        self.refusals.add(number, why);
    }

    /// Notes how far reading is.
    pub(super) fn come_to(&mut self, line: u64, bytes: u64) {
        self.through = (line, bytes);
    }

    /// Whether there is enough for a part.
    pub(super) fn is_full(&self) -> bool {
        self.waiting.len() >= self.handling.writes_max
            || self.waiting_bytes >= BYTES_MAX
            || self.through.0 - self.handed_over >= LINES_MAX
    }

    /// How far the import is written.
    pub(super) fn progress(&self) -> ImportState {
        self.progress.lock().clone()
    }

    /// Hands over what waits. `false`: nobody takes it any more.
    pub(super) fn hand_over(&mut self) -> bool {
        let part = match self.part() {
            Ok(part) => part,
            Err(error) => {
                self.failed = Some(error);
                return false;
            }
        };
        match &mut self.outlet {
            Outlet::Store(parts) => parts.send(part).is_ok(),
            Outlet::Rehearsal(rehearsal) => rehearsal.play(part),
        }
    }

    fn part(&mut self) -> Result<Part, Error> {
        let waiting = std::mem::take(&mut self.waiting);
        self.waiting_bytes = 0;
        self.handed_over = self.through.0;
        let (waiting, known) = self.sort_out(waiting)?;
        let mut meanings = meaning::of(self.core, &waiting, &known, self.options.effect).into_iter();
        let (at, on_conflict) = (self.core.now(), self.options.mode.on_conflict());
        let mut part = Part { through: self.through, refused: self.refused_since, ..Part::default() };
        self.refused_since = 0;
        let mut next = || {
            meanings.next().map_or((peri_store::Embedding::Pending, None), |meaning| {
                (meaning.embedding, Some(meaning.fate))
            })
        };
        for (number, waiting) in waiting {
            let mut fate = None;
            let write = match waiting {
                Waiting::Memory(line) => {
                    let (embedding, own) = next();
                    fate = own;
                    Write::Adopt { whole: Box::new(line.with(embedding)), on_conflict, at }
                }
                Waiting::Session(session) => {
                    part.sessions += 1;
                    Write::AdoptSession(Box::new(session))
                }
                Waiting::Entry(entry) => Write::AppendEntries { entries: vec![*entry], at },
                Waiting::Turn(turn) => {
                    part.turns += 1;
                    Write::PutTurn { turn, at }
                }
                Waiting::Pattern(pattern) => {
                    part.patterns += 1;
                    learning::put(*pattern, next().0)
                }
                Waiting::Trajectory(trajectory) => Write::AdoptTrajectory { trajectory, on_conflict, at },
                Waiting::Notes(line) => {
                    part.notes.push((number, *line));
                    continue;
                }
                Waiting::Other(write) => write,
            };
            part.writes.push((number, write));
            part.fates.push(fate);
        }
        Ok(part)
    }

    /// Leaves out memories whose id is taken by something else, if that is asked for, and tells by their lines which of
    /// the others are here already.
    fn sort_out(&mut self, waiting: Vec<(u64, Waiting)>) -> Result<Sorted, Error> {
        let mut known = HashSet::new();
        if self.options.mode != ImportMode::Append {
            return Ok((waiting, known));
        }
        let here = self.here(&waiting)?;
        let mut said = HashMap::new();
        let mut kept = Vec::with_capacity(waiting.len());
        for (number, waiting) in waiting {
            if let Waiting::Memory(line) = &waiting {
                let memory = &line.memory;
                let place = (memory.namespace.clone(), memory.id);
                let same = match here.get(&place) {
                    Some(here) => here.version > 1 || here.content == memory.content,
                    None => {
                        let own = memory.fingerprint();
                        *said.entry(place.clone()).or_insert(own) == own && !self.was_rehearsed(memory)
                    }
                };
                if !same && self.handling.differing == Differing::Refused {
                    self.refuse(number, TAKEN.to_owned());
                    continue;
                }
                if here.contains_key(&place) {
                    known.insert(number);
                }
            }
            kept.push((number, waiting));
        }
        Ok((kept, known))
    }

    /// Whether something else would have been stored under a memory's id before.
    fn was_rehearsed(&self, memory: &Memory) -> bool {
        let Outlet::Rehearsal(rehearsal) = &self.outlet else { return false };
        rehearsal.says(&memory.namespace, memory.id).is_some_and(|says| says != memory.fingerprint())
    }

    /// The memories of the store that have the ids of those that wait.
    fn here(&self, waiting: &[(u64, Waiting)]) -> Result<HashMap<(Namespace, MemoryId), Memory>, Error> {
        let mut ids: HashMap<&Namespace, Vec<MemoryId>> = HashMap::new();
        for (_, waiting) in waiting {
            if let Waiting::Memory(line) = waiting {
                ids.entry(&line.memory.namespace).or_default().push(line.memory.id);
            }
        }
        let mut here = HashMap::new();
        for (namespace, ids) in ids {
            // What came before with an id that another namespace holds is here under one of its own.
            let given: HashMap<MemoryId, MemoryId> =
                ids.iter().map(|id| (id.within(namespace), *id)).collect();
            let wanted: Vec<MemoryId> = ids.iter().chain(given.keys()).copied().collect();
            for memory in self.core.store.get(&Scope::Exact(namespace.clone()), &wanted)? {
                let id = given.get(&memory.id).copied().unwrap_or(memory.id);
                here.entry((memory.namespace.clone(), id)).or_insert(memory);
            }
        }
        Ok(here)
    }
}

/// Why a memory is refused that is well-formed.
const TAKEN: &str = "another record or memory has this id and says something else; it stays as it is";

/// Writes parts as they come. What is refused only now is told with its lines.
fn write_parts(
    core: &Core,
    options: &ImportOptions,
    progress: &Mutex<ImportState>,
    tally: &Mutex<Tally>,
    parts: Receiver<Part>,
) -> Result<Vec<(u64, String)>, Error> {
    let mut refusals = Refusals { listed: Vec::new(), max: options.refused_listed_max };
    while let Ok(part) = parts.recv() {
        let mut state = progress.lock().clone();
        part.advance(&mut state);
        // If it ends between these and the part, they are taken again, which changes nothing.
        for (number, line) in &part.notes {
            match notes::take(core, options, line)? {
                Noted::Taken => state.notes += 1,
                Noted::Known => {}
                Noted::Refused(why) => {
                    state.refused += 1;
                    refusals.add(*number, why);
                }
            }
        }
        let (numbers, writes): (Vec<u64>, Vec<Write>) = part.writes.into_iter().unzip();
        if !writes.is_empty() || !part.notes.is_empty() {
            let made = write_part(core, options, writes, &mut state)?;
            let mut tally = tally.lock();
            part.fates.iter().zip(&made).for_each(|(fate, made)| tally.count(*fate, made));
            for (number, _) in numbers.into_iter().zip(made).filter(|(_, made)| *made == Written::Linked(0)) {
                refusals.add(number, UNLINKABLE.to_owned());
            }
        }
        *progress.lock() = state;
    }
    Ok(refusals.listed)
}

/// Why an edge is refused that is well-formed.
pub(super) const UNLINKABLE: &str = "a memory it links is not here, or has heavier edges enough";

/// Writes a part with how far the import is then, and counts what became of it.
pub(super) fn write_part(
    core: &Core,
    options: &ImportOptions,
    writes: Vec<Write>,
    state: &mut ImportState,
) -> Result<Vec<Written>, Error> {
    let note = options.resume.as_ref().map(|resume| {
        let (name, state) = (resume.name.clone(), state.clone());
        ImportNote { name, state, at: core.now() }
    });
    let made = core.write(vec![Write::Import(Box::new(ImportPart { writes, note }))])?;
    let Some(Written::Imported(made)) = made.into_iter().next() else { return Ok(Vec::new()) };
    made.iter().for_each(|one| state.count(one));
    Ok(made)
}

/// What was taken of a file.
pub(super) struct Taken {
    pub(super) state: ImportState,
    pub(super) tally: Tally,
    pub(super) ending: Ending,
    pub(super) refused: Vec<(u64, String)>,
    /// What a rehearsal changed, if it was one.
    pub(super) rehearsal: Option<super::rehearsal::Placed>,
}

impl Taken {
    /// The same for whoever asked.
    pub(super) fn tell(self, told: Imported) -> Imported {
        let Self { state, ending, refused, .. } = self;
        let ImportState {
            lines,
            added,
            replaced,
            known,
            newer_here,
            edges,
            sessions,
            entries,
            turns,
            notes,
            patterns,
            trajectories,
            learned,
            trashed,
            ..
        } = state;
        let refused_unlisted = state.refused.saturating_sub(refused.len() as u64);
        Imported {
            ending,
            lines,
            added,
            replaced,
            known,
            newer_here,
            edges,
            sessions,
            entries,
            turns,
            notes,
            patterns,
            trajectories,
            learned,
            trashed,
            refused,
            refused_unlisted,
            ..told
        }
    }
}

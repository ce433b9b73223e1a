//! Every call fails once: each chapter of a life is lived again and again, and each time another call of it fails.

mod chapters;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use perihelion::Perihelion;

use crate::actor::{self, DATA};
use crate::ledger::{Came, Ledger, When};
use crate::order::{Answer, Manner, Order};
use crate::picture;
use crate::process::{Heard, Place, Process};
use crate::random::Random;
use crate::shim::{self, Action, Errno};
use chapters::{CHAPTERS, Chapter, Folder};

/// Which faults are tried.
#[derive(Debug, Clone)]
pub(crate) struct Which {
    /// So many, drawn by the seed; none: all of them.
    pub(crate) seed: Option<u64>,
    /// No new one is begun after this long.
    pub(crate) at_most: Duration,
    /// Of one chapter alone.
    pub(crate) chapter: Option<String>,
    /// At one call alone.
    pub(crate) call: Option<u64>,
    /// In one way alone.
    pub(crate) fault: Option<String>,
}

/// What is done to a call.
#[derive(Debug, Clone, Copy)]
struct Fault {
    name: &'static str,
    action: Action,
    error: Errno,
    then: Then,
}

/// What follows once the call has failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Then {
    /// Life goes on.
    Nothing,
    /// The process is killed as soon as it has answered.
    Death,
}

const FAULTS: [Fault; 8] = [
    Fault { name: "defect", action: Action::FailOnce, error: Errno::Defect, then: Then::Nothing },
    Fault { name: "full", action: Action::FailOnce, error: Errno::Full, then: Then::Nothing },
    Fault { name: "interrupted", action: Action::FailOnce, error: Errno::Interrupted, then: Then::Nothing },
    Fault { name: "no-memory", action: Action::FailOnce, error: Errno::NoMemory, then: Then::Nothing },
    Fault { name: "half", action: Action::Half, error: Errno::Defect, then: Then::Nothing },
    Fault { name: "killed", action: Action::Kill, error: Errno::Defect, then: Then::Nothing },
    Fault { name: "defect-and-death", action: Action::FailOnce, error: Errno::Defect, then: Then::Death },
    Fault { name: "torn", action: Action::Tear, error: Errno::Defect, then: Then::Nothing },
];

/// What came of all runs.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) runs: u64,
    pub(crate) struck: u64,
    pub(crate) possible: u64,
    /// Each with how to see it again.
    pub(crate) findings: Vec<String>,
}

const BY_HAND: Manner = Manner { queues: true, threads: false, busy_ms: 60 };
const UNQUEUED: Manner = Manner { queues: false, ..BY_HAND };

/// Where runs take place, and the folder that most of them begin with.
struct Stage {
    place: Place,
    base: PathBuf,
    known: Ledger,
}

/// Tries faults and tells what was found.
pub(crate) fn run(which: &Which, tell: &mut dyn FnMut(&str)) -> io::Result<Outcome> {
    let scratch = tempfile::tempdir()?;
    let scratch_path = scratch.path().canonicalize()?;
    let stage = Stage::prepare(&scratch_path)?;
    let mut runs = Vec::new();
    let mut outcome = Outcome::default();
    for chapter in CHAPTERS.iter().filter(|own| which.chapter.as_deref().is_none_or(|name| name == own.name))
    {
        let calls = stage.count(chapter)?;
        tell(&format!("{}: {calls} calls", chapter.name));
        let every = (1..=calls).filter(|call| which.call.is_none_or(|one| one == *call));
        let faults: Vec<Fault> = FAULTS
            .iter()
            .filter(|own| which.fault.as_deref().is_none_or(|name| name == own.name))
            .copied()
            .collect();
        runs.extend(
            every
                .flat_map(|call| faults.iter().map(move |fault| (chapter, call, *fault)).collect::<Vec<_>>()),
        );
    }
    outcome.possible = runs.len() as u64;
    if let Some(seed) = which.seed {
        shuffle(&mut runs, seed);
    }
    let began = Instant::now();
    for (chapter, call, fault) in runs {
        if began.elapsed() > which.at_most {
            break;
        }
        outcome.runs += 1;
        let (struck, findings) = stage.live(chapter, Some((call, fault)))?;
        outcome.struck += u64::from(struck.is_some());
        let where_ = struck.unwrap_or_default();
        for finding in findings {
            let again = format!(
                "peri-sim faults --all --chapter {} --call {call} --fault {}",
                chapter.name, fault.name
            );
            let line =
                format!("{} call {call} ({where_}) {}: {finding}\n    {again}", chapter.name, fault.name);
            tell(&line);
            outcome.findings.push(line);
        }
    }
    Ok(outcome)
}

fn shuffle<T>(runs: &mut [T], seed: u64) {
    let mut random = Random::new(seed);
    for last in (1..runs.len()).rev() {
        let other = usize::try_from(random.below(last as u64 + 1)).unwrap_or(0);
        runs.swap(last, other);
    }
}

impl Stage {
    fn prepare(scratch: &Path) -> io::Result<Self> {
        let shim = shim::compile(&scratch.join("shim"))?;
        let [root, desk, base] = ["root", "desk", "base"].map(|name| scratch.join(name));
        for folder in [&root, &desk, &base] {
            fs::create_dir_all(folder)?;
        }
        let place = Place { shim, root, desk, record: None };
        let mut stage = Self { place, base, known: Ledger::default() };
        let mut process = Process::start(&stage.place, "base")?;
        for order in chapters::base() {
            let mut order = order;
            chapters::fill(&mut order, &stage.known);
            match process.ask(&order)? {
                Heard::Answer(Answer::Refused { text, .. }) => return Err(io::Error::other(text)),
                Heard::Answer(answer) => stage.known.note(&order, &Came::Answer(&answer), 0),
                Heard::Gone | Heard::Nothing => return Err(io::Error::other("the first process died")),
            }
        }
        // As a crash leaves it, with a log that is still to be taken into the database.
        process.end()?;
        copy(&stage.place.root, &stage.base)?;
        Ok(stage)
    }

    /// How many calls a chapter makes when all is well. That it then does what it should is found out too.
    fn count(&self, chapter: &Chapter) -> io::Result<u64> {
        let never =
            Fault { name: "nothing", action: Action::Nothing, error: Errno::Defect, then: Then::Nothing };
        let mut calls = 0;
        let (_, findings) = self.live_counted(chapter, Some((u64::MAX >> 1, never)), &mut calls)?;
        match findings.first() {
            None => Ok(calls),
            Some(finding) => Err(io::Error::other(format!("{} without faults: {finding}", chapter.name))),
        }
    }

    fn live(
        &self,
        chapter: &Chapter,
        fault: Option<(u64, Fault)>,
    ) -> io::Result<(Option<String>, Vec<String>)> {
        self.live_counted(chapter, fault, &mut 0)
    }

    /// Lives a chapter. Where the fault struck and what was found is the answer.
    fn live_counted(
        &self,
        chapter: &Chapter,
        fault: Option<(u64, Fault)>,
        calls: &mut u64,
    ) -> io::Result<(Option<String>, Vec<String>)> {
        let mut ledger = self.set_up(chapter.folder)?;
        let mut findings = Vec::new();
        let mut process = Process::start(&self.place, "actor")?;
        if chapter.folder == Folder::Opened {
            process.ask(&Order::Open(BY_HAND))?;
        }
        let before = process.control.calls()?;
        if let Some((call, fault)) = fault {
            process.control.plan(call, chapter.kinds, fault.action, fault.error)?;
        }
        let may_die = fault.is_some_and(|(_, fault)| matches!(fault.action, Action::Kill | Action::Tear));
        for order in (chapter.orders)() {
            let tries = if fault.is_some_and(|(_, fault)| fault.then == Then::Death) { 1 } else { 2 };
            let lives = perform(&mut process, &order, tries, &mut ledger, &mut findings)?;
            if !lives {
                if !may_die {
                    findings.push(format!("the process died or hung at {order:?}"));
                }
                break;
            }
            let dies = fault.is_some_and(|(_, fault)| fault.then == Then::Death);
            if dies && process.control.struck()?.is_some() {
                break;
            }
        }
        *calls = process.control.calls()? - before;
        let struck = process.control.struck()?;
        let ended = process.end()?;
        if ended.panicked {
            findings.push(format!("it panicked: {}", ended.complaint));
        }
        findings.extend(self.look(&mut ledger));
        Ok((struck, findings))
    }

    /// An empty folder, or the one that most chapters begin with.
    fn set_up(&self, folder: Folder) -> io::Result<Ledger> {
        fs::remove_dir_all(&self.place.root)?;
        fs::create_dir_all(&self.place.root)?;
        if folder == Folder::Fresh {
            return Ok(Ledger::default());
        }
        copy(&self.base, &self.place.root)?;
        Ok(self.known.clone())
    }

    /// Opens the folder as the next process does and compares it with what is known.
    fn look(&self, ledger: &mut Ledger) -> Vec<String> {
        let options = actor::options(&self.place.root.join(DATA), Manner { busy_ms: 10_000, ..BY_HAND });
        let asked = ledger.asked();
        let picture = Perihelion::open(options).and_then(|engine| {
            let picture = picture::take(&engine, &asked, true)?;
            engine.close()?;
            Ok(picture)
        });
        match picture {
            Ok(picture) => ledger.compare(&picture, When::AtTheEnd),
            Err(error) => vec![format!("the folder cannot be looked at: {error}")],
        }
    }
}

/// Gives an order; one that is refused is given once more, with other words, and must succeed then. `false`: the
/// process is gone, or hangs.
fn perform(
    process: &mut Process,
    order: &Order,
    tries: u32,
    ledger: &mut Ledger,
    findings: &mut Vec<String>,
) -> io::Result<bool> {
    for attempt in 0..tries {
        let mut order = order.clone();
        chapters::fill(&mut order, ledger);
        if attempt > 0 {
            chapters::reword(&mut order);
        }
        let before = ledger.change();
        let Heard::Answer(answer) = process.ask(&order)? else {
            ledger.note(&order, &Came::Died, before);
            chapters::after(&order, None, ledger);
            return Ok(false);
        };
        ledger.note(&order, &Came::Answer(&answer), before);
        chapters::after(&order, Some(&answer), ledger);
        let Answer::Refused { kind, text, .. } = &answer else { return Ok(true) };
        if attempt > 0 {
            findings.push(format!("refused at the second try too, with {kind}: {text} ({order:?})"));
        } else if !fits(kind, &order, &process.control.struck()?.unwrap_or_default()) || text.is_empty() {
            findings.push(format!("a fault of the disk is told as {kind}: {text} ({order:?})"));
        }
    }
    Ok(true)
}

/// Whether a fault of the disk may be told like this: it is nobody's mistake, and nothing is damaged. But what cannot be
/// read is damaged as far as SQLite is concerned, and a backup that cannot be read back is given up.
fn fits(kind: &str, order: &Order, struck: &str) -> bool {
    match kind {
        "Internal" | "InvalidInput" | "NotFound" | "Conflict" => false,
        "Corrupt" => matches!(order, Order::Backup | Order::BringBack) || struck.starts_with("read "),
        _ => true,
    }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            fs::create_dir_all(&target)?;
            copy(&entry.path(), &target)?;
        } else if !entry.file_name().to_string_lossy().ends_with("-shm") {
            fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}

//! Starting: to open, to recall for the first time, to build an index anew, to follow another writer.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use perihelion::{Perihelion, Recall, Remember};

use super::One;
use super::figures::{Figures, ROUNDS, latency, median, timed};
use crate::Outcome;

const STARTS: usize = 10;
const WRITES: usize = 30;
/// Building anew is repeated while it takes less than this.
const REBUILD_REPEATED_UP_TO_US: f64 = 3e6;

/// In this process; the operating system has the files in its cache.
pub(super) fn measure(one: &One, plain: &[Recall], figures: &mut Figures) -> Outcome<()> {
    let opened = median(STARTS, || {
        let (time, engine) = timed(|| Perihelion::open(one.options()));
        engine?;
        Ok(time)
    })?;
    figures.insert("open_us".to_owned(), opened);
    let mut requests = plain.iter().cycle();
    let mut start = || {
        let (time, engine) = timed(|| first(one, requests.next()));
        engine.map(|_| time)
    };
    figures.insert("first_recall_ms".to_owned(), median(STARTS, &mut start)? / 1e3);
    figures.insert("rebuild_ms".to_owned(), rebuild(one, start)? / 1e3);
    follow(one, plain, figures)
}

/// The first recall when nothing is saved. What was saved is put back, since it holds the graph as well.
fn rebuild(one: &One, mut start: impl FnMut() -> Outcome<f64>) -> Outcome<f64> {
    let (index, aside) = (one.index(), one.index().with_extension("aside"));
    fs::rename(&index, &aside)?;
    let mut anew = || {
        let time = start()?;
        if index.exists() {
            fs::remove_dir_all(&index)?;
        }
        Ok(time)
    };
    let mut time = anew()?;
    if time < REBUILD_REPEATED_UP_TO_US {
        time = median(ROUNDS, anew)?;
    }
    fs::rename(&aside, &index)?;
    Ok(time)
}

/// Opens the folder and recalls once, as a process does that answers one question. Closing is up to the
/// caller, who may not want to count it.
pub(super) fn first(one: &One, request: Option<&Recall>) -> Outcome<Perihelion> {
    let engine = Perihelion::open(one.options())?;
    engine.recall(request.ok_or("there are no questions")?)?;
    Ok(engine)
}

/// One engine writes; another, on the same folder, recalls before and after.
fn follow(one: &One, plain: &[Recall], figures: &mut Figures) -> Outcome<()> {
    let (writer, reader) = (Perihelion::open(one.options())?, Perihelion::open(one.options())?);
    let recall = |request: &Recall| -> Outcome<f64> {
        let (time, recalled) = timed(|| reader.recall(request));
        recalled?;
        Ok(time)
    };
    let mut before = Vec::new();
    let mut written = 0;
    let after = latency(|| {
        let mut times = Vec::new();
        for request in plain.iter().cycle().skip(written).take(WRITES) {
            recall(request)?;
            before.push(recall(request)?);
            writer.remember(Remember::new(format!("Somebody else noted the number {written} just now")))?;
            written += 1;
            times.push(recall(request)?);
        }
        Ok(times)
    })?;
    after.enter(figures, "recall_after_write");
    let mut before = before.into_iter();
    let before = median(before.len(), || Ok(before.next().unwrap_or(f64::NAN)))?;
    figures.insert("recall_before_write_p50_us".to_owned(), before);
    Ok(())
}

/// Processes of their own, from being started to having ended: this program, and `peri` if it is there.
pub(super) fn processes(one: &One, figures: &mut Figures) -> Outcome<()> {
    let this = std::env::current_exe()?;
    let own = median(STARTS, || run(Command::new(&this).args(one.arguments("first"))))?;
    figures.insert("process_ms".to_owned(), own / 1e3);
    let question = "What did Ana say about the school and the house?";
    if let Some(peri) = beside(&this, "peri") {
        let mut command = Command::new(peri);
        command.arg("--home").arg(&one.folder).args(["--quiet", "recall", question]);
        if one.store != super::EMBEDDED {
            command.env("PERI_STORE_URL", &one.store);
        }
        let peri = median(STARTS, || run(&mut command))?;
        figures.insert("peri_process_ms".to_owned(), peri / 1e3);
    }
    Ok(())
}

pub(super) fn beside(program: &Path, name: &str) -> Option<PathBuf> {
    let path = program.with_file_name(name).with_extension(std::env::consts::EXE_EXTENSION);
    path.is_file().then_some(path)
}

fn run(command: &mut Command) -> Outcome<f64> {
    let (time, ended) = timed(|| command.stdin(Stdio::null()).stdout(Stdio::null()).status());
    if ended?.success() { Ok(time) } else { Err(format!("{command:?} failed").into()) }
}

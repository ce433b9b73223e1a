//! Tries to break the engine the way its users' worst day would: calls to the disk that fail, crashes, power cuts, clocks
//! that jump, a disk without room. What is done follows from seeds. `docs/testing-faults.md` says what is proven.
#![forbid(unsafe_code)]

mod actor;
mod disk;
mod faults;
mod import;
mod ledger;
mod order;
mod picture;
mod process;
mod random;
mod record;
mod run;
mod shim;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(about = "Faults, crashes, power cuts and jumps of the clock, driven by seeds")]
struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Lets every call to the disk fail once, in each of eight ways, and looks at what is left.
    Faults {
        /// All of them, instead of as many as there is time for, drawn by the seed.
        #[arg(long)]
        all: bool,
        /// What the draw follows from.
        #[arg(long, default_value_t = 0)]
        seed: u64,
        /// No new one is begun after so many seconds, unless all are wanted.
        #[arg(long, default_value_t = 45)]
        seconds: u64,
        /// One chapter alone.
        #[arg(long)]
        chapter: Option<String>,
        /// One call alone.
        #[arg(long)]
        call: Option<u64>,
        /// One way to fail alone, such as defect.
        #[arg(long)]
        fault: Option<String>,
    },
    /// Lets several processes work on one folder while things go wrong.
    Run {
        /// Which seeds, such as 0..100.
        #[arg(long, value_parser = seeds)]
        seeds: std::ops::Range<u64>,
        /// Tells every decision and every answer.
        #[arg(long)]
        verbose: bool,
        /// So many at a time.
        #[arg(long, default_value_t = 1)]
        parallel: usize,
    },
    /// One of the processes. It is told what to do on its input.
    #[command(hide = true)]
    Actor {
        /// The folder of the run.
        root: PathBuf,
    },
}

fn seeds(text: &str) -> Result<std::ops::Range<u64>, String> {
    let wrong = || format!("{text:?} is not a range such as 0..100");
    let (first, last) = text.split_once("..").ok_or_else(wrong)?;
    let (first, last) = (first.parse().map_err(|_| wrong())?, last.parse().map_err(|_| wrong())?);
    if first < last { Ok(first..last) } else { Err(wrong()) }
}

/// Says a line at once. Where nobody listens any more, that is the end.
fn say(line: &str) {
    let mut output = std::io::stdout().lock();
    if writeln!(output, "{line}").and_then(|()| output.flush()).is_err() {
        std::process::exit(1);
    }
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().what {
        What::Actor { root } => actor::serve(&root).map(|()| true),
        What::Faults { all, seed, seconds, chapter, call, fault } => {
            let at_most = if all { Duration::MAX } else { Duration::from_secs(seconds) };
            let which = faults::Which { seed: (!all).then_some(seed), at_most, chapter, call, fault };
            faults::run(&which, &mut say).map(|outcome| {
                let faults::Outcome { runs, struck, possible, findings } = outcome;
                say(&format!(
                    "{runs} runs of {possible} possible ones, {struck} faults struck, {} findings",
                    findings.len()
                ));
                findings.is_empty()
            })
        }
        What::Run { seeds, verbose, parallel } => {
            run::run(seeds, verbose, parallel, &say).map(|failed| failed == 0)
        }
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            say(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

//! `peri-bench context`: what hearing, observing and giving context costs, by the number of memories and of sessions
//! with notes.
//!
//! Everything is measured in one process that is open already, as a server is, and the middle time counts. What a whole
//! `peri hook` costs, which opens the folder first, is measured as well if it is told where `peri` is.

mod hook;
mod invented;
mod measure;

use std::path::{Path, PathBuf};

use perihelion::{Chores, Namespace, Observe, Options, Perihelion};

use crate::Outcome;
use crate::speed::corpus::Corpus;
use crate::speed::machine;
use invented::Talk;

/// So many memories are stored at once.
const BATCH: usize = 512;

/// So many exchanges a session has.
const EXCHANGES: usize = 10;

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct Plan {
    /// Numbers of memories.
    #[arg(long, value_delimiter = ',', default_value = "0,1000,10000")]
    memories: Vec<usize>,
    /// Numbers of sessions that notes were made of.
    #[arg(long, value_delimiter = ',', default_value = "0,100")]
    sessions: Vec<usize>,
    /// How often everything is measured.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
    /// Also measure whole processes of this `peri`.
    #[arg(long)]
    peri: Option<PathBuf>,
}

/// A column: one number of memories and of sessions.
struct Column {
    memories: usize,
    sessions: usize,
    /// Milliseconds by what was measured, in the order of the rows.
    figures: Vec<(&'static str, f64)>,
}

/// Measures every size and prints a table.
pub(crate) fn run(plan: &Plan) -> Outcome<()> {
    let build = if cfg!(debug_assertions) { "debug build" } else { "release build" };
    println!("{}, {build}\n", machine::describe());
    let mut columns = Vec::new();
    for sessions in &plan.sessions {
        for memories in &plan.memories {
            columns.push(measured(plan, *memories, *sessions)?);
        }
    }
    print(&columns);
    Ok(())
}

fn measured(plan: &Plan, memories: usize, sessions: usize) -> Outcome<Column> {
    let folder = tempfile::tempdir()?;
    let mut talk = Talk::new(memories as u64 + 1);
    let engine = filled(folder.path(), memories, sessions, &mut talk)?;
    let mut figures = vec![("notes a session", notes_a_session(&engine)?)];
    figures.extend(measure::contexts(&engine, plan.rounds, &mut talk)?);
    engine.close()?;
    if let Some(peri) = &plan.peri {
        figures.extend(hook::processes(peri, folder.path(), plan.rounds, &mut talk)?);
    }
    // Last, since it leaves more behind than was there.
    let engine = Perihelion::open(options(folder.path()))?;
    figures.extend(measure::heard(&engine, plan.rounds, &mut talk)?);
    engine.close()?;
    Ok(Column { memories, sessions, figures })
}

/// Chores are done when the measurement says so, not beside it.
fn options(folder: &Path) -> Options {
    Options { chores: Chores::ByHand, ..Options::at(folder) }
}

/// An engine with so many memories, and notes of so many sessions.
fn filled(folder: &Path, memories: usize, sessions: usize, talk: &mut Talk) -> Outcome<Perihelion> {
    let engine = Perihelion::open(options(folder))?;
    let mut corpus = Corpus::new(memories as u64);
    let mut left = memories;
    while left > 0 {
        let requests = corpus.take(left.min(BATCH));
        left -= requests.len();
        engine.remember_all(requests)?;
    }
    for number in 0..sessions {
        for exchange in 0..EXCHANGES {
            let is_over = exchange + 1 == EXCHANGES;
            let heard = talk.exchange(&format!("earlier-{number}"));
            engine.hear(heard, if is_over { Observe::Now } else { Observe::Due })?;
        }
    }
    engine.maintain()?;
    Ok(engine)
}

fn notes_a_session(engine: &Perihelion) -> Outcome<f64> {
    let sessions = engine.note_sessions(&Namespace::default())?;
    let notes: usize = sessions.iter().map(|session| session.notes).sum();
    Ok(notes as f64 / sessions.len().max(1) as f64)
}

/// A row for everything that was measured, a column for every size.
fn print(columns: &[Column]) {
    let heading = |name: &str, number: fn(&Column) -> usize| {
        print!("{name:<44}");
        columns.iter().for_each(|column| print!("{:>10}", number(column)));
        println!();
    };
    heading("sessions with notes", |column| column.sessions);
    heading("memories", |column| column.memories);
    for (row, (name, _)) in columns.first().into_iter().flat_map(|column| &column.figures).enumerate() {
        print!("{name:<44}");
        columns
            .iter()
            .filter_map(|column| column.figures.get(row))
            .for_each(|(_, value)| print!("{value:>10.2}"));
        println!();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_leave_notes_and_every_figure_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let mut talk = Talk::new(1);
        let engine = filled(folder.path(), 20, 2, &mut talk).unwrap();
        assert!(notes_a_session(&engine).unwrap() >= 1.0);
        let contexts = measure::contexts(&engine, 2, &mut talk).unwrap();
        let heard = measure::heard(&engine, 1, &mut talk).unwrap();
        for (name, value) in contexts.iter().chain(&heard) {
            assert!(value.is_finite() && *value > 0.0, "{name}: {value}");
        }
    }
}

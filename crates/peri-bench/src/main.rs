//! `peri-bench`: what recall finds, how precise it is, how fast it is, how its weights are fitted, what notes
//! bring, and how memories orbit.
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod batch;
mod context;
mod conversations;
mod embedded;
mod fit;
mod growth;
mod importance;
mod learn;
mod notes;
mod orbit;
mod precision;
mod profile;
mod quality;
mod relations;
mod route;
mod speed;
mod stress;
mod tune;
mod workers;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand, ValueEnum};
use perihelion::EngineChoice;

/// Benchmarks of the Perihelion memory engine.
#[derive(Parser)]
#[command(name = "peri-bench", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// How many of the memories that answer a question are among the first five and ten.
    Quality {
        /// A folder of conversations, or a single one.
        #[arg(long)]
        data: PathBuf,
        #[command(flatten)]
        engine: EngineArguments,
        /// Also measure with each stage switched off.
        #[arg(long)]
        stages: bool,
        /// Blank the speakers, the sessions or both, to see how much rests on them.
        #[arg(long, value_enum)]
        blank: Vec<Blank>,
        /// Also show how often results of each score are right.
        #[arg(long)]
        calibration: bool,
        /// Also ask each conversation the questions of another one.
        #[arg(long)]
        foreign: bool,
        /// Only results with at least this score.
        #[arg(long, default_value_t = 0.0)]
        min_score: f32,
        /// Keep the memories in this empty database on a server instead of in a file.
        #[arg(long)]
        store: Option<String>,
        /// Search every namespace inside that database.
        #[arg(long, requires = "store")]
        in_database: bool,
    },
    /// Fits the weights of the ranking, cross-validated by conversation.
    Fit {
        /// A folder of conversations.
        #[arg(long)]
        data: PathBuf,
        #[command(flatten)]
        engine: EngineArguments,
        /// Features to leave out, by name.
        #[arg(long)]
        leave_out: Vec<String>,
        /// Features whose weight stays as it is, by name.
        #[arg(long)]
        keep: Vec<String>,
    },
    /// How much of what recall returns belongs there, over published cases.
    Precision {
        /// The folder of the cases.
        #[arg(long)]
        data: PathBuf,
        /// List the cases that were not answered exactly.
        #[arg(long)]
        misses: bool,
    },
    /// A simulated year of orbits: who is near, what moves, what is forgotten.
    Orbit(orbit::Plan),
    /// How long a reorbit of a whole store takes, and what recalls notice of it.
    Reorbit(speed::reorbit::Plan),
    /// How long walks, ranks, communities and health take through the store, over many memories and edges.
    Graph(speed::graph::Plan),
    /// How well the rules tell what is the same, replaced or contradicted, over labelled pairs.
    Relations {
        /// The labelled pairs.
        #[arg(long, default_value = "bench/relations/pairs.jsonl")]
        data: PathBuf,
        /// List the development pairs that were told wrongly.
        #[arg(long)]
        misses: bool,
        /// Compare the sentences of this corpus with each other instead, and print what is not unrelated.
        #[arg(long)]
        scan: Option<PathBuf>,
        /// How much of the shorter sentence's words must be in the longer one, when scanning.
        #[arg(long, default_value_t = 0.5)]
        overlap: f64,
    },
    /// What notes of conversations bring to recall, or how well the rules note what was labelled.
    Notes(notes::Plan),
    /// What hearing, observing and giving context costs, by the number of memories and of sessions with notes.
    Context(context::Plan),
    /// How well the rules tell what matters from what does not, over labelled sentences.
    Importance(importance::Plan),
    /// What an adapter of queries learns from feedback, and what it does to questions it has not seen.
    Learn(learn::Plan),
    /// What tuning the weights of the memory function does for simulated users.
    Tune(tune::Plan),
    /// How often a task is routed to the right agent, before and after learning, and how honest the confidence is.
    Route(route::Plan),
    /// What recalls notice of each background worker.
    Workers(workers::Plan),
    /// How fast and how large the engine is, by the number of memories.
    Speed(speed::Plan),
    /// How fast recall is in memory and inside a database, by the size of a namespace.
    Scale(speed::scale::Plan),
    /// How many memories a second are put in large calls, read back, exported and imported.
    Batch(batch::Plan),
    /// Everything at once with all chores at short intervals: nothing may be lost, and nothing that is gone be seen.
    Stress(stress::Plan),
    /// The part of a further process; `stress` starts it.
    #[command(hide = true)]
    StressOne(stress::One),
    /// What a server adds to the engine's own time, by the number of connections; or what is lost when it is killed.
    Serve(speed::serve::Plan),
    /// The library behind lines of JSON; `bench/peers` starts it.
    #[command(hide = true)]
    Embedded(embedded::Plan),
    /// The same work over and over, for a profiler to look at; `bench/profile/run` starts it.
    Profile(profile::Plan),
    /// One stage of one size; `speed` starts it.
    #[command(hide = true)]
    SpeedOne(speed::One),
    /// What remembering, recalling, starting, memory and disk cost as one namespace grows, size by size.
    Growth(growth::Plan),
    /// One stage of one size; `growth` starts it.
    #[command(hide = true)]
    GrowthOne(growth::One),
}

#[derive(Args)]
struct EngineArguments {
    /// Which embedding engine to use.
    #[arg(long, value_enum, default_value_t = EngineName::Bundled)]
    engine: EngineName,
    /// The transformer's folder.
    #[arg(long, default_value = "target/models/all-minilm-l6-v2")]
    model: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
enum EngineName {
    Bundled,
    Transformer,
    Off,
}

/// A part of every memory that is taken away before it is stored.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Blank {
    Speakers,
    Sessions,
    Times,
}

impl EngineArguments {
    fn choice(self) -> EngineChoice {
        match self.engine {
            EngineName::Bundled => EngineChoice::Bundled,
            EngineName::Transformer => EngineChoice::Transformer { folder: self.model },
            EngineName::Off => EngineChoice::Off,
        }
    }
}

fn main() -> ExitCode {
    // As `peri` has it: what is measured is what runs.
    peri_heap::set_up();
    let outcome = match Arguments::parse().command {
        Command::Quality {
            data,
            engine,
            stages,
            blank,
            calibration,
            foreign,
            min_score,
            store,
            in_database,
        } => {
            let search = if in_database { quality::Search::InDatabase } else { quality::Search::InMemory };
            quality::run(&quality::Plan {
                data,
                engine: engine.choice(),
                stages,
                blank,
                calibration,
                foreign,
                score_min: min_score,
                store,
                search,
            })
        }
        Command::Fit { data, engine, leave_out, keep } => {
            fit::run(&fit::Plan { data, engine: engine.choice(), leave_out, keep })
        }
        Command::Precision { data, misses } => precision::run(&data, misses),
        Command::Orbit(plan) => orbit::run(&plan),
        Command::Reorbit(plan) => speed::reorbit::run(&plan),
        Command::Graph(plan) => speed::graph::run(&plan),
        Command::Relations { data, misses, scan, overlap } => {
            relations::run(&relations::Plan { data, misses, scan, overlap_min: overlap })
        }
        Command::Notes(plan) => notes::run(plan),
        Command::Context(plan) => context::run(&plan),
        Command::Importance(plan) => importance::run(&plan),
        Command::Learn(plan) => learn::run(&plan),
        Command::Tune(plan) => tune::run(&plan),
        Command::Route(plan) => route::run(&plan),
        Command::Workers(plan) => workers::run(&plan),
        Command::Speed(plan) => speed::run(&plan),
        Command::Scale(plan) => speed::scale::run(&plan),
        Command::Batch(plan) => batch::run(&plan),
        Command::Stress(plan) => stress::run(&plan),
        Command::StressOne(one) => stress::run_one(&one),
        Command::Serve(plan) => speed::serve::run(&plan),
        Command::Embedded(plan) => embedded::run(&plan),
        Command::Profile(plan) => profile::run(&plan),
        Command::SpeedOne(one) => speed::run_one(&one),
        Command::Growth(plan) => growth::run(&plan),
        Command::GrowthOne(one) => growth::run_one(&one),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Whatever goes wrong ends the run with a message.
pub(crate) type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

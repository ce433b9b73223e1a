//! `peri-bench speed`: how fast and how large the engine is, by the number of memories.
//!
//! Each size is measured in processes of its own, so that one does not warm up or weigh on the next: one
//! writes, some recall once, one recalls at length. On a machine that others use too, every figure is the
//! middle one of several rounds.

mod cold;
pub(crate) mod corpus;
pub(crate) mod figures;
pub(crate) mod graph;
pub(crate) mod machine;
pub(crate) mod questions;
mod read;
pub(crate) mod reorbit;
pub(crate) mod scale;
pub(crate) mod serve;
pub(crate) mod table;
pub(crate) mod words;
mod write;

use std::fs;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use perihelion::{Address, Chores, EngineChoice, Options, Recall, ServerSettings, StoreChoice};
use serde_json::json;

use crate::Outcome;
use figures::Figures;

/// Fewer memories than this do not leave room for every way of writing.
const SIZE_MIN: usize = 1000;

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct Plan {
    /// Numbers of memories, from 1,000 on.
    #[arg(long, value_delimiter = ',', default_value = "1000,10000,100000")]
    sizes: Vec<usize>,
    /// Distinct questions.
    #[arg(long, default_value_t = 500)]
    queries: usize,
    /// Which embedding engine to use.
    #[arg(long, value_enum, default_value_t = Engine::Bundled)]
    engine: Engine,
    /// Where memories are kept: "embedded", or the address of an empty database on a server. Several are measured one
    /// after the other; with a server among them, one size alone.
    #[arg(long, default_values_t = [EMBEDDED.to_owned()])]
    store: Vec<String>,
    /// Where to leave the data folders; otherwise they are deleted.
    #[arg(long)]
    keep: Option<PathBuf>,
    /// Also write the figures to this file.
    #[arg(long)]
    json: Option<PathBuf>,
}

/// What the data folder's own store is called.
const EMBEDDED: &str = "embedded";

/// One stage of one size, measured in this process.
#[derive(clap::Args, Clone)]
pub(crate) struct One {
    #[arg(long, value_enum)]
    stage: Stage,
    #[arg(long)]
    size: usize,
    #[arg(long)]
    queries: usize,
    #[arg(long, value_enum)]
    engine: Engine,
    #[arg(long)]
    folder: PathBuf,
    #[arg(long)]
    store: String,
}

#[derive(Clone, Copy, ValueEnum)]
enum Stage {
    /// Fill the folder.
    Write,
    /// Recall once.
    First,
    /// Recall at length.
    Read,
}

#[derive(Clone, Copy, ValueEnum)]
enum Engine {
    Bundled,
    Off,
}

/// Measures every size and prints the tables.
pub(crate) fn run(plan: &Plan) -> Outcome<()> {
    if let Some(size) = plan.sizes.iter().find(|size| **size < SIZE_MIN) {
        return Err(format!("{size} memories are too few: at least {SIZE_MIN}").into());
    }
    for address in plan.store.iter().filter(|store| *store != EMBEDDED) {
        Address::parse(address)?;
    }
    let machine = machine::describe();
    println!("{machine}\n");
    if plan.sizes.len() > 1 && plan.store.iter().any(|store| store != EMBEDDED) {
        return Err("a database on a server is filled once: give one size, as in --sizes 10000".into());
    }
    let temporary = tempfile::tempdir()?;
    let parent = plan.keep.as_deref().unwrap_or(temporary.path());
    let mut stores = Vec::new();
    for (number, store) in plan.store.iter().enumerate() {
        let parent = parent.join(number.to_string());
        let measured = |size: &usize| Ok((*size, measure_size(plan, *size, store, &parent)?));
        let sizes = plan.sizes.iter().map(measured).collect::<Outcome<Vec<_>>>()?;
        let name = match store.as_str() {
            EMBEDDED => EMBEDDED.to_owned(),
            address => Address::parse(address)?.to_string(),
        };
        println!("{name}\n");
        table::print(&sizes);
        let sizes: Vec<_> =
            sizes.iter().map(|(size, figures)| json!({"memories": size, "figures": figures})).collect();
        stores.push(json!({"store": name, "sizes": sizes}));
    }
    if let Some(file) = &plan.json {
        let document = json!({"machine": machine, "queries": plan.queries, "stores": stores});
        fs::write(file, serde_json::to_string_pretty(&document)?)?;
    }
    Ok(())
}

fn measure_size(plan: &Plan, size: usize, store: &str, parent: &Path) -> Outcome<Figures> {
    let folder = parent.join(size.to_string());
    if folder.exists() {
        return Err(format!("{} is in the way", folder.display()).into());
    }
    let store = store.to_owned();
    let one = One { stage: Stage::Write, size, queries: plan.queries, engine: plan.engine, folder, store };
    let mut figures = child(&one, "write")?;
    cold::processes(&one, &mut figures)?;
    figures.extend(child(&one, "read")?);
    if plan.keep.is_none() {
        fs::remove_dir_all(&one.folder)?;
    }
    Ok(figures)
}

fn child(one: &One, stage: &str) -> Outcome<Figures> {
    figures::from_child(one.arguments(stage), &format!("{} memories, {stage}", one.size))
}

/// Measures one stage and prints its figures as JSON.
pub(crate) fn run_one(one: &One) -> Outcome<()> {
    let figures = match one.stage {
        Stage::Write => write::measure(one)?,
        Stage::Read => read::measure(one)?,
        Stage::First => {
            let question = Recall::new("What did Ana say about the school and the house?");
            cold::first(one, Some(&question))?.close()?;
            Figures::new()
        }
    };
    println!("{}", serde_json::to_string(&figures)?);
    Ok(())
}

impl One {
    /// Chores are done when the measurement says so, not beside it.
    fn options(&self) -> Options {
        let engine = match self.engine {
            Engine::Bundled => EngineChoice::Bundled,
            Engine::Off => EngineChoice::Off,
        };
        // An address that is none was refused before anything was measured.
        let store = Address::parse(&self.store).map_or(StoreChoice::Embedded, |address| {
            StoreChoice::Server { address, settings: ServerSettings::default() }
        });
        Options { engine, store, chores: Chores::ByHand, ..Options::at(&self.folder) }
    }

    fn questions(&self) -> PathBuf {
        self.folder.join("questions.json")
    }

    /// Where the engine saves its indexes.
    fn index(&self) -> PathBuf {
        self.folder.join("index")
    }

    /// The command line of a process that measures this with another stage.
    fn arguments(&self, stage: &str) -> Vec<String> {
        let engine = match self.engine {
            Engine::Bundled => "bundled",
            Engine::Off => "off",
        };
        let folder = self.folder.to_string_lossy().into_owned();
        let (size, queries) = (self.size.to_string(), self.queries.to_string());
        let mut arguments = vec!["speed-one".to_owned()];
        for (name, value) in [
            ("--stage", stage),
            ("--size", &size),
            ("--queries", &queries),
            ("--engine", engine),
            ("--folder", &folder),
            ("--store", &self.store),
        ] {
            arguments.extend([name.to_owned(), value.to_owned()]);
        }
        arguments
    }
}

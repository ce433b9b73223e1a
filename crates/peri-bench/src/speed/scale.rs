//! `peri-bench scale`: recall in memory and inside a database, by the size of a namespace.

use std::path::Path;

use peri_store::{ServerStore, Store as _};
use perihelion::{
    Address, Chores, ConsolidationSettings, GraphSettings, MemoryId, Namespace, Options, Perihelion, Recall,
    Scope, SearchSettings, ServerSettings, StoreChoice,
};

use super::corpus::{Corpus, digest};
use super::figures::{Latency, timed};
use super::questions::{self, Asked};
use crate::Outcome;

const BATCH: usize = 1000;
const LIMIT: usize = 10;

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct Plan {
    /// An empty database on a server, such as `postgres://user:password@host/database`.
    #[arg(long)]
    store: String,
    /// Numbers of memories, each in a namespace of its own.
    #[arg(long, value_delimiter = ',', default_value = "10000,100000,300000")]
    sizes: Vec<usize>,
    /// Distinct questions.
    #[arg(long, default_value_t = 200)]
    queries: usize,
    /// The largest number of memories that is also searched in memory.
    #[arg(long, default_value_t = 300_000)]
    memory_max: usize,
    /// The database holds the memories of an earlier run with the same sizes.
    #[arg(long)]
    reuse: bool,
}

/// Measures every size and prints a line for each.
pub(crate) fn run(plan: &Plan) -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let writer = open(plan, &folder.path().join("writer"), u64::MAX)?;
    let searching = open(plan, &folder.path().join("database"), 0)?;
    println!(
        "{:>9}  {:>7}  {:>7}  {:>9}  {:>10}  {:>17}  {:>19}  {:>8}  {:>15}",
        "memories",
        "load s",
        "feed s",
        "tables MB",
        "indexes MB",
        "memory p50/p95 ms",
        "database p50/p95 ms",
        "agree@10",
        "found@10 mem/db"
    );
    for size in &plan.sizes {
        let namespace: Namespace = format!("scale/{size}").parse()?;
        let mut corpus = Corpus::new(*size as u64);
        let (loading, loaded) = timed(|| {
            if plan.reuse {
                corpus.take(*size);
                Ok(())
            } else {
                load(&writer, &mut corpus, &namespace, *size)
            }
        });
        loaded?;
        let asked = questions::ask_about(&mut corpus, plan.queries);
        let within =
            |asked: &Asked| Recall::new(&asked.text).in_scope(Scope::Exact(namespace.clone())).limit(LIMIT);
        let requests: Vec<Recall> = asked.iter().map(within).collect();
        let first = requests.first().ok_or("there are no questions")?;
        let (feeding, fed) = timed(|| searching.search(first));
        fed?;
        let (database, found, in_database) = measure(&searching, &requests, &asked)?;
        let (tables, indexes) = disk(plan, &namespace)?;
        let (memory, agreement, in_memory) = if *size <= plan.memory_max {
            let in_memory = open(plan, &folder.path().join(size.to_string()), u64::MAX)?;
            let (latency, other, share) = measure(&in_memory, &requests, &asked)?;
            (told_as(latency), format!("{:.3}", agreement(&found, &other)), format!("{share:.3}"))
        } else {
            ("-".to_owned(), "-".to_owned(), "-".to_owned())
        };
        println!(
            "{size:>9}  {:>7.1}  {:>7.1}  {:>9.1}  {:>10.1}  {memory:>17}  {:>19}  {agreement:>8}  {:>15}",
            loading / 1e6,
            feeding / 1e6,
            tables as f64 / 1e6,
            indexes as f64 / 1e6,
            told_as(database),
            format!("{in_memory}/{in_database:.3}")
        );
    }
    Ok(())
}

/// Links and replacements are left out: they are not what is measured.
fn open(plan: &Plan, folder: &Path, in_database_from: u64) -> Outcome<Perihelion> {
    let address = Address::parse(&plan.store)?;
    Ok(Perihelion::open(Options {
        chores: Chores::ByHand,
        store: StoreChoice::Server { address, settings: ServerSettings::default() },
        search: SearchSettings { in_database_from },
        graph: GraphSettings { auto_link: false, ..GraphSettings::default() },
        consolidation: ConsolidationSettings {
            merge: false,
            supersede: false,
            ..ConsolidationSettings::default()
        },
        ..Options::at(folder)
    })?)
}

fn load(engine: &Perihelion, corpus: &mut Corpus, namespace: &Namespace, count: usize) -> Outcome<()> {
    let mut left = count;
    while left > 0 {
        let batch = corpus.take(left.min(BATCH));
        left -= batch.len();
        let told = batch.into_iter().map(|request| request.in_namespace(namespace.clone()));
        engine.remember_all(told.collect())?;
    }
    Ok(())
}

type Answers = Vec<Vec<MemoryId>>;

/// How long each recall took once everything is warm, what was found, and how often the memory that a question was made
/// from was among it.
fn measure(engine: &Perihelion, requests: &[Recall], asked: &[Asked]) -> Outcome<(Latency, Answers, f64)> {
    let mut answers = Vec::with_capacity(requests.len());
    let (mut known, mut found) = (0_usize, 0_usize);
    for (request, asked) in requests.iter().zip(asked) {
        let hits = engine.search(request)?.hits;
        if let Some(about) = asked.about {
            known += 1;
            found += usize::from(hits.iter().any(|hit| digest(&hit.memory.content) == about));
        }
        answers.push(hits.iter().map(|hit| hit.memory.id).collect());
    }
    let mut times = Vec::with_capacity(requests.len());
    for request in requests {
        let (time, recalled) = timed(|| engine.search(request));
        recalled?;
        times.push(time);
    }
    Ok((Latency::of(times), answers, found as f64 / known.max(1) as f64))
}

/// The share of what memory found that the database found too.
fn agreement(own: &Answers, other: &Answers) -> f64 {
    let shared =
        |(own, other): (&Vec<MemoryId>, &Vec<MemoryId>)| other.iter().filter(|id| own.contains(id)).count();
    let all: usize = other.iter().map(Vec::len).sum();
    own.iter().zip(other).map(shared).sum::<usize>() as f64 / all.max(1) as f64
}

fn disk(plan: &Plan, namespace: &Namespace) -> Outcome<(u64, u64)> {
    let store = ServerStore::open(Address::parse(&plan.store)?, ServerSettings::default())?;
    let searcher = store.searcher().ok_or("this database does not search")?;
    Ok(searcher.disk_bytes(namespace)?)
}

fn told_as(latency: Latency) -> String {
    format!("{:.1}/{:.1}", latency.p50 / 1e3, latency.p95 / 1e3)
}

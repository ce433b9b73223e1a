//! `peri-bench graph`: what a large graph costs from the store on, as a command that answers once and leaves meets it,
//! and as a program that stays does.

use std::path::Path;
use std::sync::Arc;

use peri_store::{Missing, SqliteSettings, SqliteStore, Store, Write};
use perihelion::{
    Chores, Edge, EdgeType, GraphSettings, MemoryId, Namespace, Options, PageRankSettings, Perihelion,
    Timestamp, Walk,
};

use super::corpus::Corpus;
use super::figures::{Latency, timed};
use crate::Outcome;

const BATCH: usize = 1000;
/// Walks of which the percentiles are taken.
const WALKS: usize = 300;
const EDGES_MAX: usize = 20;

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct Plan {
    /// Number of memories.
    #[arg(long, default_value_t = 100_000)]
    size: usize,
    /// Number of edges that begin at each.
    #[arg(long, default_value_t = 10)]
    degree: usize,
}

pub(crate) fn run(plan: &Plan) -> Outcome<()> {
    println!("{}\n", super::machine::describe());
    let folder = tempfile::tempdir()?;
    let ids = fill(folder.path(), plan)?;
    let here = Namespace::default();
    let edges = open(folder.path())?.health().edges;
    println!("{} memories, {edges} edges\n", ids.len());
    println!("a process that has just begun");
    for depth_max in [1, 2] {
        let engine = open(folder.path())?;
        let walk = Walk { depth_max, ..Walk::from(&ids[7..8]) };
        let (time, steps) = timed(|| engine.walk(&here, &walk));
        println!("walk to depth {depth_max}        {:>10.2} ms  ({} memories)", time / 1000.0, steps?.len());
    }
    let engine = open(folder.path())?;
    let (time, ranks) = timed(|| engine.pagerank(&here, &PageRankSettings::default()));
    println!("PageRank               {:>10.0} ms  ({} memories)", time / 1000.0, ranks?.len());
    let engine = open(folder.path())?;
    let (time, found) = timed(|| engine.communities(&here));
    println!("communities            {:>10.0} ms  ({} groups)", time / 1000.0, found?.groups.len());
    let engine = open(folder.path())?;
    let (time, health) = timed(|| engine.health());
    println!("health                 {:>10.0} ms  ({} warnings)", time / 1000.0, health.warnings.len());
    staying(folder.path(), &ids, &here)
}

/// The same in a process that has the graph in memory.
fn staying(folder: &Path, ids: &[MemoryId], here: &Namespace) -> Outcome<()> {
    let engine = open(folder)?;
    let (time, path) = timed(|| engine.path(here, ids[0], ids[ids.len() / 2]));
    let length = path?.map_or(0, |path| path.nodes.len());
    println!("\na process that stays");
    println!("first path, reads all  {:>10.0} ms  ({length} memories)", time / 1000.0);
    for depth_max in [1, 2] {
        let mut times = Vec::with_capacity(WALKS);
        for id in ids.iter().step_by((ids.len() / WALKS).max(1)) {
            let walk = Walk { depth_max, ..Walk::from(std::slice::from_ref(id)) };
            let (time, steps) = timed(|| engine.walk(here, &walk));
            steps?;
            times.push(time);
        }
        let Latency { p50, p95, .. } = Latency::of(times);
        println!("walk to depth {depth_max}        {p50:>10.1} µs  (p95 {p95:.1})");
    }
    let (time, health) = timed(|| engine.health());
    println!("health                 {:>10.0} ms  ({} warnings)", time / 1000.0, health.warnings.len());
    Ok(())
}

fn open(folder: &Path) -> Outcome<Perihelion> {
    let graph = GraphSettings { auto_link: false, ..GraphSettings::default() };
    Ok(Perihelion::open(Options { chores: Chores::ByHand, graph, ..Options::at(folder) })?)
}

/// Stores the memories, and links each to others that are spread over all of them.
fn fill(folder: &Path, plan: &Plan) -> Outcome<Vec<MemoryId>> {
    let engine = open(folder)?;
    let mut corpus = Corpus::new(7);
    let mut ids = Vec::with_capacity(plan.size);
    while ids.len() < plan.size {
        let receipts = engine.remember_all(corpus.take(BATCH.min(plan.size - ids.len())))?;
        ids.extend(receipts.into_iter().map(|receipt| receipt.id));
    }
    engine.close()?;
    let store = Arc::new(SqliteStore::open(&folder.join(Perihelion::DATABASE), &SqliteSettings::default())?);
    let size = ids.len();
    for begin in (0..size).step_by(BATCH) {
        let sources = begin..(begin + BATCH).min(size);
        let edges = sources.flat_map(|at| {
            let ids = &ids;
            (1..=plan.degree).map(move |number| Edge {
                source: ids[at],
                // Half of them near, half of them anywhere.
                target: ids[if number % 2 == 0 { at + number } else { at * 31 + number * 7919 + 1 } % size],
                edge_type: EdgeType::RelatedTo,
                weight: 1.0 / (1 + number) as f32,
                created_at: Timestamp::UNIX_EPOCH,
            })
        });
        let edges = edges.filter(|edge| edge.source != edge.target).collect();
        let (namespace, missing) = (Namespace::default(), Missing::Skipped);
        store.write(vec![Write::Link { namespace, edges, max: EDGES_MAX, missing }])?;
    }
    Ok(ids)
}

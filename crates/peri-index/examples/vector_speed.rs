//! How fast and how right vector search is at several sizes, scanned and by graph.
//!
//! `cargo run --release -p peri-index --example vector_speed -- [sizes, e.g. 10000,100000] [file of f32 rows]`
//! The file, if given, holds real vectors of 256 numbers each; sizes beyond it are filled with mixtures of two.
#![allow(clippy::print_stdout)]

use std::time::Instant;

use peri_index::{Doc, Effort, Entry, Index, Superseded, VectorSettings, View};
use peri_types::{Filter, Kind, Layer, MemoryId, SpaceId, Timestamp};

const DIMENSIONS: usize = 256;
const QUERIES: usize = 200;
const RESULTS: [usize; 2] = [10, 100];
const EFFORTS: [usize; 18] = [10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 64, 80, 96, 128, 192, 256, 384, 512];
/// On a machine that others use too, the best of so many passes over all queries comes nearest to the truth.
const PASSES: usize = 7;
/// A result counts as right if its exact cosine is hardly less than that of the last wanted one: by what halves round.
const TOLERANCE: f32 = 1e-4;

/// Numbers that look random and are the same on every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn normal(&mut self) -> f32 {
        (0..4).map(|_| (self.next() >> 40) as f32 / (1 << 24) as f32 - 0.5).sum::<f32>() * 1.73
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}

/// Time this thread has spent on a processor, where Linux tells: on a busy machine the clock on the wall
/// measures the neighbours.
fn cpu_ms() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    told.split(' ').next().and_then(|nanos| nanos.parse::<f64>().ok()).unwrap_or(f64::NAN) / 1e6
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let sizes = arguments.next().unwrap_or_else(|| "10000,100000".to_owned());
    let real: Vec<Vec<f32>> = arguments.next().map(|path| read(&path)).unwrap_or_default();
    println!("vectors     size   plan  build_cpu_s     mb    k  effort   p50_us   recall");
    for size in sizes.split(',').filter_map(|size| size.parse().ok()) {
        measure("clustered", clustered(size + QUERIES), size);
        if !real.is_empty() {
            measure("real", mixtures(&real, size + QUERIES), size);
        }
    }
}

fn read(path: &str) -> Vec<Vec<f32>> {
    let bytes = std::fs::read(path).expect("the file of vectors can be read");
    let numbers: Vec<f32> = bytes.as_chunks::<4>().0.iter().map(|&chunk| f32::from_le_bytes(chunk)).collect();
    numbers.chunks_exact(DIMENSIONS).map(<[f32]>::to_vec).collect()
}

/// Two thousand centres with noise around each.
fn clustered(count: usize) -> Vec<Vec<f32>> {
    let mut random = Random(1);
    let centres: Vec<Vec<f32>> =
        (0..2000).map(|_| (0..DIMENSIONS).map(|_| random.normal()).collect()).collect();
    let mut near = |centre: &[f32]| centre.iter().map(|value| value + 0.7 * random.normal()).collect();
    let mut pick = Random(2);
    (0..count).map(|_| near(&centres[pick.below(centres.len())])).collect()
}

/// Real vectors, in a shuffled order, then mixtures of two of them with a little noise.
fn mixtures(real: &[Vec<f32>], count: usize) -> Vec<Vec<f32>> {
    let mut random = Random(3);
    let mut mixture = |at: usize| {
        let (a, b) = (&real[random.below(real.len())], &real[random.below(real.len())]);
        let share = if at < real.len() { 1.0 } else { 0.5 + (at % 5) as f32 * 0.1 };
        a.iter().zip(b).map(|(a, b)| a * share + b * (1.0 - share) + 0.01 * random.normal()).collect()
    };
    (0..count).map(&mut mixture).collect()
}

fn measure(name: &str, vectors: Vec<Vec<f32>>, size: usize) {
    let space = SpaceId { model: name.to_owned(), dimensions: DIMENSIONS as u32 };
    let mut index = Index::new(Some(space), 1);
    let vectors: Vec<Vec<f32>> = vectors.into_iter().map(unit).collect();
    let (documents, queries) = vectors.split_at(size);
    let start = cpu_ms();
    documents.iter().enumerate().for_each(|(number, vector)| add(&mut index, number, vector));
    let entered_s = (cpu_ms() - start) / 1e3;
    let bars = queries.iter().map(|query| exact_bars(documents, query)).collect();
    let search = Search { name, documents, queries, bars };
    search.report(&index, "codes", entered_s);
    index.set_settings(VectorSettings { flat_max: 0, ..index.settings() });
    let start = cpu_ms();
    while index.extend_graph(1000) > 0 {}
    search.report(&index, "graph", entered_s + (cpu_ms() - start) / 1e3);
}

fn add(index: &mut Index, number: usize, vector: &[f32]) {
    index.upsert(&Entry {
        id: MemoryId::from_bytes((number as u128 + 1).to_be_bytes()),
        at: number as i64,
        day: None,
        layer: Layer::LongTerm,
        kind: Kind::Fact,
        pinned: false,
        importance: 0.5,
        expires_at: None,
        superseded: false,
        session: None,
        speaker: None,
        tags: &[],
        terms: &[],
        tokens: &[],
        length: 1,
        flags: 0,
        vector: Some(vector),
    });
}

/// Searches to measure.
struct Search<'a> {
    name: &'a str,
    documents: &'a [Vec<f32>],
    queries: &'a [Vec<f32>],
    /// The cosines of the last wanted document of each query, for either number of results.
    bars: Vec<[f32; 2]>,
}

impl Search<'_> {
    fn report(&self, index: &Index, plan: &str, build_s: f64) {
        let megabytes = index.memory_bytes() as f64 / 1e6;
        let mut asked = vec![(0, Effort::Usual), (1, Effort::Usual)];
        asked.extend(EFFORTS.map(|effort| (0, Effort::Candidates(effort))));
        for (which, effort) in asked {
            let (micros, recall) = self.ask(index, which, effort);
            let told = match effort {
                Effort::Usual => "usual".to_owned(),
                Effort::Candidates(count) => count.to_string(),
            };
            println!(
                "{:9} {:7}  {plan}  {build_s:11.1} {megabytes:6.1} {:4} {told:>7} {micros:8.1}   {recall:.4}",
                self.name,
                self.documents.len(),
                RESULTS[which],
            );
            if recall >= 0.9995 && effort != Effort::Usual {
                break;
            }
        }
    }

    /// Microseconds of a query in the middle, in the best of several passes, and the share of right results.
    fn ask(&self, index: &Index, which: usize, effort: Effort) -> (f64, f64) {
        let view = View { now: Timestamp::UNIX_EPOCH, superseded: Superseded::LeftOut };
        let mask = index.mask(&Filter::default(), view);
        let (mut micros, mut right) = (f64::INFINITY, 0);
        for _ in 0..PASSES {
            let (mut times, mut answers) = (Vec::with_capacity(QUERIES), Vec::with_capacity(QUERIES));
            for query in self.queries {
                let start = Instant::now();
                answers.push(index.nearest_with(query, &mask, RESULTS[which], effort));
                times.push(start.elapsed().as_secs_f64() * 1e6);
            }
            times.sort_by(f64::total_cmp);
            micros = micros.min(times[times.len() / 2]);
            right = (0..answers.len()).map(|at| self.right(index, at, &answers[at], which)).sum();
        }
        (micros, right as f64 / (self.queries.len() * RESULTS[which]) as f64)
    }

    /// How many of the results for a query are as near as the last wanted one, by their exact cosines.
    fn right(&self, index: &Index, query: usize, found: &[(Doc, f32)], which: usize) -> usize {
        let exact = |doc: Doc| {
            let number = u128::from_be_bytes(*index.facts(doc)?.id.as_bytes()) - 1;
            Some(dot(&self.documents[number as usize], &self.queries[query]))
        };
        let bar = self.bars[query][which] - TOLERANCE;
        found.iter().filter(|(doc, _)| exact(*doc).is_some_and(|cosine| cosine >= bar)).count()
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn unit(vector: Vec<f32>) -> Vec<f32> {
    let length = dot(&vector, &vector).sqrt();
    vector.into_iter().map(|value| value / length).collect()
}

/// The cosines of the last wanted nearest document, for either number of results.
fn exact_bars(documents: &[Vec<f32>], query: &[f32]) -> [f32; 2] {
    let mut all: Vec<f32> = documents.iter().map(|own| dot(own, query)).collect();
    RESULTS.map(|k| *all.select_nth_unstable_by(k - 1, |a, b| b.total_cmp(a)).1)
}

//! How fast and how right vector search is at several sizes, scanned and by graph.
//!
//! `cargo run --release -p peri-index --example vector_speed -- [sizes, e.g. 10000,100000] [file of f32 rows]`
//! The file, if given, holds real vectors of 256 numbers each; sizes beyond it are filled with mixtures of two.
#![allow(clippy::print_stdout)]

use std::time::Instant;

use peri_index::{Entry, Index, Superseded, VectorSettings, View};
use peri_types::{Filter, Kind, Layer, MemoryId, SpaceId, Timestamp};

const DIMENSIONS: usize = 256;
const QUERIES: usize = 200;

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
    println!("vectors     size   plan  build_cpu_s   k    p50_us   cpu_us  recall");
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
    let (documents, queries) = vectors.split_at(size);
    documents.iter().enumerate().for_each(|(number, vector)| add(&mut index, number, vector));
    report(name, &index, documents, queries, "codes", 0.0);
    index.set_settings(VectorSettings { flat_max: 0, ..index.settings() });
    let start = cpu_ms();
    while index.extend_graph(1000) > 0 {}
    report(name, &index, documents, queries, "graph", (cpu_ms() - start) / 1e3);
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

fn report(name: &str, index: &Index, documents: &[Vec<f32>], queries: &[Vec<f32>], plan: &str, build_s: f64) {
    let view = View { now: Timestamp::UNIX_EPOCH, superseded: Superseded::LeftOut };
    let mask = index.mask(&Filter::default(), view);
    for k in [10, 100] {
        let (mut times, mut answers, start_cpu) = (Vec::new(), Vec::new(), cpu_ms());
        for query in queries {
            let start = Instant::now();
            answers.push(index.nearest(query, &mask, k));
            times.push(start.elapsed());
        }
        let cpu = (cpu_ms() - start_cpu) * 1e3 / queries.len() as f64;
        let mut right = 0;
        for (query, found) in queries.iter().zip(answers) {
            let bar = exact_bar(documents, query, k);
            right += found.iter().filter(|(_, cosine)| *cosine >= bar - 1e-3).count();
        }
        times.sort_unstable();
        println!(
            "{name:9} {:7}  {plan}  {build_s:8.1} {k:5}  {:8.0} {cpu:8.0}   {:.4}",
            documents.len(),
            times[times.len() / 2].as_secs_f64() * 1e6,
            right as f64 / (queries.len() * k) as f64
        );
    }
}

/// The cosine of the `k`-th nearest document.
fn exact_bar(documents: &[Vec<f32>], query: &[f32], k: usize) -> f32 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    let length = dot(query, query).sqrt();
    let mut all: Vec<f32> =
        documents.iter().map(|own| dot(own, query) / dot(own, own).sqrt() / length).collect();
    *all.select_nth_unstable_by(k - 1, |a, b| b.total_cmp(a)).1
}

//! How fast words are found and snapshots are read, and how large an index is.
//!
//! `cargo run --release -p peri-index --example index_speed -- [sizes, e.g. 10000,100000]`
//! Documents have 30 words drawn by Zipf's law from 100,000, sessions of 20, and vectors of 256 numbers.
#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;
use std::time::Instant;

use peri_index::{Entry, Index, Superseded, View};
use peri_types::{Filter, Kind, Layer, MemoryId, SpaceId, Timestamp};

const DIMENSIONS: usize = 256;

/// Time this thread has spent on a processor, where Linux tells: on a busy machine the clock on the wall
/// measures the neighbours.
fn cpu_ms() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    told.split(' ').next().and_then(|nanos| nanos.parse::<f64>().ok()).unwrap_or(f64::NAN) / 1e6
}

fn main() {
    let sizes = std::env::args().nth(1).unwrap_or_else(|| "10000,100000".to_owned());
    for size in sizes.split(',').filter_map(|size| size.parse().ok()) {
        let start = Instant::now();
        let index = build(size);
        println!("{size} documents: built in {:.2} s", start.elapsed().as_secs_f64());
        println!("  memory {} MB as built", index.memory_bytes() >> 20);
        snapshots(&index);
        words(&index);
    }
}

fn next(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// A word by Zipf's law, leaving out so many of the commonest, which are in up to nine of ten documents.
fn word(state: &mut u64, skipped: f64) -> String {
    let rank = skipped + 1.0;
    format!("w{}", (rank * (100_000.0 / rank).powf(next(state)) - 1.0) as u32)
}

fn build(size: usize) -> Index {
    let space = SpaceId { model: "random".to_owned(), dimensions: DIMENSIONS as u32 };
    let mut index = Index::new(Some(space), 1);
    let mut state = 7;
    for number in 0..size {
        let mut counts = BTreeMap::new();
        (0..30).for_each(|_| *counts.entry(word(&mut state, 0.0)).or_insert(0_u16) += 1);
        let terms: Vec<(String, u16)> = counts.into_iter().collect();
        let vector: Vec<f32> = (0..DIMENSIONS).map(|_| next(&mut state) as f32 - 0.4).collect();
        index.upsert(&Entry {
            id: MemoryId::from_bytes((number as u128 + 1).to_be_bytes()),
            at: number as i64,
            day: Some((number / 40) as i32),
            layer: Layer::LongTerm,
            kind: Kind::Fact,
            pinned: false,
            importance: 0.5,
            expires_at: None,
            superseded: false,
            session: Some(&format!("session {}", number / 20)),
            speaker: Some(["Ann", "Bob"][number % 2]),
            tags: &[],
            terms: &terms,
            tokens: &[],
            length: 30,
            flags: 0,
            vector: Some(&vector),
        });
    }
    index
}

fn snapshots(index: &Index) {
    let (encode, bytes) = timed(5, || index.encode());
    let (decode, copy) = timed(5, || Index::decode(&bytes).expect("a snapshot just written can be read"));
    println!("  snapshot {} MB, {} MB in memory when loaded", bytes.len() >> 20, copy.memory_bytes() >> 20);
    println!("  encode {encode}");
    println!("  decode {decode} (the hash is checked in a thread of its own)");
}

fn words(index: &Index) {
    let view = View { now: Timestamp::UNIX_EPOCH, superseded: Superseded::LeftOut };
    let mask = index.mask(&Filter::default(), view);
    let mut state = 99;
    for (name, count, skipped) in [("5 words, no stop words", 5, 100.0), ("12 words of any kind", 12, 0.0)] {
        let mut query = || -> Vec<String> { (0..count).map(|_| word(&mut state, skipped)).collect() };
        let queries: Vec<Vec<String>> = (0..200).map(|_| query()).collect();
        let (mut at, mut touched) = (0, 0);
        let (time, _) = timed(queries.len(), || {
            let query: Vec<&str> = queries[at].iter().map(String::as_str).collect();
            at += 1;
            let matches = index.gather(&query, &mask);
            touched += matches.touched();
            let top = matches.top(100);
            top.iter().map(|&(doc, _)| matches.window(doc, 1, 1).0 + matches.session_bm25(doc)).sum::<f32>()
        });
        println!(
            "  {name}: {time} for gather, top 100, their windows and sessions ({} touched)",
            touched / 200
        );
    }
}

/// The median by the clock and the mean on the processor.
fn timed<T>(runs: usize, mut run: impl FnMut() -> T) -> (String, T) {
    let (mut last, start_cpu) = (None, cpu_ms());
    let mut times: Vec<f64> = (0..runs)
        .map(|_| {
            let start = Instant::now();
            let result = run();
            let time = start.elapsed();
            last = Some(result);
            time.as_secs_f64() * 1e3
        })
        .collect();
    let cpu = (cpu_ms() - start_cpu) / runs as f64;
    times.sort_unstable_by(f64::total_cmp);
    (format!("p50 {:.2} ms, cpu {cpu:.2} ms", times[runs / 2]), last.expect("there is at least one run"))
}

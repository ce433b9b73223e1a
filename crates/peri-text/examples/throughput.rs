//! Prints how fast analysis, redaction and token counting are on memory-sized texts.
//!
//! `cargo run --release -p peri-text --example throughput [FILE…]`
#![allow(clippy::print_stdout, reason = "an example reports to its reader")]

use std::hint::black_box;
use std::time::Instant;

const SAMPLE: &str = "Caroline went to the support group on 8 May, 2023 and said it was powerful. The build of \
    src/main.rs failed yesterday with E0308, so we don't ship until parse_config is fixed. ";

/// About the size of one memory.
const CHUNK_BYTES: usize = 1000;
const PASSES: usize = 15;

fn main() -> std::io::Result<()> {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    if paths.is_empty() {
        report("sample", &SAMPLE.repeat(20_000));
    }
    for path in paths {
        report(&path, &std::fs::read_to_string(&path)?);
    }
    Ok(())
}

fn report(name: &str, text: &str) {
    let chunks = chunks(text);
    println!("{name}: {} texts, {} bytes", chunks.len(), text.len());
    measure("analyze", &chunks, |chunk| peri_text::analyze(chunk).terms.len());
    measure("analyze_query", &chunks, |chunk| peri_text::analyze_query(chunk).len());
    measure("redact", &chunks, |chunk| peri_text::redact(chunk).found.len());
    measure("count_tokens", &chunks, peri_text::count_tokens);
}

fn chunks(text: &str) -> Vec<&str> {
    let mut chunks = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (chunk, after) = rest.split_at(chunk_len(rest));
        chunks.push(chunk);
        rest = after;
    }
    chunks
}

fn measure(name: &str, chunks: &[&str], run: impl Fn(&str) -> usize) {
    let bytes: usize = chunks.iter().map(|chunk| chunk.len()).sum();
    // The best of several passes is the least disturbed by whatever else the machine does.
    let pass = || {
        let start = Instant::now();
        for chunk in chunks {
            black_box(run(black_box(chunk)));
        }
        start.elapsed()
    };
    let best = (0..PASSES).map(|_| pass()).min().unwrap_or_default();
    println!("  {name:13} {:7.1} MB/s", bytes as f64 / best.as_secs_f64() / 1e6);
}

fn chunk_len(text: &str) -> usize {
    (CHUNK_BYTES..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

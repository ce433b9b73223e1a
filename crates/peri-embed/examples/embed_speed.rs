//! Measures loading and embedding: `cargo run --release -p peri-embed --example embed_speed [model folder]`.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::hint::black_box;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use peri_embed::{Engine, StaticEngine, TransformerEngine};

const SENTENCES: [&str; 8] = [
    "The deployment failed because the certificate had expired on Sunday, and nobody was told about it.",
    "My sister moved to Lisbon last spring and opened a small bakery near the harbour with two friends.",
    "We decided to keep the old billing service running until the audit of the new one is over in May.",
    "He prefers tea in the morning, never drinks coffee after lunch, and dislikes sugar in either of them.",
    "Call getUserById before refreshSessionToken, otherwise the cookie is stale and the request is refused.",
    "The customer asked for a refund, but the order is older than sixty days and the box was opened.",
    "Always answer in short sentences, skip the introduction, and give the command before the explanation.",
    "Our cat knocked the vase off the shelf again, so we moved the flowers to the kitchen window for now.",
];

fn main() {
    let started = Instant::now();
    let engine = StaticEngine::bundled().unwrap();
    println!("static: load {:?}", started.elapsed());
    let started = Instant::now();
    engine.embed(&SENTENCES[..1]).unwrap();
    println!("static: first sentence {:?}", started.elapsed());
    let tokens: usize = SENTENCES.iter().map(|text| engine.tokens(text).len()).sum();
    println!("static: {} tokens a sentence", tokens / SENTENCES.len());
    println!("static: {:?} a sentence", best(200, || drop(black_box(engine.embed(&SENTENCES)))) / 8);
    println!(
        "static: of which {:?} tokens",
        best(200, || drop(black_box(SENTENCES.map(|t| engine.tokens(t))))) / 8
    );
    let text = engine.whole_words(SENTENCES[1], |_| false);
    let words: Vec<&str> = SENTENCES[0].split(' ').collect();
    println!(
        "static: {:?} likenesses of two sentences' words, prepared and compared",
        best(200, || drop(black_box(engine.similarities(&words).best(&text).to_vec())))
    );
    if let Some(folder) = std::env::args().nth(1) {
        transformer(PathBuf::from(folder));
    }
}

fn transformer(folder: PathBuf) {
    let started = Instant::now();
    let engine = TransformerEngine::load(&folder).unwrap();
    println!("{}: load {:?}", engine.space(), started.elapsed());
    let many: Vec<&str> = SENTENCES.iter().cycle().take(32).copied().collect();
    let one = engine.with_threads(NonZeroUsize::MIN);
    println!("1 thread, batch 1: {:?} a sentence", best(20, || drop(black_box(one.embed(&many[..1])))));
    println!("1 thread, batch 32: {:?} a sentence", best(5, || drop(black_box(one.embed(&many)))) / 32);
    let all = std::thread::available_parallelism().unwrap();
    let engine = one.with_threads(all);
    println!(
        "{all} threads, batch 32: {:?} a sentence",
        best(5, || drop(black_box(engine.embed(&many)))) / 32
    );
}

/// The fastest of several runs: other work on the machine only ever slows one down.
fn best(runs: usize, mut work: impl FnMut()) -> Duration {
    let time = |_| {
        let started = Instant::now();
        work();
        started.elapsed()
    };
    (0..runs).map(time).min().unwrap()
}

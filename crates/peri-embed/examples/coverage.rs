//! Prints coverage by language: `cargo run -p peri-embed --example coverage [file]`. Without a file it takes the
//! fixture's sentences, which the threshold was chosen from.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::collections::BTreeMap;

use peri_embed::{Engine, StaticEngine};
use serde_json::Value;

fn main() {
    let engine = StaticEngine::bundled().unwrap();
    let usual = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/languages.jsonl");
    let path = std::env::args().nth(1).unwrap_or_else(|| usual.to_owned());
    let mut languages: BTreeMap<String, Vec<(f32, bool)>> = BTreeMap::new();
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let sentence: Value = serde_json::from_str(line).unwrap();
        let text = sentence["text"].as_str().unwrap();
        let voted = engine.embed(&[text]).unwrap()[0].is_some();
        languages
            .entry(sentence["language"].as_str().unwrap().to_owned())
            .or_default()
            .push((engine.coverage(text), voted));
    }
    println!("language  sentences  lowest  quarter  median  highest  embedded");
    for (language, mut found) in languages {
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        let at = |share: f32| found[((found.len() - 1) as f32 * share) as usize].0;
        let voted = found.iter().filter(|(_, voted)| *voted).count();
        let count = found.len();
        println!(
            "{language:<9} {count:>9}  {:>6.2}  {:>7.2}  {:>6.2}  {:>7.2}  {voted:>8}",
            at(0.0),
            at(0.25),
            at(0.5),
            at(1.0)
        );
    }
}

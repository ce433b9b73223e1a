//! Every example, and changes of it that follow from a seed, through every target that reads it.
//!
//! A failure names the target and keeps the bytes in a file; put them into `corpus/NAME/` once the cause is mended.
#![allow(clippy::unwrap_used, missing_docs)]

mod listed;
mod properties;

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use peri_fuzz::mutate::{PIECES, Random, mutated};
use peri_fuzz::{Cost, TABLE, Target};

/// What every target is given.
const ANY: &str = "any";
const BYTES_MAX: usize = 8 * 1024;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// The examples of a folder, in the order of their names.
fn examples(folder: &str) -> Vec<(String, Vec<u8>)> {
    let Ok(entries) = fs::read_dir(corpus().join(folder)) else { return Vec::new() };
    let mut found: Vec<_> = entries
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap()))
        .collect();
    found.sort();
    found
}

/// Runs a target; what it was given is kept if it fails.
fn run(target: &Target, what: &str, bytes: &[u8]) -> Result<(), String> {
    catch_unwind(|| (target.run)(bytes)).map_err(|_| {
        let kept = std::env::temp_dir().join(format!("peri-fuzz-{}", target.name));
        fs::write(&kept, bytes).unwrap();
        format!("{} does not hold for {what}; the bytes are in {}", target.name, kept.display())
    })
}

/// Tells of every target that fails, and of each only the first input it fails for.
fn check(cost: Cost, try_out: impl Fn(&Target) -> Result<(), String>) {
    let targets = TABLE.iter().filter(|target| target.cost == cost);
    let failed: Vec<String> = targets.filter_map(|target| try_out(target).err()).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Replays a target's examples, and so many changes of them.
fn replay(target: &Target, changes: usize) -> Result<(), String> {
    let (own, any) = (examples(target.name), examples(ANY));
    own.iter().chain(&any).try_for_each(|(name, bytes)| run(target, name, bytes))?;
    let mut random = Random::new(seed_of(target.name));
    for number in 0..changes {
        let (name, example) = &own[number % own.len()];
        let bytes = mutated(example, &own[random.below(own.len())].1, &mut random, BYTES_MAX);
        run(target, &format!("change {number} of {name}"), &bytes)?;
    }
    Ok(())
}

/// A seed of a name, so that a new target changes nothing for the others.
fn seed_of(name: &str) -> u64 {
    name.bytes().fold(7, |seed: u64, byte| seed.wrapping_mul(31).wrapping_add(byte.into()))
}

#[test]
fn what_computes_holds_for_every_example_and_its_changes() {
    check(Cost::Low, |target| replay(target, 2_000));
}

#[test]
fn what_reads_files_holds_for_every_example_and_its_changes() {
    check(Cost::Files, |target| replay(target, 100));
}

#[test]
fn what_asks_an_engine_holds_for_every_example_and_its_changes() {
    check(Cost::Engine, |target| replay(target, 10));
}

/// What takes time beyond its size shows here as a test that does not end.
#[test]
fn what_is_said_again_and_again_is_read_in_time() {
    check(Cost::Low, |target| {
        let mut pieces = PIECES.iter();
        pieces.try_for_each(|piece| {
            run(target, "a piece again and again", &piece.repeat(16 * 1024 / piece.len()))
        })
    });
}

//! How long it takes to remember a vault of many documents, to look through it again, and to see one edit.
//!
//! `cargo run --release -p peri-vault --example vault_speed -- 10000`
//!
//! With a folder behind the number, the vault is kept there, and a second run only looks through it once: that is what
//! a profiler should see.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use peri_vault::{Sync, Vault};
use perihelion::{Chores, Namespace, Options, Perihelion};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let count: usize = arguments.next().map_or(Ok(10_000), |text| text.parse())?;
    match arguments.next() {
        Some(folder) => kept(Path::new(&folder), count),
        None => all(tempfile::tempdir()?.path(), count),
    }
}

/// Makes a vault in the folder, or else looks through the one that is there.
fn kept(folder: &Path, count: usize) -> Result<(), Box<dyn Error>> {
    let vault = Vault::new(folder.join("vault"), Namespace::default());
    let what = if vault.exists() { "looking through it again" } else { "the first sync" };
    if !vault.exists() {
        fill(&vault, count)?;
    }
    let engine = Perihelion::open(Options { chores: Chores::ByHand, ..Options::at(folder) })?;
    timed(what, &vault, &engine)
}

fn all(folder: &Path, count: usize) -> Result<(), Box<dyn Error>> {
    let vault = Vault::new(folder.join("vault"), Namespace::default());
    fill(&vault, count)?;
    let engine = Perihelion::open(Options { chores: Chores::ByHand, ..Options::at(folder) })?;
    timed("the first sync", &vault, &engine)?;
    timed("looking through it again", &vault, &engine)?;
    timed("looking through it again", &vault, &engine)?;
    let edited = vault.folder().join("knowledge/facts/7/note 7.md");
    std::fs::write(edited, "The port of service 7 is 4711 now. [[note 8]]\n")?;
    timed("one edit", &vault, &engine)?;
    std::fs::remove_file(vault.folder().join("metadata.json"))?;
    timed("metadata lost", &vault, &engine)?;
    Ok(())
}

fn fill(vault: &Vault, count: usize) -> Result<(), Box<dyn Error>> {
    vault.create()?;
    for number in 0..count {
        let place = vault.folder().join(format!("knowledge/facts/{}", number % 100));
        std::fs::create_dir_all(&place)?;
        std::fs::write(place.join(format!("note {number}.md")), text(number, count))?;
    }
    Ok(())
}

fn text(number: usize, count: usize) -> String {
    let next = (number * 7919 + 1) % count;
    let words = [
        "server", "garden", "release", "coffee", "meeting", "router", "harvest", "invoice", "travel", "music",
    ];
    let filler: Vec<String> = (0..120)
        .map(|at| format!("{} {}", words[(number + at * at) % words.len()], (number * 31 + at) % 977))
        .collect();
    format!(
        "---\ntags: [t{}]\n---\n# Service {number}\n\nThe port of service {number} is {}. See [[note {next}]].\n\n{}.\n",
        number % 50,
        1000 + number,
        filler.join(" ")
    )
}

fn timed(what: &str, vault: &Vault, engine: &Perihelion) -> Result<(), Box<dyn Error>> {
    let begun = Instant::now();
    let outcome = vault.sync(engine)?;
    let took = begun.elapsed();
    if let Sync::Done(synced) = outcome {
        let (added, changed, links) = (synced.added.len(), synced.changed.len(), synced.links_drawn);
        println!(
            "{what}: {:.1} ms ({} documents, {added} added, {changed} changed, {links} links drawn)",
            took.as_secs_f64() * 1000.0,
            synced.documents
        );
    }
    Ok(())
}

//! How long it takes to remember a vault of many documents, to look through it again, and to see one edit.
//!
//! `cargo run --release -p peri-vault --example vault_speed -- 10000`
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::time::Instant;

use peri_vault::{Sync, Vault};
use perihelion::{Chores, Namespace, Options, Perihelion};

fn main() -> Result<(), Box<dyn Error>> {
    let count: usize = std::env::args().nth(1).map_or(Ok(10_000), |text| text.parse())?;
    let folder = tempfile::tempdir()?;
    let vault = Vault::new(folder.path().join("vault"), Namespace::default());
    vault.create()?;
    for number in 0..count {
        let place = vault.folder().join(format!("knowledge/facts/{}", number % 100));
        std::fs::create_dir_all(&place)?;
        std::fs::write(place.join(format!("note {number}.md")), text(number, count))?;
    }
    let engine = Perihelion::open(Options { chores: Chores::ByHand, ..Options::at(folder.path()) })?;
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

//! The table, the examples and the programs of the fuzzer name the same targets.

use std::collections::BTreeSet;
use std::fs;

use peri_fuzz::TABLE;

use super::{ANY, corpus};

fn table() -> BTreeSet<String> {
    TABLE.iter().map(|target| target.name.to_owned()).collect()
}

#[test]
fn every_target_has_examples_and_every_example_a_target() {
    let folders =
        fs::read_dir(corpus()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let folders: BTreeSet<_> = folders.filter(|name| name != ANY).collect();
    assert_eq!(folders, table());
}

#[test]
fn the_fuzzer_has_a_program_for_every_target() {
    let manifest = fs::read_to_string(corpus().join("../../../fuzz/Cargo.toml")).unwrap();
    let programs = manifest.split("[[bin]]").skip(1);
    let names = programs.map(|program| program.split('"').nth(1).unwrap().to_owned());
    assert_eq!(names.collect::<BTreeSet<_>>(), table());
}

#[test]
fn all_examples_together_stay_small() {
    let folders = fs::read_dir(corpus()).unwrap().map(|entry| entry.unwrap().path());
    let files = folders.flat_map(|folder| fs::read_dir(folder).unwrap()).map(|file| file.unwrap());
    let bytes: u64 = files.map(|file| file.metadata().unwrap().len()).sum();
    assert!(bytes < 1 << 20, "{bytes} bytes of examples");
}

//! No operation of the store is left without a test that runs on every database.

use std::fs;
use std::path::Path;

/// What is not run on the servers, or reads through other means than the store.
const ELSEWHERE: [&str; 3] = ["opening.rs", "servers.rs", "relocate"];

/// The tests that run on every database, without white space.
fn tests() -> String {
    let mut text = String::new();
    gather(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it"), &mut text);
    text
}

fn gather(folder: &Path, text: &mut String) {
    for item in fs::read_dir(folder).unwrap() {
        let path = item.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if ELSEWHERE.contains(&name) {
            continue;
        }
        if path.is_dir() {
            gather(&path, text);
        } else if name.ends_with(".rs") {
            text.extend(fs::read_to_string(&path).unwrap().split_whitespace());
        }
    }
}

/// The lines of an item's body, from its first line to the brace that closes it.
fn body<'s>(source: &'s str, first: &str) -> impl Iterator<Item = &'s str> {
    let begin = source.find(first).unwrap() + first.len();
    source[begin..].lines().skip(1).take_while(|line| *line != "}")
}

/// The word that a line begins with, at the depth of an item's parts.
fn name(line: &str) -> Option<&str> {
    let line = line.strip_prefix("    ")?;
    let end = line.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(line.len());
    Some(&line[..end]).filter(|name| !name.is_empty())
}

/// Those names whose use is nowhere in the tests.
fn unused<'s>(names: &[&'s str], used: impl Fn(&str) -> Vec<String>) -> Vec<&'s str> {
    let tests = tests();
    let is_used = |name: &str| used(name).iter().any(|text| tests.contains(text));
    names.iter().copied().filter(|name| !is_used(name)).collect()
}

#[test]
fn every_write_is_made_by_a_test() {
    let source = include_str!("../../../src/writes.rs");
    let variants: Vec<_> = body(source, "pub enum Write {").filter_map(name).collect();
    assert!(variants.contains(&"Remember") && variants.contains(&"DropAnswers"), "{variants:?}");
    let made = |name: &str| ["{", "("].map(|open| format!("Write::{name}{open}")).to_vec();
    let tuple = |name: &str| [made(name), vec![format!("Write::{name})")]].concat();
    assert_eq!(unused(&variants, tuple), [""; 0], "no test that runs on the servers makes these");
}

#[test]
fn every_method_of_the_store_is_called_by_a_test() {
    let source = include_str!("../../../src/api.rs");
    let methods: Vec<_> = body(source, "pub trait Store: Send + Sync {")
        .filter_map(|line| line.strip_prefix("    fn "))
        .filter_map(|line| line.split_once('(').map(|(name, _)| name))
        .collect();
    assert!(methods.contains(&"identity") && methods.contains(&"check"), "{methods:?}");
    let called = |name: &str| vec![format!("store.{name}(")];
    assert_eq!(unused(&methods, called), [""; 0], "no test that runs on the servers calls these");
}

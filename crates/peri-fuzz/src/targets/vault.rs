//! Documents that people write, and what is kept beside them.

use std::fs;

use peri_vault::{Key, Vault, front_matter};
use serde_json::{Value, json};

use super::desk::{Desk, namespace};
use crate::given::{self, is_for_people};

/// Front matter: what is read stands where it is said to stand; changing a key changes that key alone, and the body never.
pub(crate) fn front_matter(data: &[u8]) {
    let text = given::text(data);
    let front = front_matter::read(&text);
    let body = text.get(front.body_at..).expect("the body begins at a character");
    if let Some(yaml) = &front.yaml {
        assert!(text.get(yaml.clone()).is_some() && yaml.end <= front.body_at);
    }
    let loosely = front_matter::read_loosely(&text);
    for key in loosely.fields.keys() {
        loosely.written(&text, key);
    }
    front.problem.iter().for_each(is_for_people);
    for (key, value) in
        [("title", Some(json!("찻집: \"x\" # y"))), ("tags", Some(json!(["a", 1]))), ("title", None)]
    {
        let changed = front_matter::with(&text, &[(key.to_owned(), value.clone())]);
        let after = front_matter::read(&changed);
        let mut expected = front.fields.clone();
        match &value {
            Some(value) => expected.insert(key.to_owned(), value.clone()),
            None => expected.remove(key),
        };
        assert_eq!(after.fields, expected, "{key} in {changed:?}");
        assert_eq!(&changed[after.body_at..], body, "the body of {changed:?}");
    }
    let other = front_matter::with_body(&text, "other");
    assert!(other.ends_with("other"));
}

/// Documents: parts stand in order within the text, and labels keep to the limits.
pub(crate) fn vault_document(data: &[u8]) {
    let text = given::text(data);
    let (parts, problems) = peri_vault::fuzzing::document(&text);
    let mut end = 0;
    for (range, _) in &parts {
        assert!(range.start >= end && !range.is_empty(), "{range:?}");
        let part = text.get(range.clone()).expect("a part begins and ends at a character");
        assert_eq!(part, part.trim(), "blank space around a part");
        end = range.end;
    }
    problems.iter().for_each(is_for_people);
}

/// A vault with a damaged document or damaged metadata: bringing it into step loses no document, and doing it again changes
/// nothing.
pub(crate) fn vault_sync(data: &[u8]) {
    let (choice, data) = given::choice(data);
    let desk = Desk::empty();
    let folder = desk.folder.path().join("vault");
    let vault = Vault::new(&folder, namespace());
    vault.create().expect("folders are made");
    let key = Key::parse("facts/coffee").expect("a plain key");
    vault.put(&key, "---\ntags: [drink]\n---\n# Coffee\nBeans, see [[tea]].\n").expect("a document is put");
    vault.sync(&desk.engine).expect("a plain document is taken");
    let (path, is_document) = match choice % 2 {
        0 => (folder.join("metadata.json"), false),
        _ => (folder.join("knowledge/facts/tea.md"), true),
    };
    fs::write(&path, data).expect("the file is written");
    match vault.sync(&desk.engine) {
        Ok(_) => {}
        Err(error) => return is_for_people(&error),
    }
    assert!(vault.get(&key).is_ok(), "a document is gone");
    if is_document && std::str::from_utf8(data).is_ok() {
        assert_eq!(fs::read(&path).ok().as_deref(), Some(data), "a document was changed");
    }
    // Of metadata, only what a clock of the disk tells may change.
    let state = || (text(desk.everything()), is_document.then(|| fs::read(&path).ok().map(text)));
    let before = state();
    vault.sync(&desk.engine).expect("it was brought into step before");
    assert_eq!(state(), before, "doing it again changes nothing");
    let status: Value = serde_json::to_value(vault.status().expect("a status")).expect("JSON");
    assert!(status.is_object());
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8_lossy(&bytes).into_owned()
}

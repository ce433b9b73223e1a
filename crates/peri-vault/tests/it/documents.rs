//! Documents by their keys.

use peri_vault::{Class, Key, Put, VaultError};

use crate::support::Desk;

fn key(text: &str) -> Key {
    Key::parse(text).unwrap()
}

#[test]
fn config_documents_are_put_read_listed_and_deleted_by_their_keys() {
    let desk = Desk::new();
    for (name, path) in [
        ("system", "md/system.md"),
        ("world", "md/world.md"),
        ("user:김민수", "md/users/김민수.md"),
        ("어조", "md/어조.md"),
    ] {
        assert_eq!(desk.vault.put(&key(name), "첫 줄\n").unwrap(), Put::Created);
        assert_eq!(desk.vault.put(&key(name), "첫 줄\n").unwrap(), Put::Unchanged);
        let document = desk.vault.get(&key(name)).unwrap();
        assert_eq!((document.text.as_str(), document.listed.path.as_str()), ("첫 줄\n", path));
        assert_eq!((document.listed.class, document.listed.bytes), (Class::Config, 8));
    }
    desk.sync();
    assert_eq!(desk.sources(), Vec::<String>::new());
    let status = desk.vault.status().unwrap();
    assert_eq!((status.config, status.knowledge, status.waiting), (4, 0, 0));
    let place = desk.vault.delete(&key("user:김민수")).unwrap();
    assert!(place.ends_with(".trash/md/users/김민수.md") && place.is_file());
    assert!(matches!(desk.vault.get(&key("user:김민수")), Err(VaultError::NotFound { .. })));
    assert_eq!(desk.vault.list().unwrap().len(), 3);
}

#[test]
fn a_text_without_front_matter_replaces_the_body_alone() {
    let desk = Desk::new();
    let coffee = key("knowledge/facts/coffee");
    desk.vault.put(&coffee, "---\ntags: [음료]  # mine\n---\nold\n").unwrap();
    assert_eq!(desk.vault.put(&coffee, "new\n").unwrap(), Put::Changed);
    assert_eq!(desk.read("knowledge/facts/coffee.md"), "---\ntags: [음료]  # mine\n---\nnew\n");
    desk.vault.put(&coffee, "---\na: 1\n---\nnewer\n").unwrap();
    assert_eq!(desk.read("knowledge/facts/coffee.md"), "---\na: 1\n---\nnewer\n");
}

#[test]
fn deleting_the_same_name_twice_keeps_both() {
    let desk = Desk::new();
    for text in ["one", "two", "three"] {
        desk.vault.put(&key("facts/x"), text).unwrap();
        desk.vault.delete(&key("facts/x")).unwrap();
    }
    assert_eq!(desk.trashed_files(), ["x 2.md", "x 3.md", "x.md"]);
}

#[test]
fn a_vault_that_does_not_exist_holds_nothing_and_says_so() {
    let desk = Desk::new();
    let vault = peri_vault::Vault::new(desk.folder.path().join("nowhere"), perihelion::Namespace::default());
    assert!(!vault.exists() && !vault.status().unwrap().exists);
    assert!(matches!(vault.get(&key("system")), Err(VaultError::NotFound { .. })));
}

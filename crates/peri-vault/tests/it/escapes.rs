//! Names and links that lead out of the vault are refused.

use peri_vault::{Key, VaultError};

use crate::support::Desk;

#[test]
fn files_with_names_that_some_system_cannot_have_are_told_and_not_remembered() {
    let desk = Desk::new();
    let mut refused = vec!["knowledge/facts/con.md", "knowledge/facts/x .md"];
    if cfg!(unix) {
        refused.extend(["knowledge/facts/a:b.md", "knowledge/facts/a\\b.md"]);
    }
    for place in &refused {
        desk.write(place, "Mars is red.");
    }
    let mut told: Vec<_> = desk.sync().problems.into_iter().map(|problem| problem.path).collect();
    told.sort();
    refused.sort_unstable();
    assert_eq!(told, refused);
    assert_eq!(desk.sources(), Vec::<String>::new());
}

#[cfg(unix)]
#[test]
fn links_that_lead_out_are_neither_read_nor_written() {
    use std::os::unix::fs::symlink;
    let desk = Desk::new();
    let outside = desk.folder.path().join("outside");
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("secret.md"), "The secret is out.").unwrap();
    symlink(outside.join("secret.md"), desk.path("knowledge/facts/link.md")).unwrap();
    symlink(&outside, desk.path("knowledge/folder")).unwrap();
    symlink(desk.path("knowledge"), desk.path("knowledge/loop")).unwrap();
    let problems = desk.sync().problems;
    assert_eq!((problems.len(), desk.sources().len()), (3, 0), "{problems:?}");
    for key in ["facts/link", "knowledge/folder/secret"] {
        let key = Key::parse(key).unwrap();
        assert!(matches!(desk.vault.get(&key), Err(VaultError::Escapes { .. })), "{key}");
        assert!(matches!(desk.vault.put(&key, "gone"), Err(VaultError::Escapes { .. })), "{key}");
        assert!(matches!(desk.vault.delete(&key), Err(VaultError::Escapes { .. })), "{key}");
    }
    let key = Key::parse("knowledge/folder/deep/new").unwrap();
    assert!(matches!(desk.vault.put(&key, "x"), Err(VaultError::Escapes { .. })));
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 1);
    assert_eq!(std::fs::read_to_string(outside.join("secret.md")).unwrap(), "The secret is out.");
}

#[cfg(unix)]
#[test]
fn a_folder_of_knowledge_that_is_itself_a_link_is_refused() {
    let desk = Desk::new();
    let outside = desk.folder.path().join("outside");
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("secret.md"), "The secret is out.").unwrap();
    std::fs::remove_dir_all(desk.path("knowledge")).unwrap();
    std::os::unix::fs::symlink(&outside, desk.path("knowledge")).unwrap();
    assert_eq!((desk.sync().problems.len(), desk.sources().len()), (1, 0));
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_read_is_an_error_and_nothing_is_taken_for_deleted() {
    use std::os::unix::fs::PermissionsExt as _;
    let desk = Desk::new();
    desk.write("knowledge/facts/x.md", "Mars is red.");
    desk.sync();
    let folder = desk.path("knowledge/facts");
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o000)).unwrap();
    let outcome = desk.vault.sync(&desk.engine);
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
    // Whoever may read everything, as root may, sees no trouble at all.
    assert!(outcome.is_err() || outcome.is_ok_and(|sync| crate::support::done(sync).is_nothing()));
    assert_eq!(desk.sources(), ["vault:knowledge/facts/x.md"]);
}

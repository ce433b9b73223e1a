//! What is known of a vault is lost, damaged, or of another store: nothing is doubled and nothing is lost.

use peri_vault::Vault;
use perihelion::{Namespace, Trashed};
use serde_json::Value;

use crate::support::{Desk, done, keys};

fn prepared() -> Desk {
    let desk = Desk::new();
    desk.write("knowledge/facts/가.md", "Mars is red. [[b]]");
    desk.write("knowledge/deep/er/b.md", "Neptune is blue.");
    desk.write("md/users/ana.md", "Ana likes planets.");
    desk.sync();
    desk
}

#[test]
fn it_says_for_each_file_what_was_synced_with_forward_slashes() {
    let desk = prepared();
    let metadata: Value = serde_json::from_str(&desk.read("metadata.json")).unwrap();
    let files = metadata["files"].as_object().unwrap();
    assert_eq!(
        files.keys().collect::<Vec<_>>(),
        ["knowledge/deep/er/b.md", "knowledge/facts/가.md", "md/users/ana.md"]
    );
    let entry = &files["knowledge/facts/가.md"];
    assert_eq!(entry["digest"], blake3::hash("Mars is red. [[b]]".as_bytes()).to_hex().to_string());
    assert_eq!((entry["version"].as_u64(), entry["size"].as_u64()), (Some(1), Some(18)));
    assert_eq!(entry["synced_at"], crate::support::NOW);
    assert_eq!(entry["memories"][0]["id"], desk.memory("knowledge/facts/가.md").id.to_string());
    desk.write("knowledge/facts/가.md", "Mars is rusty.");
    desk.sync();
    let metadata: Value = serde_json::from_str(&desk.read("metadata.json")).unwrap();
    assert_eq!(metadata["files"]["knowledge/facts/가.md"]["version"], 2);
}

#[test]
fn lost_or_damaged_metadata_is_made_anew_without_doubling_or_losing_anything() {
    for damage in [None, Some(""), Some("{"), Some("{\"format\": 99}"), Some("[]"), Some("\0\0")] {
        let desk = prepared();
        let before: Vec<_> = desk.memories(Trashed::Without);
        desk.write("knowledge/facts/가.md", "Mars is rusty. [[b]]");
        match damage {
            None => desk.remove("metadata.json"),
            Some(text) => desk.write("metadata.json", text),
        }
        let desk = desk.reopen();
        assert!(desk.vault.status().unwrap().problems.len() == usize::from(damage.is_some()));
        desk.sync();
        let after: Vec<_> = desk.memories(Trashed::Without);
        assert_eq!(
            before.iter().map(|memory| memory.id).collect::<Vec<_>>(),
            after.iter().map(|memory| memory.id).collect::<Vec<_>>(),
            "{damage:?}"
        );
        assert_eq!(desk.memory("knowledge/facts/가.md").content, "Mars is rusty. [[b]]");
        assert!(desk.sync().is_nothing(), "{damage:?}");
        assert_eq!(desk.vault.status().unwrap().links, 1);
    }
}

#[test]
fn a_file_that_is_gone_together_with_the_metadata_is_written_again() {
    let desk = prepared();
    desk.remove("metadata.json");
    desk.remove("knowledge/facts/가.md");
    assert_eq!(keys(&desk.sync().restored), ["knowledge/facts/가"]);
    assert_eq!(desk.read("knowledge/facts/가.md"), "Mars is red. [[b]]\n");
    assert_eq!(desk.memories(Trashed::Without).len(), 2);
    assert!(desk.sync().is_nothing());
}

#[test]
fn a_vault_beside_another_store_is_remembered_there_whole() {
    let (desk, other) = (prepared(), Desk::new());
    let vault = Vault::new(desk.vault.folder(), Namespace::default());
    let synced = done(vault.sync(&other.engine).unwrap());
    assert!(synced.rebuilt.is_some() && synced.added.len() == 2, "{synced:?}");
    assert_eq!(other.sources(), desk.sources());
    assert!(done(vault.sync(&other.engine).unwrap()).is_nothing());
}

#[test]
fn another_namespace_takes_the_documents_over() {
    let desk = prepared();
    let vault = Vault::new(desk.vault.folder(), "team/notes".parse().unwrap());
    done(vault.sync(&desk.engine).unwrap());
    let namespaces: Vec<_> =
        desk.memories(Trashed::Without).into_iter().map(|memory| memory.namespace.to_string()).collect();
    assert_eq!(namespaces, ["team/notes", "team/notes"]);
    assert_eq!(desk.memories(Trashed::Only).len(), 2);
    assert!(done(vault.sync(&desk.engine).unwrap()).is_nothing());
}

#[test]
fn one_process_at_a_time_syncs_and_others_skip() {
    let desk = prepared();
    let lock = std::fs::File::options().write(true).open(desk.path(".peri-lock")).unwrap();
    lock.lock().unwrap();
    assert_eq!(desk.vault.sync(&desk.engine).unwrap(), peri_vault::Sync::HeldElsewhere);
    drop(lock);
    assert!(desk.sync().is_nothing());
}

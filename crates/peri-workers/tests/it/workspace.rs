//! Workers on a workspace of code.

use std::path::Path;
use std::sync::Arc;

use peri_workers::{WorkerKind, WorkerManager, WorkersSettings};
use perihelion::{Namespace, Perihelion, Recall};
use tempfile::TempDir;

use crate::support::{done, figure, fresh, settings};

fn put(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// A small workspace of two packages.
fn code() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    put(root, "Cargo.toml", "[workspace]\nmembers = [\"tea\", \"kettle\"]\n");
    put(
        root,
        "tea/Cargo.toml",
        "[package]\nname = \"tea\"\nversion = \"0.1.0\"\n[dependencies]\nkettle = { path = \"../kettle\" }\n",
    );
    put(
        root,
        "tea/src/lib.rs",
        "//! Brews tea.\npub fn brew(leaves: u32) -> u32 {\n    kettle::boil() + leaves\n}\n",
    );
    put(root, "kettle/Cargo.toml", "[package]\nname = \"kettle\"\nversion = \"0.1.0\"\n");
    put(root, "kettle/src/lib.rs", "//! Boils water.\npub fn boil() -> u32 {\n    100\n}\n");
    folder
}

fn manager(engine: &Arc<Perihelion>, workspace: &TempDir) -> WorkerManager {
    let workspace = Some(workspace.path().to_owned());
    WorkerManager::new(Arc::clone(engine), None, WorkersSettings { workspace, ..settings() })
}

#[test]
fn map_turns_the_workspace_into_knowledge_and_writes_only_what_changed() {
    let (_folder, engine) = fresh();
    let workspace = code();
    let workers = manager(&engine, &workspace);
    let report = done(&workers, WorkerKind::Map);
    assert!(figure(&report, "things") >= 3.0 && figure(&report, "relations") == 1.0, "{report:?}");
    let graph = engine.read_graph(&Namespace::default()).unwrap();
    let tea = graph.entities.iter().find(|entity| entity.name.ends_with(": tea")).unwrap();
    assert!(tea.observations.iter().any(|said| said.contains("Brews tea")), "{tea:?}");
    assert!(
        graph.relations.iter().any(|one| one.relation_type == "depends_on" && one.to.ends_with(": kettle"))
    );
    let hits = engine.recall(&Recall::new("which package brews tea?")).unwrap().hits;
    assert!(!hits.is_empty(), "it is recalled like any memory");
    let again = done(&workers, WorkerKind::Map);
    assert!(again.output.contains("nothing changed"), "{}", again.output);
    put(
        workspace.path(),
        "kettle/src/lib.rs",
        "//! Boils and whistles.\npub fn boil() -> u32 {\n    100\n}\n",
    );
    let changed = done(&workers, WorkerKind::Map);
    assert!(figure(&changed, "added") >= 1.0 && figure(&changed, "removed") >= 1.0, "{changed:?}");
    let graph = engine.read_graph(&Namespace::default()).unwrap();
    let kettle = graph.entities.iter().find(|entity| entity.name.ends_with(": kettle")).unwrap();
    assert!(kettle.observations.iter().all(|said| !said.contains("Boils water")), "{kettle:?}");
    std::fs::remove_dir_all(workspace.path().join("tea")).unwrap();
    done(&workers, WorkerKind::Map);
    let graph = engine.read_graph(&Namespace::default()).unwrap();
    assert!(graph.entities.iter().all(|entity| !entity.name.ends_with(": tea")), "{graph:?}");
}

#[test]
fn audit_finds_a_secret_in_the_workspace_and_never_tells_it() {
    let (_folder, engine) = fresh();
    let workspace = code();
    let secret = "ghp_9876543210zyxwvutsrqZYXWVUTSRQ987654";
    put(workspace.path(), "kettle/src/token.rs", &format!("pub const TOKEN: &str = \"{secret}\";\n"));
    let report = done(&manager(&engine, &workspace), WorkerKind::Audit);
    assert!(figure(&report, "workspace_secrets") >= 1.0, "{report:?}");
    let alerts = engine.worker_alerts(false, 50).unwrap();
    assert!(alerts.iter().any(|alert| alert.file.as_deref() == Some("kettle/src/token.rs")), "{alerts:?}");
    assert!(!format!("{alerts:?}{report:?}").contains(secret));
}

#[test]
fn deepdive_draws_the_dependencies_and_testgaps_and_refactor_find_what_is_missing_or_twice() {
    let (_folder, engine) = fresh();
    let workspace = code();
    let twice: String = (0..12)
        .map(|line| format!("    total += prices[{line}] * rates[{line}] - discounts[{line}];\n"))
        .collect();
    for name in ["one", "two"] {
        let text = format!(
            "pub fn sum_{name}(prices: &[i64], rates: &[i64], discounts: &[i64]) -> i64 {{\n    let mut total = 0;\n{twice}    total\n}}\n"
        );
        put(workspace.path(), &format!("kettle/src/{name}.rs"), &text);
    }
    let workers = manager(&engine, &workspace);
    let picture = done(&workers, WorkerKind::Deepdive);
    assert!(figure(&picture, "packages") >= 2.0, "{picture:?}");
    let repeated = done(&workers, WorkerKind::Refactor);
    assert!(figure(&repeated, "repeated_code") >= 1.0, "{repeated:?}");
    let gaps = done(&workers, WorkerKind::Testgaps);
    assert!(figure(&gaps, "unmentioned_files") >= 1.0, "{gaps:?}");
    let tested = "#[test]\nfn it_boils() {\n    assert_eq!(kettle::boil(), 100);\n}\n";
    put(workspace.path(), "kettle/tests/boil.rs", tested);
    let fewer = done(&workers, WorkerKind::Testgaps);
    assert!(figure(&fewer, "unmentioned_files") < figure(&gaps, "unmentioned_files"), "{fewer:?}");
}

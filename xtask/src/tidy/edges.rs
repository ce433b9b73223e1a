//! Which crate may use which: lower never sees higher.

use super::Finding;
use super::tree::Tree;

/// Every crate, the lowest first, with the crates it may use. A new edge is a decision, made here.
const EDGES: &[(&str, &[&str])] = &[
    ("peri-servers", &[]),
    ("peri-heap", &[]),
    ("peri-private", &[]),
    ("peri-seal", &["peri-private"]),
    ("peri-types", &[]),
    ("peri-text", &["peri-types"]),
    ("peri-orbit", &["peri-types"]),
    ("peri-graph", &["peri-types"]),
    ("peri-embed", &["peri-private", "peri-types"]),
    ("peri-notes", &["peri-private", "peri-types"]),
    ("peri-store", &["peri-notes", "peri-private", "peri-seal", "peri-types"]),
    ("peri-index", &["peri-types"]),
    ("peri-queue", &["peri-private", "peri-types"]),
    ("peri-learn", &["peri-private", "peri-text", "peri-types"]),
    ("peri-tokens", &[]),
    ("peri-remote", &["peri-types"]),
    ("peri-llm", &["peri-private", "peri-remote", "peri-seal", "peri-tokens", "peri-types"]),
    ("peri-embed-remote", &["peri-embed", "peri-remote", "peri-types"]),
    ("peri-observe", &["peri-text", "peri-orbit", "peri-types"]),
    ("peri-companion", &["peri-notes", "peri-observe", "peri-llm", "peri-text", "peri-tokens", "peri-types"]),
    ("peri-workspace", &["peri-private", "peri-text"]),
    (
        "perihelion",
        &[
            "peri-private",
            "peri-types",
            "peri-text",
            "peri-orbit",
            "peri-graph",
            "peri-embed",
            "peri-seal",
            "peri-store",
            "peri-index",
            "peri-learn",
            "peri-queue",
            "peri-notes",
            "peri-companion",
            "peri-tokens",
        ],
    ),
    ("peri-agents", &["peri-private", "peri-seal"]),
    ("peri-bridge", &["perihelion", "peri-private"]),
    ("peri-backup", &["perihelion", "peri-private", "peri-store", "peri-types"]),
    ("peri-vault", &["perihelion", "peri-private"]),
    ("peri-workers", &["perihelion", "peri-private", "peri-text", "peri-vault", "peri-workspace"]),
    ("peri-mcp", &["perihelion"]),
    ("peri-http", &["perihelion", "peri-private", "peri-mcp", "peri-workers"]),
    (
        "peri-cli",
        &[
            "perihelion",
            "peri-heap",
            "peri-private",
            "peri-agents",
            "peri-bridge",
            "peri-companion",
            "peri-llm",
            "peri-embed-remote",
            "peri-backup",
            "peri-vault",
            "peri-workers",
            "peri-text",
            "peri-mcp",
            "peri-http",
        ],
    ),
    (
        "peri-bench",
        &[
            "perihelion",
            "peri-heap",
            "peri-types",
            "peri-text",
            "peri-orbit",
            "peri-graph",
            "peri-embed",
            "peri-store",
            "peri-index",
            "peri-learn",
            "peri-observe",
            "peri-vault",
            "peri-workers",
        ],
    ),
    ("peri-sim", &["perihelion", "peri-store", "peri-backup", "peri-vault", "peri-workers"]),
    (
        "peri-fuzz",
        &[
            "peri-types",
            "peri-text",
            "peri-embed",
            "peri-notes",
            "peri-store",
            "peri-index",
            "peri-queue",
            "peri-learn",
            "peri-tokens",
            "peri-remote",
            "peri-llm",
            "peri-embed-remote",
            "peri-workspace",
            "perihelion",
            "peri-agents",
            "peri-bridge",
            "peri-backup",
            "peri-vault",
            "peri-mcp",
            "peri-http",
            "peri-cli",
        ],
    ),
    ("xtask", &[]),
];

/// What a dependency is needed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Need {
    Always,
    /// For tests and examples only, which may use any lower crate, and their own with other features.
    Tests,
}

#[derive(Debug, PartialEq, Eq)]
struct Dependency {
    line: usize,
    name: String,
    need: Need,
}

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    // The fuzzer is built by other means, and nobody depends on it.
    let manifests = tree.ending("/Cargo.toml").filter(|file| file.path != "fuzz/Cargo.toml");
    for file in manifests {
        let folder = file.path.trim_end_matches("/Cargo.toml");
        let name = folder.rsplit('/').next().unwrap_or(folder);
        let Some(rank) = rank(name) else {
            let message = format!("crate {name} is not in the table of edges (xtask/src/tidy/edges.rs)");
            findings.push(Finding::breach(&file.path, 1, message));
            continue;
        };
        for dependency in dependencies(&file.text) {
            let Some(target) = self::rank(&dependency.name) else { continue };
            let allowed = match dependency.need {
                Need::Always => EDGES[rank].1.contains(&dependency.name.as_str()),
                Need::Tests => target <= rank,
            };
            if !allowed {
                let message = format!("{name} may not depend on {}", dependency.name);
                findings.push(Finding::breach(&file.path, dependency.line, message));
            }
        }
    }
    findings
}

fn rank(name: &str) -> Option<usize> {
    EDGES.iter().position(|(own, _)| *own == name)
}

/// The dependencies that a manifest names, in whatever form.
fn dependencies(manifest: &str) -> Vec<Dependency> {
    let mut found = Vec::new();
    let mut need = None;
    for (at, line) in manifest.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if let Some(table) = line.strip_prefix('[') {
            let (section, rest) = section(table.trim_matches(['[', ']']));
            need = section;
            if let (Some(need), Some(name)) = (section, rest) {
                found.push(Dependency { line: at + 1, name, need });
            }
        } else if let (Some(need), Some((key, value))) = (need, line.split_once('=')) {
            let renamed = value.split_once("package").and_then(|(_, rest)| rest.split('"').nth(1));
            let name =
                renamed.unwrap_or_else(|| key.split('.').next().unwrap_or(key)).trim().trim_matches('"');
            found.push(Dependency { line: at + 1, name: name.to_owned(), need });
        }
    }
    found
}

/// What a table is for, and the dependency it is about if it is about one alone.
fn section(table: &str) -> (Option<Need>, Option<String>) {
    let parts: Vec<&str> = table.split('.').collect();
    for (at, part) in parts.iter().enumerate() {
        let need = match *part {
            "dependencies" | "build-dependencies" => Need::Always,
            "dev-dependencies" => Need::Tests,
            _ => continue,
        };
        return (Some(need), parts.get(at + 1).map(|name| name.trim_matches('"').to_owned()));
    }
    (None, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, manifest: &str) -> Vec<usize> {
        let path = format!("crates/{name}/Cargo.toml");
        super::check(&Tree::of(&[(&path, manifest)])).into_iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn a_lower_crate_never_sees_a_higher_one() {
        for (name, manifest, lines) in [
            ("peri-store", "[dependencies]\nperi-types.workspace = true\n", vec![]),
            ("peri-types", "[dependencies]\nserde = \"1\"\nperi-store.workspace = true\n", vec![3]),
            ("peri-store", "[dependencies]\nperi-index = { path = \"../peri-index\" }\n", vec![2]),
            ("peri-store", "[target.'cfg(unix)'.dependencies]\nperihelion.workspace = true\n", vec![2]),
            ("peri-store", "[dependencies.peri-text]\npath = \"../peri-text\"\n", vec![1]),
            ("peri-store", "[dependencies]\nother = { package = \"peri-text\", path = \"x\" }\n", vec![2]),
            ("peri-store", "[features]\ndefault = []\nperihelion = []\n", vec![]),
        ] {
            assert_eq!(check(name, manifest), lines, "{name}: {manifest}");
        }
    }

    #[test]
    fn tests_may_use_any_lower_crate_but_no_higher_one() {
        assert_eq!(
            check("peri-index", "[dev-dependencies]\nperi-embed.workspace = true\n"),
            Vec::<usize>::new()
        );
        assert_eq!(check("peri-embed", "[dev-dependencies]\nperihelion.workspace = true\n"), [2]);
    }

    #[test]
    fn a_crate_that_is_not_in_the_table_is_a_breach() {
        assert_eq!(check("peri-extra", "[dependencies]\n"), [1]);
    }

    #[test]
    fn the_table_points_down_only() {
        for (at, (name, allowed)) in EDGES.iter().enumerate() {
            for target in *allowed {
                assert!(rank(target).is_some_and(|rank| rank < at), "{name} may not use {target}");
            }
        }
    }
}

//! Every Rust file of a crate is compiled: one that no module names is silently left out, with its tests.

use std::collections::BTreeSet;

use super::Finding;
use super::source;
use super::tree::{File, Tree};

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut crates: Vec<&str> = tree.crate_folders().collect();
    crates.sort_unstable();
    let reached: BTreeSet<String> = crates.iter().flat_map(|folder| reached(tree, folder)).collect();
    let inside = |path: &str| crates.iter().any(|folder| is_below(path, folder));
    tree.ending(".rs")
        .filter(|file| inside(&file.path) && !reached.contains(&file.path))
        .map(|file| {
            let message = "no module of the crate names this file, so it is never compiled";
            Finding::breach(&file.path, 1, message)
        })
        .collect()
}

/// The files that are compiled with a crate: its targets, and every module below them.
fn reached(tree: &Tree, folder: &str) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut to_visit: Vec<(String, Place)> =
        targets(tree, folder).into_iter().map(|path| (path, Place::Root)).collect();
    while let Some((path, place)) = to_visit.pop() {
        let Some(file) = tree.find(&path) else { continue };
        if reached.insert(path) {
            for module in declared(&file.text) {
                to_visit.extend(module.candidates(file, place));
            }
        }
    }
    reached
}

/// The roots that Cargo finds by itself, and those that the manifest names.
fn targets(tree: &Tree, folder: &str) -> Vec<String> {
    let manifest = tree.find(&format!("{folder}/Cargo.toml")).map_or("", |file| &file.text);
    let named = manifest.lines().filter_map(|line| {
        let value = line.trim().strip_prefix("path")?.trim_start().strip_prefix('=')?;
        let path = value.trim().trim_matches('"');
        path.ends_with(".rs").then(|| joined(folder, path))
    });
    let found = tree.ending(".rs").filter(|file| {
        is_below(&file.path, folder) && is_target(file.path[folder.len()..].trim_start_matches('/'))
    });
    found.map(|file| file.path.clone()).chain(named).collect()
}

/// Whether Cargo takes a path inside a crate for the root of a target.
fn is_target(path: &str) -> bool {
    if ["src/lib.rs", "src/main.rs", "build.rs"].contains(&path) {
        return true;
    }
    let folders = ["src/bin/", "tests/", "examples/", "benches/"];
    let Some(inside) = folders.iter().find_map(|folder| path.strip_prefix(folder)) else { return false };
    match inside.split_once('/') {
        None => true,
        Some((_, file)) => file == "main.rs",
    }
}

/// Where a file looks for its modules.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Beside itself: the root of a target, a `mod.rs`, and what a `#[path]` leads to.
    Root,
    /// In the folder of its own name.
    Named,
}

/// A module that a file declares and another file holds.
#[derive(Debug, PartialEq, Eq)]
struct Module {
    /// The modules in the same file around the declaration.
    around: Vec<String>,
    name: String,
    /// What `#[path]` says.
    path: Option<String>,
}

impl Module {
    /// The files that may hold it.
    fn candidates(&self, file: &File, place: Place) -> Vec<(String, Place)> {
        let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
        let mut below = folder.to_owned();
        if place == Place::Named {
            below = joined(&below, name.trim_end_matches(".rs"));
        }
        for module in &self.around {
            below = joined(&below, module);
        }
        match &self.path {
            Some(path) if self.around.is_empty() => vec![(joined(folder, path), Place::Root)],
            Some(path) => vec![(joined(&below, path), Place::Root)],
            None => vec![
                (format!("{below}/{}.rs", self.name), Place::Named),
                (format!("{below}/{}/mod.rs", self.name), Place::Root),
            ],
        }
    }
}

/// The modules that a source declares without a body.
fn declared(text: &str) -> Vec<Module> {
    let (masked, plain): (Vec<char>, Vec<char>) =
        (source::mask(text).chars().collect(), text.chars().collect());
    let (mut modules, mut around) = (Vec::new(), Vec::<(String, usize)>::new());
    let (mut depth, mut item) = (0_usize, 0);
    for at in 0..masked.len() {
        match masked[at] {
            '{' => (depth, item) = (depth + 1, at + 1),
            '}' => {
                (depth, item) = (depth.saturating_sub(1), at + 1);
                around.retain(|(_, outside)| *outside < depth);
            }
            ';' => item = at + 1,
            'm' if at == 0 || !source::is_word(masked[at - 1]) => match declaration(&masked[at..]) {
                Some((name, ';')) => modules.push(Module {
                    around: around.iter().map(|(name, _)| name.clone()).collect(),
                    name,
                    path: path_attribute(&masked[item..at], &plain[item..at]),
                }),
                Some((name, _)) => around.push((name, depth)),
                None => {}
            },
            _ => {}
        }
    }
    modules
}

/// The name after `mod`, and whether a body or a semicolon follows it.
fn declaration(rest: &[char]) -> Option<(String, char)> {
    let rest = rest.strip_prefix(&['m', 'o', 'd', ' '])?;
    let name: String = rest.iter().take_while(|c| source::is_word(**c) || **c == '#').collect();
    let follows = rest[name.chars().count()..].iter().find(|c| !c.is_whitespace())?;
    let name = name.trim_start_matches("r#");
    (!name.is_empty() && matches!(follows, ';' | '{')).then(|| (name.to_owned(), *follows))
}

/// What `#[path = "…"]` before a declaration says.
fn path_attribute(masked: &[char], plain: &[char]) -> Option<String> {
    let mark: Vec<char> = "#[path".chars().collect();
    let start = masked.windows(mark.len()).position(|window| window == mark)?;
    let said: String = plain[start..].iter().collect();
    said.split('"').nth(1).map(str::to_owned)
}

fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// A path from a folder, with `..` taken out.
fn joined(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The files of a crate that are left out, with the root's source and further files.
    fn left_out(root: &str, text: &str, others: &[(&str, &str)]) -> Vec<String> {
        let inside = |path: &str| format!("crates/one/{path}");
        let mut files = vec![(inside("Cargo.toml"), ""), (inside(root), text)];
        files.extend(others.iter().map(|(path, text)| (inside(path), *text)));
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        let found = check(&Tree::of(&files)).into_iter();
        found.map(|finding| finding.path.trim_start_matches("crates/one/").to_owned()).collect()
    }

    #[test]
    fn a_file_that_no_module_names_is_a_breach_wherever_it_lies() {
        for path in [
            "src/lost.rs",
            "src/found/lost.rs",
            "tests/it/lost.rs",
            "tests/it/found/lost/mod.rs",
            "examples/one/lost.rs",
            "benches/one/lost.rs",
            "lost.rs",
        ] {
            let others = [
                ("src/found.rs", ""),
                ("tests/it/main.rs", "mod found;"),
                ("tests/it/found.rs", ""),
                (path, ""),
            ];
            assert_eq!(left_out("src/lib.rs", "mod found; // mod lost;", &others), [path]);
        }
    }

    #[test]
    fn what_lies_below_a_file_that_is_left_out_is_left_out_too() {
        let others = [("tests/it/lost.rs", "mod below;"), ("tests/it/lost/below.rs", "")];
        assert_eq!(left_out("tests/it/main.rs", "", &others), ["tests/it/lost.rs", "tests/it/lost/below.rs"]);
    }

    #[test]
    fn modules_are_found_where_the_compiler_looks_for_them() {
        for (root, text, other, inner, third) in [
            ("src/lib.rs", "pub mod a;", "src/a.rs", "pub(crate) mod b;", "src/a/b.rs"),
            ("src/main.rs", "mod a;", "src/a/mod.rs", "#[cfg(test)]\nmod b;", "src/a/b.rs"),
            ("src/bin/x/main.rs", "mod a;", "src/bin/x/a.rs", "mod b;", "src/bin/x/a/b.rs"),
            ("tests/it/main.rs", "#[path = \"../é/a.rs\"]\nmod z;", "tests/é/a.rs", "mod b;", "tests/é/b.rs"),
            ("src/lib.rs", "mod x { fn f() {} mod a; }", "src/x/a.rs", "mod r#b;", "src/x/a/b.rs"),
            ("src/lib.rs", "mod x { mod y {} } mod a;", "src/a.rs", "mod b;", "src/a/b.rs"),
            ("examples/x/main.rs", "mod a;", "examples/x/a.rs", "", "examples/y.rs"),
            ("build.rs", "mod a;", "a.rs", "", "benches/y.rs"),
        ] {
            let others = [(other, inner), (third, "")];
            assert_eq!(left_out(root, text, &others), [""; 0], "{root}: {text}");
        }
    }

    #[test]
    fn a_target_that_the_manifest_names_is_a_root() {
        let files = [("fuzz/Cargo.toml", "[[bin]]\npath = \"targets/a.rs\"\n"), ("fuzz/targets/a.rs", "")];
        assert_eq!(check(&Tree::of(&files)), []);
        assert_eq!(check(&Tree::of(&[files[1], ("fuzz/Cargo.toml", "")])).len(), 1);
    }
}

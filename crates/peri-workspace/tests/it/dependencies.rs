//! Imports of each language, circles, orphans and packages.

use peri_workspace::{Dependencies, EdgeKind};

use crate::folder::Folder;

fn look(files: &[(&str, &str)]) -> Dependencies {
    let workspace = Folder::with(files).open_kept();
    let map = workspace.0.map(&|| true);
    workspace.0.dependencies(&map, &|| true)
}

/// Edges as `from > to`, and `from ~ to` where it is for tests.
fn edges(dependencies: &Dependencies) -> Vec<String> {
    let flat = dependencies.edges.iter().map(|edge| {
        let sign = if edge.kind == EdgeKind::Use { '>' } else { '~' };
        format!("{} {sign} {}", edge.from, edge.to)
    });
    flat.collect()
}

#[test]
fn rust_paths_lead_through_modules_re_exports_and_crates() {
    let found = look(&[
        ("a/Cargo.toml", "[package]\nname = \"my-a\"\n"),
        ("a/src/lib.rs", "mod deep;\nmod used;\npub use used::Thing;\n"),
        ("a/src/used.rs", "pub struct Thing;\npub fn work() {}\n"),
        ("a/src/deep/mod.rs", "mod leaf;\npub(crate) use leaf::Leaf;\n"),
        (
            "a/src/deep/leaf.rs",
            "use crate::Thing;\npub(crate) struct Leaf(Thing);\n#[cfg(test)]\nmod tests {\n    use super::*;\n    use crate::deep::Leaf;\n}\n",
        ),
        ("a/src/lost.rs", "fn lost() { crate::used::work() }\n"),
        ("b/Cargo.toml", "[package]\nname = \"b\"\n[dependencies]\nmy-a = { path = \"../a\" }\n"),
        (
            "b/src/main.rs",
            "#[path = \"other/place.rs\"]\nmod elsewhere;\nfn main() { my_a::Thing; elsewhere::go() }\n",
        ),
        ("b/src/other/place.rs", "pub fn go() {}\n"),
        ("b/tests/it/main.rs", "mod inner;\n"),
        ("b/tests/it/inner.rs", "use my_a::Thing;\n"),
    ]);
    assert_eq!(
        edges(&found),
        [
            "a/src/deep/leaf.rs > a/src/used.rs",
            "a/src/deep/mod.rs > a/src/deep/leaf.rs",
            "a/src/lib.rs > a/src/used.rs",
            "b/src/main.rs > a/src/used.rs",
            "b/src/main.rs > b/src/other/place.rs",
            "b/tests/it/inner.rs ~ a/src/used.rs",
        ]
    );
    assert_eq!(found.orphans, ["a/src/lost.rs"]);
    let used = found.most_used(1)[0];
    assert_eq!((used.path.as_str(), used.fan_in, used.tests_in, used.layer), ("a/src/used.rs", 3, 1, 0));
    assert_eq!(found.packages[1].uses, ["my-a"]);
    assert_eq!((found.packages[0].used_by.as_slice(), found.packages[1].layer), (&["b".to_owned()][..], 1));
}

#[test]
fn python_imports_are_followed_from_roots_and_by_dots() {
    let found = look(&[
        ("pyproject.toml", "[project]\nname = \"p\"\n"),
        ("src/pack/__init__.py", "from .core import run\n"),
        ("src/pack/core.py", "import os\nfrom . import names\n"),
        ("src/pack/names.py", ""),
        ("src/pack/sub/deep.py", "from ..core import (\n    run,\n)\nimport pack.names\n"),
        ("tests/test_core.py", "from pack import core\n"),
        ("script.py", "import 도움\n"),
        ("도움.py", "x = 1\n"),
    ]);
    assert_eq!(
        edges(&found),
        [
            "script.py > 도움.py",
            "src/pack/__init__.py > src/pack/core.py",
            "src/pack/core.py > src/pack/names.py",
            "src/pack/sub/deep.py > src/pack/core.py",
            "src/pack/sub/deep.py > src/pack/names.py",
            "tests/test_core.py ~ src/pack/core.py",
        ]
    );
    assert_eq!(found.orphans, ["script.py", "src/pack/sub/deep.py"]);
}

#[test]
fn script_imports_are_followed_without_endings_and_across_packages() {
    let found = look(&[
        ("web/package.json", "{\"name\": \"web\", \"dependencies\": {\"@x/ui\": \"*\", \"react\": \"^19\"}}"),
        (
            "web/src/main.tsx",
            "import { a } from './a.js';\nimport ui from \"@x/ui\";\nimport React from 'react';\nimport b from '@/deep';\n",
        ),
        ("web/src/a.ts", "export const a = require('./data');\n"),
        ("web/src/data.mjs", ""),
        ("web/src/deep/index.ts", ""),
        ("ui/package.json", "{\"name\": \"@x/ui\", \"main\": \"./lib/ui.js\"}"),
        ("ui/lib/ui.js", ""),
    ]);
    assert_eq!(
        edges(&found),
        [
            "web/src/a.ts > web/src/data.mjs",
            "web/src/main.tsx > ui/lib/ui.js",
            "web/src/main.tsx > web/src/a.ts",
            "web/src/main.tsx > web/src/deep/index.ts",
        ]
    );
    let web = found.packages.iter().find(|package| package.name == "web").unwrap();
    assert_eq!((web.uses.as_slice(), web.requirements.len()), (&["@x/ui".to_owned()][..], 2));
}

#[test]
fn go_and_java_and_c_are_followed_too() {
    let found = look(&[
        ("go.mod", "module example.com/m\n"),
        (
            "main.go",
            "package main\n\nimport (\n\t\"fmt\"\n\tst \"example.com/m/store\"\n)\n\nfunc main() { fmt.Println(st.Open()) }\n",
        ),
        ("store/open.go", "package store\n\nfunc Open() {}\n"),
        ("store/close.go", "package store\n\nfunc Close() {}\n"),
        ("j/A.java", "package j;\nimport k.B;\nclass A { C c; }\n"),
        ("j/C.java", "package j;\nclass C {}\n"),
        ("k/B.java", "package k;\npublic class B {}\n"),
        ("c/a.c", "#include \"inc/a.h\"\n#include <stdio.h>\n"),
        ("c/inc/a.h", "#include \"b.h\"\n"),
        ("include/b.h", ""),
        ("r/a.rb", "require_relative 'b'\n"),
        ("r/b.rb", ""),
    ]);
    assert_eq!(
        edges(&found),
        [
            "c/a.c > c/inc/a.h",
            "c/inc/a.h > include/b.h",
            "j/A.java > j/C.java",
            "j/A.java > k/B.java",
            "main.go > store/open.go",
            "r/a.rb > r/b.rb",
        ]
    );
}

#[test]
fn circles_are_found_with_a_shortest_one() {
    let found = look(&[
        ("a.py", "import b\n"),
        ("b.py", "import c\nimport d\n"),
        ("c.py", "import a\nimport b\n"),
        ("d.py", ""),
    ]);
    assert_eq!(found.cycles.len(), 1);
    assert_eq!(found.cycles[0].files, ["a.py", "b.py", "c.py"]);
    assert_eq!(found.cycles[0].shortest, ["b.py", "c.py"]);
    let layers: Vec<usize> = found.files.iter().map(|file| file.layer).collect();
    assert_eq!(layers, [1, 1, 1, 0]);
}

#[test]
fn versions_that_the_root_says_once_are_known_everywhere() {
    let found = look(&[
        (
            "Cargo.toml",
            "[workspace]\nmembers = [\"a\"]\n[workspace.dependencies]\nserde = { version = \"1.2\" }\n",
        ),
        ("a/Cargo.toml", "[package]\nname = \"a\"\n[dependencies]\nserde.workspace = true\n"),
    ]);
    assert_eq!(found.packages.len(), 1);
    assert_eq!(
        (
            found.packages[0].requirements[0].name.as_str(),
            found.packages[0].requirements[0].versions.as_str()
        ),
        ("serde", "1.2")
    );
}

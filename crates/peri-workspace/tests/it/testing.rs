//! What no test mentions.

use std::collections::BTreeMap;

use peri_workspace::{GapExtent, TestGaps};

use crate::folder::Folder;

fn look(files: &[(&str, &str)], changes: &[(&str, usize)]) -> TestGaps {
    let kept = Folder::with(files).open_kept();
    let map = kept.0.map(&|| true);
    let dependencies = kept.0.dependencies(&map, &|| true);
    let changes: BTreeMap<String, usize> =
        changes.iter().map(|(path, count)| ((*path).to_owned(), *count)).collect();
    kept.0.test_gaps(&map, &dependencies, &changes, &|| true)
}

/// Gaps as `path: names`, with `path: *` for whole files.
fn gaps(found: &TestGaps) -> Vec<String> {
    let flat = found.gaps.iter().map(|gap| match gap.extent {
        GapExtent::WholeFile => format!("{}: *", gap.path),
        GapExtent::SomeNames => {
            let names: Vec<&str> = gap.unmentioned.iter().map(|symbol| symbol.name.as_str()).collect();
            format!("{}: {}", gap.path, names.join(" "))
        }
    });
    flat.collect()
}

#[test]
fn tests_inside_beside_and_in_documentation_count_in_rust() {
    let found = look(
        &[
            ("Cargo.toml", "[package]\nname = \"a\"\n"),
            ("src/lib.rs", "mod inside;\nmod beside;\nmod shown;\nmod bare;\n"),
            (
                "src/inside.rs",
                "pub fn first() {}\npub fn second() {}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn t() { super::first() }\n}\n",
            ),
            ("src/beside.rs", "pub fn outside() {}\n"),
            ("src/shown.rs", "/// ```\n/// a::shown();\n/// ```\npub fn shown() {}\n"),
            ("src/bare.rs", "pub fn bare() { work() }\nfn work() {}\n"),
            ("tests/it.rs", "#[test]\nfn t() { a::beside::outside() }\n"),
        ],
        &[],
    );
    assert_eq!(gaps(&found), ["src/bare.rs: *", "src/inside.rs: second"]);
    assert_eq!((found.mentioned_files, found.unmentioned_files, found.test_files), (3, 1, 3));
}

#[test]
fn a_name_that_many_declare_must_be_meant() {
    let found = look(
        &[
            ("src/red.py", "class Red:\n    def paint(self): pass\n"),
            ("src/blue.py", "class Blue:\n    def paint(self): pass\n"),
            ("tests/test_red.py", "from red import Red\nRed().paint()\n"),
        ],
        &[],
    );
    assert_eq!(gaps(&found), ["src/blue.py: *"]);
}

#[test]
fn every_language_has_its_own_habits() {
    let found = look(
        &[
            ("a.go", "package a\n\nfunc Tested() {}\nfunc Bare() {}\n"),
            ("a_test.go", "package a\n\nfunc TestIt() { Tested() }\n"),
            ("b.ts", "export function shown() {}\nexport function hidden() {}\n"),
            ("b.spec.ts", "import { shown } from './b';\nshown();\n"),
            ("src/main/java/C.java", "class C {\n  int go() {\n  }\n}\n"),
            ("src/test/java/CTest.java", "class CTest { C c; void t() { c.go(); } }\n"),
        ],
        &[],
    );
    let mut listed = gaps(&found);
    listed.sort();
    assert_eq!(listed, ["a.go: Bare", "b.ts: hidden"]);
}

#[test]
fn what_is_used_and_changes_often_comes_first() {
    let body = "pub fn NAME() {\n    work();\n    work();\n}\n";
    let found = look(
        &[
            ("Cargo.toml", "[package]\nname = \"a\"\n"),
            ("src/lib.rs", "mod quiet;\nmod used;\nmod restless;\nfn f() { used::used() }\n"),
            ("src/quiet.rs", &body.replace("NAME", "quiet")),
            ("src/used.rs", &body.replace("NAME", "used")),
            ("src/restless.rs", &body.replace("NAME", "restless")),
        ],
        &[("src/restless.rs", 30)],
    );
    let paths = found.gaps.iter().map(|gap| gap.path.as_str());
    let order: Vec<&str> = paths.filter(|path| *path != "src/lib.rs").collect();
    assert_eq!(order, ["src/restless.rs", "src/used.rs", "src/quiet.rs"]);
}

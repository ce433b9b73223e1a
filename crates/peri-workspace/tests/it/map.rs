//! Languages, declarations, purposes, beginnings.

use peri_workspace::{EntryKind, Role, SymbolKind, Visibility};

use crate::folder::Folder;

/// The symbols of one file as `visibility kind owner.name`.
fn symbols(path: &str, text: &str) -> Vec<String> {
    let folder = Folder::with(&[(path, text)]);
    let map = folder.open().map(&|| true);
    let flat = map.file(path).unwrap().symbols.iter().map(|symbol| {
        let visibility = if symbol.visibility == Visibility::Public { "+" } else { "-" };
        let owner = symbol.owner.as_ref().map(|owner| format!("{owner}.")).unwrap_or_default();
        let kind = match symbol.kind {
            SymbolKind::Function => "function",
            SymbolKind::Method => "method",
            SymbolKind::Type => "type",
            SymbolKind::Enum => "enum",
            SymbolKind::Class => "class",
            SymbolKind::Interface => "interface",
            SymbolKind::Constant => "constant",
            SymbolKind::Macro => "macro",
        };
        format!("{visibility}{kind} {owner}{}@{}", symbol.name, symbol.line)
    });
    flat.collect()
}

#[test]
fn declarations_are_found_in_every_language() {
    for (path, text, expected) in [
        (
            "a.rs",
            "pub const A: u8 = 1;\npub(crate) async fn f(\n    x: u8,\n) {\n    fn inner() {}\n}\nimpl<'a, T: Into<u8>> Tr<T> for S<'a> {\n    fn m(&self) {}\n}\n\
             pub trait Tr { fn t(&self); }\n#[derive(Debug)] pub struct S<'a>(&'a str);\nmod inner { pub enum E { A } }\nmacro_rules! mm { () => {} }\n\
             #[cfg(test)]\nmod tests { fn hidden() {} }\npub const fn g() {}\n",
            vec![
                "+constant A@1",
                "-function f@2",
                "-method S.m@8",
                "+interface Tr@10",
                "+type S@11",
                "-macro mm@13",
                "+function g@16",
            ],
        ),
        (
            "a.py",
            "LIMIT = 3\nclass 지도(Base):\n    def find(self):\n        def inner(): pass\n    async def _go(self): pass\ndef top(a,\n        b):\n    x = 1\nvalue = 2\n",
            vec![
                "+constant LIMIT@1",
                "+class 지도@2",
                "+method 지도.find@3",
                "-method 지도._go@5",
                "+function top@6",
            ],
        ),
        (
            "a.ts",
            "export interface Row { a: string }\nexport default class Table {\n  private open(): void {\n  }\n  get size() {\n    if (x) {\n    }\n  }\n}\n\
             const hidden = 1;\nexport const run = async () => {\n};\nexport type Id = string;\nfunction* walk() {}\n",
            vec![
                "+interface Row@1",
                "+class Table@2",
                "-method Table.open@3",
                "+method Table.size@5",
                "-constant hidden@10",
                "+function run@11",
                "+type Id@13",
                "-function walk@14",
            ],
        ),
        (
            "a.go",
            "package a\n\ntype Store struct {\n}\ntype reader interface{}\nfunc (s *Store) Get() {}\nfunc open() {}\nconst Max = 1\n",
            vec![
                "+type Store@3",
                "-interface reader@5",
                "+method Store.Get@6",
                "-function open@7",
                "+constant Max@8",
            ],
        ),
        (
            "A.java",
            "package a;\npublic class A extends B {\n    private int x = f(1);\n    public static void main(String[] args) {\n        if (x > 1) { g(); }\n    }\n    @Override\n    List<String> names(int a) throws E {\n    }\n}\n",
            vec!["+class A@2", "+method A.main@4", "+method A.names@8"],
        ),
        (
            "a.kt",
            "data class P(val x: Int)\nfun String.shout() = 1\nprivate val y = 2\ninterface I {\n  fun go()\n}\n",
            vec!["+class P@1", "+function shout@2", "-constant y@3", "+interface I@4", "+method I.go@5"],
        ),
        (
            "a.cpp",
            "#include <x>\n#define LIMIT 3\nnamespace n {\nclass Tree : public Base {\npublic:\n  int size() const {\n    return count(1);\n  }\n};\nstatic int helper(int a)\n{\n}\n}\nint main(int c, char** v) {\n}\n",
            vec![
                "+macro LIMIT@2",
                "+class Tree@4",
                "+method Tree.size@6",
                "-function helper@10",
                "+function main@14",
            ],
        ),
        (
            "a.rb",
            "module M\n  class C\n    def go\n    end\n  end\nend\n",
            vec!["+type M@1", "+class M.C@2", "+method C.go@3"],
        ),
        (
            "a.sh",
            "#!/bin/sh\nbuild() {\n  echo\n}\nfunction clean {\n}\n",
            vec!["+function build@2", "+function clean@5"],
        ),
        (
            "a.sql",
            "CREATE TABLE IF NOT EXISTS Memory (\n  id\n);\ncreate unique index x on y;\ncreate or replace view main.v as select 1;\n",
            vec!["+type Memory@1", "+type v@5"],
        ),
        (
            "a.php",
            "<?php\nfinal class A {\n  private function b() {\n  }\n}\nfunction c() {}\n",
            vec!["+class A@2", "-method A.b@3", "+function c@6"],
        ),
        ("a.swift", "public struct P {\n  func go() {\n  }\n}\n", vec!["+type P@1", "+method P.go@2"]),
    ] {
        assert_eq!(symbols(path, text), expected, "{path}");
    }
}

#[test]
fn folders_add_up_and_say_what_they_are_for() {
    let folder = Folder::with(&[
        ("README.md", "# 도구\n\n기억을 찾는다. 빠르게.\n"),
        ("core/Cargo.toml", "[package]\nname = \"core\"\ndescription = \"The core\"\n"),
        ("core/src/lib.rs", "//! Finds things.\n\npub fn a() {}\n"),
        ("core/tests/it.rs", "#[test]\nfn t() {}\n"),
        ("Cargo.lock", "x\ny\n"),
    ]);
    let map = folder.open().map(&|| true);
    let whole = map.whole().unwrap();
    assert_eq!((whole.files, whole.path.as_str(), whole.purpose.as_deref()), (5, "", Some("기억을 찾는다.")));
    let core = map.folders.iter().find(|folder| folder.path == "core").unwrap();
    assert_eq!((core.lines.code, core.test_lines, core.purpose.as_deref()), (6, 2, Some("The core")));
    assert_eq!(map.file("Cargo.lock").unwrap().role, Role::Generated);
    assert_eq!(
        (map.build_files, map.test_folders),
        (vec!["core/Cargo.toml".to_owned()], vec!["core/tests".to_owned()])
    );
}

#[test]
fn beginnings_are_found() {
    let folder = Folder::with(&[
        ("tool/src/main.rs", "fn main() {}\n"),
        ("src/bin/other.rs", "fn helper() {}\nfn main() {}\n"),
        ("examples/show.rs", "fn main() {}\n"),
        ("package.json", "{\"scripts\": {\"build\": \"tsc\"}, \"bin\": {\"web\": \"x.js\"}}"),
        ("pyproject.toml", "[project.scripts]\nrun-it = \"a:b\"\n"),
        ("script.py", "if __name__ == \"__main__\":\n    pass\n"),
        ("cmd/server/main.go", "package main\n\nfunc main() {}\n"),
        ("lib.go", "package lib\n\nfunc main() {}\n"),
    ]);
    let map = folder.open().map(&|| true);
    let flat: Vec<(EntryKind, &str)> =
        map.entry_points.iter().map(|entry| (entry.kind, entry.name.as_str())).collect();
    let program = EntryKind::Program;
    assert_eq!(
        flat,
        [
            (program, "server"),
            (program, "script"),
            (program, "other"),
            (program, "tool"),
            (EntryKind::Script, "npm run build"),
            (EntryKind::Script, "web"),
            (EntryKind::Script, "run-it"),
            (EntryKind::Example, "show"),
        ]
    );
}

#[test]
fn a_map_is_the_same_after_writing_and_reading_it() {
    let folder = Folder::with(&[("a.rs", "//! Doc.\npub fn f() {}\n"), ("b/한.py", "class C: pass\n")]);
    let map = folder.open().map(&|| true);
    let text = serde_json::to_string(&map).unwrap();
    assert_eq!(serde_json::from_str::<peri_workspace::Map>(&text).unwrap(), map);
}

#[test]
fn only_wanted_files_are_mapped() {
    let folder = Folder::with(&[("a.rs", ""), ("b.rs", "")]);
    let map = folder.open().map_files(|path| path == "b.rs", &|| true);
    assert_eq!(map.files.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), ["b.rs"]);
    assert!(!map.coverage.is_partial());
}

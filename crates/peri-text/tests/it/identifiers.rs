//! Identifiers are found whole and by their parts.

use peri_text::TermClass;

use crate::{index, query};

/// `text` gives exactly one or more identifiers, and these other terms.
#[track_caller]
fn check(text: &str, identifiers: &[&str], parts: &[&str]) {
    assert_eq!(query(text, &[TermClass::Identifier]), identifiers, "{text:?}");
    let rest = query(text, &[TermClass::Word, TermClass::Number, TermClass::StopWord]);
    assert_eq!(rest, parts, "{text:?}");
}

#[test]
fn names_in_code() {
    check("foo-bar", &["foo-bar"], &["foo", "bar"]);
    check("user_id", &["user_id"], &["user", "id"]);
    check("parseConfig", &["parseconfig"], &["pars", "config"]);
    check("HTTPServer", &["httpserver"], &["http", "server"]);
    check("std::mem::take", &["std::mem::take"], &["std", "mem", "take"]);
    check("E0308", &["e0308"], &["0308"]);
    check("k8s", &["k8s"], &[]);
    check("utf8", &["utf8"], &["utf", "8"]);
    check("__init__", &[], &["init"]);
    check("C++ and C#", &["c++", "c#"], &["c", "and"]);
    check(".NET", &[".net"], &["net"]);
    check("YouTube", &["youtube"], &["youtub", "you", "tube"]);
    check("Paris", &[], &["pari"]);
    check("NASA", &[], &["nasa"]);
    check("3f2a9bc1de77", &["3f2a9bc1de77"], &[]);
    check("O'Brien", &["o'brien"], &["o", "brien"]);
}

#[test]
fn paths_addresses_and_versions() {
    check("src/main.rs", &["src/main.rs", "main.rs"], &["src", "main", "rs"]);
    check("v1.2.3", &["v1.2.3", "1.2.3", "v1"], &["2", "3"]);
    check("192.168.0.1", &["192.168.0.1"], &["192", "168", "0", "1"]);
    check("Fly.io", &["fly.io"], &["fli", "io"]);
    check("react.js.", &["react.js"], &["react", "js"]);
    check("@typescript-eslint", &["@typescript-eslint", "typescript-eslint"], &["typescript", "eslint"]);
    check("bob.lee@fly.io", &["bob.lee@fly.io", "bob.lee", "fly.io"], &["bob", "lee", "fli", "io"]);
    check(
        "(see https://docs.rs/serde/?q=a&b=1).",
        &["https://docs.rs/serde/?q=a&b=1", "docs.rs"],
        &["see", "https", "doc", "rs", "serd", "q", "a", "b", "1"],
    );
}

#[test]
fn spellings_of_one_name_find_one_another() {
    let spellings = ["foo-bar", "foo_bar", "fooBar", "FooBar", "foo.bar"];
    for a in spellings {
        let terms = index(a);
        for b in spellings {
            let parts = query(b, &[TermClass::Word]);
            assert!(["foo", "bar"].iter().all(|part| parts.iter().any(|p| p == part)), "{b}: {parts:?}");
            assert!(parts.iter().filter(|part| terms.contains(part)).count() >= 2, "{b} does not find {a}");
        }
    }
}

#[test]
fn a_name_in_another_case_still_finds() {
    for (text, query_text) in [("GitHub", "github"), ("YouTube", "youtube"), ("PostgreSQL", "postgresql")] {
        let terms = index(text);
        assert!(query(query_text, &[TermClass::Word]).iter().all(|term| terms.contains(term)), "{text}");
    }
}

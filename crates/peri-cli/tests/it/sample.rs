//! `peri sample`: loaded, told of and removed.

use super::support::Peri;

#[test]
fn the_sample_is_loaded_told_of_and_removed() {
    let peri = Peri::new();
    peri.remember(&["Ana prefers green tea"]);
    assert_eq!(peri.ok(&["sample", "status"]), "the sample is not loaded\n");
    let loaded = peri.json(&["sample", "load"]);
    assert_eq!(loaded["namespace"], "sample");
    assert!(loaded["memories"].as_u64().unwrap() > 150, "{loaded}");
    let status = peri.json(&["sample", "status"]);
    assert_eq!((&status["loaded"], &status["memories"]), (&true.into(), &loaded["memories"]));
    let again = peri.run(&["sample", "load"]);
    assert_eq!(again.code, 4, "{again:?}");
    assert!(again.err.contains("loaded already"), "{again:?}");
    let unasked = peri.run(&["sample", "remove"]);
    assert_eq!(unasked.code, 2, "{unasked:?}");
    assert!(unasked.err.contains("--yes"), "{unasked:?}");
    assert!(peri.ok(&["sample", "remove", "--yes"]).starts_with("the sample is removed: "));
    assert_eq!(peri.run(&["sample", "remove", "--yes"]).code, 3);
    assert_eq!(peri.recall(&["tea"]), ["Ana prefers green tea"]);
    let namespaces = peri.json(&["namespace", "list"]);
    assert!(!namespaces.to_string().contains("sample"), "{namespaces}");
}

#[test]
fn the_sample_takes_no_other_namespace() {
    let run = Peri::new().run(&["sample", "load", "-n", "team"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.err.contains("--namespace"), "{run:?}");
}

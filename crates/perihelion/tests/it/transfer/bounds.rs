//! What an import lets in, and what it takes out.

use perihelion::{
    ErrorKind, Feedback, ImportOptions, Namespace, Options, Perihelion, Remember, Revise, Scope,
};

use super::{export, import};
use crate::graph::link;
use crate::support::{fresh, keep, ns, options};

/// Options under which only some namespaces are taken.
fn only(scope: &str) -> ImportOptions {
    ImportOptions { within: scope.parse().unwrap(), ..ImportOptions::default() }
}

#[test]
fn nothing_comes_into_namespaces_that_are_not_to_be_imported_into() {
    let (_folder, engine) = fresh();
    for namespace in ["team/a", "team/b", "other"] {
        let told = ["herons nest by the lake", "storks nest on roofs"]
            .map(|text| engine.remember(Remember::new(text).in_namespace(ns(namespace))).unwrap().id);
        link(&engine, told[0], told[1]);
        engine.start_session(&ns(namespace), "monday").unwrap();
        let (query, session) = ("herons".to_owned(), None);
        let feedback = Feedback { query, used: vec![told[0]], unused: vec![told[1]], session };
        engine.feedback(&ns(namespace), &feedback).unwrap();
        engine.rollback_weights(&ns(namespace), 0).unwrap();
    }
    let lines = export(&engine);
    let foreign: Vec<u64> = (1..)
        .zip(lines.lines())
        .filter(|(_, line)| line.contains("\"namespace\":") && !line.contains("\"namespace\":\"team/a\""))
        .map(|(number, _)| number)
        .collect();
    for within in ["team/a", "nobody"] {
        let (_folder, engine) = fresh();
        let told = engine.import(&mut lines.as_bytes(), only(within)).unwrap();
        let refused: Vec<u64> = told.refused.iter().map(|(number, _)| *number).collect();
        if within == "team/a" {
            assert_eq!(refused, foreign);
            assert_eq!(engine.namespaces(&Scope::All).unwrap(), [ns("team/a")]);
            assert_eq!((told.added, told.edges, told.sessions), (2, 1, 1));
        } else {
            assert_eq!(refused.len(), lines.lines().count() - 2, "all but the first and the last");
            assert!(engine.namespaces(&Scope::All).unwrap().is_empty());
        }
        for other in ["team/b", "other"] {
            assert!(engine.sessions(&other.parse().unwrap(), 10).unwrap().is_empty());
            assert_eq!(engine.weights(&ns(other)).unwrap().len(), 1, "the configured ones");
        }
    }
}

#[test]
fn secrets_are_taken_out_of_what_is_imported_as_of_what_is_told() {
    const SECRET: &str = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
    let folder = tempfile::tempdir().unwrap();
    let off = Options { redaction: perihelion::Redaction::Off, ..options(folder.path()) };
    let engine = Perihelion::open(off).unwrap();
    let mut said = Remember::new(format!("the token is {SECRET}")).said(SECRET, "Ana").tags([SECRET]);
    said.facets.metadata.insert("deep".to_owned(), serde_json::json!([{"token": SECRET}]));
    let id = engine.remember(said).unwrap().id;
    let content = Some(format!("the token is still {SECRET}"));
    engine.revise(&Scope::All, id, Revise { content, ..Revise::default() }).unwrap();
    engine.start_session(&Namespace::default(), SECRET).unwrap();
    let lines = export(&engine);
    assert_eq!(lines.matches(SECRET).count(), 6);
    let (_folder, engine) = fresh();
    let told = import(&engine, &lines);
    assert!(told.refused.is_empty(), "{told:?}");
    assert_eq!(told.redacted.iter().map(|secret| secret.count).sum::<usize>(), 6, "{told:?}");
    let clean = export(&engine);
    assert!(!clean.contains(SECRET));
    let (_folder, engine) = fresh();
    let told = import(&engine, &clean);
    assert!(told.redacted.is_empty(), "what is clean stays as it is");
    assert_eq!(export(&engine), clean);
}

#[test]
fn a_line_beyond_the_bound_ends_the_import_and_is_named() {
    let (_folder, engine) = fresh();
    keep(&engine, "herons nest by the lake");
    let lines = export(&engine) + &"x".repeat(5000) + "\n";
    let (_folder, engine) = fresh();
    let options = ImportOptions { line_bytes_max: 4000, ..ImportOptions::default() };
    let error = engine.import(&mut lines.as_bytes(), options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidInput);
    assert!(error.to_string().starts_with("line 5 "), "{error}");
}

#[test]
fn refused_lines_beyond_those_listed_are_counted() {
    let (_folder, engine) = fresh();
    let options = ImportOptions { refused_listed_max: 3, ..ImportOptions::default() };
    let lines = format!("{}\n", "y".repeat(9000)).repeat(10);
    let told = engine.import(&mut lines.as_bytes(), options).unwrap();
    assert_eq!((told.refused.len(), told.refused_unlisted), (3, 7));
    let unknown = format!("{{\"record\":\"{}\"}}\n", "z".repeat(9000));
    let told = import(&engine, &unknown);
    assert!(told.refused[0].1.len() <= 300, "a reason does not repeat the line");
}

//! Records that are broken, huge or meant to do harm.

use perihelion::{Effect, Ending, ErrorKind, MigrateOptions, MigrationSource, Trashed};
use proptest::prelude::*;
use serde_json::json;

use super::{lines, migrate, migrate_with, saying};
use crate::support::{all, fresh, kind_of};

#[test]
fn a_bad_record_is_told_with_its_line_and_the_rest_is_kept() {
    let deep = format!("{{\"text\":\"deep\",\"a\":{}1{}}}", "[".repeat(5000), "]".repeat(5000));
    for (bad, why) in [
        (r#"{"text": "half of"#, "it is not JSON"),
        (r#"{"text": "n", "vector": [NaN, 1]}"#, "it is not JSON"),
        (r#"{"text": "n", "vector": [1e999, 1]}"#, "number out of range"),
        (deep.as_str(), "recursion limit"),
        (r#"["text"]"#, "it is no object"),
        (r#"{"id": 5}"#, "it has no text under any of content"),
        (r#"{"text": 5}"#, "it has no text"),
        (r#"{"text": "nul \u0000 here"}"#, "NUL character"),
        (r#"{"text": "lone \ud800"}"#, "it is not JSON"),
    ] {
        let (_folder, engine) = fresh();
        let text = format!("{{\"text\":\"민수의 차\"}}\r\n{bad}\r\n\r\n{{\"text\":\"王芳的茶\"}}");
        let report = migrate(&engine, &text);
        let [(name, told)] = &report.progress.errors[..] else { panic!("{bad:.50}: {report:?}") };
        assert!(name == "line 2" && told.contains(why), "{bad:.50}: {name}: {told}");
        assert_eq!(report.progress.migrated, 2, "{bad:.50}");
        saying(&engine, "王芳的茶");
    }
}

#[test]
fn a_line_that_is_far_too_long_fails_alone_and_is_not_held_in_memory() {
    let (_folder, engine) = fresh();
    let text =
        format!("{{\"text\":\"a\"}}\n{{\"text\":\"{}\"}}\n{{\"text\":\"b\"}}\n", "x".repeat(100 << 20));
    let report = migrate(&engine, &text);
    assert_eq!((report.progress.migrated, report.progress.failed), (2, 1), "{report:?}");
    assert_eq!(report.progress.errors[0].0, "line 2");
    assert!(report.progress.errors[0].1.contains("16777216 bytes"), "{report:?}");
    let long = lines(&[json!({"text": "x".repeat(300_000)})]);
    assert!(migrate(&engine, &long).progress.errors[0].1.contains("limits.content_bytes_max"));
}

#[test]
fn a_document_that_breaks_off_is_cut_and_what_came_before_is_kept() {
    let (_folder, engine) = fresh();
    let report = migrate(&engine, r#"[{"text":"a"},{"text":"b"},{"text":"c"#);
    assert_eq!((report.ending, report.progress.migrated, report.progress.failed), (Ending::Cut, 2, 1));
    assert_eq!(report.progress.errors[0].0, "record 3");
    let report = migrate(&engine, r#"[{"text":"d"},"#);
    assert_eq!((report.ending, report.progress.migrated), (Ending::Cut, 1));
    let one = migrate(&engine, "{\n \"text\": \"one record over lines\"\n}");
    assert!(one.progress.errors[0].1.contains("without a list"), "{one:?}");
}

#[test]
fn an_export_of_our_own_is_refused_before_anything_is_read() {
    let (_folder, engine) = fresh();
    crate::support::keep(&engine, "herons nest");
    let mut out = Vec::new();
    engine.export(&perihelion::Scope::All, &mut out).unwrap();
    let (_folder, other) = fresh();
    let refused = other.migrate(MigrationSource::Stream(&mut &out[..]), &MigrateOptions::default());
    assert_eq!(kind_of(refused), Some(ErrorKind::InvalidInput));
    assert!(all(&other, Trashed::Without).is_empty());
}

#[test]
fn failures_beyond_the_listed_ones_are_counted() {
    let (_folder, engine) = fresh();
    let options = MigrateOptions { errors_listed_max: 3, ..MigrateOptions::default() };
    let report = migrate_with(&engine, &"nonsense\n".repeat(50), &options);
    assert_eq!(
        (report.progress.errors.len(), report.progress.errors_unlisted, report.progress.failed),
        (3, 47, 50)
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn whatever_comes_the_counts_add_up(text in "([\\[\\]{}\",:0-9a가茶\n]|\"text\":\"b\"|\\{\"text\":\"c\"\\}\n){0,60}") {
        let (_folder, engine) = fresh();
        let options = MigrateOptions { effect: Effect::Rehearsed, ..MigrateOptions::default() };
        migrate_with(&engine, &text, &options);
    }
}

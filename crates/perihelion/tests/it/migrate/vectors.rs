//! Vectors that come along, and those that are made.

use std::path::Path;
use std::sync::{Arc, Mutex};

use peri_store::{SqliteSettings, SqliteStore};
use perihelion::embed::{EmbedError, Engine};
use perihelion::{MigrateOptions, Perihelion, SpaceId, Trashed};
use serde_json::{Value, json};

use super::{lines, migrate, migrate_with, saying};
use crate::support::{all, ask, contents, fresh, options};

/// A model of three dimensions that counts letters, knows no Chinese, and notes how many texts it is asked at a time.
pub struct Letters {
    space: SpaceId,
    pub asked: Mutex<Vec<usize>>,
    pub fails: Mutex<bool>,
}

impl Letters {
    pub fn new() -> Arc<Self> {
        let space = SpaceId { model: "letters@1".to_owned(), dimensions: 3 };
        Arc::new(Self { space, asked: Mutex::default(), fails: Mutex::default() })
    }

    pub fn vector(text: &str) -> Option<Vec<f32>> {
        let of = |letters: &str| text.chars().filter(|letter| letters.contains(*letter)).count() as f32;
        if text.contains('茶') {
            return None;
        }
        let values = [1.0 + of("aeiou"), 1.0 + of("bcdfghj"), 1.0 + of("0123456789가")];
        let length = values.iter().map(|value| value * value).sum::<f32>().sqrt();
        Some(values.iter().map(|value| value / length).collect())
    }

    pub fn open(self: &Arc<Self>, folder: &Path) -> Perihelion {
        let store =
            SqliteStore::open(&folder.join(Perihelion::DATABASE), &SqliteSettings::default()).unwrap();
        Perihelion::with_engine(options(folder), Arc::new(store), Some(self.clone())).unwrap()
    }

    pub fn asked(&self) -> Vec<usize> {
        std::mem::take(&mut *self.asked.lock().unwrap())
    }
}

impl Engine for Letters {
    fn space(&self) -> &SpaceId {
        &self.space
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, EmbedError> {
        self.asked.lock().unwrap().push(texts.len());
        if *self.fails.lock().unwrap() {
            return Err(EmbedError::NotFinite { model: self.space.model.clone() });
        }
        Ok(texts.iter().map(|text| Self::vector(text)).collect())
    }
}

fn text(i: usize) -> String {
    format!("number {i} of {}", "abc가".repeat(i % 5 + 1))
}

/// Records with the vectors of the model, made longer than one.
fn with_vectors(count: usize, model: Option<&str>) -> Vec<Value> {
    let record = |i: usize| {
        let vector: Vec<f32> = Letters::vector(&text(i)).unwrap().iter().map(|value| value * 3.0).collect();
        let mut record = json!({"id": format!("r{i}"), "text": text(i), "embedding": vector});
        if let Some(model) = model {
            record["model"] = model.into();
        }
        record
    };
    (0..count).map(record).collect()
}

#[test]
fn texts_are_handed_to_the_engine_in_batches_and_never_again() {
    for (batch, expected) in [(32, vec![32, 32, 32, 4]), (100, vec![100]), (1, vec![1; 100])] {
        let (folder, model) = (tempfile::tempdir().unwrap(), Letters::new());
        let engine = model.open(folder.path());
        let records: Vec<Value> = (0..100).map(|i| json!({"id": format!("r{i}"), "text": text(i)})).collect();
        let options = MigrateOptions { batch, ..MigrateOptions::default() };
        model.asked();
        let report = migrate_with(&engine, &lines(&records), &options);
        assert_eq!(model.asked(), expected);
        assert_eq!((report.progress.embedded, report.progress.unembedded), (100, 0));
        assert_eq!(migrate_with(&engine, &lines(&records), &options).progress.already_there, 100);
        assert_eq!(model.asked(), [0_usize; 0], "nothing is embedded a second time");
    }
}

#[test]
fn vectors_of_the_space_at_work_are_taken_and_others_are_made_anew() {
    for (model_said, vectors_are, taken) in [
        (Some("letters@1"), None, 64),
        (Some("letters@1/3"), None, 64),
        (None, Some("letters@1"), 64),
        (Some("other"), Some("letters@1"), 64),
        (None, None, 0),
        (Some("other"), None, 0),
        (Some("letters@1"), Some("other"), 0),
    ] {
        let (folder, model) = (tempfile::tempdir().unwrap(), Letters::new());
        let engine = model.open(folder.path());
        let vectors_are = vectors_are.map(str::to_owned);
        let options = MigrateOptions { vectors_are, ..MigrateOptions::default() };
        model.asked();
        let report = migrate_with(&engine, &lines(&with_vectors(64, model_said)), &options);
        let told = (report.progress.vectors_taken, report.progress.embedded, report.vectors_unusable);
        assert_eq!(told, (taken, 64 - taken, 64 - taken), "{model_said:?}");
        let asked: usize = model.asked().iter().sum();
        assert_eq!(
            asked,
            if taken > 0 { 4 } else { 64 },
            "of those that are taken two of a batch are compared"
        );
        let same = saying(&engine, &text(3));
        assert_eq!(same.space.as_ref(), Some(&model.space));
        assert!(!ask(&engine, "number 3 of").hits.is_empty());
    }
}

#[test]
fn vectors_that_are_not_what_the_engine_makes_are_not_taken_whatever_they_are_called() {
    let (folder, model) = (tempfile::tempdir().unwrap(), Letters::new());
    let engine = model.open(folder.path());
    let mut records = with_vectors(40, Some("letters@1"));
    for record in &mut records {
        record["embedding"] = json!([0.0, -1.0, 0.3]);
    }
    let report = migrate(&engine, &lines(&records));
    let told = (report.progress.vectors_taken, report.progress.embedded, report.vectors_unusable);
    assert_eq!(told, (0, 40, 40), "{report:?}");
}

#[test]
fn damaged_and_sparse_vectors_are_made_anew_and_counted() {
    let (folder, model) = (tempfile::tempdir().unwrap(), Letters::new());
    let engine = model.open(folder.path());
    let records: Vec<Value> = [
        json!([0.1, 0.2]),
        json!([0.0, 0.0, 0.0]),
        json!([1e39, 0.0, 0.0]),
        json!({"차": 0.5, "tea": 0.1}),
        json!({"indices": [1, 5], "values": [0.1, 0.9]}),
        json!([["차", 0.5]]),
    ]
    .into_iter()
    .enumerate()
    .map(|(i, vector)| json!({"id": i, "text": text(i), "vector": vector, "model": "letters@1"}))
    .chain([json!({"text": "喝茶", "tfidf": {"茶": 1.0}})])
    .collect();
    let report = migrate(&engine, &lines(&records));
    assert_eq!((report.vectors_unusable, report.sparse_vectors), (3, 4), "{report:?}");
    let told = (report.progress.vectors_taken, report.progress.embedded, report.progress.unembedded);
    assert_eq!(told, (0, 6, 1), "a language that the engine does not know gets no vector: {report:?}");
    assert!(
        all(&engine, Trashed::Without).iter().all(|memory| !memory.facets.metadata.contains_key("tfidf"))
    );
}

#[test]
fn an_engine_that_fails_stops_nothing_and_the_vectors_follow() {
    let (folder, model) = (tempfile::tempdir().unwrap(), Letters::new());
    let engine = model.open(folder.path());
    *model.fails.lock().unwrap() = true;
    let report = migrate(&engine, &lines(&with_vectors(40, Some("letters@1"))));
    let told = (report.progress.migrated, report.progress.unembedded, report.progress.failed);
    assert_eq!(told, (40, 40, 0), "what cannot be compared is not taken: {report:?}");
    *model.fails.lock().unwrap() = false;
    engine.maintain().unwrap();
    assert!(all(&engine, Trashed::Without).iter().all(|memory| memory.space.as_ref() == Some(&model.space)));
}

#[test]
fn a_line_of_an_import_may_bring_its_vector() {
    let (folder, model) = (tempfile::tempdir().unwrap(), Letters::new());
    let engine = model.open(folder.path());
    crate::support::keep(&engine, "abc number 5");
    let exported = crate::transfer::export(&engine);
    assert!(!exported.contains("\"vector\""), "an export writes none");
    let vector =
        json!({"space": {"model": "letters@1", "dimensions": 3}, "values": Letters::vector("abc number 5")});
    let lines = exported.replacen("\"content\"", &format!("\"vector\":{vector},\"content\""), 1);
    let (other_folder, other_model) = (tempfile::tempdir().unwrap(), Letters::new());
    let other = other_model.open(other_folder.path());
    other_model.asked();
    crate::transfer::import(&other, &lines);
    assert_eq!(other_model.asked(), [1], "it is compared, and not made anew");
    assert_eq!(crate::transfer::export(&other), exported);
    assert_eq!(contents(&ask(&other, "abc number")), ["abc number 5"]);
    let (_folder, bundled) = fresh();
    crate::transfer::import(&bundled, &lines);
    assert_eq!(all(&bundled, Trashed::Without)[0].space, bundled.space(), "a foreign one is made anew");
}

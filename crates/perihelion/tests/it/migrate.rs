//! What other stores kept, taken over.

mod again;
mod hostile;
mod missing;
mod vectors;

use std::fs;
use std::path::Path;

use perihelion::{
    Effect, Ending, Kind, Layer, Memory, MigrateOptions, MigrationReport, MigrationSource, Perihelion,
    Recall, Scope, Trashed,
};
use serde_json::{Value, json};

use crate::support::{all, ask, contents, fresh, ns, scope, time};

pub fn migrate(engine: &Perihelion, text: &str) -> MigrationReport {
    migrate_with(engine, text, &MigrateOptions::default())
}

pub fn migrate_with(engine: &Perihelion, text: &str, options: &MigrateOptions) -> MigrationReport {
    let report = engine.migrate(MigrationSource::Stream(&mut text.as_bytes()), options).unwrap();
    check(&report, options);
    report
}

/// What holds of every report.
pub fn check(report: &MigrationReport, options: &MigrateOptions) {
    let progress = &report.progress;
    assert_eq!(progress.total, progress.migrated + progress.already_there + progress.failed, "{report:?}");
    assert_eq!(progress.failed, progress.errors.len() as u64 + progress.errors_unlisted, "{report:?}");
    if report.resumed_after.is_none() && options.effect == Effect::Written {
        let vectors = progress.vectors_taken + progress.embedded + progress.unembedded;
        assert_eq!(progress.migrated, vectors, "{report:?}");
    }
}

pub fn lines(records: &[Value]) -> String {
    records.iter().map(|record| format!("{record}\n")).collect()
}

/// The memory that says something.
pub fn saying(engine: &Perihelion, content: &str) -> Memory {
    let found = all(engine, Trashed::Without).into_iter().find(|memory| memory.content == content);
    found.unwrap_or_else(|| panic!("{content:?} is not here"))
}

/// A store of weighed terms as a program of that kind leaves it on the disk.
fn sparse_store(folder: &Path) {
    let entries = [
        ("facts", "f-1", "민수는 커피보다 차를 좋아한다", "fact"),
        ("facts", "f-2", "The staging server is called Ganymede", "fact"),
        ("preferences", "p-1", "王芳更喜欢晚上工作", "preference"),
        ("skills", "s-1", "# Deploy\n\nRun the tests, then push the tag", "skill"),
        ("conversations", "c-1", "We talked about the lake house", "conversation"),
        ("sessions", "z-1", "Summary: the release was planned", "session"),
    ];
    for (category, id, content, kind) in entries {
        let folder = folder.join("memory").join(category);
        fs::create_dir_all(&folder).unwrap();
        let entry = json!({
            "id": id, "type": kind, "content": content, "source": "agent", "session_id": "s-9",
            "tags": ["old", "차"], "importance": 0.8, "created_at": "2026-05-07T08:00:00Z",
            "accessed_at": "2026-05-09T08:00:00Z", "access_count": 4,
        });
        fs::write(folder.join(format!("{id}.json")), serde_json::to_vec_pretty(&entry).unwrap()).unwrap();
    }
    let terms = json!({"f-1": {"민수는": 0.5, "커피보다": 0.5}, "f-2": {"staging": 0.7}});
    fs::write(folder.join("memory/vectors.json"), terms.to_string()).unwrap();
    fs::create_dir_all(folder.join("memory/index")).unwrap();
    fs::write(folder.join("memory/index/idf.json"), "{\"lake\": 1.7}").unwrap();
}

#[test]
fn a_store_of_weighed_terms_is_taken_over_whole_and_found_by_its_meaning() {
    let store = tempfile::tempdir().unwrap();
    sparse_store(store.path());
    let (_folder, engine) = fresh();
    let options = MigrateOptions { namespace: ns("팀/old"), ..MigrateOptions::default() };
    let report = engine.migrate(MigrationSource::Folder(store.path()), &options).unwrap();
    check(&report, &options);
    assert_eq!(
        (report.progress.total, report.progress.migrated, report.progress.failed),
        (6, 6, 0),
        "{report:?}"
    );
    assert_eq!((report.files_passed_over, report.ending), (2, Ending::Whole));
    assert!(report.progress.embedded > 0, "{report:?}");
    let tea = saying(&engine, "민수는 커피보다 차를 좋아한다");
    assert_eq!((tea.namespace.clone(), tea.kind, tea.layer), (ns("팀/old"), Kind::Fact, Layer::LongTerm));
    assert_eq!(tea.facets.tags, ["old", "차"]);
    assert_eq!((tea.facets.session.as_deref(), tea.facets.source.as_deref()), (Some("s-9"), Some("agent")));
    assert_eq!(
        (tea.created_at, tea.facets.occurred_at),
        (time("2026-05-07T08:00:00Z"), Some(tea.created_at))
    );
    assert_eq!(tea.facets.metadata, *json!({"legacy_id": "f-1"}).as_object().unwrap());
    assert!((tea.importance.value() - 0.8).abs() < 1e-6);
    for (content, kind) in [
        ("王芳更喜欢晚上工作", Kind::Preference),
        ("# Deploy\n\nRun the tests, then push the tag", Kind::Procedure),
        ("We talked about the lake house", Kind::Episode),
        ("Summary: the release was planned", Kind::Summary),
    ] {
        assert_eq!(saying(&engine, content).kind, kind, "{content}");
    }
    let question = Recall::new("which machine do we test releases on?").in_scope(scope("팀/old"));
    // Looking is not using: how often each was used is compared below.
    let recalled = engine.search(&question).unwrap();
    assert!(contents(&recalled).contains(&"The staging server is called Ganymede"), "{recalled:?}");
    let mut out = Vec::new();
    engine.export(&Scope::All, &mut out).unwrap();
    let exported = String::from_utf8(out).unwrap();
    assert_eq!(exported.matches("\"recalls\":4").count(), 6, "how often it was used comes along");
    let again = engine.migrate(MigrationSource::Folder(store.path()), &options).unwrap();
    assert_eq!((again.progress.total, again.progress.already_there), (6, 6), "{again:?}");
    engine.maintain().unwrap();
    assert_eq!(all(&engine, Trashed::Without).len(), 6, "nothing was idle from before");
    let direct = engine.migrate(MigrationSource::Folder(&store.path().join("memory")), &options).unwrap();
    assert_eq!(direct.progress.already_there, 6, "the folder may be named itself: {direct:?}");
}

#[test]
fn a_file_of_the_folder_that_is_broken_is_named_and_the_others_are_kept() {
    let store = tempfile::tempdir().unwrap();
    sparse_store(store.path());
    fs::write(store.path().join("memory/facts/half.json"), "{\"id\": \"x\", \"content\": \"ha").unwrap();
    fs::write(store.path().join("memory/facts/bytes.json"), b"\xff\xfe").unwrap();
    fs::write(store.path().join("memory/facts/empty.json"), "{\"id\": \"x\", \"content\": \" \"}").unwrap();
    let (_folder, engine) = fresh();
    let options = MigrateOptions::default();
    let report = engine.migrate(MigrationSource::Folder(store.path()), &options).unwrap();
    check(&report, &options);
    let names: Vec<&str> = report.progress.errors.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["facts/bytes.json", "facts/empty.json", "facts/half.json"], "{report:?}");
    assert_eq!(report.progress.migrated, 6);
}

#[test]
fn records_of_many_shapes_become_memories() {
    let (_folder, engine) = fresh();
    let records = [
        json!({"text": "herons nest by the lake", "_id": {"$oid": "64b7"}, "timestamp": 1_700_000_000}),
        json!({"memory": "storks nest on roofs", "uuid": "6f1d9c1e-0a8b-4c58-9d5e-3f0f3ddc1a11", "labels": "birds, 새"}),
        json!({"page_content": "owls nest in barns", "metadata": {"page": 3, "source": "birds.pdf"}}),
        json!({"id": 7, "vector": [0.1, 0.2], "payload": {"body": "鹤在湖边", "role": "user", "thread_id": 5}}),
        json!({"document": "swifts sleep in flight", "type": "rumour", "importance": 9, "mood": {"of": "day"}}),
    ];
    let report = migrate(&engine, &lines(&records));
    assert_eq!((report.progress.migrated, report.vectors_unusable), (5, 1), "{report:?}");
    let heron = saying(&engine, "herons nest by the lake");
    assert_eq!(heron.facets.metadata["legacy_id"], "64b7");
    assert_eq!(heron.facets.occurred_at, Some(time("2023-11-14T22:13:20Z")));
    let stork = saying(&engine, "storks nest on roofs");
    assert_eq!(stork.id.to_string(), "6f1d9c1e-0a8b-4c58-9d5e-3f0f3ddc1a11");
    assert_eq!(stork.facets.tags, ["birds", "새"]);
    assert!(stork.facets.metadata.is_empty());
    let owl = saying(&engine, "owls nest in barns");
    assert_eq!(owl.facets.metadata, *json!({"page": 3, "source": "birds.pdf"}).as_object().unwrap());
    let crane = saying(&engine, "鹤在湖边");
    assert_eq!((crane.facets.speaker.as_deref(), crane.facets.session.as_deref()), (Some("user"), Some("5")));
    let swift = saying(&engine, "swifts sleep in flight");
    let expected = json!({"type": "rumour", "importance": 9, "mood": {"of": "day"}});
    assert_eq!((swift.kind, swift.facets.metadata), (Kind::Fact, expected.as_object().unwrap().clone()));
    assert!(!ask(&engine, "birds that nest").hits.is_empty());
}

#[test]
fn metadata_that_is_too_large_loses_its_largest_fields_and_says_so() {
    let (_folder, engine) = fresh();
    let record = json!({"text": "herons nest", "raw": "x".repeat(70_000), "page": 3, "차": "green"});
    migrate(&engine, &lines(&[record]));
    let metadata = saying(&engine, "herons nest").facets.metadata;
    assert_eq!(metadata, *json!({"page": 3, "차": "green", "left_out": ["raw"]}).as_object().unwrap());
}

#[test]
fn a_document_with_a_list_is_taken_like_lines() {
    let records = [json!({"id": "a", "text": "민수는 차를 좋아한다"}), json!({"id": "b", "text": "owls"})];
    let list = Value::from(records.to_vec());
    let object = json!({"version": 3, "entries": list, "exported": "2026"});
    let texts =
        [lines(&records), list.to_string(), format!("{list:#}"), object.to_string(), format!("{object:#}")];
    for text in
        texts.iter().flat_map(|text| [text.clone(), format!("\u{feff}{}", text.replace('\n', "\r\n"))])
    {
        let (_folder, engine) = fresh();
        let report = migrate(&engine, &text);
        assert_eq!((report.progress.migrated, report.ending), (2, Ending::Whole), "{text}: {report:?}");
        assert_eq!(saying(&engine, "owls").facets.metadata["legacy_id"], "b");
    }
}

#[test]
fn a_rehearsal_tells_the_same_and_changes_nothing() {
    let (_folder, engine) = fresh();
    let records: Vec<Value> =
        (0..100).map(|i| json!({"id": i % 99, "text": format!("Quixou{i} nests")})).collect();
    let text = format!("{}half\n", lines(&records));
    let rehearsed = MigrateOptions { effect: Effect::Rehearsed, ..MigrateOptions::default() };
    let told = migrate_with(&engine, &text, &rehearsed);
    assert!(all(&engine, Trashed::Without).is_empty());
    let done = migrate(&engine, &text);
    let plain = |report: &MigrationReport| {
        let progress = &report.progress;
        (progress.total, progress.migrated, progress.failed, progress.errors.clone())
    };
    assert_eq!(plain(&told), plain(&done));
    assert_eq!((done.progress.migrated, done.progress.failed), (99, 2), "{done:?}");
}

#[test]
fn secrets_are_taken_out_and_the_vector_of_the_text_with_them_is_not_taken() {
    let (_folder, engine) = fresh();
    let text = "the key is AKIAIOSFODNN7EXAMPLE";
    let space = engine.space().unwrap();
    let vectors = engine.embeddings(&[text.to_owned()]).unwrap().vectors;
    let record = json!({"text": text, "vector": vectors[0], "model": space.model});
    let report = migrate(&engine, &lines(&[record]));
    assert_eq!((report.redacted.len(), report.vectors_unusable, report.progress.vectors_taken), (1, 1, 0));
    assert!(all(&engine, Trashed::Without).iter().all(|memory| !memory.content.contains("AKIA")));
}

//! The sample over HTTP: loaded, looked at, and gone without a trace.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use perihelion::{Perihelion, Role};
use serde_json::json;
use tempfile::TempDir;

use crate::support::House;

/// How many rows the tables hold of a namespace. Those who follow the store must learn that something is gone, so what
/// tells them stays.
fn rows(folder: &TempDir, namespace: &str) -> BTreeMap<String, i64> {
    let database = rusqlite::Connection::open(folder.path().join(Perihelion::DATABASE)).unwrap();
    let texts = |sql: &str| -> Vec<String> {
        let mut select = database.prepare(sql).unwrap();
        select.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    let tables = texts(
        "SELECT s.name FROM sqlite_schema s JOIN pragma_table_info(s.name) c
         WHERE s.type = 'table' AND c.name = 'namespace_id' AND s.name NOT IN ('tombstones', 'edge_changes')",
    );
    let count = |table: &String| -> i64 {
        let of = "namespace_id = (SELECT id FROM namespaces WHERE path = ?1)";
        let sql = format!("SELECT count(*) FROM {table} WHERE {of}");
        database.query_row(&sql, [namespace], |row| row.get(0)).unwrap()
    };
    tables.iter().map(|table| (table.clone(), count(table))).filter(|(_, count)| *count > 0).collect()
}

/// The files of a folder that hold something; those by which others are kept from writing are empty.
fn written(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().map(Result::unwrap);
    let (folders, files): (Vec<_>, Vec<_>) =
        entries.map(|entry| entry.path()).partition(|path| path.is_dir());
    let full = files.into_iter().filter(|path| path.metadata().unwrap().len() > 0);
    full.chain(folders.iter().flat_map(|folder| written(folder))).collect()
}

#[tokio::test]
async fn the_sample_is_loaded_once_and_removed_without_a_trace() {
    let house = House::open().await;
    house.keep("birds", "herons nest by the lake");
    let status = house.get("/v1/sample").send().await.expect(200);
    assert_eq!(status, json!({"namespace": "sample", "loaded": false, "memories": 0, "own": 0}));
    house.delete("/v1/sample").send().await.problem(404, "not-found");

    let loaded = house.ask(axum::http::Method::POST, "/v1/sample").send().await.expect(200);
    for (part, least) in
        [("memories", 150), ("edges", 100), ("sessions", 10), ("trajectories", 40), ("patterns", 10)]
    {
        assert!(loaded[part].as_u64().unwrap() >= least, "{part}: {loaded}");
    }
    let status = house.get("/v1/sample").send().await.expect(200);
    assert_eq!((&status["loaded"], &status["memories"]), (&true.into(), &loaded["memories"]));
    let again = house.ask(axum::http::Method::POST, "/v1/sample").send().await.problem(409, "conflict");
    assert!(again["hint"].as_str().unwrap().contains("remove it"), "{again}");

    let asked = json!({"query": "갯벌에 들어가기 전에 무엇을 해야 하나?", "scopes": ["sample"]});
    let recalled = house.post("/v1/recall", &asked).send().await.expect(200);
    assert!(!recalled["hits"].as_array().unwrap().is_empty(), "{recalled}");
    let removed = house.delete("/v1/sample").send().await.expect(200);
    assert!(removed["memories"].as_u64() >= loaded["memories"].as_u64(), "{removed}");
    house.engine.maintain().unwrap();
    let (folder, engine) = house.stop().await;
    assert_eq!(engine.sample_status().unwrap().memories, 0);
    drop(engine);
    assert_eq!(rows(&folder, "sample"), BTreeMap::new());
    assert!(rows(&folder, "birds").contains_key("memories"));
    assert_eq!(written(&folder.path().join("notes").join("sample")), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn a_key_of_the_sample_alone_opens_it() {
    let house = House::open().await;
    let (own, other) = (house.key(Role::Writer, "sample"), house.key(Role::Writer, "birds"));
    house.get("/v1/sample").key(&own).send().await.expect(200);
    house.get("/v1/sample").key(&other).send().await.problem(403, "forbidden");
    house.delete("/v1/sample").key(&other).send().await.problem(403, "forbidden");
}

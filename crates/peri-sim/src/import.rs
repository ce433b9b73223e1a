//! Statements that come as an export of somewhere else, and a database that somebody else holds.

use std::path::Path;

use perihelion::{Error, ImportOptions, Kind, Layer, MemoryId, Perihelion, Timestamp};
use serde_json::json;

use crate::order::{Answer, content};

/// Imports a statement for each key.
pub(crate) fn import(engine: &Perihelion, keys: &[String]) -> Result<Answer, Error> {
    let mut lines = json!({"record": "header", "perihelion": 1}).to_string();
    for key in keys {
        let now = Timestamp::now();
        let line = json!({
            "record": "memory", "id": MemoryId::generate(now), "namespace": "default", "content": content(key),
            "layer": Layer::LongTerm, "kind": Kind::Fact, "importance": 0.5, "created_at": now, "updated_at": now,
            "version": 1,
        });
        lines.push('\n');
        lines.push_str(&line.to_string());
    }
    lines.push('\n');
    let imported = engine.import(&mut lines.as_bytes(), ImportOptions::default())?;
    if imported.added == keys.len() as u64 {
        return Ok(Answer::Done);
    }
    let text = format!("not all was imported: {imported:?}");
    Ok(Answer::Refused { kind: "Partly".to_owned(), text, hint: None })
}

/// Holds the database as another program would, until it is dropped. Without success nobody is held up.
pub(crate) fn hold(database: &Path) -> Option<rusqlite::Connection> {
    let connection = rusqlite::Connection::open(database).ok()?;
    connection.execute_batch("BEGIN IMMEDIATE").ok()?;
    Some(connection)
}

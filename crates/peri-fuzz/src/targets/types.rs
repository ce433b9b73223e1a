//! Names, ids and records.

use peri_types::{
    Circumstance, Event, Filter, JournalEntry, JournalPosition, KeyId, Memory, MemoryId, Namespace, Pattern,
    Scope, Trajectory, Turn,
};

use crate::given::{self, stays_as_json, stays_as_text};

/// Names of namespaces and scopes: what is taken reads back as it was, and a scope holds exactly what it covers.
pub(crate) fn namespaces(data: &[u8]) {
    let (first, second) = given::two_texts(data);
    stays_as_text::<Namespace>(&first);
    stays_as_text::<Scope>(&first);
    let (Ok(scope), Ok(namespace)) = (first.parse::<Scope>(), second.parse::<Namespace>()) else { return };
    let exact = Scope::Exact(namespace.clone());
    assert_eq!(scope.contains(&namespace), scope.covers(&exact), "{scope} and {namespace}");
    assert!(scope.covers(&scope), "{scope}");
    // Naive: by the written forms alone.
    let written = scope.to_string();
    let expected = match written.strip_suffix("/*") {
        Some(above) => namespace.as_str() == above || namespace.as_str().starts_with(&format!("{above}/")),
        None => written == "*" || namespace.as_str() == written,
    };
    assert_eq!(scope.contains(&namespace), expected, "{scope} and {namespace}");
}

/// Ids, positions and circumstances as people and programs type them.
pub(crate) fn ids(data: &[u8]) {
    let text = given::text(data);
    stays_as_text::<MemoryId>(&text);
    stays_as_text::<KeyId>(&text);
    stays_as_text::<JournalPosition>(&text);
    stays_as_text::<Circumstance>(&text);
    stays_as_text::<peri_queue::RecordId>(&text);
    stays_as_text::<peri_agents::Agent>(&text);
    stays_as_text::<peri_notes::ItemId>(&text);
    stays_as_text::<peri_notes::Session>(&text);
}

/// Records as JSON: what is read is written and read back as it was.
pub(crate) fn records(data: &[u8]) {
    let (kind, data) = given::choice(data);
    match kind % 7 {
        0 => record::<Memory>(data),
        1 => record::<Filter>(data),
        2 => record::<Event>(data),
        3 => record::<JournalEntry>(data),
        4 => record::<Pattern>(data),
        5 => record::<Trajectory>(data),
        _ => record::<Turn>(data),
    }
}

fn record<T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug>(data: &[u8]) {
    if let Ok(value) = serde_json::from_slice::<T>(data) {
        stays_as_json(&value);
    }
}

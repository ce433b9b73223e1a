//! A shelf in memory, which is gone with its process.

use std::collections::BTreeMap;

use parking_lot::Mutex;
use peri_types::Namespace;

use crate::ShelfError;
use crate::shelf::{Change, Collection, Commit, Expected, Key, Shape, Shelf, Text};

/// Keeps notes in memory, for tests and for agents that want none kept.
#[derive(Debug, Default)]
pub struct MemoryShelf {
    held: Mutex<BTreeMap<Namespace, BTreeMap<Key, Held>>>,
}

#[derive(Debug, Clone)]
enum Held {
    Document(Text),
    Log(Vec<String>),
}

impl Shelf for MemoryShelf {
    fn read(&self, namespace: &Namespace, key: &Key) -> Result<Option<Text>, ShelfError> {
        let held = self.held.lock();
        Ok(held.get(namespace).and_then(|own| document(own, key)).cloned())
    }

    fn lines(&self, namespace: &Namespace, key: &Key) -> Result<Vec<String>, ShelfError> {
        let held = self.held.lock();
        Ok(held.get(namespace).map(|own| log(own, key).to_vec()).unwrap_or_default())
    }

    fn list(&self, namespace: &Namespace, collection: Collection) -> Result<Vec<Key>, ShelfError> {
        let held = self.held.lock();
        let keys = held.get(namespace).into_iter().flat_map(BTreeMap::keys);
        Ok(keys.filter(|key| key.collection() == collection).cloned().collect())
    }

    fn namespaces(&self) -> Result<Vec<Namespace>, ShelfError> {
        let held = self.held.lock();
        Ok(held.iter().filter(|(_, own)| !own.is_empty()).map(|(namespace, _)| namespace.clone()).collect())
    }

    fn commit(
        &self,
        namespace: &Namespace,
        changes: &[Change],
        expected: &[(Key, Expected)],
    ) -> Result<Commit, ShelfError> {
        changes.iter().try_for_each(Change::check)?;
        let mut held = self.held.lock();
        let own = held.entry(namespace.clone()).or_default();
        let holds = |(key, expected): &(Key, Expected)| match key.collection().shape() {
            Shape::Document => expected.holds_for_document(document(own, key).map(|text| &text.version)),
            Shape::Log => expected.holds_for_log(log(own, key)),
        };
        if !expected.iter().all(holds) {
            return Ok(Commit::Stale);
        }
        changes.iter().for_each(|change| make(own, change));
        Ok(Commit::Done)
    }
}

fn document<'a>(own: &'a BTreeMap<Key, Held>, key: &Key) -> Option<&'a Text> {
    match own.get(key) {
        Some(Held::Document(text)) => Some(text),
        _ => None,
    }
}

fn log<'a>(own: &'a BTreeMap<Key, Held>, key: &Key) -> &'a [String] {
    match own.get(key) {
        Some(Held::Log(lines)) => lines,
        _ => &[],
    }
}

fn make(own: &mut BTreeMap<Key, Held>, change: &Change) {
    match change {
        Change::Put { key, text } => {
            own.insert(key.clone(), Held::Document(Text::new(text.clone())));
        }
        Change::Append { key, lines } if !lines.is_empty() => {
            match own.entry(key.clone()).or_insert_with(|| Held::Log(Vec::new())) {
                Held::Log(held) => held.extend_from_slice(lines),
                Held::Document(_) => {}
            }
        }
        Change::Append { .. } => {}
        Change::Remove { key } | Change::Clear { key } => {
            own.remove(key);
        }
    }
}

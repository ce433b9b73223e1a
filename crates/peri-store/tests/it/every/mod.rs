//! Every operation of the store, with what comes of it, on every database.
//!
//! Statements are written once and translated, so that one which no test makes may be one that a server refuses.

mod complete;
mod ids;
mod imports;
mod learned;
mod links;
mod lists;
mod moves;
mod once;
mod patterns;
mod promotion;
mod release;
mod revisions;
mod sessions;
mod statements;
mod time;
mod trajectories;
mod undo;
mod view;
mod workers;
mod working;

use peri_store::{Change, Embedding, Store, Usage, Write, Written};
use peri_types::{Event, Happening, Importance, Layer, Memory, MemoryId, Scope, Timestamp};

use crate::support::{at, memory, ns, remember, space, vector};

/// An id that nothing has.
fn nobody() -> MemoryId {
    MemoryId::from_bytes([0xee; 16])
}

/// Makes one change and tells what came of it.
fn make(store: &dyn Store, write: Write) -> Written {
    let mut written = store.write(vec![write]).unwrap();
    assert_eq!(written.len(), 1);
    written.remove(0)
}

fn get(store: &dyn Store, id: MemoryId) -> Option<Memory> {
    store.get(&Scope::All, &[id]).unwrap().pop()
}

fn events(store: &dyn Store) -> Vec<Event> {
    store.events(0, 10_000).unwrap().events
}

/// What was told after so many events, and for when.
fn told_after(store: &dyn Store, count: usize) -> Vec<(Timestamp, Happening)> {
    events(store).into_iter().skip(count).map(|event| (event.at, event.what)).collect()
}

/// The vector of a memory outside the trash.
fn vector_of(store: &dyn Store, memory: &Memory) -> Option<Vec<f32>> {
    let after = peri_types::ChangeNumber(0);
    let changes = store.changes(&memory.namespace, Some(&space()), after, 10_000).unwrap();
    changes.into_iter().find_map(|change| match change {
        Change::Put { memory: own, vector } if own.id == memory.id => vector,
        _ => None,
    })
}

fn use_times(store: &dyn Store, memory: &Memory, recalls: u32, second: i64) {
    let (namespace, id) = (memory.namespace.clone(), memory.id);
    store.record_usage(&[Usage { namespace, id, recalls, last_at: at(second) }], &[], &[]).unwrap();
}

/// A memory of a layer and a session, made and last changed at a time.
fn of_layer(layer: Layer, session: Option<&str>, content: &str, second: i64) -> Memory {
    let mut made = memory("a", content);
    made.layer = layer;
    made.facets.session = session.map(str::to_owned);
    (made.created_at, made.updated_at) = (at(second), at(second));
    made
}

/// The same under a key of a working memory.
fn under_key(session: Option<&str>, key: &str, content: &str, second: i64) -> Memory {
    let mut made = of_layer(Layer::Working, session, content, second);
    made.facets.key = Some(key.to_owned());
    made
}

fn expiring(mut memory: Memory, second: i64) -> Memory {
    memory.facets.expires_at = Some(at(second));
    memory
}

fn important(mut memory: Memory, importance: f64) -> Memory {
    memory.importance = Importance::new(importance).unwrap();
    memory
}

/// Stores a memory with a vector and returns it as it is read.
fn store_it(store: &dyn Store, new: Memory, x: f32) -> Memory {
    match make(store, remember(new, Embedding::Ready(vector(x)))) {
        Written::Stored(memory) => {
            assert_eq!(get(store, memory.id).as_ref(), Some(&*memory));
            *memory
        }
        other => panic!("not stored: {other:?}"),
    }
}

fn forget(memory: &Memory, second: i64) -> Write {
    Write::Forget { scope: Scope::Exact(memory.namespace.clone()), id: memory.id, at: at(second) }
}

fn supersede(older: &Memory, newer: &Memory, second: i64) -> Write {
    Write::Supersede { namespace: ns("a"), older: older.id, newer: newer.id, at: at(second) }
}

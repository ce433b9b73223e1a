//! What is known of a file when nothing is remembered of it: what the memories themselves say.

use perihelion::{ListQuery, Memory, Order, Scope, Trashed};
use serde_json::Value;

use crate::BridgeError;
use crate::pass::{METADATA, Pass, is_from_a_file};
use crate::state::{Known, digest_of};

/// Memories are read so many at a time.
const PAGE: usize = 500;

impl Pass<'_> {
    /// The statements of the file that became memories, from what those say of themselves. What lies in the trash is
    /// known too: it is not brought back.
    pub(crate) fn stated_before(&self) -> Result<Vec<Known>, BridgeError> {
        let mut known: Vec<Known> = Vec::new();
        for trashed in [Trashed::Without, Trashed::Only] {
            let (scope, order) = (Scope::Exact(self.namespace.clone()), Order::OldestFirst);
            let mut query = ListQuery { scope, order, trashed, limit: self.page(), ..ListQuery::default() };
            loop {
                let page = self.engine.list(query.clone())?;
                let stated = page.memories.iter().filter_map(|memory| self.stated_by(memory));
                for one in stated.collect::<Vec<_>>() {
                    if !known.iter().any(|own| own.key == one.key) {
                        known.push(one);
                    }
                }
                query.after = page.next;
                if query.after.is_none() {
                    break;
                }
            }
        }
        Ok(known)
    }

    /// How many memories are read at a time, as far as the engine's limits allow.
    pub(crate) fn page(&self) -> usize {
        PAGE.min(self.engine.options().limits.results_max)
    }

    /// The statement that a memory comes from, if it is one of this file.
    fn stated_by(&self, memory: &Memory) -> Option<Known> {
        let origin = memory.facets.metadata.get(METADATA).filter(|_| is_from_a_file(memory))?;
        let part = |name: &str| origin.get(name).and_then(Value::as_str).map(str::to_owned);
        let (file, key, digest) = (part("file")?, part("key")?, part("digest")?);
        if file != self.state.path {
            return None;
        }
        // A version that no memory has, where somebody changed it since.
        let version = if digest_of(&memory.content) == digest { memory.version } else { 0 };
        Some(Known { key, digest, text: memory.content.clone(), id: memory.id, version })
    }
}

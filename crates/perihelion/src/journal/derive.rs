//! Memories that are made of entries. Everything about them is a function of the entry, so that they can be made again.

use peri_store::{IdOrigin, Links, NewMemory, Write};
use peri_types::{JournalEntry, Kind, Layer, Memory};

use crate::Remember;
use crate::engine::Core;

impl Core {
    /// The changes that store the memories of those entries that are to be remembered.
    pub(super) fn derivations(&self, entries: &[JournalEntry]) -> Vec<Write> {
        let memories: Vec<Memory> =
            entries.iter().filter(|entry| entry.remember).map(|entry| self.memory_of(entry)).collect();
        if memories.is_empty() {
            return Vec::new();
        }
        let texts: Vec<&str> = memories.iter().map(|memory| memory.content.as_str()).collect();
        let embeddings = self.embed(&texts);
        let (at, links) = (self.now(), Links::Later);
        let derive = |(memory, embedding)| {
            let new = Box::new(NewMemory { memory, embedding, links, id: IdOrigin::Given });
            Write::Derive { new, at }
        };
        memories.into_iter().zip(embeddings).map(derive).collect()
    }

    /// The memory of an entry's text.
    pub(super) fn memory_of(&self, entry: &JournalEntry) -> Memory {
        let mut request = Remember {
            kind: Some(Kind::Episode),
            layer: Some(Layer::Episodic),
            ..Remember::new(&entry.text)
        };
        request.namespace = entry.namespace.clone();
        request.id = Some(entry.id.memory());
        request.facets.session.clone_from(&entry.session);
        request.facets.speaker.clone_from(&entry.actor);
        request.facets.occurred_at = Some(entry.at);
        request.facets.entry = Some(entry.id);
        let (memory, _) = self.record(request, entry.created_at);
        let mut placed = [memory];
        if let Err(error) = self.place(&mut placed) {
            // It begins in the usual zone; the next reorbit moves it to its own.
            tracing::debug!(%error, "what use has taught cannot be read");
        }
        let [memory] = placed;
        memory
    }
}

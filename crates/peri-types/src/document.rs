//! What makes a memory the copy of a document that somebody keeps as a file.
//!
//! Such a memory says in its source which file it comes from. The file is the truth: nothing but a change of the file,
//! or of the memory by somebody, may change it, so it is never taken for another statement, replaced or let go.

use crate::{Fingerprint, Memory};

impl Memory {
    /// How the source of a memory begins that comes from a document of the vault.
    pub const VAULT: &'static str = "vault:";

    /// Where in the vault the document is that it comes from, if it comes from one: a path with forward slashes, and
    /// behind a `#` the part of the document.
    pub fn document(&self) -> Option<&str> {
        self.facets.source.as_deref()?.strip_prefix(Self::VAULT)
    }

    /// What tells it from all others: its place, and what it says.
    pub(crate) fn fingerprint_of_document(&self) -> Option<Fingerprint> {
        let place = self.document()?;
        let none = [None; 5];
        let parts = [Some("document"), Some(place), Some(self.content.as_str())];
        Some(Fingerprint::of_all(&[&parts[..], &none[..]].concat()))
    }
}

#[cfg(test)]
mod tests {
    use crate::{Facets, Memory};

    fn memory(content: &str, source: Option<&str>) -> Memory {
        let told = serde_json::json!({
            "id": "0190b2c4-0000-7000-8000-000000000000", "namespace": "default", "content": content,
            "layer": "long_term", "kind": "fact", "importance": 0.5, "created_at": "2024-01-01T00:00:00Z",
            "updated_at": "2024-01-01T00:00:00Z", "version": 1, "change": 1
        });
        let memory: Memory = serde_json::from_value(told).unwrap();
        Memory { facets: Facets { source: source.map(str::to_owned), ..Facets::default() }, ..memory }
    }

    #[test]
    fn a_document_is_the_same_only_at_its_place_and_is_kept() {
        let document = memory("화성은 붉다", Some("vault:knowledge/화성.md"));
        assert_eq!(document.document(), Some("knowledge/화성.md"));
        assert!(document.is_kept());
        for other in [
            memory("화성은 붉다", None),
            memory("화성은 붉다", Some("vault:knowledge/火星.md")),
            memory("화성은 파랗다", Some("vault:knowledge/화성.md")),
        ] {
            assert_ne!(other.fingerprint(), document.fingerprint());
        }
        let elsewhere = memory("화성은 붉다", Some("file:knowledge/화성.md"));
        assert!(elsewhere.document().is_none() && !elsewhere.is_kept());
        assert_eq!(elsewhere.fingerprint(), memory("화성은 붉다", None).fingerprint());
    }
}

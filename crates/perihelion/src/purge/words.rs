//! What was destroyed, for finding it again elsewhere.

use std::collections::HashSet;

use peri_types::{Memory, MemoryId, Namespace};

use super::Contents;

/// The contents of memories that are destroyed, and their ids.
#[derive(Debug, Default)]
pub(crate) struct Words {
    contents: Contents,
    ids: HashSet<MemoryId>,
}

impl Words {
    pub(super) fn add(&mut self, memory: &Memory, earlier: impl Iterator<Item = String>) {
        self.ids.insert(memory.id);
        let contents = self.contents.entry(memory.namespace.clone()).or_default();
        contents.extend(earlier.chain([memory.content.clone()]).filter(|content| !content.trim().is_empty()));
    }

    pub(super) fn join(&mut self, other: Self) {
        for (namespace, contents) in other.contents {
            self.contents.entry(namespace).or_default().extend(contents);
        }
        self.ids.extend(other.ids);
    }

    pub(super) fn namespaces(&self) -> impl Iterator<Item = &Namespace> {
        self.contents.keys()
    }

    pub(super) fn ids(&self) -> &HashSet<MemoryId> {
        &self.ids
    }

    /// Whether a text that was handed out in a namespace tells one of them, or how one of them begins.
    pub(super) fn are_in(&self, namespace: &Namespace, text: &str) -> bool {
        let shortened = text.trim().trim_end_matches('…');
        let tells = |content: &String| text.contains(content.trim()) || content.starts_with(shortened);
        !shortened.is_empty() && self.contents.get(namespace).is_some_and(|all| all.iter().any(tells))
    }

    /// Whether one of them is written in a line of JSON.
    pub(super) fn are_within(&self, json: &str) -> bool {
        let written = |content: &String| {
            let quoted = serde_json::Value::from(content.as_str()).to_string();
            json.contains(quoted.trim_matches('"'))
        };
        self.contents.values().flatten().any(written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_known_in_what_was_handed_out_and_within_json() {
        let namespace = Namespace::default();
        let content = "The code is \"kumquat\" \u{1f34a}".to_owned();
        let words =
            Words { contents: [(namespace.clone(), vec![content.clone()])].into(), ids: HashSet::new() };
        for (text, known) in [
            (content.as_str(), true),
            ("remembered: The code is \"kumquat\" \u{1f34a}, since Monday", true),
            ("The code is…", true),
            ("The door is red", false),
            ("  ", false),
        ] {
            assert_eq!(words.are_in(&namespace, text), known, "{text}");
        }
        assert!(!words.are_in(&"other".parse().unwrap(), &content));
        assert!(words.are_within(&serde_json::json!({"memory": {"content": content}}).to_string()));
        assert!(!words.are_within("{\"content\":\"kumquat\"}"));
    }
}

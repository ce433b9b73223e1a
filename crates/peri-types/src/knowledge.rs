//! What makes a memory a part of a knowledge graph: an entity, an observation of one, or a relation between two.
//!
//! Such a memory is a memory like any other, but it says in its metadata which part it is. That gives it an
//! identity of its own: it is never taken for another statement, however alike the two read.

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::{Facets, Fingerprint, Memory};

/// Which part of a knowledge graph a memory is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KnowledgePart<'a> {
    /// Something that has a name. There is one of each name.
    Entity {
        /// What it is called.
        name: &'a str,
        /// What it is.
        entity_type: &'a str,
    },
    /// Something that was said of an entity: the memory's content, without the name it begins with.
    Observation {
        /// The entity's name.
        entity: &'a str,
        /// How many equal ones came before it: 0 but for those that were given twice at once.
        nth: u64,
    },
    /// How one entity stands to another. There is one of each kind between the same two.
    Relation {
        /// Where it begins.
        from: &'a str,
        /// Where it ends.
        to: &'a str,
        /// How the first stands to the second.
        relation_type: &'a str,
    },
}

impl<'a> KnowledgePart<'a> {
    /// The tag that all parts have, so that a graph can be read in one pass.
    pub const TAG: &'static str = "knowledge";

    /// The key of the metadata under which a memory says which part it is.
    pub const KEY: &'static str = "knowledge";

    /// The part that a memory says it is. Metadata that only looks alike makes no part.
    pub fn of(facets: &'a Facets) -> Option<Self> {
        let told = facets.metadata.get(Self::KEY)?.as_object()?;
        let text = |key: &str| told.get(key).and_then(Value::as_str);
        match text("part")? {
            "entity" => Some(Self::Entity { name: text("name")?, entity_type: text("type")? }),
            "observation" => {
                let nth = told.get("nth").map_or(Some(0), Value::as_u64)?;
                Some(Self::Observation { entity: text("entity")?, nth })
            }
            "relation" => {
                Some(Self::Relation { from: text("from")?, to: text("to")?, relation_type: text("type")? })
            }
            _ => None,
        }
    }

    /// What the part is called, for tags and messages.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Entity { .. } => "entity",
            Self::Observation { .. } => "observation",
            Self::Relation { .. } => "relation",
        }
    }

    /// The metadata that says so, with the part's place among all that were ever added.
    pub fn metadata(&self, place: u64) -> Map<String, Value> {
        let told = match self {
            Self::Entity { name, entity_type } => json!({ "name": name, "type": entity_type }),
            Self::Observation { entity, nth: 0 } => json!({ "entity": entity }),
            Self::Observation { entity, nth } => json!({ "entity": entity, "nth": nth }),
            Self::Relation { from, to, relation_type } => {
                json!({ "from": from, "to": to, "type": relation_type })
            }
        };
        let mut told = match told {
            Value::Object(told) => told,
            _ => Map::new(),
        };
        told.insert("part".to_owned(), self.name().into());
        told.insert("place".to_owned(), place.into());
        Map::from_iter([(Self::KEY.to_owned(), Value::Object(told))])
    }

    /// The place that the metadata gives a part; what has none comes first.
    pub fn place(facets: &Facets) -> u64 {
        facets.metadata.get(Self::KEY).and_then(|told| told.get("place")?.as_u64()).unwrap_or(0)
    }

    /// What the memory of an entity, or of a relation, says to a person. An observation's says its entity and text.
    pub fn statement(&self, text: &str) -> String {
        match self {
            Self::Entity { name, entity_type } if entity_type.trim().is_empty() => (*name).to_owned(),
            Self::Entity { name, entity_type } => format!("{name} ({entity_type})"),
            Self::Observation { entity, .. } => format!("{entity}: {text}"),
            Self::Relation { from, to, relation_type } => format!("{from} {relation_type} {to}"),
        }
    }

    /// What an observation says, without the name of its entity; all of it where somebody put it in other words.
    pub fn text<'b>(&self, content: &'b str) -> &'b str {
        let Self::Observation { entity, .. } = self else { return content };
        content.strip_prefix(entity).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(content)
    }

    /// What tells the part from all others: an entity's name, whatever its type; an observation's entity and
    /// content; a relation's ends and type.
    pub(crate) fn fingerprint(&self, content: &str, occurred_at: Option<Timestamp>) -> Fingerprint {
        let at = occurred_at.map(|at| at.as_millisecond().to_string());
        let number;
        let identity = match *self {
            Self::Entity { name, .. } => [name, "", ""],
            Self::Observation { entity, nth } => {
                number = nth.to_string();
                [entity, content, &number]
            }
            Self::Relation { from, to, relation_type } => [from, to, relation_type],
        };
        let [first, second, third] = identity.map(Some);
        Fingerprint::of_all(&[Some(self.name()), first, second, third, at.as_deref()])
    }
}

impl Memory {
    /// The part of a knowledge graph that it is, if it is one.
    pub fn part(&self) -> Option<KnowledgePart<'_>> {
        KnowledgePart::of(&self.facets)
    }

    /// Whether it stays until somebody forgets it, however long nobody used it.
    pub fn is_kept(&self) -> bool {
        self.facets.pinned || self.part().is_some() || self.document().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARTS: [KnowledgePart<'_>; 4] = [
        KnowledgePart::Entity { name: "김 민수", entity_type: "" },
        KnowledgePart::Observation { entity: "A: b", nth: 0 },
        KnowledgePart::Observation { entity: "A", nth: 2 },
        KnowledgePart::Relation { from: "A", to: "A", relation_type: "is" },
    ];

    #[test]
    fn a_part_is_read_back_from_its_metadata() {
        for part in PARTS {
            let facets = Facets { metadata: part.metadata(7), ..Facets::default() };
            assert_eq!((KnowledgePart::of(&facets), KnowledgePart::place(&facets)), (Some(part), 7));
        }
    }

    #[test]
    fn metadata_that_looks_alike_makes_no_part() {
        for told in [json!("deep"), json!({ "part": "entity" }), json!({ "part": "planet", "name": "Mars" })]
        {
            let metadata = Map::from_iter([(KnowledgePart::KEY.to_owned(), told)]);
            assert_eq!(KnowledgePart::of(&Facets { metadata, ..Facets::default() }), None);
        }
    }

    #[test]
    fn an_observation_is_its_content_without_the_name() {
        for (entity, text) in [("A", "b: c"), ("A: b", "c"), ("A", "")] {
            let part = KnowledgePart::Observation { entity, nth: 0 };
            assert_eq!(part.text(&part.statement(text)), text);
        }
        assert_eq!(
            KnowledgePart::Observation { entity: "A", nth: 0 }.text("in other words"),
            "in other words"
        );
    }
}

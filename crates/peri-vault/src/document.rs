//! A document as memories: what each part of it says, and what is said about it.

use std::ops::Range;

use jiff::civil;
use jiff::tz::TimeZone;
use perihelion::{Facets, Importance, Kind, Layer, Limits, Memory, Namespace, Remember, Timestamp};
use serde_json::{Map, Value};

use crate::front_matter;
use crate::key::{Class, Key};
use crate::marks::{Link, Marks};
use crate::parts;

/// The keys that mean something; all others are metadata.
pub(crate) const KNOWN: [&str; 9] =
    ["title", "tags", "aliases", "importance", "pinned", "created", "valid_from", "valid_until", "kind"];

/// A document that was read.
#[derive(Debug, Clone)]
pub(crate) struct Document {
    /// Its parts, in order.
    pub(crate) parts: Vec<Part>,
    /// What could not be understood, for people.
    pub(crate) problems: Vec<String>,
}

/// One memory's worth of a document.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    /// What tells it from the document's other parts.
    pub(crate) anchor: String,
    /// Where it stands in the whole text.
    pub(crate) range: Range<usize>,
    /// The memory that it should be.
    pub(crate) said: Said,
    /// Tags that stand in its text.
    pub(crate) inline_tags: Vec<String>,
    /// Aliases that it has by its names rather than by its front matter.
    pub(crate) own_names: Vec<String>,
    /// What it links to.
    pub(crate) links: Vec<Link>,
}

/// What a memory should say.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Said {
    pub(crate) source: String,
    pub(crate) content: String,
    pub(crate) kind: Kind,
    /// Only where the document says so.
    pub(crate) importance: Option<Importance>,
    pub(crate) tags: Vec<String>,
    pub(crate) aliases: Vec<String>,
    pub(crate) pinned: bool,
    pub(crate) occurred_at: Option<Timestamp>,
    pub(crate) valid_from: Option<Timestamp>,
    pub(crate) valid_until: Option<Timestamp>,
    pub(crate) metadata: Map<String, Value>,
}

/// How documents are read.
pub(crate) struct Reader<'a> {
    pub(crate) limits: &'a Limits,
    pub(crate) time_zone: &'a TimeZone,
}

impl Reader<'_> {
    /// Reads a document of knowledge.
    pub(crate) fn read(&self, key: &Key, text: &str) -> Document {
        let front = front_matter::read(text);
        let mut problems: Vec<String> = front.problem.iter().cloned().collect();
        let body = &text[front.body_at..];
        let marks = Marks::of(body);
        let about = self.about(key, &front.fields, &mut problems);
        let mut front_links = links_of(&front.fields);
        let sections = parts::split(body, &marks.headings);
        let parts = sections.into_iter().map(|section| {
            let tags = within(&marks.tags, &section.range, |(at, _)| *at);
            let inline_tags: Vec<String> = tags.iter().map(|(_, tag)| tag.clone()).collect();
            // What the front matter links to belongs to the first part.
            let mut links = std::mem::take(&mut front_links);
            links.extend(within(&marks.links, &section.range, |link| link.at).iter().cloned());
            let mut own_names = vec![key.name().to_owned()];
            own_names.extend(about.title.clone());
            own_names.extend(Some(section.heading.clone()).filter(|heading| !heading.is_empty()));
            let source = source(key, &section.anchor);
            let mut said =
                Said { source, content: body[section.range.clone()].to_owned(), ..about.said.clone() };
            self.add(&mut said.tags, &inline_tags);
            self.add(&mut said.aliases, &own_names);
            let range = section.range.start + front.body_at..section.range.end + front.body_at;
            Part { anchor: section.anchor, range, said, inline_tags, own_names, links }
        });
        let parts = parts.collect();
        Document { parts, problems }
    }

    /// What the front matter says of every part.
    fn about(&self, key: &Key, fields: &Map<String, Value>, problems: &mut Vec<String>) -> About {
        let mut wrong = |name: &str, why: &str| problems.push(format!("{name} in the front matter {why}"));
        let importance = fields.get("importance").filter(|value| !value.is_null()).and_then(|value| {
            let given = value.as_f64().and_then(|number| Importance::new(number).ok());
            if given.is_none() {
                wrong("importance", "is not a number from 0 to 1");
            }
            given
        });
        let pinned = fields.get("pinned").filter(|value| !value.is_null()).is_some_and(|value| match value {
            Value::Bool(pinned) => *pinned,
            _ => {
                wrong("pinned", "is neither true nor false");
                false
            }
        });
        let kind = fields.get("kind").and_then(Value::as_str).and_then(|name| {
            let kind = name.parse::<Kind>();
            if let Err(error) = &kind {
                wrong("kind", &format!("is not one: {error}"));
            }
            kind.ok()
        });
        let mut time = |name: &str| {
            let value = fields.get(name).filter(|value| !value.is_null())?;
            let time = value.as_str().and_then(|text| moment(text, self.time_zone));
            if time.is_none() {
                wrong(name, "is not a time such as 2026-11-16 or 2026-11-16T10:42:05Z");
            }
            time
        };
        let [occurred_at, valid_from, valid_until] = ["created", "valid_from", "valid_until"].map(&mut time);
        let mut said = Said {
            source: String::new(),
            content: String::new(),
            kind: kind.unwrap_or_else(|| kind_of(key)),
            importance,
            tags: Vec::new(),
            aliases: Vec::new(),
            pinned,
            occurred_at,
            valid_from,
            valid_until,
            metadata: unknown(fields),
        };
        let json_bytes = serde_json::to_string(&said.metadata).map_or(usize::MAX, |json| json.len());
        if self.limits.check_metadata(json_bytes).is_err() {
            problems
                .push("the front matter is too large to be kept as metadata; the file keeps it".to_owned());
            said.metadata.clear();
        }
        self.add(&mut said.tags, &front_matter::list(fields.get("tags")));
        self.add(&mut said.aliases, &front_matter::list(fields.get("aliases")));
        let title = fields.get("title").and_then(front_matter::text).filter(|title| !title.is_empty());
        About { said, title }
    }

    /// Adds labels that are not there and keep to the limits.
    fn add(&self, labels: &mut Vec<String>, more: &[String]) {
        for label in more {
            let label = label.trim();
            let fits =
                self.limits.check_label("label", label).is_ok() && labels.len() < self.limits.labels_max;
            if fits && !labels.iter().any(|own| own == label) {
                labels.push(label.to_owned());
            }
        }
    }
}

/// Those marks, of all that stand in order, that stand in a range.
fn within<'a, T>(marks: &'a [T], range: &Range<usize>, at: impl Fn(&T) -> usize) -> &'a [T] {
    let start = marks.partition_point(|mark| at(mark) < range.start);
    let end = marks.partition_point(|mark| at(mark) < range.end);
    &marks[start..end.max(start)]
}

struct About {
    said: Said,
    title: Option<String>,
}

impl Said {
    /// The request to remember it.
    pub(crate) fn remember(&self, namespace: &Namespace) -> Remember {
        let said = self.clone();
        Remember {
            content: said.content,
            namespace: namespace.clone(),
            kind: Some(said.kind),
            layer: Some(Layer::LongTerm),
            importance: said.importance,
            facets: Facets {
                tags: said.tags,
                aliases: said.aliases,
                source: Some(said.source),
                occurred_at: said.occurred_at,
                valid_from: said.valid_from,
                valid_until: said.valid_until,
                pinned: said.pinned,
                metadata: said.metadata,
                ..Facets::default()
            },
            id: None,
        }
    }

    /// Whether a memory says the same, secrets apart.
    pub(crate) fn is_said_by(&self, memory: &Memory, redacted: &dyn Fn(&str) -> String) -> bool {
        let facets = &memory.facets;
        let clean = |labels: &[String]| labels.iter().map(|label| redacted(label)).collect::<Vec<_>>();
        facets.source.as_deref() == Some(&self.source)
            && memory.kind == self.kind
            && self.importance.is_none_or(|own| own == memory.importance)
            && facets.pinned == self.pinned
            && same_time(facets.valid_from, self.valid_from)
            && (same_time(facets.valid_until, self.valid_until) || facets.superseded_by.is_some())
            && same_labels(&clean(&self.tags), &facets.tags)
            && same_labels(&clean(&self.aliases), &facets.aliases)
            && self.metadata.keys().eq(facets.metadata.keys())
            && self.metadata.iter().all(|(key, value)| {
                // What a redaction changed is known by its mark rather than by what it was.
                facets
                    .metadata
                    .get(key)
                    .is_some_and(|own| own == value || own.to_string().contains("[redacted"))
            })
            && memory.content == redacted(&self.content)
    }
}

pub(crate) fn same_labels(one: &[String], other: &[String]) -> bool {
    let sorted = |labels: &[String]| {
        let mut labels = labels.to_vec();
        labels.sort();
        labels.dedup();
        labels
    };
    sorted(one) == sorted(other)
}

/// The store keeps whole milliseconds.
pub(crate) fn same_time(one: Option<Timestamp>, other: Option<Timestamp>) -> bool {
    one.map(Timestamp::as_millisecond) == other.map(Timestamp::as_millisecond)
}

/// The source of a part's memory.
pub(crate) fn source(key: &Key, anchor: &str) -> String {
    let begin = format!("{}{}", Memory::VAULT, key.path());
    if anchor.is_empty() { begin } else { format!("{begin}#{anchor}") }
}

/// The document and the part that a memory comes from, if it comes from one that can be.
pub(crate) fn place(memory: &Memory) -> Option<(Key, String)> {
    let place = memory.document()?;
    let (path, anchor) = match place.find(".md#") {
        Some(at) => (&place[..at + 3], &place[at + 4..]),
        None => (place, ""),
    };
    let key = Key::of_path(path).ok()?;
    (key.class() == Class::Knowledge).then(|| (key, anchor.to_owned()))
}

/// What a document is by the folder it is in.
fn kind_of(key: &Key) -> Kind {
    match key.path().split('/').nth(1) {
        Some("facts") => Kind::Fact,
        Some("experiences") => Kind::Episode,
        _ => Kind::Document,
    }
}

fn unknown(fields: &Map<String, Value>) -> Map<String, Value> {
    let unknown = fields
        .iter()
        .filter(|(key, _)| !KNOWN.contains(&key.as_str()) && key.as_str() != perihelion::KnowledgePart::KEY);
    unknown.map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// What the front matter links to: texts such as `"[[Coffee]]"`, alone or in lists.
fn links_of(fields: &Map<String, Value>) -> Vec<Link> {
    let links = fields.values().flat_map(|value| match value {
        Value::String(text) => Marks::of(text).links,
        Value::Array(items) => {
            items.iter().filter_map(Value::as_str).flat_map(|text| Marks::of(text).links).collect()
        }
        _ => Vec::new(),
    });
    links.collect()
}

/// A time as people write it: with its zone, or in the configured one; a day means its beginning.
fn moment(text: &str, zone: &TimeZone) -> Option<Timestamp> {
    let text = text.trim();
    let local = |time: civil::DateTime| time.to_zoned(zone.clone()).ok().map(|zoned| zoned.timestamp());
    text.parse::<Timestamp>()
        .ok()
        .or_else(|| local(text.parse::<civil::DateTime>().ok()?))
        .or_else(|| local(text.parse::<civil::Date>().ok()?.at(0, 0, 0, 0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &str, text: &str) -> Document {
        let reader = Reader { limits: &Limits::default(), time_zone: &TimeZone::UTC };
        reader.read(&Key::of_path(path).unwrap(), text)
    }

    #[test]
    fn a_document_says_all_that_its_front_matter_and_its_text_say() {
        let text = "---\ntitle: 좋은 커피\ntags: [음료, 7]\naliases: 咖啡, café\nimportance: 0.9\npinned: true\ncreated: 2024-01-05\nvalid_until: 2030-01-01T00:00:00Z\nkind: preference\nmood: calm\n---\n# 드립\n드립이 제일이다. #아침 [[차]]\n";
        let document = read("knowledge/facts/coffee.md", text);
        assert_eq!(document.problems, Vec::<String>::new());
        let [part] = &document.parts[..] else { panic!("{:?}", document.parts) };
        let said = &part.said;
        assert_eq!(said.source, "vault:knowledge/facts/coffee.md");
        assert_eq!(said.content, "# 드립\n드립이 제일이다. #아침 [[차]]");
        assert_eq!(said.tags, ["음료", "7", "아침"]);
        assert_eq!(said.aliases, ["咖啡", "café", "coffee", "좋은 커피", "드립"]);
        assert_eq!((said.kind, said.pinned), (Kind::Preference, true));
        assert_eq!(said.importance, Importance::new(0.9).ok());
        assert_eq!(said.occurred_at, "2024-01-05T00:00:00Z".parse().ok());
        assert_eq!(said.valid_until, "2030-01-01T00:00:00Z".parse().ok());
        assert_eq!(Value::Object(said.metadata.clone()), serde_json::json!({ "mood": "calm" }));
        assert_eq!(part.links[0].target, "차");
    }

    #[test]
    fn the_folder_says_what_a_document_is() {
        for (path, kind) in [
            ("knowledge/facts/deep/x.md", Kind::Fact),
            ("knowledge/experiences/x.md", Kind::Episode),
            ("knowledge/我的/x.md", Kind::Document),
            ("knowledge/x.md", Kind::Document),
        ] {
            assert_eq!(read(path, "something").parts[0].said.kind, kind, "{path}");
        }
    }

    #[test]
    fn values_without_meaning_are_told_and_the_rest_counts() {
        let text = "---\nimportance: 7\npinned: maybe\nkind: opinion\ncreated: soon\ntags: [ok]\n---\nbody";
        let document = read("knowledge/facts/x.md", text);
        assert_eq!(document.problems.len(), 4, "{:?}", document.problems);
        assert_eq!(document.parts[0].said.tags, ["ok"]);
        let broken = read("knowledge/facts/x.md", "---\na: [\n---\nbody");
        assert_eq!(
            (broken.problems.len(), broken.parts[0].said.content.as_str()),
            (1, "---\na: [\n---\nbody")
        );
    }

    #[test]
    fn the_place_of_a_memory_is_read_back_from_its_source() {
        for (path, anchor) in [
            ("knowledge/facts/C# notes.md", ""),
            ("knowledge/가 나.md", "제목 (2)"),
            ("knowledge/C#.md", "x.md"),
        ] {
            let mut memory = sample();
            let key = Key::of_path(path).unwrap();
            memory.facets.source = Some(source(&key, anchor));
            assert_eq!(place(&memory), Some((key, anchor.to_owned())));
        }
        for source in ["vault:md/system.md", "vault:../x.md", "vault:", "file:knowledge/x.md"] {
            let mut memory = sample();
            memory.facets.source = Some(source.to_owned());
            assert_eq!(place(&memory), None, "{source}");
        }
    }

    fn sample() -> Memory {
        serde_json::from_value(serde_json::json!({
            "id": "0190b2c4-0000-7000-8000-000000000000", "namespace": "default", "content": "x", "layer": "long_term",
            "kind": "fact", "importance": 0.5, "created_at": "2024-01-01T00:00:00Z",
            "updated_at": "2024-01-01T00:00:00Z", "version": 1, "change": 1
        }))
        .unwrap()
    }
}

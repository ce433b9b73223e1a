//! The forms of answers, and the schemas that ask for them.

use peri_notes::Priority;
use peri_observe::FindingKind;
use serde::Deserialize;
use serde_json::{Value, json};

/// An observation has no more than so many new notes, nor of anything else.
const NEW_NOTES_MAX: usize = 8;

/// What an observer answers.
#[derive(Debug, Deserialize)]
pub(super) struct ObserverAnswer {
    /// Notes to be added.
    pub(super) new: Vec<NewNote>,
    /// Notes that say the same in other words.
    pub(super) reworded: Vec<Reworded>,
    /// Notes whose task was done.
    pub(super) done: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct NewNote {
    pub(super) text: String,
    pub(super) priority: Priority,
    pub(super) kind: Option<String>,
    /// Notes that are no longer so.
    pub(super) replaces: Vec<String>,
    /// What held before, in a few words, whether it is noted or not.
    pub(super) was: Option<String>,
    /// Whether it should outlive the session.
    pub(super) durable: bool,
    /// The messages it was made from.
    #[serde(default)]
    pub(super) from: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Reworded {
    pub(super) id: String,
    pub(super) text: String,
    pub(super) priority: Priority,
    /// The messages because of which it is put in other words.
    #[serde(default)]
    pub(super) from: Vec<String>,
}

/// What a reflector or a compactor answers.
#[derive(Debug, Deserialize)]
pub(super) struct CondensedAnswer {
    /// The notes that stay.
    pub(super) items: Vec<KeptNote>,
    /// The notes that go, each with a reason.
    pub(super) dropped: Vec<DroppedNote>,
}

#[derive(Debug, Deserialize)]
pub(super) struct KeptNote {
    /// The notes it is made from; one, unless several were merged.
    pub(super) from: Vec<String>,
    pub(super) text: String,
    pub(super) priority: Priority,
}

#[derive(Debug, Deserialize)]
pub(super) struct DroppedNote {
    pub(super) id: String,
    pub(super) why: String,
}

/// What a promoter answers.
#[derive(Debug, Deserialize)]
pub(super) struct PromoterAnswer {
    pub(super) promoted: Vec<PromotedNote>,
}

#[derive(Debug, Deserialize)]
pub(super) struct PromotedNote {
    /// The candidates it is made from.
    pub(super) from: Vec<String>,
    pub(super) text: String,
    pub(super) priority: Priority,
    /// The note of the digest that it is put in the place of.
    pub(super) replaces: Option<String>,
}

fn object(properties: Value) -> Value {
    let names: Vec<String> = properties.as_object().into_iter().flat_map(|own| own.keys().cloned()).collect();
    json!({ "type": "object", "properties": properties, "required": names, "additionalProperties": false })
}

fn list(items: Value) -> Value {
    json!({ "type": "array", "items": items })
}

/// A list that small models cannot go on with for ever.
fn short_list(items: Value) -> Value {
    json!({ "type": "array", "items": items, "maxItems": NEW_NOTES_MAX })
}

fn text() -> Value {
    json!({ "type": "string" })
}

fn priority() -> Value {
    json!({ "type": "string", "enum": ["high", "medium", "low"] })
}

pub(super) fn observer() -> Value {
    let kinds: Vec<Value> =
        FindingKind::ALL.iter().map(|kind| json!(kind.name())).chain([Value::Null]).collect();
    let new = object(json!({
        "text": text(),
        "priority": priority(),
        "kind": { "type": ["string", "null"], "enum": kinds },
        "replaces": short_list(text()),
        "was": { "type": ["string", "null"] },
        "durable": { "type": "boolean" },
        "from": short_list(text()),
    }));
    let reworded =
        object(json!({ "id": text(), "text": text(), "priority": priority(), "from": short_list(text()) }));
    object(json!({ "new": short_list(new), "reworded": short_list(reworded), "done": short_list(text()) }))
}

pub(super) fn condenser() -> Value {
    let kept = object(json!({ "from": list(text()), "text": text(), "priority": priority() }));
    let dropped = object(json!({ "id": text(), "why": text() }));
    object(json!({ "items": list(kept), "dropped": list(dropped) }))
}

pub(super) fn promoter() -> Value {
    let promoted = object(json!({
        "from": list(text()),
        "text": text(),
        "priority": priority(),
        "replaces": { "type": ["string", "null"] },
    }));
    object(json!({ "promoted": list(promoted) }))
}

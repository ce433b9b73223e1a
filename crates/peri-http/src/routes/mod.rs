//! The routes: one table a file, one line a route.

mod backups;
mod chores;
mod context;
mod docs;
mod embeddings;
mod events;
mod feedback;
mod given;
mod graph;
mod graph_picture;
mod health;
mod journal;
mod keys;
mod latencies;
mod layers;
mod learning;
mod llm;
mod me;
mod memories;
mod migrate;
mod namespaces;
mod notes;
mod orbit;
mod page;
mod queue;
mod recall;
mod report;
mod sample;
mod sessions;
mod snapshots;
mod stats;
mod trace;
mod transfer;
mod why;
mod work;
mod workers;

use schemars::{Schema, SchemaGenerator, json_schema};

use crate::table::Operation;

/// Every route there is, in the order of the document.
pub(crate) fn all() -> Vec<Operation> {
    [
        memories::routes(),
        trace::routes(),
        layers::routes(),
        work::routes(),
        recall::routes(),
        why::routes(),
        embeddings::routes(),
        graph::routes(),
        graph_picture::routes(),
        orbit::routes(),
        sessions::routes(),
        notes::routes(),
        given::routes(),
        context::routes(),
        journal::routes(),
        namespaces::routes(),
        feedback::routes(),
        learning::routes(),
        workers::routes(),
        stats::routes(),
        report::routes(),
        latencies::routes(),
        keys::routes(),
        me::routes(),
        chores::routes(),
        queue::routes(),
        snapshots::routes(),
        backups::routes(),
        llm::routes(),
        sample::routes(),
        events::routes(),
        transfer::routes(),
        migrate::routes(),
        page::routes(),
        docs::routes(),
        health::routes(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// A text that is not blank and holds no NUL character.
const NOT_BLANK: &str = r"^[^\u0000]*[^\s\u0000][^\u0000]*$";

/// What is kept or asked. How long it may be is configured.
pub(crate) struct Text;

impl schemars::JsonSchema for Text {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Text".into()
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "minLength": 1, "pattern": NOT_BLANK})
    }
}

/// A text that holds no NUL character; it may be blank. How long it may be is configured.
#[derive(Default, serde::Serialize)]
pub(crate) struct AnyText(&'static str);

impl schemars::JsonSchema for AnyText {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "AnyText".into()
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "pattern": r"^[^\u0000]*$"})
    }
}

/// A short text, such as a tag or the name of a session.
pub(crate) struct Label;

impl schemars::JsonSchema for Label {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Label".into()
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "minLength": 1, "maxLength": 256, "pattern": NOT_BLANK})
    }
}

/// A day such as 2026-11-15.
pub(crate) struct Day;

impl schemars::JsonSchema for Day {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Day".into()
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "format": "date"})
    }
}

/// A time in RFC 3339.
pub(crate) struct Moment;

impl schemars::JsonSchema for Moment {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Moment".into()
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "format": "date-time"})
    }
}

//! The routes: one table a file, one line a route.

mod health;
mod memories;
mod recall;

use perihelion::MemoryId;
use schemars::{Schema, SchemaGenerator, json_schema};

use crate::table::Operation;

/// Every route there is, in the order of the document.
pub(crate) fn all() -> Vec<Operation> {
    [memories::routes(), recall::routes(), health::routes()].into_iter().flatten().collect()
}

/// What a varying part of a path looks like.
pub(crate) fn path_part(name: &str, generator: &mut SchemaGenerator) -> Schema {
    match name {
        "id" => generator.subschema_for::<MemoryId>(),
        _ => json_schema!({"type": "string", "minLength": 1, "maxLength": 256}),
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

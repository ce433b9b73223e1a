//! Schemas as small as they can be: a model reads every word of them in every conversation.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

/// What a schema is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// What a client sends. Unknown arguments are refused.
    Input,
    /// What it gets. Descriptions are left out: the names say it.
    Output,
}

/// The schema of a type, with everything inlined and what says nothing left out.
pub(crate) fn lean<T: JsonSchema>(side: Side) -> Map<String, Value> {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
        if side == Side::Output {
            settings.contract = schemars::generate::Contract::Serialize;
        }
    });
    let schema: Schema = settings.into_generator().into_root_schema_for::<T>();
    let mut value = schema.to_value();
    prune(&mut value, side);
    match value {
        Value::Object(mut object) => {
            object.entry("type").or_insert_with(|| json!("object"));
            object.entry("properties").or_insert_with(|| json!({}));
            object.remove("description");
            object
        }
        _ => Map::new(),
    }
}

/// Adds a property, first in line.
pub(crate) fn add_property(schema: &mut Map<String, Value>, name: &str, property: Value, required: bool) {
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.insert(name.to_owned(), property);
    }
    if required {
        let list = schema.entry("required").or_insert_with(|| json!([]));
        if let Value::Array(names) = list {
            names.push(json!(name));
        }
    }
}

/// Takes away titles, numeric formats, nulls of what may be missing anyway, and defaults that are null.
fn prune(value: &mut Value, side: Side) {
    match value {
        Value::Object(object) => {
            object.remove("title");
            object.remove("$schema");
            if side == Side::Output {
                object.remove("description");
                object.remove("additionalProperties");
            }
            object.remove("format");
            if object.get("default").is_some_and(Value::is_null) {
                object.remove("default");
            }
            if side == Side::Input {
                without_null(object);
            }
            // A property may be named like a keyword, so the names themselves are left alone.
            for (key, inner) in object.iter_mut() {
                match (key.as_str(), inner) {
                    ("properties", Value::Object(properties)) => {
                        properties.values_mut().for_each(|property| prune(property, side));
                    }
                    ("enum" | "const" | "required" | "default" | "examples", _) => {}
                    (_, inner) => prune(inner, side),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| prune(value, side)),
        _ => {}
    }
}

/// An argument that may be left out need not be null as well.
fn without_null(object: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|one| one != "null");
        if let [only] = &types[..] {
            let only = only.clone();
            object.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(options)) = object.get_mut("anyOf") {
        options.retain(|option| option.get("type").is_none_or(|one| one != "null"));
        if let [Value::Object(only)] = &options[..] {
            let only = only.clone();
            object.remove("anyOf");
            object.extend(only);
        }
    }
}

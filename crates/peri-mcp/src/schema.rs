//! Schemas as small as they can be: a model reads every word of them in every conversation.

use perihelion::Role;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

use crate::shapes::Shapes;

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
    anything_as_object(&mut value);
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

/// The shapes of a tool that takes a namespace and echoes it.
pub(crate) fn with_namespace<In: JsonSchema, Out: JsonSchema>(need: Role) -> Shapes {
    let mut input = lean::<In>(Side::Input);
    add_property(&mut input, "namespace", json!({"type": "string", "maxLength": 257}), false);
    let mut output = lean::<Out>(Side::Output);
    add_property(&mut output, "namespace", json!({"type": "string"}), true);
    if need != Role::Reader {
        // A change that waits for the store is answered with nothing but that.
        output.remove("required");
        let known = output.get("properties").is_some_and(|properties| properties.get("outcome").is_some());
        if !known {
            add_property(&mut output, "outcome", json!({"type": "string"}), false);
        }
    }
    Shapes { input, output }
}

/// The same, for a tool whose list comes page by page.
pub(crate) fn with_cursor(Shapes { mut input, mut output }: Shapes) -> Shapes {
    add_property(&mut input, "cursor", json!({"type": "string"}), false);
    add_property(&mut output, "next_cursor", json!({"type": "string"}), false);
    Shapes { input, output }
}

/// Properties that may be anything are written as an object without conditions: the protocol allows no bare `true`.
fn anything_as_object(value: &mut Value) {
    if let Some(properties) = value.get_mut("properties").and_then(Value::as_object_mut) {
        properties
            .values_mut()
            .filter(|property| property.is_boolean())
            .for_each(|property| *property = json!({}));
    }
    match value {
        Value::Object(object) => object.values_mut().for_each(anything_as_object),
        Value::Array(items) => items.iter_mut().for_each(anything_as_object),
        _ => {}
    }
}

/// Adds a property, first in line.
fn add_property(schema: &mut Map<String, Value>, name: &str, property: Value, required: bool) {
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

/// What no schema needs: a tool refuses what does not read as an id or a namespace in better words than a pattern.
const NEVER: [&str; 4] = ["title", "$schema", "format", "pattern"];
/// What only whoever sends something needs to know.
const INPUT_ONLY: [&str; 9] = [
    "description",
    "additionalProperties",
    "enum",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
];

/// Takes away what says nothing: titles, formats, nulls of what may be missing anyway, defaults that are empty, and
/// the bounds of what a client only gets.
fn prune(value: &mut Value, side: Side) {
    match value {
        Value::Object(object) => {
            object.retain(|key, _| !NEVER.contains(&key.as_str()));
            as_enum(object);
            if side == Side::Output {
                object.retain(|key, _| !INPUT_ONLY.contains(&key.as_str()));
            }
            if object.get("default").is_some_and(is_empty) {
                object.remove("default");
            }
            if side == Side::Input {
                without_null(object);
                // What was one option of two, the other being null, may turn out to be words to choose from.
                as_enum(object);
            }
            if side == Side::Output {
                never_null(object);
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

fn is_empty(default: &Value) -> bool {
    matches!(default, Value::Null | Value::Bool(false)) || default == &json!([]) || default == &json!("")
}

/// Words to choose from as one list, without what each of them means: they are chosen to be understood.
fn as_enum(object: &mut Map<String, Value>) {
    let Some(Value::Array(options)) = object.get("oneOf") else { return };
    let words: Option<Vec<Value>> = options.iter().map(|option| option.get("const").cloned()).collect();
    if let Some(words) = words.filter(|words| words.iter().all(Value::is_string)) {
        object.remove("oneOf");
        object.remove("description");
        object.insert("type".to_owned(), json!("string"));
        object.insert("enum".to_owned(), Value::Array(words));
    }
}

/// What is left out when there is none is never null.
fn never_null(object: &mut Map<String, Value>) {
    let required = object.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        for (_, property) in properties.iter_mut().filter(|(name, _)| !required.contains(&json!(name))) {
            if let Value::Object(property) = property {
                without_null(property);
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// How near.
    #[derive(JsonSchema)]
    #[serde(rename_all = "snake_case")]
    #[expect(dead_code, reason = "only its schema is used")]
    enum Near {
        /// At hand.
        By,
        /// Not.
        Far,
    }

    #[derive(JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Asked {
        /// A few words
        #[schemars(length(min = 1, max = 5))]
        title: String,
        near: Option<Near>,
        #[serde(default)]
        pattern: Vec<String>,
    }

    #[test]
    fn a_schema_for_senders_tells_the_bounds_and_one_for_receivers_the_shape() {
        let input = Value::Object(lean::<Asked>(Side::Input));
        let expected = json!({
            "type": "object",
            "properties": {
                "title": {"description": "A few words", "type": "string", "minLength": 1, "maxLength": 5},
                "near": {"type": "string", "enum": ["by", "far"]},
                "pattern": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["title"],
            "additionalProperties": false,
        });
        assert_eq!(input, expected);
        let output = Value::Object(lean::<Asked>(Side::Output));
        assert_eq!(output["properties"]["title"], json!({"type": "string"}));
        assert!(!output["properties"]["near"].to_string().contains("far"), "{output}");
        assert_eq!(output.get("additionalProperties"), None);
    }
}

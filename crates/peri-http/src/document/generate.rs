//! The OpenAPI document, made from the tables of routes.

use axum::http::StatusCode;
use peri_workers::WorkerKind;
use perihelion::{EntryId, KeyId, MemoryId, Namespace, PatternId, Role, TrajectoryId, TurnId};
use schemars::generate::SchemaSettings;
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use super::VERSION;
use crate::problem::Problem;
use crate::routes::{self, Label};
use crate::table::{Content, Need, Operation, Repeats};

/// The document that describes every route.
pub(super) fn generated() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut generator = settings.into_generator();
    let problem = generator.subschema_for::<Problem>().to_value();
    let mut paths: Map<String, Value> = Map::new();
    for operation in routes::all() {
        let described = describe(&operation, &mut generator, &problem);
        let path = paths.entry(operation.path.to_owned()).or_insert_with(|| json!({}));
        if let Value::Object(methods) = path {
            methods.insert(operation.method.as_str().to_lowercase(), described);
        }
    }
    let mut schemas = generator.take_definitions(true);
    schemas.values_mut().for_each(plain);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Perihelion",
            "version": VERSION,
            "description": "A memory engine for AI agents. Keys are sent as bearer tokens; a server without keys \
                            answers on its own machine only. Errors are problem details.",
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
    })
}

fn describe(operation: &Operation, generator: &mut SchemaGenerator, problem: &Value) -> Value {
    let mut described = json!({
        "operationId": operation.id,
        "tags": [tag(operation.path)],
        "summary": operation.summary,
        "responses": responses(operation, generator, problem),
    });
    let parameters = parameters(operation, generator);
    if !parameters.is_empty() {
        described["parameters"] = Value::Array(parameters);
    }
    if let Some(body) = operation.body {
        let mut schema = (body.of)(generator).to_value();
        plain(&mut schema);
        described["requestBody"] =
            json!({"required": true, "content": {"application/json": {"schema": schema}}});
    }
    if let Some(media_type) = operation.raw_body {
        described["requestBody"] =
            json!({"required": true, "content": {media_type: {"schema": {"type": "string"}}}});
    }
    match operation.need {
        Need::Nothing => described["security"] = json!([]),
        Need::Role(role) => allow(&mut described, role, "its namespaces"),
        Need::Everywhere(role) => allow(&mut described, role, "every namespace"),
    }
    described
}

fn allow(described: &mut Value, role: Role, reach: &str) {
    described["security"] = json!([{"key": []}]);
    described["description"] = json!(format!("Needs the role {role} for {reach}."));
}

/// The part of a path that says what it is about. What stands outside of the API is about the server itself.
fn tag(path: &str) -> &str {
    path.strip_prefix("/v1/").and_then(|rest| rest.split('/').next()).unwrap_or("server")
}

fn responses(operation: &Operation, generator: &mut SchemaGenerator, problem: &Value) -> Value {
    let mut responses = Map::new();
    for (status, content) in &operation.answers {
        let content = match content {
            Content::Json(schema) => {
                let mut schema = (schema.of)(generator).to_value();
                plain(&mut schema);
                Some(("application/json", schema))
            }
            Content::Text(media_type) => Some((*media_type, text(media_type))),
            Content::Empty => None,
        };
        let answer = responses
            .entry(status.as_u16().to_string())
            .or_insert_with(|| json!({"description": reason(*status)}));
        // An answer may come in several types, of which the request chooses one.
        if let Some((media_type, schema)) = content {
            answer["content"][media_type] = json!({"schema": schema});
        }
    }
    let default = json!({
        "description": "A problem",
        "content": {"application/problem+json": {"schema": problem}},
    });
    responses.insert("default".to_owned(), default);
    Value::Object(responses)
}

/// What is only known by its type. Some text is JSON of a shape that others have described.
fn text(media_type: &str) -> Value {
    if media_type == "application/json" { json!({"type": "object"}) } else { json!({"type": "string"}) }
}

fn reason(status: StatusCode) -> &'static str {
    status.canonical_reason().unwrap_or("An answer")
}

fn parameters(operation: &Operation, generator: &mut SchemaGenerator) -> Vec<Value> {
    let mut parameters: Vec<Value> = Vec::new();
    for part in operation.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')) {
        let mut schema = path_part(part, generator).to_value();
        plain(&mut schema);
        parameters.push(json!({"name": part, "in": "path", "required": true, "schema": schema}));
    }
    if operation.is_by_id() {
        let mut schema = generator.subschema_for::<Namespace>().to_value();
        plain(&mut schema);
        let description = "Where it lies; needed only if several namespaces hold this id";
        let (name, required) = (crate::extract::NAMESPACE, false);
        parameters.push(
            json!({"name": name, "in": "query", "required": required, "description": description, "schema": schema}),
        );
    }
    if let Some(query) = operation.query {
        let schema = (query.of)(generator).to_value();
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            let mut property = property.clone();
            plain(&mut property);
            let mut parameter =
                json!({"name": name, "in": "query", "required": required.contains(&name.as_str())});
            if let Some(description) =
                property.as_object_mut().and_then(|object| object.remove("description"))
            {
                parameter["description"] = description;
            }
            parameter["schema"] = property;
            parameters.push(parameter);
        }
    }
    let mut headers = operation.headers.clone();
    if operation.repeats == Repeats::Kept {
        headers.push((
            "Idempotency-Key",
            "A name for this request: sent again, it is answered as the first time",
        ));
    }
    for (name, description) in headers {
        let schema = header(name);
        parameters.push(json!({"name": name, "in": "header", "description": description, "schema": schema}));
    }
    parameters
}

/// What a header looks like.
fn header(name: &str) -> Value {
    match name {
        "Idempotency-Key" => {
            json!({"type": "string", "minLength": 1, "maxLength": 128, "pattern": "^[!-~]+$"})
        }
        "Last-Event-ID" => json!({"type": "string", "pattern": "^[0-9]{1,15}$"}),
        _ => json!({"type": "string"}),
    }
}

/// Takes away what is only of use to Rust: names of integer types.
fn plain(value: &mut Value) {
    match value {
        Value::Object(object) => {
            let rust = ["uint", "uint8", "uint16", "uint32", "uint64", "float", "double"];
            if object.get("format").and_then(Value::as_str).is_some_and(|format| rust.contains(&format)) {
                object.remove("format");
            }
            object.values_mut().for_each(plain);
        }
        Value::Array(values) => values.iter_mut().for_each(plain),
        _ => {}
    }
}

/// What a varying part of a path looks like.
fn path_part(name: &str, generator: &mut SchemaGenerator) -> Schema {
    match name {
        "id" => generator.subschema_for::<MemoryId>(),
        "key" => generator.subschema_for::<KeyId>(),
        "entry" => generator.subschema_for::<EntryId>(),
        "turn" => generator.subschema_for::<TurnId>(),
        "pattern" => generator.subschema_for::<PatternId>(),
        "trajectory" => generator.subschema_for::<TrajectoryId>(),
        "worker" => generator.subschema_for::<WorkerKind>(),
        "session" => generator.subschema_for::<Label>(),
        _ => json_schema!({"type": "string", "minLength": 1, "maxLength": 256}),
    }
}

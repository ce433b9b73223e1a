//! Schemas: every answer is what its schema says, and a schema takes and refuses what the parsers do.

mod answers;
mod events;

use jsonschema::Validator;
use perihelion::{
    Feedback, Filter, Importance, KeyId, Kind, MemoryId, Namespace, Order, Remember, Revise, Scope, Trashed,
};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// What is written and what is read, which faces may publish either way.
fn schemas<T: JsonSchema>() -> [Schema; 2] {
    let settings = SchemaSettings::draft2020_12;
    [settings().for_serialize(), settings().for_deserialize()]
        .map(|settings| settings.into_generator().into_root_schema_for::<T>())
}

fn validator(schema: &Value) -> Validator {
    jsonschema::options().should_validate_formats(true).build(schema).unwrap()
}

/// A schema with every field refused that it does not tell of.
fn closed(mut schema: Value) -> Value {
    fn close(schema: &mut Value) {
        if schema.get("additionalProperties").is_none() {
            schema["unevaluatedProperties"] = json!(false);
        }
    }
    close(&mut schema);
    if let Some(definitions) = schema.get_mut("$defs").and_then(Value::as_object_mut) {
        definitions.values_mut().for_each(close);
    }
    schema
}

/// Where values are not what their schema says, and which fields they have that it does not tell of.
fn faults<'a, T: JsonSchema + Serialize + 'a>(values: impl IntoIterator<Item = &'a T>) -> Vec<String> {
    let validators = schemas::<T>().map(|schema| validator(&closed(schema.to_value())));
    let mut faults = Vec::new();
    for value in values {
        let written = serde_json::to_value(value).unwrap();
        for fault in validators.iter().flat_map(|validator| validator.iter_errors(&written)) {
            faults.push(format!("{:?}: {fault} in {written}", fault.instance_path().as_str()));
        }
    }
    faults
}

fn check_all<'a, T: JsonSchema + Serialize + 'a>(values: impl IntoIterator<Item = &'a T>) {
    let values: Vec<&T> = values.into_iter().collect();
    assert!(!values.is_empty(), "there is nothing to look at");
    let faults = faults(values);
    assert!(faults.is_empty(), "{faults:#?}");
}

fn check<T: JsonSchema + Serialize>(value: &T) {
    check_all([value]);
}

fn admits<T: JsonSchema>(value: &Value) -> bool {
    let [_, read] = schemas::<T>();
    validator(read.as_value()).is_valid(value)
}

/// The schema and the parser agree on a request.
fn agree<T: JsonSchema + DeserializeOwned>(value: &Value, good: bool) {
    assert_eq!(admits::<T>(value), good, "the schema of {} on {value}", T::schema_name());
    assert_eq!(T::deserialize(value).is_ok(), good, "the parser of {} on {value}", T::schema_name());
}

#[derive(Default, Serialize, JsonSchema)]
struct Unsaid {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out_although_demanded: Vec<u8>,
}

#[derive(Default, Serialize, JsonSchema)]
struct Untold {
    #[schemars(skip)]
    written_although_unknown: u8,
}

#[derive(Default, Serialize, JsonSchema)]
struct Untrue {
    #[schemars(with = "u8")]
    of_another_type: String,
}

#[test]
fn schemas_that_are_not_true_are_noticed() {
    assert_eq!(faults(&[Unsaid::default()]).len(), 1, "by whoever reads");
    assert_eq!(faults(&[Untold::default()]).len(), 2);
    assert_eq!(faults(&[Untrue::default()]).len(), 2);
}

#[test]
fn good_requests_are_taken() {
    agree::<Remember>(&json!({"content": "Ana prefers tea"}), true);
    let whole = json!({
        "content": "민수는 서울에 산다.", "namespace": "팀/김민수", "kind": "preference", "layer": "long_term",
        "importance": 0.7, "tags": ["사람"], "pinned": true, "occurred_at": "2026-01-01T00:00:00Z",
        "id": "0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a", "metadata": {"a": [1, null]}, "speaker": "민수",
    });
    agree::<Remember>(&whole, true);
    agree::<Revise>(&json!({}), true);
    agree::<Revise>(&json!({"content": "茶", "importance": 1, "expected_version": 3}), true);
    agree::<Revise>(
        &json!({"expires_at": null, "superseded_by": null, "valid_until": "2026-01-01T00:00:00Z"}),
        true,
    );
    agree::<Feedback>(&json!({"query": "tea", "used": ["0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a"]}), true);
    agree::<Filter>(&json!({"kinds": ["fact"], "layers": [], "since": "2026-01-01T00:00:00Z"}), true);
    agree::<KeyId>(&json!("k3tq7zab"), true);
    agree::<Order>(&json!("oldest_first"), true);
    agree::<Trashed>(&json!("only"), true);
}

#[test]
fn bad_requests_are_refused() {
    for (name, value) in [
        ("namespace", json!("A//b")),
        ("kind", json!("opinion")),
        ("layer", json!("LongTerm")),
        ("importance", json!(2)),
        ("importance", json!("high")),
        ("id", json!("7")),
        ("occurred_at", json!("yesterday")),
        ("tags", json!("one")),
        ("pinned", json!(1)),
        ("metadata", json!([])),
    ] {
        agree::<Remember>(&json!({"content": "Ana prefers tea", name: value}), false);
    }
    agree::<Revise>(&json!({"contents": "a slip"}), false);
    agree::<Revise>(&json!({"expires_at": "never"}), false);
    agree::<Revise>(&json!({"expected_version": -1}), false);
    agree::<Feedback>(&json!({"query": "tea", "used": ["tea"]}), false);
    agree::<Filter>(&json!({"kinds": ["opinion"]}), false);
    agree::<Order>(&json!("random"), false);
    agree::<Trashed>(&json!(true), false);
    for importance in [json!(-0.1), json!(1.1), Value::Null] {
        agree::<Importance>(&importance, false);
    }
    agree::<Kind>(&json!("Fact"), false);
    for id in ["", "k3tq7za", "k3tq7zabc", "K3TQ7ZAB", "k3tq7za1"] {
        agree::<KeyId>(&json!(id), false);
    }
    for id in ["", "0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6", "0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6g"] {
        agree::<MemoryId>(&json!(id), false);
    }
}

#[test]
fn what_is_taken_away_from_a_memory_is_told_from_what_stays() {
    let request: Revise = serde_json::from_value(json!({"expires_at": null})).unwrap();
    assert_eq!(request, Revise { expires_at: Some(None), ..Revise::default() });
    let written = serde_json::to_value(&request).unwrap();
    assert_eq!(serde_json::from_value::<Revise>(written).unwrap(), request);
    check(&request);
    check(&Revise::default());
}

#[test]
fn every_ascii_character_and_every_run_of_dots_is_judged_as_the_parser_does() {
    let [namespaces, scopes] =
        [schemas::<Namespace>(), schemas::<Scope>()].map(|[_, read]| validator(read.as_value()));
    let characters = (0..128)
        .map(char::from)
        .flat_map(|c| [c.to_string(), format!("a{c}"), format!("{c}a"), format!("a/{c}/b")]);
    let dots = (1..6).flat_map(|count| [".".repeat(count), format!("a/{}", ".".repeat(count))]);
    let long = [255, 256].map(|count| "x".repeat(count));
    let stars = ["*", "/*", "a/*", "a/*/*", "**", "a*", "*/a", "../*", ".../*"].map(str::to_owned);
    for text in characters.chain(dots).chain(long).chain(stars) {
        let is_namespace = text.parse::<Namespace>().is_ok();
        assert_eq!(namespaces.is_valid(&json!(text)), is_namespace, "{text:?}");
        // A scope may be longer by what says that all below is meant.
        if text.len() < 256 {
            assert_eq!(scopes.is_valid(&json!(text)), text.parse::<Scope>().is_ok(), "{text:?}");
        }
    }
}

proptest! {
    #![proptest_config(Config {
        cases: 512,
        rng_seed: RngSeed::Fixed(0x5EED),
        failure_persistence: None,
        ..Config::default()
    })]

    #[test]
    fn whatever_is_a_scope_is_one_by_its_schema_and_in_ascii_nothing_else_is(
        text in "[a9Z가茶é・ ./*@:+_~\\-]{0,7}",
    ) {
        let is_scope = text.parse::<Scope>().is_ok();
        let by_schema = admits::<Scope>(&json!(text));
        prop_assert!(by_schema || !is_scope);
        prop_assert!(by_schema == is_scope || !text.is_ascii());
        let is_namespace = text.parse::<Namespace>().is_ok();
        let by_schema = admits::<Namespace>(&json!(text));
        prop_assert!(by_schema || !is_namespace);
        prop_assert!(by_schema == is_namespace || !text.is_ascii());
    }
}

#[test]
fn patterns_are_read_alike_by_validators_of_every_language() {
    let schemas = [schemas::<Namespace>(), schemas::<Scope>(), schemas::<MemoryId>(), schemas::<KeyId>()];
    for pattern in schemas.iter().flatten().map(|schema| schema.get("pattern").unwrap().as_str().unwrap()) {
        assert!(pattern.starts_with('^') && pattern.ends_with('$') && pattern.is_ascii(), "{pattern}");
        for peculiar in ["(?", r"\p", r"\P", r"\d", r"\w", r"\s", r"\u", r"\b"] {
            assert!(!pattern.contains(peculiar), "{peculiar} in {pattern}");
        }
    }
}

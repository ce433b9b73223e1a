//! The OpenAPI document: whole, sound, and true of the router.

use std::collections::{BTreeSet, HashSet};

use axum::http::Method;
use peri_http::openapi;
use serde_json::Value;

use crate::support::House;

/// Every operation: path, method, what is said of it.
fn operations(document: &Value) -> Vec<(String, String, Value)> {
    let paths = document["paths"].as_object().unwrap();
    let methods = |path: &String, item: &Value| {
        let item = item.as_object().unwrap().clone();
        let path = path.clone();
        item.into_iter().map(move |(method, operation)| (path.clone(), method, operation))
    };
    paths.iter().flat_map(|(path, item)| methods(path, item)).collect()
}

/// Calls `visit` with every object in a value.
fn objects(value: &Value, visit: &mut dyn FnMut(&serde_json::Map<String, Value>)) {
    match value {
        Value::Object(object) => {
            visit(object);
            object.values().for_each(|value| objects(value, visit));
        }
        Value::Array(values) => values.iter().for_each(|value| objects(value, visit)),
        _ => {}
    }
}

#[test]
fn every_reference_leads_somewhere_and_everything_kept_is_referred_to() {
    let document = openapi();
    let mut used = BTreeSet::new();
    objects(&document, &mut |object| {
        if let Some(Value::String(reference)) = object.get("$ref") {
            let pointer = reference.strip_prefix('#').unwrap();
            let target = document.pointer(pointer).unwrap_or_else(|| panic!("{reference} leads nowhere"));
            assert!(target.get("$ref").is_none(), "{reference} leads to another reference");
            used.insert(pointer.rsplit('/').next().unwrap().to_owned());
        }
    });
    let kept: BTreeSet<String> =
        document["components"]["schemas"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(used, kept);
}

#[test]
fn every_operation_is_named_once_and_told_in_words() {
    let document = openapi();
    let mut names = HashSet::new();
    for (path, method, operation) in operations(&document) {
        let name = operation["operationId"].as_str().unwrap().to_owned();
        assert!(names.insert(name.clone()), "{name} is there twice");
        assert!(!operation["summary"].as_str().unwrap().is_empty(), "{method} {path} says nothing");
        let answers = operation["responses"].as_object().unwrap();
        assert!(answers.keys().any(|status| status.starts_with('2')), "{method} {path} never succeeds");
        assert!(answers.contains_key("default"), "{method} {path} has no problems");
        assert!(operation["security"].is_array(), "{method} {path} does not say who may");
    }
}

#[test]
fn every_parameter_is_described_once_and_every_part_of_a_path_is_one() {
    let document = openapi();
    for (path, method, operation) in operations(&document) {
        let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
        let mut seen = HashSet::new();
        for parameter in &parameters {
            let key = (parameter["in"].to_string(), parameter["name"].to_string());
            assert!(seen.insert(key.clone()), "{method} {path}: {key:?} is there twice");
            assert!(parameter["schema"].is_object(), "{method} {path}: {key:?} has no schema");
        }
        let named: BTreeSet<&str> = parameters
            .iter()
            .filter(|parameter| parameter["in"] == "path" && parameter["required"] == true)
            .filter_map(|parameter| parameter["name"].as_str())
            .collect();
        let parts: BTreeSet<&str> =
            path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')).collect();
        assert_eq!(named, parts, "{method} {path}");
    }
}

#[tokio::test]
async fn the_router_knows_exactly_the_methods_that_are_described() {
    let house = House::open().await;
    let document = house.get("/openapi.json").send().await.expect(200);
    assert_eq!(document, openapi());
    for (path, item) in document["paths"].as_object().unwrap() {
        let described: BTreeSet<String> =
            item.as_object().unwrap().keys().map(|method| method.to_uppercase()).collect();
        let path = path.replace("{id}", "01a1e2b7-f704-76d1-b287-8e409826ddf5").replace(['{', '}'], "");
        let refused = house.ask(Method::TRACE, &path).send().await;
        refused.problem(405, "method-not-allowed");
        // Whoever answers GET answers HEAD as well.
        let allowed: BTreeSet<String> = refused
            .header("allow")
            .split(',')
            .map(|method| method.trim().to_owned())
            .filter(|method| method != "HEAD")
            .collect();
        assert_eq!(allowed, described, "{path}");
    }
}

#[tokio::test]
async fn the_page_for_people_is_small_and_asks_nobody_else() {
    let house = House::open().await;
    let mut bytes = 0;
    for (path, kind) in [("/docs", "text/html"), ("/docs.js", "text/javascript"), ("/docs.css", "text/css")] {
        let answer = house.get(path).send().await;
        assert_eq!(answer.status, 200);
        assert!(answer.header("content-type").starts_with(kind), "{path}");
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        let text = answer.text();
        assert!(!text.contains("http://") && !text.contains("https://"), "{path} names another server");
        assert!(!text.contains("innerHTML") && !text.contains("Storage"), "{path}");
        bytes += text.len();
    }
    assert!(bytes < 30_000, "{bytes}");
}

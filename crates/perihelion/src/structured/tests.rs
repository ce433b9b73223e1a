//! Structured content in words and back.

use serde_json::json;

use super::*;

#[test]
fn a_structure_is_told_in_words() {
    for (kind, data, expected) in [
        (
            Kind::Fact,
            json!({"concept": "Ganymede", "definition": "the staging server", "properties": {"open_ports": [22, 443], "spare": null},
                   "relations": [{"relation": "runs_on", "target": "Debian"}], "seen": true}),
            "Ganymede: the staging server. open ports: 22, 443. Ganymede runs on Debian. seen: true",
        ),
        (Kind::Fact, json!({"concept": "김치", "definition": "발효한 배추이다."}), "김치: 발효한 배추이다."),
        (
            Kind::Procedure,
            json!({"skill": "泡茶", "steps": ["烧水", "放茶叶"], "conditions": ["有热水"], "success_rate": 0.9}),
            "How to 泡茶: 1. 烧水 2. 放茶叶. Conditions: 有热水. Success rate: 0.9",
        ),
        (
            Kind::Episode,
            json!({"guest": {"name": "Ana", "age": 7}, "tags": ["a", "b"], "nothing": []}),
            "guest: age: 7; name: Ana\ntags: a, b",
        ),
        (Kind::Fact, json!("plain words"), "plain words"),
        (Kind::Fact, json!([1, {"a": 2}]), "1\na: 2"),
        (Kind::Fact, json!({}), "{}"),
    ] {
        assert_eq!(content_of(kind, &data).unwrap(), expected, "{data}");
    }
}

#[test]
fn what_claims_a_shape_and_has_it_not_is_refused() {
    for (kind, data, expected) in [
        (Kind::Procedure, json!({"skill": "tea", "steps": "boil"}), "steps is \"boil\", not a list of texts"),
        (Kind::Procedure, json!({"skill": "tea", "steps": []}), "steps is "),
        (Kind::Procedure, json!({"skill": "tea"}), "steps is "),
        (Kind::Procedure, json!({"steps": ["boil"]}), "skill is "),
        (Kind::Procedure, json!({"skill": "tea", "steps": ["a"], "success_rate": 2}), "a number from 0 to 1"),
        (Kind::Procedure, json!({"skill": "tea", "steps": ["a"], "conditions": "x"}), "conditions is "),
        (Kind::Fact, json!({"concept": 7}), "concept is "),
        (Kind::Fact, json!({"concept": " "}), "concept is "),
        (Kind::Fact, json!({"concept": "x", "properties": []}), "properties is "),
        (Kind::Fact, json!({"concept": "x", "relations": [{"relation": "is"}]}), "relations is "),
        (Kind::Fact, json!({"concept": "x", "definition": 3}), "definition is "),
    ] {
        let error = content_of(kind, &data).unwrap_err();
        assert!(error.to_string().contains(expected), "{data}: {error}");
    }
    assert!(content_of(Kind::Episode, &json!({"concept": 7})).is_ok());
    assert!(content_of(Kind::Fact, &json!({"skill": "tea", "steps": 1})).is_ok());
}

//! Servers that do not take everything: what they refuse is left out, for good once that has worked.

use peri_llm::{Provider, Refusal, Request};
use serde_json::json;

use crate::server::{complains, reply, says};
use crate::support::*;

const JSON: &str = r#"{"city":"서울","people":7}"#;

#[test]
fn a_server_without_schemas_is_asked_for_json_and_one_without_that_by_words_for_good() {
    let desk = desk(vec![
        complains(400, "response_format json_schema is not supported"),
        complains(422, "unknown field"),
        says(&format!("Here you are:\n```json\n{JSON}\n```")),
    ]);
    let answer = desk.client.ask(&structured()).unwrap();
    assert_eq!((answer.json.unwrap()["people"].as_u64(), answer.attempts), (Some(7), 3));
    desk.client.ask(&structured()).unwrap();
    let seen = desk.server.seen();
    let formats: Vec<_> = seen.iter().map(|seen| seen.body["response_format"]["type"].clone()).collect();
    assert_eq!(formats, [json!("json_schema"), json!("json_object"), json!(null), json!(null)]);
    assert!(!seen[0].body["messages"][0]["content"].as_str().unwrap().contains("JSON schema"));
    for body in seen[1..].iter().map(|seen| &seen.body) {
        let system = body["messages"][0]["content"].as_str().unwrap();
        assert!(system.contains("JSON schema") && system.contains("\"people\""), "{system}");
    }
    assert!(desk.pace.waits().is_empty(), "asking otherwise needs no wait");
}

#[test]
fn the_limit_and_the_temperature_are_sent_as_the_server_wants_them() {
    let desk = desk(vec![
        complains(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        complains(400, "'temperature' does not support 0 with this model"),
        says("네"),
    ]);
    let request = Request { temperature: Some(0.0), ..words() };
    desk.client.ask(&request).unwrap();
    desk.client.ask(&request).unwrap();
    for seen in &desk.server.seen()[2..] {
        assert_eq!(seen.body["max_completion_tokens"], 200);
        assert!(seen.body.get("max_tokens").is_none() && seen.body.get("temperature").is_none());
    }
}

#[test]
fn anthropic_without_tools_is_asked_by_words() {
    let body = json!({"content": [{"type": "text", "text": JSON}], "stop_reason": "end_turn"});
    let steps = vec![complains(400, "tools are not available"), reply(200, "", body.to_string())];
    let desk = desk_with(Provider::Anthropic, steps, |_| {});
    assert_eq!(desk.client.ask(&structured()).unwrap().json.unwrap()["city"], "서울");
    let body = &desk.server.seen()[1].body;
    assert!(body.get("tools").is_none() && body["system"].as_str().unwrap().contains("JSON schema"));
}

#[test]
fn a_prompt_that_is_too_long_changes_nothing_for_the_next_one() {
    let desk = desk(vec![complains(400, "this model's maximum context length is 8192 tokens"), says(JSON)]);
    let error = desk.client.ask(&structured()).unwrap_err();
    assert!(matches!(error, Refusal::Status { status: 400, attempts: 1, .. }), "{error}");
    desk.client.ask(&structured()).unwrap();
    assert_eq!(desk.server.seen()[1].body["response_format"]["type"], "json_schema");
}

#[test]
fn a_server_that_refuses_everything_is_not_asked_for_ever_and_nothing_is_concluded() {
    let refuses = complains(400, "no");
    let desk = desk(vec![refuses.clone(), refuses.clone(), refuses, says(JSON)]);
    let error = desk.client.ask(&structured()).unwrap_err();
    assert!(matches!(error, Refusal::Status { status: 400, attempts: 3, .. }), "{error}");
    desk.client.ask(&structured()).unwrap();
    assert_eq!(desk.server.seen()[3].body["response_format"]["type"], "json_schema");
}

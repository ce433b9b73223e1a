//! Answers that are not what was asked for, as servers and models really send them.

use peri_llm::{Garbled, ParseError, Provider, Refusal, Unreadable};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::server::{Step, completion, reply, says};
use crate::support::*;

#[derive(Debug, PartialEq, Deserialize)]
struct Meeting {
    city: String,
    people: u32,
}

fn seoul() -> Meeting {
    Meeting { city: "서울".to_owned(), people: 7 }
}

fn refusal(step: Step) -> Refusal {
    desk(vec![step]).client.ask(&structured()).unwrap_err()
}

#[test]
fn json_is_found_wherever_models_put_it() {
    for content in [
        r#"{"city":"서울","people":7}"#,
        "```json\n{\"city\": \"서울\", \"people\": 7}\n```",
        "```\n{\"city\": \"서울\", \"people\": 7,}\n```\nLet me know if you need more!",
        "Sure! Here's the JSON [as asked]: {\"city\": \"서울\",\n \"people\": 7,\n}",
        "<think>The user wants {\"city\": \"부산\", \"people\": 1}? No.</think>\n{\"city\":\"서울\",\"people\":7}",
        "The user wants JSON {so}.\n</think>\n\n{\"city\":\"서울\",\"people\":7}",
        "{\"city\":\"서울\",\"people\":7}\n\n{\"city\":\"서울\",\"people\":7}",
        "答案如下（见[1]）：\n{\"city\":\"서울\",\"people\":7}",
        "\u{feff}{\"city\":\"서울\",\"people\":7}",
    ] {
        let answer = desk(vec![says(content)]).client.ask(&structured()).unwrap();
        assert_eq!(answer.parse::<Meeting>(), Ok(seoul()), "{content}");
    }
}

#[test]
fn what_is_not_the_answer_is_an_error_that_says_why() {
    let lacking = |field: &str| Unreadable::Lacking { field: field.to_owned() };
    for (content, why) in [
        ("", Unreadable::Empty),
        ("  \n", Unreadable::Empty),
        ("I'm sorry, I cannot do that.", Unreadable::NoJson),
        ("죄송합니다 {…} 할 수 없습니다", Unreadable::NoJson),
        ("{}", lacking("city")),
        ("Nothing found: {} or []", Unreadable::NoJson),
        (r#"{"city":"서울"}"#, lacking("people")),
        (r#"[{"city":"서울","people":7}]"#, Unreadable::OtherKind { wanted: "an object" }),
        ("null", Unreadable::OtherKind { wanted: "an object" }),
        (r#"{"city":"서울","people":7} or {"city":"부산","people":7}"#, Unreadable::Ambiguous { count: 2 }),
        (
            r#"{"city":"서울" "people":7}"#,
            Unreadable::Broken { at: 17, what: "a comma or a closing brace was expected" },
        ),
        (
            r#"Well: {"a":{"city":"서울","people":7},"b":oops}"#,
            Unreadable::Broken { at: 44, what: "a value was expected" },
        ),
    ] {
        assert_eq!(refusal(says(content)), Refusal::Garbled { why: Garbled::Json(why) }, "{content}");
    }
}

#[test]
fn half_an_answer_is_no_answer() {
    let cut = Refusal::Cut { tokens_max: 200 };
    for content in [
        r#"{"city":"서울","peop"#,
        "```json\n{\"city\":\"서울\",\"people\":7",
        r#"Here: {"items":[{"city":"서울","people":7},{"city":"부"#,
        "<think>Let me see. {\"city\":\"서울\",\"people\":7} might",
    ] {
        assert_eq!(refusal(says(content)), cut, "{content}");
    }
    // The server knows better than the text.
    let mut body = completion(r#"{"city":"서울","people":7}"#);
    body["choices"][0]["finish_reason"] = json!("length");
    assert_eq!(refusal(reply(200, "", body.to_string())), cut);
    body["choices"][0]["message"]["content"] = json!("일곱 명이");
    let step = reply(200, "", body.to_string());
    assert_eq!(desk(vec![step]).client.ask(&words()), Err(cut), "also where words are asked for");
}

#[test]
fn wrong_types_are_errors_that_name_the_field() {
    let answer = desk(vec![says(r#"{"city":"서울","people":"seven"}"#)]).client.ask(&structured()).unwrap();
    let error = answer.parse::<Meeting>().unwrap_err();
    assert!(matches!(&error, ParseError::Form { path, .. } if path == "people"), "{error}");
    assert!(error.to_string().contains("`people`") && error.to_string().contains("u32"), "{error}");
    let answer = desk(vec![says("just words")]).client.ask(&words()).unwrap();
    assert_eq!(answer.parse::<Meeting>(), Err(ParseError::Unreadable(Unreadable::NoJson)));
    let answer = desk(vec![says("words and {\"city\":\"서울\",\"people\":7}")]).client.ask(&words()).unwrap();
    assert_eq!(answer.parse::<Meeting>(), Ok(seoul()));
}

#[test]
fn a_model_that_declines_is_told_apart() {
    let mut body = completion("");
    body["choices"][0]["message"]["refusal"] = json!("I can't help with that.");
    assert_eq!(refusal(reply(200, "", body.to_string())), Refusal::Declined);
    let mut body = completion("{");
    body["choices"][0]["finish_reason"] = json!("content_filter");
    assert_eq!(refusal(reply(200, "", body.to_string())), Refusal::Declined);
}

#[test]
fn what_no_such_server_sends_is_an_error_whatever_it_is() {
    let json = |value: Value| value.to_string().into_bytes();
    let bodies: Vec<Vec<u8>> = vec![
        b"".to_vec(),
        b"<html><body>It works!</body></html>".to_vec(),
        b"{\"choices\":[{\"message\":{\"content\":\"\xff\xfe\"}}]}".to_vec(),
        b"\xff\xfe\x00".to_vec(),
        json(json!(null)),
        json(json!([])),
        json(json!({"choices": []})),
        json(json!({"choices": {}})),
        json(json!({"choices": [{}]})),
        json(json!({"choices": [{"message": {"content": 7}}]})),
        json(json!({"choices": [{"message": {"content": {"city": "서울", "people": 7}}}]})),
        json(json!({"error": {"message": "the model is loading"}})),
        json(json!({"error": "the model is loading"})),
        b"[".repeat(100_000),
    ];
    for body in bodies {
        for provider in [Provider::OpenAi, Provider::Anthropic] {
            let desk = desk_with(provider, vec![reply(200, "", &body)], |_| {});
            let error = desk.client.ask(&structured()).unwrap_err();
            let envelope = matches!(error, Refusal::Garbled { why: Garbled::Envelope { .. } });
            assert!(envelope, "{error}: {}", String::from_utf8_lossy(&body[..body.len().min(100)]));
            assert_eq!(desk.server.seen().len(), 1, "asking again would bring the same");
        }
    }
}

#[test]
fn parts_of_text_and_missing_usage_are_put_up_with() {
    let parts = json!({"choices": [{"message": {"content": [
        {"type": "text", "text": "{\"city\":\"서울\","}, {"type": "image"}, {"type": "text", "text": "\"people\":7}"},
    ]}}]});
    let answer = desk(vec![reply(200, "", parts.to_string())]).client.ask(&structured()).unwrap();
    assert_eq!((answer.parse(), answer.model.as_str()), (Ok(seoul()), "small"));
}

#[test]
fn an_answer_without_end_is_not_read_to_its_end() {
    let huge = vec![b' '; 3_000_000];
    let desk = desk_with(Provider::OpenAi, vec![reply(200, "", huge)], |settings| {
        settings.answer_bytes_max = 100_000;
    });
    let error = desk.client.ask(&words()).unwrap_err();
    assert_eq!(error, Refusal::Garbled { why: Garbled::Long { bytes_max: 100_000 } });
}

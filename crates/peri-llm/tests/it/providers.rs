//! What is sent to each kind of server, and what its answers mean.

use peri_llm::{
    Address, AddressError, Client, Message, PlainHttp, Provider, Refusal, Request, Role, Secret, Settings,
    SettingsError,
};
use peri_types::Clock;
use serde_json::{Value, json};

use crate::server::{Server, complains, reply, says};
use crate::support::*;

fn tool_answer(input: &Value) -> Value {
    json!({
        "model": "claude-small",
        "stop_reason": "tool_use",
        "content": [{"type": "text", "text": "Here."}, {"type": "tool_use", "name": "answer", "id": "t", "input": input}],
        "usage": {"input_tokens": 40, "cache_read_input_tokens": 1000, "output_tokens": 30},
    })
}

#[test]
fn openai_is_asked_with_the_schema_and_the_answer_is_read() {
    let desk = desk_with(Provider::OpenAi, vec![says(r#"{"city":"서울","people":7}"#)], |settings| {
        settings.key = Some(Secret::new("sk-secret"));
    });
    let request = Request { system: "간단히 답하세요.".to_owned(), ..structured() };
    let answer = desk.client.ask(&request).unwrap();
    assert_eq!(answer.json, Some(json!({"city": "서울", "people": 7})));
    assert_eq!((answer.model.as_str(), answer.attempts), ("small-1", 1));
    let seen = &desk.server.seen()[0];
    assert!(seen.head.starts_with("POST /chat/completions HTTP/1.1"), "{}", seen.head);
    assert!(seen.head.to_lowercase().contains("authorization: bearer sk-secret"));
    assert_eq!(seen.body["model"], "small");
    assert_eq!(seen.body["stream"], false);
    assert_eq!(seen.body["max_tokens"], 200);
    assert_eq!(seen.body["temperature"], 0.0);
    assert_eq!(seen.body["messages"][0], json!({"role": "system", "content": "간단히 답하세요."}));
    assert_eq!(seen.body["messages"][1]["role"], "user");
    let format =
        json!({"type": "json_schema", "json_schema": {"name": "answer", "strict": true, "schema": schema()}});
    assert_eq!(seen.body["response_format"], format);
}

#[test]
fn anthropic_is_made_to_call_a_tool_with_the_answer() {
    let answer = json!({"city": "北京", "people": 3});
    let steps = vec![reply(200, "", tool_answer(&answer).to_string())];
    let desk =
        desk_with(Provider::Anthropic, steps, |settings| settings.key = Some(Secret::new("sk-secret")));
    let given = desk.client.ask(&Request { system: "Be brief.".to_owned(), ..structured() }).unwrap();
    assert_eq!(given.json, Some(answer));
    assert_eq!((given.tokens_in, given.tokens_out), (1040, 30), "what was cached counts as well");
    let seen = &desk.server.seen()[0];
    assert!(seen.head.starts_with("POST /v1/messages HTTP/1.1"), "{}", seen.head);
    let head = seen.head.to_lowercase();
    assert!(
        head.contains("x-api-key: sk-secret") && head.contains("anthropic-version: 2023-06-01"),
        "{head}"
    );
    assert_eq!(seen.body["system"], "Be brief.");
    assert_eq!(seen.body["tool_choice"], json!({"type": "tool", "name": "answer"}));
    assert_eq!(seen.body["tools"][0]["input_schema"], schema());
}

#[test]
fn anthropic_answers_in_words_when_words_are_asked_for() {
    let body = json!({
        "content": [{"type": "thinking", "thinking": "흠"}, {"type": "text", "text": "일곱 "}, {"type": "text", "text": "명"}],
        "stop_reason": "end_turn", "usage": {"input_tokens": 40, "output_tokens": 3},
    });
    let desk = desk_with(Provider::Anthropic, vec![reply(200, "", body.to_string())], |_| {});
    let request = Request {
        messages: [(Role::User, "안녕"), (Role::Assistant, "네"), (Role::User, "몇 명?")]
            .map(|(role, content)| Message { role, content: content.to_owned() })
            .to_vec(),
        ..words()
    };
    let answer = desk.client.ask(&request).unwrap();
    assert_eq!((answer.text.as_str(), answer.json), ("일곱 명", None));
    let body = &desk.server.seen()[0].body;
    assert_eq!(body["messages"][1], json!({"role": "assistant", "content": "네"}));
    assert!(body.get("tools").is_none() && body.get("system").is_none() && body.get("temperature").is_none());
}

#[test]
fn what_anthropic_did_not_finish_or_declined_is_no_answer() {
    for (stop, refusal) in [("max_tokens", Refusal::Cut { tokens_max: 200 }), ("refusal", Refusal::Declined)]
    {
        let mut body = tool_answer(&json!({"city": "서울", "people": 7}));
        body["stop_reason"] = json!(stop);
        let desk = desk_with(Provider::Anthropic, vec![reply(200, "", body.to_string())], |_| {});
        assert_eq!(desk.client.ask(&structured()), Err(refusal));
    }
    let half = reply(200, "", tool_answer(&json!({"city": "서울"})).to_string());
    let error = desk_with(Provider::Anthropic, vec![half], |_| {}).client.ask(&structured()).unwrap_err();
    assert!(error.to_string().contains("no field `people`"), "{error}");
}

#[test]
fn keys_and_passwords_are_shown_nowhere() {
    let complaint = "wrong key sk-secret, or wrong password hunter2 for ?token=topsecret";
    let server = Server::answering(vec![complains(401, complaint)]);
    let address = server.address().replace("http://", "http://me:hunter2@") + "/?token=topsecret";
    for key in [Some(Secret::new("sk-secret")), None] {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings { key, ..settings(Provider::OpenAi, &address) };
        let client = Client::new(settings.clone(), Clock::system(), folder.path()).unwrap();
        let error = client.ask(&words()).unwrap_err();
        let day = jiff::Timestamp::now().to_string()[..10].to_owned();
        let logged = std::fs::read_to_string(folder.path().join(format!("{day}.jsonl"))).unwrap();
        let shown = format!("{error} {error:?} {settings:?} {client:?} {logged}");
        let secrets =
            if settings.key.is_some() { ["sk-secret", "hunter2", "topsecret"] } else { ["hunter2"; 3] };
        for secret in secrets {
            assert!(!shown.contains(secret), "{secret}: {shown}");
        }
    }
    let heads: Vec<_> = server.seen().iter().map(|seen| seen.head.to_lowercase()).collect();
    assert!(heads[0].contains("bearer sk-secret") && heads[0].contains("?token=topsecret"), "{heads:?}");
    assert!(heads[1].contains("authorization: basic bwu6ahvudgvymg=="), "{heads:?}");
}

#[test]
fn settings_that_make_no_sense_are_refused_before_anything_is_sent() {
    let refused = |change: fn(&mut Settings)| {
        let mut settings = settings(Provider::OpenAi, "https://example.org/v1");
        change(&mut settings);
        Client::new(settings, Clock::system(), "unused").unwrap_err()
    };
    let plain = refused(|settings| settings.address = Address::parse("http://example.org").unwrap());
    assert!(matches!(plain, SettingsError::Address(AddressError::Unencrypted { .. })), "{plain}");
    for change in [
        (|settings| settings.model = " ".to_owned()) as fn(&mut Settings),
        |settings| settings.attempts_max = 0,
        |settings| settings.deadline = std::time::Duration::ZERO,
        |settings| settings.attempt_timeout = std::time::Duration::ZERO,
        |settings| settings.breaker_failures = 0,
        |settings| settings.answer_bytes_max = 0,
    ] {
        assert!(matches!(refused(change), SettingsError::Value { .. }));
    }
    let allowed =
        Settings { plain_http: PlainHttp::Anywhere, ..settings(Provider::OpenAi, "http://example.org/v1") };
    assert!(Client::new(allowed, Clock::system(), "unused").is_ok());
}

#[test]
fn requests_that_make_no_sense_are_refused_before_anything_is_sent() {
    let desk = desk(vec![says("x")]);
    for request in [
        Request { messages: Vec::new(), ..words() },
        Request::new("test", " \n"),
        Request { max_output_tokens: 0, ..words() },
        Request { temperature: Some(f32::NAN), ..words() },
        Request { temperature: Some(-0.1), ..words() },
    ] {
        assert!(matches!(desk.client.ask(&request), Err(Refusal::Request { .. })), "{request:?}");
    }
    assert!(desk.server.seen().is_empty());
}

#[test]
fn it_may_be_made_asked_and_dropped_within_an_async_runtime() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let text = runtime.block_on(async {
        let desk = desk(vec![says("네")]);
        desk.client.ask(&words()).unwrap().text
    });
    assert_eq!(text, "네");
}

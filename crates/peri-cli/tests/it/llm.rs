//! A language model on this machine that a test has made up, and what the program does with it.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::served::Served;
use super::support::{Peri, text};

const KEY: &str = "sk-very-secret";

/// What a server was asked: the head, and the body.
type Asked = Arc<Mutex<Vec<(String, Value)>>>;

/// Serves a model that always says the same, and keeps what it was asked.
fn serve(status: u16, says: &str) -> (String, Asked) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    let asked = Asked::default();
    let (kept, body) = (Arc::clone(&asked), answer(status, says));
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = connection.unwrap();
            let Some(one) = request(&mut connection) else { continue };
            kept.lock().unwrap().push(one);
            let head =
                format!("HTTP/1.1 {status} x\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", body.len());
            drop(connection.write_all(format!("{head}{body}").as_bytes()));
        }
    });
    (address, asked)
}

fn answer(status: u16, says: &str) -> String {
    if status != 200 {
        return json!({ "error": { "message": "no" } }).to_string();
    }
    json!({
        "model": "made-up-1",
        "choices": [{ "finish_reason": "stop", "message": { "role": "assistant", "content": says } }],
        "usage": { "prompt_tokens": 50, "completion_tokens": 10 },
    })
    .to_string()
}

fn request(connection: &mut TcpStream) -> Option<(String, Value)> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 8192];
    loop {
        let read = connection.read(&mut buffer).ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(&buffer[..read]);
        let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length:"))?;
        if bytes.len() >= end + 4 + length.trim().parse::<usize>().unwrap() {
            return Some((head.clone(), serde_json::from_slice(&bytes[end + 4..]).ok()?));
        }
    }
}

/// A folder whose settings name the model at an address.
fn with_model(url: &str, more: &str) -> Peri {
    let peri = Peri::new();
    let llm = format!("provider = 'openai'\nmodel = 'made-up'\nurl = '{url}'\nkey_variable = 'MY_KEY'");
    peri.configure(&format!("[llm]\n{llm}\n{more}"));
    peri
}

#[test]
fn a_check_makes_one_call_and_tells_what_happened() {
    let (url, asked) = serve(200, "ready");
    let peri = with_model(&url, "").with("MY_KEY", KEY);
    let run = peri.run(&["llm", "check"]);
    assert!(run.code == 0 && run.out.starts_with(&format!("ok made-up-1 at {url} answered in ")), "{run:?}");
    assert!(run.out.ends_with(": ready\n") && run.err.contains("50 tokens in, 10 out"), "{run:?}");
    let told = peri.json(&["llm", "check"]);
    assert_eq!((&told["answer"], &told["tokens_in"]), (&json!("ready"), &json!(50)));
    let asked = asked.lock().unwrap();
    assert_eq!((asked.len(), asked[0].1["model"].as_str()), (2, Some("made-up")));
    assert!(asked[0].0.contains(KEY), "the key goes to the server");
    let everything = [peri.ok(&["config", "show"]), peri.ok(&["llm", "log", "--json"])].concat();
    assert!(!everything.contains(KEY) && everything.contains("MY_KEY"), "and is never shown");
}

#[test]
fn the_log_shows_calls_and_the_spend_of_the_day() {
    let (url, _) = serve(200, "ready");
    let peri = with_model(&url, "tokens_per_day = 5000").with("MY_KEY", KEY);
    peri.ok(&["llm", "check"]);
    peri.ok(&["llm", "check"]);
    let shown = peri.ok(&["llm", "log"]);
    assert_eq!(shown.lines().count(), 3, "{shown}");
    assert!(shown.contains("check      ok  50 in, 10 out, ") && shown.contains("made-up-1"), "{shown}");
    assert!(shown.lines().last().unwrap().starts_with("120 of 5,000 tokens of "), "{shown}");
    let told = peri.json(&["llm", "log", "--limit", "1", "--purpose", "check"]);
    assert_eq!((told["calls"].as_array().unwrap().len(), &told["today"]["spent"]), (1, &json!(120)));
    assert_eq!((&told["model"], &told["calls"][0]["outcome"]), (&json!("made-up"), &json!("ok")));
    for nothing in [&["--purpose", "observer"], &["--since", "2099-01-01"]] {
        assert_eq!(peri.json(&[&["llm", "log"][..], nothing].concat())["calls"], json!([]));
    }
}

#[test]
fn a_server_tells_of_calls_and_tokens_and_never_of_what_was_said() {
    let (url, _) = serve(200, "준비됐다");
    let peri = with_model(&url, "tokens_per_day = 5000\nkeep_texts = true").with("MY_KEY", KEY);
    peri.ok(&["llm", "check"]);
    peri.ok(&["llm", "check"]);
    assert!(peri.ok(&["llm", "log", "--json"]).contains("준비됐다"), "texts are kept");
    let served = Served::start(&peri);
    let answer = served.get("/v1/llm?limit=1");
    assert_eq!(answer.status, 200, "{answer:?}");
    for secret in ["준비됐다", "single word", "texts", KEY, "MY_KEY"] {
        assert!(!answer.body.contains(secret), "{secret}: {answer:?}");
    }
    let told: Value = serde_json::from_str(&answer.body).unwrap();
    assert_eq!((&told["model"], &told["provider"]), (&json!("made-up"), &json!("openai")));
    assert_eq!((&told["cap_tokens"], &told["spent_tokens_today"]), (&json!(5000), &json!(120)));
    assert!(text(&told["resets_at"]).ends_with("T00:00:00Z"), "{told}");
    assert_eq!(told["calls"].as_array().unwrap().len(), 1);
    let call = &told["calls"][0];
    assert_eq!(
        (&call["purpose"], &call["outcome"], &call["error"]),
        (&json!("check"), &json!("ok"), &Value::Null)
    );
    assert_eq!((&call["input_tokens"], &call["output_tokens"]), (&json!(50), &json!(10)));
    assert!(call["took_ms"].is_u64(), "{call}");
    let days = told["days"].as_array().unwrap();
    assert_eq!((days.len(), &days[29]["calls"], &days[29]["tokens"]), (30, &json!(2), &json!(120)));
    assert!(days.windows(2).all(|two| text(&two[0]["day"]) < text(&two[1]["day"])), "{told}");
    assert_eq!(served.end().code, Some(0));
}

#[test]
fn a_server_without_a_model_tells_so() {
    let peri = Peri::new();
    let served = Served::start(&peri);
    let told: Value = serde_json::from_str(&served.get("/v1/llm").body).unwrap();
    for null in ["model", "provider", "cap_tokens", "resets_at"] {
        assert_eq!(told[null], Value::Null, "{told}");
    }
    assert_eq!((&told["calls"], &told["spent_tokens_today"]), (&json!([]), &json!(0)));
    assert_eq!(served.end().code, Some(0));
}

#[test]
fn beyond_the_tokens_of_a_day_nothing_is_sent() {
    let (url, asked) = serve(200, "ready");
    let peri = with_model(&url, "tokens_per_day = 10").with("MY_KEY", KEY);
    let run = peri.run(&["llm", "check"]);
    assert!(run.code == 6 && run.err.contains("10 tokens a day"), "{run:?}");
    assert!(asked.lock().unwrap().is_empty());
    assert_eq!(peri.json(&["llm", "log"])["calls"][0]["outcome"], "refused");
}

#[test]
fn the_model_of_the_settings_makes_the_notes() {
    let note = json!({
        "text": "배포는 금요일에 하지 않는다", "priority": "high", "kind": "constraint", "replaces": [],
        "was": null, "durable": false, "from": [],
    });
    let (url, asked) = serve(200, &json!({ "new": [note], "reworded": [], "done": [] }).to_string());
    let peri = with_model(&url, "keep_texts = true\ntemperature = 0.5").with("MY_KEY", KEY);
    let observed = peri.ok(&["hear", "--session", "회의", "--user", "금요일 배포는 안 돼요", "--now"]);
    assert!(observed.contains("1 new note (by made-up-1)"), "{observed}");
    assert!(peri.ok(&["session", "notes", "회의"]).contains("🔴 n1   배포는 금요일에 하지 않는다"));
    let call = peri.json(&["llm", "log", "--purpose", "observer"])["calls"][0].clone();
    assert_eq!(text(&call["prompt"]["name"]), "observer", "{call}");
    assert!(call["texts"].to_string().contains("금요일 배포는 안 돼요"), "texts are kept: {call}");
    assert_eq!(asked.lock().unwrap()[0].1["temperature"], 0.5);
}

#[test]
fn without_its_key_nothing_is_sent_and_what_was_said_waits() {
    let (url, asked) = serve(200, "ready");
    let peri = with_model(&url, "");
    let run = peri.run(&["hear", "--session", "s", "--user", "Never deploy on Fridays.", "--now"]);
    assert!(run.code == 0 && run.err.contains("MY_KEY is not set"), "{run:?}");
    for args in [&["session", "list"][..], &["context", "--session", "s"], &["llm", "log"], &["recall", "x"]]
    {
        assert_eq!(peri.run(args).code, 0, "{args:?} must not need the key");
    }
    let listed = peri.json(&["session", "list"])["sessions"][0]["noted"].clone();
    assert_eq!(listed["pending"], 1);
    assert!(text(&listed["troubles"][0]).contains("MY_KEY"), "{listed}");
    let check = peri.run(&["llm", "check"]);
    assert!(check.code == 2 && check.err.contains("MY_KEY is not set"), "{check:?}");
    assert!(asked.lock().unwrap().is_empty());
}

#[test]
fn a_server_that_refuses_is_told_with_what_to_look_at() {
    let (url, _) = serve(401, "");
    let peri = with_model(&url, "").with("MY_KEY", KEY);
    let run = peri.run(&["llm", "check"]);
    assert!(
        run.code == 6 && run.err.contains("status 401") && run.err.contains("llm.key_variable"),
        "{run:?}"
    );
    assert!(!run.err.contains(KEY), "{run:?}");
    let told = peri.run(&["llm", "check", "--json"]);
    let error: Value = serde_json::from_str(&told.err).unwrap();
    assert_eq!(error["error"]["kind"], "unavailable");
}

#[test]
fn prompts_are_listed_and_a_file_overrides_one() {
    let peri = Peri::new();
    let shown = peri.run(&["llm", "prompts"]);
    assert_eq!(shown.out.matches("comes with peri").count(), 4, "{shown:?}");
    assert!(shown.err.contains("no language model is set"), "{shown:?}");
    let folder = peri.home().join("mine");
    std::fs::create_dir_all(&folder).unwrap();
    let peri = peri.with("PERI_LLM_PROMPTS", "mine");
    std::fs::write(folder.join("observer.md"), "관찰하라").unwrap();
    let refused = peri.run(&["llm", "prompts"]);
    assert!(refused.code == 2 && refused.err.contains("observer.md"), "its places are missing: {refused:?}");
    let own = include_str!("../../../peri-companion/prompts/observer.v1.md");
    std::fs::write(folder.join("observer.md"), format!("{own}\n관찰하라\n")).unwrap();
    let shown = peri.ok(&["llm", "prompts"]);
    assert!(shown.contains("overridden by") && shown.contains("observer.md"), "{shown}");
    let told = peri.json(&["llm", "prompts"]);
    assert_eq!(told["prompts"][0]["source"]["file"], json!(folder.join("observer.md")));
    assert_eq!(told["prompts"][1]["source"], "built_in");
}

#[test]
fn without_a_model_it_is_told_how_to_set_one() {
    let peri = Peri::new();
    let log = peri.run(&["llm", "log"]);
    assert!(log.code == 0 && log.out.starts_with("0 of 1,000,000 tokens of "), "{log:?}");
    for run in [log, peri.run(&["llm", "check"])] {
        assert!(run.err.contains("llm.provider") && run.err.contains("llm.key_variable"), "{run:?}");
    }
    assert_eq!(peri.run(&["llm", "check"]).code, 2);
    assert_eq!(peri.json(&["llm", "log"])["model"], Value::Null);
}

#[test]
fn a_wrong_setting_is_an_error_that_names_key_and_line() {
    for (text, said) in [
        ("provider = 'gpt'", "llm.provider"),
        ("provider = 'openai'", "llm.model"),
        ("fallback = 'maybe'", "perihelion.toml:2"),
        ("key_variable = 'sk-very-secret'\nprovider = 'openai'\nmodel = 'm'", "llm.key_variable"),
    ] {
        let peri = Peri::new();
        peri.configure(&format!("[llm]\n{text}\n"));
        let run = peri.run(&["stats"]);
        assert!(run.code == 2 && run.err.contains(said), "{text}: {run:?}");
        assert!(!run.err.contains("sk-very-secret"), "{run:?}");
    }
}

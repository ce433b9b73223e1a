//! Notes over HTTP: what is heard becomes notes, which can be read, replayed and destroyed.

use serde_json::{Value, json};

use crate::support::House;

/// The path of a session's messages, with its name percent-encoded.
fn session(name: &str, rest: &str) -> String {
    let encoded: String = name.bytes().map(|byte| format!("%{byte:02X}")).collect();
    format!("/v1/sessions/{encoded}/{rest}")
}

fn said(text: &str) -> Value {
    json!({"messages": [{"role": "user", "text": text, "at": "2026-03-04T05:06:07Z"}], "observe": "now"})
}

fn texts(notes: &Value) -> Vec<&str> {
    notes["notes"].as_array().unwrap().iter().map(|note| note["text"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn what_is_heard_becomes_notes_that_are_listed_replayed_and_destroyed() {
    let (house, _clock) = House::timed().await;
    for (name, text, word) in [
        ("monday", "We decided to use PostgreSQL for billing.", "PostgreSQL"),
        ("팀/월요일", "앞으로 배포는 금요일에 하지 않기로 결정했어.", "금요일"),
        ("周一 ?#%", "我们决定使用 Rust 编写网关。", "Rust"),
        ("notes", "We decided to call the project Heron.", "Heron"),
    ] {
        let heard = house.post(&session(name, "messages"), &said(text)).send().await.expect(200);
        assert_eq!((&heard["session"], &heard["outcome"]), (&json!(name), &json!("kept")), "{heard}");
        assert_eq!((&heard["kept"], &heard["steps"][0]["event"]), (&json!(1), &json!("observed")), "{heard}");
        let again = house.post(&session(name, "messages"), &said(text)).send().await.expect(200);
        assert_eq!((&again["kept"], &again["repeated"]), (&json!(0), &json!(1)), "told again, kept once");

        let notes = house.get(&session(name, "notes")).send().await.expect(200);
        assert_eq!((&notes["session"], texts(&notes).len()), (&json!(name), 1), "{notes}");
        assert!(texts(&notes)[0].contains(word), "{notes}");
        let replay = house.get(&session(name, "replay")).send().await.expect(200);
        let spoken = replay["spoken"].as_array().unwrap();
        assert_eq!((spoken.len(), &spoken[0]["entry"]["text"]), (1, &json!(text)), "{replay}");
        assert_eq!(spoken[0]["notes"], notes["notes"], "{replay}");
    }
    let listed = house.get("/v1/notes/sessions").send().await.expect(200);
    assert_eq!((&listed["total"], listed["sessions"].as_array().unwrap().len()), (&json!(4), 4), "{listed}");
    let few = house.get("/v1/notes/sessions?limit=1").send().await.expect(200);
    assert_eq!((&few["total"], few["sessions"].as_array().unwrap().len()), (&json!(4), 1), "{few}");

    let gone = house.delete(&session("팀/월요일", "notes")).send().await.expect(200);
    assert_eq!((&gone["session"], &gone["notes"]), (&json!("팀/월요일"), &json!(1)), "{gone}");
    house.get(&session("팀/월요일", "notes")).send().await.problem(404, "not-found");
    house.delete(&session("팀/월요일", "notes")).send().await.problem(404, "not-found");
    let listed = house.get("/v1/notes/sessions").send().await.expect(200);
    assert_eq!(listed["total"], 3, "{listed}");
    let memories = house.get("/v1/memories").send().await.expect(200);
    assert!(memories.to_string().contains("금요일"), "memories made of notes stay: {memories}");
}

#[tokio::test]
async fn what_is_heard_for_later_waits_until_somebody_observes_it() {
    let (house, _clock) = House::timed().await;
    for (observe, path) in [("later", "/v1/sessions/s/observe"), ("due", "/v1/sessions/t/observe?retry=true")]
    {
        let name = path.split('/').nth(3).unwrap();
        let mut heard = said("We decided to use PostgreSQL for billing.");
        heard["observe"] = json!(observe);
        house.post(&session(name, "messages"), &heard).send().await.expect(200);
        house.get(&session(name, "notes")).send().await.problem(404, "not-found");
        let listed = house.get("/v1/notes/sessions").send().await.expect(200);
        let own = listed["sessions"].as_array().unwrap().iter().find(|one| one["session"] == name).unwrap();
        assert_eq!((&own["pending"], &own["notes"]), (&json!(1), &json!(0)), "{own}");
        let observed = house.post(path, &json!({})).send().await.expect(200);
        assert_eq!(observed["steps"][0]["event"], "observed", "{observed}");
        let again = house.post(path, &json!({})).send().await.expect(200);
        assert_eq!(again["steps"], json!([]), "nothing is left to observe");
        house.get(&session(name, "notes")).send().await.expect(200);
    }
    let due = house.post("/v1/notes/observe", &json!({})).send().await.expect(200);
    assert_eq!(due["namespace"], "default", "{due}");
    assert_eq!(texts(&house.get("/v1/notes").send().await.expect(200)), [""; 0]);
}

#[tokio::test]
async fn durable_notes_are_those_of_the_namespace() {
    let house = House::open().await;
    for (namespace, note) in [("default", "不要在星期五发布"), ("team", "Releases are on Tuesdays")] {
        let folder = house.engine.options().folder.join("notes").join(namespace).join("persistent");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("recent.md"), format!("- 🔴 {note}\n")).unwrap();
    }
    let here = house.get("/v1/notes").send().await.expect(200);
    assert_eq!((texts(&here), here.get("session")), (vec!["不要在星期五发布"], None));
    let there = house.get("/v1/notes?namespace=team").send().await.expect(200);
    assert_eq!(texts(&there), ["Releases are on Tuesdays"]);
}

#[tokio::test]
async fn what_cannot_be_heard_is_refused_by_name_and_keeps_nothing() {
    let house = House::open().await;
    let messages = |list: Value| json!({ "messages": list });
    for (name, body, named) in [
        (" ", said("x"), "session"),
        ("a\0b", said("x"), "session"),
        (&"가".repeat(300), said("x"), "session"),
        ("s", json!({}), "messages"),
        ("s", messages(json!([])), "`messages`"),
        ("s", messages(json!("hello")), "`messages`"),
        ("s", messages(json!([{"role": "oracle", "text": "x"}])), "`messages[0].role`"),
        ("s", messages(json!([{"role": "user"}])), "text"),
        ("s", messages(json!([{"role": "user", "text": 7}])), "`messages[0].text`"),
        ("s", messages(json!([{"role": "user", "text": "x", "at": "soon"}])), "`messages[0].at`"),
        ("s", messages(json!([{"role": "user", "text": "x", "mood": "good"}])), "mood"),
        ("s", messages(json!(vec![json!({"role": "user", "text": "x"}); 1001])), "1001"),
        ("s", json!({"messages": [{"role": "user", "text": "x"}], "observe": "never"}), "`observe`"),
        ("s", json!({"messages": [{"role": "user", "text": "x"}], "user": " "}), "user"),
        (
            "s",
            json!({"messages": [{"role": "user", "text": "x"}], "handed_out": vec!["x"; 1001]}),
            "`handed_out`",
        ),
        ("s", json!({"messages": [{"role": "user", "text": "x"}], "namespace": "a//b"}), "`namespace`"),
    ] {
        let answer = house.post(&session(name, "messages"), &body).send().await;
        let problem = answer.problem(400, "invalid-input");
        assert!(problem["detail"].as_str().unwrap().contains(named), "{named}: {problem}");
    }
    let long = said(&"길다 ".repeat(1_500_000));
    house.post(&session("s", "messages"), &long).send().await.problem(413, "too-large");
    for path in ["notes", "replay"] {
        house.get(&session(" ", path)).send().await.problem(400, "invalid-input");
    }
    house.delete(&session(" ", "notes")).send().await.problem(400, "invalid-input");
    house.post(&session(" ", "observe"), &json!({})).send().await.problem(400, "invalid-input");
    house.get("/v1/notes/sessions?limit=0").send().await.problem(400, "invalid-input");
    let listed = house.get("/v1/notes/sessions").send().await.expect(200);
    assert_eq!(listed["total"], 0, "{listed}");
}

#[tokio::test]
async fn a_text_too_long_for_a_memory_is_heard_without_its_middle() {
    let house = House::open().await;
    let long = format!("We decided to use Rust. {} And nothing else.", "한글 ".repeat(300_000));
    let heard = house.post(&session("s", "messages"), &said(&long)).send().await.expect(200);
    assert_eq!(heard["kept"], 1, "{heard}");
    let replay = house.get(&session("s", "replay")).send().await.expect(200);
    let text = replay["spoken"][0]["entry"]["text"].as_str().unwrap();
    assert!(text.starts_with("We decided") && text.ends_with("nothing else.") && text.len() < long.len());
}

#[tokio::test]
async fn a_repeated_request_with_its_key_is_answered_as_the_first_time() {
    let house = House::open().await;
    let body = json!({"messages": [{"role": "user", "text": "We decided to use Rust."}], "observe": "now"});
    let ask = || house.post(&session("s", "messages"), &body).header("idempotency-key", "turn-1");
    let (first, second) = (ask().send().await.expect(200), ask().send().await.expect(200));
    assert_eq!((&first["kept"], &first), (&json!(1), &second));
}

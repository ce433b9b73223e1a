//! The context of agents over HTTP: looked at as often as one likes, and given once.

use jiff::SignedDuration;
use perihelion::Role;
use serde_json::{Value, json};

use crate::support::{Answer, House};

async fn say(house: &House, session: &str, role: &str, text: &str) -> Value {
    let body = json!({"messages": [{"role": role, "text": text}], "observe": "now"});
    house.post(&format!("/v1/sessions/{session}/messages"), &body).send().await.expect(200)
}

async fn noted(house: &House, session: &str) -> usize {
    let answer = house.get(&format!("/v1/sessions/{session}/notes")).send().await;
    if answer.status == 404 { 0 } else { answer.expect(200)["notes"].as_array().unwrap().len() }
}

/// What a session is lent at a moment.
async fn lend(house: &House, session: &str, moment: &str, more: Value) -> Value {
    let mut body = json!({"session": session, "moment": moment, "deliver": "once"});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    house.post("/v1/context", &body).send().await.expect(200)
}

async fn confirm(house: &House, session: &str, lent: &Value) -> Answer {
    house.post("/v1/context/confirm", &json!({"session": session, "loan": lent["loan"]})).send().await
}

fn parts(context: &Value) -> Vec<&str> {
    context["parts"].as_array().unwrap().iter().map(|part| part["kind"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn looking_shows_everything_and_takes_nothing_away() {
    let (house, _clock) = House::timed().await;
    let empty = house.get("/v1/context").send().await.expect(200);
    assert_eq!((&empty["text"], &empty["loan"]), (&json!(""), &json!(null)), "{empty}");
    say(&house, "first", "user", "앞으로 배포는 금요일에 하지 않기로 결정했어.").await;
    house.keep("default", "预发布服务器叫做木卫三");
    let value = json!({"value": "heron", "session": "first"});
    house.put("/v1/working/branch", &value).send().await.expect(200);
    let path = "/v1/context?session=first&query=%E9%A2%84%E5%8F%91%E5%B8%83%E6%9C%8D%E5%8A%A1%E5%99%A8";
    let seen = house.get(path).send().await.expect(200);
    assert_eq!(parts(&seen), ["session_notes", "memories", "working_memory"], "{seen}");
    for word in ["금요일", "木卫三", "branch: heron"] {
        assert!(seen["text"].as_str().unwrap().contains(word), "{word}: {seen}");
    }
    assert!(
        seen["parts"][0]["given"][0]["from"]["note"]["origins"][0].as_str().unwrap().starts_with("journal:")
    );
    assert!(seen["parts"][1]["given"][0]["from"]["memory"]["id"].is_string(), "{seen}");
    assert_eq!(house.get(path).send().await.expect(200), seen);
    let body = json!({"session": "first", "query": "预发布服务器"});
    assert_eq!(house.post("/v1/context", &body).send().await.expect(200), seen, "the same with a body");
    let small = house.get("/v1/context?session=first&tokens_max=60").send().await.expect(200);
    assert!(small["tokens"].as_u64().unwrap() <= 60 && small["tokens_max"] == 60, "{small}");
    let lent = lend(&house, "first", "prompt", json!({})).await;
    assert!(lent["text"].as_str().unwrap().contains("금요일"), "nothing was taken away: {lent}");
}

#[tokio::test]
async fn of_two_sessions_that_begin_at_once_one_is_given_the_notes_and_the_other_when_it_gives_them_back() {
    let (house, _clock) = House::timed().await;
    say(&house, "first", "user", "We decided to use PostgreSQL for billing.").await;
    let earlier = |context: &Value| parts(context).contains(&"earlier_session");
    let (one, two) =
        tokio::join!(lend(&house, "one", "start", json!({})), lend(&house, "two", "start", json!({})));
    assert!(earlier(&one) != earlier(&two), "exactly one: {one}\n{two}");
    let ((winner, lent), loser) = if earlier(&one) { (("one", one), "two") } else { (("two", two), "one") };
    assert_eq!(lent["lent_until"], "2026-03-04T05:07:07Z", "{lent}");
    assert!(!earlier(&lend(&house, loser, "start", json!({})).await), "it is lent");
    let body = json!({"session": winner, "loan": lent["loan"]});
    house.post("/v1/context/return", &body).send().await.expect(204);
    let given = lend(&house, loser, "start", json!({})).await;
    assert!(earlier(&given), "{given}");
    let confirmed = confirm(&house, loser, &given).await.expect(200);
    assert_eq!((&confirmed["session"], &confirmed["loan"]), (&json!(loser), &given["loan"]), "{confirmed}");
    confirm(&house, loser, &given).await.expect(200);
    assert!(!earlier(&lend(&house, winner, "start", json!({})).await), "it was given");
    let late = confirm(&house, winner, &lent).await.problem(409, "conflict");
    assert!(late["detail"].as_str().unwrap().contains("taken back"), "{late}");
}

#[tokio::test]
async fn what_is_not_confirmed_is_given_to_somebody_else_when_the_lease_is_over() {
    let (house, clock) = House::timed().await;
    say(&house, "first", "user", "We decided to use PostgreSQL for billing.").await;
    let lent = lend(&house, "one", "start", json!({"lease_seconds": 10})).await;
    assert_eq!(
        (parts(&lent), &lent["lent_until"]),
        (vec!["earlier_session"], &json!("2026-03-04T05:06:17Z"))
    );
    clock.advance(SignedDuration::from_secs(9));
    let early = lend(&house, "two", "start", json!({})).await;
    assert!(!parts(&early).contains(&"earlier_session"), "{early}");
    clock.advance(SignedDuration::from_secs(2));
    let next = lend(&house, "two", "start", json!({})).await;
    assert!(parts(&next).contains(&"earlier_session"), "{next}");
    confirm(&house, "one", &lent).await.problem(409, "conflict");
    confirm(&house, "two", &next).await.expect(200);
}

#[tokio::test]
async fn new_notes_are_given_once_and_again_each_time_they_were_lost() {
    let (house, clock) = House::timed().await;
    say(&house, "s", "user", "We decided to use PostgreSQL for billing.").await;
    let first = lend(&house, "s", "prompt", json!({})).await;
    assert_eq!(parts(&first), ["session_notes"], "{first}");
    confirm(&house, "s", &first).await.expect(200);
    assert_eq!(lend(&house, "s", "prompt", json!({})).await["text"], "");
    for _ in 0..2 {
        clock.advance(SignedDuration::from_mins(1));
        let lost = lend(&house, "s", "compacted", json!({})).await;
        assert!(parts(&lost).contains(&"session_notes"), "{lost}");
        confirm(&house, "s", &lost).await.expect(200);
        assert_eq!(lend(&house, "s", "prompt", json!({})).await["text"], "");
    }
    let named = json!({"occasion": "compaction 7"});
    let lost = lend(&house, "s", "compacted", named.clone()).await;
    assert!(parts(&lost).contains(&"session_notes"), "{lost}");
    confirm(&house, "s", &lost).await.expect(200);
    let again = lend(&house, "s", "compacted", named).await;
    assert!(!parts(&again).contains(&"session_notes"), "the same occasion: {again}");
}

#[tokio::test]
async fn what_an_agent_was_given_is_not_learned_again_when_it_repeats_it() {
    let (house, _clock) = House::timed().await;
    let known = "We decided to use PostgreSQL for the billing service";
    house.keep("default", known);
    let question = json!({"query": "which database does the billing service use?"});
    say(&house, "unguarded", "assistant", known).await;
    let unguarded = noted(&house, "unguarded").await;
    assert_eq!(unguarded, 1, "without a guard it is learned, or this test shows nothing");

    let lent = lend(&house, "context", "prompt", question.clone()).await;
    assert!(lent["text"].as_str().unwrap().contains("PostgreSQL"), "{lent}");
    let confirmed = confirm(&house, "context", &lent).await.expect(200);
    assert_eq!(confirmed["handed_out"], 1, "the server knows what it lent: {confirmed}");
    say(&house, "context", "assistant", known).await;
    assert_eq!(noted(&house, "context").await, 0);

    let mut recall = question.clone();
    recall["in_session"] = json!("recall");
    let found = house.post("/v1/recall", &recall).send().await.expect(200);
    assert!(found.to_string().contains("PostgreSQL"), "{found}");
    say(&house, "recall", "assistant", known).await;
    assert_eq!(noted(&house, "recall").await, 0);

    let own = json!({"session": "told", "loan": "0", "handed_out": [known, " "]});
    house.post("/v1/context/confirm", &own).send().await.expect(200);
    say(&house, "told", "assistant", known).await;
    assert_eq!(noted(&house, "told").await, 0);
}

#[tokio::test]
async fn a_key_of_another_namespace_sees_and_takes_nothing() {
    let (house, _clock) = House::timed().await;
    let (ana, bo) = (house.key(Role::Writer, "team/ana"), house.key(Role::Writer, "team/bo"));
    let reader = house.key(Role::Reader, "team/ana");
    let heard = json!({
        "messages": [{"role": "user", "text": "We decided to call the project Heron."}],
        "observe": "now",
    });
    let kept = house.post("/v1/sessions/s/messages", &heard).key(&ana).send().await.expect(200);
    assert_eq!(kept["namespace"], "team/ana", "{kept}");
    let once = json!({"session": "s", "moment": "prompt", "deliver": "once"});
    for path in ["/v1/context?session=s", "/v1/notes", "/v1/notes/sessions", "/v1/sessions/s/replay"] {
        let own = house.get(path).key(&bo).send().await.expect(200);
        assert!(!own.to_string().contains("Heron") && !own.to_string().contains("ana"), "{path}: {own}");
    }
    house.get("/v1/sessions/s/notes").key(&bo).send().await.problem(404, "not-found");
    let start = json!({"session": "theirs", "moment": "start", "deliver": "once"});
    let theirs = house.post("/v1/context", &start).key(&bo).send().await.expect(200);
    assert_eq!(theirs["text"], "", "{theirs}");
    for path in ["/v1/context", "/v1/notes", "/v1/sessions/s/notes", "/v1/sessions/s/replay"] {
        let foreign = format!("{path}?namespace=team/ana");
        house.get(&foreign).key(&bo).send().await.problem(403, "forbidden");
    }
    house.post("/v1/context", &once).key(&reader).send().await.problem(403, "forbidden");
    let looked = json!({"session": "s", "moment": "prompt"});
    house.post("/v1/context", &looked).key(&reader).send().await.expect(200);

    let lent = house.post("/v1/context", &once).key(&ana).send().await.expect(200);
    assert!(lent["text"].as_str().unwrap().contains("Heron"), "{lent}");
    let loan = json!({"session": "s", "loan": lent["loan"]});
    house.post("/v1/context/confirm", &loan).key(&bo).send().await.problem(409, "conflict");
    house.post("/v1/context/return", &loan).key(&bo).send().await.expect(204);
    house.post("/v1/context/confirm", &loan).key(&ana).send().await.expect(200);
}

#[tokio::test]
async fn what_cannot_be_asked_for_is_refused_by_name() {
    let house = House::open().await;
    for (body, named) in [
        (json!({"deliver": "twice", "session": "s"}), "`deliver`"),
        (json!({"moment": "never"}), "`moment`"),
        (json!({"session": " "}), "session"),
        (json!({"query": ""}), "query"),
        (json!({"tokens_max": 0}), "`tokens_max`"),
        (json!({"tokens_max": -1}), "`tokens_max`"),
        (json!({"lease_seconds": 0}), "`lease_seconds`"),
        (json!({"lease_seconds": 3601}), "`lease_seconds`"),
        (json!({"occasion": "\n"}), "occasion"),
        (json!({"user": "x"}), "user"),
    ] {
        let problem = house.post("/v1/context", &body).send().await.problem(400, "invalid-input");
        assert!(problem["detail"].as_str().unwrap().contains(named), "{body}: {problem}");
    }
    let nobodys = house.post("/v1/context", &json!({"deliver": "once"})).send().await;
    assert!(nobodys.problem(422, "contradiction")["detail"].as_str().unwrap().contains("`session`"));
    for (path, body) in [
        ("confirm", json!({"session": "s"})),
        ("confirm", json!({"session": " ", "loan": "1"})),
        ("confirm", json!({"session": "s", "loan": ""})),
        ("confirm", json!({"session": "s", "loan": "1", "handed_out": vec!["x"; 1001]})),
        ("return", json!({"loan": "1"})),
        ("return", json!({"session": "s", "loan": "1", "handed_out": []})),
    ] {
        let path = format!("/v1/context/{path}");
        house.post(&path, &body).send().await.problem(400, "invalid-input");
    }
    for query in [
        "session=%20",
        "tokens_max=0",
        "tokens_max=9007199254740992",
        "moment=never",
        "deliver=once",
        "query=",
    ] {
        house.get(&format!("/v1/context?{query}")).send().await.problem(400, "invalid-input");
    }
    let nobody = json!({"session": "s", "loan": "17-1"});
    house.post("/v1/context/confirm", &nobody).send().await.problem(409, "conflict");
    house.post("/v1/context/return", &nobody).send().await.expect(204);
}

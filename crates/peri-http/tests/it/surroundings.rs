//! What surrounds the engine: backups and language models as whoever starts the server tells of them, and who asks.

use std::sync::Arc;

use peri_http::{
    BackupInfo, BackupList, BackupMade, Failure, LlmCall, LlmDay, LlmOutcome, LlmUse, Server, Surroundings,
};
use perihelion::{ChangeNumber, Chores, ErrorKind, Options, Perihelion, Role, Timestamp};
use serde_json::{Value, json};

use crate::support::{House, settings};

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn serve(surroundings: Surroundings) -> House {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { chores: Chores::ByHand, ..Options::at(folder.path()) };
    let engine = Arc::new(Perihelion::open(options).unwrap());
    let change = |server: Server| server.with_surroundings(surroundings);
    House::serve_with(folder, engine, settings(), change)
}

fn backup(name: &str, memories: Option<u64>) -> BackupInfo {
    let (bytes, change) = (memories.map(|memories| memories * 100), ChangeNumber(12));
    BackupInfo {
        name: name.to_owned(),
        at: at("2026-03-04T05:06:07Z"),
        memories,
        bytes,
        change,
        before_restore: false,
    }
}

#[tokio::test]
async fn a_server_that_was_told_of_nothing_has_no_backups_and_no_model() {
    let house = House::open().await;
    let backups = house.get("/v1/backups").send().await.expect(200);
    assert_eq!(backups, json!({"place": null, "scheduled": false, "next_at": null, "backups": []}));
    let problem = house.post("/v1/backups", &json!({})).send().await.problem(503, "unavailable");
    assert!(problem["detail"].as_str().unwrap().contains("nothing was written"), "{problem}");
    assert!(problem["hint"].as_str().unwrap().contains("peri serve"), "{problem}");
    let llm = house.get("/v1/llm").send().await.expect(200);
    let nothing = json!({
        "model": null, "provider": null, "cap_tokens": null, "spent_tokens_today": 0, "resets_at": null,
        "calls": [], "days": [],
    });
    assert_eq!(llm, nothing);
}

#[tokio::test]
async fn backups_are_told_and_made_as_whoever_started_the_server_says() {
    let list = |_: &Perihelion| {
        Ok(BackupList {
            place: Some("디스크/백업".to_owned()),
            scheduled: true,
            next_at: Some(at("2026-03-05T05:06:07Z")),
            backups: vec![backup("20260304T050607Z-000000000012", Some(3)), backup("damaged", None)],
        })
    };
    let create = |engine: &Perihelion| {
        let memories = engine.stats(&perihelion::Scope::All).unwrap().memories;
        Ok(BackupMade { name: "20260304T050608Z-000000000013".to_owned(), bytes: 77, memories })
    };
    let house = serve(Surroundings::default().with_backups(list, create));
    house.keep("default", "王芳喜欢在周末拍照");
    let told = house.get("/v1/backups").send().await.expect(200);
    assert_eq!((&told["place"], &told["scheduled"]), (&json!("디스크/백업"), &json!(true)));
    assert_eq!(told["next_at"], "2026-03-05T05:06:07Z");
    let first = json!({
        "name": "20260304T050607Z-000000000012", "at": "2026-03-04T05:06:07Z", "memories": 3, "bytes": 300,
        "change": 12, "before_restore": false,
    });
    assert_eq!(told["backups"][0], first);
    assert_eq!((&told["backups"][1]["memories"], &told["backups"][1]["bytes"]), (&Value::Null, &Value::Null));
    let made = house.post("/v1/backups", &json!({})).send().await.expect(200);
    assert_eq!(made, json!({"name": "20260304T050608Z-000000000013", "bytes": 77, "memories": 1}));
}

#[tokio::test]
async fn what_cannot_be_done_is_told_with_what_to_do() {
    for (kind, status, problem) in [
        (ErrorKind::Conflict, 409, "conflict"),
        (ErrorKind::Unavailable, 503, "unavailable"),
        (ErrorKind::Corrupt, 500, "corrupt"),
        (ErrorKind::InvalidInput, 400, "invalid-input"),
    ] {
        let failed =
            move || Failure {
                kind, detail: "백업이 없다".to_owned(), hint: Some("기다려라".to_owned())
            };
        let surroundings = Surroundings::default()
            .with_backups(move |_| Err(failed()), move |_| Err(failed()))
            .with_llm(move |_, _| Err(failed()));
        let house = serve(surroundings);
        let asks = [house.get("/v1/backups"), house.post("/v1/backups", &json!({})), house.get("/v1/llm")];
        for ask in asks {
            let told = ask.send().await.problem(status, problem);
            assert_eq!((&told["detail"], &told["hint"]), (&json!("백업이 없다"), &json!("기다려라")));
        }
    }
}

#[tokio::test]
async fn the_use_of_a_model_is_told_with_as_many_calls_as_are_asked_for() {
    let look = |_: &Perihelion, limit: usize| {
        let call = LlmCall {
            at: at("2026-03-04T05:06:07Z"),
            purpose: "observer".to_owned(),
            model: "made-up".to_owned(),
            outcome: LlmOutcome::Unfinished,
            input_tokens: 50,
            output_tokens: 0,
            took_ms: None,
            error: None,
        };
        Ok(LlmUse {
            model: Some("made-up".to_owned()),
            provider: Some("openai".to_owned()),
            cap_tokens: Some(1000),
            spent_tokens_today: 60,
            resets_at: Some(at("2026-03-05T00:00:00Z")),
            calls: vec![call; limit],
            days: vec![LlmDay { day: "2026-03-04".to_owned(), calls: 1, tokens: 60 }],
        })
    };
    let house = serve(Surroundings::default().with_llm(look));
    let told = house.get("/v1/llm?limit=2").send().await.expect(200);
    assert_eq!(told["calls"].as_array().unwrap().len(), 2);
    let call = json!({
        "at": "2026-03-04T05:06:07Z", "purpose": "observer", "model": "made-up", "outcome": "unfinished",
        "input_tokens": 50, "output_tokens": 0, "took_ms": null, "error": null,
    });
    assert_eq!(told["calls"][0], call);
    assert_eq!(told["days"], json!([{"day": "2026-03-04", "calls": 1, "tokens": 60}]));
    assert_eq!(house.get("/v1/llm").send().await.expect(200)["calls"].as_array().unwrap().len(), 50);
    for path in ["/v1/llm?limit=0", "/v1/llm?limit=5000", "/v1/llm?limit=many", "/v1/llm?colour=red"] {
        house.get(path).send().await.problem(400, "invalid-input");
    }
}

#[tokio::test]
async fn everybody_is_told_who_they_are_taken_for() {
    let house = House::open().await;
    let local = house.get("/v1/me").send().await.expect(200);
    let expected = json!({
        "role": "admin", "scope": "*", "namespace": "default", "key": null, "local": true,
        "version": env!("CARGO_PKG_VERSION"), "read_only": false,
    });
    assert_eq!(local, expected);
    for (role, scope, namespace) in [
        (Role::Reader, "팀/가", json!("팀/가")),
        (Role::Writer, "팀/*", Value::Null),
        (Role::Admin, "*", json!("default")),
    ] {
        let secret = house.key(role, scope);
        let me = house.get("/v1/me").key(&secret).send().await.expect(200);
        assert_eq!((&me["role"], &me["scope"]), (&json!(role), &json!(scope)));
        assert_eq!((&me["namespace"], &me["local"]), (&namespace, &json!(false)));
        assert_eq!(me["key"], secret.split('_').nth(1).unwrap());
        assert!(!me.to_string().contains(&secret), "the secret is not told");
    }
}

//! What memory handed to an agent, and when.

use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::support::House;

fn texts(given: &Value) -> Vec<&str> {
    given["given"].as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn what_a_session_was_given_is_told_in_order_with_its_times() {
    let (house, clock) = House::timed().await;
    let path = "/v1/sessions/%ED%9A%8C%EC%9D%98/given";
    let empty = house.get(path).send().await.expect(200);
    assert_eq!(empty, json!({"namespace": "default", "session": "회의", "given": [], "more": false}));
    let said = ["등대 열쇠는 세관에 있다", "灯塔在海边"];
    let mut times = Vec::new();
    for (content, query) in said.into_iter().zip(["등대 열쇠", "灯塔"]) {
        house.keep("default", content);
        let question = json!({"query": query, "in_session": "회의"});
        house.post("/v1/recall", &question).send().await.expect(200);
        house.get(path).send().await.expect(200);
        times.push(json!(clock.now()));
        clock.advance(SignedDuration::from_mins(5));
    }
    let given = house.get(path).send().await.expect(200);
    assert_eq!((texts(&given), &given["more"]), (said.to_vec(), &json!(false)));
    let at: Vec<Value> = given["given"].as_array().unwrap().iter().map(|one| one["at"].clone()).collect();
    assert_eq!(at, times);
    let last = house.get(&format!("{path}?limit=1&namespace=default")).send().await.expect(200);
    assert_eq!((texts(&last), &last["more"]), (vec![said[1]], &json!(true)));
    let elsewhere = house.get(&format!("{path}?namespace=team")).send().await.expect(200);
    assert_eq!(texts(&elsewhere), [""; 0]);
}

#[tokio::test]
async fn bad_input_is_named() {
    let house = House::open().await;
    for (path, named) in [
        ("/v1/sessions/s/given?limit=0", "limit"),
        ("/v1/sessions/s/given?limit=5000", "limit"),
        ("/v1/sessions/s/given?namespace=a//b", "namespace"),
        ("/v1/sessions/s/given?colour=red", "colour"),
        ("/v1/sessions/%20/given", "session"),
    ] {
        let problem = house.get(path).send().await.problem(400, "invalid-input");
        assert!(problem["detail"].as_str().unwrap().contains(named), "{path}: {problem}");
    }
}

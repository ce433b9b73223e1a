//! What has worked, over HTTP: trajectories, patterns, routes, and what was learned from them.

mod input;
mod learned;
mod outage;
mod patterns;
mod trajectories;

use serde_json::{Value, json};

use crate::support::House;

/// What is in a field of every item of a list.
fn each<'a>(list: &'a Value, field: &str) -> Vec<&'a str> {
    list.as_array().unwrap().iter().map(|item| item[field].as_str().unwrap()).collect()
}

/// Keeps a strategy; the pattern.
async fn keep(house: &House, body: Value) -> Value {
    house.post("/v1/patterns", &body).send().await.expect(201)["pattern"].clone()
}

/// Records tasks that were done in the same way.
async fn deploys(house: &House, namespace: &str, count: usize) {
    for number in 0..count {
        let steps = ["cargo test -p billing", "./deploy staging billing", "curl staging/health"];
        let steps: Vec<Value> = steps.iter().map(|step| json!({"input": step, "output": "ok"})).collect();
        let task = format!("deploy the billing service to staging, release {number}");
        let body = json!({"task": task, "outcome": "success", "agent": "devops", "steps": steps,
            "namespace": namespace});
        house.post("/v1/trajectories", &body).send().await.expect(201);
    }
}

//! Idempotency keys: what is sent twice is done once.

use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};

use axum::http::Method;
use perihelion::{EventKind, ListQuery, Role, Subscription};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::support::{Ask, House};

/// Holds every write back after it was committed and before it is answered, until told or dropped.
pub struct Gate {
    reached: UnboundedReceiver<()>,
    release: Option<Sender<()>>,
    _subscription: Subscription,
}

impl Gate {
    pub fn before_answers_of(house: &House) -> Self {
        let (told, reached) = unbounded_channel();
        let (release, released) = channel::<()>();
        let released = Mutex::new(released);
        let subscription = house.engine.subscribe(Some(vec![EventKind::Stored]), move |_| {
            told.send(()).unwrap_or_default();
            // Whether it was told or the gate was taken away: the write goes on.
            released.lock().unwrap().recv().unwrap_or_default();
        });
        Self { reached, release: Some(release), _subscription: subscription.unwrap() }
    }

    /// Waits until a write stands at the gate.
    pub async fn reached(&mut self) {
        self.reached.recv().await.unwrap();
    }

    /// Lets everybody through from now on.
    pub fn open(&mut self) {
        self.release = None;
    }
}

fn keep(house: &House, content: &str, key: &str) -> Ask {
    house.post("/v1/memories", &json!({"content": content})).header("idempotency-key", key)
}

fn stored(house: &House) -> usize {
    house.engine.list(ListQuery::default()).unwrap().memories.len()
}

#[tokio::test]
async fn a_repeated_request_is_answered_as_the_first_time() {
    let house = House::open().await;
    let first = keep(&house, "said once", "k1").send().await;
    let again = keep(&house, "said once", "k1").send().await;
    assert_eq!((first.status, first.header("idempotency-replayed")), (201, ""));
    assert_eq!((again.status, again.header("idempotency-replayed")), (201, "true"));
    assert_eq!(first.body, again.body);
    assert_eq!(again.header("content-type"), first.header("content-type"));
    // Without the key it is a new request, which finds that the same was said before.
    let anew = house.post("/v1/memories", &json!({"content": "said once"})).send().await;
    assert_ne!(anew.expect(201)["outcome"], first.json()["outcome"]);
    assert_eq!(stored(&house), 1);
}

#[tokio::test]
async fn a_key_belongs_to_one_request_of_one_caller() {
    let house = House::open().await;
    let (ana, ben) = (house.key(Role::Admin, "*"), house.key(Role::Writer, "*"));
    let first = keep(&house, "said by Ana", "k1").key(&ana).send().await;
    first.expect(201);
    let other_body = keep(&house, "something else", "k1").key(&ana).send().await;
    other_body.problem(422, "idempotency-key-reused");
    let elsewhere = house.post("/v1/memories/batch", &json!({"memories": [{"content": "said by Ana"}]}));
    let elsewhere = elsewhere.key(&ana).header("idempotency-key", "k1").send().await;
    elsewhere.problem(422, "idempotency-key-reused");
    assert_eq!(stored(&house), 1);
    let of_another = keep(&house, "said by Ben", "k1").key(&ben).send().await;
    assert_eq!((of_another.status, of_another.header("idempotency-replayed")), (201, ""));
    assert_eq!(stored(&house), 2);
}

#[tokio::test]
async fn what_failed_may_be_tried_again_under_the_same_key() {
    let house = House::open().await;
    keep(&house, " ", "k1").send().await.problem(400, "invalid-input");
    keep(&house, "mended", "k1").send().await.expect(201);
    for bad in ["", "a b", &"k".repeat(129)] {
        keep(&house, "another", bad).send().await.problem(400, "invalid-input");
    }
    assert_eq!(stored(&house), 1);
}

#[tokio::test]
async fn every_kind_of_write_is_done_once() {
    let house = House::open().await;
    let id = house.keep("default", "the ends of an edge: one");
    let other = house.keep("default", "here lies something different");
    let feedback = json!({"query": "what was it", "used": [id]});
    let edge = json!({"source": id, "target": other, "type": "sequence"});
    let writes = [
        (Method::PATCH, "/v1/memories/$id", json!({"content": "a second version"})),
        (Method::POST, "/v1/weights/rollback", json!({"number": 0})),
        (Method::DELETE, "/v1/memories/$id", Value::Null),
        (Method::POST, "/v1/memories/$id/restore", Value::Null),
        (Method::POST, "/v1/feedback", feedback),
        (Method::POST, "/v1/edges", edge),
        (Method::PUT, "/v1/working/draft", json!({"value": "Dear Ana"})),
        (Method::DELETE, "/v1/working/draft", Value::Null),
        (Method::DELETE, "/v1/working", Value::Null),
        (Method::POST, "/v1/snapshots", Value::Null),
        (Method::POST, "/v1/trajectories", json!({"task": "once", "outcome": "success"})),
        (Method::POST, "/v1/patterns", json!({"strategy": "do it once"})),
        (Method::POST, "/v1/learning/rollback", json!({"name": "router", "set": 0})),
        (Method::POST, "/api/workers/dispatch?worker=map", Value::Null),
    ];
    for (number, (method, path, body)) in writes.into_iter().enumerate() {
        let mut answers = Vec::new();
        for _ in 0..2 {
            let ask = house.ask(method.clone(), &path.replace("$id", &id.to_string()));
            let ask = if body.is_null() { ask } else { ask.json(&body) };
            let answer = ask.header("idempotency-key", &format!("key-{number}")).send().await;
            assert!([200, 201].contains(&answer.status), "{method} {path}: {}", answer.text());
            let replayed = answer.header("idempotency-replayed") == "true";
            answers.push((replayed, answer.body, house.engine.last_event_number().unwrap()));
        }
        let [(first, body, done), (again, same, after)] = &answers[..] else { unreachable!() };
        assert_eq!((first, again, body, done), (&false, &true, same, after), "{method} {path}");
    }
    assert_eq!(house.engine.learned_sets(&"default".parse().unwrap(), "router").unwrap().len(), 1);
}

#[tokio::test]
async fn of_two_at_once_one_is_done_and_the_other_told_to_wait() {
    let house = House::open().await;
    let mut gate = Gate::before_answers_of(&house);
    let first = tokio::spawn(keep(&house, "said twice at once", "k1").send());
    gate.reached().await;
    let second = keep(&house, "said twice at once", "k1").send().await;
    second.problem(409, "under-way");
    assert_eq!(second.header("retry-after"), "1");
    gate.open();
    let first = first.await.unwrap();
    let third = keep(&house, "said twice at once", "k1").send().await;
    assert_eq!((first.expect(201), third.header("idempotency-replayed")), (third.expect(201), "true"));
    assert_eq!(stored(&house), 1);
}

#[tokio::test]
async fn many_at_once_are_done_once() {
    let house = House::open().await;
    let asks: Vec<_> = (0..16).map(|_| tokio::spawn(keep(&house, "said by many", "k1").send())).collect();
    let mut bodies = Vec::new();
    for ask in asks {
        let answer = ask.await.unwrap();
        match answer.status {
            201 => bodies.push(answer.body),
            _ => drop(answer.problem(409, "under-way")),
        }
    }
    assert!(!bodies.is_empty());
    assert!(bodies.iter().all(|body| *body == bodies[0]), "{bodies:?}");
    assert_eq!(stored(&house), 1);
}

#[tokio::test]
async fn a_client_that_left_finds_the_answer_when_it_asks_again() {
    let house = House::open().await;
    let mut gate = Gate::before_answers_of(&house);
    let first = tokio::spawn(keep(&house, "said before leaving", "k1").send());
    gate.reached().await;
    first.abort();
    first.await.unwrap_err();
    gate.open();
    loop {
        let again = keep(&house, "said before leaving", "k1").send().await;
        if again.status != 409 {
            assert_eq!((again.status, again.header("idempotency-replayed")), (201, "true"));
            break;
        }
        again.problem(409, "under-way");
    }
}

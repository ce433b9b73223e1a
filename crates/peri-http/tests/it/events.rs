//! What happened: pages, and streams that lose nothing.

use axum::http::Response;
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use perihelion::{NewKey, Role, Scope};
use serde_json::Value;

use crate::support::{Ask, House};

/// An open stream of events.
struct Listening {
    body: Incoming,
    text: String,
}

/// One event as a client hears it.
#[derive(Debug, PartialEq)]
struct Frame {
    id: Option<u64>,
    event: String,
    data: Value,
}

impl Listening {
    async fn to(ask: Ask) -> Self {
        let response: Response<Incoming> = ask.open().await;
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self { body: response.into_body(), text: String::new() }
    }

    /// The next event; none when the stream has ended.
    async fn next(&mut self) -> Option<Frame> {
        loop {
            while let Some((block, rest)) = self.text.split_once("\n\n") {
                let found = parse(block);
                self.text = rest.to_owned();
                if found.is_some() {
                    return found;
                }
            }
            let piece = self.body.frame().await?.ok()?.into_data().unwrap();
            self.text += std::str::from_utf8(&piece).unwrap();
        }
    }

    /// The numbers of the next events.
    async fn numbers(&mut self, count: usize) -> Vec<u64> {
        let mut numbers = Vec::new();
        for _ in 0..count {
            numbers.push(self.next().await.unwrap().id.unwrap());
        }
        numbers
    }
}

fn parse(block: &str) -> Option<Frame> {
    let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    let data = serde_json::from_str(field("data")?).unwrap();
    Some(Frame { id: field("id").map(|id| id.parse().unwrap()), event: field("event")?.to_owned(), data })
}

fn numbers(page: &Value) -> Vec<u64> {
    page["events"].as_array().unwrap().iter().map(|event| event["number"].as_u64().unwrap()).collect()
}

#[tokio::test]
async fn pages_that_follow_each_other_tell_everything_once() {
    let house = House::open().await;
    for i in 0..7 {
        house.keep("birds", &format!("Quixou{}", "ab".repeat(i + 1)));
    }
    let (mut heard, mut after) = (Vec::new(), 0);
    loop {
        let page =
            house.get(&format!("/v1/events?after={after}&limit=2&kind=stored")).send().await.expect(200);
        heard.extend(numbers(&page));
        let next = page["next_after"].as_u64().unwrap();
        if next == after {
            break;
        }
        after = next;
    }
    let latest = house.get("/v1/events?kind=stored&limit=1000").send().await.expect(200);
    assert_eq!(heard, numbers(&latest));
    assert_eq!(heard.len(), 7);
    assert_eq!(latest["next_after"], after);
    let two = house.get("/v1/events?kind=stored&limit=2").send().await.expect(200);
    assert_eq!(numbers(&two), heard[5..]);
    house.get("/v1/events?kind=nonsense").send().await.problem(400, "invalid-input");
    house.get("/v1/events?scope=").send().await.problem(400, "invalid-input");
    house.get("/v1/events?after=18446744073709551615").send().await.problem(400, "invalid-input");
}

#[tokio::test]
async fn a_stream_goes_on_where_it_broke_off_and_repeats_nothing() {
    let house = House::open().await;
    house.keep("birds", "herons nest by the lake");
    let mut listening = Listening::to(house.get("/v1/events/stream?after=0&kind=stored")).await;
    let first = listening.next().await.unwrap();
    assert_eq!((first.id, first.event.as_str()), (Some(1), "stored"));
    assert_eq!((&first.data["number"], &first.data["namespace"]), (&1.into(), &"birds".into()));
    house.keep("birds", "the kettle is blue");
    let second = listening.next().await.unwrap().id.unwrap();
    drop(listening);
    house.keep("birds", "trains leave at noon");
    house.keep("birds", "Ana plays the cello");
    let again = house.get("/v1/events/stream?after=0&kind=stored");
    let mut listening = Listening::to(again.header("last-event-id", &second.to_string())).await;
    let missed = listening.numbers(2).await;
    house.keep("birds", "the lamp is old");
    let live = listening.numbers(1).await;
    let all = house.get("/v1/events?kind=stored&limit=100").send().await.expect(200);
    assert_eq!([vec![1, second], missed, live].concat(), numbers(&all));
}

#[tokio::test]
async fn without_a_number_a_stream_begins_now() {
    let house = House::open().await;
    house.keep("birds", "herons nest by the lake");
    let mut listening = Listening::to(house.get("/v1/events/stream?kind=stored")).await;
    let id = house.keep("birds", "the kettle is blue");
    assert_eq!(listening.next().await.unwrap().data["id"], id.to_string());
}

#[tokio::test]
async fn a_key_hears_of_its_own_namespaces_only() {
    let house = House::open().await;
    let key = house.key(Role::Reader, "team/*");
    let everything = house.key(Role::Reader, "*");
    house.keep("other", "herons nest by the lake");
    let own = house.keep("team/a", "the kettle is blue");
    house.keep("teamwork", "trains leave at noon");
    let last = house.keep("team", "Ana plays the cello");
    let mut listening = Listening::to(house.get("/v1/events/stream?after=0").key(&key)).await;
    for id in [own, last] {
        assert_eq!(listening.next().await.unwrap().data["id"], id.to_string());
    }
    let page = house.get("/v1/events?after=0").key(&key).send().await.expect(200);
    assert_eq!(page["events"].as_array().unwrap().len(), 2, "{page}");
    let page = house.get("/v1/events").key(&key).send().await.expect(200);
    assert_eq!(page["events"].as_array().unwrap().len(), 2, "{page}");
    let page = house.get("/v1/events").key(&everything).send().await.expect(200);
    assert_eq!(page["events"].as_array().unwrap().len(), 6, "what is of no namespace, too: {page}");
    for path in ["/v1/events?scope=*", "/v1/events?scope=other", "/v1/events/stream?scope=other"] {
        house.get(path).key(&key).send().await.problem(403, "forbidden");
    }
}

#[tokio::test]
async fn whoever_loses_the_key_hears_no_more() {
    let house = House::open().await;
    let (name, role, scope) = ("listener".to_owned(), Role::Reader, Scope::All);
    let mut unguarded = Listening::to(house.get("/v1/events/stream")).await;
    let created = house.engine.create_key(NewKey { name, role, scope }).unwrap();
    assert_eq!(unguarded.next().await.unwrap().event, "key_created");
    assert_eq!(unguarded.next().await, None, "from now on a key is needed");
    let mut listening = Listening::to(house.get("/v1/events/stream").key(&created.secret)).await;
    house.engine.revoke_key(created.key.id).unwrap();
    assert_eq!(listening.next().await.unwrap().event, "key_revoked");
    assert_eq!(listening.next().await, None);
}

#[tokio::test]
async fn streams_end_when_the_server_stops() {
    let house = House::open().await;
    let mut listening = Listening::to(house.get("/v1/events/stream?after=0")).await;
    house.keep("birds", "herons nest by the lake");
    assert_eq!(listening.next().await.unwrap().event, "stored");
    house.stop().await;
    assert_eq!(listening.next().await, None);
}

#[tokio::test]
async fn no_more_streams_are_opened_than_may_be_at_once() {
    let house = House::open().await;
    let mut open = Vec::new();
    for _ in 0..64 {
        open.push(Listening::to(house.get("/v1/events/stream")).await);
    }
    let full = house.get("/v1/events/stream").send().await;
    full.problem(503, "overloaded");
    assert!(!full.header("retry-after").is_empty());
    house.get("/v1/events").send().await.expect(200);
    house.stop().await;
    for mut listening in open {
        assert_eq!(listening.next().await, None);
    }
}

#[tokio::test]
async fn a_number_of_another_store_is_told_and_one_that_is_none_is_refused() {
    let house = House::open().await;
    let ask = || house.get("/v1/events/stream");
    let mut listening = Listening::to(ask().header("last-event-id", "4711")).await;
    let lagged = listening.next().await.unwrap();
    assert_eq!((lagged.id, lagged.event.as_str()), (None, "lagged"));
    house.keep("birds", "herons nest by the lake");
    assert_eq!(listening.next().await.unwrap().id, Some(1));
    ask().header("last-event-id", "one").send().await.problem(400, "invalid-input");
}

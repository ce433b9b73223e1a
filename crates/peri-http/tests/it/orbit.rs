//! Orbits over HTTP: their shapes, their limits, and whose they are.

use jiff::SignedDuration;
use perihelion::{Role, Scope};
use serde_json::{Value, json};

use crate::support::House;

const DAY: i64 = 24;

fn names(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[tokio::test]
async fn the_picture_tells_of_each_memory_the_nearest_first() {
    let (house, clock) = House::timed().await;
    let near = house.keep("팀", "중요한 결정\n茶를 마신다");
    let far = house.keep("팀", "각".repeat(300).as_str());
    house.engine.forget(&Scope::All, house.keep("팀", "버려진 것")).unwrap();
    house.patch(&format!("/v1/memories/{near}"), &json!({"pinned": true})).send().await.expect(200);
    clock.advance(SignedDuration::from_hours(20 * DAY));
    house.engine.reorbit(&Scope::All).unwrap();
    let orbit = house.get("/v1/orbit?namespace=%ED%8C%80").send().await.expect(200);
    assert_eq!(names(&orbit), ["bodies", "namespace", "settled_at", "total", "zones"]);
    assert_eq!((&orbit["namespace"], &orbit["total"]), (&json!("팀"), &json!(2)));
    let bodies = orbit["bodies"].as_array().unwrap();
    let fields = "created_at freshness id importance kind label layer pinned recalls score used_at zone";
    assert_eq!(names(&bodies[0]), fields.split(' ').collect::<Vec<_>>());
    assert_eq!((&bodies[0]["id"], &bodies[0]["label"]), (&json!(near), &json!("중요한 결정 茶를 마신다")));
    assert_eq!((&bodies[0]["freshness"], &bodies[0]["pinned"]), (&json!(1.0), &json!(true)));
    assert_eq!((&bodies[1]["id"], &bodies[1]["label"]), (&json!(far), &json!("각".repeat(120))));
    let zones = orbit["zones"].as_array().unwrap();
    assert_eq!(zones.iter().map(|zone| zone["memories"].as_u64().unwrap()).sum::<u64>(), 2);
    assert_eq!((&zones[0]["zone"], &zones[0]["capacity"]), (&json!("core"), &json!(20)));
    assert_eq!((&zones[4]["zone"], &zones[4]["capacity"]), (&json!("cloud"), &Value::Null));
    let one = house.get("/v1/orbit?namespace=%ED%8C%80&limit=1").send().await.expect(200);
    assert_eq!((&one["bodies"], &one["total"]), (&json!([bodies[0]]), &json!(2)));
    let nothing = house.get("/v1/orbit?namespace=empty").send().await.expect(200);
    assert_eq!((&nothing["bodies"], &nothing["settled_at"]), (&json!([]), &Value::Null));
}

#[tokio::test]
async fn moves_tell_the_past_and_on_demand_the_future() {
    let (house, clock) = House::timed().await;
    let id = house.keep("default", "움직이는 기억");
    clock.advance(SignedDuration::from_hours(40 * DAY));
    house.engine.reorbit(&Scope::All).unwrap();
    let gone = house.keep("default", "사라지는 기억");
    house.engine.forget(&Scope::All, gone).unwrap();
    let now = clock.now().to_string();
    let told = house.get("/v1/orbit/moves?days=365").send().await.expect(200);
    assert_eq!(names(&told), ["complete", "from", "more", "moves", "namespace", "now", "until"]);
    assert_eq!(
        (&told["complete"], &told["more"], &told["namespace"]),
        (&json!(true), &json!(false), &json!("default"))
    );
    assert_eq!((&told["now"], &told["until"]), (&json!(now), &json!(now)));
    let moves = told["moves"].as_array().unwrap();
    assert_eq!(names(&moves[0]), ["at", "from", "id", "reason", "to"]);
    assert_eq!(
        (&moves[0]["id"], &moves[0]["from"], &moves[0]["reason"]),
        (&json!(id), &Value::Null, &json!("stored"))
    );
    assert_eq!(
        (&moves[1]["id"], &moves[1]["from"], &moves[1]["to"]),
        (&json!(id), &moves[0]["to"], &moves[2]["from"])
    );
    let late = house.get("/v1/orbit/moves").send().await.expect(200);
    assert!(late["moves"].as_array().unwrap().len() < moves.len(), "thirty days, when nothing is said");
    let ahead = house.get("/v1/orbit/moves?days=0&ahead_days=120").send().await.expect(200);
    let last = ahead["moves"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(
        (&last["id"], &last["to"], &last["reason"]),
        (&json!(id), &Value::Null, &json!("auto_forgotten"))
    );
    assert!(last["at"].as_str().unwrap() > now.as_str(), "{last}");
    assert_eq!(house.get(&format!("/v1/memories/{id}")).send().await.expect(200)["trashed_at"], Value::Null);
    let few = house.get("/v1/orbit/moves?days=365&limit=1").send().await.expect(200);
    assert_eq!((&few["more"], few["moves"].as_array().unwrap().len()), (&json!(true), 1));
}

#[tokio::test]
async fn a_memory_tells_why_it_is_where_it_is() {
    let (house, clock) = House::timed().await;
    let id = house.keep("default", "홍차와 红茶");
    clock.advance(SignedDuration::from_hours(14 * DAY));
    house.engine.reorbit(&Scope::All).unwrap();
    let orbit = house.get(&format!("/v1/memories/{id}/orbit")).send().await.expect(200);
    assert_eq!(names(&orbit), ["id", "moves", "parts", "pinned", "recalls", "score", "used_at", "zone"]);
    let parts = orbit["parts"].as_array().unwrap();
    assert_eq!(names(&parts[0]), ["name", "share", "value", "weight"]);
    assert_eq!((&parts[1]["name"], &parts[1]["value"]), (&json!("freshness"), &json!(0.5)));
    let shares: f64 = parts.iter().map(|part| part["share"].as_f64().unwrap()).sum();
    assert!((shares - orbit["score"].as_f64().unwrap()).abs() < 1e-5, "{orbit}");
    assert_eq!(orbit["moves"][0]["reason"], "stored");
    house
        .get("/v1/memories/00000000-0000-7000-8000-000000000000/orbit")
        .send()
        .await
        .problem(404, "not-found");
}

#[tokio::test]
async fn what_makes_no_sense_is_refused() {
    let house = House::open().await;
    for ask in [
        "/v1/orbit?limit=0",
        "/v1/orbit?limit=50001",
        "/v1/orbit?limit=-1",
        "/v1/orbit?namespace=",
        "/v1/orbit?namespace=a%2F%2Fb",
        "/v1/orbit?zone=core",
        "/v1/orbit/moves?days=366",
        "/v1/orbit/moves?days=many",
        "/v1/orbit/moves?ahead_days=366",
        "/v1/orbit/moves?ahead_days=-1",
        "/v1/orbit/moves?limit=0",
        "/v1/orbit/moves?limit=200001",
        "/v1/memories/none/orbit",
        "/v1/graph?limit=0",
        "/v1/graph?limit=20001",
        "/v1/graph?depth=1",
        "/v1/latencies?hours=0",
        "/v1/latencies?hours=721",
        "/v1/latencies?buckets=0",
        "/v1/latencies?buckets=501",
        "/v1/latencies?namespace=default",
    ] {
        house.get(ask).send().await.problem(400, "invalid-input");
    }
}

#[tokio::test]
async fn a_key_looks_where_it_points_and_nowhere_else() {
    let house = House::open().await;
    house.keep("ours", "우리의 것");
    let theirs = house.keep("theirs", "他们的");
    let key = house.key(Role::Reader, "ours");
    for path in ["/v1/orbit", "/v1/orbit/moves", "/v1/graph"] {
        let seen = house.get(path).key(&key).send().await.expect(200);
        assert_eq!(seen["namespace"], "ours", "{path}");
        assert!(!seen.to_string().contains(&theirs.to_string()));
        house.get(&format!("{path}?namespace=theirs")).key(&key).send().await.problem(403, "forbidden");
    }
    house.get(&format!("/v1/memories/{theirs}/orbit")).key(&key).send().await.problem(404, "not-found");
    let latencies = house.get("/v1/latencies").key(&key).send().await.expect(200);
    let stored = |told: &Value| {
        let parts = told["buckets"].as_array().unwrap();
        parts.iter().map(|part| part["stored"].as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!(stored(&latencies), 1);
    house.get("/v1/latencies?scope=theirs").key(&key).send().await.problem(403, "forbidden");
    let owner = house.key(Role::Reader, "*");
    assert_eq!(stored(&house.get("/v1/latencies").key(&owner).send().await.expect(200)), 2);
}

#[tokio::test]
async fn latencies_come_in_as_many_parts_as_asked_for() {
    let (house, clock) = House::timed().await;
    house.keep("default", "기억");
    house.post("/v1/recall", &json!({"query": "기억"})).send().await.expect(200);
    let told = house.get("/v1/latencies?hours=2&buckets=4").send().await.expect(200);
    assert_eq!(names(&told), ["bucket_seconds", "buckets", "complete", "from", "until"]);
    assert_eq!((&told["bucket_seconds"], &told["complete"]), (&json!(1800), &json!(true)));
    let parts = told["buckets"].as_array().unwrap();
    let fields = ["at", "max_micros", "measured", "p50_micros", "p95_micros", "recalls", "stored"];
    assert_eq!((parts.len(), names(&parts[0])), (4, fields.to_vec()));
    assert_eq!(
        (&parts[3]["recalls"], &parts[3]["stored"], &parts[0]["recalls"]),
        (&json!(1), &json!(1), &json!(0))
    );
    assert_eq!(parts[3]["measured"], u64::from(!parts[3]["p50_micros"].is_null()));
    assert!(told["from"].as_str().unwrap() < clock.now().to_string().as_str());
    let usual = house.get("/v1/latencies").send().await.expect(200);
    assert_eq!((&usual["bucket_seconds"], usual["buckets"].as_array().unwrap().len()), (&json!(900), 96));
}

#[tokio::test]
async fn the_graph_is_drawn_by_the_places_of_its_nodes() {
    let house = House::over(|options| options.graph.auto_link = false, |_| ()).await;
    let [a, b, c] = ["하나", "둘", "셋"].map(|content| house.keep("default", content));
    let edge = json!({"source": a, "target": b, "type": "sequence", "weight": 0.5});
    house.post("/v1/edges", &edge).send().await.expect(201);
    let graph = house.get("/v1/graph").send().await.expect(200);
    let fields = "communities edges modularity namespace nodes total_edges total_nodes";
    assert_eq!(names(&graph), fields.split(' ').collect::<Vec<_>>());
    let nodes = graph["nodes"].as_array().unwrap();
    assert_eq!(names(&nodes[0]), ["community", "degree", "id", "kind", "label", "rank", "zone"]);
    assert_eq!((&nodes[0]["id"], &nodes[0]["label"], &nodes[1]["id"]), (&json!(b), &json!("둘"), &json!(a)));
    assert_eq!((&nodes[0]["community"], &graph["communities"]), (&json!(0), &json!(1)));
    assert_eq!(graph["edges"], json!([{"source": 1, "target": 0, "type": "sequence", "weight": 0.5}]));
    assert!(!graph.to_string().contains(&c.to_string()), "what has no edges is not in it");
    let one = house.get("/v1/graph?limit=1").send().await.expect(200);
    assert_eq!(
        (&one["nodes"], &one["edges"], &one["total_nodes"]),
        (&json!([nodes[0]]), &json!([]), &json!(2))
    );
}

//! Requests as no well-meaning client would write them: two lengths, two hosts, folded lines, endless bodies, and
//! clients that begin and never end.

use std::net::SocketAddr;
use std::time::Duration;

use http_body_util::BodyExt as _;
use perihelion::Role;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::support::{Answer, House};

fn door(house: &House) -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], house.address.port()))
}

/// Sends bytes and gives everything that comes back until the server ends the connection.
async fn raw(house: &House, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(door(house)).await.unwrap();
    // A server that has refused already may have closed.
    stream.write_all(bytes).await.unwrap_or_default();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap_or_default();
    String::from_utf8_lossy(&answer).into_owned()
}

/// The statuses of all answers on a connection.
fn statuses(answers: &str) -> Vec<u16> {
    let heads = answers.split("HTTP/1.1 ").skip(1);
    heads.map(|head| head[..3].parse().unwrap()).collect()
}

fn kept(house: &House) -> u64 {
    house.engine.stats(&perihelion::Scope::All).unwrap().memories
}

const REMEMBER: &str = "POST /v1/memories HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";

#[tokio::test]
async fn a_request_with_two_lengths_hides_no_other() {
    // A connection that is kept open is waited for until the server ends it.
    let house = House::with(|settings| settings.pause_max = Duration::from_millis(500)).await;
    let hidden = "DELETE /v1/namespaces/default HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n";
    house.keep("default", "왜가리는 호수에 산다");
    let body = json!({"content": "x"}).to_string();
    let chunked = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    for head in [
        "content-length: 4\r\ntransfer-encoding: chunked\r\n".to_owned(),
        "transfer-encoding: chunked\r\ncontent-length: 4\r\n".to_owned(),
        format!("content-length: {}\r\ncontent-length: 4\r\n", body.len()),
        "content-length: +4\r\n".to_owned(),
        "content-length: 4, 5\r\n".to_owned(),
        "transfer-encoding: identity, chunked, identity\r\n".to_owned(),
        "transfer-encoding: xchunked\r\n".to_owned(),
        "transfer-encoding : chunked\r\n".to_owned(),
        "content-length : 4\r\n".to_owned(),
        "transfer-encoding:\r\n chunked\r\n".to_owned(),
        "x: a\r\n content-length: 4\r\n".to_owned(),
    ] {
        let answers = raw(&house, format!("{REMEMBER}{head}\r\n{chunked}{hidden}").as_bytes()).await;
        assert!(
            statuses(&answers).len() <= 1,
            "{head}: nothing follows what can be read in two ways\n{answers}"
        );
        assert!(kept(&house) >= 1, "{head}: what is hidden in a body is not done\n{answers}");
    }
    let old =
        format!("{}transfer-encoding: chunked\r\n\r\n{chunked}", REMEMBER.replace("HTTP/1.1", "HTTP/1.0"));
    assert_ne!(statuses(&raw(&house, old.as_bytes()).await.replace("HTTP/1.0 ", "HTTP/1.1 ")), [201]);
}

#[tokio::test]
async fn a_request_for_another_host_is_refused_however_it_is_written() {
    let house = House::open().await;
    for head in [
        "GET /v1/stats HTTP/1.1\r\nhost: evil.example\r\n",
        "GET /v1/stats HTTP/1.1\r\nhost: localhost\r\nhost: evil.example\r\n",
        "GET /v1/stats HTTP/1.1\r\nhost: evil.example\r\nhost: localhost\r\n",
        "GET http://evil.example/v1/stats HTTP/1.1\r\nhost: localhost\r\n",
        "GET http://localhost/v1/stats HTTP/1.1\r\nhost: evil.example\r\n",
        "GET /v1/stats HTTP/1.1\r\nhost: 127.0.0.1.evil.example\r\n",
        "GET /v1/stats HTTP/1.1\r\nhost: localhost@evil.example\r\n",
        "GET /v1/stats HTTP/1.1\r\nhost: evil.example\r\nx-forwarded-host: localhost\r\n",
        "GET /v1/stats HTTP/1.1\r\nhost: localhost\r\norigin: http://evil.example\r\n",
        "GET /v1/stats HTTP/1.1\r\nhost: localhost\r\norigin: null\r\n",
        "GET /v1/stats HTTP/1.1\r\n",
    ] {
        let answer = raw(&house, format!("{head}connection: close\r\n\r\n").as_bytes()).await;
        let status = statuses(&answer);
        assert!(matches!(status[..], [400 | 403 | 421]), "{head}: {answer}");
    }
    let fine = raw(
        &house,
        b"GET http://localhost/v1/stats HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n",
    )
    .await;
    assert_eq!(statuses(&fine), [200], "{fine}");
}

#[tokio::test]
async fn nothing_that_is_sent_becomes_a_header_of_the_answer() {
    let house = House::open().await;
    for id in ["a\tset-cookie: x", "%0d%0aset-cookie:x", "é", "a b"] {
        let request = format!(
            "GET /version HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nx-request-id: {id}\r\n\r\n"
        );
        let answer = raw(&house, request.as_bytes()).await;
        assert!(!answer.to_lowercase().contains("set-cookie"), "{answer}");
    }
    for path in
        ["/v1/memories/%0d%0aset-cookie:%20x", "/v1/nothing%0d%0aset-cookie:%20x", "/..%2f..%2fetc/passwd"]
    {
        let answer = raw(
            &house,
            format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").as_bytes(),
        )
        .await;
        let head = answer.split("\r\n\r\n").next().unwrap().to_lowercase();
        assert!(!head.contains("set-cookie") && !answer.contains("root:"), "{answer}");
    }
}

#[tokio::test]
async fn who_says_to_come_from_elsewhere_is_counted_where_they_are() {
    let house = House::with(|settings| settings.requests_per_minute = 3).await;
    house.key(Role::Reader, "*");
    let mut last = 0;
    for number in 0..4 {
        let from = format!("10.0.0.{number}");
        let ask = house.get("/v1/stats").key("peri_wrong").header("x-forwarded-for", &from);
        last = ask.header("forwarded", &format!("for={from}")).send().await.status;
    }
    assert_eq!(last, 429);
}

#[tokio::test]
async fn a_wrong_key_is_answered_like_one_that_never_was() {
    let house = House::open().await;
    let key = house.key(Role::Reader, "*");
    let wrong = format!("{}{}", &key[..key.len() - 1], if key.ends_with('a') { 'b' } else { 'a' });
    let unknown = key.replacen("peri_", "peri_z", 1);
    let unknown = format!("{}{}", &unknown[..13], &key[13..]);
    let told = |answer: &Answer| {
        let mut problem = answer.problem(401, "unauthenticated");
        problem["request_id"] = Value::Null;
        problem
    };
    let mut answers = Vec::new();
    for shown in [&wrong, &unknown, "peri_", "", &key[..20], &format!("{key}x")] {
        answers.push(told(&house.get("/v1/stats").key(shown).send().await));
    }
    assert!(answers.windows(2).all(|two| two[0] == two[1]), "{answers:?}");
}

#[tokio::test]
async fn bodies_that_are_made_to_fill_a_machine_are_refused_and_keep_nothing() {
    let house = House::with(|settings| settings.body_bytes_max = 256 * 1024).await;
    let deep = |open: &str, close: &str, levels: usize| {
        format!(
            "{{\"content\":\"x\",\"metadata\":{{\"a\":{}1{}}}}}",
            open.repeat(levels),
            close.repeat(levels)
        )
    };
    let many: String = (0..100_000).map(|_| "1,").collect();
    for (what, body) in [
        ("lists in lists", deep("[", "]", 50_000)),
        ("objects in objects", deep("{\"a\":", "}", 30_000)),
        ("a list that never ends", "[".repeat(200_000)),
        ("a number that never ends", format!("{{\"content\":\"x\",\"importance\":{}}}", "9".repeat(200_000))),
        ("a large exponent", "{\"content\":\"x\",\"importance\":1e999999999}".to_owned()),
        ("very many tags", format!("{{\"content\":\"x\",\"tags\":[{}\"t\"]}}", "\"t\",".repeat(50_000))),
        ("very many numbers", format!("{{\"content\":\"x\",\"tags\":[{many}1]}}")),
        (
            "the same field again and again",
            format!("{{{}\"content\":\"x\"}}", "\"content\":\"x\",".repeat(10_000)),
        ),
        ("more than the limit", format!("{{\"content\":\"{}\"}}", "가".repeat(100_000))),
    ] {
        let answer = house.post("/v1/memories", &Value::Null).raw("application/json", body).send().await;
        assert!(matches!(answer.status, 400 | 413 | 422), "{what}: {answer:?}");
    }
    let packed = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3].repeat(100);
    let ask = house.post("/v1/memories", &Value::Null).raw("application/json", packed);
    let answer = ask.header("content-encoding", "gzip").send().await;
    assert!(matches!(answer.status, 400 | 415), "packed bodies are not unpacked: {answer:?}");
    let head: String = (0..500).map(|number| format!("x-{number}: {}\r\n", "y".repeat(1000))).collect();
    let answer = raw(
        &house,
        format!("GET /version HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{head}\r\n").as_bytes(),
    )
    .await;
    assert_ne!(statuses(&answer), [200], "{answer}");
    assert_eq!(kept(&house), 0);
}

#[tokio::test]
async fn who_begins_and_never_ends_is_let_go_and_keeps_nobody_waiting() {
    let house = House::with(|settings| settings.pause_max = Duration::from_millis(100)).await;
    let mut events = house.get("/v1/events/stream?kind=stored").open().await.into_body();
    for begun in [
        String::new(),
        "GET /v1/stats HTTP/1.1\r\nhost: local".to_owned(),
        format!("{REMEMBER}content-length: 1000\r\n\r\n{{\"content\":"),
    ] {
        let mut stream = TcpStream::connect(door(&house)).await.unwrap();
        stream.write_all(begun.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        // It ends, which is all that matters; the test would wait for ever otherwise.
        stream.read_to_end(&mut answer).await.unwrap_or_default();
        assert!(!statuses(&String::from_utf8_lossy(&answer)).contains(&200));
    }
    // Somebody who only listens was not let go meanwhile.
    house.keep("default", "白鹭在湖边");
    let heard = events.frame().await.unwrap().unwrap().into_data().unwrap();
    assert!(!heard.is_empty());
}

#[tokio::test]
async fn more_connections_than_there_is_room_for_are_closed_and_make_room_when_they_go() {
    let house = House::with(|settings| settings.connections_max = 2).await;
    let held =
        [TcpStream::connect(door(&house)).await.unwrap(), TcpStream::connect(door(&house)).await.unwrap()];
    assert_eq!(
        raw(&house, b"GET /version HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").await,
        ""
    );
    drop(held);
    loop {
        let answer =
            raw(&house, b"GET /version HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").await;
        if !answer.is_empty() {
            assert_eq!(statuses(&answer), [200]);
            break;
        }
    }
}

#[tokio::test]
async fn a_packed_answer_has_a_tag_of_its_own_and_both_name_the_same_state() {
    let house = House::open().await;
    let id = house.keep("default", &"왜가리는 호수에 산다. ".repeat(200));
    let path = format!("/v1/memories/{id}");
    let plain = house.get(&path).send().await;
    let packed = house.get(&path).header("accept-encoding", "gzip").send().await;
    assert_eq!(packed.header("content-encoding"), "gzip");
    let (one, other) = (plain.header("etag").to_owned(), packed.header("etag").to_owned());
    assert!(one != other && one.starts_with('"') && other.starts_with('"'), "{one} {other}");
    for tag in [&one, &other] {
        let known =
            house.get(&path).header("if-none-match", tag).header("accept-encoding", "gzip").send().await;
        assert_eq!((known.status, known.header("etag")), (304, tag.as_str()));
    }
    let change = |content: &str, tag: &str| {
        house.patch(&path, &json!({ "content": content })).header("if-match", tag).send()
    };
    assert_eq!(
        change("weak", &format!("W/{other}")).await.status,
        412,
        "a weak tag is never enough to write"
    );
    let changed = change(&"白鹭".repeat(900), &other).await;
    changed.expect(200);
    assert_eq!(change("lost", &other).await.status, 412);
    assert_eq!(change("lost", &one).await.status, 412);
    house.delete(&path).header("if-match", changed.header("etag")).send().await.expect(200);
}

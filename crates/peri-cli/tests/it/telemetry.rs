//! Traces that a collector gets, and what a collector that is down costs: nothing.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};

use serde_json::{Value, json};

use super::served::Served;
use super::support::Peri;

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

/// A collector that keeps what it gets.
struct Collector {
    url: String,
    posts: Receiver<(String, Vec<u8>)>,
}

impl Collector {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (sender, posts) = channel();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut reader = BufReader::new(stream.unwrap());
                let (mut first, mut length) = (String::new(), 0);
                reader.read_line(&mut first).unwrap();
                loop {
                    let mut line = String::new();
                    reader.read_line(&mut line).unwrap();
                    if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                        length = value.trim().parse().unwrap();
                    }
                    if line.trim().is_empty() {
                        break;
                    }
                }
                let mut body = vec![0; length];
                reader.read_exact(&mut body).unwrap();
                // Kept before it is answered: whoever has the answer may leave, and is then asked about.
                if sender.send((first, body)).is_err() {
                    return;
                }
                reader.get_mut().write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").unwrap();
            }
        });
        Self { url, posts }
    }
}

fn recall(served: &Served, parent: &str) -> u16 {
    let headers = [("content-type", "application/json"), ("traceparent", parent)];
    served.ask("POST", "/v1/recall", &headers, &json!({"query": "tea"}).to_string()).status
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// The bytes that hexadecimal digits stand for.
fn hex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

#[test]
fn a_collector_gets_the_spans_of_a_request_in_the_trace_of_its_caller() {
    let collector = Collector::start();
    let peri = Peri::new().with("PERI_TELEMETRY_OTLP_ENDPOINT", &collector.url);
    peri.remember(&["Ana prefers green tea"]);
    let served = Served::with(&peri, &["-q"]);
    assert_eq!(recall(&served, &format!("00-{TRACE}-00f067aa0ba902b7-01")), 200);
    assert_eq!(served.end().code, Some(0));
    let posts: Vec<_> = collector.posts.try_iter().collect();
    assert!(posts.iter().all(|(first, _)| first.starts_with("POST /v1/traces ")), "{posts:?}");
    let bytes: Vec<u8> = posts.into_iter().flat_map(|(_, body)| body).collect();
    for name in ["perihelion", "POST /v1/recall", "recall", "request_id", "/v1/recall", "status"] {
        assert!(contains(&bytes, name.as_bytes()), "{name} is missing");
    }
    let (trace, parent) = (hex(TRACE), hex("00f067aa0ba902b7"));
    let traced = bytes.windows(16).filter(|window| *window == trace).count();
    assert!(traced >= 2, "the request and the call below it are of the caller's trace, not {traced} spans");
    assert!(contains(&bytes, &parent), "the request continues the caller's span");
    assert!(!contains(&bytes, b"green tea"), "traces hold no memories");
}

#[test]
fn a_call_of_a_tool_belongs_to_the_request_that_brought_it() {
    let collector = Collector::start();
    let peri = Peri::new().with("PERI_TELEMETRY_OTLP_ENDPOINT", &collector.url);
    let served = Served::with(&peri, &["-q"]);
    let speak = |session: &str, parent: &str, message: Value| {
        let headers = [
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
            ("mcp-session-id", session),
            ("traceparent", parent),
        ];
        let kept = if session.is_empty() { &headers[..2] } else { &headers[..] };
        served.ask("POST", "/mcp", kept, &message.to_string())
    };
    let client = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    let greeted = speak("", "", json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}));
    let session = greeted.head.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).unwrap();
    speak(session, "none", json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let params = json!({"name": "memory_recall", "arguments": {"query": "tea"}});
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params});
    let answer = speak(session, &format!("00-{TRACE}-00f067aa0ba902b7-01"), call);
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(served.end().code, Some(0));
    let bytes: Vec<u8> = collector.posts.try_iter().flat_map(|(_, body)| body).collect();
    assert!(contains(&bytes, b"memory_recall") && contains(&bytes, b"POST /mcp"));
    let traced = bytes.windows(16).filter(|window| *window == hex(TRACE)).count();
    assert_eq!(traced, 2, "the request and the tool");
}

#[test]
fn a_collector_that_is_down_costs_nothing_and_is_told_once() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", free.local_addr().unwrap());
    drop(free);
    let peri = Peri::new().with("PERI_TELEMETRY_OTLP_ENDPOINT", &url);
    let served = Served::start(&peri);
    for _ in 0..20 {
        assert_eq!(recall(&served, "nonsense"), 200);
    }
    let ended = served.end();
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(ended.log.matches("traces cannot be sent").count(), 1, "{}", ended.log);
}

#[test]
fn a_collector_that_never_answers_holds_nobody_up() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    let peri = Peri::new().with("PERI_TELEMETRY_OTLP_ENDPOINT", &url).with("PERI_SERVER_GRACE_SECONDS", "0");
    let served = Served::start(&peri);
    assert_eq!(recall(&served, "nonsense"), 200);
    assert_eq!(served.end().code, Some(0));
}

#[test]
fn without_an_endpoint_nothing_is_sent_whatever_the_environment_says() {
    let collector = Collector::start();
    let peri = Peri::new().with("OTEL_EXPORTER_OTLP_ENDPOINT", &collector.url);
    let served = Served::start(&peri);
    assert_eq!(recall(&served, "nonsense"), 200);
    assert_eq!(served.end().code, Some(0));
    assert_eq!(collector.posts.try_iter().count(), 0);
}

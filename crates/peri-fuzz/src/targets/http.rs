//! Requests over HTTP, from the first byte on.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use peri_http::{Server, Settings};
use perihelion::{Chores, EngineChoice, Options, Perihelion, Remember};
use serde_json::Value;

use crate::given;

/// The server of this process, which runs for as long as that does.
static ADDRESS: LazyLock<SocketAddr> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder for the engine");
    let options = Options { chores: Chores::ByHand, engine: EngineChoice::Off, ..Options::at(folder.path()) };
    let engine = Arc::new(Perihelion::open(options).expect("an engine opens"));
    engine.remember(Remember::new("Ana prefers tea.")).expect("a memory is kept");
    let listen = SocketAddr::from(([127, 0, 0, 1], 0));
    let settings = Settings { listen, requests_per_minute: 0, ..Settings::default() };
    let server = Server::bind(engine, settings).expect("a free port");
    let address = server.address();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    std::thread::spawn(move || {
        let _folder = folder;
        runtime.expect("a runtime").block_on(server.run(std::future::pending::<()>()))
    });
    address
});

/// What works for long or has no end.
const LEFT_OUT: [&str; 7] = ["/stream", "workers", "sample", "mcp", "embeddings", "train", "maintain"];

/// Requests, with a line of method and path, lines of headers, a blank line and a body; or raw bytes, if the first is `!`. Whatever
/// comes, there is an answer or the connection ends; none is an internal error, and every refusal is a problem in JSON.
pub(crate) fn http_requests(data: &[u8]) {
    let raw = data.strip_prefix(b"!");
    let request = raw.map_or_else(|| composed(data), <[u8]>::to_vec);
    let head = given::text(&request).to_ascii_lowercase();
    if LEFT_OUT.iter().any(|word| head.contains(word)) {
        return;
    }
    let mut stream = TcpStream::connect(*ADDRESS).expect("the server listens");
    stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a timeout");
    // A server that has seen enough may close before it has read everything.
    if stream.write_all(&request).is_err() {
        return;
    }
    // What does not say that it ends has to be ended; what does is waited for.
    if raw.is_some() && stream.shutdown(std::net::Shutdown::Write).is_err() {
        return;
    }
    let mut answer = Vec::new();
    match stream.read_to_end(&mut answer) {
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => {}
        // A connection may be kept open behind an answer.
        Err(error) => assert!(!answer.is_empty(), "no answer: {error}"),
    }
    check(&answer);
}

/// The request with the host of the server and the length of the body.
fn composed(data: &[u8]) -> Vec<u8> {
    let at = data.windows(2).position(|two| two == b"\n\n").unwrap_or(data.len());
    let (head, body) = (&data[..at], data.get(at + 2..).unwrap_or_default());
    let head = given::text(head);
    let mut lines = head.lines();
    let mut request = format!("{} HTTP/1.1\r\nhost: {}\r\n", lines.next().unwrap_or("GET /"), *ADDRESS);
    lines.filter(|line| !line.trim().is_empty()).for_each(|line| request.push_str(&format!("{line}\r\n")));
    request.push_str(&format!("content-length: {}\r\nconnection: close\r\n\r\n", body.len()));
    let mut request = request.into_bytes();
    request.extend_from_slice(body);
    request
}

fn check(answer: &[u8]) {
    let text = String::from_utf8_lossy(answer);
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return };
    assert!(!head.starts_with("HTTP/1.1 500"), "{}", given::head(&text));
    let head = head.to_ascii_lowercase();
    if head.contains("application/problem+json") && !head.contains("transfer-encoding") {
        let length = head.split("content-length: ").nth(1).and_then(|rest| rest.lines().next());
        let length = length.and_then(|length| length.trim().parse::<usize>().ok()).unwrap_or(body.len());
        let problem: Value = serde_json::from_str(body.get(..length).unwrap_or(body))
            .unwrap_or_else(|error| panic!("{error}: {body}"));
        assert!(problem["title"].is_string() && problem["status"].is_u64(), "{problem}");
    }
}

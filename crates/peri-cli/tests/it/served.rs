//! Programs that stay: started beside the test, asked, and told to end.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::thread::JoinHandle;

use serde_json::{Value, json};

use super::support::Peri;

/// A process and what it says on standard error.
struct Running {
    child: Child,
    log: Option<JoinHandle<String>>,
}

impl Running {
    fn start(peri: &Peri, args: &[&str]) -> Self {
        let mut command = peri.process();
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut errors = child.stderr.take().unwrap();
        let log = std::thread::spawn(move || {
            let mut text = String::new();
            errors.read_to_string(&mut text).unwrap();
            text
        });
        Self { child, log: Some(log) }
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(std::process::Command::new("kill").args([name, &id]).status().unwrap().success());
    }

    fn wait(mut self) -> Ended {
        let code = self.child.wait().unwrap().code();
        Ended { code, log: self.log.take().unwrap().join().unwrap() }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // A test that failed leaves nothing behind; one that went well has waited already.
        self.child.kill().unwrap_or_default();
        self.child.wait().unwrap();
    }
}

/// How a process ended.
#[derive(Debug)]
pub struct Ended {
    /// None if a signal ended it.
    pub code: Option<i32>,
    pub log: String,
}

/// `peri serve` on a free port.
pub struct Served {
    running: Running,
    /// The first line that it said.
    pub first: String,
    address: SocketAddr,
    out: BufReader<ChildStdout>,
}

impl Served {
    pub fn start(peri: &Peri) -> Self {
        Self::with(peri, &[])
    }

    /// The same with further arguments.
    pub fn with(peri: &Peri, args: &[&str]) -> Self {
        let mut running = Running::start(peri, &[&["serve", "--listen", "127.0.0.1:0"], args].concat());
        let mut out = BufReader::new(running.child.stdout.take().unwrap());
        let mut first = String::new();
        out.read_line(&mut first).unwrap();
        let Some((_, after)) = first.split_once("://") else {
            panic!("it did not start: {:?}", running.wait());
        };
        let address = after.split(['"', '\n']).next().unwrap().parse().unwrap();
        Self { running, first, address, out }
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Sends a request and waits for the whole answer.
    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut open = self.begin(method, path, headers, body.len());
        open.go_on(body);
        open.answer()
    }

    pub fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[], "")
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.ask("POST", path, &[("content-type", "application/json")], &body.to_string())
    }

    /// Sends a request's head; the body follows when the test says so.
    pub fn begin(&self, method: &str, path: &str, headers: &[(&str, &str)], length: usize) -> Open {
        let mut head =
            format!("{method} {path} HTTP/1.1\r\nconnection: close\r\ncontent-length: {length}\r\n");
        if !headers.iter().any(|(name, _)| *name == "host") {
            head.push_str(&format!("host: {}\r\n", self.address));
        }
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.write_all(format!("{head}\r\n").as_bytes()).unwrap();
        Open(stream)
    }

    /// A request that the server has begun to answer and that waits for the rest of its body.
    pub fn begin_remembering(&self, content: &str) -> (Open, String) {
        let before = self.under_way();
        let body = json!({ "content": content }).to_string();
        let (first, rest) = body.split_at(5);
        let json = ("content-type", "application/json");
        let mut open = self.begin("POST", "/v1/memories", &[json], body.len());
        open.go_on(first);
        while self.under_way() <= before {}
        (open, rest.to_owned())
    }

    fn under_way(&self) -> u64 {
        self.number("peri_http_requests_under_way")
    }

    /// A number among the metrics.
    pub fn number(&self, name: &str) -> u64 {
        let text = self.get("/metrics").body;
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("{name} is not among {text}")).parse().unwrap()
    }

    /// Asks it to end.
    pub fn terminate(&self) {
        self.running.signal("-TERM");
    }

    /// Waits until it says that it is not ready.
    pub fn wait_until_stopping(&self) {
        while self.get("/health/ready").status == 200 {}
    }

    /// Waits for its end, and gives what it said after the first line as well.
    pub fn wait(mut self) -> (Ended, String) {
        let mut rest = String::new();
        self.out.read_to_string(&mut rest).unwrap();
        (self.running.wait(), rest)
    }

    /// Asks it to end and waits.
    pub fn end(self) -> Ended {
        self.terminate();
        self.wait().0
    }
}

/// A request that is under way.
pub struct Open(TcpStream);

impl Open {
    pub fn go_on(&mut self, body: &str) {
        self.0.write_all(body.as_bytes()).unwrap();
    }

    /// The whole answer; its status is 0 if the connection was closed without one.
    pub fn answer(mut self) -> Answer {
        let mut bytes = Vec::new();
        // Whoever closes while something is still to be read resets the connection.
        self.0.read_to_end(&mut bytes).unwrap_or_default();
        let text = String::from_utf8(bytes).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).map_or(0, |status| status.parse().unwrap());
        Answer { status, head: head.to_lowercase(), body: body.to_owned() }
    }
}

/// What the server answered.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

/// `peri mcp` with a client that speaks line by line.
pub struct Talk {
    running: Running,
    said: Option<ChildStdin>,
    heard: BufReader<ChildStdout>,
    next: u64,
}

impl Talk {
    pub fn start(peri: &Peri, args: &[&str]) -> Self {
        let mut running = Running::start(peri, &[&["mcp"], args].concat());
        let said = running.child.stdin.take();
        let heard = BufReader::new(running.child.stdout.take().unwrap());
        Self { running, said, heard, next: 1 }
    }

    pub fn say(&mut self, message: &Value) {
        writeln!(self.said.as_mut().unwrap(), "{message}").unwrap();
    }

    pub fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.heard.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("not JSON: {line:?}"))
    }

    /// Calls a method; the answer is heard later.
    pub fn call(&mut self, method: &str, params: Value) {
        self.say(&json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}));
        self.next += 1;
    }

    /// Greets the server and gives what it says of itself.
    pub fn greet(&mut self, capabilities: Value) -> Value {
        let client = json!({"name": "test", "version": "1"});
        let params =
            json!({"protocolVersion": "2025-06-18", "capabilities": capabilities, "clientInfo": client});
        self.call("initialize", params);
        let answer = self.hear()["result"].take();
        self.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        answer
    }

    /// Calls a tool and gives its answer.
    pub fn tool(&mut self, name: &str, arguments: Value) -> Value {
        self.call("tools/call", json!({"name": name, "arguments": arguments}));
        self.hear()["result"].take()
    }

    /// Leaves, and waits for the server's end.
    pub fn leave(mut self) -> Ended {
        self.said = None;
        self.running.wait()
    }
}

//! The same question as an MCP tool call: over streamable HTTP, and over standard input and output.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use perihelion::Namespace;
use serde_json::{Value, json};

use super::client::Connection;
use super::load::{Caller, Failure};
use super::server;
use crate::Outcome;
use crate::speed::figures::timed;

const PATH: &str = "/mcp";
const VERSION: &str = "2025-06-18";
const ACCEPT: (&str, &str) = ("accept", "application/json, text/event-stream");

/// Calls of `memory_recall`, one for each question.
pub(super) fn calls(questions: &[String], limit: usize) -> Outcome<Vec<Vec<u8>>> {
    let namespace = Namespace::default().to_string();
    let call = |(at, question): (usize, &String)| {
        let arguments = json!({"query": question, "limit": limit, "namespace": namespace});
        let params = json!({"name": "memory_recall", "arguments": arguments});
        let call = json!({"jsonrpc": "2.0", "id": at + 1, "method": "tools/call", "params": params});
        Ok(serde_json::to_vec(&call)?)
    };
    questions.iter().enumerate().map(call).collect()
}

fn greeting() -> Value {
    let client = json!({"name": "peri-bench", "version": env!("CARGO_PKG_VERSION")});
    let params = json!({"protocolVersion": VERSION, "capabilities": {}, "clientInfo": client});
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
}

fn greeted() -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/initialized"})
}

/// A caller over HTTP, greeted and with a session of its own.
pub(super) fn over_http<'a>(mut connection: Connection, calls: &'a [Vec<u8>]) -> Outcome<Caller<'a>> {
    let answer = connection.post(PATH, &[ACCEPT], &serde_json::to_vec(&greeting())?)?;
    let session = answer.session.clone().ok_or("the MCP server opened no session")?;
    answer.success()?;
    let send = move |connection: &mut Connection, body: &[u8]| {
        let headers = [ACCEPT, ("mcp-session-id", &session), ("mcp-protocol-version", VERSION)];
        connection.post(PATH, &headers, body)
    };
    send(&mut connection, &serde_json::to_vec(&greeted())?)?.success()?;
    let mut calls = calls.iter().cycle();
    Ok(Box::new(move || {
        let body = calls.next().ok_or("there are no questions")?;
        let (time, answer) = timed(|| send(&mut connection, body));
        check(&String::from_utf8(answer?.success()?)?)?;
        Ok(time)
    }))
}

/// A client's own server process, ended by closing its input.
struct Process {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    line: String,
}

/// A caller over standard input and output of a process that it starts, and the number of that.
pub(super) fn over_stdio<'a>(folder: &Path, calls: &'a [Vec<u8>]) -> Outcome<(u32, Caller<'a>)> {
    let mut command = Command::new(server::peri()?);
    command.arg("--home").arg(folder).arg("mcp").stdin(Stdio::piped()).stdout(Stdio::piped());
    command.stderr(File::create(folder.with_extension("mcp.log"))?);
    let mut child = command.spawn()?;
    let output = BufReader::new(child.stdout.take().ok_or("the MCP server has no output")?);
    let mut process = Process { input: child.stdin.take(), output, child, line: String::new() };
    process.send(&serde_json::to_vec(&greeting())?).and_then(|()| process.receive())?;
    process.send(&serde_json::to_vec(&greeted())?)?;
    let number = process.child.id();
    let mut calls = calls.iter().cycle();
    let caller: Caller<'a> = Box::new(move || {
        let call = calls.next().ok_or("there are no questions")?;
        let (time, answered) = timed(|| process.send(call).and_then(|()| process.receive()));
        answered?;
        check(&process.line)?;
        Ok(time)
    });
    Ok((number, caller))
}

impl Process {
    fn send(&mut self, message: &[u8]) -> std::io::Result<()> {
        let Some(input) = &mut self.input else { return Err(std::io::ErrorKind::BrokenPipe.into()) };
        let mut line = message.to_vec();
        line.push(b'\n');
        input.write_all(&line)
    }

    fn receive(&mut self) -> std::io::Result<()> {
        self.line.clear();
        match self.output.read_line(&mut self.line)? {
            0 => Err(std::io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.input = None;
        if let Err(error) = self.child.wait() {
            eprintln!("the MCP server did not end: {error}");
        }
    }
}

/// Whether a call was answered with a result. Reading it in full is not the client's cost to be measured.
fn check(answer: &str) -> Result<(), Failure> {
    if answer.contains("\"result\"") && !answer.contains("\"isError\":true") {
        return Ok(());
    }
    Err(format!("the MCP server answered {answer}").into())
}

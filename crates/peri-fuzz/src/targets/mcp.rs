//! Messages of MCP clients.

use std::sync::Arc;
use std::time::Duration;

use peri_mcp::{Families, MemoryServer, Settings, SharedEngine};
use perihelion::{Chores, EngineChoice, Options, Perihelion};
use rmcp::ServiceExt as _;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::runtime::Runtime;

use crate::given;

struct Face {
    engine: SharedEngine,
    runtime: Runtime,
    _folder: TempDir,
}

thread_local! {
    static FACE: Face = {
        let folder = tempfile::tempdir().expect("a folder for the engine");
        let options = Options { chores: Chores::ByHand, engine: EngineChoice::Off, ..Options::at(folder.path()) };
        let engine = SharedEngine::open(Arc::new(Perihelion::open(options).expect("an engine opens")));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        Face { engine, runtime, _folder: folder }
    };
}

/// Tools that work for long, or leave the engine for the disk of this machine.
const LEFT_OUT: [&str; 4] = ["worker", "maintain", "export", "import"];

/// Arguments of tools, and whole messages: whatever comes, the next call is answered, and every answer is JSON.
pub(crate) fn mcp_messages(data: &[u8]) {
    let text = given::text(data);
    if LEFT_OUT.iter().any(|name| text.contains(name)) {
        return;
    }
    // One line is one message; a line break would end it.
    let line = text.replace(['\n', '\r'], " ");
    let message = match line.split_once(' ') {
        // A tool's name and its arguments, so that a fuzzer need not find the rest of the message.
        Some((tool, arguments)) if tool.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_') => {
            format!(
                r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"name":{},"arguments":{arguments}}}}}"#,
                Value::from(tool)
            )
        }
        _ => line,
    };
    FACE.with(|face| face.runtime.block_on(exchange(face, &message)));
}

async fn exchange(face: &Face, message: &str) {
    let settings = Settings { families: Families::all(), ..Settings::default() };
    let server = MemoryServer::new(face.engine.clone(), Arc::new(settings));
    let (ours, theirs) = tokio::io::duplex(1 << 22);
    let serving = tokio::spawn(async move {
        if let Ok(running) = server.serve(theirs).await {
            drop(running.waiting().await);
        }
    });
    let (reader, mut writer) = tokio::io::split(ours);
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "f", "version": "1"}}});
    let ready = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let ping = r#"{"jsonrpc":"2.0","id":"last","method":"ping"}"#;
    let said = format!("{hello}\n{ready}\n{message}\n{ping}\n");
    writer.write_all(said.as_bytes()).await.expect("the server listens");
    let mut lines = BufReader::new(reader).lines();
    let answered = tokio::time::timeout(Duration::from_secs(20), async {
        while let Some(line) = lines.next_line().await.expect("the server answers") {
            let answer: Value = serde_json::from_str(&line).expect("an answer is JSON");
            if answer["id"] == "last" {
                return true;
            }
        }
        false
    });
    assert_eq!(answered.await, Ok(true), "the call after it is answered");
    serving.abort();
}

//! A server on this machine that answers as a model would that a test has made up.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

use parking_lot::Mutex;
use peri_companion::{
    Condensed, Condensing, Model, ModelSettings, Observed, Observing, PROMPTS, Promoting, Promotion,
    ThinkError, Thinker,
};
use peri_llm::{Address, Client, Pace, Prompts, Provider, Settings};
use peri_types::Clock;
use serde_json::{Value, json};
use tempfile::TempDir;

/// What the server sends.
pub enum Reply {
    /// An answer of the model in these words.
    Says(String),
    /// An answer that was cut off.
    Cut(String),
    /// An error of the server.
    Status(u16),
    /// Bytes that are no answer at all.
    Bytes(String),
}

/// What the model is asked, as the test reads it.
pub struct Asked {
    /// The notes, messages and candidates.
    pub data: Value,
    /// The names of what has to be in the answer.
    pub wanted: Vec<String>,
}

type Script = dyn FnMut(&Asked) -> Reply + Send;

/// A thinker that asks such a server.
pub struct Scripted {
    pub model: Model,
    pub asked: Arc<Mutex<Vec<Value>>>,
    _folder: TempDir,
}

impl Scripted {
    pub fn new(clock: &Clock, script: impl FnMut(&Asked) -> Reply + Send + 'static) -> Self {
        Self::with(clock, script, |_| {}, ModelSettings::default())
    }

    pub fn with(
        clock: &Clock,
        script: impl FnMut(&Asked) -> Reply + Send + 'static,
        change: impl FnOnce(&mut Settings),
        settings: ModelSettings,
    ) -> Self {
        let asked: Arc<Mutex<Vec<Value>>> = Arc::default();
        let address = serve(Box::new(script), Arc::clone(&asked));
        let mut own = Settings::new(Provider::OpenAi, Address::parse(&address).unwrap(), "scripted");
        own.seed = Some(7);
        own.tokens_per_day = 100_000_000;
        change(&mut own);
        let folder = tempfile::tempdir().unwrap();
        // The waits of the client pass on a clock of their own.
        let waits = Pace::manual(&Clock::manual(clock.now()));
        let client = Client::with_pace(own, clock.clone(), folder.path(), waits).unwrap();
        let prompts = Prompts::load(&PROMPTS, None).unwrap();
        Self { model: Model::new(client, prompts, settings), asked, _folder: folder }
    }
}

impl Thinker for Scripted {
    fn observe(&self, given: &Observing<'_>) -> Result<Observed, ThinkError> {
        self.model.observe(given)
    }

    fn reflect(&self, given: &Condensing<'_>) -> Result<Condensed, ThinkError> {
        self.model.reflect(given)
    }

    fn promote(&self, given: &Promoting<'_>) -> Result<Promotion, ThinkError> {
        self.model.promote(given)
    }

    fn compact(&self, given: &Condensing<'_>) -> Result<Condensed, ThinkError> {
        self.model.compact(given)
    }
}

fn serve(mut script: Box<Script>, asked: Arc<Mutex<Vec<Value>>>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = connection.unwrap();
            let Some(body) = hear(&mut connection) else { continue };
            asked.lock().push(body.clone());
            let reply = script(&understood(&body));
            drop(connection.write_all(written(reply).as_bytes()));
        }
    });
    address
}

fn understood(body: &Value) -> Asked {
    let text = |at: usize| body["messages"][at]["content"].as_str().unwrap_or_default().to_owned();
    let schema = &body["response_format"]["json_schema"]["schema"]["properties"];
    Asked {
        data: serde_json::from_str(&text(1)).unwrap(),
        wanted: schema.as_object().map(|own| own.keys().cloned().collect()).unwrap_or_default(),
    }
}

fn written(reply: Reply) -> String {
    let answer = |content: &str, finish: &str| {
        json!({
            "model": "scripted-1",
            "choices": [{"finish_reason": finish, "message": {"role": "assistant", "content": content}}],
            "usage": {"prompt_tokens": 50, "completion_tokens": 10},
        })
        .to_string()
    };
    let (status, body) = match reply {
        Reply::Says(content) => (200, answer(&content, "stop")),
        Reply::Cut(content) => (200, answer(&content, "length")),
        Reply::Status(status) => (status, json!({"error": {"message": "no"}}).to_string()),
        Reply::Bytes(bytes) => (200, bytes),
    };
    format!("HTTP/1.1 {status} x\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}", body.len())
}

/// Reads a request to its end.
fn hear(connection: &mut TcpStream) -> Option<Value> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 8192];
    loop {
        let read = connection.read(&mut buffer).ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(&buffer[..read]);
        let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length:"))?;
        if bytes.len() >= end + 4 + length.trim().parse::<usize>().unwrap() {
            return serde_json::from_slice(&bytes[end + 4..]).ok();
        }
    }
}

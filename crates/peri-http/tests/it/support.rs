//! What the tests share: a server on a free port over a temporary store, and a small client.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::http::{HeaderMap, Method, Request, Response, header};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper_util::rt::TokioIo;
use jiff::tz::TimeZone;
use peri_http::{Server, Settings};
use perihelion::{Chores, Clock, EngineChoice, MemoryId, NewKey, Options, Perihelion, Remember, Role, Scope};
use serde_json::Value;
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// A server that runs until it is dropped or told to stop.
pub struct House {
    pub engine: Arc<Perihelion>,
    pub address: SocketAddr,
    stop: oneshot::Sender<()>,
    running: JoinHandle<Result<(), peri_http::ServeError>>,
    folder: TempDir,
}

impl House {
    /// A server with the usual settings on a free port of this machine.
    pub async fn open() -> Self {
        Self::with(|_| ()).await
    }

    /// The same with other settings.
    pub async fn with(change: impl FnOnce(&mut Settings)) -> Self {
        Self::over(|_| (), change).await
    }

    /// The same with another engine as well.
    pub async fn over(change_engine: impl FnOnce(&mut Options), change: impl FnOnce(&mut Settings)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut options = Options { chores: Chores::ByHand, ..Options::at(folder.path()) };
        // Weeks pass in these tests without anybody asking for anything.
        options.orbit.decay.idle_time = perihelion::IdleTime::Calendar;
        change_engine(&mut options);
        let engine = Arc::new(Perihelion::open(options).unwrap());
        let mut settings = settings();
        change(&mut settings);
        Self::serve(folder, engine, settings)
    }

    /// A server with a clock that a test moves, in UTC, without an embedding engine.
    pub async fn timed() -> (Self, Clock) {
        let clock = Clock::manual("2026-03-04T05:06:07Z".parse().unwrap());
        let twin = clock.clone();
        let timed = |options: &mut Options| {
            options.engine = EngineChoice::Off;
            options.time_zone = TimeZone::UTC;
            options.clock = twin;
        };
        (Self::over(timed, |_| ()).await, clock)
    }

    /// A server over an engine that is there already.
    pub fn serve(folder: TempDir, engine: Arc<Perihelion>, settings: Settings) -> Self {
        Self::serve_with(folder, engine, settings, |server| server)
    }

    /// The same with other parts.
    pub fn serve_with(
        folder: TempDir,
        engine: Arc<Perihelion>,
        settings: Settings,
        change: impl FnOnce(Server) -> Server,
    ) -> Self {
        let server = change(Server::bind(Arc::clone(&engine), settings).unwrap());
        let address = server.address();
        let (stop, stopped) = oneshot::channel::<()>();
        let running = tokio::spawn(server.run(async move { stopped.await.unwrap_or_default() }));
        Self { engine, address, stop, running, folder }
    }

    /// Stops the server and waits until everything that was begun has ended; the store is left.
    pub async fn stop(self) -> (TempDir, Arc<Perihelion>) {
        self.stop.send(()).unwrap_or_default();
        self.running.await.unwrap().unwrap();
        (self.folder, self.engine)
    }

    /// Creates a key and gives its secret.
    pub fn key(&self, role: Role, scope: &str) -> String {
        let scope: Scope = scope.parse().unwrap();
        self.engine.create_key(NewKey { name: format!("{role} of {scope}"), role, scope }).unwrap().secret
    }

    /// Stores a memory past the server.
    pub fn keep(&self, namespace: &str, content: &str) -> MemoryId {
        let request = Remember::new(content).in_namespace(namespace.parse().unwrap());
        self.engine.remember(request).unwrap().id
    }

    pub fn get(&self, path: &str) -> Ask {
        self.ask(Method::GET, path)
    }

    pub fn post(&self, path: &str, body: &Value) -> Ask {
        self.ask(Method::POST, path).json(body)
    }

    pub fn put(&self, path: &str, body: &Value) -> Ask {
        self.ask(Method::PUT, path).json(body)
    }

    pub fn patch(&self, path: &str, body: &Value) -> Ask {
        self.ask(Method::PATCH, path).json(body)
    }

    pub fn delete(&self, path: &str) -> Ask {
        self.ask(Method::DELETE, path)
    }

    /// A request to be sent.
    pub fn ask(&self, method: Method, path: &str) -> Ask {
        let request = Request::builder().method(method).uri(path);
        let request = request.header(header::HOST, self.address.to_string()).body(Bytes::new()).unwrap();
        let port = self.address.port();
        Ask { address: SocketAddr::from(([127, 0, 0, 1], port)), request }
    }
}

/// Settings on a free port, without a limit on how often somebody asks.
pub fn settings() -> Settings {
    let listen = SocketAddr::from(([127, 0, 0, 1], 0));
    Settings { listen, requests_per_minute: 0, ..Settings::default() }
}

/// A request to be sent.
pub struct Ask {
    address: SocketAddr,
    request: Request<Bytes>,
}

impl Ask {
    /// Shows a key.
    pub fn key(self, secret: &str) -> Self {
        self.header("authorization", &format!("Bearer {secret}"))
    }

    /// Sets a header, in the place of one that is there.
    pub fn header(mut self, name: &'static str, value: &str) -> Self {
        self.request.headers_mut().insert(name, value.parse().unwrap());
        self
    }

    pub fn json(self, body: &Value) -> Self {
        self.raw("application/json", body.to_string())
    }

    /// A body of any type.
    pub fn raw(mut self, media_type: &str, body: impl Into<Bytes>) -> Self {
        *self.request.body_mut() = body.into();
        self.header("content-type", media_type)
    }

    /// Sends it and waits for the whole answer.
    pub async fn send(self) -> Answer {
        let (parts, body) = self.open().await.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        Answer { status: parts.status.as_u16(), headers: parts.headers, body }
    }

    /// Sends it on a connection of its own and waits for the head of the answer.
    pub async fn open(self) -> Response<Incoming> {
        let stream = TcpStream::connect(self.address).await.unwrap();
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
        // The connection lives as long as somebody reads the answer; how it ends shows in the answer.
        tokio::spawn(async move { connection.await.unwrap_or_default() });
        sender.send_request(self.request.map(Full::new)).await.unwrap()
    }
}

/// A whole answer.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Answer {
    /// A header as text, empty if it is not there.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    /// The body, which must be JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {:?}", self.body))
    }

    /// The body, once the status is as expected.
    #[track_caller]
    pub fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", String::from_utf8_lossy(&self.body));
        if self.body.is_empty() { Value::Null } else { self.json() }
    }

    /// The problem, once status and kind are as expected and it is well-formed.
    #[track_caller]
    pub fn problem(&self, status: u16, kind: &str) -> Value {
        assert_eq!(self.status, status, "{}", String::from_utf8_lossy(&self.body));
        assert_eq!(self.header("content-type"), "application/problem+json");
        let problem = self.json();
        assert_eq!(problem["type"], format!("/problems/{kind}"), "{problem}");
        assert_eq!(problem["status"], status, "{problem}");
        assert_eq!(problem["request_id"], self.header("x-request-id"), "{problem}");
        problem
    }
}

//! How clients reach the server: standard input and output, or streamable HTTP.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use rmcp::ServiceExt;
use rmcp::transport::streamable_http_server::StreamableHttpServerConfig;
use rmcp::transport::streamable_http_server::StreamableHttpService;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use tokio::sync::oneshot;

use crate::engine::SharedEngine;
use crate::server::{MemoryServer, Settings};
use crate::timed::Timed;

/// How the service over HTTP behaves.
#[derive(Debug, Clone)]
pub struct HttpSettings {
    /// Largest request, in bytes.
    pub body_bytes_max: usize,
    /// How long a client that says nothing keeps its session.
    pub idle_timeout: Duration,
    /// Is told how long tools took.
    pub timed: Timed,
}

/// The sessions of a service over HTTP.
pub struct Sessions(Arc<LocalSessionManager>);

impl Sessions {
    /// How many are open.
    pub async fn open(&self) -> u64 {
        self.0.sessions.read().await.len() as u64
    }

    /// The names of those that are open.
    pub async fn names(&self) -> HashSet<String> {
        self.0.sessions.read().await.keys().map(ToString::to_string).collect()
    }
}

/// The service to mount; the face around it checks keys, hosts and origins.
pub type McpService = StreamableHttpService<MemoryServer, LocalSessionManager>;

/// Serves the client at the other end of standard input and output until it leaves.
pub async fn serve_stdio(engine: SharedEngine, settings: Settings) -> std::io::Result<()> {
    let server = MemoryServer::new(engine, Arc::new(settings));
    let running = match server.serve(rmcp::transport::stdio()).await {
        Ok(running) => running,
        // A client that leaves before it has spoken is no failure.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(std::io::Error::other(error.to_string())),
    };
    running.waiting().await.map(|_| ()).map_err(std::io::Error::other)
}

/// The server as a service under a path of an HTTP server, its sessions, and what ends all its streams when it is
/// dropped.
pub fn http_service(
    engine: SharedEngine,
    settings: Settings,
    http: &HttpSettings,
) -> (McpService, Sessions, oneshot::Sender<()>) {
    let settings = Arc::new(settings);
    let mut sessions = LocalSessionManager::default();
    sessions.session_config.keep_alive = Some(http.idle_timeout);
    let (stop, stopped) = oneshot::channel();
    let mut config = StreamableHttpServerConfig::default();
    // The face in front has checked both for every route alike.
    config = config.disable_allowed_hosts();
    config.max_request_body_bytes = http.body_bytes_max;
    let token = config.cancellation_token.clone();
    tokio::spawn(async move {
        // Sent or dropped: either way it is time to end.
        stopped.await.unwrap_or_default();
        token.cancel();
    });
    let timed = http.timed.clone();
    let factory = move || Ok(MemoryServer::new(engine.clone(), Arc::clone(&settings)).timed(timed.clone()));
    let sessions = Arc::new(sessions);
    let service = StreamableHttpService::new(factory, Arc::clone(&sessions), config);
    (service, Sessions(sessions), stop)
}

//! How clients reach the server: standard input and output, or streamable HTTP.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rmcp::model::{ClientNotification, JsonRpcMessage};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::streamable_http_server::StreamableHttpServerConfig;
use rmcp::transport::streamable_http_server::StreamableHttpService;
use rmcp::transport::streamable_http_server::session::SessionManager as _;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::{RoleServer, ServiceExt};
use tokio::sync::oneshot;

use crate::engine::SharedEngine;
use crate::replay::Replay;
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
pub struct Sessions(Arc<LocalSessionManager>, Replay);

impl Sessions {
    /// How many are open.
    pub async fn open(&self) -> u64 {
        self.0.sessions.read().await.len() as u64
    }

    /// Ends one, as if its client had left.
    pub async fn end(&self, name: &str) {
        if let Err(error) = self.0.close_session(&name.into()).await {
            tracing::debug!(%error, "a session had ended by itself");
        }
    }

    /// Whether a client that read this event last can be given those after it.
    pub fn can_resume(&self, last_event_id: &str) -> bool {
        self.1.knows(last_event_id)
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
    let (input, output) = rmcp::transport::stdio();
    let inner = AsyncRwTransport::new_server(input, output);
    let transport = InOrder { inner, moved: Arc::clone(&server.moved) };
    let running = match server.serve(transport).await {
        Ok(running) => running,
        // A client that leaves before it has spoken is no failure.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(std::io::Error::other(error.to_string())),
    };
    running.waiting().await.map(|_| ()).map_err(std::io::Error::other)
}

/// Hears of a changed workspace before the call that follows it. Messages are worked on side by side, so that the
/// notification's own handler may come too late for that call.
struct InOrder<T> {
    inner: T,
    moved: Arc<AtomicBool>,
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for InOrder<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), T::Error>> + Send + 'static {
        self.inner.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        let message = self.inner.receive().await;
        if let Some(JsonRpcMessage::Notification(notification)) = &message
            && matches!(notification.notification, ClientNotification::RootsListChangedNotification(_))
        {
            self.moved.store(true, Ordering::SeqCst);
        }
        message
    }

    async fn close(&mut self) -> Result<(), T::Error> {
        self.inner.close().await
    }
}

/// The server as a service under a path of an HTTP server, its sessions, and what ends all its streams when it is
/// dropped.
pub fn http_service(
    engine: SharedEngine,
    settings: Settings,
    http: &HttpSettings,
) -> (McpService, Sessions, oneshot::Sender<()>) {
    let settings = Arc::new(settings);
    let replay = Replay::default();
    let mut sessions = LocalSessionManager::default().with_event_store(Arc::new(replay.clone()));
    sessions.session_config.keep_alive = Some(http.idle_timeout);
    let (stop, stopped) = oneshot::channel();
    let mut config = StreamableHttpServerConfig::default();
    // The face in front has checked both for every route alike.
    config = config.disable_allowed_hosts();
    config.max_request_body_bytes = http.body_bytes_max;
    // It would give events ids that nothing is kept under. The session's own worker announces the others.
    config.sse_retry = None;
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
    (service, Sessions(sessions, replay), stop)
}

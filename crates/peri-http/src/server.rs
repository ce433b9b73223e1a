//! Listening, serving, and stopping without dropping what was begun.

use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::http::{HeaderName, Method, header};
use axum::middleware::{from_fn, from_fn_with_state, map_request, map_response};
use axum_server::Handle;
use axum_server::accept::NoDelayAcceptor;
use axum_server::tls_rustls::RustlsAcceptor;
use axum_server::tls_rustls::RustlsConfig;
use hyper_util::rt::TokioTimer;
use perihelion::Perihelion;
use tokio::sync::watch;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::cors::{AllowOrigin, CorsLayer};
use tower_http::timeout::RequestBodyTimeoutLayer;

use crate::app::{App, Shared};
use crate::door::{self, Door};
use crate::extract::Reached;
use crate::metrics::Face;
use crate::problem::Problem;
use crate::settings::Settings;
use crate::surroundings::Surroundings;
use crate::table::{Need, Repeats};
use crate::{compress, guard, once, owners, routes, rpc, tls};

/// How often visitors that were not seen for a while are let go of.
const TIDY_EVERY: Duration = Duration::from_secs(60);
/// How long an MCP client that says nothing keeps its session.
const MCP_IDLE: Duration = Duration::from_secs(60 * 60);

/// Why a server cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Others could read and change everything. Create a key, or listen on this machine only.
    #[error("{listen} can be reached from other machines, and there is no key to keep strangers out")]
    Unprotected {
        /// Where it was to listen.
        listen: SocketAddr,
    },
    /// Others could reach it before it is known which keys there are. Wait until the store answers, or listen on this machine
    /// only.
    #[error("{listen} can be reached from other machines, and the store that knows the keys does not answer")]
    KeysUnknown {
        /// Where it was to listen.
        listen: SocketAddr,
    },
    /// The address is taken or not this machine's. Choose another.
    #[error("cannot listen on {listen}")]
    Listen {
        /// Where it was to listen.
        listen: SocketAddr,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// The certificate or its key cannot be used. Mend the files.
    #[error("the certificate {path} cannot be used")]
    Certificate {
        /// Which file.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The engine cannot say whether there are keys.
    #[error(transparent)]
    Engine(#[from] perihelion::Error),
    /// Serving broke off.
    #[error("the server broke off")]
    Serve(#[source] std::io::Error),
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    tls: Option<RustlsConfig>,
    app: App,
    stop: watch::Sender<bool>,
}

impl Server {
    /// Reads the certificate and takes the address. Nothing is answered before [`Server::run`].
    pub fn bind(engine: Arc<Perihelion>, settings: Settings) -> Result<Self, ServeError> {
        let listen = settings.listen;
        if !listen.ip().is_loopback() {
            match engine.has_keys() {
                Ok(true) => {}
                Ok(false) => return Err(ServeError::Unprotected { listen }),
                Err(_) if engine.awaits_store() => return Err(ServeError::KeysUnknown { listen }),
                Err(error) => return Err(error.into()),
            }
        }
        let tls = settings.tls.as_ref().map(tls::load).transpose()?;
        let failed = |source| ServeError::Listen { listen, source };
        let listener = TcpListener::bind(listen).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let (stop, stopping) = watch::channel(false);
        let app = Shared::new(engine, settings, stopping);
        Ok(Self { listener, address, tls, app, stop })
    }

    /// The same, with these workers.
    pub fn with_workers(self, workers: Arc<peri_workers::WorkerManager>) -> Self {
        // Nobody has asked for workers before the server runs.
        self.app.worker_manager.get_or_init(|| workers);
        self
    }

    /// The same, with what surrounds the engine.
    pub fn with_surroundings(self, surroundings: Surroundings) -> Self {
        // Nobody has asked for it before the server runs.
        self.app.surroundings.get_or_init(|| surroundings);
        self
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its address for people and clients.
    pub fn url(&self) -> String {
        let scheme = if self.app.settings.tls.is_some() { "https" } else { "http" };
        format!("{scheme}://{}", self.address)
    }

    /// Serves until `stop` resolves, then finishes what was begun, for as long as the grace allows.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> Result<(), ServeError> {
        let Self { listener, tls, app, stop: told, .. } = self;
        let handle = Handle::new();
        let (mcp, mcp_stop) = mount_mcp(&app);
        let ending = {
            let (app, handle) = (App::clone(&app), handle.clone());
            async move {
                stop.await;
                tracing::info!("stopping: no new requests are taken, open ones are finished");
                told.send_replace(true);
                drop(mcp_stop);
                end(&app, &handle).await;
            }
        };
        tokio::spawn(ending);
        let tidying = tokio::spawn(tidy(App::clone(&app)));
        let service = router(&app, mcp).into_make_service_with_connect_info::<SocketAddr>();
        let Settings { connections_max, pause_max, .. } = app.settings;
        let connections_max = connections_max.min(door::room());
        // Answers that come in several pieces, such as those of MCP, must not wait for the client to acknowledge the
        // first: together with its delayed acknowledgements that would take 40 milliseconds.
        let plain = NoDelayAcceptor::new();
        let served = match (axum_server::from_tcp(listener).map(|server| patient(server, pause_max)), tls) {
            (Err(error), _) => Err(error),
            (Ok(server), None) => {
                let door = Door::new(plain, connections_max, pause_max);
                server.acceptor(door).handle(handle).serve(service).await
            }
            (Ok(server), Some(tls)) => {
                let acceptor = RustlsAcceptor::new(tls).acceptor(plain);
                let door = Door::new(acceptor, connections_max, pause_max);
                server.acceptor(door).handle(handle).serve(service).await
            }
        };
        tidying.abort();
        served.map_err(ServeError::Serve)
    }
}

/// A server that does not wait for ever for what a client has begun to say.
fn patient(
    mut server: axum_server::Server<SocketAddr>,
    pause_max: Duration,
) -> axum_server::Server<SocketAddr> {
    let builder = server.http_builder();
    builder.http1().timer(TokioTimer::new()).header_read_timeout(pause_max);
    let mut http2 = builder.http2();
    http2.timer(TokioTimer::new()).keep_alive_interval(pause_max).keep_alive_timeout(pause_max);
    server
}

/// Lets open requests end before the door is closed: until then, whoever asks is told that the server is stopping
/// instead of finding nobody there.
async fn end(app: &App, handle: &Handle<SocketAddr>) {
    let until = Instant::now() + app.settings.grace;
    if tokio::time::timeout(app.settings.grace, app.visits.none()).await.is_err() {
        tracing::warn!(open = app.visits.count(), "the grace is over and requests are still open");
    }
    handle.graceful_shutdown(Some(until.saturating_duration_since(Instant::now())));
}

async fn tidy(app: App) {
    let mut every = tokio::time::interval(TIDY_EVERY);
    loop {
        every.tick().await;
        app.rates.tidy();
        if let Some(sessions) = app.mcp_sessions.get() {
            for left in app.owners.tidy(&sessions.names().await, Instant::now()) {
                sessions.end(&left).await;
            }
        }
    }
}

fn mount_mcp(app: &App) -> (peri_mcp::McpService, tokio::sync::oneshot::Sender<()>) {
    let engine = peri_mcp::SharedEngine::open(Arc::clone(&app.engine));
    let measuring = Arc::downgrade(app);
    let timed = peri_mcp::Timed::by(move |tool, took| {
        if let Some(app) = measuring.upgrade() {
            app.metrics.called(Face::Mcp, tool, took);
        }
    });
    let body_bytes_max = app.settings.body_bytes_max;
    let http = peri_mcp::HttpSettings { body_bytes_max, idle_timeout: MCP_IDLE, timed };
    let (service, sessions, stop) = peri_mcp::http_service(engine, app.settings.mcp.clone(), &http);
    app.mcp_sessions.get_or_init(|| sessions);
    (service, stop)
}

/// All routes behind their guards.
pub(crate) fn router(app: &App, mcp: peri_mcp::McpService) -> Router {
    let mut router: Router<App> = Router::new();
    for operation in routes::all() {
        let reached = Reached { operation: operation.id, by_id: operation.is_by_id() };
        let mut route = operation.route;
        if operation.repeats == Repeats::Kept {
            route = route.layer(from_fn_with_state(App::clone(app), once::once));
        }
        let guarded = route.layer(from_fn_with_state(guarding(app, operation.need, reached), guard::admit));
        router = router.route(operation.path, guarded);
    }
    // Tools check the role and the namespace of each call; the door only asks for a key.
    let mcp_route = Reached { operation: "mcp", by_id: false };
    let mcp = Router::new()
        .route_service("/mcp", mcp)
        .layer(map_response(compress::leave))
        .layer(from_fn_with_state(App::clone(app), rpc::look))
        .layer(from_fn_with_state(App::clone(app), owners::own))
        .layer(from_fn_with_state(
            guarding(app, Need::Role(perihelion::Role::Reader), mcp_route),
            guard::admit,
        ));
    router
        .merge(mcp)
        .fallback(async || Problem::not_found("there is no such path; /openapi.json lists all there are"))
        .method_not_allowed_fallback(async || Problem::no_such_method())
        .layer(CatchPanicLayer::custom(|_| axum::response::IntoResponse::into_response(Problem::internal())))
        .layer(cors(app))
        .layer(from_fn_with_state(App::clone(app), guard::receive))
        // Outside of what writes problems anew: what is compressed is not touched again.
        .layer(compress::layer())
        .layer(from_fn(compress::tag))
        .layer(map_request(compress::accept))
        .layer(RequestBodyTimeoutLayer::new(app.settings.pause_max))
        .with_state(App::clone(app))
}

fn guarding(app: &App, need: Need, reached: Reached) -> (App, Need, Reached) {
    (App::clone(app), need, reached)
}

/// Pages of configured origins may use the server from a browser.
fn cors(app: &App) -> CorsLayer {
    let origins = app.settings.origins.iter().filter_map(|origin| origin.parse().ok());
    CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins))
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
        .allow_headers([
            header::AUTHORIZATION,
            header::CONTENT_TYPE,
            header::IF_MATCH,
            header::IF_NONE_MATCH,
            HeaderName::from_static("idempotency-key"),
            HeaderName::from_static("last-event-id"),
            HeaderName::from_static("mcp-session-id"),
            HeaderName::from_static("mcp-protocol-version"),
            HeaderName::from_static("mcp-method"),
            HeaderName::from_static("mcp-name"),
            HeaderName::from_static("x-api-key"),
        ])
        .expose_headers([
            header::ETAG,
            header::RETRY_AFTER,
            HeaderName::from_static("x-request-id"),
            HeaderName::from_static("mcp-session-id"),
        ])
}

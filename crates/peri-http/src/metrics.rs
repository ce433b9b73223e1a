//! What Prometheus reads: how many requests, how long they took, and how the store is.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::{encode_eof, encode_registry};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use crate::gauges::{self, Moment};

/// Bounds of the latency histograms, in seconds: a recall takes a millisecond, an import minutes.
const SECONDS: [f64; 14] =
    [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0];

/// How the name of every number begins that is ours alone.
pub(crate) const PREFIX: &str = "peri";

/// Which requests are counted together.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    method: &'static str,
    route: String,
    status: u16,
}

/// Which latencies are counted together.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Route {
    method: &'static str,
    route: String,
}

/// Why somebody was refused.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Reason {
    reason: &'static str,
}

/// Where an answer without an end is open.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Stream {
    route: String,
}

/// How a call came to the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Through {
    face: &'static str,
}

/// How a call came to the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Face {
    /// A route.
    Http,
    /// A tool.
    Mcp,
}

type Durations<L> = Family<L, Histogram, fn() -> Histogram>;

/// The counters of this process.
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<Answered, Counter>,
    latencies: Durations<Route>,
    recalls: Durations<Through>,
    remembers: Durations<Through>,
    refusals: Family<Reason, Counter>,
    streams: Family<Stream, Gauge>,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::default();
        let started = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64();
        registry.register_with_unit(
            "process_start_time",
            "When the server was started, since the epoch",
            Unit::Seconds,
            ConstGauge::new(started),
        );
        let own = registry.sub_registry_with_prefix(PREFIX);
        let program = Info::new(vec![("version", env!("CARGO_PKG_VERSION"))]);
        own.register("build", "Which program this is", program);
        let requests = Family::default();
        own.register("http_requests", "Requests answered", Family::clone(&requests));
        let refusals = Family::default();
        own.register("access_refusals", "Requests refused", Family::clone(&refusals));
        let streams = Family::default();
        own.register("http_streams", "Answers without an end that are open", Family::clone(&streams));
        Self {
            latencies: durations(own, "http_request_duration", "How long requests took to answer"),
            recalls: durations(own, "recall_duration", "How long the engine took to recall"),
            remembers: durations(own, "remember_duration", "How long the engine took to remember"),
            requests,
            refusals,
            streams,
            registry,
        }
    }
}

fn durations<L>(registry: &mut Registry, name: &str, help: &str) -> Durations<L>
where
    L: Clone + std::hash::Hash + Eq + EncodeLabelSet + std::fmt::Debug + Send + Sync + 'static,
{
    let family = Family::new_with_constructor((|| Histogram::new(SECONDS)) as fn() -> Histogram);
    registry.register_with_unit(name, help, Unit::Seconds, Durations::clone(&family));
    family
}

impl Metrics {
    /// Counts an answer.
    pub(crate) fn answered(&self, method: &'static str, route: &str, status: u16, took: Duration) {
        let route = route.to_owned();
        self.latencies.get_or_create(&Route { method, route: route.clone() }).observe(took.as_secs_f64());
        self.requests.get_or_create(&Answered { method, route, status }).inc();
    }

    /// Counts a refusal.
    pub(crate) fn refused(&self, reason: &'static str) {
        self.refusals.get_or_create(&Reason { reason }).inc();
    }

    /// Notes how long the engine took for a call, if it is one of those that people wait for.
    pub(crate) fn called(&self, face: Face, call: &str, took: Duration) {
        let durations = match call {
            "recall" | "memory_recall" => &self.recalls,
            "remember" | "rememberAll" | "memory_store" => &self.remembers,
            _ => return,
        };
        let face = match face {
            Face::Http => "http",
            Face::Mcp => "mcp",
        };
        durations.get_or_create(&Through { face }).observe(took.as_secs_f64());
    }

    /// Counts an open answer for as long as the returned value lives.
    pub(crate) fn stream(&self, route: &str) -> OpenStream {
        let open: Gauge = self.streams.get_or_create(&Stream { route: route.to_owned() }).clone();
        open.inc();
        OpenStream(open)
    }

    /// Everything that this process has counted, and how the store is at this moment, as OpenMetrics text.
    pub(crate) fn encode(&self, moment: &Moment) -> Result<String, std::fmt::Error> {
        let mut text = String::new();
        encode_registry(&mut text, &self.registry)?;
        encode_registry(&mut text, &gauges::registry(moment))?;
        encode_eof(&mut text)?;
        Ok(text)
    }
}

/// An answer without an end, while it is open.
pub(crate) struct OpenStream(Gauge);

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// A method for a label. Clients can make methods up, and each would be a series of its own.
pub(crate) fn method_label(method: &axum::http::Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        _ => "other",
    }
}

//! What Prometheus reads: how many requests, how long they took, and how the store is.

use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

/// Bounds of the latency histograms, in seconds: a recall takes a millisecond, an import minutes.
const SECONDS: [f64; 14] =
    [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0];

/// Which requests are counted together.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    method: String,
    route: String,
    status: u16,
}

/// Which latencies are counted together.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Route {
    method: String,
    route: String,
}

/// Why somebody was refused.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Reason {
    reason: &'static str,
}

/// The counters of this process.
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<Answered, Counter>,
    latencies: Family<Route, Histogram, fn() -> Histogram>,
    refusals: Family<Reason, Counter>,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("peri");
        let requests = Family::default();
        let latencies = Family::new_with_constructor((|| Histogram::new(SECONDS)) as fn() -> Histogram);
        let refusals = Family::default();
        registry.register("http_requests", "Requests answered", Family::clone(&requests));
        registry.register(
            "http_request_duration_seconds",
            "How long requests took to answer",
            Family::clone(&latencies),
        );
        registry.register("access_refusals", "Requests refused", Family::clone(&refusals));
        Self { registry, requests, latencies, refusals }
    }
}

impl Metrics {
    /// Counts an answer.
    pub(crate) fn answered(&self, method: &str, route: &str, status: u16, took: Duration) {
        let (method, route) = (method.to_owned(), route.to_owned());
        self.latencies
            .get_or_create(&Route { method: method.clone(), route: route.clone() })
            .observe(took.as_secs_f64());
        self.requests.get_or_create(&Answered { method, route, status }).inc();
    }

    /// Counts a refusal.
    pub(crate) fn refused(&self, reason: &'static str) {
        self.refusals.get_or_create(&Reason { reason }).inc();
    }

    /// Everything that this process has counted, as text.
    pub(crate) fn encode(&self) -> Result<String, std::fmt::Error> {
        let mut text = String::new();
        prometheus_client::encoding::text::encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

//! Traces for a collector of OpenTelemetry, if the settings name one.

mod client;

use std::time::Duration;

use opentelemetry::trace::TracerProvider;
use opentelemetry::{InstrumentationScope, KeyValue};
use opentelemetry_otlp::{SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::Level;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::registry::Registry;

use self::client::Client;
use crate::config::Endpoint;

const NAME: &str = "perihelion";

/// How long the collector may take for one batch. Nobody but the sender waits for it.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The sender of traces, if there is one. It has a thread and a bounded queue of its own: a collector that is slow
/// or down costs spans and never a request.
pub(crate) struct Telemetry(Option<SdkTracerProvider>);

impl Telemetry {
    /// Starts the sender.
    pub(crate) fn start(endpoint: Option<&Endpoint>) -> Self {
        let Some(endpoint) = endpoint else { return Self(None) };
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(Client::new(endpoint.clone(), TIMEOUT))
            .with_endpoint(endpoint.to_string())
            .with_timeout(TIMEOUT)
            .build();
        match exporter {
            Ok(exporter) => {
                let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
                let resource = Resource::builder().with_service_name(NAME).with_attribute(version).build();
                let provider = SdkTracerProvider::builder().with_resource(resource);
                Self(Some(provider.with_batch_exporter(exporter).build()))
            }
            Err(error) => {
                tracing::warn!(%error, "traces cannot be sent");
                Self(None)
            }
        }
    }

    /// What gathers spans. It does not depend on what is logged.
    pub(crate) fn layer(&self) -> Option<Box<dyn Layer<Registry> + Send + Sync>> {
        let provider = self.0.as_ref()?;
        let scope = InstrumentationScope::builder(NAME).with_version(env!("CARGO_PKG_VERSION")).build();
        let layer = tracing_opentelemetry::layer()
            .with_tracer(provider.tracer_with_scope(scope))
            .with_location(false)
            .with_threads(false)
            .with_tracked_inactivity(false);
        Some(Box::new(layer.with_filter(Targets::new().with_target("peri", Level::INFO))))
    }

    /// Sends what is left, for as long as the grace allows.
    pub(crate) fn finish(self, grace: Duration) {
        if let Some(provider) = self.0
            && let Err(error) = provider.shutdown_with_timeout(grace.min(TIMEOUT))
        {
            tracing::debug!(%error, "the last traces could not be sent");
        }
    }
}

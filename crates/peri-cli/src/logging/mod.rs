//! What the engine logs: messages for the person at the terminal, and lines for whoever runs a server.

mod json;

use std::fmt;

use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::{LookupSpan, Registry};
use tracing_subscriber::util::SubscriberInitExt;

use crate::cli::Global;
use crate::config::{Config, LogFormat};
use crate::telemetry::Telemetry;

/// Fields that tell the exporter of traces something, and a reader nothing.
const FOR_EXPORT: &str = "otel.";

/// Sends log lines to standard error: warnings, more of them with each `-v`, and none with `--quiet`.
pub(crate) fn start(verbose: u8, quiet: bool) {
    let level = match verbose {
        0 if quiet => return,
        0 => LevelFilter::WARN,
        1 => LevelFilter::INFO,
        2 => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    };
    tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .event_format(Messages)
        .init();
}

/// Sends the log of a program that stays to standard error, and its traces wherever the settings say.
pub(crate) fn serve(config: &Config, global: &Global) -> Telemetry {
    let lines: Box<dyn Layer<Registry> + Send + Sync> = match config.log.format {
        LogFormat::Text => Box::new(text_lines()),
        LogFormat::Json => Box::new(json::Lines),
    };
    let levels = levels(&config.log.levels, global.verbose, global.quiet);
    let telemetry = Telemetry::start(config.telemetry.as_ref());
    let mut layers: Vec<Box<dyn Layer<Registry> + Send + Sync>> = vec![Box::new(lines.with_filter(levels))];
    layers.extend(telemetry.layer());
    tracing_subscriber::registry().with(layers).init();
    telemetry
}

/// The configured levels, unless the command line asks for more or for less.
fn levels(configured: &Targets, verbose: u8, quiet: bool) -> Targets {
    let own = |all: Level, own: Level| Targets::new().with_default(all).with_target("peri", own);
    let levels = match verbose {
        0 if quiet => Targets::new().with_default(Level::ERROR),
        0 => configured.clone(),
        1 => own(Level::INFO, Level::DEBUG),
        2 => own(Level::DEBUG, Level::TRACE),
        _ => own(Level::TRACE, Level::TRACE),
    };
    // From debug on, the protocol's library logs whole messages, and with them memories.
    // It warns of every mistake that a client makes, which is for the client to know.
    let (protocol, service) =
        if verbose == 0 { (Level::WARN, Level::ERROR) } else { (Level::INFO, Level::INFO) };
    levels.with_target("rmcp", protocol).with_target("rmcp::service", service)
}

fn text_lines<S>() -> impl Layer<S> + Send + Sync
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .log_internal_errors(false)
        .fmt_fields(Readable)
}

/// The fields of a line for readers: the message, then names and values.
struct Readable;

impl<'w> FormatFields<'w> for Readable {
    fn format_fields<R: RecordFields>(&self, writer: Writer<'w>, fields: R) -> fmt::Result {
        let mut written = Written { writer, first: true, outcome: Ok(()) };
        fields.record(&mut written);
        written.outcome
    }
}

struct Written<'w> {
    writer: Writer<'w>,
    first: bool,
    outcome: fmt::Result,
}

impl Visit for Written<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        // Quoted only where it would not be told apart otherwise, so that ids can be copied.
        let plain = !value.is_empty() && value.chars().all(|c| c.is_ascii_graphic() && c != '"');
        if plain {
            self.record_debug(field, &format_args!("{value}"))
        } else {
            self.record_debug(field, &value)
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if self.outcome.is_err() || field.name().starts_with(FOR_EXPORT) {
            return;
        }
        let space = if std::mem::take(&mut self.first) { "" } else { " " };
        // A line of the log is one line, whatever the value holds.
        let value = format!("{value:?}").replace(['\n', '\r'], " ");
        self.outcome = match field.name() {
            "message" => write!(self.writer, "{space}{value}"),
            name => write!(self.writer, "{space}{name}={value}"),
        };
    }
}

/// Log lines that look like every other message of the program.
struct Messages;

impl<S, N> FormatEvent<S, N> for Messages
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let label = match *event.metadata().level() {
            Level::ERROR => "error",
            Level::WARN => "warning",
            Level::INFO => "note",
            Level::DEBUG => "debug",
            Level::TRACE => "trace",
        };
        write!(writer, "{label}: ")?;
        context.format_fields(writer.by_ref(), event)?;
        writeln!(writer)
    }
}

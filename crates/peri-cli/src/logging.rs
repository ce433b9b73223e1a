//! What the engine logs, told to the person at the terminal.

use std::fmt;

use tracing::{Event, Level, Subscriber};
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

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

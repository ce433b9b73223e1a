//! What the engine logs, told to the person at the terminal.

use tracing_subscriber::filter::LevelFilter;

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
        .with_target(verbose > 1)
        .with_ansi(false)
        .without_time()
        .init();
}

//! The asynchronous runtime of the commands that serve.

use tokio::runtime::{Builder, Runtime};

use crate::error::CliError;

/// Starts the runtime. The engine works on blocking threads, so few others are needed.
pub(crate) fn start() -> Result<Runtime, CliError> {
    Builder::new_multi_thread()
        .worker_threads(std::thread::available_parallelism().map_or(2, usize::from).min(4))
        .thread_name("peri-serve")
        .enable_all()
        .build()
        .map_err(|error| CliError::read("the number of threads that may be started", error))
}

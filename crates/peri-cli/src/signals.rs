//! Being told to stop.

use crate::error::CliError;

/// Resolves at Ctrl-C or when the system asks the process to end. Asked a second time, the process ends at once:
/// what was acknowledged is on the disk.
#[cfg(unix)]
pub(crate) fn stop() -> Result<impl Future<Output = ()> + Send + 'static, CliError> {
    use tokio::signal::unix::{SignalKind, signal};
    let heard = |kind| signal(kind).map_err(|error| CliError::read("signals", error));
    let (mut interrupt, mut terminate) = (heard(SignalKind::interrupt())?, heard(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        tokio::spawn(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            std::process::exit(130);
        });
    })
}

/// Resolves at Ctrl-C.
#[cfg(not(unix))]
pub(crate) fn stop() -> Result<impl Future<Output = ()> + Send + 'static, CliError> {
    Ok(async {
        if let Err(error) = tokio::signal::ctrl_c().await {
            tracing::warn!(%error, "Ctrl-C cannot be heard");
            std::future::pending::<()>().await;
        }
    })
}

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
        // Not a task: the second signal is heard also while the runtime waits for its threads to end.
        std::thread::spawn(end_at_the_next);
    })
}

#[cfg(unix)]
fn end_at_the_next() {
    use tokio::signal::unix::{SignalKind, signal};
    let heard = tokio::runtime::Builder::new_current_thread().enable_all().build().and_then(|runtime| {
        runtime.block_on(async {
            let (mut interrupt, mut terminate) =
                (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            Ok(())
        })
    });
    match heard {
        Ok(()) => std::process::exit(130),
        Err(error) => tracing::warn!(%error, "a second signal cannot be heard"),
    }
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

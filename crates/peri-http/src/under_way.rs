//! Which requests are being answered: how many there are, and when the last one has ended.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::Notify;

/// How many requests are being answered.
#[derive(Clone, Default)]
pub(crate) struct UnderWay(Arc<(AtomicU64, Notify)>);

impl UnderWay {
    /// Counts a request until the returned value is dropped, also when its client leaves.
    pub(crate) fn begin(&self) -> Begun {
        self.0.0.fetch_add(1, Ordering::SeqCst);
        Begun(self.clone())
    }

    /// How many there are now.
    pub(crate) fn count(&self) -> u64 {
        self.0.0.load(Ordering::SeqCst)
    }

    /// Resolves when there is none.
    pub(crate) async fn none(&self) {
        loop {
            // Listening begins before looking, so that the last request cannot end in between.
            let ended = self.0.1.notified();
            if self.count() == 0 {
                return;
            }
            ended.await;
        }
    }
}

/// A request that is being answered.
pub(crate) struct Begun(UnderWay);

impl Drop for Begun {
    fn drop(&mut self) {
        self.0.0.0.fetch_sub(1, Ordering::SeqCst);
        self.0.0.1.notify_waiters();
    }
}

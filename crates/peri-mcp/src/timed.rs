//! How long tools took, told to the face that serves them.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

type Tell = dyn Fn(&'static str, Duration) + Send + Sync;

/// Is told which tool was called and how long the engine took; by default nobody is.
#[derive(Clone, Default)]
pub struct Timed(Option<Arc<Tell>>);

impl Timed {
    /// Tells this function, on the thread of the call.
    pub fn by(tell: impl Fn(&'static str, Duration) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(tell)))
    }

    pub(crate) fn tell(&self, tool: &'static str, took: Duration) {
        if let Some(tell) = &self.0 {
            tell(tool, took);
        }
    }
}

impl fmt::Debug for Timed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Timed").field(&self.0.is_some()).finish()
    }
}

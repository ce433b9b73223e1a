//! Giving up work that is under way, because the program is to end.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::BackupError;

/// What ends a step that does not look by itself.
type Hook = Box<dyn Fn() + Send>;

/// Tells work under way to give up. Clones tell the same work.
#[derive(Clone, Default)]
pub struct Halt(Arc<State>);

#[derive(Default)]
struct State {
    halted: AtomicBool,
    hook: Mutex<Option<Hook>>,
}

impl Halt {
    /// From now on all work gives up as soon as it can, for good.
    pub fn halt(&self) {
        self.0.halted.store(true, Ordering::SeqCst);
        if let Some(hook) = &*self.0.hook.lock().unwrap_or_else(PoisonError::into_inner) {
            hook();
        }
    }

    /// Whether work is to give up.
    pub fn is_halted(&self) -> bool {
        self.0.halted.load(Ordering::SeqCst)
    }

    /// An error if work is to give up.
    pub(crate) fn check(&self) -> Result<(), BackupError> {
        if self.is_halted() { Err(BackupError::Halted) } else { Ok(()) }
    }

    /// The same for readers, whose errors are those of the system.
    pub(crate) fn check_reading(&self) -> io::Result<()> {
        if self.is_halted() { Err(io::Error::other("the program is to end")) } else { Ok(()) }
    }

    /// Ends the present step when it is time; the one before is over.
    pub(crate) fn on_halt(&self, hook: impl Fn() + Send + 'static) {
        *self.0.hook.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(hook));
    }
}

impl std::fmt::Debug for Halt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Halt").field(&self.is_halted()).finish()
    }
}

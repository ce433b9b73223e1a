//! Following a vault: whenever a file or a memory changes, both are brought into step.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use notify::{Config, Event, EventKind, PollWatcher, RecommendedWatcher, RecursiveMode, Watcher};
use perihelion::{ChangeNumber, Perihelion};

use crate::sync::{Sync, Synced};
use crate::{Vault, metadata};

/// Nothing may happen for so long before a change counts as finished: editors save in several steps.
const QUIET: Duration = Duration::from_millis(200);
/// After so long it is looked, however much goes on.
const BUSY_MAX: Duration = Duration::from_secs(2);
/// How often it is looked whether a memory changed, or the folder has come into being.
const LOOK: Duration = Duration::from_secs(1);
/// How often files are looked at where the system does not tell of changes.
const POLL: Duration = Duration::from_secs(2);
/// So often everything is looked at: some disks of other machines tell of nothing.
const FULL_LOOK: Duration = Duration::from_secs(60);
/// After trouble it is tried again so much later.
const TROUBLE_WAIT: Duration = Duration::from_secs(10);

/// Follows a vault on a thread of its own until it is told to end.
pub struct Follower {
    stop: SyncSender<Signal>,
    thread: JoinHandle<()>,
}

/// What the thread is told.
enum Signal {
    /// Something happened in the folder.
    Changed,
    /// It is over.
    Stop,
}

/// What is told after each sync that did something.
pub type Tell = Box<dyn Fn(&Synced) + Send>;

impl Follower {
    /// Starts to follow. The engine is asked for on the thread, since it may still be opening; without one it ends.
    pub fn start(
        vault: Vault,
        engine: impl FnOnce() -> Option<Arc<Perihelion>> + Send + 'static,
        tell: Tell,
    ) -> std::io::Result<Self> {
        let (stop, signals) = sync_channel(1);
        let waker = stop.clone();
        let follow = move || {
            if let Some(engine) = engine() {
                Following {
                    vault,
                    engine,
                    tell,
                    waker,
                    seen: ChangeNumber(0),
                    watcher: None,
                    looked: Instant::now(),
                }
                .run(&signals);
            }
        };
        let thread = std::thread::Builder::new().name("peri-vault".to_owned()).spawn(follow)?;
        Ok(Self { stop, thread })
    }

    /// Ends the thread. A sync that is under way is finished first.
    pub fn end(self) {
        // The channel has room for one: if it is full the thread is awake, and takes this one next.
        if self.stop.send(Signal::Stop).is_err() {
            tracing::debug!("the vault was not followed any more");
        }
        if self.thread.join().is_err() {
            tracing::error!("the thread that followed the vault panicked");
        }
    }
}

struct Following {
    vault: Vault,
    engine: Arc<Perihelion>,
    tell: Tell,
    waker: SyncSender<Signal>,
    /// The last change of the namespace that was looked at.
    seen: ChangeNumber,
    watcher: Option<Box<dyn Watcher>>,
    /// When everything was last looked at.
    looked: Instant,
}

impl Following {
    fn run(mut self, signals: &Receiver<Signal>) {
        let mut wait = Duration::ZERO;
        loop {
            match signals.recv_timeout(wait) {
                Ok(Signal::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                Ok(Signal::Changed) => {
                    if !settle(signals) {
                        return;
                    }
                    wait = self.sync();
                }
                Err(RecvTimeoutError::Timeout) => wait = self.look(),
            }
        }
    }

    /// Looks at what no file tells of. How long to wait until the next look is the answer.
    fn look(&mut self) -> Duration {
        if !self.vault.exists() {
            self.watcher = None;
            return LOOK;
        }
        if self.watcher.is_some() && self.looked.elapsed() > FULL_LOOK {
            return self.sync();
        }
        if self.watcher.is_none() {
            self.watcher = watch(self.vault.folder(), &self.waker);
            return self.sync();
        }
        let changed = match self.engine.changed_since(self.vault.namespace(), self.seen) {
            Ok(changed) => changed,
            Err(error) => {
                tracing::warn!(%error, "it cannot be told whether memories of the vault changed");
                return TROUBLE_WAIT;
            }
        };
        self.seen = changed.through;
        let concerns =
            !changed.gone.is_empty() || changed.memories.iter().any(|memory| memory.document().is_some());
        if concerns { self.sync() } else { LOOK }
    }

    fn sync(&mut self) -> Duration {
        if !self.vault.exists() {
            return LOOK;
        }
        if let Ok(head) = self.engine.head(self.vault.namespace()) {
            self.seen = head;
        }
        self.looked = Instant::now();
        match self.vault.sync(&self.engine) {
            Ok(Sync::Done(synced)) => {
                if !synced.is_nothing() {
                    (self.tell)(&synced);
                }
                LOOK
            }
            Ok(Sync::HeldElsewhere | Sync::ReadOnly) => LOOK,
            Err(error) => {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "the vault is not in step; it is tried again"
                );
                // Whatever is looked at next, everything is.
                self.watcher = None;
                TROUBLE_WAIT
            }
        }
    }
}

/// Waits until nothing happens any more. `false`: it is over.
fn settle(signals: &Receiver<Signal>) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < BUSY_MAX {
        match signals.recv_timeout(QUIET) {
            Ok(Signal::Changed) => {}
            Ok(Signal::Stop) | Err(RecvTimeoutError::Disconnected) => return false,
            Err(RecvTimeoutError::Timeout) => return true,
        }
    }
    true
}

/// Watches a folder as the system allows; by looking again and again where it does not.
fn watch(folder: &Path, waker: &SyncSender<Signal>) -> Option<Box<dyn Watcher>> {
    let root = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let handler = |waker: SyncSender<Signal>, root: std::path::PathBuf| {
        move |event: notify::Result<Event>| {
            let matters = event.map_or(true, |event| concerns(&event, &root));
            // A full channel means that the thread knows already.
            if matters && let Err(TrySendError::Disconnected(_)) = waker.try_send(Signal::Changed) {
                tracing::debug!("the vault is not followed any more");
            }
        }
    };
    let native = RecommendedWatcher::new(handler(waker.clone(), root.clone()), Config::default());
    match native.and_then(|mut watcher| watcher.watch(&root, RecursiveMode::Recursive).map(|()| watcher)) {
        Ok(watcher) => return Some(Box::new(watcher)),
        Err(error) => {
            tracing::warn!(%error, "the system does not tell of changes in the vault; it is looked at every two seconds")
        }
    }
    let config = Config::default().with_poll_interval(POLL);
    let polled = PollWatcher::new(handler(waker.clone(), root.clone()), config);
    match polled.and_then(|mut watcher| watcher.watch(&root, RecursiveMode::Recursive).map(|()| watcher)) {
        Ok(watcher) => Some(Box::new(watcher)),
        Err(error) => {
            tracing::warn!(%error, "the vault cannot be watched");
            None
        }
    }
}

/// Whether an event is about a document rather than about what is hidden or our own.
fn concerns(event: &Event, root: &Path) -> bool {
    if matches!(event.kind, EventKind::Access(_)) {
        return false;
    }
    let is_document = |path: &Path| {
        let Ok(inner) = path.strip_prefix(root) else { return true };
        let mut names = inner.components().map(|part| part.as_os_str().to_string_lossy());
        !names.any(|name| name.starts_with('.')) && inner != Path::new(metadata::FILE)
    };
    event.paths.is_empty() || event.need_rescan() || event.paths.iter().any(|path| is_document(path))
}

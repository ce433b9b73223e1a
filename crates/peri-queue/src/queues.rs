//! The queues below one root: this process's own, and those it has taken over.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use parking_lot::Mutex;

use crate::{DeadLetter, Queue, QueueError, QueueSettings, Record, RecordId, Stats, files};

/// The queues below one root that this process holds. Nothing is created before something is pushed.
pub struct Queues {
    root: PathBuf,
    settings: QueueSettings,
    held: Mutex<Held>,
}

#[derive(Default)]
struct Held {
    /// The oldest first, which is the order in which they are worked off.
    queues: Vec<Arc<Queue>>,
    /// Where this process pushes.
    own: Option<Arc<Queue>>,
    /// Why the last push failed; none once one succeeds.
    trouble: Option<QueueError>,
}

impl Queues {
    /// The queues below a root; none yet.
    pub fn new(root: impl Into<PathBuf>, settings: QueueSettings) -> Self {
        Self { root: root.into(), settings, held: Mutex::default() }
    }

    /// Where they lie.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Adds a record at the end and returns when it is on the disk. If that fails nothing of it is kept.
    pub fn push(&self, id: RecordId, at: Timestamp, payload: impl Into<Arc<str>>) -> Result<(), QueueError> {
        let outcome = self.own(at).and_then(|own| own.push(id, at, payload));
        self.held.lock().trouble = outcome.as_ref().err().cloned();
        outcome
    }

    /// Where this process pushes.
    fn own(&self, at: Timestamp) -> Result<Arc<Queue>, QueueError> {
        let mut held = self.held.lock();
        if let Some(own) = &held.own {
            return Ok(Arc::clone(own));
        }
        let own = Arc::new(Queue::create(&self.root, self.settings.clone(), at)?);
        held.own = Some(Arc::clone(&own));
        held.queues.push(Arc::clone(&own));
        Ok(own)
    }

    /// Takes over the queues of processes that are gone. How many records came with them.
    pub fn adopt(&self) -> Result<u64, QueueError> {
        let mut held = self.held.lock();
        let mut count = 0;
        for folder in files::folders(&self.root)? {
            if held.queues.iter().any(|queue| queue.folder() == folder) {
                continue;
            }
            let Some(queue) = Queue::take_over(&folder, self.settings.clone())? else { continue };
            let stats = queue.stats();
            if stats.depth == 0 && stats.dead == 0 && stats.damaged == 0 {
                queue.close()?;
                continue;
            }
            count += stats.depth;
            // The wait was that of a process that is gone.
            queue.hurry();
            held.queues.push(Arc::new(queue));
        }
        // Folders are called by ids, which sort by time.
        held.queues.sort_by(|one, other| one.folder().cmp(other.folder()));
        Ok(count)
    }

    /// The first queue in which something waits.
    pub fn first(&self) -> Option<Arc<Queue>> {
        self.held.lock().queues.iter().find(|queue| !queue.is_empty()).cloned()
    }

    /// How many records wait.
    pub fn depth(&self) -> u64 {
        self.held.lock().queues.iter().map(|queue| queue.depth()).sum()
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.first().is_none()
    }

    /// Up to so many records that wait in what this process holds, in the order they will be delivered.
    pub fn list(&self, limit: usize) -> Result<Vec<Record>, QueueError> {
        let mut listed = Vec::new();
        for queue in self.all() {
            listed.extend(queue.list(limit - listed.len())?);
            if listed.len() >= limit {
                break;
            }
        }
        Ok(listed)
    }

    /// The same of the dead letters.
    pub fn dead_letters(&self, limit: usize) -> Result<Vec<DeadLetter>, QueueError> {
        let mut listed = Vec::new();
        for queue in self.all() {
            listed.extend(queue.dead_letters(limit - listed.len())?);
            if listed.len() >= limit {
                break;
            }
        }
        Ok(listed)
    }

    /// What the queues of all processes hold: up to so many records in the order they will be delivered, up to so many
    /// dead letters, and figures. Those that others hold are seen as their files tell it.
    pub fn look(&self, limit: usize) -> Result<(Vec<Record>, Vec<DeadLetter>, Stats), QueueError> {
        let own = self.all();
        let (mut records, mut letters) = (Vec::new(), Vec::new());
        let mut stats = Stats { trouble: self.held.lock().trouble.clone(), ..Stats::default() };
        for folder in files::folders(&self.root)? {
            let held = own.iter().find(|queue| queue.folder() == folder);
            let (found, dead, figures) = match held {
                Some(queue) => (queue.list(limit)?, queue.dead_letters(limit)?, queue.stats()),
                None => match crate::look::look_into(&folder, limit) {
                    Ok(found) => found,
                    // Queues that hold nothing any more are removed, perhaps meanwhile.
                    Err(_) if !folder.exists() => continue,
                    Err(error) => return Err(error),
                },
            };
            records.extend(found);
            letters.extend(dead);
            stats.add(figures);
        }
        records.truncate(limit);
        letters.truncate(limit);
        Ok((records, letters, stats))
    }

    /// What this process holds, in figures.
    pub fn stats(&self) -> Stats {
        let mut stats = Stats::default();
        self.all().iter().for_each(|queue| stats.add(queue.stats()));
        stats
    }

    /// What was found to be wrong with the files, in words for a person, each told once.
    pub fn take_reports(&self) -> Vec<String> {
        self.all().iter().flat_map(|queue| queue.take_reports()).collect()
    }

    /// Lets what waits be tried at once.
    pub fn hurry(&self) {
        self.all().iter().for_each(|queue| queue.hurry());
    }

    /// Puts a dead letter back at the end of its queue.
    pub fn replay(&self, id: RecordId) -> Result<(), QueueError> {
        self.on_one(id, |queue| queue.replay(id))
    }

    /// Puts all dead letters back. How many those were.
    pub fn replay_all(&self) -> Result<u64, QueueError> {
        self.all().iter().map(|queue| queue.replay_all()).sum()
    }

    /// Drops what waits under an id, or the dead letter with it.
    pub fn drop_one(&self, id: RecordId) -> Result<(), QueueError> {
        self.on_one(id, |queue| queue.drop_one(id))
    }

    /// Drops everything that waits. How many records those were.
    pub fn drop_waiting(&self) -> Result<u64, QueueError> {
        self.all().iter().map(|queue| queue.drop_waiting()).sum()
    }

    /// Drops all dead letters. How many those were.
    pub fn drop_dead(&self) -> Result<u64, QueueError> {
        self.all().iter().map(|queue| queue.drop_dead()).sum()
    }

    /// Leaves all queues. What still waits is taken over by the next process.
    pub fn close(&self) -> Result<(), QueueError> {
        let held = std::mem::take(&mut *self.held.lock());
        drop(held.own);
        let mut outcome = Ok(());
        for queue in held.queues {
            // Whoever still holds one is at work with it; it is left as it is then.
            if let Some(queue) = Arc::into_inner(queue) {
                outcome = outcome.and(queue.close());
            }
        }
        outcome
    }

    fn all(&self) -> Vec<Arc<Queue>> {
        self.held.lock().queues.clone()
    }

    /// Does something with the queue that knows an id.
    fn on_one(
        &self,
        id: RecordId,
        change: impl Fn(&Queue) -> Result<(), QueueError>,
    ) -> Result<(), QueueError> {
        for queue in self.all() {
            match change(&queue) {
                Err(QueueError::NoRecord { .. }) => {}
                outcome => return outcome,
            }
        }
        let (records, letters, _) = self.look(usize::MAX)?;
        if records.iter().any(|one| one.id == id) || letters.iter().any(|one| one.id == id) {
            return Err(QueueError::HeldElsewhere { id });
        }
        Err(QueueError::NoRecord { id })
    }
}

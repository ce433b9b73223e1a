//! One of the processes: does what it is told, line by line, and answers each line.

use std::io::{BufRead as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use peri_backup::{Backups, Overwrite, Restore, SafetyBackup};
use peri_vault::{Key, Vault};
use peri_workers::{Trigger, WorkerKind, WorkerManager, WorkersSettings};
use perihelion::{
    Chores, Decay, Error, Hear, HeardOutcome, JournalSettings, Kept, MemoryId, Namespace, NewEntry,
    NewTrajectory, Observe, Options, OrbitSettings, Outcome, Perihelion, QueueSettings, Queueing, Recall,
    Receipt, Remember, Revise, Said, SaidBy, Scope, TaskOutcome,
};

use crate::import;
use crate::order::{Answer, Manner, Order, content};
use crate::picture;

/// Where the data lie below the folder of a run.
pub(crate) const DATA: &str = "data";

/// Nothing leaves the trash by itself, however far a clock jumps.
const TRASH_KEPT: Duration = Duration::from_secs(200 * 365 * 24 * 3600);

struct Actor {
    root: PathBuf,
    engine: Option<Arc<Perihelion>>,
}

/// Why something was not done.
struct Refusal {
    kind: String,
    text: String,
    hint: Option<String>,
}

macro_rules! refusal_from {
    ($($error:ty),+) => { $(impl From<$error> for Refusal {
        fn from(error: $error) -> Self {
            Self { kind: format!("{:?}", error.kind()), text: error.to_string(), hint: error.hint() }
        }
    })+ };
}
refusal_from!(Error, peri_backup::BackupError, peri_vault::VaultError);

/// Does what the lines of the input say, until they end.
pub(crate) fn serve(root: &Path) -> std::io::Result<()> {
    let mut actor = Actor { root: root.to_owned(), engine: None };
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let order: Order = serde_json::from_str(&line?)?;
        let answer = actor.perform(order).unwrap_or_else(|refusal| {
            let Refusal { kind, text, hint } = refusal;
            Answer::Refused { kind, text, hint }
        });
        let mut line = serde_json::to_string(&answer)?;
        line.push('\n');
        output.write_all(line.as_bytes())?;
        output.flush()?;
    }
    // What is not closed is left as a crash leaves it.
    std::process::exit(0)
}

/// How every process, and whoever looks afterwards, opens the folder.
pub(crate) fn options(folder: &Path, manner: Manner) -> Options {
    let queueing = if manner.queues { Queueing::On } else { Queueing::Off };
    let chores = if manner.threads { Chores::Background } else { Chores::ByHand };
    // What nobody uses is forgotten in time, and by a clock that is years ahead at once; the model knows nothing of it.
    let decay = Decay { enabled: false, ..Decay::default() };
    Options {
        orbit: OrbitSettings { decay, ..OrbitSettings::default() },
        chores,
        busy_timeout: Duration::from_millis(manner.busy_ms),
        trash_retention: TRASH_KEPT,
        journal: JournalSettings { retention: Duration::ZERO, ..JournalSettings::default() },
        queue: QueueSettings { queueing, ..QueueSettings::default() },
        ..Options::at(folder)
    }
}

impl Actor {
    fn perform(&mut self, order: Order) -> Result<Answer, Refusal> {
        match order {
            Order::Open(manner) => {
                self.engine = None;
                let engine = Perihelion::open(options(&self.root.join(DATA), manner))?;
                self.engine = Some(Arc::new(engine));
                Ok(Answer::Done)
            }
            Order::Close => {
                if let Some(engine) = self.engine.take().and_then(Arc::into_inner) {
                    engine.close()?;
                }
                Ok(Answer::Done)
            }
            order => {
                let engine = self.engine.clone().ok_or_else(|| Refusal {
                    kind: "Closed".to_owned(),
                    text: "the engine is not open".to_owned(),
                    hint: None,
                })?;
                self.call(&engine, order)
            }
        }
    }

    fn call(&self, engine: &Arc<Perihelion>, order: Order) -> Result<Answer, Refusal> {
        match order {
            Order::Open(_) | Order::Close => Ok(Answer::Done),
            Order::Remember { key } => Ok(stored(vec![engine.remember(Remember::new(content(&key)))?])),
            Order::Batch { keys } => {
                let batch = keys.iter().map(|key| Remember::new(content(key))).collect();
                Ok(stored(engine.remember_all(batch)?))
            }
            Order::RememberAway { key } => {
                let held = import::hold(&engine.database());
                let receipt = engine.remember(Remember::new(content(&key)));
                drop(held);
                Ok(stored(vec![receipt?]))
            }
            Order::Recall { key } => {
                let found = engine.recall(&Recall::new(content(&key)))?;
                let ids = found.hits.iter().map(|hit| hit.memory.id.to_string()).collect();
                Ok(Answer::Found { ids, degraded: found.degraded })
            }
            Order::Look { asked, settle } => {
                Ok(Answer::Seen(Box::new(picture::take(engine, &asked, settle)?)))
            }
            order => self.change(engine, order),
        }
    }

    fn change(&self, engine: &Arc<Perihelion>, order: Order) -> Result<Answer, Refusal> {
        let outcome = match order {
            Order::Revise { id, key } => {
                let revise = Revise { content: Some(content(&key)), ..Revise::default() };
                engine.revise(&Scope::All, parse(&id)?, revise).map(drop)
            }
            Order::Forget { id } => engine.forget(&Scope::All, parse(&id)?).map(drop),
            Order::Restore { id } => engine.restore(&Scope::All, parse(&id)?).map(drop),
            Order::Purge { id } => engine.purge(&Scope::All, parse(&id)?).map(drop),
            Order::Drain => engine.replay_queue(None).map(drop),
            Order::Import { keys } => return import::import(engine, &keys).map_err(Refusal::from),
            Order::Export => engine.export(Scope::All, &mut Vec::new()).map(drop),
            Order::Maintain => engine.maintain(),
            Order::Reorbit => engine.reorbit(&Scope::All).map(drop),
            Order::Snapshot => engine.take_snapshot().map(drop),
            order => return self.change_files(engine, order),
        };
        match outcome {
            Ok(()) => Ok(Answer::Done),
            Err(Error::Queued) => Ok(Answer::Queued { ids: Vec::new() }),
            Err(error) => Err(error.into()),
        }
    }

    fn change_files(&self, engine: &Arc<Perihelion>, order: Order) -> Result<Answer, Refusal> {
        match order {
            Order::Append { key } => {
                let appended = engine.append(NewEntry::new(content(&key)))?;
                Ok(match appended.state {
                    Kept::Stored => Answer::Done,
                    Kept::Queued => Answer::Queued { ids: Vec::new() },
                })
            }
            Order::Learn { key } => {
                let task = NewTrajectory::new(content(&key), TaskOutcome::Success).step("무엇을", "称重");
                Ok(match engine.record_trajectory(task)?.outcome {
                    Outcome::Queued => Answer::Queued { ids: Vec::new() },
                    Outcome::Stored | Outcome::Merged => Answer::Done,
                })
            }
            Order::Hear { key } => Ok(hear(engine, &key)?),
            Order::Consolidate => {
                let manager = WorkerManager::new(Arc::clone(engine), None, WorkersSettings::default());
                manager.dispatch(WorkerKind::Consolidate, Trigger::Hand)?;
                Ok(Answer::Done)
            }
            Order::Backup => {
                Backups::beside(engine.folder()).create(engine, &mut |_| {})?;
                Ok(Answer::Done)
            }
            Order::BringBack => {
                let backups = Backups::beside(engine.folder());
                let name = backups.find("latest")?;
                let how = Restore { overwrite: Overwrite::Allowed, safety: SafetyBackup::Made };
                backups.restore(&name, engine, how, &mut |_| {})?;
                Ok(Answer::Done)
            }
            Order::Vault { key } => {
                let vault = vault(&self.root);
                vault.put(&document(&key)?, &content(&key))?;
                vault.sync(engine)?;
                Ok(Answer::Done)
            }
            _ => Ok(Answer::Done),
        }
    }
}

/// Tells the engine what was said. Something that it was told before is [`Answer::Found`].
pub(crate) fn hear(engine: &Perihelion, key: &str) -> Result<Answer, Error> {
    let at = perihelion::Timestamp::UNIX_EPOCH;
    let text = format!("We decided: {}", content(key));
    let heard = Hear {
        namespace: namespace("talk"),
        session: "회의".to_owned(),
        messages: vec![Said::new(SaidBy::User, text, at)],
        ..Hear::default()
    };
    let receipt = engine.hear(heard, Observe::Now)?;
    Ok(match receipt.outcome {
        HeardOutcome::Queued => Answer::Queued { ids: Vec::new() },
        HeardOutcome::Kept if receipt.repeated > 0 => Answer::Found { ids: Vec::new(), degraded: Vec::new() },
        HeardOutcome::Kept => Answer::Done,
    })
}

/// The vault beside a data folder.
pub(crate) fn vault(root: &Path) -> Vault {
    Vault::new(root.join("vault"), namespace("vault"))
}

/// Where a document lies in the vault.
pub(crate) fn document(key: &str) -> Result<Key, peri_vault::VaultError> {
    Key::parse(&format!("facts/{key}"))
}

pub(crate) fn namespace(path: &str) -> Namespace {
    path.parse().expect("a plain word is a namespace")
}

fn parse(id: &str) -> Result<MemoryId, Refusal> {
    id.parse().map_err(|error: perihelion::InvalidId| Error::from(error).into())
}

fn stored(receipts: Vec<Receipt>) -> Answer {
    let ids = receipts.iter().map(|receipt| receipt.id.to_string()).collect();
    if receipts.iter().any(|receipt| receipt.outcome == Outcome::Queued) {
        return Answer::Queued { ids };
    }
    Answer::Stored { ids, changes: receipts.iter().map(|receipt| receipt.change.0).collect() }
}

//! What can go wrong, sorted by what the caller should do about it.

use std::path::PathBuf;

use peri_embed::EmbedError;
use peri_graph::EdgeFault;
use peri_learn::rvf::RvfError;
use peri_notes::{NotesError, ShelfError};
use peri_orbit::InvalidOrbit;
use peri_queue::QueueError;
use peri_store::{RelocateError, StoreError};
use peri_types::{
    EntryId, InvalidId, InvalidImportance, InvalidKeyId, InvalidNamespace, InvalidPosition, InvalidRecordId,
    LimitError, MemoryId, PatternId, Timestamp, TrajectoryId, TurnId, UnknownName,
};

use crate::SampleError;

/// Why the engine did not do what it was asked. Nothing of a failed request was kept.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request is malformed or too large. Mend it; [`Error::kind`] is [`ErrorKind::InvalidInput`].
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// A namespace is malformed. Mend it.
    #[error(transparent)]
    Namespace(#[from] InvalidNamespace),
    /// An id is malformed. Mend it.
    #[error(transparent)]
    Id(#[from] InvalidId),
    /// A key's id is malformed. Mend it.
    #[error(transparent)]
    KeyId(#[from] InvalidKeyId),
    /// An importance is out of range. Mend it.
    #[error(transparent)]
    Importance(#[from] InvalidImportance),
    /// A layer or kind does not exist. Mend it.
    #[error(transparent)]
    Name(#[from] UnknownName),
    /// The memories are on a server, and this works on the embedded store alone.
    #[error(
        "the memories are at {place}; copies of a server are made by its own tools, or by `peri export` and `peri move`"
    )]
    OnServer {
        /// Where they are, without any password.
        place: String,
    },
    /// A key was given for memories on a server. Give none: encryption there is the server's matter.
    #[error("the memories are at {place}, and a key encrypts the store in the data folder alone")]
    ServerEncryption {
        /// Where they are, without any password.
        place: String,
    },
    /// The clock shows what cannot be explained, so nothing was settled. Set it right, or accept it.
    #[error("{0}")]
    Clock(crate::ClockLeap),
    /// The store refused or failed; its own variants say what to do.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The configured embedding engine cannot be started. Mend the configuration, or use the bundled one.
    #[error("the embedding engine cannot be started")]
    Engine(#[source] EmbedError),
    /// The embedding engine is at work and failed. Try again later, or mend what it says.
    #[error("the embedding engine failed")]
    Embedding(#[source] EmbedError),
    /// No embedding engine is at work, so there are no vectors to hand out. Configure one.
    #[error("no embedding engine is at work: {why}")]
    NoEngine {
        /// Why there is none.
        why: String,
    },
    /// The orbit's settings make no sense. Mend the configuration.
    #[error(transparent)]
    Orbit(#[from] InvalidOrbit),
    /// Notes could not be read or changed; its own variants say what to do.
    #[error(transparent)]
    Notes(#[from] NotesError),
    /// The settings of the notes make no sense. Mend the configuration.
    #[error("the settings of the notes make no sense: {what}")]
    NotesSettings {
        /// What is wrong with them.
        what: &'static str,
    },
    /// The edge cannot be drawn. Mend it.
    #[error(transparent)]
    Edge(#[from] EdgeFault),
    /// An entity of a knowledge graph, or something of it, is malformed or too large. Mend it.
    #[error("entity {name:?}: {limit}")]
    Entity {
        /// The entity's name, or how it begins.
        name: String,
        /// What is wrong.
        limit: LimitError,
    },
    /// No entity has this name. Create it first. The words are those that users of the reference memory server know.
    #[error("Entity with name {name} not found")]
    NoEntity {
        /// The name that was given.
        name: String,
    },
    /// Structured content claims to be of a shape that it does not have. Mend it, or use another kind.
    #[error("the structured content does not fit its kind: {part} is {given}, not {expected}")]
    Data {
        /// Which part of it.
        part: &'static str,
        /// What is there, or how that begins.
        given: String,
        /// What should be.
        expected: String,
    },
    /// A memory cannot be promoted. Choose another one, or another layer.
    #[error("memory {id} cannot be promoted: {why}")]
    NotPromotable {
        /// Which one.
        id: MemoryId,
        /// Why.
        why: &'static str,
    },
    /// No journal event has this id where it was looked for. Fix the id or widen the scope.
    #[error("no journal event {id} here")]
    NoEntry {
        /// The id that was asked for.
        id: EntryId,
    },
    /// No turn has this id where it was looked for. Fix the id or widen the scope.
    #[error("no turn {id} here")]
    NoTurn {
        /// The id that was asked for.
        id: TurnId,
    },
    /// No trajectory has this id where it was looked for. Fix the id or widen the scope.
    #[error("no trajectory {id} here")]
    NoTrajectory {
        /// The id that was asked for.
        id: TrajectoryId,
    },
    /// No pattern has this id where it was looked for. Fix the id or widen the scope.
    #[error("no pattern {id} here")]
    NoPattern {
        /// The id that was asked for.
        id: PatternId,
    },
    /// Nothing was learned under this number. Use one that the list tells.
    #[error("nothing was learned under number {number} of the {name}; the latest is {known}")]
    NoLearned {
        /// What was to be put back.
        name: &'static str,
        /// The number that was asked for.
        number: u64,
        /// The latest number.
        known: u64,
    },
    /// A learning file was not read or written; its own variants say what to do. It is as it was.
    #[error(transparent)]
    LearningFile(#[from] RvfError),
    /// How sure somebody was is not from 0 to 1. Mend it.
    #[error("the confidence of a step is {given}, not from 0 to 1")]
    Confidence {
        /// What was given.
        given: f32,
    },
    /// Somebody else changed the same patterns again and again. Try again.
    #[error("others are changing the same patterns; nothing was changed")]
    PatternsBusy,
    /// The id of a journal event, a turn, a pattern or a trajectory is malformed. Mend it.
    #[error(transparent)]
    RecordId(#[from] InvalidRecordId),
    /// A place in the journal is malformed. Use the one that the page before told.
    #[error(transparent)]
    Position(#[from] InvalidPosition),
    /// No such set of weights. Choose one that exists.
    #[error("there is no set of weights {number}, only 0 to {known}")]
    NoWeights {
        /// The number that was given.
        number: u64,
        /// The highest that there is.
        known: u64,
    },
    /// Feedback names results of two namespaces. Give feedback for each by itself.
    #[error("the results are of two namespaces, {one} and {other}")]
    TwoNamespaces {
        /// The one.
        one: peri_types::Namespace,
        /// The other.
        other: peri_types::Namespace,
    },
    /// The memory was merged into another one, and taking an edge away does not part them. Split it off instead.
    #[error("memory {id} was merged into {survivor}")]
    Merged {
        /// The one that was put aside.
        id: MemoryId,
        /// The one that stands for both.
        survivor: MemoryId,
    },
    /// The memory was changed since somebody has seen it. Read it again and decide anew.
    #[error("memory {id} was changed since it was seen")]
    Changed {
        /// The id that was asked for.
        id: MemoryId,
    },
    /// A line of an import cannot be read. Mend it; what came before it is kept.
    #[error("line {line} cannot be read: {detail}")]
    Import {
        /// Which line, from 1.
        line: u64,
        /// What is wrong with it.
        detail: String,
    },
    /// An export or import could not be written or read. Look at the disk or the pipe.
    #[error("the export or import broke off")]
    Transfer(#[source] std::io::Error),
    /// No snapshot is called that. List them and choose one.
    #[error("there is no snapshot {name:?}")]
    NoSnapshot {
        /// The name that was given.
        name: String,
    },
    /// A snapshot or report cannot be written or read. Look at the file and the disk; memories are not touched.
    #[error("{path} cannot be written or read")]
    Record {
        /// Which file or folder.
        path: PathBuf,
        /// What the system said, or what is wrong with the file.
        #[source]
        source: std::io::Error,
    },
    /// Somebody else is moving the memories to another space. Wait until they are done, or have been gone for a while.
    #[error("the memories are being reindexed by another process, which has until {until} to go on")]
    Reindexing {
        /// When its right runs out, unless it goes on.
        until: Timestamp,
    },
    /// The operating system gave no random bytes, so no key was created. Look at the system.
    #[error("the operating system gives no random bytes: {detail}")]
    NoRandomness {
        /// What the system said.
        detail: String,
    },
    /// The store cannot take the change now. It is kept on this machine and will be made, once and in its order, when it
    /// can: there is nothing to do.
    #[error("the change is queued on this machine and will be made when the store can be reached")]
    Queued,
    /// Another attempt has made the request, and what that came to is kept: look there. This one changed nothing.
    #[error("another attempt has made this request")]
    MadeBefore,
    /// The store cannot take the change now, and it is not queued either: nothing of it was kept. Make room or mend the
    /// folder, and send it again.
    #[error("not kept: {}", why_not_kept(store, queue.as_deref()))]
    NotKept {
        /// What is the matter with the store.
        store: StoreError,
        /// What is the matter with the queue; none if writes are not queued.
        queue: Option<Box<QueueError>>,
    },
    /// The queue of writes that wait cannot be read or changed, or does not hold what was asked for.
    #[error(transparent)]
    Queue(#[from] QueueError),
    /// The store was not moved to another place. The source is as it was.
    #[error(transparent)]
    Relocate(#[from] RelocateError),
    /// Writes wait on this machine for the store that was to be moved. Let them be made, or drop them, first.
    #[error("{writes} writes wait in {folder} for the store that is to be moved")]
    WritesWait {
        /// How many.
        writes: u64,
        /// Where their queue is.
        folder: PathBuf,
    },
    /// The sample was neither loaded nor removed; its own variants say what to do.
    #[error(transparent)]
    Sample(#[from] SampleError),
    /// The data folder cannot be created. Check the path and the permissions.
    #[error("the folder {path} cannot be created")]
    Folder {
        /// Which folder.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
}

/// What a caller should do about an [`Error`]. Faces map it to exit codes and statuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// Mend the request.
    InvalidInput,
    /// There is no such memory here.
    NotFound,
    /// The request contradicts what is stored.
    Conflict,
    /// Try again later: another process is at work.
    Busy,
    /// The folder, the disk or the engine needs an operator.
    Unavailable,
    /// The data is damaged; restore or salvage it.
    Corrupt,
    /// Nothing: it is kept on this machine and will be made when the store can be reached.
    Queued,
    /// Send it again once there is room or the store answers: it is neither stored nor queued.
    NotKept,
    /// A mistake of ours; report it.
    Internal,
}

impl Error {
    /// The same, where a write failed of which nothing waits: what is the matter with the store says that nothing of it is
    /// kept. What the caller has to mend stays as it is.
    pub(crate) fn or_not_kept(self) -> Self {
        match (self.kind(), self) {
            (
                ErrorKind::Busy | ErrorKind::Unavailable | ErrorKind::Corrupt | ErrorKind::Internal,
                Self::Store(store),
            ) => Self::NotKept { store, queue: None },
            (_, error) => error,
        }
    }

    /// What to do about it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Limit(_)
            | Self::Namespace(_)
            | Self::Id(_)
            | Self::KeyId(_)
            | Self::RecordId(_)
            | Self::Position(_)
            | Self::Importance(_)
            | Self::Name(_)
            | Self::Orbit(_)
            | Self::Edge(_)
            | Self::Entity { .. }
            | Self::Data { .. }
            | Self::TwoNamespaces { .. }
            | Self::NotesSettings { .. }
            | Self::Notes(NotesError::Session(_))
            | Self::Confidence { .. }
            | Self::Import { .. } => ErrorKind::InvalidInput,
            Self::Notes(error) => notes_kind(error),
            Self::LearningFile(error) => learning_file_kind(error),
            Self::Queued => ErrorKind::Queued,
            Self::MadeBefore => ErrorKind::Conflict,
            Self::NotKept { .. } => ErrorKind::NotKept,
            Self::Queue(QueueError::NoRecord { .. }) => ErrorKind::NotFound,
            Self::Queue(QueueError::HeldElsewhere { .. }) => ErrorKind::Conflict,
            Self::Queue(QueueError::Disk { .. }) => ErrorKind::Unavailable,
            Self::Changed { .. }
            | Self::Merged { .. }
            | Self::NotPromotable { .. }
            | Self::Clock(_)
            | Self::OnServer { .. } => ErrorKind::Conflict,
            Self::ServerEncryption { .. } => ErrorKind::InvalidInput,
            Self::Reindexing { .. } | Self::PatternsBusy => ErrorKind::Busy,
            Self::WritesWait { .. } => ErrorKind::Conflict,
            Self::Relocate(error) => relocate_kind(error),
            Self::NoWeights { .. }
            | Self::NoEntity { .. }
            | Self::NoEntry { .. }
            | Self::NoTurn { .. }
            | Self::NoTrajectory { .. }
            | Self::NoPattern { .. }
            | Self::NoLearned { .. }
            | Self::NoSnapshot { .. } => ErrorKind::NotFound,
            Self::Record { source, .. } if source.kind() == std::io::ErrorKind::InvalidData => {
                ErrorKind::Corrupt
            }
            Self::Record { .. } => ErrorKind::Unavailable,
            Self::Engine(_)
            | Self::Embedding(_)
            | Self::NoEngine { .. }
            | Self::Folder { .. }
            | Self::Transfer(_)
            | Self::NoRandomness { .. } => ErrorKind::Unavailable,
            Self::Store(error) => store_kind(error),
            Self::Sample(error) => error.kind(),
        }
    }

    /// What to do about it, in words for a person, where there is more to say than the message does.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Engine(_) => Some("set embedding.engine to \"bundled\" to go on without it".to_owned()),
            Self::ServerEncryption { .. } => Some(
                "leave encryption.key_file and PERI_ENCRYPTION_KEY empty; have the server encrypt its disks and \
                 connections"
                    .to_owned(),
            ),
            Self::Clock(_) => Some(
                "nothing was taken away; set the clock right, or say `peri reorbit --accept-clock` if it is; a clock that \
                 goes on for a day is accepted by itself"
                    .to_owned(),
            ),
            Self::KeyId(_) => Some("the list of keys shows their ids; the secret is not needed".to_owned()),
            Self::NoEntry { .. } | Self::NoTurn { .. } => {
                Some("it may lie in another namespace, or be older than the journal is kept".to_owned())
            }
            Self::Reindexing { .. } => Some(
                "nothing was changed; once it is done or gone, the same command goes on from there"
                    .to_owned(),
            ),
            Self::NoPattern { .. } | Self::NoTrajectory { .. } => {
                Some("it may lie in another namespace; the list shows the ids".to_owned())
            }
            Self::Merged { id, .. } => {
                Some(format!("nothing was changed; `peri split {id}` takes the two apart"))
            }
            Self::Queued => Some("`peri queue` shows what waits".to_owned()),
            Self::NotKept { queue: Some(queue), .. } if queue.is_full() => {
                Some("make room on the disk of the data folder, then send it again".to_owned())
            }
            Self::NotKept { .. } => Some(
                "send it again once `peri health` says that the store or the queue takes writes".to_owned(),
            ),
            Self::Queue(QueueError::NoRecord { .. }) => {
                Some("the list of what is queued shows the ids; it may have been made meanwhile".to_owned())
            }
            Self::Queue(QueueError::HeldElsewhere { .. }) => {
                Some("ask the server that runs: it alone may change its own queue".to_owned())
            }
            Self::Queue(QueueError::Disk { .. }) => Some(
                "nothing that was queued is lost; look at the folder, its permissions and the disk"
                    .to_owned(),
            ),
            Self::WritesWait { .. } => Some(
                "nothing was changed; `peri queue` shows what waits, and how to have it made or dropped"
                    .to_owned(),
            ),
            Self::Relocate(error) => crate::relocate::hint(error),
            Self::NoSnapshot { .. } => Some("the list of snapshots shows their names".to_owned()),
            Self::Record { .. } => {
                Some("no memory was touched; look at the file, its permissions and the disk".to_owned())
            }
            Self::NoRandomness { .. } => {
                Some("no key was created; keys are drawn from the system's random numbers alone".to_owned())
            }
            Self::Store(error) => store_hint(error),
            Self::Sample(error) => Some(error.hint().to_owned()),
            _ => None,
        }
    }
}

/// What is the matter with the store and the queue, in a sentence.
fn why_not_kept(store: &StoreError, queue: Option<&QueueError>) -> String {
    match (store, queue) {
        // Others wait, for whatever reason, and the disk takes no more.
        (StoreError::Closed, Some(queue)) => {
            format!("it could not be queued behind those that wait: {queue}")
        }
        (store, Some(queue)) => format!("{store}; and it could not be queued: {queue}"),
        (store, None) => store.to_string(),
    }
}

fn store_hint(error: &StoreError) -> Option<String> {
    let hint = match error {
        StoreError::NotFound { .. } => "it may lie in another namespace, or have been purged".to_owned(),
        StoreError::NotTrashed { .. } => {
            "forget it first: only what lies in the trash is restored or purged".to_owned()
        }
        StoreError::Circular { .. } => {
            "follow `superseded_by` from the newer one: it leads back to the older".to_owned()
        }
        StoreError::NotPromoted { .. } => {
            "only what was promoted can be brought back; its sources are listed in its history".to_owned()
        }
        StoreError::NotMerged { .. } => {
            "only what a merge put aside can be split off; its history tells".to_owned()
        }
        StoreError::NoSession { .. } => "sessions are listed with their namespace".to_owned(),
        StoreError::NoNamespace { .. } => "a namespace is there once something is stored in it".to_owned(),
        StoreError::NoKey { .. } => "the list of keys shows the revoked ones too".to_owned(),
        StoreError::RequestKeyTaken { .. } => {
            "nothing was changed; use a new key for a new request".to_owned()
        }
        StoreError::KeyTaken { .. } => "create it again: another id is drawn".to_owned(),
        StoreError::Ambiguous { .. } => {
            "nothing was changed; say which `namespace`, on the command line with --namespace".to_owned()
        }
        StoreError::Duplicate { twin, .. } => format!("look at {twin}, and forget one of the two"),
        StoreError::VersionConflict { .. } => "read it again: somebody revised it meanwhile".to_owned(),
        StoreError::Busy { .. } => {
            "nothing was changed; try again, or look for a process that hangs".to_owned()
        }
        StoreError::Overtaken { .. } => "nothing was changed; try again".to_owned(),
        StoreError::Unreachable { .. } => {
            "nothing was lost; look whether the server runs and can be reached from here".to_owned()
        }
        StoreError::Uncertain { .. } => {
            "look whether it was written before you try again; nothing is half written".to_owned()
        }
        StoreError::DiskFull { .. } => "nothing was lost or half written; make room and try again".to_owned(),
        StoreError::DiskFailed { .. } => {
            "nothing was lost or half written; look at quotas, limits and the disk itself".to_owned()
        }
        StoreError::Missing { .. } => "put it back, or export what this process still holds".to_owned(),
        StoreError::ReadOnly { .. } => {
            "recall still works; mend the permissions, or choose another folder".to_owned()
        }
        StoreError::Corrupt { .. } => {
            "the file was left as it is; keep a copy of the folder, then restore a backup or \
             salvage it with `sqlite3 perihelion.db .recover`"
                .to_owned()
        }
        StoreError::KeyMissing { .. }
        | StoreError::WrongKey { .. }
        | StoreError::NotEncrypted { .. }
        | StoreError::CannotEncrypt => return key_hint(error).map(ToOwned::to_owned),
        StoreError::InUse { .. } => {
            "nothing was changed; stop `peri serve`, agents and whatever else uses the folder, then try again"
                .to_owned()
        }
        StoreError::Foreign { .. } => "choose another folder; that file was left as it is".to_owned(),
        StoreError::TooNew { .. } => "upgrade this program; the file was left as it is".to_owned(),
        StoreError::HalfMoved { .. } => {
            "run the same `peri move --from … --to …` again: it goes on where it was".to_owned()
        }
        StoreError::IdTaken { .. } => {
            "leave the id out, or revise or restore the memory that has it".to_owned()
        }
        StoreError::CannotOpen { .. } | StoreError::Closed | StoreError::Database { .. } => return None,
    };
    Some(hint)
}

/// What to do about trouble with the key of a store.
fn key_hint(error: &StoreError) -> Option<&'static str> {
    match error {
        StoreError::KeyMissing { .. } => {
            Some("nothing was changed; set encryption.key_file in perihelion.toml, or PERI_ENCRYPTION_KEY")
        }
        StoreError::WrongKey { .. } => {
            Some("nothing was changed; nobody can read the store without the key it was encrypted with")
        }
        StoreError::NotEncrypted { .. } => {
            Some("nothing was changed; `peri encrypt` encrypts it, or leave the key out of the settings")
        }
        StoreError::CannotEncrypt => Some(
            "nothing was changed; releases named -encryption can, and what is built with `--features encryption`",
        ),
        _ => None,
    }
}

/// What to do about trouble with notes.
fn notes_kind(error: &NotesError) -> ErrorKind {
    match error {
        NotesError::Session(_) => ErrorKind::InvalidInput,
        NotesError::Contended { .. } | NotesError::Shelf(ShelfError::Busy { .. }) => ErrorKind::Busy,
        NotesError::Unreadable { .. } | NotesError::Shelf(ShelfError::Damaged { .. }) => ErrorKind::Corrupt,
        NotesError::Shelf(_) => ErrorKind::Unavailable,
    }
}

fn relocate_kind(error: &RelocateError) -> ErrorKind {
    match error {
        RelocateError::Store(error) => store_kind(error),
        RelocateError::SamePlace { .. } | RelocateError::Older { .. } => ErrorKind::InvalidInput,
        RelocateError::NoSource { .. } => ErrorKind::NotFound,
        RelocateError::Occupied { .. }
        | RelocateError::OtherSource { .. }
        | RelocateError::Unstorable { .. } => ErrorKind::Conflict,
        RelocateError::Disturbed { .. } | RelocateError::Halted => ErrorKind::Busy,
        RelocateError::Differs { .. } => ErrorKind::Corrupt,
    }
}

fn learning_file_kind(error: &RvfError) -> ErrorKind {
    match error {
        RvfError::File { source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
            ErrorKind::InvalidInput
        }
        RvfError::Io { .. } | RvfError::File { .. } => ErrorKind::Unavailable,
        RvfError::NotALearningFile { .. }
        | RvfError::TooLarge { .. }
        | RvfError::TooManyRecords { .. }
        | RvfError::RecordTooLarge { .. }
        | RvfError::Refused { .. } => ErrorKind::InvalidInput,
        RvfError::NotInitialized { .. } | RvfError::ChangedMeanwhile { .. } => ErrorKind::Conflict,
    }
}

fn store_kind(error: &StoreError) -> ErrorKind {
    match error {
        StoreError::NotFound { .. }
        | StoreError::NoSession { .. }
        | StoreError::NoNamespace { .. }
        | StoreError::NoKey { .. } => ErrorKind::NotFound,
        StoreError::IdTaken { .. }
        | StoreError::Ambiguous { .. }
        | StoreError::KeyTaken { .. }
        | StoreError::RequestKeyTaken { .. }
        | StoreError::Duplicate { .. }
        | StoreError::NotTrashed { .. }
        | StoreError::Circular { .. }
        | StoreError::NotMerged { .. }
        | StoreError::NotPromoted { .. }
        | StoreError::VersionConflict { .. } => ErrorKind::Conflict,
        StoreError::Busy { .. } | StoreError::Overtaken { .. } | StoreError::InUse { .. } => ErrorKind::Busy,
        StoreError::Unreachable { .. }
        | StoreError::Uncertain { .. }
        | StoreError::DiskFull { .. }
        | StoreError::DiskFailed { .. }
        | StoreError::Missing { .. }
        | StoreError::ReadOnly { .. }
        | StoreError::CannotOpen { .. }
        | StoreError::KeyMissing { .. }
        | StoreError::WrongKey { .. }
        | StoreError::NotEncrypted { .. }
        | StoreError::CannotEncrypt
        | StoreError::Foreign { .. }
        | StoreError::TooNew { .. }
        | StoreError::HalfMoved { .. } => ErrorKind::Unavailable,
        StoreError::Corrupt { .. } => ErrorKind::Corrupt,
        StoreError::Closed | StoreError::Database { .. } => ErrorKind::Internal,
    }
}

//! What can go wrong with a store, and what to do about it.

use std::path::PathBuf;

use peri_types::{KeyId, MemoryId, Namespace};

/// Why a store did not do what it was asked. Nothing of a failed write was kept.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// No memory has this id where it was looked for. Fix the id or widen the scope.
    #[error("no memory {id} here")]
    NotFound {
        /// The id that was asked for.
        id: MemoryId,
    },
    /// The id is taken, by a memory with other content or one in the trash. Leave the id out, or revise or
    /// restore that memory.
    #[error("the id {id} is already in use in {namespace}")]
    IdTaken {
        /// The id that was given.
        id: MemoryId,
        /// Where it is in use.
        namespace: Namespace,
    },
    /// Several namespaces hold this id. Say which one is meant.
    #[error("more than one namespace holds {id}: {}", listed(.namespaces))]
    Ambiguous {
        /// The id that was asked for, of a memory, a turn or a journal event.
        id: String,
        /// Those that lie in the scope that was asked for.
        namespaces: Vec<Namespace>,
    },
    /// The change would make two memories of a namespace say the same. Forget one of them instead.
    #[error("memory {twin} in {namespace} already says the same")]
    Duplicate {
        /// The memory that says it already.
        twin: MemoryId,
        /// Where both are.
        namespace: Namespace,
    },
    /// The memory is not in the trash, so it cannot be restored or purged. Forget it first.
    #[error("memory {id} is not in the trash")]
    NotTrashed {
        /// The id that was asked for.
        id: MemoryId,
    },
    /// The memory was revised since it was read. Read it again and decide anew.
    #[error("memory {id} is at version {found}, not {expected}")]
    VersionConflict {
        /// The id that was asked for.
        id: MemoryId,
        /// The version the caller had seen.
        expected: u32,
        /// The version that is stored.
        found: u32,
    },
    /// The memory would end up taking its own place, over others. Choose another one.
    #[error("memory {id} would take its own place")]
    Circular {
        /// The memory that was to be replaced.
        id: MemoryId,
    },
    /// The memory was not merged into another one. There is nothing to split.
    #[error("memory {id} is not merged into another one")]
    NotMerged {
        /// The id that was asked for.
        id: MemoryId,
    },
    /// The memory was not promoted from others, or is in the trash. There is nothing to undo.
    #[error("memory {id} was not promoted from others")]
    NotPromoted {
        /// The id that was asked for.
        id: MemoryId,
    },
    /// No session has this name there. Check the name and the namespace.
    #[error("no session {name:?} in {namespace}")]
    NoSession {
        /// The name that was given.
        name: String,
        /// Where it was looked for.
        namespace: Namespace,
    },
    /// No namespace is called that. Check the name.
    #[error("there is no namespace {namespace}")]
    NoNamespace {
        /// The name that was given.
        namespace: Namespace,
    },
    /// No key has this id. Check the id.
    #[error("there is no key {id}")]
    NoKey {
        /// The id that was given.
        id: KeyId,
    },
    /// A key with this id exists already. Draw another id.
    #[error("the key id {id} is already in use")]
    KeyTaken {
        /// The id that was given.
        id: KeyId,
    },
    /// The name of a request that is to be made once was used for another one. Use a new name for a new request.
    #[error("the idempotency key {key:?} was used for another request")]
    RequestKeyTaken {
        /// The name.
        key: String,
    },
    /// Somebody else changed the knowledge graph since it was read. Read it again and decide anew.
    #[error("the knowledge graph of {namespace} was changed meanwhile")]
    Overtaken {
        /// Whose graph.
        namespace: Namespace,
    },
    /// Another process held the database for longer than the timeout. Try again.
    #[error("the database {path} stayed locked by another process for {waited_ms} ms")]
    Busy {
        /// The database's file.
        path: PathBuf,
        /// How long this process waited.
        waited_ms: u64,
    },
    /// The server that holds the database does not answer. Wait until it does, or look at it.
    #[error("the database at {place} cannot be reached: {detail}")]
    Unreachable {
        /// Where it should be, without any password.
        place: String,
        /// What was tried and what came of it.
        detail: String,
    },
    /// The connection broke while a commit was under way, so that nobody knows whether it was made. Make it again
    /// with the same token: it is made once.
    #[error("the database at {place} broke off while it was writing; whether it did is not known")]
    Uncertain {
        /// Where the database is, without any password.
        place: String,
        /// What tells this call from every other one.
        token: [u8; 16],
    },
    /// The disk is full. Make room and try again.
    #[error("the disk that holds {path} is full")]
    DiskFull {
        /// The database's file.
        path: PathBuf,
    },
    /// The disk refused to read or write: a quota, a limit on file sizes, or a defect. Mend that and try again.
    #[error("the disk that holds {path} failed: {detail}")]
    DiskFailed {
        /// The database's file.
        path: PathBuf,
        /// What the system said.
        detail: String,
    },
    /// The file or its folder cannot be written. Mend the permissions, or use another folder.
    #[error("{path} cannot be written")]
    ReadOnly {
        /// The database's file.
        path: PathBuf,
    },
    /// The file cannot be opened or created. Check the path and the permissions.
    #[error("{path} cannot be opened: {detail}")]
    CannotOpen {
        /// The database's file.
        path: PathBuf,
        /// What the system said.
        detail: String,
    },
    /// The file is no longer where it was opened, so that what is written to it would be lost. Put it back, or open the
    /// store again.
    #[error("{path} is not in its place any more: {detail}")]
    Missing {
        /// The database's file, or its log.
        path: PathBuf,
        /// What became of it.
        detail: &'static str,
    },
    /// The file is damaged or not a database. It is left as it is: restore a backup, or salvage it.
    #[error("{path} is damaged: {detail}")]
    Corrupt {
        /// The database's file.
        path: PathBuf,
        /// What was found.
        detail: String,
    },
    /// The file is encrypted, and no key was given. Give the key.
    #[error("{path} is encrypted, and no key is given")]
    KeyMissing {
        /// The database's file.
        path: PathBuf,
    },
    /// The file does not open with the key that was given. Give the key that it was encrypted with.
    #[error("{path} does not open with this key: {detail}")]
    WrongKey {
        /// The database's file.
        path: PathBuf,
        /// What is known of the key it was encrypted with.
        detail: &'static str,
    },
    /// A key was given, and the file is not encrypted. Encrypt it, or give no key.
    #[error("{path} is not encrypted, although a key is given")]
    NotEncrypted {
        /// The database's file.
        path: PathBuf,
    },
    /// This build cannot encrypt. Use one that can.
    #[error("this build of the program cannot read or write encrypted stores")]
    CannotEncrypt,
    /// Other processes have the file open, and it was to be taken alone. Stop them and try again.
    #[error("{path} is in use by another process")]
    InUse {
        /// The database's file.
        path: PathBuf,
    },
    /// The file is a database of something else. Choose another folder.
    #[error("{path} belongs to another program")]
    Foreign {
        /// The database's file.
        path: PathBuf,
    },
    /// The file was written by a newer release. Upgrade this one.
    #[error("{path} has format {found}, this release knows up to {known}")]
    TooNew {
        /// The database's file.
        path: PathBuf,
        /// The format it has.
        found: u32,
        /// The newest format this release reads.
        known: u32,
    },
    /// The store is the target of a move that is not finished. Run that move again: it goes on where it was.
    #[error("{place} holds but a part of a store that is being moved there")]
    HalfMoved {
        /// Where it is, without any password.
        place: String,
    },
    /// The store was closed, or its writer died. Open it again.
    #[error("the store is closed")]
    Closed,
    /// Anything else the database said. Report it.
    #[error("the database {path} failed: {detail}")]
    Database {
        /// The database's file.
        path: PathBuf,
        /// What it said.
        detail: String,
    },
}

fn listed(namespaces: &[Namespace]) -> String {
    namespaces.iter().map(Namespace::as_str).collect::<Vec<_>>().join(", ")
}

impl StoreError {
    /// Whether the store does not answer, so that asking it for something else would not help either.
    pub fn is_unreachable(&self) -> bool {
        matches!(self, Self::Unreachable { .. } | Self::Uncertain { .. })
    }

    /// Whether the same call may succeed later without anybody changing it: the store cannot be reached, is locked, or
    /// has no room. A refusal stays a refusal.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Unreachable { .. }
            | Self::Uncertain { .. }
            | Self::Busy { .. }
            | Self::DiskFull { .. }
            | Self::DiskFailed { .. }
            | Self::Missing { .. }
            | Self::Closed => true,
            Self::NotFound { .. }
            | Self::IdTaken { .. }
            | Self::Ambiguous { .. }
            | Self::Duplicate { .. }
            | Self::NotTrashed { .. }
            | Self::VersionConflict { .. }
            | Self::Circular { .. }
            | Self::NotMerged { .. }
            | Self::NotPromoted { .. }
            | Self::NoSession { .. }
            | Self::NoNamespace { .. }
            | Self::NoKey { .. }
            | Self::KeyTaken { .. }
            | Self::RequestKeyTaken { .. }
            | Self::Overtaken { .. }
            | Self::ReadOnly { .. }
            | Self::CannotOpen { .. }
            | Self::Corrupt { .. }
            | Self::KeyMissing { .. }
            | Self::WrongKey { .. }
            | Self::NotEncrypted { .. }
            | Self::CannotEncrypt
            | Self::InUse { .. }
            | Self::Foreign { .. }
            | Self::TooNew { .. }
            | Self::HalfMoved { .. }
            | Self::Database { .. } => false,
        }
    }
}

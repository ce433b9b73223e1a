//! What a place must offer so that notes can be kept there: documents, logs, and changes that happen all or not at all.

use std::fmt;

use peri_types::Namespace;
use serde::{Deserialize, Serialize};

use crate::{InvalidSession, Owner, Session, ShelfError};

/// A place where notes are kept. One shelf serves all namespaces, and nothing of one is ever seen in another.
///
/// Nobody holds a lock between calls: whoever changes something reads it, computes, and commits with what it expects to
/// be still so. A commit that answers [`Commit::Stale`] has done nothing, and is tried again from the reading on.
pub trait Shelf: Send + Sync {
    /// A document as it is now, as [`Text::new`] makes it; none if there is none.
    fn read(&self, namespace: &Namespace, key: &Key) -> Result<Option<Text>, ShelfError>;

    /// The lines of a log, the oldest first; none if it is not there.
    fn lines(&self, namespace: &Namespace, key: &Key) -> Result<Vec<String>, ShelfError>;

    /// What a collection holds, sorted.
    fn list(&self, namespace: &Namespace, collection: Collection) -> Result<Vec<Key>, ShelfError>;

    /// The namespaces that hold anything, sorted.
    fn namespaces(&self) -> Result<Vec<Namespace>, ShelfError>;

    /// Makes all changes, in their order, or none. They are durable when it returns. If anything that is expected is
    /// no longer so, nothing is done.
    fn commit(
        &self,
        namespace: &Namespace,
        changes: &[Change],
        expected: &[(Key, Expected)],
    ) -> Result<Commit, ShelfError>;

    /// Every document of a collection, sorted by key. Shelves that can read them at once should.
    fn documents(
        &self,
        namespace: &Namespace,
        collection: Collection,
    ) -> Result<Vec<(Key, Text)>, ShelfError> {
        let mut found = Vec::new();
        for key in self.list(namespace, collection)? {
            if let Some(text) = self.read(namespace, &key)? {
                found.push((key, text));
            }
        }
        Ok(found)
    }
}

macro_rules! collections {
    ($($(#[$doc:meta])* $name:ident = $text:literal $shape:ident,)*) => {
        /// What sort of thing is kept.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Collection {
            $($(#[$doc])* $name,)*
        }

        impl Collection {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The name that stores keep.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }

            /// Whether it holds documents or logs.
            pub fn shape(self) -> Shape {
                match self {
                    $(Self::$name => Shape::$shape,)*
                }
            }
        }
    };
}

collections! {
    /// The notes of a session, in Markdown.
    Observations = "observations" Document,
    /// What is known of a session's notes besides their text.
    Meta = "meta" Document,
    /// There if a session's notes are to be given to the agent at its next request.
    Inject = "inject" Document,
    /// Which notes of a session were handed over to another session.
    Delivered = "delivered" Document,
    /// What the agent of a session was given, and what is lent to it.
    Given = "given" Document,
    /// Which notes of a session its agent was not given yet.
    NewItems = "new" Document,
    /// Notes of a session as they were before an observer or a reflector dropped or reworded them.
    Dropped = "dropped" Log,
    /// Messages that wait to be observed.
    Pending = "pending" Log,
    /// Messages that could not be observed, however often it was tried.
    Aside = "aside" Log,
    /// Which messages were kept lately, so that a turn that is told again is not kept again.
    Heard = "heard" Log,
    /// What the agent of a session was given from memory.
    HandedOut = "handed_out" Log,
    /// What notes of a session took the place of, which the memories were not told yet.
    Replaced = "replaced" Log,
    /// What the memories were told of a session's notes.
    Told = "told" Document,
    /// What went wrong with a session's notes and when it is tried again.
    Trouble = "trouble" Document,
    /// What was said.
    Conversations = "conversations" Log,
    /// Notes of a session that are proposed for the digest.
    Candidates = "candidates" Log,
    /// The digest of the namespace, in Markdown.
    Persistent = "persistent" Document,
    /// What is known of the digest besides its text.
    PersistentMeta = "persistent_meta" Document,
    /// What went wrong with the digest and when it is tried again.
    PersistentTrouble = "persistent_trouble" Document,
    /// What the memories were told of the digest.
    PersistentTold = "persistent_told" Document,
    /// What was moved here from another namespace, and is not done with yet, of a session.
    Moving = "moving" Document,
    /// The same of the digest.
    PersistentMoving = "persistent_moving" Document,
    /// Earlier digests.
    Archive = "archive" Document,
}

impl Collection {
    /// Whether it holds something of each session, or of the digest.
    pub fn owner(self) -> Owner {
        use Collection::{
            Archive, Persistent, PersistentMeta, PersistentMoving, PersistentTold, PersistentTrouble,
        };
        match self {
            Persistent | PersistentMeta | PersistentMoving | PersistentTold | PersistentTrouble | Archive => {
                Owner::Digest
            }
            _ => Owner::Session,
        }
    }
}

/// How something is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One text that is replaced as a whole.
    Document,
    /// Lines that are added at the end.
    Log,
}

/// Where something is kept within a namespace.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    collection: Collection,
    name: Session,
}

impl Key {
    /// What a collection holds of a session.
    pub fn new(collection: Collection, session: &Session) -> Self {
        Self { collection, name: session.clone() }
    }

    /// What a collection holds under a name, for shelves that read names back.
    pub fn named(collection: Collection, name: &str) -> Result<Self, InvalidSession> {
        Ok(Self { collection, name: name.parse()? })
    }

    /// What sort of thing it is.
    pub fn collection(&self) -> Collection {
        self.collection
    }

    /// Of which session, or the name of a digest.
    pub fn session(&self) -> &Session {
        &self.name
    }

    /// The name as text.
    pub fn name(&self) -> &str {
        self.name.as_str()
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.collection.as_str(), self.name.as_str())
    }
}

/// Tells one content of a document from another: whoever changes the text, and by whatever means, changes it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Version(String);

impl Version {
    /// The version of a text.
    pub fn of(text: &str) -> Self {
        Self::of_bytes(text.as_bytes())
    }

    /// The version of what may be no text.
    pub(crate) fn of_bytes(bytes: &[u8]) -> Self {
        Self(blake3::hash(bytes).to_hex()[..32].to_owned())
    }

    /// As text, for stores that keep it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A document's text and its version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// What it says.
    pub text: String,
    /// Which version that is.
    pub version: Version,
}

impl Text {
    /// A text with its version.
    pub fn new(text: String) -> Self {
        Self { version: Version::of(&text), text }
    }
}

/// So many first lines of a log, and what they say. It stays true while lines are added behind them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// How many lines.
    pub lines: usize,
    /// What they say, all together.
    pub version: Version,
}

impl Mark {
    /// The mark behind these lines.
    pub fn of(lines: &[String]) -> Self {
        let mut hasher = blake3::Hasher::new();
        for line in lines {
            hasher.update(line.as_bytes()).update(b"\n");
        }
        Self { lines: lines.len(), version: Version(hasher.finalize().to_hex()[..32].to_owned()) }
    }

    /// Whether a log begins with the lines that were marked.
    pub fn holds_for(&self, lines: &[String]) -> bool {
        lines.get(..self.lines).is_some_and(|first| Self::of(first) == *self)
    }
}

/// What must still be so when changes are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expected {
    /// The document is not there.
    Absent,
    /// The document has this version.
    Version(Version),
    /// The log holds these lines and no others.
    Lines(Mark),
}

impl Expected {
    /// That a document is still as it was read.
    pub fn unchanged(read: Option<&Text>) -> Self {
        read.map_or(Self::Absent, |text| Self::Version(text.version.clone()))
    }

    /// Whether a document is as expected; never so for what is expected of a log.
    pub fn holds_for_document(&self, version: Option<&Version>) -> bool {
        match self {
            Self::Absent => version.is_none(),
            Self::Version(own) => version == Some(own),
            Self::Lines(_) => false,
        }
    }

    /// Whether a log is as expected. One that is absent has no lines.
    pub fn holds_for_log(&self, lines: &[String]) -> bool {
        match self {
            Self::Absent => lines.is_empty(),
            Self::Version(_) => false,
            Self::Lines(mark) => mark.lines == lines.len() && mark.holds_for(lines),
        }
    }
}

/// One change of what a shelf holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Puts a document in the place of what is there.
    Put {
        /// Which document.
        key: Key,
        /// Its text.
        text: String,
    },
    /// Removes a document, if it is there.
    Remove {
        /// Which document.
        key: Key,
    },
    /// Adds lines to the end of a log.
    Append {
        /// Which log.
        key: Key,
        /// The lines, none of them blank and none with a line break.
        lines: Vec<String>,
    },
    /// Removes all lines of a log.
    Clear {
        /// Which log.
        key: Key,
    },
}

impl Change {
    /// What is changed.
    pub fn key(&self) -> &Key {
        match self {
            Self::Put { key, .. } | Self::Remove { key } | Self::Append { key, .. } | Self::Clear { key } => {
                key
            }
        }
    }

    /// Refuses what no shelf can keep: the wrong change for the shape, lines that are no lines, NUL.
    pub fn check(&self) -> Result<(), ShelfError> {
        let shape = match self {
            Self::Put { .. } | Self::Remove { .. } => Shape::Document,
            Self::Append { .. } | Self::Clear { .. } => Shape::Log,
        };
        let refuse = |why| Err(ShelfError::Refused { key: self.key().to_string(), why });
        match self {
            _ if shape != self.key().collection.shape() => refuse("documents are put, logs are added to"),
            Self::Put { text, .. } if text.contains('\0') => refuse("it holds a NUL character"),
            Self::Append { lines, .. } if lines.iter().any(|line| line.contains(['\n', '\r', '\0'])) => {
                refuse("a line holds a line break or a NUL character")
            }
            Self::Append { lines, .. } if lines.iter().any(|line| line.trim().is_empty()) => {
                refuse("a line is blank")
            }
            _ => Ok(()),
        }
    }
}

/// What became of changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Commit {
    /// All of them were made and are durable.
    Done,
    /// Something was no longer as expected. Nothing was done.
    Stale,
}

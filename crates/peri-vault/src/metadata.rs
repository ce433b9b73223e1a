//! `metadata.json`: what the vault looked like when it was last in step with the memories.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use perihelion::{MemoryId, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{VaultError, files};

/// The file's name in the vault.
pub(crate) const FILE: &str = "metadata.json";

/// What this program writes and reads.
const FORMAT: u32 = 1;

/// Everything that is known of a vault.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Metadata {
    /// The number of the format.
    pub(crate) format: u32,
    /// The store that holds the memories.
    pub(crate) store: String,
    /// The namespace they are in.
    pub(crate) namespace: String,
    /// The last change of that namespace that was taken into account.
    pub(crate) change: u64,
    /// When anything was last brought into step.
    pub(crate) synced_at: Option<Timestamp>,
    /// Every document, by its path from the vault's folder on, with forward slashes.
    pub(crate) files: BTreeMap<String, Entry>,
    /// The edges that were drawn for links.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) edges: Vec<(MemoryId, MemoryId)>,
    /// Documents that were changed on both sides, of which the events do not tell yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) untold: Vec<Untold>,
}

/// A document that was changed on both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Untold {
    /// The path of the document, which is as the file had it.
    pub(crate) path: String,
    /// The path of the document that the memory's version is kept as.
    pub(crate) kept: String,
    /// The memories that had been changed.
    pub(crate) memories: Vec<MemoryId>,
}

/// What is known of one document.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// The digest of its bytes; empty if no file has been seen yet.
    pub(crate) digest: String,
    /// How many bytes it has.
    pub(crate) size: u64,
    /// When it was last written, in nanoseconds since 1970.
    pub(crate) modified_ns: i64,
    /// Whether it was last written long enough before it was read that a later write must show in its time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) settled: bool,
    /// Grows with each change.
    pub(crate) version: u64,
    /// When it was last brought into step.
    pub(crate) synced_at: Option<Timestamp>,
    /// The memories of its parts, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) memories: Vec<Kept>,
    /// What its parts link to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) links: Vec<Outgoing>,
    /// What could not be understood, for people.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) problems: Vec<String>,
    /// Why its file, as large and as old as that is now, cannot be read. What else is known is of the time before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) unreadable: Option<String>,
    /// Whether the memories are about to be changed, or were when the program ended.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) pending: bool,
}

impl Entry {
    /// What is not as it should be.
    pub(crate) fn told(&self) -> impl Iterator<Item = &String> {
        self.problems.iter().chain(&self.unreadable)
    }
}

/// The memory of a part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Kept {
    /// Which one.
    pub(crate) id: MemoryId,
    /// The version it had; zero if it is about to be stored.
    pub(crate) version: u32,
    /// Which part.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) anchor: String,
    /// The digest of its content, or of the content that it is about to get.
    pub(crate) content: String,
    /// The importance it had.
    pub(crate) importance: f32,
}

/// A link of a part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Outgoing {
    /// The number of the part, from 0.
    pub(crate) part: usize,
    /// The name or path of the document.
    pub(crate) target: String,
    /// The heading in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) heading: Option<String>,
}

/// What was found in a vault's folder.
pub(crate) enum Found {
    /// It can be relied on.
    Whole(Box<Metadata>),
    /// There is none.
    Nothing,
    /// It is damaged or of a newer format, and was put aside if so; why.
    Damaged(String),
}

impl Metadata {
    /// Reads it.
    pub(crate) fn read(root: &Path) -> Result<Found, VaultError> {
        let path = file(root);
        let bytes = match peri_private::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Found::Nothing),
            Err(error) => return Err(VaultError::file("cannot read", path, error)),
        };
        // All of it is looked at for UTF-8 at once, rather than each of its many texts by itself.
        let Ok(text) = String::from_utf8(bytes) else {
            return Ok(Found::Damaged("it is not text in UTF-8".to_owned()));
        };
        Ok(match serde_json::from_str::<Self>(&text) {
            Ok(read) if read.format == FORMAT => Found::Whole(Box::new(read)),
            Ok(read) => {
                Found::Damaged(format!("it has the format {}, which this program does not know", read.format))
            }
            Err(error) => Found::Damaged(error.to_string()),
        })
    }

    /// Writes it, whole or not at all.
    pub(crate) fn write(&mut self, root: &Path) -> Result<(), VaultError> {
        self.format = FORMAT;
        let json = serde_json::to_vec(self)
            .map_err(|error| VaultError::file("cannot write", file(root), error.into()))?;
        files::write(&file(root), &json)
    }
}

fn file(root: &Path) -> PathBuf {
    root.join(FILE)
}

/// The digest of a content, short enough to keep many.
pub(crate) fn digest_of(content: &str) -> String {
    blake3::hash(content.as_bytes()).to_hex()[..32].to_owned()
}

//! What is remembered of a file: what it said and showed when it was last in step with the memories.

use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use perihelion::{MemoryId, Purpose, Seal};
use serde::{Deserialize, Serialize};

use crate::{BridgeError, files, markers};

/// The folder in the data folder.
const FOLDER: &str = "bridge";
/// What this program writes and reads.
const FORMAT: u32 = 1;

/// Everything that is remembered of a file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    /// The number of the format.
    pub(crate) format: u32,
    /// The store that holds the memories.
    pub(crate) store: String,
    /// The namespace they are in.
    pub(crate) namespace: String,
    /// Where the file is.
    pub(crate) path: String,
    /// What people wrote in it, as far as it became memories.
    pub(crate) statements: Vec<Known>,
    /// What its section shows.
    pub(crate) shown: Vec<Shown>,
    /// What its section is about to show, or shows if the program ended before it could say so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) announced: Option<Vec<Shown>>,
    /// What somebody took out of the section.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) hidden: Vec<Hidden>,
    /// The memories whose lines somebody wrote in the section: they stay there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) own: Vec<MemoryId>,
}

/// A statement that became a memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Known {
    /// What it is called for good.
    pub(crate) key: String,
    /// The digest of what it said, without secrets.
    pub(crate) digest: String,
    /// What it said, without its context and without secrets.
    pub(crate) text: String,
    /// The memory that says it.
    pub(crate) id: MemoryId,
    /// The version which that had.
    pub(crate) version: u32,
}

/// A line of the section.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Shown {
    /// The line, without the mark of its list.
    pub(crate) line: String,
    /// What was cut off.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) tail: String,
    /// The memory that it shows; none if it shows a durable note.
    pub(crate) id: Option<MemoryId>,
    /// The version which that had.
    pub(crate) version: u32,
}

/// A line that somebody took out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Hidden {
    /// The line.
    pub(crate) line: String,
    /// The memory that it showed; none if it showed a durable note.
    pub(crate) id: Option<MemoryId>,
}

/// What was found.
pub(crate) enum Found {
    /// It can be relied on.
    Whole(Box<State>),
    /// There is none.
    Nothing,
    /// It is damaged; why.
    Damaged(String),
}

/// Where the state of a file is, and its lock.
pub(crate) struct Place {
    folder: PathBuf,
    digest: String,
    seal: Seal,
}

impl Place {
    /// Where the state of a file is in a data folder.
    pub(crate) fn of(data: &Path, target: &Path, seal: Seal) -> Self {
        let digest = blake3::hash(target.as_os_str().as_encoded_bytes()).to_hex()[..32].to_owned();
        Self { folder: data.join(FOLDER), digest, seal }
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.folder.join(format!("{}.json", self.digest))
    }

    /// Takes the file for this process.
    pub(crate) fn hold(&self, target: &Path) -> Result<files::Held, BridgeError> {
        peri_private::create_folder(&self.folder)
            .map_err(|error| BridgeError::file("cannot create", &self.folder, error))?;
        files::hold(&self.folder.join(format!("{}.lock", self.digest)), target)
    }

    /// Reads the state.
    pub(crate) fn read(&self) -> Result<Found, BridgeError> {
        read(&self.file(), &self.seal)
    }

    /// Writes the state, whole or not at all.
    pub(crate) fn write(&self, state: &mut State) -> Result<(), BridgeError> {
        state.format = FORMAT;
        let json = serde_json::to_vec_pretty(state)
            .map_err(|error| BridgeError::file("cannot write", self.file(), error.into()))?;
        let bytes = self.seal.seal(Purpose::Bridge, json);
        let bytes = bytes.map_err(|error| BridgeError::file("cannot write", self.file(), error))?;
        files::write(&self.file(), &bytes)
    }

    /// The memories of one store that other files state too.
    pub(crate) fn stated_elsewhere(&self, store: &str) -> Result<HashSet<MemoryId>, BridgeError> {
        let mut ids = HashSet::new();
        let failed = |error| BridgeError::file("cannot read", &self.folder, error);
        let entries = match std::fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(ids),
            Err(error) => return Err(failed(error)),
        };
        for entry in entries {
            let path = entry.map_err(failed)?.path();
            if path == self.file() || path.extension().is_none_or(|extension| extension != "json") {
                continue;
            }
            match read(&path, &self.seal)? {
                Found::Whole(other) if other.store == store => {
                    ids.extend(other.statements.iter().map(|known| known.id).chain(other.own));
                }
                Found::Damaged(why) => tracing::warn!(path = %path.display(), why, "passed over"),
                Found::Whole(_) | Found::Nothing => {}
            }
        }
        Ok(ids)
    }
}

fn read(path: &Path, seal: &Seal) -> Result<Found, BridgeError> {
    let bytes = match peri_private::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Found::Nothing),
        Err(error) => return Err(BridgeError::file("cannot read", path, error)),
    };
    let opened = seal.open(Purpose::Bridge, bytes);
    let bytes = opened.map_err(|error| BridgeError::file("cannot read", path, error.into()))?;
    Ok(match serde_json::from_slice::<State>(&bytes) {
        Ok(state) if state.format == FORMAT => Found::Whole(Box::new(state)),
        Ok(State { format, .. }) if format > FORMAT => {
            return Err(BridgeError::Newer { path: path.to_owned(), format });
        }
        Ok(state) => Found::Damaged(format!("it has the format {}", state.format)),
        Err(error) => Found::Damaged(error.to_string()),
    })
}

impl State {
    /// The lines that the section with this digest was written with, if they are remembered.
    pub(crate) fn base(&self, digest: &str) -> Option<&[Shown]> {
        let fits = |shown: &&Vec<Shown>| markers::digest_of(&lines_of(shown)) == digest;
        Some(&self.shown).filter(fits).or_else(|| self.announced.as_ref().filter(fits)).map(Vec::as_slice)
    }

    /// Whether somebody took out what this line shows: the memory, or the note by what it says.
    pub(crate) fn hides(&self, id: Option<MemoryId>, line: &str) -> bool {
        self.hidden.iter().any(|hidden| match hidden.id {
            Some(own) => id == Some(own),
            None => id.is_none() && hidden.line == line,
        })
    }

    /// A key that no statement has, made of what it says.
    pub(crate) fn free_key(&self, content: &str) -> String {
        let mut number = 0_u32;
        loop {
            let key = digest_of(&format!("{}\n{number}\n{content}", self.path))[..12].to_owned();
            if !self.statements.iter().any(|known| known.key == key) {
                return key;
            }
            number += 1;
        }
    }
}

/// The lines of a section by themselves.
pub(crate) fn lines_of(shown: &[Shown]) -> Vec<String> {
    shown.iter().map(|own| own.line.clone()).collect()
}

/// The digest of a text, short enough to keep many.
pub(crate) fn digest_of(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..32].to_owned()
}

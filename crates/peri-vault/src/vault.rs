//! The vault itself: its documents, and how things stand.

use std::path::{Path, PathBuf};

use perihelion::{Namespace, Perihelion, Timestamp};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::key::{CONFIG, Class, KNOWLEDGE, Key};
use crate::metadata::{Found, Metadata};
use crate::scan::{Problem, Scan, Seen};
use crate::steps::Steps;
use crate::sync::{self, Missing, Sync};
use crate::{VaultError, files, front_matter};

/// A folder of Markdown documents, and the namespace that its knowledge is remembered in.
#[derive(Debug)]
pub struct Vault {
    pub(crate) folder: PathBuf,
    pub(crate) namespace: Namespace,
    pub(crate) steps: Steps,
}

/// A document of the vault, without its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Listed {
    /// What it is called.
    pub key: Key,
    /// What it is for.
    pub class: Class,
    /// Where it is, from the vault's folder on, with forward slashes.
    pub path: String,
    /// How many bytes it has.
    pub bytes: u64,
    /// When it was last written.
    pub modified_at: Option<Timestamp>,
}

/// A document with its text.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Text {
    /// Which one.
    #[serde(flatten)]
    pub listed: Listed,
    /// What its front matter says.
    pub front_matter: Map<String, Value>,
    /// All of it, front matter included.
    pub text: String,
}

/// What became of a document that was put.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Put {
    /// It is new.
    Created,
    /// It says something else now.
    Changed,
    /// It said the same already.
    Unchanged,
}

/// How a vault stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Status {
    /// Where it is.
    pub folder: PathBuf,
    /// Whether the folder exists.
    pub exists: bool,
    /// Where its knowledge is remembered.
    pub namespace: Namespace,
    /// Config documents.
    pub config: usize,
    /// Documents of knowledge.
    pub knowledge: usize,
    /// Memories that they are.
    pub memories: usize,
    /// Links between documents that are drawn.
    pub links: usize,
    /// When anything was last brought into step.
    pub synced_at: Option<Timestamp>,
    /// Documents that were written, or written anew, since.
    pub waiting: usize,
    /// Documents that keep the other version of one that was changed on both sides.
    pub conflicts: Vec<Key>,
    /// Markdown files outside of the two folders, which are not looked at.
    pub elsewhere: usize,
    /// What is not as it should be.
    pub problems: Vec<Problem>,
}

impl Vault {
    /// The vault in a folder, whether or not it exists.
    pub fn new(folder: impl Into<PathBuf>, namespace: Namespace) -> Self {
        Self { folder: folder.into(), namespace, steps: Steps::default() }
    }

    /// The same, but its next sync ends after so many steps, as a crash would end it.
    #[doc(hidden)]
    pub fn ending_after(mut self, steps: usize) -> Self {
        self.steps = Steps::ending_after(steps);
        self
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where its knowledge is remembered.
    pub fn namespace(&self) -> &Namespace {
        &self.namespace
    }

    /// Whether its folder exists.
    pub fn exists(&self) -> bool {
        self.folder.is_dir()
    }

    /// Makes the folders that documents go to.
    pub fn create(&self) -> Result<(), VaultError> {
        for place in
            [format!("{CONFIG}/users"), format!("{KNOWLEDGE}/facts"), format!("{KNOWLEDGE}/experiences")]
        {
            let folder = self.folder.join(place);
            peri_private::create_open_folder(&folder)
                .map_err(|error| VaultError::file("cannot create", folder, error))?;
        }
        Ok(())
    }

    /// Brings documents and memories into step. Doing it again changes nothing. A folder that is gone as a whole is
    /// [`VaultError::Vanished`], and nothing is changed.
    pub fn sync(&self, engine: &Perihelion) -> Result<Sync, VaultError> {
        self.sync_with(engine, Missing::Refused)
    }

    /// The same for somebody who knows what became of a folder that is gone as a whole.
    pub fn sync_with(&self, engine: &Perihelion, missing: Missing) -> Result<Sync, VaultError> {
        sync::sync(self, engine, missing)
    }

    /// The documents, in the order of their paths.
    pub fn list(&self) -> Result<Vec<Listed>, VaultError> {
        Ok(Scan::of(&self.folder)?.files.into_iter().map(listed).collect())
    }

    /// One document with its text.
    pub fn get(&self, key: &Key) -> Result<Text, VaultError> {
        let path = self.place(key)?;
        let found =
            std::fs::metadata(&path).map_err(|error| VaultError::file("cannot read", &path, error))?;
        let text = files::read(&path)?;
        let (size, modified_ns) = (found.len(), crate::scan::modified(&found));
        let listed = listed(Seen { key: key.clone(), path, size, modified_ns });
        Ok(Text { listed, front_matter: front_matter::read(&text).fields, text })
    }

    /// Writes a document. A text without front matter replaces the body alone of one that has some.
    pub fn put(&self, key: &Key, text: &str) -> Result<Put, VaultError> {
        self.create()?;
        let path = files::locate(&self.folder, key)?;
        let folder = path.parent().unwrap_or(&self.folder);
        peri_private::create_open_folder(folder)
            .map_err(|error| VaultError::file("cannot create", folder, error))?;
        files::check_inside(&self.folder, &path)?;
        let is_there =
            peri_private::is_file(&path).map_err(|error| VaultError::file("cannot look at", &path, error))?;
        let former = if is_there { Some(files::read(&path)?) } else { None };
        let text = match &former {
            Some(former) if front_matter::read(text).yaml.is_none() => front_matter::with_body(former, text),
            _ => text.to_owned(),
        };
        let put = match former {
            None => Put::Created,
            Some(former) if former == text => return Ok(Put::Unchanged),
            Some(_) => Put::Changed,
        };
        files::write(&path, text.as_bytes())?;
        Ok(put)
    }

    /// Moves a document to the vault's trash; where it is now.
    pub fn delete(&self, key: &Key) -> Result<PathBuf, VaultError> {
        let path = self.place(key)?;
        files::discard(&self.folder, key, &path)
    }

    /// How it stands, without changing anything.
    pub fn status(&self) -> Result<Status, VaultError> {
        let mut status = Status {
            folder: self.folder.clone(),
            exists: self.exists(),
            namespace: self.namespace.clone(),
            config: 0,
            knowledge: 0,
            memories: 0,
            links: 0,
            synced_at: None,
            waiting: 0,
            conflicts: Vec::new(),
            elsewhere: 0,
            problems: Vec::new(),
        };
        if !status.exists {
            return Ok(status);
        }
        let scan = Scan::of(&self.folder)?;
        let metadata = match Metadata::read(&self.folder)? {
            Found::Whole(metadata) => *metadata,
            Found::Nothing => Metadata::default(),
            Found::Damaged(why) => {
                let why = format!("{why}; the next sync makes it anew");
                status.problems.push(Problem { path: crate::metadata::FILE.to_owned(), why });
                Metadata::default()
            }
        };
        let now = scan.files.iter().map(|seen| seen.key.path().to_owned()).collect();
        for gone in sync::vanished(&self.folder, &now, &metadata.files) {
            let why = format!(
                "all of its {} documents are gone; nothing is synced before that is confirmed",
                gone.documents
            );
            status.problems.push(Problem { path: gone.folder, why });
        }
        status.elsewhere = crate::scan::elsewhere(&self.folder);
        status.knowledge = scan.knowledge();
        status.config = scan.files.len() - status.knowledge;
        status.memories =
            metadata.files.values().flat_map(|entry| &entry.memories).filter(|kept| kept.version > 0).count();
        status.links = metadata.edges.len();
        status.synced_at = metadata.synced_at;
        status.waiting = waiting(&scan, &metadata);
        status.conflicts = scan
            .files
            .iter()
            .map(|seen| &seen.key)
            .filter(|key| key.name().contains(" (conflict "))
            .cloned()
            .collect();
        status.problems.extend(scan.refused);
        for (path, entry) in metadata.files {
            status.problems.extend(entry.told().map(|why| Problem { path: path.clone(), why: why.clone() }));
        }
        status.problems.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(status)
    }

    /// Where a document is that must exist.
    fn place(&self, key: &Key) -> Result<PathBuf, VaultError> {
        let missing = || VaultError::NotFound { key: key.to_string() };
        if !self.exists() {
            return Err(missing());
        }
        let path = files::locate(&self.folder, key)?;
        if path.is_file() { Ok(path) } else { Err(missing()) }
    }
}

/// How many documents are not as they were when last synced, by their sizes and times.
fn waiting(scan: &Scan, metadata: &Metadata) -> usize {
    let differs = |seen: &&Seen| {
        let entry = metadata.files.get(seen.key.path());
        entry.is_none_or(|entry| {
            entry.pending || (entry.size, entry.modified_ns) != (seen.size, seen.modified_ns)
        })
    };
    let changed = scan.files.iter().filter(differs).count();
    changed + metadata.files.keys().filter(|path| !scan.holds(path)).count()
}

fn listed(seen: Seen) -> Listed {
    Listed {
        class: seen.key.class(),
        path: seen.key.path().to_owned(),
        bytes: seen.size,
        modified_at: Timestamp::from_nanosecond(i128::from(seen.modified_ns)).ok(),
        key: seen.key,
    }
}

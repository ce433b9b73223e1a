//! The manifest: what belongs to a backup, and how to know that it is whole. It is written last.

use peri_store::{StoreCounts, StoreFacts};
use peri_types::{ChangeNumber, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{BackupError, BackupName, files};

/// The newest format of manifests this release knows. Since the second, journals and what was learned are counted.
pub(crate) const FORMAT: u32 = 2;
const ALL_COUNTED: u32 = 2;

/// The manifest's name in a backup.
pub(crate) const FILE: &str = "manifest.json";

/// The database's path in a backup, without the ending of compressed files.
pub(crate) const DATABASE: &str = perihelion::Perihelion::DATABASE;

/// No manifest is larger; one that is, is not read into memory.
pub(crate) const BYTES_MAX: u64 = 256 * 1024 * 1024;

/// What belongs to a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The format of the manifest and of the files beside it.
    pub format: u32,
    /// What the backup is called.
    pub name: BackupName,
    /// When it was made.
    pub created_at: Timestamp,
    /// The release that made it.
    pub version: String,
    /// The format of the database's tables.
    pub store_format: u32,
    /// What tells the store from every other one.
    pub identity: String,
    /// The mark that the store's last writer left.
    pub lineage: String,
    /// Up to which change it holds everything.
    pub change: ChangeNumber,
    /// What the store held.
    pub counts: StoreCounts,
    /// Whether the database, and what lies beside it, is encrypted with the key of the store.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub encrypted: bool,
    /// Every file, the database first.
    pub files: Vec<FileEntry>,
    /// The BLAKE3 hash of the manifest as it reads with this field empty.
    pub hash: String,
}

/// One file of a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// Its path in the data folder, with slashes.
    pub path: String,
    /// Its size, in bytes.
    pub size: u64,
    /// Its size as it is kept, in bytes.
    pub stored_size: u64,
    /// The BLAKE3 hash of its bytes.
    pub hash: String,
    /// The BLAKE3 hash of its bytes as they are kept.
    pub stored_hash: String,
}

impl FileEntry {
    /// What the file is called in the backup.
    pub(crate) fn stored_path(&self) -> String {
        format!("{}.zst", self.path)
    }
}

impl Manifest {
    /// The manifest of a backup of a store in this state.
    pub(crate) fn new(
        name: BackupName,
        created_at: Timestamp,
        facts: StoreFacts,
        encrypted: bool,
        files: Vec<FileEntry>,
    ) -> Self {
        let StoreFacts { format, identity, lineage, change, counts } = facts;
        let mut manifest = Self {
            format: FORMAT,
            name,
            created_at,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            store_format: format,
            identity,
            lineage,
            change,
            counts,
            encrypted,
            files,
            hash: String::new(),
        };
        manifest.hash = manifest.own_hash();
        manifest
    }

    /// Whether a store is in the state that it tells of. Early manifests do not count everything.
    pub(crate) fn tells_of(&self, facts: &StoreFacts) -> bool {
        let counts = if self.format < ALL_COUNTED { facts.counts.as_first_counted() } else { facts.counts };
        let StoreFacts { format, identity, lineage, change, .. } = facts;
        (*format, identity, lineage, *change, counts)
            == (self.store_format, &self.identity, &self.lineage, self.change, self.counts)
    }

    /// Bytes of all files as they are kept.
    pub fn stored_bytes(&self) -> u64 {
        self.files.iter().fold(0, |sum: u64, file| sum.saturating_add(file.stored_size))
    }

    /// Bytes of all files as they were.
    pub fn bytes(&self) -> u64 {
        self.files.iter().fold(0, |sum: u64, file| sum.saturating_add(file.size))
    }

    /// The database among the files.
    pub(crate) fn database(&self) -> Result<&FileEntry, BackupError> {
        let found = self.files.iter().find(|file| file.path == DATABASE);
        found.ok_or_else(|| damaged(&self.name, "it lists no database"))
    }

    /// The manifest as it is written.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self).expect("a manifest holds nothing that JSON cannot");
        bytes.push(b'\n');
        bytes
    }

    /// Reads a manifest and makes sure that every byte of it is as it was written.
    pub(crate) fn parse(name: &BackupName, bytes: &[u8]) -> Result<Self, BackupError> {
        #[derive(Deserialize)]
        struct Versioned {
            format: u32,
        }
        let unreadable = |error: serde_json::Error| damaged(name, format!("its manifest: {error}"));
        let Versioned { format } = serde_json::from_slice(bytes).map_err(unreadable)?;
        if format > FORMAT {
            return Err(BackupError::TooNew { name: name.to_string(), found: format, known: FORMAT });
        }
        let manifest: Self = serde_json::from_slice(bytes).map_err(unreadable)?;
        // Written again it must be the same, so that not even a space can change unnoticed.
        if manifest.own_hash() != manifest.hash || manifest.to_bytes() != bytes {
            return Err(damaged(name, "its manifest was changed after it was written"));
        }
        if manifest.name != *name {
            return Err(damaged(name, format!("its manifest is that of {}", manifest.name)));
        }
        for file in &manifest.files {
            if file.path != DATABASE && !files::is_inside(&file.path) {
                return Err(damaged(
                    name,
                    format!("its manifest lists {:?}, which is no file of a data folder", file.path),
                ));
            }
        }
        if let Some(path) = files::in_the_way(manifest.files.iter().map(|file| file.path.as_str())) {
            let detail = format!("its manifest lists {path:?}, which is a file and a folder");
            return Err(damaged(name, detail));
        }
        manifest.database()?;
        Ok(manifest)
    }

    /// The same with the hash that fits it.
    pub(crate) fn sealed(self) -> Self {
        Self { hash: self.own_hash(), ..self }
    }

    fn own_hash(&self) -> String {
        let bare = Self { hash: String::new(), ..self.clone() };
        blake3::hash(&bare.to_bytes()).to_hex().to_string()
    }
}

pub(crate) fn damaged(name: &BackupName, detail: impl Into<String>) -> BackupError {
    BackupError::Damaged { name: name.to_string(), detail: detail.into() }
}

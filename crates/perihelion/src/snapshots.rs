//! Saved indexes: one file for each namespace, derived, and trusted only as far as it proves itself.
//!
//! A file begins with the store's mark at the index's last change, so that an index of a copy that went its
//! own way is not taken for one of this store; a checksum over the rest tells damage. A file that fails
//! either test is ignored, and the index is built anew.

use std::error::Error;
use std::fs;
use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use peri_index::Index;
use peri_seal::{Purpose, Seal};
use peri_types::Namespace;

/// A draft of a snapshot that is older than this belongs to a process that died while saving.
const DRAFT_AGE_MAX: Duration = Duration::from_secs(3600);

/// No mark is longer, with the end of its line.
const MARK_BYTES_MAX: u64 = 257;

/// The folder of saved indexes.
#[derive(Clone)]
pub(crate) struct Snapshots {
    folder: PathBuf,
    /// Begins the names of the files, so that those of another store are never taken for ours.
    identity: String,
    seal: Seal,
}

/// A saved index and the mark of the store it was made from.
pub(crate) struct Saved {
    pub(crate) index: Index,
    pub(crate) mark: String,
}

impl Snapshots {
    pub(crate) fn new(folder: PathBuf, identity: String, seal: Seal) -> Self {
        Self { folder, identity, seal }
    }

    /// The saved index of a namespace, if there is one that can be read.
    pub(crate) fn load(&self, namespace: &Namespace) -> Option<Saved> {
        let path = self.path(namespace);
        let file = peri_private::open(&path).ok()?;
        let read = if self.seal.is_on() { self.read_sealed(file) } else { read_plain(file) };
        match read {
            Ok(saved) => Some(saved),
            Err(error) => {
                tracing::warn!(error, path = %path.display(), "a saved index that cannot be used is built anew");
                None
            }
        }
    }

    /// A sealed one is opened as a whole.
    fn read_sealed(&self, mut file: fs::File) -> Result<Saved, Unusable> {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let bytes = self.seal.open(Purpose::Index, bytes)?;
        let length = bytes.len() as u64;
        read(&mut &bytes[..], length)
    }

    /// Saves an index in the place of the former one.
    pub(crate) fn save(&self, namespace: &Namespace, mark: &str, index: &[u8]) -> std::io::Result<()> {
        peri_private::create_folder(&self.folder)?;
        self.sweep_drafts();
        let path = self.path(namespace);
        // Two engines of one process must not write into one draft.
        static DRAFTS: AtomicU64 = AtomicU64::new(0);
        let number = DRAFTS.fetch_add(1, Ordering::Relaxed);
        let draft = path.with_extension(format!("{}-{number}.tmp", std::process::id()));
        let outcome = self.write_and_rename(&draft, &path, mark, index);
        if outcome.is_err() {
            // A half-written draft is of no use to anybody; that it may stay on a full disk is no second error.
            drop(fs::remove_file(&draft));
        }
        outcome
    }

    /// Whether there are saved indexes, and none of them of this store.
    pub(crate) fn are_foreign(&self) -> bool {
        let Ok(files) = fs::read_dir(&self.folder) else { return false };
        let names = files.filter_map(Result::ok).map(|file| file.file_name().to_string_lossy().into_owned());
        let saved: Vec<String> = names.filter(|name| name.ends_with(".idx")).collect();
        !saved.is_empty() && !saved.iter().any(|name| name.starts_with(&self.identity))
    }

    /// Bytes of all saved indexes of this store.
    pub(crate) fn disk_bytes(&self) -> u64 {
        let Ok(files) = fs::read_dir(&self.folder) else { return 0 };
        files
            .filter_map(Result::ok)
            .filter(|file| file.file_name().to_string_lossy().starts_with(&self.identity))
            .filter_map(|file| file.metadata().ok())
            .map(|file| file.len())
            .sum()
    }

    /// No flush: the checksum tells a torn snapshot, and then it is built anew.
    fn write_and_rename(&self, draft: &Path, path: &Path, mark: &str, index: &[u8]) -> std::io::Result<()> {
        let mut file = peri_private::create(draft)?;
        if self.seal.is_on() {
            let whole = [mark.as_bytes(), b"\n", index].concat();
            file.write_all(&self.seal.seal(Purpose::Index, whole)?)?;
        } else {
            file.write_all(mark.as_bytes())?;
            file.write_all(b"\n")?;
            file.write_all(index)?;
        }
        drop(file);
        fs::rename(draft, path)
    }

    /// Whether an index of a namespace is saved.
    pub(crate) fn is_saved(&self, namespace: &Namespace) -> bool {
        self.path(namespace).is_file()
    }

    /// Removes the saved index of a namespace. It is derived: what cannot be removed costs nothing but that it stays.
    pub(crate) fn remove(&self, namespace: &Namespace) {
        let path = self.path(namespace);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                tracing::warn!(%error, path = %path.display(), "a saved index stays that holds words of what was destroyed");
            }
            _ => {}
        }
    }

    fn path(&self, namespace: &Namespace) -> PathBuf {
        let digest = blake3::hash(namespace.as_str().as_bytes()).to_hex();
        self.folder.join(format!("{}-{}.idx", self.identity, &digest[..24]))
    }

    /// Deletes what processes that died while saving have left. Failing to is left for the next time.
    fn sweep_drafts(&self) {
        let Ok(files) = fs::read_dir(&self.folder) else { return };
        for file in files.filter_map(Result::ok) {
            let path = file.path();
            let is_draft = path.extension().is_some_and(|extension| extension == "tmp");
            let age = file.metadata().and_then(|file| file.modified()).map(|at| at.elapsed());
            if is_draft && matches!(age, Ok(Ok(age)) if age > DRAFT_AGE_MAX) {
                drop(fs::remove_file(&path));
            }
        }
    }
}

type Unusable = Box<dyn Error>;

/// A large one is never in memory twice, so its file is read piece by piece.
fn read_plain(file: fs::File) -> Result<Saved, Unusable> {
    let length = file.metadata()?.len();
    read(&mut BufReader::new(file), length)
}

fn read(source: &mut (impl BufRead + Send), length: u64) -> Result<Saved, Unusable> {
    let mut mark = Vec::new();
    source.take(MARK_BYTES_MAX).read_until(b'\n', &mut mark)?;
    let left = length.saturating_sub(mark.len() as u64);
    if mark.pop() != Some(b'\n') {
        return Err("it has no mark".into());
    }
    Ok(Saved { mark: String::from_utf8(mark)?, index: Index::decode_from(source, left)? })
}

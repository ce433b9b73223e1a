//! How far the transcripts of agents were read.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The folder in the inbox's.
const FOLDER: &str = "transcripts";

/// How far one transcript was read.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Position {
    path: PathBuf,
    next: u64,
}

/// Where to go on in a transcript. Whatever cannot be told is read again: what was heard before is not heard twice.
pub(super) fn of(inbox: &Path, transcript: &Path) -> u64 {
    let read = peri_private::read(file(inbox, transcript)).ok();
    let known: Option<Position> = read.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    known.filter(|known| known.path == transcript).map_or(0, |known| known.next)
}

/// Keeps how far a transcript was read.
pub(super) fn keep(inbox: &Path, transcript: &Path, next: u64) -> std::io::Result<()> {
    let target = file(inbox, transcript);
    if let Some(folder) = target.parent() {
        peri_private::create_folder(folder)?;
    }
    let beside = target.with_extension("new");
    let position = Position { path: transcript.to_owned(), next };
    peri_private::write(&beside, &serde_json::to_vec(&position)?)?;
    std::fs::rename(beside, target)
}

/// The file about a transcript.
pub(super) fn file(inbox: &Path, transcript: &Path) -> PathBuf {
    let digest = blake3::hash(transcript.as_os_str().as_encoded_bytes()).to_hex();
    inbox.join(FOLDER).join(format!("{}.json", &digest[..32]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_kept_and_whatever_else_means_the_beginning() {
        let folder = tempfile::tempdir().unwrap();
        let transcript = Path::new("/project/대화.jsonl");
        assert_eq!(of(folder.path(), transcript), 0);
        keep(folder.path(), transcript, 42).unwrap();
        keep(folder.path(), transcript, 77).unwrap();
        assert_eq!(of(folder.path(), transcript), 77);
        assert_eq!(of(folder.path(), Path::new("/other.jsonl")), 0);
        std::fs::write(file(folder.path(), transcript), "half a").unwrap();
        assert_eq!(of(folder.path(), transcript), 0);
    }
}

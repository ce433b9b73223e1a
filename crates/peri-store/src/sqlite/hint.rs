//! A small file beside an encrypted database that tells that it is one, and by a check which key is its own.
//!
//! The database alone decides what opens it. The hint makes for better messages when nothing does: a key that is
//! missing, a wrong one and a damaged file look the same otherwise. Without it, messages are less exact.

use std::path::{Path, PathBuf};

use peri_seal::Key;
use serde::{Deserialize, Serialize};

const FORMAT: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Hint {
    format: u32,
    cipher: String,
    key_check: String,
}

fn path_of(database: &Path) -> PathBuf {
    let mut path = database.as_os_str().to_owned();
    path.push(".encrypted");
    path.into()
}

/// What tells a key from others, and nothing about it.
pub(super) fn check(key: &Key) -> String {
    blake3::derive_key("perihelion 2026 which key a store is encrypted with", key.hexadecimal().as_bytes())
        [..8]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// The check of the key that a database was encrypted with, if there is a hint.
pub(super) fn read(database: &Path) -> Option<String> {
    let hint: Hint = serde_json::from_slice(&peri_private::read(path_of(database)).ok()?).ok()?;
    (hint.format == FORMAT).then_some(hint.key_check)
}

/// Leaves a hint, unless it is there. Failing to costs nothing but the exactness of messages.
pub(super) fn write(database: &Path, key: &Key) {
    let key_check = check(key);
    if read(database).as_ref() == Some(&key_check) {
        return;
    }
    let hint = Hint { format: FORMAT, cipher: "SQLCipher 4".to_owned(), key_check };
    let path = path_of(database);
    let draft = path.with_extension(format!("encrypted-{}", std::process::id()));
    let written = serde_json::to_vec(&hint)
        .map_err(std::io::Error::from)
        .and_then(|bytes| peri_private::write(&draft, &bytes))
        .and_then(|()| std::fs::rename(&draft, &path));
    if let Err(error) = written {
        tracing::debug!(%error, path = %path.display(), "that the database is encrypted is not written beside it");
        drop(std::fs::remove_file(&draft));
    }
}

/// Takes the hint away: the database is plain.
pub(super) fn remove(database: &Path) {
    if let Err(error) = std::fs::remove_file(path_of(database))
        && error.kind() != std::io::ErrorKind::NotFound
    {
        tracing::debug!(%error, "a hint that is no longer true stays behind");
    }
}

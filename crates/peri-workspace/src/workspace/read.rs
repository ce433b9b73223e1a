//! Reading what was listed, which may have changed in the meantime.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read as _};
use std::path::PathBuf;

use super::list::is_binary;
use super::{File, Workspace};
use crate::coverage::{Coverage, Ending, UnreadReason};

impl Workspace {
    /// The text of a file. Bytes that are not UTF-8 are replaced, and a byte order mark is dropped.
    pub fn read(&self, file: &File) -> Result<String, UnreadReason> {
        let bytes = self.bytes(file)?;
        if is_binary(&bytes) {
            return Err(UnreadReason::NotText);
        }
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        };
        Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
    }

    /// The digest of every file by its path, for callers who want to know next time what has changed and have
    /// no git to ask.
    pub fn digests(&self, go_on: &dyn Fn() -> bool) -> (BTreeMap<String, String>, Coverage) {
        let mut coverage = Coverage { files_wanted: self.files.len(), ..Coverage::default() };
        let mut digests = BTreeMap::new();
        for file in &self.files {
            if !go_on() {
                coverage.ending = Ending::Stopped;
                break;
            }
            match self.bytes(file) {
                Ok(bytes) => {
                    coverage.files_read += 1;
                    digests.insert(file.path.clone(), blake3::hash(&bytes).to_hex().to_string());
                }
                Err(reason) => coverage.miss(&file.path, reason),
            }
        }
        (digests, coverage)
    }

    /// Where a file lies, if it still does and is a file.
    pub(crate) fn native(&self, file: &File) -> Option<PathBuf> {
        let path = self.root.join(&file.native);
        fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_file()).then_some(path)
    }

    /// Reads one file after the other and hands each to `look`, until the caller asks to stop.
    pub(crate) fn each<'a>(
        &'a self,
        files: impl Iterator<Item = &'a File> + Clone,
        go_on: &dyn Fn() -> bool,
        mut look: impl FnMut(&'a File, String),
    ) -> Coverage {
        let mut coverage = Coverage { files_wanted: files.clone().count(), ..Coverage::default() };
        coverage.ending = self.ending;
        for file in files {
            if !go_on() {
                coverage.ending = Ending::Stopped;
                break;
            }
            match self.read(file) {
                Ok(text) => {
                    coverage.files_read += 1;
                    look(file, text);
                }
                Err(reason) => coverage.miss(&file.path, reason),
            }
        }
        coverage
    }

    fn bytes(&self, file: &File) -> Result<Vec<u8>, UnreadReason> {
        let path = self.root.join(&file.native);
        let metadata = fs::symlink_metadata(&path).map_err(|error| reason(&error))?;
        // A folder above may have become a link since; what lies behind it is not the workspace's.
        let is_plain =
            metadata.is_file() && path.canonicalize().is_ok_and(|real| real.starts_with(&self.root));
        if !is_plain {
            return Err(if metadata.is_dir() { UnreadReason::NotText } else { UnreadReason::Link });
        }
        let mut bytes = Vec::with_capacity(metadata.len().min(self.limits.file_bytes_max) as usize);
        let opened = peri_private::open_unlinked(&path).map_err(|error| reason(&error))?;
        let limit = self.limits.file_bytes_max;
        opened.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| reason(&error))?;
        if bytes.len() as u64 > limit { Err(UnreadReason::Grown) } else { Ok(bytes) }
    }
}

fn reason(error: &io::Error) -> UnreadReason {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => UnreadReason::Vanished,
        _ => UnreadReason::Refused,
    }
}

//! The files of a data folder that hold what memories say, and those that stay as they are.

use std::path::{Path, PathBuf};

use peri_seal::{Purpose, Seal, convert_file, convert_lines};

use super::{LeftAsItWas, Reencryption};
use crate::Error;
use crate::notes::FOLDER as NOTES;

/// What becomes of a file.
#[derive(Debug, Clone, Copy)]
enum How {
    /// It is sealed as a whole.
    Whole(Purpose),
    /// Each of its lines is sealed.
    Lines(Purpose),
    /// It is derived, or was never finished: it goes.
    Gone,
}

/// Every file that holds what memories say: its folder, how its name begins and ends, and what becomes of it. The first
/// that fits counts.
const FILES: &[(&str, &str, &str, How)] = &[
    ("index", "", ".idx", How::Gone),
    ("index", "", ".tmp", How::Gone),
    ("logs", "events", ".jsonl", How::Lines(Purpose::Event)),
    ("logs/memory", "", ".md", How::Whole(Purpose::Report)),
    ("logs/memory", "", ".part", How::Gone),
    ("snapshots", "episodes-", ".jsonl.zst", How::Whole(Purpose::Episodes)),
    ("snapshots", "episodes.", ".part", How::Gone),
    ("hooks/inbox", "", ".json", How::Whole(Purpose::Hook)),
    ("hooks/inbox", "", ".part", How::Gone),
    ("hooks/inbox/aside", "", ".json", How::Whole(Purpose::Hook)),
    ("hooks/transcripts", "", ".waiting", How::Whole(Purpose::Hook)),
    ("bridge", "", ".json", How::Whole(Purpose::Bridge)),
    ("llm", "", ".jsonl", How::Lines(Purpose::Ledger)),
];

/// What is put beside a file while that is sealed.
const DRAFT: &str = ".sealing";

/// Takes every file from one key to another. How many those were.
pub(super) fn convert(data: &Path, from: &Seal, to: &Seal) -> Result<u64, Error> {
    let mut folders: Vec<&str> = FILES.iter().map(|(folder, ..)| *folder).collect();
    folders.dedup();
    let mut count = 0;
    for folder in folders {
        for path in files_in(&data.join(folder))? {
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
            let fits = |(own, begin, end, _): &&(&str, &str, &str, How)| {
                *own == folder && name.starts_with(begin) && name.ends_with(end)
            };
            let how = match FILES.iter().find(fits) {
                Some((_, _, _, how)) => *how,
                None if name.ends_with(DRAFT) => How::Gone,
                None => continue,
            };
            let done = match how {
                How::Whole(purpose) => convert_file(&path, purpose, from, to),
                How::Lines(purpose) => convert_lines(&path, purpose, from, to),
                How::Gone => std::fs::remove_file(&path),
            };
            done.map_err(|source| Error::Record { path: path.clone(), source })?;
            count += u64::from(!matches!(how, How::Gone));
        }
    }
    Ok(count)
}

/// The files in a folder; none if it is not there.
fn files_in(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let failed = |source| Error::Record { path: folder.to_owned(), source };
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(failed(source)),
    };
    let mut files = Vec::new();
    for entry in entries {
        let entry = entry.map_err(failed)?;
        if entry.file_type().map_err(failed)?.is_file() {
            files.push(entry.path());
        }
    }
    files.sort();
    Ok(files)
}

/// What lies in the folder as it did before.
pub(super) fn left(request: &Reencryption) -> Vec<LeftAsItWas> {
    let backups = match (&request.from, &request.to) {
        (None, _) => "backups that were made before are not encrypted; remove them when newer ones are there",
        (Some(_), None) => {
            "backups that were made before are encrypted; keep the key for as long as you keep them"
        }
        (Some(_), Some(_)) => {
            "backups that were made before open with the former key alone; keep it as long as them"
        }
    };
    let plain: [(&str, &str); 4] = [
        ("vault", "documents are for people to open, and are not encrypted"),
        (NOTES, "notes in files are for people to open, and are not encrypted"),
        (
            "logs/hooks.log",
            "messages about troubles of hooks are not encrypted; they hold nothing that was said",
        ),
        (
            "hooks/transcripts",
            "how far transcripts were read is not encrypted; it holds paths and names of sessions",
        ),
    ];
    let plain = plain.into_iter().filter(|_| request.to.is_some());
    let all = plain.chain([("backups", backups)]);
    let there = all.map(|(name, what)| LeftAsItWas { path: request.folder.join(name), what });
    there.filter(|left| is_something(&left.path)).collect()
}

/// Whether there is a file, or a folder that is not empty.
fn is_something(path: &Path) -> bool {
    path.is_file() || std::fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some())
}

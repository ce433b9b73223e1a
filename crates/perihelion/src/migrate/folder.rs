//! A store that keeps each record in a file of its own, in a folder per category.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::fields::Fields;
use super::pieces::{Piece, Pieces, too_long};

/// The categories that are known: whatever lies there is a record.
const CATEGORIES: [&str; 9] = [
    "conversations",
    "sessions",
    "facts",
    "episodes",
    "knowledge",
    "skills",
    "preferences",
    "decisions",
    "profiles",
];
/// Where the categories lie below the folder that is named, if not in it.
const BELOW: &str = "memory";

/// The files of a store, in the order of their names.
pub(super) struct Folder {
    root: PathBuf,
    files: Vec<File>,
    next: usize,
    passed_over: u64,
    /// Which file each record was in.
    taken: Vec<usize>,
}

struct File {
    category: String,
    name: String,
}

impl File {
    /// Whether it must be a record, whatever it holds.
    fn is_record(&self) -> bool {
        CATEGORIES.contains(&self.category.as_str())
    }
}

impl Folder {
    /// Looks for the files. Links are not followed.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let below = path.join(BELOW);
        let root = if below.is_dir() { below } else { path.to_owned() };
        let (mut files, mut passed_over) = (Vec::new(), 0);
        for entry in fs::read_dir(&root)? {
            let entry = entry?;
            if !entry.file_type()?.is_dir() {
                // Such as a snapshot of vectors, which are made anew.
                passed_over += 1;
                continue;
            }
            let Ok(category) = entry.file_name().into_string() else { continue };
            if category.starts_with('.') {
                continue;
            }
            for file in fs::read_dir(entry.path())? {
                let file = file?;
                match file.file_name().into_string() {
                    Ok(name) if file.file_type()?.is_file() && name.ends_with(".json") => {
                        files.push(File { category: category.clone(), name });
                    }
                    _ => passed_over += 1,
                }
            }
        }
        files.sort_by(|a, b| (&a.category, &a.name).cmp(&(&b.category, &b.name)));
        Ok(Self { root, files, next: 0, passed_over, taken: Vec::new() })
    }

    fn read(&self, file: &File, into: &mut Vec<u8>, max: usize) -> io::Result<Piece> {
        let path = self.root.join(&file.category).join(&file.name);
        let most = (max as u64).saturating_add(1);
        peri_private::open(path)?.take(most).read_to_end(into)?;
        if into.len() <= max {
            return Ok(Piece::Whole);
        }
        into.clear();
        Ok(Piece::Refused(too_long(max)))
    }
}

impl Pieces for Folder {
    fn next(&mut self, into: &mut Vec<u8>, max: usize) -> io::Result<Option<(Piece, u64)>> {
        while let Some(file) = self.files.get(self.next) {
            into.clear();
            // A file that cannot be read is one record that cannot be taken, and no reason to leave the others.
            let piece = self.read(file, into, max).unwrap_or_else(|error| Piece::Refused(error.to_string()));
            self.next += 1;
            if !file.is_record() && !says_something(into) {
                self.passed_over += 1;
                continue;
            }
            self.taken.push(self.next - 1);
            return Ok(Some((piece, into.len() as u64)));
        }
        Ok(None)
    }

    fn name(&self, number: u64) -> String {
        let index = usize::try_from(number).ok().and_then(|number| self.taken.get(number.checked_sub(1)?));
        match index.and_then(|index| self.files.get(*index)) {
            Some(file) => format!("{}/{}", file.category, file.name),
            None => format!("file {number}"),
        }
    }

    fn category(&self) -> Option<&str> {
        self.files.get(self.next.checked_sub(1)?).map(|file| file.category.as_str())
    }

    fn passed_over(&self) -> u64 {
        self.passed_over
    }
}

/// Whether a file of a category that is not known holds a record.
fn says_something(bytes: &[u8]) -> bool {
    let record = serde_json::from_slice::<Map<String, Value>>(bytes).ok();
    record.is_some_and(|record| Fields::of(record).take_text().is_some())
}

//! What could not be delivered: kept with the reason until somebody decides.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::record::NUMBER_MAX;
use crate::{DeadLetter, QueueError, RecordId, files, line};

/// A line of the file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Entry {
    /// A dead letter.
    Dead(DeadLetter),
    /// The one of this number was put back into the queue or dropped.
    Left(u64),
}

/// The dead letters of one queue. Only their ids are held in memory.
pub(crate) struct DeadLetters {
    path: PathBuf,
    ids: BTreeMap<u64, RecordId>,
    /// The highest number that one of them ever had.
    pub(crate) last_number: u64,
}

impl DeadLetters {
    /// Reads the file. Lines that are not what was written are handed back.
    pub(crate) fn open(folder: &Path) -> Result<(Self, Vec<Vec<u8>>), QueueError> {
        let path = folder.join(files::DEAD);
        let (letters, last_number, damaged) = read(&path)?;
        let ids = letters.iter().map(|(number, letter)| (*number, letter.id)).collect();
        if !damaged.is_empty() {
            let entries = letters.into_values().map(Entry::Dead);
            let whole: Vec<u8> = entries.flat_map(|entry| line::encode(&entry)).collect();
            files::replace(&path, &whole)?;
        }
        Ok((Self { path, ids, last_number }, damaged))
    }

    pub(crate) fn count(&self) -> u64 {
        self.ids.len() as u64
    }

    pub(crate) fn contains(&self, number: u64) -> bool {
        self.ids.contains_key(&number)
    }

    /// Their numbers.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u64> {
        self.ids.keys().copied()
    }

    /// The number of the one with this id.
    pub(crate) fn number_of(&self, id: RecordId) -> Option<u64> {
        self.ids.iter().find(|(_, own)| **own == id).map(|(number, _)| *number)
    }

    /// The first so many.
    pub(crate) fn list(&self, limit: usize) -> Result<Vec<DeadLetter>, QueueError> {
        let (letters, _, _) = read(&self.path)?;
        Ok(letters.into_values().filter(|letter| self.contains(letter.number)).take(limit).collect())
    }

    /// Keeps one more.
    pub(crate) fn add(&mut self, letter: &DeadLetter) -> Result<(), QueueError> {
        let (number, id) = (letter.number, letter.id);
        files::append(&self.path, &line::encode(&Entry::Dead(letter.clone())))?;
        self.ids.insert(number, id);
        self.last_number = self.last_number.max(number);
        Ok(())
    }

    /// Lets one go.
    pub(crate) fn remove(&mut self, number: u64) -> Result<(), QueueError> {
        if !self.contains(number) {
            return Ok(());
        }
        if self.ids.len() == 1 {
            files::remove(&self.path)?;
            files::sync_parent(&self.path)?;
        } else {
            files::append(&self.path, &line::encode(&Entry::Left(number)))?;
        }
        self.ids.remove(&number);
        Ok(())
    }

    /// Lets all go.
    pub(crate) fn clear(&mut self) -> Result<u64, QueueError> {
        let count = self.count();
        files::remove(&self.path)?;
        files::sync_parent(&self.path)?;
        self.ids.clear();
        Ok(count)
    }
}

type Letters = BTreeMap<u64, DeadLetter>;

/// The letters of a file, the highest number in it, and lines that are not what was written.
fn read(path: &Path) -> Result<(Letters, u64, Vec<Vec<u8>>), QueueError> {
    let bytes = files::read(path)?;
    let (mut letters, mut last, mut damaged) = (Letters::new(), 0, Vec::new());
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        match line::decode(line) {
            Some(Entry::Dead(letter)) if letter.number <= NUMBER_MAX => {
                last = last.max(letter.number);
                letters.insert(letter.number, letter);
            }
            Some(Entry::Left(number)) => {
                letters.remove(&number);
            }
            Some(Entry::Dead(_)) | None => damaged.push(line.to_owned()),
        }
    }
    Ok((letters, last, damaged))
}

/// The dead letters in a folder, as they are now, whoever holds it.
pub(crate) fn look(folder: &Path) -> Result<Vec<DeadLetter>, QueueError> {
    Ok(read(&folder.join(files::DEAD))?.0.into_values().collect())
}

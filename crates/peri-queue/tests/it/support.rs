//! What the tests share.

use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use peri_queue::{Failure, Queue, QueueSettings, RecordId, Severity};

/// A time so many milliseconds after the epoch.
pub fn at(millis: i64) -> Timestamp {
    Timestamp::UNIX_EPOCH + SignedDuration::from_millis(millis)
}

/// An id that follows from a number.
pub fn id(number: u64) -> RecordId {
    RecordId::from_bytes(u128::from(number).to_be_bytes())
}

/// Small files and little memory, so that a few records meet every bound.
pub fn small() -> QueueSettings {
    QueueSettings {
        in_memory_max: 3,
        segment_bytes: 400,
        unclear_attempts_max: 3,
        seed: Some(1),
        ..QueueSettings::default()
    }
}

pub fn create(root: &Path, settings: QueueSettings) -> Queue {
    Queue::create(root, settings, at(0)).unwrap()
}

/// Lets a queue go without a word, as a crash does, and takes it over.
pub fn reopen(queue: Queue, settings: QueueSettings) -> Queue {
    let folder = queue.folder().to_owned();
    drop(queue);
    Queue::take_over(&folder, settings).unwrap().expect("nobody holds it")
}

pub fn push(queue: &Queue, number: u64) {
    queue.push(id(number), at(number as i64), payload(number)).unwrap();
}

pub fn payload(number: u64) -> String {
    format!("payload {number} 저장 存储")
}

/// Everything that waits, by the numbers it was pushed under.
pub fn waiting(queue: &Queue) -> Vec<u64> {
    queue.list(usize::MAX).unwrap().iter().map(|record| number_of(record.id)).collect()
}

pub fn dead(queue: &Queue) -> Vec<u64> {
    queue.dead_letters(usize::MAX).unwrap().iter().map(|letter| number_of(letter.id)).collect()
}

pub fn number_of(id: RecordId) -> u64 {
    u64::try_from(u128::from_be_bytes(*id.as_bytes())).unwrap()
}

/// The first record's place.
pub fn first(queue: &Queue) -> u64 {
    queue.peek(1, usize::MAX).unwrap()[0].number
}

pub fn failure(severity: Severity) -> Failure {
    Failure { severity, reason: "데이터베이스가 응답하지 않는다".to_owned() }
}

/// The segments in a queue's folder.
pub fn segments(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| {
        let name = path.file_name().unwrap().to_str().unwrap();
        name.ends_with(".jsonl") && name.starts_with('0')
    });
    found.sort();
    found
}

//! The files of a queue.

use std::fs;

use jiff::Timestamp;
use peri_queue::{Queue, QueueSettings};

use crate::given;

/// Files of a queue: whatever they hold, what is whole is found once and in order, and nothing damaged is lost.
pub(crate) fn queue_files(data: &[u8]) {
    let (choice, data) = given::choice(data);
    let root = tempfile::tempdir().expect("a folder for the queue");
    let settings =
        QueueSettings { in_memory_max: 3, segment_bytes: 400, seed: Some(1), ..QueueSettings::default() };
    let queue = Queue::create(root.path(), settings.clone(), Timestamp::UNIX_EPOCH).expect("a queue");
    let id = peri_queue::RecordId::generate(Timestamp::UNIX_EPOCH);
    queue.push(id, Timestamp::UNIX_EPOCH, "하나").expect("a record is kept");
    let folder = queue.folder().to_owned();
    drop(queue);
    let file =
        ["00000001.jsonl", "00000002.jsonl", "00000001.done", "dead.jsonl", "state.json", "damaged.jsonl"];
    let file = folder.join(file[choice % file.len()]);
    fs::write(&file, checked(data)).expect("the file is written");
    let Ok(Some(queue)) = Queue::take_over(&folder, settings.clone()) else { return };
    let listed: Vec<_> =
        queue.list(1_000).map(|all| all.iter().map(|one| one.id).collect()).unwrap_or_default();
    assert_eq!(listed.len() as u64, queue.depth().min(1_000));
    drop(queue.dead_letters(100));
    drop(queue);
    let again = Queue::take_over(&folder, settings).expect("it was read before").expect("nobody holds it");
    let later: Vec<_> = again.list(1_000).expect("it is listed").iter().map(|one| one.id).collect();
    assert_eq!(later, listed, "opening a second time changes nothing");
}

/// Lines that begin with `!` get the checksum that fits, as a forger would give them: chance does not find one.
fn checked(data: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(data.len());
    for line in data.split_inclusive(|byte| *byte == b'\n') {
        let Some(json) = line.strip_prefix(b"!") else {
            out.extend_from_slice(line);
            continue;
        };
        let bare = json.strip_suffix(b"\n").unwrap_or(json);
        out.extend_from_slice(&blake3::hash(bare).to_hex().as_bytes()[..16]);
        out.push(b' ');
        out.extend_from_slice(json);
    }
    out
}

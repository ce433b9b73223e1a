//! Files that are not as they were written.

use std::path::Path;

use peri_queue::{Queue, QueueSettings};

use crate::support::*;

/// A queue of five records in one file, left behind by its process, and that file.
fn left_behind(root: &Path) -> (std::path::PathBuf, std::path::PathBuf) {
    let queue = create(root, QueueSettings::default());
    (0..5).for_each(|number| push(&queue, number));
    let folder = queue.folder().to_owned();
    let segment = segments(&folder).remove(0);
    (folder, segment)
}

fn open(folder: &Path) -> Queue {
    Queue::take_over(folder, QueueSettings::default()).unwrap().expect("nobody holds it")
}

#[test]
fn a_last_line_that_was_cut_anywhere_is_taken_away_and_told_and_the_rest_stays() {
    let root = tempfile::tempdir().unwrap();
    let (folder, segment) = left_behind(root.path());
    let whole = std::fs::read(&segment).unwrap();
    let last = whole[..whole.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
    for length in [last + 1, last + 10, last + 17, whole.len() - 1] {
        std::fs::write(&segment, &whole[..length]).unwrap();
        let queue = open(&folder);
        assert_eq!(waiting(&queue), [0, 1, 2, 3]);
        let reports = queue.take_reports();
        assert!(reports.len() == 1 && reports[0].contains("cut away"), "{reports:?}");
        assert_eq!(std::fs::metadata(&segment).unwrap().len(), last as u64);
        drop(queue);
    }
    let queue = open(&folder);
    assert!(queue.take_reports().is_empty(), "it is told once");
    push(&queue, 7);
    assert_eq!(waiting(&reopen(queue, QueueSettings::default())), [0, 1, 2, 3, 7]);
}

#[test]
fn a_garbled_line_is_put_aside_whole_told_once_and_costs_no_other() {
    for garbage in [&b"\xff\xfe\x00 not text at all"[..], "쓰레기 垃圾".as_bytes(), b""] {
        let root = tempfile::tempdir().unwrap();
        let (folder, segment) = left_behind(root.path());
        let mut lines: Vec<Vec<u8>> = std::fs::read(&segment)
            .unwrap()
            .split_inclusive(|byte| *byte == b'\n')
            .map(<[u8]>::to_vec)
            .collect();
        lines[2] = [garbage, b"\n"].concat();
        std::fs::write(&segment, lines.concat()).unwrap();
        for round in 0..3 {
            let queue = open(&folder);
            assert_eq!(waiting(&queue), [0, 1, 3, 4]);
            assert_eq!((queue.stats().depth, queue.stats().damaged), (4, 1));
            assert_eq!(queue.take_reports().len(), usize::from(round == 0));
        }
        let aside = std::fs::read_to_string(folder.join("damaged.jsonl")).unwrap();
        let expected = match std::str::from_utf8(garbage) {
            Ok(text) => format!("{text}\\n"),
            Err(_) => "fffe00206e6f74".to_owned(),
        };
        assert!(aside.contains(&expected) && aside.lines().count() == 1, "{aside}");
        let queue = open(&folder);
        queue.drop_waiting().unwrap();
        queue.close().unwrap();
        assert!(folder.exists(), "what was put aside stays until somebody has looked");
    }
}

#[test]
fn a_line_that_is_garbled_while_the_queue_is_open_is_put_aside_when_its_turn_comes() {
    let root = tempfile::tempdir().unwrap();
    let queue = create(root.path(), small());
    (0..8).for_each(|number| push(&queue, number));
    let last = segments(queue.folder()).pop().unwrap();
    let held = std::fs::read(&last).unwrap();
    let mut garbled = held.clone();
    garbled[30] ^= 1;
    std::fs::write(&last, garbled).unwrap();
    let mut seen = Vec::new();
    while let Some(record) = queue.peek(1, usize::MAX).unwrap().pop() {
        seen.push(number_of(record.id));
        queue.done(&[record.number]).unwrap();
    }
    assert_eq!(seen.len(), 7, "{seen:?}");
    assert!(seen.is_sorted());
    assert_eq!((queue.stats().depth, queue.stats().damaged, queue.take_reports().len()), (0, 1, 1));
}

#[test]
fn marks_that_were_cut_or_garbled_deliver_again_rather_than_lose() {
    let root = tempfile::tempdir().unwrap();
    let queue = create(root.path(), QueueSettings::default());
    (0..5).for_each(|number| push(&queue, number));
    (0..2).for_each(|_| queue.done(&[first(&queue)]).unwrap());
    let folder = queue.folder().to_owned();
    drop(queue);
    let marks = folder.join("00000001.done");
    let whole = std::fs::read(&marks).unwrap();
    // Behind the marks there is room for those to come.
    let end = whole.iter().rposition(|byte| *byte != b'\n').unwrap();
    std::fs::write(&marks, [&whole[..end - 3], &b"\n".repeat(whole.len() - end)].concat()).unwrap();
    assert_eq!(waiting(&open(&folder)), [1, 2, 3, 4], "garbled in place");
    std::fs::write(&marks, &whole[..end - 3]).unwrap();
    let queue = open(&folder);
    assert_eq!(waiting(&queue), [1, 2, 3, 4]);
    queue.done(&[first(&queue)]).unwrap();
    assert_eq!(waiting(&reopen(queue, QueueSettings::default())), [2, 3, 4], "the next mark is whole again");
    std::fs::write(&marks, [0xff; 50]).unwrap();
    assert_eq!(waiting(&open(&folder)), [0, 1, 2, 3, 4]);
}

#[test]
fn dead_letters_that_are_garbled_are_put_aside_and_the_others_stay() {
    let root = tempfile::tempdir().unwrap();
    let queue = create(root.path(), QueueSettings::default());
    (0..4).for_each(|number| push(&queue, number));
    for _ in 0..3 {
        queue.failed(first(&queue), failure(peri_queue::Severity::Final), at(0)).unwrap();
    }
    let path = queue.folder().join("dead.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen("payload 1", "payload 8", 1)).unwrap();
    let queue = reopen(queue, QueueSettings::default());
    assert_eq!((dead(&queue), waiting(&queue), queue.stats().damaged), (vec![0, 2], vec![3], 1));
    assert_eq!(queue.take_reports().len(), 1);
    let queue = reopen(queue, QueueSettings::default());
    assert_eq!((dead(&queue), queue.stats().damaged, queue.take_reports().len()), (vec![0, 2], 1, 0));
}

#[test]
fn a_queue_whose_lock_was_deleted_is_taken_over_all_the_same() {
    let root = tempfile::tempdir().unwrap();
    let (folder, _) = left_behind(root.path());
    std::fs::remove_file(folder.join("lock")).unwrap();
    assert_eq!(waiting(&open(&folder)).len(), 5);
}

//! A disk without room.

use std::path::Path;
use std::process::Command;

use peri_queue::{QueueError, QueueSettings};

use crate::support::*;

/// A small file system in memory, unmounted when dropped.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn mount(size: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mounted =
            run("mount", &["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs", text(folder.path())]);
        mounted.then_some(Self(folder))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        run("umount", &["--lazy", text(self.0.path())]);
    }
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn run(program: &str, arguments: &[&str]) -> bool {
    Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
}

#[test]
fn a_full_disk_refuses_what_is_pushed_keeps_what_was_and_takes_more_once_there_is_room() {
    let Some(disk) = SmallDisk::mount("256k") else {
        eprintln!("this process may not mount, so the case is left out");
        return;
    };
    let root = disk.0.path();
    let ballast = root.join("ballast");
    std::fs::write(&ballast, vec![1; 64 * 1024]).unwrap();
    let settings = QueueSettings { segment_bytes: 40_000, ..small() };
    let queue = create(&root.join("queue"), settings.clone());
    let long = |number: u64| format!("{number} {}", "x".repeat(7000));
    let mut kept = Vec::new();
    let refusal = loop {
        let number = kept.len() as u64;
        match queue.push(id(number), at(0), long(number)) {
            Ok(()) => kept.push(number),
            Err(error) => break error,
        }
    };
    assert!(matches!(&refusal, QueueError::Disk { what: "written", .. }), "{refusal}");
    assert!(kept.len() > 5, "there was room for some");
    assert!(queue.push(id(999), at(0), long(999)).is_err(), "it stays full");
    assert_eq!(waiting(&queue), kept);
    let queue = reopen(queue, settings);
    assert_eq!(waiting(&queue), kept, "nothing of what was refused is there after a restart either");
    assert_eq!(queue.take_reports(), [""; 0]);
    std::fs::remove_file(ballast).unwrap();
    queue.push(id(1000), at(0), long(1000)).unwrap();
    kept.push(1000);
    assert_eq!(waiting(&queue), kept);
}

/// Takes every byte that is left.
fn fill(root: &Path) -> std::path::PathBuf {
    use std::io::Write as _;
    let path = root.join("ballast");
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(&path).unwrap();
    while file.write_all(&[1; 512]).is_ok() {}
    path
}

#[test]
fn on_a_disk_without_a_free_byte_what_is_delivered_leaves_for_good_and_is_not_handed_out_again() {
    let Some(disk) = SmallDisk::mount("512k") else {
        eprintln!("this process may not mount, so the case is left out");
        return;
    };
    let root = disk.0.path();
    let queue = create(&root.join("queue"), QueueSettings::default());
    (0..200).for_each(|number| push(&queue, number));
    fill(root);
    let mut delivered = Vec::new();
    while let Some(record) = queue.peek(1, usize::MAX).unwrap().pop() {
        delivered.push(number_of(record.id));
        queue.done(&[record.number]).unwrap();
        if delivered.len() == 150 {
            break;
        }
    }
    assert_eq!(delivered, (0..150).collect::<Vec<_>>(), "each once, in order");
    assert!(queue.stats().trouble.is_none(), "marking needed no room: {:?}", queue.stats().trouble);
    let queue = reopen(queue, QueueSettings::default());
    assert_eq!(waiting(&queue), (150..200).collect::<Vec<_>>(), "after a crash, too");
    let rest: Vec<u64> = queue.peek(100, usize::MAX).unwrap().iter().map(|record| record.number).collect();
    queue.done(&rest).unwrap();
    assert!(
        queue.is_empty() && segments(queue.folder()).is_empty(),
        "the files are gone, and there is room again"
    );
}

#[test]
fn on_a_full_disk_what_is_refused_lets_those_behind_it_pass_and_is_buried_once_there_is_room() {
    let Some(disk) = SmallDisk::mount("256k") else {
        eprintln!("this process may not mount, so the case is left out");
        return;
    };
    let root = disk.0.path();
    let queue = create(&root.join("queue"), QueueSettings::default());
    (0..5).for_each(|number| push(&queue, number));
    let ballast = fill(root);
    let refused = queue.failed(first(&queue), failure(peri_queue::Severity::Final), at(0)).unwrap();
    assert_eq!(refused, peri_queue::Fate::Dead);
    assert_eq!((dead(&queue), waiting(&queue)), (vec![0], vec![1, 2, 3, 4]));
    assert!(queue.stats().trouble.is_some_and(|trouble| trouble.is_full()));
    while let Some(record) = queue.peek(1, usize::MAX).unwrap().pop() {
        queue.done(&[record.number]).unwrap();
    }
    let queue = reopen(queue, QueueSettings::default());
    assert_eq!(waiting(&queue), [0], "nothing else keeps it, so that it is tried once more");
    queue.failed(first(&queue), failure(peri_queue::Severity::Final), at(0)).unwrap();
    std::fs::remove_file(ballast).unwrap();
    queue.done(&[]).unwrap();
    let queue = reopen(queue, QueueSettings::default());
    assert_eq!((dead(&queue), waiting(&queue)), (vec![0], vec![]));
}

#[test]
fn a_root_that_cannot_be_a_folder_is_told_and_named() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("queue");
    std::fs::write(&file, "somebody's notes").unwrap();
    let Err(error) = peri_queue::Queue::create(&file, small(), at(0)) else { panic!("a file is no folder") };
    assert!(error.to_string().contains(text(&file)), "{error}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "somebody's notes");
}

#[test]
fn an_empty_file_left_by_a_try_that_failed_is_used_and_one_with_records_is_not() {
    let root = tempfile::tempdir().unwrap();
    let queue = create(root.path(), small());
    let first = queue.folder().join("00000001.jsonl");
    assert!(!first.exists(), "the first file is made with the first record");
    std::fs::write(&first, "somebody's record\n").unwrap();
    let refusal = queue.push(id(1), at(0), payload(1)).unwrap_err();
    assert!(refusal.to_string().contains(text(&first)), "{refusal}");
    assert_eq!(std::fs::read_to_string(&first).unwrap(), "somebody's record\n");
    std::fs::write(&first, "").unwrap();
    push(&queue, 2);
    assert_eq!(waiting(&queue), [2]);
    assert_eq!(waiting(&reopen(queue, small())), [2]);
}

/// The marks of a file go after the file itself; a folder in their place cannot be removed like a file.
#[test]
fn what_is_pushed_after_a_file_was_removed_by_half_is_kept() {
    let root = tempfile::tempdir().unwrap();
    let queue = create(root.path(), small());
    push(&queue, 1);
    let in_the_way = queue.folder().join("00000001.done");
    std::fs::remove_file(&in_the_way).unwrap();
    std::fs::create_dir(&in_the_way).unwrap();
    let number = queue.list(1).unwrap()[0].number;
    let refusal = queue.done(&[number]).unwrap_err();
    assert!(refusal.to_string().contains(text(&in_the_way)), "{refusal}");
    push(&queue, 2);
    assert_eq!(waiting(&queue), [2]);
    std::fs::remove_dir(&in_the_way).unwrap();
    let queue = reopen(queue, small());
    assert_eq!(waiting(&queue), [2], "it is in a file that has a name");
    let number = queue.list(1).unwrap()[0].number;
    queue.done(&[number]).unwrap();
    let folder = queue.folder().to_owned();
    queue.close().unwrap();
    assert!(!folder.exists());
}

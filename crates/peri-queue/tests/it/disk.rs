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

#[test]
fn a_root_that_cannot_be_a_folder_is_told_and_named() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("queue");
    std::fs::write(&file, "somebody's notes").unwrap();
    let Err(error) = peri_queue::Queue::create(&file, small(), at(0)) else { panic!("a file is no folder") };
    assert!(error.to_string().contains(text(&file)), "{error}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "somebody's notes");
}

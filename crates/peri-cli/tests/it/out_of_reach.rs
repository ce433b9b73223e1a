//! A folder that can only be read, and a disk without a free byte: what lies there can be read, exported, moved and backed
//! up elsewhere.

use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use crate::support::Peri;

/// A small file system in memory, unmounted when dropped; none where this process may not mount.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mounted = run("mount", &["-t", "tmpfs", "-o", "size=24m", "tmpfs", text(folder.path())]);
        mounted.then_some(Self(folder))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Takes every byte that is left.
    fn fill(&self) {
        let path = self.path().join("ballast");
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
        for bytes in [65_536, 512, 1] {
            while file.write_all(&vec![1; bytes]).is_ok() {}
        }
    }

    fn make_read_only(&self) {
        assert!(run("mount", &["-o", "remount,ro", text(self.path())]));
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        run("umount", &["--lazy", text(self.path())]);
    }
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn run(program: &str, arguments: &[&str]) -> bool {
    Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
}

const NOTED: &str = "앞으로 배포는 금요일에 하지 않기로 결정했어.";

/// A folder on a small disk with two memories and a note.
fn filled(disk: &SmallDisk) -> Peri {
    let home = disk.path().join("home");
    let peri = Peri::new().with("PERI_HOME", text(&home));
    peri.remember(&["the heron lives by the lake", "Ana moved to Busan"]);
    peri.ok(&["hear", "--session", "s", "--user", NOTED, "--now"]);
    peri
}

/// Everything that gets data out of a folder works.
fn check_all_that_reads(disk: &SmallDisk, peri: &Peri) {
    let elsewhere = tempfile::tempdir().unwrap();
    let to = |name: &str| elsewhere.path().join(name).to_str().unwrap().to_owned();
    assert!(peri.ok(&["recall", "where does the heron live?"]).contains("heron"));
    assert!(peri.ok(&["list"]).contains("Busan"));
    let id = peri.json(&["list"])["memories"][0]["id"].as_str().unwrap().to_owned();
    assert!(peri.ok(&["get", &id]).contains(&id));
    assert!(peri.ok(&["session", "notes", "s"]).contains("금요일"));
    let export = peri.ok(&["export", "-"]);
    assert!(export.contains("heron") && export.contains("금요일"), "{export}");
    assert!(export.lines().last().unwrap().contains("\"record\":\"end\""), "{export}");
    peri.ok(&["backup", "create", "--to", &to("backups")]);
    peri.ok(&["move", "--from", text(&disk.path().join("home")), "--to", &to("moved")]);
    let moved = Peri::new().with("PERI_HOME", &to("moved"));
    assert!(moved.ok(&["recall", "where does the heron live?"]).contains("heron"));
    assert!(moved.ok(&["session", "notes", "s"]).contains("금요일"));
}

#[test]
fn a_read_only_folder_with_notes_is_read_exported_moved_and_backed_up_elsewhere() {
    let Some(disk) = SmallDisk::mount() else { return };
    let peri = filled(&disk);
    disk.make_read_only();
    check_all_that_reads(&disk, &peri);
    let run = peri.run(&["remember", "a stork on the roof"]);
    assert_eq!(run.code, 6, "{run:?}");
}

#[test]
fn a_disk_without_a_free_byte_is_read_exported_moved_and_backed_up_elsewhere_and_said_to_be_full() {
    let Some(disk) = SmallDisk::mount() else { return };
    let peri = filled(&disk);
    disk.fill();
    check_all_that_reads(&disk, &peri);
    let run = peri.run(&["remember", "a stork on the roof"]);
    assert_eq!(run.code, 6, "{run:?}");
    assert!(run.err.contains("not kept") && run.err.contains("is full"), "{}", run.err);
    for command in ["health", "doctor"] {
        let run = peri.run(&[command]);
        assert_ne!(run.code, 0, "{command}: {run:?}");
        assert!((run.out + &run.err).contains("full"), "{command}");
    }
    std::fs::remove_file(disk.path().join("ballast")).unwrap();
    peri.remember(&["a stork on the roof"]);
    assert!(peri.ok(&["list"]).contains("stork"));
}

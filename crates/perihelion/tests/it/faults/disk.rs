//! A disk without room and a folder without write permission.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use perihelion::{ErrorKind, Perihelion, Remember, Revise, Scope, Trashed, Verdict};
use tempfile::TempDir;

use crate::support::{
    Random, Worker, all, ask, finds, keep, kind_of, open, options, role, tell, wrapped_worker_command,
};

/// A mounted folder, unmounted when dropped.
struct Mount {
    folder: TempDir,
}

impl Mount {
    /// A small file system in memory; `None` where this process may not mount.
    fn small_disk(size: &str) -> Option<Self> {
        Self::with(&["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"])
    }

    /// Another view of a folder, through which nothing can be written.
    fn read_only_view(folder: &Path) -> Option<Self> {
        let view = Self::with(&["--bind", folder.to_str().unwrap()])?;
        view.remount("bind,ro");
        Some(view)
    }

    fn with(arguments: &[&str]) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mounted = run("mount", &[arguments, &[folder.path().to_str().unwrap()]].concat());
        if !mounted {
            eprintln!("this process may not mount, so a case is left out or tried another way");
        }
        mounted.then_some(Self { folder })
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn remount(&self, mode: &str) {
        assert!(run("mount", &["-o", &format!("remount,{mode}"), self.path().to_str().unwrap()]));
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        run("umount", &["--lazy", self.path().to_str().unwrap()]);
    }
}

fn run(program: &str, arguments: &[&str]) -> bool {
    Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
}

/// About six kilobytes that do not compress and are not repeated.
fn bulky(number: u64) -> String {
    let mut random = Random(number);
    let words: Vec<String> = (0..300).map(|_| format!("{:016x}", random.next())).collect();
    format!("bulky{number} {}", words.join(" "))
}

/// Remembers until the disk refuses; what was acknowledged, and the refusal.
fn fill(engine: &Perihelion, from: u64) -> (Vec<u64>, Option<perihelion::Error>) {
    let mut acknowledged = Vec::new();
    for number in from..from + 5_000 {
        match engine.remember(Remember::new(bulky(number))) {
            Ok(_) => acknowledged.push(number),
            Err(error) => return (acknowledged, Some(error)),
        }
    }
    (acknowledged, None)
}

fn check_kept(engine: &Perihelion, acknowledged: &[u64]) {
    let mut expected: Vec<String> = acknowledged.iter().map(|number| bulky(*number)).collect();
    let mut held: Vec<String> =
        all(engine, Trashed::Without).into_iter().map(|memory| memory.content).collect();
    expected.sort();
    held.sort();
    assert!(held == expected, "{} held, {} acknowledged", held.len(), expected.len());
}

#[test]
fn a_full_disk_refuses_writes_loudly_loses_nothing_and_works_again_once_there_is_room() {
    let Some(disk) = Mount::small_disk("4m") else {
        return a_file_size_limit_refuses_writes_loudly_and_loses_nothing();
    };
    let ballast = disk.path().join("ballast");
    fs::write(&ballast, vec![1; 1 << 20]).unwrap();
    let engine = open(disk.path());
    let (mut acknowledged, refusal) = fill(&engine, 0);
    let refusal = refusal.expect("four megabytes are not enough");
    assert_eq!(refusal.kind(), ErrorKind::Unavailable, "{refusal}");
    assert!(refusal.hint().is_some_and(|hint| hint.contains("make room")), "{refusal}");
    assert!(acknowledged.len() > 20, "there was room for some: {}", acknowledged.len());
    check_kept(&engine, &acknowledged);
    let last = *acknowledged.last().unwrap();
    assert!(finds(&engine, &format!("bulky{last}"), &bulky(last)), "recall works on a full disk");
    let batch = (0..10).map(|i| Remember::new(bulky(100_000 + i))).collect();
    assert_eq!(kind_of(engine.remember_all(batch)), Some(ErrorKind::Unavailable));
    check_kept(&engine, &acknowledged);
    drop(engine.maintain());
    assert!(finds(&engine, &format!("bulky{last}"), &bulky(last)));

    fs::remove_file(&ballast).unwrap();
    let again = engine.remember(Remember::new(bulky(200_000))).expect("there is room again");
    assert_eq!(again.outcome, perihelion::Outcome::Stored);
    acknowledged.push(200_000);
    check_kept(&engine, &acknowledged);
    engine.maintain().unwrap();
    engine.close().unwrap();

    let engine = open(disk.path());
    check_kept(&engine, &acknowledged);
    for check in engine.doctor() {
        assert_eq!(check.verdict, Verdict::Ok, "{check:?}");
    }
    drop(engine);
}

#[test]
fn a_process_that_finds_the_disk_full_can_still_open_and_recall() {
    let Some(disk) = Mount::small_disk("3m") else { return };
    let engine = open(disk.path());
    let (acknowledged, refusal) = fill(&engine, 0);
    assert!(refusal.is_some());
    engine.close().unwrap();
    let left = fs::File::create(disk.path().join("ballast")).unwrap();
    let mut left = std::io::BufWriter::new(left);
    while std::io::Write::write_all(&mut left, &[1; 4096]).is_ok() {}
    drop(left.into_parts());
    let engine = open(disk.path());
    check_kept(&engine, &acknowledged);
    assert!(finds(&engine, &format!("bulky{}", acknowledged[0]), &bulky(acknowledged[0])));
    assert_eq!(kind_of(engine.remember(Remember::new(bulky(300_000)))), Some(ErrorKind::Unavailable));
    check_kept(&engine, &acknowledged);
}

/// The worker: fills a file-size limit and tells what was acknowledged.
#[test]
fn limited() {
    let Some(folder) = role("faults::disk::limited") else { return };
    let engine = open(folder);
    let (acknowledged, refusal) = fill(&engine, 0);
    acknowledged.iter().for_each(|number| tell(format!("kept {number}")));
    let refusal = refusal.expect("the limit is reached");
    tell(format!("refused {:?} {refusal}", refusal.kind()));
    check_kept(&engine, &acknowledged);
    tell("checked");
}

#[test]
fn a_file_size_limit_refuses_writes_loudly_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    // An ignored signal stays ignored in the program that the shell becomes: writes fail instead of killing.
    let script = "trap '' XFSZ; ulimit -f 4000; exec \"$0\" \"$@\"";
    let command = wrapped_worker_command("sh", &["-c", script], "faults::disk::limited", folder.path());
    let told = Worker::start(command).finish();
    let kept: Vec<u64> = told.iter().filter_map(|line| line.strip_prefix("kept ")?.parse().ok()).collect();
    assert!(kept.len() > 20, "{told:?}");
    assert_eq!(told.last().map(String::as_str), Some("checked"), "the worker read everything back");
    let engine = open(folder.path());
    check_kept(&engine, &kept);
    keep(&engine, "without the limit, writes work again");
    assert!(engine.doctor().iter().all(|check| check.verdict == Verdict::Ok));
    let refused = told.iter().find(|line| line.starts_with("refused ")).unwrap();
    assert!(refused.starts_with("refused Unavailable"), "{refused}");
}

/// Every file of a folder with its bytes.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            found.extend(files(&entry));
        } else {
            found.insert(entry.clone(), fs::read(&entry).unwrap());
        }
    }
    found
}

/// A folder that the engine cannot write: remounted for root, whom permissions do not bind.
enum Protected {
    Disk(Mount),
    Folder(TempDir),
}

impl Protected {
    fn prepare(work: impl FnOnce(&Path)) -> Self {
        match Mount::small_disk("64m") {
            Some(disk) => {
                work(disk.path());
                disk.remount("ro");
                Self::Disk(disk)
            }
            None => {
                let folder = tempfile::tempdir().unwrap();
                work(folder.path());
                set_mode(folder.path(), 0o444, 0o555);
                let probe = fs::File::create(folder.path().join("probe"));
                assert!(probe.is_err(), "neither a mount nor permissions keep this process from writing");
                Self::Folder(folder)
            }
        }
    }

    fn path(&self) -> &Path {
        match self {
            Self::Disk(disk) => disk.path(),
            Self::Folder(folder) => folder.path(),
        }
    }
}

impl Drop for Protected {
    fn drop(&mut self) {
        if let Self::Folder(folder) = self {
            set_mode(folder.path(), 0o644, 0o755);
        }
    }
}

fn set_mode(folder: &Path, file: u32, own: u32) {
    use std::os::unix::fs::PermissionsExt as _;
    let set = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    set(folder, 0o755);
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() { set_mode(&entry, file, own) } else { set(&entry, file) }
    }
    set(folder, own);
}

const SERVER: &str = "The staging server is called Ganymede";

fn check_read_only(about: &str, work: impl FnOnce(&Path)) {
    let folder = Protected::prepare(work);
    let before = files(folder.path());
    let engine = Perihelion::open(options(folder.path())).unwrap();
    assert!(engine.is_read_only(), "{about}");
    let id = ask(&engine, "Ganymede").hits.remove(0).memory.id;
    assert!(ask(&engine, "what about whales?").hits.is_empty());
    let refused = [
        engine.remember(Remember::new("something new")).map(drop),
        engine.forget(&Scope::All, id).map(drop),
        engine.revise(&Scope::All, id, Revise { pinned: Some(true), ..Revise::default() }).map(drop),
        engine.purge(&Scope::All, id).map(drop),
    ];
    for outcome in refused {
        let error = outcome.expect_err(about);
        assert_eq!(error.kind(), ErrorKind::Unavailable, "{about}: {error}");
        assert!(error.to_string().contains("cannot be written"), "{about}: {error}");
        assert!(error.hint().is_some(), "{about}: {error}");
    }
    engine.maintain().unwrap();
    assert!(finds(&engine, "Ganymede", SERVER), "{about}: still answers");
    assert!(engine.doctor().iter().all(|check| check.verdict != Verdict::Failed), "{about}");
    engine.close().unwrap();
    assert!(files(folder.path()) == before, "{about}: nothing was changed");
}

#[test]
fn a_read_only_folder_is_recalled_from_and_refuses_every_write() {
    check_read_only("a few memories", |folder| {
        let engine = open(folder);
        keep(&engine, SERVER);
        engine.close().unwrap();
    });
    check_read_only("with a snapshot", |folder| {
        let engine = open(folder);
        keep(&engine, SERVER);
        engine.remember_all((0..200).map(|i| Remember::new(format!("walrus number {i}"))).collect()).unwrap();
        ask(&engine, "walrus");
        engine.close().unwrap();
    });
    check_read_only("with a log left by a crash", |folder| {
        // Copies of the files of an open store are what a crash leaves.
        let live = tempfile::tempdir().unwrap();
        let engine = open(live.path());
        keep(&engine, SERVER);
        for file in ["perihelion.db", "perihelion.db-wal", "perihelion.db-shm"] {
            fs::copy(live.path().join(file), folder.join(file)).unwrap();
        }
    });
}

#[test]
fn a_reader_on_a_read_only_mount_follows_a_writer_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let Some(view) = Mount::read_only_view(folder.path()) else { return };
    let writer = open(folder.path());
    let id = keep(&writer, SERVER);
    let reader = Perihelion::open(options(view.path())).unwrap();
    assert!(reader.is_read_only());
    assert!(finds(&reader, "Ganymede", SERVER));
    keep(&writer, "The second server is called Callisto");
    assert!(finds(&reader, "Callisto", "The second server is called Callisto"));
    writer.forget(&Scope::All, id).unwrap();
    assert!(!finds(&reader, "Ganymede", SERVER));
}

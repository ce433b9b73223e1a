//! What the tests share: engines with a clock that stands still, furnished stores, and worker processes.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use peri_backup::{BackupError, BackupName, Backups, Created, Overwrite, Restore, Restored, SafetyBackup};
use perihelion::{
    Chores, Clock, EdgeType, ListQuery, Memory, MemoryId, NewEdge, Options, Order, Perihelion, Recall,
    Remember, Revise, Scope, Timestamp, Trashed,
};
use tempfile::TempDir;

pub const START: &str = "2026-03-01T10:00:00Z";

pub fn clock() -> Clock {
    Clock::manual(START.parse().unwrap())
}

pub fn open_at(folder: &Path, clock: &Clock) -> Perihelion {
    Perihelion::open(Options { chores: Chores::ByHand, clock: clock.clone(), ..Options::at(folder) }).unwrap()
}

pub fn open(folder: &Path) -> Perihelion {
    Perihelion::open(Options { chores: Chores::ByHand, ..Options::at(folder) }).unwrap()
}

pub fn keep(engine: &Perihelion, content: &str) -> MemoryId {
    engine.remember(Remember::new(content)).unwrap().id
}

/// A folder with something of everything, in three scripts.
pub fn furnished(clock: &Clock) -> (TempDir, Perihelion) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("perihelion.toml"), "[recall]\nlimit = 7\n").unwrap();
    let engine = open_at(folder.path(), clock);
    let one = keep(&engine, "김민수는 부산으로 이사한다");
    let two = keep(&engine, "王芳喜欢在周末拍照");
    keep(&engine, "The staging server is called Ganymede");
    let edge = NewEdge { source: one, target: two, edge_type: EdgeType::Sequence, weight: 0.5 };
    engine.link(&Scope::All, &edge).unwrap();
    let revise =
        Revise { content: Some("김민수는 대구로 이사한다".to_owned()), ..Revise::default() };
    engine.revise(&Scope::All, one, revise).unwrap();
    let gone = keep(&engine, "a note for the trash");
    engine.forget(&Scope::All, gone).unwrap();
    engine
        .remember(
            Remember::new("the kiln is hot").said("monday", "Ines").in_namespace("team".parse().unwrap()),
        )
        .unwrap();
    engine.recall(&Recall::new("拍照")).unwrap();
    engine.maintain().unwrap();
    (folder, engine)
}

pub fn create(backups: &Backups, engine: &Perihelion) -> Created {
    backups.create(engine, &mut |_| {}).unwrap()
}

pub const CAREFUL: Restore = Restore { overwrite: Overwrite::Refused, safety: SafetyBackup::Made };
pub const OVERWRITE: Restore = Restore { overwrite: Overwrite::Allowed, safety: SafetyBackup::Made };

pub fn restore(
    backups: &Backups,
    name: &BackupName,
    engine: &Perihelion,
    how: Restore,
) -> Result<Restored, BackupError> {
    backups.restore(name, engine, how, &mut |_| {})
}

pub fn export(engine: &Perihelion) -> String {
    let mut bytes = Vec::new();
    engine.export(&Scope::All, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

pub fn all(engine: &Perihelion, trashed: Trashed) -> Vec<Memory> {
    let now = Some(Timestamp::MIN);
    let mut query = ListQuery { trashed, now, order: Order::OldestFirst, limit: 500, ..ListQuery::default() };
    let mut memories = Vec::new();
    loop {
        let page = engine.list(query.clone()).unwrap();
        memories.extend(page.memories);
        query.after = page.next;
        if query.after.is_none() {
            return memories;
        }
    }
}

pub fn finds(engine: &Perihelion, query: &str, content: &str) -> bool {
    let hits = engine.recall(&Recall::new(query)).unwrap().hits;
    hits.iter().any(|hit| hit.memory.content == content)
}

/// Every file below a folder, by its path in it.
pub fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for path in std::fs::read_dir(next).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

/// SplitMix64: small, good enough, and the same on every machine.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

/// Names the worker that a child process is to be; tests that are workers return at once without it.
const ROLE: &str = "PERI_TEST_ROLE";
const MARK: &str = "@@ ";

/// The folder to work on, if this process was started to be this worker.
pub fn role(test: &str) -> Option<String> {
    let role = std::env::var(ROLE).ok()?;
    role.strip_prefix(test)?.strip_prefix('=').map(ToOwned::to_owned)
}

/// Tells the parent process something, at once.
pub fn tell(line: impl std::fmt::Display) {
    let mut output = std::io::stdout().lock();
    output.write_all(format!("{MARK}{line}\n").as_bytes()).unwrap();
    output.flush().unwrap();
}

/// A child process: this test binary, running the one test that plays the role.
pub struct Worker {
    pub child: Child,
    output: BufReader<ChildStdout>,
}

impl Worker {
    pub fn start(program: Option<(&str, &[&str])>, test: &str, folder: &Path) -> Self {
        let own = std::env::current_exe().unwrap();
        let mut command = match program {
            Some((program, arguments)) => {
                let mut command = Command::new(program);
                command.args(arguments).arg(own);
                command
            }
            None => Command::new(own),
        };
        command.args([test, "--exact", "--nocapture", "--test-threads=1"]);
        command.env(ROLE, format!("{test}={}", folder.display()));
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { child, output }
    }

    /// What the worker tells next; `None` once it is gone.
    pub fn hear(&mut self) -> Option<String> {
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).unwrap();
            if !line.ends_with('\n') {
                return None;
            }
            if let Some((_, told)) = line.trim_end().split_once(MARK) {
                return Some(told.to_owned());
            }
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

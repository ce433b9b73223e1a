//! What the tests share: engines on temporary folders, a seeded generator, and worker processes.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use perihelion::{
    Chores, ErrorKind, ListQuery, Memory, MemoryId, Namespace, Options, Order, Perihelion, QueueSettings,
    Queueing, Recall, Recalled, Remember, Scope, Timestamp, Trashed,
};
use tempfile::TempDir;

/// Names the worker that a child process is to be; tests that are workers return at once without it.
const ROLE: &str = "PERI_TEST_ROLE";

/// Begins what a worker tells its parent; the test harness prints lines of its own in between.
const MARK: &str = "@@ ";

pub fn options(folder: impl AsRef<Path>) -> Options {
    // What the store refuses is to be seen; the tests of the queue switch it on.
    let queue = QueueSettings { queueing: Queueing::Off, ..QueueSettings::default() };
    Options { chores: Chores::ByHand, queue, ..Options::at(folder) }
}

pub fn open(folder: impl AsRef<Path>) -> Perihelion {
    Perihelion::open(options(folder)).unwrap()
}

pub fn fresh() -> (TempDir, Perihelion) {
    let folder = tempfile::tempdir().unwrap();
    let engine = open(folder.path());
    (folder, engine)
}

pub fn ns(path: &str) -> Namespace {
    path.parse().unwrap()
}

pub fn scope(path: &str) -> Scope {
    path.parse().unwrap()
}

pub fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

pub fn keep(engine: &Perihelion, content: &str) -> MemoryId {
    engine.remember(Remember::new(content)).unwrap().id
}

pub fn ask(engine: &Perihelion, query: &str) -> Recalled {
    engine.recall(&Recall::new(query)).unwrap()
}

pub fn contents(recalled: &Recalled) -> Vec<&str> {
    recalled.hits.iter().map(|hit| hit.memory.content.as_str()).collect()
}

pub fn finds(engine: &Perihelion, query: &str, content: &str) -> bool {
    contents(&ask(engine, query)).contains(&content)
}

/// Answers as far as two engines on one store must agree on them.
pub fn answers(engine: &Perihelion, queries: &[&str]) -> Vec<Vec<(MemoryId, u32)>> {
    let answer = |query: &&str| {
        let hits = ask(engine, query).hits;
        hits.into_iter().map(|hit| (hit.memory.id, (hit.score * 10_000.0).round() as u32)).collect()
    };
    queries.iter().map(answer).collect()
}

/// Every memory of one side of the trash, page by page.
pub fn all(engine: &Perihelion, trashed: Trashed) -> Vec<Memory> {
    let mut query = ListQuery { trashed, order: Order::OldestFirst, limit: 500, ..ListQuery::default() };
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

pub fn kind_of<T>(outcome: Result<T, perihelion::Error>) -> Option<ErrorKind> {
    outcome.err().map(|error| error.kind())
}

/// The snapshots in a data folder.
pub fn snapshots(folder: &Path) -> Vec<std::path::PathBuf> {
    let Ok(files) = std::fs::read_dir(folder.join("index")) else { return Vec::new() };
    let mut paths: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "idx"));
    paths.sort();
    paths
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

/// A child process: this test binary, running the one test that plays the role.
pub struct Worker {
    pub child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

/// The command that runs `test` of this binary as a worker on a folder.
pub fn worker_command(test: &str, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    prepare(&mut command, test, folder);
    command
}

/// The same under another program, such as a shell that sets limits first.
pub fn wrapped_worker_command(program: &str, arguments: &[&str], test: &str, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).arg(std::env::current_exe().unwrap());
    prepare(&mut command, test, folder);
    command
}

fn prepare(command: &mut Command, test: &str, folder: &Path) {
    command.args([test, "--exact", "--nocapture", "--test-threads=1"]);
    command.env(ROLE, format!("{test}={}", folder.display()));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
}

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

impl Worker {
    pub fn start(mut command: Command) -> Self {
        let mut child = command.spawn().unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { child, input, output }
    }

    /// What the worker tells next; `None` once it is gone. A line cut short by its death does not count.
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

    pub fn send(&mut self, line: &str) {
        self.input.write_all(format!("{line}\n").as_bytes()).unwrap();
        self.input.flush().unwrap();
    }

    pub fn ask(&mut self, line: &str) -> String {
        self.send(line);
        self.hear().unwrap_or_else(|| panic!("the worker died on {line:?}"))
    }

    /// Lets the worker end by itself, and everything it still told.
    pub fn finish(mut self) -> Vec<String> {
        drop(self.input);
        let mut told = Vec::new();
        let mut lines = String::new();
        std::io::Read::read_to_string(&mut self.output, &mut lines).unwrap();
        told.extend(lines.lines().filter_map(|line| Some(line.split_once(MARK)?.1.to_owned())));
        let status = self.child.wait().unwrap();
        assert!(status.success(), "a worker failed with {status}:\n{lines}");
        told
    }
}

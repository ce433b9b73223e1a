//! The machine on which agents and hooks run: processes that are started, and some that are killed.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use peri_agents::Agent;
use peri_agents::hooks::{Inbox, OccasionKind, name_of};
use serde_json::Value;
use tempfile::TempDir;

use super::chance::Chance;

/// A hook that took no longer has done all it had to: it gives up nothing before this.
const GIVES_UP_AFTER: Duration = Duration::from_millis(280);

/// Spins before a process is killed at the latest; about as long as a hook takes.
const SPINS_MAX: u64 = 1_500_000;

/// How often what waits is worked off before somebody should look why it does not get less.
const ATTEMPTS_MAX: usize = 100;

/// A machine with a data folder.
pub(super) struct Machine {
    folder: TempDir,
    /// Which hooks are killed; and apart from it, since how often they run is up to the machine, which workers.
    chance: Chance,
    workers_chance: Chance,
    kills: Kills,
    pub(super) runs: Vec<HookRun>,
    pub(super) workers_run: usize,
    pub(super) workers_killed: usize,
}

/// Whether processes are killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kills {
    None,
    Many,
}

/// What an agent runs.
#[derive(Clone)]
pub(super) struct HookCall {
    pub(super) agent: Agent,
    pub(super) occasion: OccasionKind,
    pub(super) input: Value,
    pub(super) folder: PathBuf,
}

/// What became of it.
#[derive(Debug, Clone)]
pub(super) struct HookRun {
    pub(super) agent: Agent,
    pub(super) occasion: OccasionKind,
    pub(super) wall: Duration,
    pub(super) end: End,
    pub(super) printed: String,
    pub(super) complained: String,
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Done,
    Killed,
    Failed(i32),
}

/// Whether a process is killed, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Death {
    None,
    AfterPrinting,
    AfterSpins(u64),
}

impl HookRun {
    /// Whether the agent may rely on what it told: the hook ended well, and not because it ran out of time.
    pub(super) fn is_acknowledged(&self) -> bool {
        self.end == End::Done && self.wall < GIVES_UP_AFTER
    }

    /// Whether the hook may have run out of time.
    pub(super) fn is_slow(&self) -> bool {
        self.end == End::Done && self.wall >= GIVES_UP_AFTER
    }

    /// What the agent is shown; nothing by a hook that did not end well.
    pub(super) fn shown(&self) -> Option<String> {
        if self.end != End::Done || self.printed.is_empty() {
            return None;
        }
        let answer: Value = serde_json::from_str(&self.printed).ok()?;
        let context = match self.agent {
            Agent::Cursor => &answer["additional_context"],
            _ => &answer["hookSpecificOutput"]["additionalContext"],
        };
        context.as_str().map(str::to_owned)
    }

    /// What is wrong with what was printed; none if it is nothing, or as the agent expects it.
    pub(super) fn fault(&self) -> Option<String> {
        let told = format!("{} {:?}", self.agent, self.occasion);
        match self.end {
            End::Failed(code) => return Some(format!("{told} ended with {code}: {}", self.complained)),
            End::Killed => return None,
            End::Done => {}
        }
        if self.printed.is_empty() {
            return None;
        }
        let Ok(Value::Object(answer)) = serde_json::from_str(&self.printed) else {
            return Some(format!("{told} printed no JSON object: {}", self.printed));
        };
        let mut names: Vec<&str> = answer.keys().map(String::as_str).collect();
        names.sort_unstable();
        let expected: &[&str] = match (self.agent, self.occasion) {
            (Agent::Cursor, OccasionKind::Prompt) => &["additional_context", "continue"],
            (Agent::Cursor, _) => &["additional_context"],
            _ => &["hookSpecificOutput"],
        };
        let event = answer.get("hookSpecificOutput").map(|own| &own["hookEventName"]);
        let is_named = event.is_none_or(|event| event.as_str() == name_of(self.agent, self.occasion));
        let is_fine = names == expected && is_named && self.shown().is_some();
        (!is_fine).then(|| format!("{told} printed {}", self.printed))
    }
}

impl Machine {
    pub(super) fn new(seed: u64, kills: Kills) -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            chance: Chance::new(seed),
            workers_chance: Chance::new(!seed),
            kills,
            runs: Vec::new(),
            workers_run: 0,
            workers_killed: 0,
        }
    }

    pub(super) fn home(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// A folder beside the data folder, which is made.
    pub(super) fn folder(&self, name: &str) -> PathBuf {
        let folder = self.folder.path().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn command(&self, folder: &Path) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_peri"));
        command.env_clear().env("TZ", "UTC").current_dir(folder).arg("--home").arg(self.home());
        command
    }

    /// Runs a hook as the agent does.
    pub(super) fn hook(&mut self, call: &HookCall, death: Death) -> HookRun {
        let began = Instant::now();
        let child = self.begin(call);
        self.finish(call, child, (began, death))
    }

    /// Runs hooks at the same time.
    pub(super) fn hooks(&mut self, calls: &[HookCall]) -> Vec<HookRun> {
        let begun: Vec<_> = calls.iter().map(|call| (Instant::now(), self.begin(call))).collect();
        let pairs = calls.iter().zip(begun);
        pairs.map(|(call, (began, child))| self.finish(call, child, (began, Death::None))).collect()
    }

    fn begin(&self, call: &HookCall) -> Child {
        let event = name_of(call.agent, call.occasion).expect("the agent has the event");
        let mut command = self.command(&call.folder);
        command.args(["hook", call.agent.name(), event]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(call.input.to_string().as_bytes()).unwrap();
        child
    }

    fn finish(&mut self, call: &HookCall, child: Child, (began, death): (Instant, Death)) -> HookRun {
        let (end, printed, complained) = ended(child, death);
        let run = HookRun {
            agent: call.agent,
            occasion: call.occasion,
            wall: began.elapsed(),
            end,
            printed,
            complained,
        };
        self.runs.push(run.clone());
        run
    }

    /// How a hook dies this time; mostly it does not.
    pub(super) fn death(&mut self) -> Death {
        if !self.happens(4) {
            return Death::None;
        }
        if self.chance.once_in(3) { Death::AfterPrinting } else { after_spins(&mut self.chance) }
    }

    /// Whether something happens that happens once in so many times, on a machine where processes are killed.
    fn happens(&mut self, times: u64) -> bool {
        self.kills == Kills::Many && self.chance.once_in(times)
    }

    /// Waits until everything that agents told is worked off. Some of those who do so are killed at it.
    pub(super) fn settle(&mut self) {
        for _ in 0..ATTEMPTS_MAX {
            drop(self.wait_for_workers());
            if self.inbox().is_empty().unwrap() {
                return;
            }
            let is_killed = self.kills == Kills::Many && self.workers_chance.once_in(3);
            let death = if is_killed { after_spins(&mut self.workers_chance) } else { Death::None };
            self.work(death);
        }
        panic!("what waits is never worked off: {}", self.log());
    }

    /// Runs a hook while nobody can work off what it tells, then lets somebody begin with it and kills them.
    pub(super) fn hook_and_killed_worker(&mut self, call: &HookCall) -> HookRun {
        let held = self.wait_for_workers();
        let run = self.hook(call, Death::None);
        drop(held);
        let death = after_spins(&mut self.workers_chance);
        self.work(death);
        run
    }

    /// Whether whoever works off what a hook tells is killed this time.
    pub(super) fn kills_worker(&mut self) -> bool {
        self.happens(4)
    }

    fn work(&mut self, death: Death) {
        let mut command = self.command(self.folder.path());
        command.args(["hook", "work"]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let (end, _, complained) = ended(command.spawn().unwrap(), death);
        self.workers_run += 1;
        match end {
            End::Done => {}
            End::Killed => self.workers_killed += 1,
            End::Failed(code) => panic!("hook work ended with {code}: {complained}"),
        }
    }

    pub(super) fn inbox(&self) -> Inbox {
        Inbox::at(self.home().join("hooks").join("inbox"))
    }

    /// Whoever works off what waits holds this lock, and gives it back even when killed. None begins until it is dropped.
    fn wait_for_workers(&self) -> Option<File> {
        let lock = File::options().write(true).open(self.home().join("hooks/inbox/lock")).ok()?;
        lock.lock().unwrap();
        Some(lock)
    }

    /// What went wrong in hooks, as people find it.
    pub(super) fn log(&self) -> String {
        std::fs::read_to_string(self.home().join("logs/hooks.log")).unwrap_or_default()
    }

    /// The answer of a command that must succeed.
    pub(super) fn json(&self, args: &[&str]) -> Value {
        let output = self.command(self.folder.path()).args(args).arg("--json").output().unwrap();
        let complained = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{args:?}: {complained}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Every file of the data folder.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        let (mut files, mut folders) = (Vec::new(), vec![self.home()]);
        while let Some(folder) = folders.pop() {
            let Ok(entries) = std::fs::read_dir(&folder) else { continue };
            for path in entries.map(|entry| entry.unwrap().path()) {
                if path.is_dir() { folders.push(path) } else { files.push(path) }
            }
        }
        files
    }
}

fn after_spins(chance: &mut Chance) -> Death {
    Death::AfterSpins(chance.below(SPINS_MAX))
}

/// Waits for a process, or kills it before it is done.
fn ended(mut child: Child, death: Death) -> (End, String, String) {
    let mut printed = Vec::new();
    let mut out = child.stdout.take().unwrap();
    match death {
        Death::None => {}
        Death::AfterPrinting => {
            let mut first = [0];
            let length = out.read(&mut first).unwrap();
            printed.extend_from_slice(&first[..length]);
            child.kill().unwrap();
        }
        Death::AfterSpins(spins) => {
            for _ in 0..spins {
                std::hint::spin_loop();
            }
            child.kill().unwrap();
        }
    }
    out.read_to_end(&mut printed).unwrap();
    let mut complained = String::new();
    child.stderr.take().unwrap().read_to_string(&mut complained).unwrap();
    let end = match child.wait().unwrap().code() {
        Some(0) => End::Done,
        Some(code) => End::Failed(code),
        None => End::Killed,
    };
    (end, String::from_utf8_lossy(&printed).into_owned(), complained)
}

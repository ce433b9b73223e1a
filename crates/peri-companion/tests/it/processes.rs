//! Processes that are killed, and processes that do the same at once.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use peri_companion::{Settings, When};
use peri_notes::{Fate, FileSettings, FileShelf, Step, Watch};

use crate::crash::{desk, held, prepare, tell, unbroken};
use crate::support::*;

/// Names the folder, the role and the step of the process to be.
const ROLE: &str = "PERI_COMPANION_TEST_ROLE";
const MARK: &str = "@@ ";

fn shout(line: &str) {
    let mut output = std::io::stdout().lock();
    output.write_all(format!("{MARK}{line}\n").as_bytes()).unwrap();
    output.flush().unwrap();
}

/// Tells that it is at a step and waits, for ever if nobody answers.
struct Waiter {
    at: usize,
    step: AtomicUsize,
}

impl Watch for Waiter {
    fn before(&self, _: Step, _: &Path) -> Fate {
        if self.step.fetch_add(1, Ordering::SeqCst) == self.at {
            shout("there");
            std::io::stdin().read_exact(&mut [0]).ok();
        }
        Fate::Go
    }
}

fn patient() -> FileSettings {
    FileSettings { lock_wait: Duration::from_secs(600) }
}

fn scribe(root: &Path) -> Desk {
    let shelf = FileShelf::new(root.join("notes"), patient());
    Desk::new(Arc::new(shelf), Arc::new(Scribe), Settings { observe_tokens_max: 60, ..Settings::default() })
}

/// The child: tells the story and stops at a step, or observes what waits when it is told to.
#[test]
fn worker() {
    let Ok(role) = std::env::var(ROLE) else { return };
    let (role, root) = role.split_once('=').unwrap();
    let root = Path::new(root);
    if let Ok(at) = role.parse() {
        let watch = Arc::new(Waiter { at, step: AtomicUsize::new(0) });
        let shelf = FileShelf::watched(root.join("notes"), patient(), watch);
        let mut next = 0;
        tell(&desk(Arc::new(shelf)), &mut next).unwrap();
        return shout("done");
    }
    let desk = scribe(root);
    shout("ready");
    std::io::stdin().read_exact(&mut [0]).unwrap();
    let observed =
        desk.step(When::Now).iter().filter(|event| has_observed(std::slice::from_ref(event))).count();
    shout(&observed.to_string());
}

fn start(role: &str, root: &Path) -> (Child, BufReader<ChildStdout>) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["processes::worker", "--exact", "--nocapture", "--test-threads=1"]);
    command.env(ROLE, format!("{role}={}", root.display()));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    (child, output)
}

fn hear(output: &mut BufReader<ChildStdout>) -> String {
    loop {
        let mut line = String::new();
        assert!(output.read_line(&mut line).unwrap() > 0, "it tells something before it ends");
        if let Some((_, told)) = line.trim_end().split_once(MARK) {
            return told.to_owned();
        }
    }
}

#[test]
fn a_process_that_is_killed_loses_nothing_and_repeats_nothing() {
    let wanted = unbroken();
    let mut killed = 0;
    for at in (3..).step_by(53) {
        let root = tempfile::tempdir().unwrap();
        let shelf = || Arc::new(FileShelf::new(root.path().join("notes"), patient()));
        prepare(shelf());
        let (mut child, mut output) = start(&at.to_string(), root.path());
        let told = hear(&mut output);
        child.kill().unwrap();
        child.wait().unwrap();
        // How far it had come only the notes tell: what was told already is told again.
        let mut next = turns_told(&scribe(root.path()));
        tell(&desk(shelf()), &mut next).unwrap();
        assert_eq!(held(shelf().as_ref()), wanted, "killed at step {at}, {told}");
        if told == "done" {
            break;
        }
        killed += 1;
    }
    assert!(killed >= 3, "killed only {killed} times");
}

/// How many turns are kept: each was observed before the next was told.
fn turns_told(desk: &Desk) -> usize {
    let record = desk.notes().record(&team(), &desk.session).unwrap();
    let observed = record.map_or(0, |record| record.observations);
    observed as usize + usize::from(!desk.pending().is_empty())
}

#[test]
fn processes_that_observe_one_session_at_once_observe_each_message_once() {
    let root = tempfile::tempdir().unwrap();
    let desk = scribe(root.path());
    let texts: Vec<String> = (0..30).map(|number| format!("말 {number}: 这是第{number}句话。")).collect();
    desk.keep(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    let mut children: Vec<_> = (0..4).map(|_| start("observe", root.path())).collect();
    children.iter_mut().for_each(|(_, output)| assert_eq!(hear(output), "ready"));
    for (child, _) in &mut children {
        child.stdin.take().unwrap().write_all(b"\n").unwrap();
    }
    let mut observed = 0;
    for (mut child, mut output) in children {
        observed += hear(&mut output).parse::<u64>().unwrap();
        std::io::copy(&mut output, &mut std::io::sink()).unwrap();
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(desk.texts(), texts, "each once, and in order");
    assert!(desk.pending().is_empty());
    let record = desk.notes().record(&team(), &desk.session).unwrap().unwrap();
    assert_eq!(record.observations, observed);
    assert!(observed > 3, "it took only {observed} steps");
}

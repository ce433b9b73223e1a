//! What a whole `peri hook` costs, from being started to having ended.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use perihelion::Namespace;
use serde_json::{Value, json};

use super::invented::Talk;
use super::measure::{Figure, middle};
use crate::Outcome;
use crate::speed::figures::timed;

/// A process that nobody waits for works off what hooks leave; here it is waited for, so that it is not measured too.
const WORK_TAKES_MAX: Duration = Duration::from_secs(60);

/// Hooks that a session calls when it begins and with each prompt, on a folder that no process has open.
pub(super) fn processes(peri: &Path, home: &Path, rounds: u32, talk: &mut Talk) -> Outcome<Vec<Figure>> {
    let (mut starts, mut prompts) = (Vec::new(), Vec::new());
    let mut answered = [0_u32; 2];
    for round in 0..rounds {
        let session = format!("hook-{round}");
        let start = json!({"session_id": session, "source": "startup", "cwd": home});
        let (time, bytes) = hook(peri, home, "SessionStart", &start)?;
        starts.push(time);
        answered[0] += u32::from(bytes > 0);
        await_work(home)?;
        let prompt = json!({"session_id": session, "prompt": talk.question(), "cwd": home});
        let (time, bytes) = hook(peri, home, "UserPromptSubmit", &prompt)?;
        prompts.push(time);
        answered[1] += u32::from(bytes > 0);
    }
    let share = |answered: u32| f64::from(answered) / f64::from(rounds);
    Ok(vec![
        ("peri hook at the start, ms", middle(starts)),
        ("  share that gave something", share(answered[0])),
        ("peri hook with a prompt, ms", middle(prompts)),
        ("  share that gave something", share(answered[1])),
    ])
}

/// Runs a hook; how long it took, and how much it printed.
fn hook(peri: &Path, home: &Path, event: &str, input: &Value) -> Outcome<(f64, usize)> {
    let mut command = Command::new(peri);
    command.arg("--home").arg(home).args(["--namespace", Namespace::default().as_str()]);
    command.args(["hook", "claude-code", event]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let (time, output) = timed(|| {
        let mut child = command.spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(input.to_string().as_bytes())?;
        }
        child.wait_with_output()
    });
    let output = output.map_err(|error| format!("{}: {error}", peri.display()))?;
    if !output.status.success() {
        return Err(format!("{} hook claude-code {event}: {}", peri.display(), output.status).into());
    }
    Ok((time, output.stdout.len()))
}

/// Waits until nothing is left to work off and nobody is at it.
fn await_work(home: &Path) -> Outcome<()> {
    let inbox = home.join("hooks").join("inbox");
    let began = Instant::now();
    while began.elapsed() < WORK_TAKES_MAX {
        if !waits(&inbox)? && is_free(&inbox.join("lock")) {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Err(format!("{}: what hooks left there was not worked off", inbox.display()).into())
}

fn waits(inbox: &Path) -> Outcome<bool> {
    let entries = fs::read_dir(inbox).map_err(|error| format!("{}: {error}", inbox.display()))?;
    let is_call = |path: &Path| path.extension().is_some_and(|extension| extension == "json");
    Ok(entries.filter_map(Result::ok).any(|entry| is_call(&entry.path())))
}

/// Whether nobody holds a lock.
fn is_free(lock: &Path) -> bool {
    File::options().write(true).open(lock).is_ok_and(|file| file.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_not_there_is_an_error_that_names_it() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("없는-peri");
        let error = processes(&missing, folder.path(), 1, &mut Talk::new(1)).unwrap_err();
        assert!(error.to_string().contains("없는-peri"), "{error}");
    }

    #[test]
    fn calls_that_wait_and_a_held_lock_are_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let (call, lock) = (folder.path().join("1.json"), folder.path().join("lock"));
        fs::write(&call, "{}").unwrap();
        let held = File::create(&lock).unwrap();
        held.lock().unwrap();
        assert!(waits(folder.path()).unwrap());
        assert!(!is_free(&lock));
        fs::remove_file(&call).unwrap();
        drop(held);
        assert!(!waits(folder.path()).unwrap());
        assert!(is_free(&lock));
    }
}

//! A server's processes: started as an unprivileged user, found, paused, killed, and ended with us.

use std::fs::{self, File};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::folder::Account;

/// How long a server may take to start or to stop.
const PATIENCE: Duration = Duration::from_secs(60);

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(10);

/// Waits for its standard input to be closed, which happens when we are gone however we went. Then it ends the
/// server with the signal it was told, wakes processes that are paused, kills what is left, and removes the folder.
const WATCHDOG: &str = r#"trap "" INT TERM HUP QUIT
cat >/dev/null
children=$(cat "/proc/$1/task/$1/children" 2>/dev/null)
kill "-$3" "$1" 2>/dev/null
kill -CONT "$1" $children 2>/dev/null
tries=0
while [ -e "/proc/$1/exe" ] && [ "$tries" -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
kill -KILL "$1" $children 2>/dev/null
rm -rf "$2"
"#;

/// How a server is ended in a hurry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hurry {
    /// Told to end at once and to take its children along, as PostgreSQL does.
    Quit,
    /// Killed.
    Kill,
}

/// A server under way.
#[derive(Debug)]
pub(crate) struct Running {
    server: Child,
    watchdog: Child,
    hurry: Hurry,
}

impl Running {
    /// Starts a program, with what it says written to `folder/log`.
    pub(crate) fn start(
        command: &mut Command,
        account: Option<Account>,
        folder: &Path,
        hurry: Hurry,
    ) -> Result<Self, String> {
        let log = File::create(folder.join("log")).map_err(|error| error.to_string())?;
        let also = log.try_clone().map_err(|error| error.to_string())?;
        become_account(command, account);
        command.current_dir(folder).stdin(Stdio::null()).stdout(log).stderr(also);
        let server = command.spawn().map_err(|error| cannot_run(command, &error))?;
        let mut watchdog = Command::new("sh");
        watchdog.args(["-c", WATCHDOG, "watchdog"]).arg(server.id().to_string()).arg(folder);
        watchdog.arg(match hurry {
            Hurry::Quit => "QUIT",
            Hurry::Kill => "KILL",
        });
        watchdog.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        match watchdog.spawn() {
            Ok(watchdog) => Ok(Self { server, watchdog, hurry }),
            Err(error) => {
                let mut server = server;
                server.kill().map_err(|error| error.to_string())?;
                Err(cannot_run(&watchdog, &error))
            }
        }
    }

    /// Waits until the server answers `ready`. One that ends before that has failed.
    pub(crate) fn wait_until(&mut self, mut ready: impl FnMut() -> Result<(), String>) -> Result<(), String> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let Err(reason) = ready() else { return Ok(()) };
            if let Ok(Some(status)) = self.server.try_wait() {
                return Err(format!("the server ended at once ({status})"));
            }
            if Instant::now() > deadline {
                return Err(format!("the server did not answer within {PATIENCE:?}: {reason}"));
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// Asks it to end and waits for that.
    pub(crate) fn stop(mut self, signal: Signal) -> Result<(), String> {
        self.signal(Signal::CONT)?;
        self.call_off();
        let main = pid(self.server.id())?;
        kill_process(main, signal).map_err(|error| error.to_string())?;
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.server.try_wait() {
                Ok(Some(_)) => return Ok(()),
                Ok(None) if Instant::now() < deadline => std::thread::sleep(PAUSE),
                Ok(None) => {
                    self.kill_all()?;
                    return Err(format!("the server did not stop within {PATIENCE:?} and was killed"));
                }
                Err(error) => return Err(error.to_string()),
            }
        }
    }

    /// Ends it without ceremony, because its data are not needed any more.
    pub(crate) fn discard(self) -> Result<(), String> {
        match self.hurry {
            Hurry::Quit => self.stop(Signal::QUIT),
            Hurry::Kill => self.kill(),
        }
    }

    /// Kills it and all its children, as a power cut would, and waits until they are gone.
    pub(crate) fn kill(mut self) -> Result<(), String> {
        self.call_off();
        self.kill_all()
    }

    fn kill_all(&mut self) -> Result<(), String> {
        let main = pid(self.server.id())?;
        // Stopped first, so that it starts no more children.
        kill_process(main, Signal::STOP).map_err(|error| error.to_string())?;
        let children = self.children();
        for child in &children {
            send(*child, Signal::KILL)?;
        }
        self.server.kill().map_err(|error| error.to_string())?;
        self.server.wait().map_err(|error| error.to_string())?;
        let deadline = Instant::now() + PATIENCE;
        while children.iter().any(|child| is_running(*child)) {
            if Instant::now() > deadline {
                return Err("the server's processes cannot be killed".to_owned());
            }
            std::thread::sleep(PAUSE);
        }
        Ok(())
    }

    /// Sends a signal to the server and all its children.
    pub(crate) fn signal(&self, signal: Signal) -> Result<(), String> {
        send(pid(self.server.id())?, signal)?;
        self.children().into_iter().try_for_each(|child| send(child, signal))
    }

    /// Stops the server and all its children, and waits until none of their threads does anything any more: one that was
    /// at work when the signal came may still answer.
    pub(crate) fn pause(&self) -> Result<(), String> {
        self.signal(Signal::STOP)?;
        let deadline = Instant::now() + PATIENCE;
        let all = self.children().into_iter().chain([pid(self.server.id())?]);
        for process in all {
            while !is_stopped(process) {
                if Instant::now() > deadline {
                    return Err("the server does not stop to work".to_owned());
                }
                std::thread::sleep(PAUSE);
            }
        }
        Ok(())
    }

    fn children(&self) -> Vec<Pid> {
        let id = self.server.id();
        let known = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
        known.split_whitespace().filter_map(|id| id.parse().ok().and_then(Pid::from_raw)).collect()
    }

    /// Sends the watchdog away.
    fn call_off(&mut self) {
        // It may be gone already only if somebody killed it; then there is nothing to call off.
        if self.watchdog.kill().is_ok() {
            drop(self.watchdog.wait());
        }
    }
}

fn pid(id: u32) -> Result<Pid, String> {
    let id = i32::try_from(id).ok().and_then(Pid::from_raw);
    id.ok_or_else(|| "a process has no id".to_owned())
}

/// A process that is gone already is as good as signalled.
fn send(process: Pid, signal: Signal) -> Result<(), String> {
    match kill_process(process, signal) {
        Ok(()) | Err(rustix::io::Errno::SRCH) => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}

/// A dead process that waits for its parent to notice does nothing any more.
fn is_running(process: Pid) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero()));
    status.is_ok_and(|status| state(&status) != Some('Z'))
}

/// Whether all threads of a process are stopped, or dead.
fn is_stopped(process: Pid) -> bool {
    let Ok(threads) = fs::read_dir(format!("/proc/{}/task", process.as_raw_nonzero())) else { return true };
    threads.flatten().all(|thread| {
        let status = fs::read_to_string(thread.path().join("stat"));
        status.map_or(true, |status| matches!(state(&status), Some('T' | 't' | 'Z' | 'X')))
    })
}

/// What a thread is doing, of which the system tells after its name.
fn state(status: &str) -> Option<char> {
    status.rsplit(')').next().and_then(|rest| rest.trim_start().chars().next())
}

/// Makes a command run as the account, and without what our own surroundings say.
pub(crate) fn become_account(command: &mut Command, account: Option<Account>) {
    if let Some(account) = account {
        command.uid(account.user).gid(account.group);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    command.env_clear().env("PATH", path).env("LC_ALL", "C").env("TZ", "UTC");
}

/// Runs a command to its end; what it said is the error.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| cannot_run(command, &error))?;
    if output.status.success() {
        return Ok(());
    }
    let said =
        String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    Err(format!("{}: {}\n{said}", command.get_program().display(), output.status))
}

pub(crate) fn cannot_run(command: &Command, error: &std::io::Error) -> String {
    format!("{} cannot be run: {error}", command.get_program().display())
}

/// The end of a server's log, for the error that says why it did not start.
pub(crate) fn log_end(folder: &Path) -> String {
    let log = fs::read_to_string(folder.join("log")).unwrap_or_default();
    let lines: Vec<&str> = log.lines().collect();
    lines[lines.len().saturating_sub(20)..].join("\n")
}

/// A port that nobody listens on, below those that systems give to outgoing connections, so that it is still free
/// when a killed server starts again.
pub(crate) fn free_port() -> Result<u16, String> {
    static TRIED: AtomicU32 = AtomicU32::new(0);
    for _ in 0..1000 {
        let next = std::process::id().wrapping_mul(31).wrapping_add(TRIED.fetch_add(1, Ordering::Relaxed));
        let port = 20_000 + u16::try_from(next % 12_000).unwrap_or_default();
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return Ok(port);
        }
    }
    Err("no port is free between 20000 and 32000".to_owned())
}

/// A program in the first of some folders that has it.
pub(crate) fn find(program: &str, folders: &[PathBuf]) -> Option<PathBuf> {
    folders.iter().map(|folder| folder.join(program)).find(|path| path.is_file())
}

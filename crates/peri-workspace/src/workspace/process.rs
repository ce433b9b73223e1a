//! A process that must answer within its time.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// An answer longer than this is refused; it would be a list of millions of files.
const OUTPUT_BYTES_MAX: u64 = 256 * 1024 * 1024;
/// How often the caller is asked whether to go on.
const PATIENCE: Duration = Duration::from_millis(20);

/// What a process said.
pub(super) struct Answer {
    pub(super) status: ExitStatus,
    pub(super) output: Vec<u8>,
    pub(super) complaint: String,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum Silence {
    #[error("it cannot be started: {0}")]
    Start(#[source] io::Error),
    #[error("it took longer than {0:?} and was ended")]
    Timeout(Duration),
    #[error("the caller asked to stop")]
    Stopped,
    #[error("its answer is longer than {OUTPUT_BYTES_MAX} bytes")]
    TooLong,
}

/// Runs a command to its end, its timeout, or the caller's wish to stop. It leaves no process behind.
pub(super) fn run(
    command: &mut Command,
    timeout: Duration,
    go_on: &dyn Fn() -> bool,
) -> Result<Answer, Silence> {
    let deadline = Instant::now() + timeout;
    let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(Silence::Start)?;
    let output = gather(child.stdout.take(), OUTPUT_BYTES_MAX + 1);
    let complaint = gather(child.stderr.take(), 4096);
    let answer = wait(&mut child, &output, deadline, timeout, go_on);
    if answer.is_err() {
        // It may have ended by itself in the meantime; then there is nothing to end.
        drop(child.kill());
        drop(child.wait());
    }
    let (status, output) = answer?;
    let complaint = complaint.recv_timeout(PATIENCE).unwrap_or_default();
    Ok(Answer { status, output, complaint: String::from_utf8_lossy(&complaint).trim().to_owned() })
}

fn gather(pipe: Option<impl Read + Send + 'static>, bytes_max: u64) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let read = pipe.by_ref().take(bytes_max).read_to_end(&mut bytes);
            // Nobody waits for the answer of a process that was ended, so neither failure matters.
            drop(read);
            drop(sender.send(bytes));
            drop(io::copy(&mut pipe, &mut io::sink()));
        }
    });
    receiver
}

fn wait(
    child: &mut Child,
    output: &Receiver<Vec<u8>>,
    deadline: Instant,
    timeout: Duration,
    go_on: &dyn Fn() -> bool,
) -> Result<(ExitStatus, Vec<u8>), Silence> {
    let mut said: Option<Vec<u8>> = None;
    loop {
        if !go_on() {
            return Err(Silence::Stopped);
        }
        if Instant::now() >= deadline {
            return Err(Silence::Timeout(timeout));
        }
        match &said {
            None => match output.recv_timeout(PATIENCE) {
                Ok(bytes) if bytes.len() as u64 > OUTPUT_BYTES_MAX => return Err(Silence::TooLong),
                Ok(bytes) => said = Some(bytes),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => said = Some(Vec::new()),
            },
            Some(_) => match child.try_wait().map_err(Silence::Start)? {
                Some(status) => return Ok((status, said.unwrap_or_default())),
                None => thread::park_timeout(Duration::from_millis(1)),
            },
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str, timeout: Duration, go_on: &dyn Fn() -> bool) -> Result<Answer, Silence> {
        run(Command::new("sh").args(["-c", script]), timeout, go_on)
    }

    #[test]
    fn an_answer_comes_with_what_was_said_and_complained() {
        let answer = shell("echo 예; echo no >&2; exit 3", Duration::from_secs(20), &|| true).unwrap();
        assert_eq!(
            (answer.status.code(), answer.output.as_slice(), answer.complaint.as_str()),
            (Some(3), "예\n".as_bytes(), "no")
        );
    }

    #[test]
    fn a_process_that_never_ends_is_ended() {
        let endless = "exec tail -f /dev/null";
        assert!(matches!(shell(endless, Duration::from_millis(30), &|| true), Err(Silence::Timeout(_))));
        assert!(matches!(shell(endless, Duration::from_secs(60), &|| false), Err(Silence::Stopped)));
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let silence = run(&mut Command::new("no-such-program-here"), Duration::from_secs(1), &|| true);
        assert!(matches!(silence, Err(Silence::Start(_))));
    }
}

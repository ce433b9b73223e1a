//! A process that is told what to do, with the shim between it and its files.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use crate::order::{Answer, Order};
use crate::shim::Control;

/// Longer than anything takes, on whatever machine: a process that does not answer by then hangs.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// Where a run takes place.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    /// The compiled shim.
    pub(crate) shim: PathBuf,
    /// The folder whose files are watched; the data lies below it.
    pub(crate) root: PathBuf,
    /// Where control files and what processes say of errors go.
    pub(crate) desk: PathBuf,
    /// The record for power cuts, if there are to be any.
    pub(crate) record: Option<PathBuf>,
}

/// How waiting for an answer ended.
#[derive(Debug)]
pub(crate) enum Heard {
    Answer(Answer),
    /// The process is gone.
    Gone,
    /// Nothing came in time.
    Nothing,
}

/// One process.
pub(crate) struct Process {
    child: Child,
    input: ChildStdin,
    answers: Receiver<String>,
    pub(crate) control: Control,
    complaints: PathBuf,
}

impl Process {
    pub(crate) fn start(place: &Place, name: &str) -> io::Result<Self> {
        let control = Control::create(place.desk.join(format!("{name}.control")))?;
        let complaints = place.desk.join(format!("{name}.err"));
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("actor").arg(&place.root);
        command.env("LD_PRELOAD", &place.shim);
        command.env("PERI_FAULTS_ROOT", &place.root);
        command.env("PERI_FAULTS_CONTROL", control.path());
        if let Some(record) = &place.record {
            command.env("PERI_FAULTS_RECORD", record);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(File::create(&complaints)?);
        let mut child = command.spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("a process without pipes"));
        };
        let (sender, answers) = channel();
        // Ends with the process, whose last line may be cut short.
        std::thread::spawn(move || {
            let mut lines = BufReader::new(output);
            let mut line = String::new();
            while lines.read_line(&mut line).is_ok_and(|read| read > 0) && line.ends_with('\n') {
                if sender.send(std::mem::take(&mut line)).is_err() {
                    return;
                }
            }
        });
        Ok(Self { child, input, answers, control, complaints })
    }

    /// Says what to do. A process that is gone does not hear it, which shows when it should answer.
    pub(crate) fn tell(&mut self, order: &Order) -> io::Result<()> {
        let mut line = serde_json::to_string(order)?;
        line.push('\n');
        match self.input.write_all(line.as_bytes()).and_then(|()| self.input.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            outcome => outcome,
        }
    }

    pub(crate) fn hear(&mut self, patience: Duration) -> io::Result<Heard> {
        match self.answers.recv_timeout(patience) {
            Ok(line) => Ok(Heard::Answer(serde_json::from_str(&line)?)),
            Err(RecvTimeoutError::Timeout) => Ok(Heard::Nothing),
            Err(RecvTimeoutError::Disconnected) => Ok(Heard::Gone),
        }
    }

    pub(crate) fn ask(&mut self, order: &Order) -> io::Result<Heard> {
        self.tell(order)?;
        self.hear(PATIENCE)
    }

    /// Wakes a process that the shim put to sleep.
    pub(crate) fn wake(&self) -> io::Result<()> {
        let number = self.child.id().to_string();
        Command::new("kill").args(["-CONT", &number]).stderr(Stdio::null()).status().map(drop)
    }

    /// Kills the process. What it has said can still be heard.
    pub(crate) fn kill(&mut self) -> io::Result<()> {
        self.child.kill()
    }

    /// Kills the process if it lives, and says how it ended.
    pub(crate) fn end(mut self) -> io::Result<Ended> {
        // One that sleeps does not die by itself of a closed pipe, but does of this.
        self.child.kill()?;
        let status = self.child.wait()?;
        let complaint = std::fs::read_to_string(&self.complaints).unwrap_or_default();
        Ok(Ended { panicked: complaint.contains("panicked at") || status.code() == Some(101), complaint })
    }
}

/// How a process ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) panicked: bool,
    pub(crate) complaint: String,
}

/// An empty record.
pub(crate) fn begin_record(path: &Path) -> io::Result<()> {
    File::create(path).map(drop)
}

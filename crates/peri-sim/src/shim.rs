//! The shim between a process and its files: how it is compiled, and how it is told what to do.
//!
//! It is C, in `crates/peri-sim/shim`, and is loaded into real processes. It is steered through a small file that it
//! maps and that is written here with ordinary writes.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCES: [(&str, &str); 6] = [
    ("faults.h", include_str!("../shim/faults.h")),
    ("control.c", include_str!("../shim/control.c")),
    ("record.c", include_str!("../shim/record.c")),
    ("clock.c", include_str!("../shim/clock.c")),
    ("files.c", include_str!("../shim/files.c")),
    ("names.c", include_str!("../shim/names.c")),
];

const FLAGS: [&str; 5] = ["-shared", "-fPIC", "-O1", "-Wall", "-Werror"];

/// Compiles the shim into a folder.
pub(crate) fn compile(folder: &Path) -> io::Result<PathBuf> {
    fs::create_dir_all(folder)?;
    for (name, text) in SOURCES {
        fs::write(folder.join(name), text)?;
    }
    let library = folder.join("libfaults.so");
    let sources = SOURCES.iter().map(|(name, _)| name).filter(|name| name.ends_with(".c"));
    let mut compiler = Command::new("cc");
    compiler.args(FLAGS).args(sources).arg("-o").arg(&library).arg("-ldl").current_dir(folder);
    let output = compiler.output()?;
    if output.status.success() {
        return Ok(library);
    }
    Err(io::Error::other(format!("the shim does not compile:\n{}", String::from_utf8_lossy(&output.stderr))))
}

/// Calls that can be counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kinds(u64);

impl Kinds {
    const NAMES: [&str; 12] = [
        "open",
        "read",
        "write",
        "sync",
        "resize",
        "rename",
        "unlink",
        "make folder",
        "lock",
        "look",
        "close",
        "unlock",
    ];
    /// Those after which something is different on the disk, or other processes see something.
    pub(crate) const CHANGES: Self = Self(0b1001_1111_1101);
    pub(crate) const ALL: Self = Self(0b1111_1111_1111);
    pub(crate) const WRITES: Self = Self(0b100);
    pub(crate) const SYNCS: Self = Self(0b1000);

    pub(crate) fn have_reads(self) -> bool {
        self.0 & 0b10 != 0
    }

    pub(crate) fn have_locks(self) -> bool {
        self.0 & 0b1_0000_0000 != 0
    }

    fn name(bit: u64) -> &'static str {
        let index = usize::try_from(bit.trailing_zeros()).unwrap_or(0);
        Self::NAMES.get(index).copied().unwrap_or("nothing")
    }
}

/// What happens at a call. The numbers are the shim's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    Nothing = 0,
    FailOnce = 1,
    FailOn = 2,
    Half = 3,
    Kill = 4,
    Tear = 5,
    Stop = 6,
}

/// What a failing call says. The numbers are Linux's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Errno {
    Interrupted = 4,
    Defect = 5,
    NoMemory = 12,
    Full = 28,
}

impl Errno {
    /// Every one, in turn.
    pub(crate) const ALL: [Self; 4] = [Self::Defect, Self::Full, Self::Interrupted, Self::NoMemory];
}

/// How the disk is, for one process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Well = 0,
    Full = 1,
    ReadOnly = 2,
}

/// The file through which the shim of one process is steered.
#[derive(Debug)]
pub(crate) struct Control {
    file: File,
    path: PathBuf,
}

const BYTES: usize = 256;
const CALLS: u64 = 0;
const STRIKE_AT: u64 = 8;
const ACTION: u64 = 16;
const ERROR: u64 = 24;
const MASK: u64 = 32;
const STRUCK: u64 = 40;
const CLOCK_MS: u64 = 48;
const STATE: u64 = 56;
const STRUCK_KIND: u64 = 64;
const STRUCK_PATH: usize = 72;

impl Control {
    pub(crate) fn create(path: PathBuf) -> io::Result<Self> {
        fs::write(&path, [0; BYTES])?;
        let file = File::options().read(true).write(true).open(&path)?;
        let control = Self { file, path };
        control.put(MASK, Kinds::ALL.0)?;
        Ok(control)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// How many counted calls there were.
    pub(crate) fn calls(&self) -> io::Result<u64> {
        self.get(CALLS)
    }

    /// Lets something happen at a call that is still to come: 1 is the next one.
    pub(crate) fn plan(&self, ahead: u64, kinds: Kinds, action: Action, error: Errno) -> io::Result<()> {
        self.put(STRIKE_AT, 0)?;
        self.put(MASK, kinds.0)?;
        self.put(ACTION, action as u64)?;
        self.put(ERROR, error as u64)?;
        self.put(STRUCK, 0)?;
        let at = self.calls()? + ahead;
        self.put(STRIKE_AT, at)
    }

    /// Lets nothing more happen.
    pub(crate) fn calm(&self) -> io::Result<()> {
        self.put(STRIKE_AT, 0)
    }

    pub(crate) fn set_clock(&self, ahead_ms: i64) -> io::Result<()> {
        self.file.write_all_at(&ahead_ms.to_le_bytes(), CLOCK_MS)
    }

    pub(crate) fn set_state(&self, state: State) -> io::Result<()> {
        self.put(STATE, state as u64)
    }

    /// At which call something happened first, if it did.
    pub(crate) fn struck(&self) -> io::Result<Option<String>> {
        if self.get(STRUCK)? == 0 {
            return Ok(None);
        }
        let mut bytes = [0; BYTES];
        self.file.read_exact_at(&mut bytes, 0)?;
        let path = bytes[STRUCK_PATH..].split(|byte| *byte == 0).next().unwrap_or_default();
        let kind = Kinds::name(self.get(STRUCK_KIND)?);
        Ok(Some(format!("{kind} {}", String::from_utf8_lossy(path))))
    }

    fn get(&self, at: u64) -> io::Result<u64> {
        let mut bytes = [0; 8];
        self.file.read_exact_at(&mut bytes, at)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn put(&self, at: u64, value: u64) -> io::Result<()> {
        self.file.write_all_at(&value.to_le_bytes(), at)
    }
}

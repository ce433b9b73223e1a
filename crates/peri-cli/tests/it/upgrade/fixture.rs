//! Fixtures: unpacked into a folder of their own, and opened as shortly after they were written.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use perihelion::{Chores, Clock, Options, Perihelion, Timestamp};
use serde_json::Value;
use tempfile::TempDir;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures");

/// What one release left behind.
pub struct Fixture {
    folder: TempDir,
    /// What the release said of it.
    pub told: Value,
}

/// All there are, in the order of their formats.
pub fn fixtures() -> Vec<Fixture> {
    let files = std::fs::read_dir(FOLDER).unwrap().map(|file| file.unwrap().path());
    let packed = files.filter(|path| path.extension().is_some_and(|extension| extension == "zip"));
    let mut all: Vec<_> = packed.map(|path| Fixture::unpack(&path)).collect();
    all.sort_by_key(Fixture::format);
    all
}

/// An engine whose clock stands still and that does its chores when told.
pub fn options(folder: &Path, now: Timestamp) -> Options {
    Options { chores: Chores::ByHand, clock: Clock::manual(now), ..Options::at(folder) }
}

impl Fixture {
    fn unpack(path: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut archive = zip::ZipArchive::new(std::fs::File::open(path).unwrap()).unwrap();
        for place in 0..archive.len() {
            let mut file = archive.by_index(place).unwrap();
            let to = folder.path().join(file.enclosed_name().unwrap());
            std::fs::create_dir_all(to.parent().unwrap()).unwrap();
            std::io::copy(&mut file, &mut std::fs::File::create(to).unwrap()).unwrap();
        }
        let mut told = String::new();
        std::fs::File::open(folder.path().join("told.json")).unwrap().read_to_string(&mut told).unwrap();
        Self { told: serde_json::from_str(&told).unwrap(), folder }
    }

    /// The number of the store's format.
    pub fn format(&self) -> u32 {
        u32::try_from(self.told["format"].as_u64().unwrap()).unwrap()
    }

    /// Everything that was unpacked.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The data folder.
    pub fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// When the release was done. Nothing that it wrote has ended by then.
    pub fn at(&self) -> Timestamp {
        self.told["at"].as_str().unwrap().parse().unwrap()
    }

    /// What the release exported.
    pub fn export(&self) -> Option<String> {
        std::fs::read_to_string(self.folder.path().join("export.jsonl")).ok()
    }

    /// This release on the data folder.
    pub fn open(&self) -> Perihelion {
        Perihelion::open(options(&self.home(), self.at())).unwrap_or_else(|error| panic!("{self}: {error}"))
    }

    /// This release on an empty folder, at the same time.
    pub fn empty(&self) -> (TempDir, Perihelion) {
        let folder = tempfile::tempdir().unwrap();
        let engine = Perihelion::open(options(folder.path(), self.at())).unwrap();
        (folder, engine)
    }
}

impl std::fmt::Display for Fixture {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "format {}", self.format())
    }
}

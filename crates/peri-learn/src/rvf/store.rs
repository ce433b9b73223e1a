//! A learning file that is kept on the disk.

use std::path::{Path, PathBuf};

use super::adapter::{AdapterRecord, EwcRecord};
use super::entry::{Entry, Record};
use super::error::RvfError;
use super::file::RvfFile;
use super::limits::RvfLimits;
use super::on_disk::{self, State};
use super::pattern::PatternRecord;
use super::report::ReadReport;
use super::trajectory::TrajectoryRecord;
use super::write::check;

/// A learning file: read once, changed in memory, written as a whole.
#[derive(Debug)]
pub struct RvfLearningStore {
    path: PathBuf,
    limits: RvfLimits,
    file: RvfFile,
    /// The file on the disk as we know it; none if there was none.
    seen: Option<State>,
    /// Whether the file on the disk holds what we could not take in.
    is_damaged: bool,
    has_changes: bool,
}

/// What persisting did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Persisted {
    /// Nothing had changed, so nothing was written.
    Unchanged,
    /// The file was written.
    Written {
        /// Where the former file was copied to, because not all of it could be read.
        damaged: Option<PathBuf>,
    },
}

impl RvfLearningStore {
    /// A store for the file of this name. Nothing is read yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self::with_limits(path, RvfLimits::default())
    }

    /// A store with limits of one's own.
    pub fn with_limits(path: impl Into<PathBuf>, limits: RvfLimits) -> Self {
        let path = path.into();
        Self { path, limits, file: RvfFile::default(), seen: None, is_damaged: false, has_changes: false }
    }

    /// Reads the file and says what it found; no file is an empty one. What was saved before and not persisted is
    /// dropped. After an error everything is as it was.
    pub fn initialize(&mut self) -> Result<ReadReport, RvfError> {
        let (file, report, seen) = self.load().map_err(|error| error.of(&self.path))?;
        self.is_damaged = !report.is_whole();
        (self.file, self.seen, self.has_changes) = (file, seen, false);
        Ok(report)
    }

    fn load(&self) -> Result<(RvfFile, ReadReport, Option<State>), RvfError> {
        let reading = |source| RvfError::Io { doing: "read", source };
        let input = match peri_private::open(&self.path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok((RvfFile::default(), ReadReport::default(), None));
            }
            input => input.map_err(reading)?,
        };
        let state = on_disk::state_of(&input.metadata().map_err(reading)?);
        let (file, report) = RvfFile::read(input, &self.limits)?;
        Ok((file, report, Some(state)))
    }

    /// Writes everything to the file, whole or not at all. If not all of the former file could be read, a copy of it
    /// is kept beside the new one first.
    pub fn persist(&mut self) -> Result<Persisted, RvfError> {
        let now = on_disk::state(&self.path)?;
        if now != self.seen {
            let path = self.path.clone();
            return Err(match self.seen {
                None => RvfError::NotInitialized { path },
                Some(_) => RvfError::ChangedMeanwhile { path },
            });
        }
        if !self.has_changes && now.is_some() {
            return Ok(Persisted::Unchanged);
        }
        let damaged = if self.is_damaged { Some(on_disk::keep_damaged(&self.path)?) } else { None };
        self.seen = Some(on_disk::replace(&self.path, |output| self.file.write(output, &self.limits))?);
        (self.is_damaged, self.has_changes) = (false, false);
        Ok(Persisted::Written { damaged })
    }

    /// Saves a pattern; one with the same id is replaced. It reaches the disk when somebody persists.
    pub fn save_pattern(&mut self, pattern: PatternRecord) -> Result<(), RvfError> {
        let pattern = self.checked(pattern)?;
        self.file.patterns.put_record(pattern);
        Ok(())
    }

    /// All patterns.
    pub fn get_all_patterns(&self) -> Vec<PatternRecord> {
        self.file.patterns.records().cloned().collect()
    }

    /// Saves a trajectory; one with the same id is replaced. It reaches the disk when somebody persists.
    pub fn save_trajectory(&mut self, trajectory: TrajectoryRecord) -> Result<(), RvfError> {
        let trajectory = self.checked(trajectory)?;
        self.file.trajectories.put_record(trajectory);
        Ok(())
    }

    /// Saves what protects earlier tasks; the state of the same adapter is replaced. It reaches the disk when somebody
    /// persists.
    pub fn save_ewc(&mut self, ewc: EwcRecord) -> Result<(), RvfError> {
        let ewc = self.checked(ewc)?;
        self.file.ewc.put_record(ewc);
        Ok(())
    }

    /// Saves an adapter's weights; those of the same name are replaced. They reach the disk when somebody persists.
    pub fn save_adapter(&mut self, adapter: AdapterRecord) -> Result<(), RvfError> {
        let adapter = self.checked(adapter)?;
        self.file.adapters.put_record(adapter);
        Ok(())
    }

    /// A record that may be kept. One that may not changes nothing.
    fn checked<T: Record + Clone>(&mut self, record: T) -> Result<T, RvfError> {
        let entry = Entry::new(record);
        check(&entry, &self.limits)?;
        self.has_changes = true;
        Ok(entry.record)
    }

    /// Everything that is held in memory.
    pub fn file(&self) -> &RvfFile {
        &self.file
    }

    /// The name of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

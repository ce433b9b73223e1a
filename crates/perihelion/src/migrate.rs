//! From the store of another program to this one: a folder with a file a record, as memory systems with weighed terms
//! (TF-IDF) keep them, or a stream of JSON, with vectors or without.
//!
//! Each record becomes a line of an import, so that parts, secrets, limits, rehearsals and going on after an
//! interruption are those of [`crate::transfer`]. Ids follow from the records, so that migrating again adds nothing.
//! Weights of terms are left behind, and texts get their vectors from the engine at work; a dense vector that came along
//! is taken if it is said to be of that engine's space and is what the engine would make.

mod elements;
mod fields;
mod folder;
mod identity;
mod missing;
mod moment;
mod pieces;
mod record;
mod records;
mod vector;

use std::io::BufRead;
use std::path::Path;
use std::time::Instant;

use peri_store::ImportState;
use peri_types::{Namespace, Scope};
use serde::Serialize;

use self::record::Reader;
use self::records::Records;
use crate::engine::Perihelion;
use crate::transfer::{Differing, Handling, Tally};
use crate::{Effect, Ending, Error, ImportMode, ImportOptions, Imported, Pace, RedactedSecret, Resume};

/// What to migrate.
pub enum MigrationSource<'a> {
    /// A folder with a folder a category and a file a record, such as `memory/facts/tea.json`.
    Folder(&'a Path),
    /// JSON: a record a line, a list of records, or an object that holds lists of them.
    Stream(&'a mut dyn BufRead),
}

/// How to migrate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MigrateOptions {
    /// Where the memories go.
    pub namespace: Namespace,
    /// So many texts are handed to the embedding engine, and written, at a time.
    pub batch: usize,
    /// The model that all vectors are of, whatever the records say. By default each record must say it.
    pub vectors_are: Option<String>,
    /// Largest record, in bytes of JSON; a larger one fails.
    pub record_bytes_max: usize,
    /// So many failures are listed, further ones only counted. All are listed unless set.
    pub errors_listed_max: usize,
    /// Whether it happens.
    pub effect: Effect,
    /// How to go on if it is interrupted. It begins at the first record unless set, and then finds what is here.
    pub resume: Option<Resume>,
}

impl MigrateOptions {
    /// The number of texts at a time unless set.
    pub const BATCH: usize = 32;
    /// The size of a record unless set.
    pub const RECORD_BYTES_MAX: usize = 16 * 1024 * 1024;
}

impl Default for MigrateOptions {
    fn default() -> Self {
        Self {
            namespace: Namespace::default(),
            batch: Self::BATCH,
            vectors_are: None,
            record_bytes_max: Self::RECORD_BYTES_MAX,
            errors_listed_max: usize::MAX,
            effect: Effect::default(),
            resume: None,
        }
    }
}

/// How far a migration is: each record of the total is migrated, was there already, or failed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MigrationProgress {
    /// Records that were read.
    pub total: u64,
    /// Those that are memories now.
    pub migrated: u64,
    /// Those that were here before, by their id or by what they say.
    pub already_there: u64,
    /// Those that could not be taken.
    pub failed: u64,
    /// Which ones failed, and why; the rest is kept.
    pub errors: Vec<(String, String)>,
    /// How many failed beyond those that are listed.
    pub errors_unlisted: u64,
    /// Of the memories of this run, those whose own vector was taken.
    pub vectors_taken: u64,
    /// Of the memories of this run, those that the engine made a vector for. In a rehearsal it is not asked, so that these
    /// are those that need one.
    pub embedded: u64,
    /// Of the memories of this run, those without a vector: the engine does not know the language, failed, in which case
    /// the vector follows, or there is none.
    pub unembedded: u64,
}

/// What came of a migration, or would come.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MigrationReport {
    /// How far it came.
    #[serde(flatten)]
    pub progress: MigrationProgress,
    /// How long it took.
    pub duration_ms: u64,
    /// Of the memories of this run, those that brought weights of terms, which were left behind.
    pub sparse_vectors: u64,
    /// Of the memories of this run, those whose own vector was of another space or damaged.
    pub vectors_unusable: u64,
    /// Files that hold no record, such as snapshots of vectors.
    pub files_passed_over: u64,
    /// Secrets that were taken out before anything was stored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redacted: Vec<RedactedSecret>,
    /// How it came to its end.
    pub ending: Ending,
    /// After which record it went on, if it had been interrupted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resumed_after: Option<u64>,
}

impl Perihelion {
    /// Takes over what another store kept. What is here stays as it is; a record that cannot be taken is told of and left
    /// out, and so is one whose id was taken by something that says something else.
    pub fn migrate(
        &self,
        source: MigrationSource<'_>,
        options: &MigrateOptions,
    ) -> Result<MigrationReport, Error> {
        self.migrate_watched(source, options, &mut |_| Pace::GoOn)
    }

    /// The same, asking after each batch whether to go on.
    pub fn migrate_watched(
        &self,
        source: MigrationSource<'_>,
        options: &MigrateOptions,
        watch: &mut dyn FnMut(&MigrationProgress) -> Pace,
    ) -> Result<MigrationReport, Error> {
        let begun = Instant::now();
        let pieces = match source {
            MigrationSource::Folder(path) => Box::new(folder::Folder::open(path).map_err(Error::Transfer)?),
            MigrationSource::Stream(stream) => pieces::of_stream(stream).map_err(Error::Transfer)?,
        };
        let mut records = Records::new(pieces, self.reader(options), options.record_bytes_max);
        let handling = Handling { writes_max: options.batch.max(1), differing: Differing::Refused };
        let import = ImportOptions {
            mode: ImportMode::Append,
            within: Scope::Exact(options.namespace.clone()),
            refused_listed_max: options.errors_listed_max,
            effect: options.effect,
            resume: options.resume.clone(),
            ..ImportOptions::default()
        };
        let mut watch = |state: &ImportState| watch(&progress(state));
        let (imported, tally) = self.import_lines(&mut records, &import, handling, &mut watch)?;
        let duration_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok(report(imported, tally, &records, duration_ms))
    }

    fn reader(&self, options: &MigrateOptions) -> Reader {
        let sense = self.core.sense();
        Reader {
            namespace: options.namespace.clone(),
            now: self.core.now(),
            limits: self.core.options.limits.clone(),
            space: sense.engine.as_ref().map(|engine| engine.space().clone()),
            vectors_are: options.vectors_are.clone(),
        }
    }
}

fn progress(state: &ImportState) -> MigrationProgress {
    let (migrated, already_there, failed) = (state.added + state.replaced, state.known, state.refused);
    let total = migrated + already_there + failed;
    MigrationProgress { total, migrated, already_there, failed, ..MigrationProgress::default() }
}

fn report(imported: Imported, tally: Tally, records: &Records<'_>, duration_ms: u64) -> MigrationReport {
    let pieces = records.pieces();
    let failed = imported.refused.len() as u64 + imported.refused_unlisted;
    let (migrated, already_there) = (imported.added + imported.replaced, imported.known);
    let errors = imported.refused.into_iter().map(|(number, why)| (pieces.name(number), why)).collect();
    let progress = MigrationProgress {
        total: migrated + already_there + failed,
        migrated,
        already_there,
        failed,
        errors,
        errors_unlisted: imported.refused_unlisted,
        vectors_taken: tally.taken,
        embedded: tally.made,
        unembedded: tally.without,
    };
    let ending = match imported.ending {
        Ending::Unmarked if pieces.is_cut() => Ending::Cut,
        Ending::Unmarked => Ending::Whole,
        ending => ending,
    };
    MigrationReport {
        progress,
        duration_ms,
        sparse_vectors: tally.sparse,
        vectors_unusable: tally.unusable,
        files_passed_over: pieces.passed_over(),
        redacted: imported.redacted,
        ending,
        resumed_after: imported.resumed_after,
    }
}

//! Making sure that a backup is whole.

use peri_store::StoreCopy;
use perihelion::EncryptionKey;
use serde::Serialize;

use crate::fetch::Progress;
use crate::manifest::DATABASE;
use crate::work::WorkFolder;
use crate::{BackupError, BackupName, Backups, Manifest};

/// How thoroughly to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Every byte of every file, the database's structure, and what it holds in numbers.
    Quick,
    /// Besides, the database's indexes, and rows that belong to nothing.
    Deep,
}

/// What verifying found.
#[derive(Debug, Serialize)]
pub struct Verified {
    /// Which backup.
    pub name: BackupName,
    /// How many files it has.
    pub files: u64,
    /// How many bytes they have.
    pub bytes: u64,
    /// What is wrong; nothing, if it is whole.
    pub problems: Vec<String>,
}

impl Backups {
    /// Reads everything of a backup and tells what is wrong with it. Only trouble with reaching it is an error.
    pub fn verify(
        &self,
        name: &BackupName,
        depth: Depth,
        progress: Progress<'_>,
    ) -> Result<Verified, BackupError> {
        let manifest = match self.manifest(name) {
            Err(error @ (BackupError::Damaged { .. } | BackupError::TooNew { .. })) => {
                let problems = vec![error.to_string()];
                return Ok(Verified { name: name.clone(), files: 0, bytes: 0, problems });
            }
            manifest => manifest?,
        };
        self.check_key(&manifest)?;
        let work = WorkFolder::create(&self.work)?;
        let problems = self.problems(&manifest, depth, &work, progress)?;
        let files = manifest.files.len() as u64;
        Ok(Verified { name: name.clone(), files, bytes: manifest.bytes(), problems })
    }

    /// What is wrong with the files that a manifest lists.
    pub(crate) fn problems(
        &self,
        manifest: &Manifest,
        depth: Depth,
        work: &WorkFolder,
        progress: Progress<'_>,
    ) -> Result<Vec<String>, BackupError> {
        let mut problems = Vec::new();
        let copy = work.file("verified.db");
        for file in &manifest.files {
            let outcome = if file.path == DATABASE {
                self.fetch(&manifest.name, file, &copy, progress)
                    .map(|()| problems.extend(look(manifest, &copy, depth, self.key.as_ref())))
            } else {
                self.read(&manifest.name, file, &mut |_| Ok(()), progress)
            };
            match outcome {
                Err(BackupError::Damaged { detail, .. }) => problems.push(detail),
                outcome => outcome?,
            }
        }
        Ok(problems)
    }
}

/// What is wrong with a database that was fetched.
pub(crate) fn look(
    manifest: &Manifest,
    copy: &std::path::Path,
    depth: Depth,
    key: Option<&EncryptionKey>,
) -> Vec<String> {
    let looked = StoreCopy::open(copy, key).and_then(|copy| {
        let found = match depth {
            Depth::Quick => copy.quick_check()?,
            Depth::Deep => copy.deep_check()?,
        };
        Ok((found, copy.facts()?))
    });
    match looked {
        Err(error) => vec![format!("{DATABASE}: {error}")],
        Ok((found, facts)) => {
            let mut problems: Vec<String> =
                found.into_iter().map(|problem| format!("{DATABASE}: {}", problem.what)).collect();
            if !manifest.tells_of(&facts) {
                problems.push(format!("{DATABASE} does not hold what the manifest says"));
            }
            problems
        }
    }
}

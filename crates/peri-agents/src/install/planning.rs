//! What would be changed: files are read, and none is written.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::error::{EditError, InstallError};
use super::places::{Edit, Target, targets};
use super::request::Request;
use super::{command, diff, document, notes};

/// What is to be written and what the user should know of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// The files, in the order in which they are written. None if everything is as it should be.
    pub files: Vec<FileChange>,
    /// What does not work with this agent, or has to be done by hand.
    pub notes: Vec<String>,
}

/// What becomes of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// As the agent names it.
    pub path: PathBuf,
    /// The file itself, where the path is a symbolic link.
    pub(super) file: PathBuf,
    /// What is in it; none if it is not there.
    pub before: Option<String>,
    /// What will be in it; none if it will be removed.
    pub after: Option<String>,
    /// What becomes of the copy of the original.
    pub backup: Backup,
}

/// What becomes of the copy of a file as it was before we first edited it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Backup {
    /// Nothing: there is none, or it stays.
    Leave,
    /// It is made, here.
    Make(PathBuf),
    /// It is given back as the file, and goes.
    Spend(PathBuf),
}

impl FileChange {
    /// The change as `diff -u` writes it.
    pub fn diff(&self) -> String {
        diff::unified(&self.path, self.before.as_deref(), self.after.as_deref())
    }
}

/// What installing would change.
///
/// # Errors
/// A settings file that cannot be read, understood or edited safely; a server of somebody else under our name.
pub fn plan(request: &Request) -> Result<Plan, InstallError> {
    if let Some(why) = command::unusable(request) {
        return Err(InstallError::Command { command: request.command.clone(), why });
    }
    let mut plan = Plan::default();
    for target in targets(request) {
        if target.only_beside.as_ref().is_some_and(|folder| !folder.is_dir()) {
            continue;
        }
        let asked: Vec<Edit> =
            target.edits.iter().copied().filter(|edit| request.parts.include(edit.part())).collect();
        if asked.is_empty() {
            continue;
        }
        let found = Found::at(&target.path)?;
        let after = found.with(&asked, request)?;
        plan.notes.extend(notes::of_file(&found, &asked, request));
        if found.text.as_deref() != Some(after.as_str()) {
            let backup = found.backup_for_install(&target, request)?;
            plan.files.push(found.change(&target, Some(after), backup));
        }
    }
    plan.notes.extend(notes::of_install(request));
    Ok(plan)
}

/// What taking it back would change. What somebody else wrote stays, also under our name.
///
/// # Errors
/// A settings file that cannot be read, understood or edited safely.
pub fn plan_removal(request: &Request) -> Result<Plan, InstallError> {
    let mut plan = Plan::default();
    for target in targets(request) {
        let asked: Vec<Edit> =
            target.edits.iter().copied().filter(|edit| request.parts.include(edit.part())).collect();
        let found = Found::at(&target.path)?;
        let Some(text) = &found.text else { continue };
        let after = found.without(text, &asked, request)?;
        if after == *text {
            continue;
        }
        let (after, backup) = found.last_of_ours(&target, after, request)?;
        if backup == Backup::Leave && found.backup_text().is_some() && after.is_some() {
            plan.notes.push(format!("{} holds the file as it was before", found.backup.display()));
        }
        plan.files.push(found.change(&target, after, backup));
    }
    Ok(plan)
}

/// A file as it was found.
pub(super) struct Found {
    path: PathBuf,
    file: PathBuf,
    backup: PathBuf,
    pub(super) text: Option<String>,
}

impl Found {
    fn at(path: &Path) -> Result<Self, InstallError> {
        let file = followed(path)?;
        let text = read(&file).map_err(|source| match source.kind() {
            ErrorKind::InvalidData => InstallError::NotText { path: path.to_path_buf() },
            _ => InstallError::Unreadable { path: path.to_path_buf(), source },
        })?;
        let mut name = file.file_name().unwrap_or_default().to_os_string();
        name.push(".peri-backup");
        Ok(Self { path: path.to_path_buf(), backup: file.with_file_name(name), file, text })
    }

    fn with(&self, edits: &[Edit], request: &Request) -> Result<String, InstallError> {
        let text = self.text.clone().unwrap_or_default();
        install_all(text, edits, request).map_err(|error| error.in_file(&self.path))
    }

    fn without(&self, text: &str, edits: &[Edit], request: &Request) -> Result<String, InstallError> {
        remove_all(text.to_owned(), edits, request).map_err(|error| error.in_file(&self.path))
    }

    fn change(self, target: &Target, after: Option<String>, backup: Backup) -> FileChange {
        FileChange { path: target.path.clone(), file: self.file, before: self.text, after, backup }
    }

    fn backup_text(&self) -> Option<String> {
        read(&self.backup).ok().flatten()
    }

    /// The original is copied once, before our first edit of it. A file that only we ever wrote to has none.
    fn backup_for_install(&self, target: &Target, request: &Request) -> Result<Backup, InstallError> {
        let Some(text) = &self.text else { return Ok(Backup::Leave) };
        let bare = self.without(text, &target.edits, request)?;
        let is_ours_alone = || target.edits.iter().all(|edit| document::is_blank(&bare, *edit));
        if bare == *text || (self.backup_text().is_none() && !is_ours_alone()) {
            return Ok(Backup::Make(self.backup.clone()));
        }
        Ok(Backup::Leave)
    }

    /// What a removal leaves: once nothing of ours is in the file, the original if nobody else has changed it since,
    /// and no file if we made it.
    fn last_of_ours(
        &self,
        target: &Target,
        after: String,
        request: &Request,
    ) -> Result<(Option<String>, Backup), InstallError> {
        if self.without(&after, &target.edits, request)? != after {
            return Ok((Some(after), Backup::Leave));
        }
        match self.backup_text() {
            None if target.edits.iter().all(|edit| document::is_blank(&after, *edit)) => {
                Ok((None, Backup::Leave))
            }
            None => Ok((Some(after), Backup::Leave)),
            Some(original) if leads_to(&original, &after, &target.edits, request) => {
                Ok((Some(original), Backup::Spend(self.backup.clone())))
            }
            Some(_) => Ok((Some(after), Backup::Leave)),
        }
    }
}

/// Whether installing into the original and taking it back gives this text, so that it differs from the original by our
/// edits alone: by all of them, or by one.
fn leads_to(original: &str, text: &str, edits: &[Edit], request: &Request) -> bool {
    let is_free = remove_all(original.to_owned(), edits, request).is_ok_and(|bare| bare == original);
    let there_and_back = |edits: &[Edit]| {
        install_all(original.to_owned(), edits, request)
            .and_then(|installed| remove_all(installed, edits, request))
            .is_ok_and(|bare| bare == text)
    };
    let one = || edits.len() > 1 && edits.iter().any(|edit| there_and_back(std::slice::from_ref(edit)));
    is_free && (there_and_back(edits) || one())
}

fn install_all(text: String, edits: &[Edit], request: &Request) -> Result<String, EditError> {
    edits.iter().try_fold(text, |text, edit| document::install(&text, *edit, request))
}

fn remove_all(text: String, edits: &[Edit], request: &Request) -> Result<String, EditError> {
    edits.iter().try_fold(text, |text, edit| document::remove(&text, *edit, request))
}

/// The file that a path leads to.
fn followed(path: &Path) -> Result<PathBuf, InstallError> {
    let is_link = fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink());
    if !is_link {
        return Ok(path.to_path_buf());
    }
    fs::canonicalize(path).map_err(|_| InstallError::DanglingLink { path: path.to_path_buf() })
}

/// What is in a file; none if it is not there.
pub(super) fn read(file: &Path) -> io::Result<Option<String>> {
    match peri_private::read(file) {
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Ok(Some(text)),
            Err(error) => Err(io::Error::new(ErrorKind::InvalidData, error)),
        },
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(error),
    }
}

//! What can go wrong, in words that help.

use std::io;
use std::path::{Path, PathBuf};

/// Why no plan could be made. Nothing was changed anywhere.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// A settings file cannot be understood. Mend it, or move it away.
    #[error(
        "{} cannot be understood: line {line}: {what}; nothing was changed: mend that line, or move the file away, and try again",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, counted from one.
        line: usize,
        /// What is wrong there.
        what: String,
    },
    /// A settings file is not text. Mend it, or move it away.
    #[error("{} is not UTF-8 text; nothing was changed: save it as UTF-8, or move it away, and try again", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
    },
    /// A setting has a form that the agent itself could not read. Mend it.
    #[error(
        "{}: {key} should be {wanted}; nothing was changed: mend it, or take it out, and try again",
        path.display()
    )]
    Form {
        /// The file.
        path: PathBuf,
        /// Where in the file.
        key: String,
        /// What belongs there.
        wanted: &'static str,
    },
    /// A key stands twice where we would have to choose. Keep one of them.
    #[error("{}: {key} is there twice; nothing was changed: keep one of the two and try again", path.display())]
    Twice {
        /// The file.
        path: PathBuf,
        /// The key.
        key: String,
    },
    /// Somebody else's server has our name. Rename that one.
    #[error(
        "{} already has a server {name:?} that does not run `peri mcp`; nothing was changed: rename or remove it and try again",
        path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The name.
        name: &'static str,
    },
    /// A symbolic link leads nowhere. Mend or remove it.
    #[error("{} is a symbolic link to nothing; nothing was changed: mend or remove the link and try again", path.display())]
    DanglingLink {
        /// The link.
        path: PathBuf,
    },
    /// A file could not be read. See to its permissions.
    #[error("cannot read {}; nothing was changed", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Our own edit would have touched more than ours. Report it, and edit the file by hand meanwhile.
    #[error(
        "{} could not be edited without touching what is not ours; nothing was changed: please report this, and edit the file by hand",
        path.display()
    )]
    Unsafe {
        /// The file.
        path: PathBuf,
    },
    /// The command cannot be written into settings. Give another one.
    #[error("the command {command:?} is not usable: {why}; nothing was changed")]
    Command {
        /// As it was given.
        command: String,
        /// What is wrong with it.
        why: &'static str,
    },
}

/// Why a plan was not carried out, or not wholly.
#[derive(Debug, thiserror::Error)]
pub enum ApplyError {
    /// A file is not as it was when the plan was made. Make a new plan.
    #[error("{} has changed since it was looked at; nothing was changed: try again", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// A file could not be written. What is listed as changed stays changed; after mending the cause, do the same again.
    #[error("cannot write {}{}", path.display(), told(changed, unchanged))]
    Failed {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
        /// Files that were changed.
        changed: Vec<PathBuf>,
        /// Files that are as they were.
        unchanged: Vec<PathBuf>,
    },
}

fn told(changed: &[PathBuf], unchanged: &[PathBuf]) -> String {
    let list = |paths: &[PathBuf]| -> String {
        let shown: Vec<String> = paths.iter().map(|path| Path::display(path).to_string()).collect();
        shown.join(", ")
    };
    match changed {
        [] => "; nothing was changed".to_owned(),
        _ if unchanged.is_empty() => format!("; changed: {}", list(changed)),
        _ => format!("; changed: {}; left as it was: {}", list(changed), list(unchanged)),
    }
}

/// What an edit of a text finds wrong, before it is known which file it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum EditError {
    Damaged { line: usize, what: String },
    Form { key: String, wanted: &'static str },
    Twice { key: String },
    Foreign,
    Unsafe,
}

impl EditError {
    pub(super) fn in_file(self, path: &Path) -> InstallError {
        let path = path.to_path_buf();
        match self {
            Self::Damaged { line, what } => InstallError::Damaged { path, line, what },
            Self::Form { key, wanted } => InstallError::Form { path, key, wanted },
            Self::Twice { key } => InstallError::Twice { path, key },
            Self::Foreign => InstallError::Foreign { path, name: super::SERVER },
            Self::Unsafe => InstallError::Unsafe { path },
        }
    }
}

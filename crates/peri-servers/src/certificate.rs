//! Certificates for encrypted connections.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::folder::{self, Account};
use crate::process;

/// A certificate for 127.0.0.1 that vouches for itself, with its key.
#[derive(Debug)]
pub struct Certificate {
    folder: PathBuf,
    /// Removes the folder, if it is the certificate's own.
    _own: Option<TempDir>,
}

impl Certificate {
    /// Makes one.
    ///
    /// # Errors
    /// What openssl said.
    pub fn make() -> Result<Self, String> {
        let own = folder::temporary("peri-certificate-", None)?;
        let made = Self::make_in(own.path())?;
        Ok(Self { _own: Some(own), ..made })
    }

    /// Makes one in a folder that somebody else removes.
    pub(crate) fn make_in(folder: &Path) -> Result<Self, String> {
        let mut command = Command::new("openssl");
        command.args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]);
        command.args(["-days", "30", "-subj", "/CN=perihelion", "-addext", "subjectAltName=IP:127.0.0.1"]);
        command.args(["-addext", "basicConstraints=critical,CA:FALSE"]);
        command.args(["-keyout", "key.pem", "-out", "certificate.pem"]);
        process::run(command.current_dir(folder))?;
        Ok(Self { folder: folder.to_owned(), _own: None })
    }

    /// The file with the certificate.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.folder.join("certificate.pem")
    }

    /// The file with its key.
    #[must_use]
    pub fn key(&self) -> PathBuf {
        self.folder.join("key.pem")
    }

    /// Lets the account of a server read it.
    pub(crate) fn give(&self, account: Option<Account>) -> Result<(), String> {
        [self.path(), self.key()].iter().try_for_each(|file| folder::give(file, account))
    }
}

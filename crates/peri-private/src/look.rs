//! Whether something is there. A disk that cannot say so is an error: taking it for "no" would pass over what somebody
//! keeps, or write over it.

use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::path::Path;

/// Whether there is a file or a folder.
///
/// # Errors
/// If the system cannot say.
pub fn is_there(path: &Path) -> io::Result<bool> {
    Ok(known(path)?.is_some())
}

/// Whether there is a file.
///
/// # Errors
/// If the system cannot say.
pub fn is_file(path: &Path) -> io::Result<bool> {
    Ok(known(path)?.is_some_and(|known| known.is_file()))
}

/// Whether there is a folder.
///
/// # Errors
/// If the system cannot say.
pub fn is_folder(path: &Path) -> io::Result<bool> {
    Ok(known(path)?.is_some_and(|known| known.is_dir()))
}

/// Whether a name is taken, be it by a link that leads nowhere.
///
/// # Errors
/// If the system cannot say.
pub fn is_taken(path: &Path) -> io::Result<bool> {
    Ok(told(fs::symlink_metadata(path))?.is_some())
}

/// Whether the system forbids this process to write to a file or into a folder: it has no right to, or the disk is mounted
/// for reading. What is not there, or fails for another reason, is not forbidden. Nothing is opened, which would let go of
/// the locks that this process holds on it.
#[cfg(unix)]
pub fn is_forbidden(path: &Path) -> bool {
    use rustix::fs::{Access, AtFlags, CWD};
    let outcome = rustix::fs::accessat(CWD, path, Access::WRITE_OK, AtFlags::EACCESS);
    outcome.is_err_and(|error| {
        matches!(io::Error::from(error).kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem)
    })
}

/// Whether the system forbids everybody to write to a file.
#[cfg(not(unix))]
pub fn is_forbidden(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|known| known.permissions().readonly())
}

fn known(path: &Path) -> io::Result<Option<Metadata>> {
    told(fs::metadata(path))
}

fn told(found: io::Result<Metadata>) -> io::Result<Option<Metadata>> {
    match found {
        Ok(known) => Ok(Some(known)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_told_from_what_cannot_be_looked_at() {
        let folder = tempfile::tempdir().unwrap();
        let (file, none) = (folder.path().join("기억"), folder.path().join("none"));
        fs::write(&file, "").unwrap();
        let of = |path: &Path| (is_there(path).unwrap(), is_file(path).unwrap(), is_folder(path).unwrap());
        assert_eq!(of(&file), (true, true, false));
        assert_eq!(of(folder.path()), (true, false, true));
        assert_eq!(of(&none), (false, false, false));
        assert_eq!(of(&file.join("below")), (false, false, false));
        let long = folder.path().join("a".repeat(5_000));
        assert!(is_there(&long).is_err() && is_file(&long).is_err() && is_folder(&long).is_err());
        assert!(is_taken(&long).is_err() && is_taken(&file).unwrap() && !is_taken(&none).unwrap());
    }

    /// Who owns everything may write whatever the mode says.
    #[cfg(unix)]
    #[test]
    fn what_is_forbidden_is_what_cannot_be_written() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("place");
        assert!(!is_forbidden(&place), "what is not there");
        fs::create_dir(&place).unwrap();
        for mode in [0o700, 0o500] {
            fs::set_permissions(&place, fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(is_forbidden(&place), fs::write(place.join("file"), mode.to_string()).is_err());
        }
        let file = place.join("file");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o400)).unwrap();
        assert_eq!(is_forbidden(&file), fs::write(&file, "").is_err());
        fs::set_permissions(&place, fs::Permissions::from_mode(0o700)).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_nowhere_takes_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("nowhere", &link).unwrap();
        assert!(is_taken(&link).unwrap() && !is_there(&link).unwrap());
    }
}

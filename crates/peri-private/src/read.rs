//! Reading files that a stranger may have put there. A named pipe or a device under the name of a document would keep its
//! reader waiting for ever, or feed it without end; only regular files are read. What is opened is looked at, never what was
//! at the path a moment before.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read as _};
use std::path::Path;

/// Opens a regular file for reading. Links are followed.
///
/// # Errors
/// If it cannot be opened, or is a folder, pipe, socket or device.
pub fn open(path: impl AsRef<Path>) -> io::Result<File> {
    regular(path.as_ref(), Links::Followed)
}

/// Opens a regular file for reading, unless its name is a link.
///
/// # Errors
/// As [`open`]; and if the path names a link.
pub fn open_unlinked(path: impl AsRef<Path>) -> io::Result<File> {
    regular(path.as_ref(), Links::Refused)
}

/// The bytes of a regular file.
///
/// # Errors
/// As [`open`], and if it cannot be read.
pub fn read(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text of a regular file.
///
/// # Errors
/// As [`read`]; [`ErrorKind::InvalidData`] if it is not UTF-8.
pub fn read_text(path: impl AsRef<Path>) -> io::Result<String> {
    let mut text = String::new();
    open(path)?.read_to_string(&mut text)?;
    Ok(text)
}

/// Opens what the user named in this very call. That may be a pipe (`<(zcat archive)`, `/dev/stdin`), and waiting for its
/// writer is what the user asked for. Nothing that is found in a folder is opened this way.
///
/// # Errors
/// If it cannot be opened, or is a folder.
pub fn open_named(path: impl AsRef<Path>) -> io::Result<File> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() { Err(ErrorKind::IsADirectory.into()) } else { Ok(file) }
}

/// Makes sure that a folder remembers, over a power cut, which files it holds.
///
/// # Errors
/// If the system cannot flush it.
pub fn flush_folder(folder: impl AsRef<Path>) -> io::Result<()> {
    let folder = folder.as_ref();
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Whether the last part of a path may be a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Links {
    Followed,
    Refused,
}

/// Opening never waits: for the writer of a pipe, for a terminal's line, for whoever holds a lease.
#[cfg(unix)]
pub(crate) fn never_waiting(options: &mut OpenOptions, links: Links) {
    use rustix::fs::OFlags;
    let mut flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    if links == Links::Refused {
        flags |= OFlags::NOFOLLOW;
    }
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, flags.bits().cast_signed());
}

#[cfg(not(unix))]
pub(crate) fn never_waiting(_: &mut OpenOptions, _: Links) {}

fn regular(path: &Path, links: Links) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    never_waiting(&mut options, links);
    let file = options.open(path).map_err(|error| named(error, links))?;
    let kind = file.metadata()?.file_type();
    match (kind.is_file(), kind.is_dir()) {
        (true, _) => Ok(file),
        (_, true) => Err(ErrorKind::IsADirectory.into()),
        _ => Err(not_regular()),
    }
}

/// What the system says of a socket and of a link, in words.
#[cfg(unix)]
fn named(error: io::Error, links: Links) -> io::Error {
    use rustix::io::Errno;
    match Errno::from_io_error(&error) {
        Some(Errno::NXIO | Errno::NODEV | Errno::OPNOTSUPP) => not_regular(),
        Some(Errno::LOOP | Errno::MLINK) if links == Links::Refused => {
            io::Error::new(ErrorKind::InvalidInput, "it is a link")
        }
        _ => error,
    }
}

#[cfg(not(unix))]
fn named(error: io::Error, _: Links) -> io::Error {
    error
}

fn not_regular() -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, "it is not a regular file but a pipe, a socket or a device")
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    fn pipe(path: &Path) {
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    }

    #[test]
    fn what_is_no_regular_file_is_refused_at_once_and_never_read() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        pipe(&at("pipe"));
        symlink("pipe", at("link to a pipe")).unwrap();
        symlink("/dev/zero", at("link to a device")).unwrap();
        let _bound = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
        for name in ["pipe", "link to a pipe", "link to a device", "socket"] {
            let error = read(at(name)).unwrap_err();
            assert!(error.to_string().contains("not a regular file"), "{name}: {error}");
            assert!(read_text(at(name)).is_err() && open_unlinked(at(name)).is_err(), "{name}");
        }
        assert_eq!(read(folder.path()).unwrap_err().kind(), ErrorKind::IsADirectory);
        assert_eq!(read(at("none")).unwrap_err().kind(), ErrorKind::NotFound);
    }

    #[test]
    fn a_regular_file_is_read_through_a_link_unless_links_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("기억"), folder.path().join("link"));
        fs::write(&file, "수달").unwrap();
        symlink(&file, &link).unwrap();
        assert_eq!(read_text(&link).unwrap(), "수달");
        assert_eq!(read(&file).unwrap(), "수달".as_bytes());
        assert!(open_unlinked(&file).is_ok());
        assert!(open_unlinked(&link).unwrap_err().to_string().contains("link"));
    }

    #[test]
    fn our_own_files_are_made_neither_through_links_nor_into_pipes() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("elsewhere"), "theirs").unwrap();
        symlink("elsewhere", at("link")).unwrap();
        pipe(&at("pipe"));
        for name in ["link", "pipe"] {
            assert!(crate::write(&at(name), b"ours").is_err(), "{name}");
            assert!(crate::file(&at(name)).append(true).open(at(name)).is_err(), "{name}");
        }
        assert_eq!(fs::read_to_string(at("elsewhere")).unwrap(), "theirs");
    }
}

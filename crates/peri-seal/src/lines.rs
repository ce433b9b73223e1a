//! Taking files from one key to another, or to none, each whole or not at all.

use std::io::{self, Write as _};
use std::path::Path;

use crate::{Purpose, Seal};

/// How a file is sealed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// As a whole.
    Whole,
    /// Each line by itself.
    Lines,
}

/// Seals a whole file under another key than before. What is there stays until the new file is on the disk.
///
/// # Errors
/// If it cannot be read, opened or written; then it is as it was.
pub fn convert_file(path: &Path, purpose: Purpose, from: &Seal, to: &Seal) -> io::Result<()> {
    let bytes = peri_private::read(path)?;
    if Seal::is_sealed(&bytes) == to.is_on() && to.open(purpose, &bytes[..]).is_ok() {
        return Ok(());
    }
    let opened = from.open(purpose, bytes)?.into_owned();
    replace(path, &to.seal(purpose, opened)?)
}

/// Seals each line of a file under another key than before. A line that is torn or of something else is kept as bytes.
///
/// # Errors
/// If the file cannot be read, opened or written; then it is as it was.
pub fn convert_lines(path: &Path, purpose: Purpose, from: &Seal, to: &Seal) -> io::Result<()> {
    let bytes = peri_private::read(path)?;
    let mut out = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let (line, end) = line.strip_suffix(b"\n").map_or((line, false), |line| (line, true));
        // Whoever is broken off begins again: lines that are as they should be are left so.
        let done = Seal::is_sealed(line) == to.is_on() && to.open_line(purpose, line).is_ok();
        if done || line.is_empty() {
            out.extend_from_slice(line);
        } else {
            let opened = from.open_line(purpose, line)?;
            out.extend_from_slice(to.seal_line(purpose, String::from_utf8_lossy(&opened))?.as_bytes());
        }
        if end {
            out.push(b'\n');
        }
    }
    if out == bytes { Ok(()) } else { replace(path, &out) }
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".sealing");
    let aside = path.with_file_name(name);
    let permissions = std::fs::metadata(path)?.permissions();
    let mut file = peri_private::create(&aside)?;
    file.set_permissions(permissions)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(&aside, path)?;
    path.parent().map_or(Ok(()), peri_private::flush_folder)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::Key;

    #[test]
    fn files_and_lines_go_from_plain_to_a_key_to_another_and_back() {
        let folder = tempfile::tempdir().unwrap();
        let (file, lines) = (folder.path().join("file"), folder.path().join("lines"));
        let seals: Vec<Seal> = [None, Some(Key::generate().unwrap()), Some(Key::generate().unwrap()), None]
            .map(Seal::new)
            .into();
        let (whole, each) = ("보고서 报告\n", "{\"하나\":1}\n\n{\"二\":2}\n{\"torn");
        std::fs::write(&file, whole).unwrap();
        std::fs::write(&lines, each).unwrap();
        for pair in seals.windows(2) {
            // A second time changes nothing: whoever was broken off begins again.
            for _ in 0..2 {
                convert_file(&file, Purpose::Report, &pair[0], &pair[1]).unwrap();
                convert_lines(&lines, Purpose::Event, &pair[0], &pair[1]).unwrap();
            }
            let bytes = std::fs::read(&file).unwrap();
            assert_eq!(pair[1].open(Purpose::Report, &bytes[..]).unwrap().as_ref(), whole.as_bytes());
            let bytes = std::fs::read(&lines).unwrap();
            let opened: Vec<Vec<u8>> = bytes
                .split(|byte| *byte == b'\n')
                .map(|line| pair[1].open_line(Purpose::Event, line).unwrap().into_owned())
                .collect();
            assert_eq!(opened.join(&b'\n'), each.as_bytes());
            assert_eq!(Seal::is_sealed(&bytes), pair[1].is_on());
        }
        assert_eq!(
            (std::fs::read_to_string(&file).unwrap(), std::fs::read_to_string(&lines).unwrap()),
            (whole.into(), each.into())
        );
        let key = Seal::new(Some(Key::generate().unwrap()));
        convert_file(&file, Purpose::Report, &Seal::default(), &key).unwrap();
        let before = std::fs::read(&file).unwrap();
        let wrong = Seal::new(Some(Key::generate().unwrap()));
        assert!(convert_file(&file, Purpose::Report, &wrong, &Seal::default()).is_err());
        assert_eq!(std::fs::read(&file).unwrap(), before, "what does not open stays");
    }
}

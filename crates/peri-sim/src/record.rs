//! The shim's record: what reached the files, in order, of all processes.

use std::io;
use std::path::Path;

/// One thing that happened to a file or a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Entry {
    Create {
        inode: u64,
        name: String,
    },
    MakeFolder {
        name: String,
    },
    Write {
        inode: u64,
        offset: u64,
        bytes: Vec<u8>,
    },
    Resize {
        inode: u64,
        size: u64,
    },
    /// A file was flushed. Where that failed, what was written before is in nobody's memory any more.
    Flush {
        inode: u64,
        succeeded: bool,
    },
    /// The names in a folder were flushed.
    FlushNames {
        folder: String,
    },
    Rename {
        name: String,
        to: String,
    },
    Link {
        name: String,
        to: String,
    },
    Unlink {
        name: String,
    },
}

const HEAD: usize = 40;

/// Reads a record. One that ends in the middle of an entry ends before it.
pub(crate) fn read(path: &Path) -> io::Result<Vec<Entry>> {
    let bytes = std::fs::read(path)?;
    let mut rest = bytes.as_slice();
    let mut entries = Vec::new();
    while let Some((entry, left)) = take(rest) {
        entries.extend(entry);
        rest = left;
    }
    Ok(entries)
}

/// The first entry, if it is one that matters, and what follows.
fn take(bytes: &[u8]) -> Option<(Option<Entry>, &[u8])> {
    let (head, rest) = bytes.split_at_checked(HEAD)?;
    let short = |at: usize| Some(u32::from_le_bytes(head.get(at..at + 4)?.try_into().ok()?));
    let long = |at: usize| Some(u64::from_le_bytes(head.get(at..at + 8)?.try_into().ok()?));
    let (what, succeeded) = (u8::try_from(short(0)?).ok()?, short(12)? != 0);
    let (inode, offset, length) = (long(16)?, long(24)?, long(32)?);
    let (name, rest) = rest.split_at_checked(usize::try_from(short(4)?).ok()?)?;
    let (other, rest) = rest.split_at_checked(usize::try_from(short(8)?).ok()?)?;
    let length = if what == b'W' { usize::try_from(length).ok()? } else { 0 };
    let (bytes, rest) = rest.split_at_checked(length)?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (name, to, is_folder) = (text(name), text(other), !name.is_empty());
    let entry = match what {
        b'C' => Entry::Create { inode, name },
        b'M' => Entry::MakeFolder { name },
        b'W' => Entry::Write { inode, offset, bytes: bytes.to_vec() },
        b'T' => Entry::Resize { inode, size: offset },
        b'S' if is_folder && succeeded => Entry::FlushNames { folder: name },
        b'S' if is_folder => return Some((None, rest)),
        b'S' => Entry::Flush { inode, succeeded },
        b'R' => Entry::Rename { name, to },
        b'L' => Entry::Link { name, to },
        b'U' | b'K' => Entry::Unlink { name },
        _ => return Some((None, rest)),
    };
    Some((Some(entry), rest))
}

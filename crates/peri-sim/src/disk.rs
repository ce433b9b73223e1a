//! What a disk would hold after a power cut, made from the record of what was written and flushed.
//!
//! What was flushed is there. Of everything else each write is there, or is not, or is there in part, by the sector.
//! Names follow a journal, as on ext4, XFS and Btrfs: they come into being in order, and any flush takes those along
//! that came before it. What a flush failed for may be lost even if a later one succeeds.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use crate::random::Random;
use crate::record::Entry;

const SECTOR: usize = 512;

/// How much of what was not flushed is there after the cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Left {
    Nothing,
    Some,
    All,
}

/// The files of a folder at a moment when all of them count as flushed, and what happened since.
#[derive(Debug, Default)]
pub(crate) struct Disk {
    files: Vec<Vec<(Change, Fate)>>,
    inodes: HashMap<u64, usize>,
    names: BTreeMap<String, Node>,
    /// Changes of names that no flush has followed.
    open: Vec<Naming>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Node {
    Folder,
    File(usize),
}

#[derive(Debug)]
enum Change {
    Write { offset: usize, bytes: Vec<u8> },
    Resize(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Flushed,
    Open,
    /// A flush failed: it is not tried again.
    Doomed,
}

#[derive(Debug)]
enum Naming {
    Put(String, Node),
    Move(String, String),
    Link(String, String),
    Remove(String),
}

impl Disk {
    /// The folder as it is.
    pub(crate) fn of(root: &Path) -> io::Result<Self> {
        let mut disk = Self::default();
        disk.take_in(root, "")?;
        Ok(disk)
    }

    fn take_in(&mut self, root: &Path, below: &str) -> io::Result<()> {
        for entry in fs::read_dir(root.join(below))? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let name = if below.is_empty() { name } else { format!("{below}/{name}") };
            let about = entry.metadata()?;
            if about.is_dir() {
                self.names.insert(name.clone(), Node::Folder);
                self.take_in(root, &name)?;
            } else {
                let bytes = fs::read(entry.path())?;
                let whole = (Change::Write { offset: 0, bytes }, Fate::Flushed);
                let file = self.file_for(about.ino());
                self.files[file].push(whole);
                self.names.insert(name, Node::File(file));
            }
        }
        Ok(())
    }

    fn file_for(&mut self, inode: u64) -> usize {
        self.files.push(Vec::new());
        self.inodes.insert(inode, self.files.len() - 1);
        self.files.len() - 1
    }

    /// Takes in what happened.
    pub(crate) fn follow(&mut self, entries: Vec<Entry>) {
        for entry in entries {
            match entry {
                Entry::Create { inode, name } => {
                    let file = self.file_for(inode);
                    self.open.push(Naming::Put(name, Node::File(file)));
                }
                Entry::MakeFolder { name } => self.open.push(Naming::Put(name, Node::Folder)),
                Entry::Rename { name, to } => self.open.push(Naming::Move(name, to)),
                Entry::Link { name, to } => self.open.push(Naming::Link(name, to)),
                Entry::Unlink { name } => self.open.push(Naming::Remove(name)),
                Entry::Write { inode, offset, bytes } => {
                    let offset = usize::try_from(offset).unwrap_or(usize::MAX);
                    self.change(inode, Change::Write { offset, bytes });
                }
                Entry::Resize { inode, size } => {
                    self.change(inode, Change::Resize(usize::try_from(size).unwrap_or(usize::MAX)));
                }
                Entry::Flush { inode, succeeded } => self.flush(inode, succeeded),
                Entry::FlushNames { .. } => self.flush_names(),
            }
        }
    }

    fn change(&mut self, inode: u64, change: Change) {
        if let Some(file) = self.inodes.get(&inode) {
            self.files[*file].push((change, Fate::Open));
        }
    }

    fn flush(&mut self, inode: u64, succeeded: bool) {
        let fate = if succeeded { Fate::Flushed } else { Fate::Doomed };
        if let Some(file) = self.inodes.get(&inode) {
            let open = self.files[*file].iter_mut().filter(|(_, own)| *own == Fate::Open);
            open.for_each(|(_, own)| *own = fate);
        }
        if succeeded {
            self.flush_names();
        }
    }

    fn flush_names(&mut self) {
        for naming in std::mem::take(&mut self.open) {
            self.name(naming);
        }
    }

    fn name(&mut self, naming: Naming) {
        match naming {
            Naming::Put(name, node) => {
                self.names.insert(name, node);
            }
            Naming::Link(name, to) => {
                if let Some(node) = self.names.get(&name).copied() {
                    self.names.insert(to, node);
                }
            }
            Naming::Remove(name) => {
                self.names.remove(&name);
            }
            Naming::Move(name, to) => {
                let below = format!("{name}/");
                let moved: Vec<String> = self
                    .names
                    .keys()
                    .filter(|own| **own == name || own.starts_with(&below))
                    .cloned()
                    .collect();
                for own in moved {
                    if let Some(node) = self.names.remove(&own) {
                        self.names.insert(format!("{to}{}", &own[name.len()..]), node);
                    }
                }
            }
        }
    }

    /// Cuts the power: puts into the folder what the disk holds, and nothing else.
    pub(crate) fn cut(mut self, root: &Path, left: Left, random: &mut Random) -> io::Result<()> {
        let open = std::mem::take(&mut self.open);
        let kept = match left {
            Left::Nothing => 0,
            Left::Some => random.below(open.len() as u64 + 1),
            Left::All => u64::MAX,
        };
        for (naming, _) in open.into_iter().zip(0..kept) {
            self.name(naming);
        }
        for entry in fs::read_dir(root)? {
            let path = entry?.path();
            if path.is_dir() { fs::remove_dir_all(path)? } else { fs::remove_file(path)? }
        }
        for (name, node) in &self.names {
            let path = root.join(name);
            match node {
                Node::Folder => fs::create_dir_all(path)?,
                // Shared memory is nobody's after a power cut.
                Node::File(_) if name.ends_with("-shm") => {}
                Node::File(file) => {
                    if let Some(folder) = path.parent() {
                        fs::create_dir_all(folder)?;
                    }
                    fs::write(path, contents(&self.files[*file], left, random))?;
                }
            }
        }
        Ok(())
    }
}

fn contents(changes: &[(Change, Fate)], left: Left, random: &mut Random) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (change, fate) in changes {
        let whole = match (fate, left) {
            (Fate::Flushed, _) | (_, Left::All) => true,
            (_, Left::Nothing) => false,
            (_, Left::Some) => {
                if random.one_in(3) {
                    in_part(&mut bytes, change, random);
                    continue;
                }
                random.one_in(2)
            }
        };
        if whole {
            make(&mut bytes, change);
        }
    }
    bytes
}

fn make(bytes: &mut Vec<u8>, change: &Change) {
    match change {
        Change::Resize(size) => bytes.resize(*size, 0),
        Change::Write { offset, bytes: new } => put(bytes, *offset, new),
    }
}

/// Some sectors of a write.
fn in_part(bytes: &mut Vec<u8>, change: &Change, random: &mut Random) {
    let Change::Write { offset, bytes: new } = change else { return };
    for (number, sector) in new.chunks(SECTOR).enumerate() {
        if random.one_in(2) {
            put(bytes, offset + number * SECTOR, sector);
        }
    }
}

fn put(bytes: &mut Vec<u8>, offset: usize, new: &[u8]) {
    let end = offset + new.len();
    if bytes.len() < end {
        bytes.resize(end, 0);
    }
    bytes[offset..end].copy_from_slice(new);
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn after(entries: Vec<Entry>, left: Left) -> BTreeMap<String, Vec<u8>> {
        let folder = tempfile::tempdir().unwrap();
        let mut disk = Disk::of(folder.path()).unwrap();
        disk.follow(entries);
        disk.cut(folder.path(), left, &mut Random::new(7)).unwrap();
        let files = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap());
        files.map(|file| (file.file_name().into_string().unwrap(), fs::read(file.path()).unwrap())).collect()
    }

    fn life() -> Vec<Entry> {
        let write = |offset, text: &str| Entry::Write { inode: 1, offset, bytes: text.as_bytes().to_vec() };
        vec![
            Entry::Create { inode: 1, name: "draft".into() },
            write(0, "첫 문장"),
            Entry::Flush { inode: 1, succeeded: true },
            Entry::Rename { name: "draft".into(), to: "whole".into() },
            write(10, "未落盘"),
        ]
    }

    #[test]
    fn what_was_flushed_survives_and_the_rest_is_lost_or_kept_as_the_cut_wants() {
        let flushed = BTreeMap::from([("draft".to_owned(), "첫 문장".as_bytes().to_vec())]);
        assert_eq!(after(life(), Left::Nothing), flushed);
        let all = BTreeMap::from([("whole".to_owned(), "첫 문장未落盘".as_bytes().to_vec())]);
        assert_eq!(after(life(), Left::All), all);
    }

    #[test]
    fn a_flush_of_anything_takes_earlier_names_along_and_a_failed_one_saves_nothing() {
        let mut named = life();
        named.push(Entry::FlushNames { folder: ".".into() });
        assert_eq!(after(named, Left::Nothing).into_keys().collect::<Vec<_>>(), ["whole"]);
        let mut doomed = life();
        doomed.push(Entry::Flush { inode: 1, succeeded: false });
        doomed.push(Entry::Flush { inode: 1, succeeded: true });
        assert_eq!(after(doomed, Left::Nothing)["whole"], "첫 문장".as_bytes());
    }
}

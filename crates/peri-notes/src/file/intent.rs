//! Changes of several files that happen all or not at all.
//!
//! What is to be done is first written to a file of its own and made durable; then it is done; then the file is removed.
//! Whoever takes the lock next finishes what was left. Every deed may be done again without harm.

use std::path::{Component, Path};

use serde::{Deserialize, Serialize};

use super::disk::{self, Disk};
use crate::ShelfError;
use crate::shelf::Version;

const NAME: &str = "intent.json";
const FORMAT: u32 = 1;

/// What is to be done, all together.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Intent {
    format: u32,
    deeds: Vec<Deed>,
}

/// What is to be done to one file.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Deed {
    /// The file shall hold this text.
    Put { file: String, text: String, before: Option<Version> },
    /// The file shall be gone.
    Remove { file: String, before: Option<Version> },
    /// The file shall hold this text behind what it holds up to a length.
    Append { file: String, length: u64, text: String },
}

impl Deed {
    /// None if the file holds the text already.
    pub(super) fn put(path: &Path, file: &str, text: String) -> Result<Option<Self>, ShelfError> {
        let now = disk::read(path)?;
        let differs = now.as_deref() != Some(text.as_str());
        let before = now.as_deref().map(Version::of);
        Ok(differs.then(|| Self::Put { file: file.to_owned(), text, before }))
    }

    /// None if the file is gone already.
    pub(super) fn remove(path: &Path, file: &str) -> Result<Option<Self>, ShelfError> {
        let before = disk::read(path)?.as_deref().map(Version::of);
        Ok(before.is_some().then(|| Self::Remove { file: file.to_owned(), before }))
    }

    /// Adds whole lines, also behind one that a person left without an end.
    pub(super) fn append(path: &Path, file: &str, lines: String) -> Result<Self, ShelfError> {
        let (length, whole) = end_of(path)?;
        let text = if whole { lines } else { format!("\n{lines}") };
        Ok(Self::Append { file: file.to_owned(), length, text })
    }

    fn file(&self) -> &str {
        match self {
            Self::Put { file, .. } | Self::Remove { file, .. } | Self::Append { file, .. } => file,
        }
    }
}

/// How long a log is, and whether its last line has an end.
fn end_of(path: &Path) -> Result<(u64, bool), ShelfError> {
    use std::io::{Read as _, Seek as _, SeekFrom};
    let mut file = match peri_private::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok((0, true)),
        Err(error) => return Err(ShelfError::reading(path, &error)),
    };
    let mut last = [b'\n'];
    let length = file.metadata().and_then(|data| {
        if data.len() > 0 {
            file.seek(SeekFrom::End(-1))?;
            file.read_exact(&mut last)?;
        }
        Ok(data.len())
    });
    let length = length.map_err(|error| ShelfError::reading(path, &error))?;
    Ok((length, last == [b'\n']))
}

impl Intent {
    pub(super) fn new(deeds: Vec<Deed>) -> Self {
        Self { format: FORMAT, deeds }
    }
}

/// Does what is intended. An error means that nothing of it happened, nor will.
pub(super) fn make(disk: &Disk, folder: &Path, intent: &Intent) -> Result<(), ShelfError> {
    let path = folder.join(NAME);
    intent.deeds.iter().try_for_each(|deed| make_room(disk, folder, deed))?;
    let text = serde_json::to_string(intent).expect("plain values become JSON");
    if let Err(error) = disk.replace(&path, &text) {
        // Not surely durable, so it is taken back. If even that fails, whoever comes next decides by what is there.
        if peri_private::is_there(&path).unwrap_or(true) {
            disk.remove(&path)?;
        }
        return Err(error);
    }
    // From here on it is decided, and durable: what cannot be finished now is finished by whoever comes next.
    let finished = intent
        .deeds
        .iter()
        .try_for_each(|deed| perform(disk, folder, deed))
        .and_then(|()| disk.remove(&path));
    if let Err(error) = finished {
        tracing::warn!(%error, "a change of notes is kept and will be finished by the next who uses them");
    }
    Ok(())
}

/// Makes the folder of a file. Its name is durable with the intent, which stands beside it, unless it lies deeper.
fn make_room(disk: &Disk, folder: &Path, deed: &Deed) -> Result<(), ShelfError> {
    let path = folder.join(deed.file());
    let Some(own) = path.parent() else { return Ok(()) };
    disk.create_folder(own)?;
    match own.parent() {
        Some(above) if above != folder => disk.sync_folder(above),
        _ => Ok(()),
    }
}

fn perform(disk: &Disk, folder: &Path, deed: &Deed) -> Result<(), ShelfError> {
    let path = folder.join(deed.file());
    match deed {
        Deed::Put { text, .. } => disk.replace(&path, text),
        Deed::Remove { .. } => disk.remove(&path),
        Deed::Append { length, text, .. } => disk.extend(&path, *length, text.as_bytes()),
    }
}

/// Finishes what somebody began and could not finish.
pub(super) fn finish(disk: &Disk, folder: &Path) -> Result<(), ShelfError> {
    let path = folder.join(NAME);
    let Some(text) = disk::read(&path)? else { return Ok(()) };
    let intent = understood(&path, &text)?;
    for deed in &intent.deeds {
        make_room(disk, folder, deed)?;
        match deed {
            Deed::Put { .. } | Deed::Remove { .. } => {
                keep_edit(disk, folder, deed)?;
                perform(disk, folder, deed)?;
            }
            Deed::Append { file, length, text } => append_again(disk, &folder.join(file), *length, text)?,
        }
    }
    disk.remove(&path)
}

fn understood(path: &Path, text: &str) -> Result<Intent, ShelfError> {
    let damaged = |detail: String| ShelfError::Damaged { path: path.to_owned(), detail };
    let intent: Intent = serde_json::from_str(text).map_err(|error| {
        damaged(format!("{error}; it is a change that was broken off, move it elsewhere to go on without it"))
    })?;
    if intent.format != FORMAT {
        return Err(damaged(format!(
            "its format is {}, and this program writes {FORMAT}; use the other",
            intent.format
        )));
    }
    let leads_out =
        |deed: &Deed| !Path::new(deed.file()).components().all(|part| matches!(part, Component::Normal(_)));
    if intent.deeds.iter().any(leads_out) {
        return Err(damaged("it names files elsewhere, so it is none of ours; remove it".to_owned()));
    }
    Ok(intent)
}

/// If somebody changed the file with an editor after the change was broken off, what they wrote is put aside.
fn keep_edit(disk: &Disk, folder: &Path, deed: &Deed) -> Result<(), ShelfError> {
    let (file, before, after) = match deed {
        Deed::Put { file, text, before } => (file, before, Some(Version::of(text))),
        Deed::Remove { file, before } => (file, before, None),
        Deed::Append { .. } => return Ok(()),
    };
    let Some(bytes) = disk::read_bytes(&folder.join(file))? else { return Ok(()) };
    let now = Version::of_bytes(&bytes);
    if before.as_ref() == Some(&now) || after.as_ref() == Some(&now) {
        return Ok(());
    }
    let aside = folder.join("edited").join(format!("{}.{}", file.replace('/', "."), &now.as_str()[..8]));
    disk.create_folder(&folder.join("edited"))?;
    disk.replace_bytes(&aside, &bytes)?;
    tracing::warn!(kept = %aside.display(), "a file was edited while a change of it was broken off; the edit is kept");
    Ok(())
}

/// Adds lines of which any part may be there already.
fn append_again(disk: &Disk, path: &Path, length: u64, text: &str) -> Result<(), ShelfError> {
    let now = disk::read_bytes(path)?.unwrap_or_default();
    let added = usize::try_from(length).ok().and_then(|length| now.get(length..));
    // A file may have grown before its content was written: such bytes are zero.
    let is_ours = |added: &[u8]| {
        added.len() <= text.len() && added.iter().zip(text.as_bytes()).all(|(is, own)| is == own || *is == 0)
    };
    if added.is_some_and(is_ours) {
        return disk.extend(path, length, text.as_bytes());
    }
    // Somebody changed it with an editor: what is there stays, and the lines come behind it.
    let lines = text.trim_start_matches('\n');
    if now.ends_with(lines.as_bytes()) {
        return Ok(());
    }
    let gap = if now.is_empty() || now.ends_with(b"\n") { "" } else { "\n" };
    disk.extend(path, now.len() as u64, format!("{gap}{lines}").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(deeds: Vec<Deed>) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("pending")).unwrap();
        let text = serde_json::to_string(&Intent::new(deeds)).unwrap();
        std::fs::write(folder.path().join(NAME), text).unwrap();
        folder
    }

    fn append(length: u64) -> Vec<Deed> {
        vec![Deed::Append { file: "pending/a.jsonl".to_owned(), length, text: "둘\n셋\n".to_owned() }]
    }

    #[test]
    fn lines_are_added_once_however_much_of_them_was_there() {
        let whole = "하나\n둘\n셋\n";
        let begun: u64 = 7;
        for cut in usize::try_from(begun).unwrap()..=whole.len() {
            for zeros in 0..=whole.len() - cut {
                let folder = left(append(begun));
                let path = folder.path().join("pending/a.jsonl");
                std::fs::write(&path, [&whole.as_bytes()[..cut], &vec![0; zeros]].concat()).unwrap();
                finish(&Disk::default(), folder.path()).unwrap();
                assert_eq!(std::fs::read_to_string(&path).unwrap(), whole, "{cut} bytes and {zeros} zeros");
                assert!(!folder.path().join(NAME).exists());
            }
        }
    }

    #[test]
    fn a_log_that_was_edited_meanwhile_keeps_the_edit_and_gets_the_lines_once() {
        for (edited, expected) in [
            ("", "둘\n셋\n"),
            ("하", "하\n둘\n셋\n"),
            ("하나\n다른 것", "하나\n다른 것\n둘\n셋\n"),
            ("하나가 아니라\n둘\n셋\n", "하나가 아니라\n둘\n셋\n"),
        ] {
            let folder = left(append(7));
            let path = folder.path().join("pending/a.jsonl");
            std::fs::write(&path, edited).unwrap();
            finish(&Disk::default(), folder.path()).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
        }
    }

    #[test]
    fn a_document_that_was_edited_meanwhile_is_put_aside() {
        let file = "pending/a.md".to_owned();
        let put = Deed::Put { file, text: "new".to_owned(), before: Some(Version::of("old")) };
        let folder = left(vec![put]);
        let path = folder.path().join("pending/a.md");
        std::fs::write(&path, b"\xb0\xa1 edited").unwrap();
        finish(&Disk::default(), folder.path()).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
        let kept = disk::entries(&folder.path().join("edited")).unwrap();
        assert_eq!(std::fs::read(&kept[0]).unwrap(), b"\xb0\xa1 edited");
    }

    #[test]
    fn an_intent_that_is_none_of_ours_stops_with_advice_and_changes_nothing() {
        let out = r#"{"format":1,"deeds":[{"put":{"file":"../x","text":"","before":null}}]}"#;
        let absolute = r#"{"format":1,"deeds":[{"remove":{"file":"/etc/x","before":null}}]}"#;
        for bad in ["", "{", "[]", r#"{"format":2,"deeds":[]}"#, out, absolute] {
            let folder = left(Vec::new());
            std::fs::write(folder.path().join(NAME), bad).unwrap();
            let error = finish(&Disk::default(), folder.path()).unwrap_err();
            assert!(matches!(error, ShelfError::Damaged { .. }), "{bad}: {error}");
            assert_eq!(std::fs::read_to_string(folder.path().join(NAME)).unwrap(), bad);
        }
    }
}

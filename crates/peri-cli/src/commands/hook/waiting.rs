//! Prompts whose transcript is not there yet: agents begin it with the first prompt, mostly after the hook.
//!
//! Once there is a transcript, it tells them. If none ever comes, they are heard as the hook told them.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use perihelion::{Purpose, Seal, Timestamp};
use serde::{Deserialize, Serialize};

use super::positions;

/// A prompt that waits for its transcript.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Waiting {
    pub(super) text: String,
    pub(super) at: Timestamp,
}

/// Keeps a prompt, durably, until it is known whether a transcript tells it. One that is kept already is kept once.
pub(super) fn keep(inbox: &Path, transcript: &Path, prompt: Waiting, seal: &Seal) -> std::io::Result<()> {
    let mut all = of(inbox, transcript, seal);
    if all.contains(&prompt) {
        return Ok(());
    }
    all.push(prompt);
    let target = file(inbox, transcript);
    if let Some(folder) = target.parent() {
        peri_private::create_folder(folder)?;
    }
    let beside = target.with_extension("new");
    let mut written = peri_private::create(&beside)?;
    written.write_all(&seal.seal(Purpose::Hook, serde_json::to_vec(&all)?)?)?;
    written.sync_all()?;
    std::fs::rename(beside, target)
}

/// The prompts that wait for a transcript, in order.
pub(super) fn of(inbox: &Path, transcript: &Path, seal: &Seal) -> Vec<Waiting> {
    let read = peri_private::read(file(inbox, transcript)).ok();
    let opened = read.and_then(|bytes| seal.open(Purpose::Hook, bytes).ok());
    opened.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

/// The prompts were heard, or the transcript tells them.
pub(super) fn clear(inbox: &Path, transcript: &Path) -> std::io::Result<()> {
    match std::fs::remove_file(file(inbox, transcript)) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn file(inbox: &Path, transcript: &Path) -> PathBuf {
    positions::file(inbox, transcript).with_extension("waiting")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompts_wait_in_order_each_once_until_they_are_cleared() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (Path::new("/기록/하나.jsonl"), Path::new("/记录/二.jsonl"));
        let prompt = |text: &str| Waiting { text: text.to_owned(), at: Timestamp::UNIX_EPOCH };
        let seal = &Seal::default();
        assert_eq!(of(folder.path(), one, seal), []);
        clear(folder.path(), one).unwrap();
        for text in ["처음", "然后", "처음"] {
            keep(folder.path(), one, prompt(text), seal).unwrap();
        }
        keep(folder.path(), other, prompt("other"), seal).unwrap();
        assert_eq!(of(folder.path(), one, seal), [prompt("처음"), prompt("然后")]);
        clear(folder.path(), one).unwrap();
        let left = (of(folder.path(), one, seal), of(folder.path(), other, seal));
        assert_eq!(left, (Vec::new(), vec![prompt("other")]));
    }
}

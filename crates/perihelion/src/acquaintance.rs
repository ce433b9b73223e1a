//! What was last seen of a store on a server, so that a program can start while the server cannot be asked.
//!
//! It is kept beside the saved indexes and derived like them. Without it a program starts all the same and queues what it
//! is told; what it cannot know is which keys there are.

use std::fs;
use std::path::{Path, PathBuf};

use parking_lot::Mutex;
use peri_store::CurrentSpace;
use serde::{Deserialize, Serialize};

use crate::{Options, Queueing, StoreChoice};

/// The file in the folder of the indexes.
const FILE: &str = "store.json";

/// What is known of a store.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Known {
    /// Where it is, without any password.
    place: String,
    /// Its name for itself.
    identity: String,
    /// The space that answered.
    #[serde(default)]
    space: Option<CurrentSpace>,
    /// Whether there were keys.
    #[serde(default)]
    keys: Option<bool>,
}

/// Keeps what was last seen of the store, in memory and, if that is on a server and writes may wait for it, in a file.
#[derive(Debug)]
pub(crate) struct Acquaintance {
    file: Option<PathBuf>,
    known: Mutex<Known>,
}

impl Acquaintance {
    /// With the store that the options name.
    pub(crate) fn with(options: &Options) -> Self {
        let place = match (&options.store, options.queue.queueing) {
            (StoreChoice::Server { address, .. }, Queueing::On) => Some(address.to_string()),
            _ => None,
        };
        let file = place.is_some().then(|| options.folder.join("index").join(FILE));
        let place = place.unwrap_or_default();
        let read = file.as_deref().and_then(read).filter(|known| known.place == place);
        let known = read.unwrap_or_else(|| Known { place, ..Known::default() });
        Self { file, known: Mutex::new(known) }
    }

    /// The store's name for itself and the space that answered, if it was ever met.
    pub(crate) fn last_met(&self) -> Option<(String, Option<CurrentSpace>)> {
        let known = self.known.lock();
        (!known.identity.is_empty()).then(|| (known.identity.clone(), known.space.clone()))
    }

    /// Whether the store is on a server that was never met from this folder.
    pub(crate) fn is_awaited(&self) -> bool {
        self.is_kept() && self.last_met().is_none()
    }

    /// Whether it is kept for the next program.
    pub(crate) fn is_kept(&self) -> bool {
        self.file.is_some()
    }

    /// Notes what the store says of itself.
    pub(crate) fn met(&self, identity: &str, space: Option<&CurrentSpace>) {
        self.change(|known| {
            if known.identity != identity {
                // Another database in the same place: what was known is of the former one.
                known.keys = None;
            }
            identity.clone_into(&mut known.identity);
            known.space = space.cloned();
        });
    }

    /// Notes which space answers from now on.
    pub(crate) fn space_is(&self, space: Option<&CurrentSpace>) {
        self.change(|known| known.space = space.cloned());
    }

    /// Whether there were keys when that was last seen.
    pub(crate) fn had_keys(&self) -> Option<bool> {
        self.known.lock().keys
    }

    /// Notes whether there are keys.
    pub(crate) fn has_keys(&self, keys: bool) {
        if self.had_keys() != Some(keys) {
            self.change(|known| known.keys = Some(keys));
        }
    }

    fn change(&self, change: impl FnOnce(&mut Known)) {
        let mut known = self.known.lock();
        let before = known.clone();
        change(&mut known);
        let Some(file) = &self.file else { return };
        if (*known != before || !file.exists())
            && let Err(error) = write(file, &known)
        {
            tracing::warn!(%error, path = %file.display(), "what is known of the server could not be kept");
        }
    }
}

/// What a file says; one that cannot be read says nothing.
fn read(file: &Path) -> Option<Known> {
    serde_json::from_slice(&peri_private::read(file).ok()?).ok()
}

/// Writes it beside and puts it in place, so that nobody reads half of it.
fn write(file: &Path, known: &Known) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        peri_private::create_folder(folder)?;
    }
    let draft = file.with_extension(format!("{}.tmp", std::process::id()));
    peri_private::write(&draft, &serde_json::to_vec(known)?)?;
    fs::rename(&draft, file)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use peri_store::{Address, ServerSettings};

    use super::*;

    fn on(folder: &Path, url: &str) -> Acquaintance {
        let address = Address::parse(url).unwrap();
        let store = StoreChoice::Server { address, settings: ServerSettings::default() };
        Acquaintance::with(&Options { store, ..Options::at(folder) })
    }

    const ONE: &str = "postgres://peri:sesame@127.0.0.1/one";

    #[test]
    fn what_was_seen_of_a_server_is_known_to_the_next_program_and_holds_no_password() {
        let folder = tempfile::tempdir().unwrap();
        let first = on(folder.path(), ONE);
        assert_eq!((first.last_met(), first.had_keys()), (None, None));
        first.met("abc", None);
        first.has_keys(true);
        let next = on(folder.path(), ONE);
        assert_eq!((next.last_met(), next.had_keys()), (Some(("abc".to_owned(), None)), Some(true)));
        let text = fs::read_to_string(folder.path().join("index").join(FILE)).unwrap();
        assert!(!text.contains("sesame"), "{text}");
    }

    #[test]
    fn another_place_or_another_database_in_the_same_place_is_not_taken_for_the_one_that_was_seen() {
        let folder = tempfile::tempdir().unwrap();
        let first = on(folder.path(), ONE);
        first.met("abc", None);
        first.has_keys(false);
        assert_eq!(on(folder.path(), "postgres://peri:sesame@127.0.0.1/two").last_met(), None);
        first.met("def", None);
        assert_eq!(on(folder.path(), ONE).had_keys(), None);
    }

    #[test]
    fn a_file_that_cannot_be_read_says_nothing_and_is_written_anew() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("index")).unwrap();
        for garbage in [&b""[..], b"{", b"\xff\xfe", b"[]", b"{\"place\": 3}"] {
            fs::write(folder.path().join("index").join(FILE), garbage).unwrap();
            assert_eq!(on(folder.path(), ONE).last_met(), None);
        }
        on(folder.path(), ONE).met("abc", None);
        assert!(on(folder.path(), ONE).last_met().is_some());
    }

    #[test]
    fn a_store_in_the_folder_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let own = Acquaintance::with(&Options::at(folder.path()));
        own.met("abc", None);
        assert!(!folder.path().join("index").exists());
        assert!(own.last_met().is_some());
    }
}

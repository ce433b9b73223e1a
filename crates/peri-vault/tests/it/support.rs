//! A vault and an engine in a folder of their own, with a clock that stands still.

use std::path::{Path, PathBuf};

use peri_vault::{Key, Sync, Synced, Vault};
use perihelion::{
    Chores, Clock, ListQuery, Memory, Namespace, Options, Order, Perihelion, Recall, Revise, Scope,
    Timestamp, Trashed,
};
use tempfile::TempDir;

pub const NOW: &str = "2026-11-16T10:42:05Z";

pub struct Desk {
    pub folder: TempDir,
    pub engine: Perihelion,
    pub vault: Vault,
    pub clock: Clock,
}

impl Desk {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Clock::manual(NOW.parse::<Timestamp>().unwrap());
        let engine = Perihelion::open(options(folder.path(), &clock)).unwrap();
        let vault = Vault::new(folder.path().join("vault"), Namespace::default());
        vault.create().unwrap();
        Self { folder, engine, vault, clock }
    }

    /// The same folder in the hands of another process: nothing is remembered but what is on the disk.
    pub fn reopen(self) -> Self {
        let Self { folder, engine, clock, .. } = self;
        engine.close().unwrap();
        let engine = Perihelion::open(options(folder.path(), &clock)).unwrap();
        let vault = Vault::new(folder.path().join("vault"), Namespace::default());
        Self { folder, engine, vault, clock }
    }

    pub fn path(&self, place: &str) -> PathBuf {
        self.vault.folder().join(place)
    }

    pub fn write(&self, place: &str, text: &str) {
        let path = self.path(place);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub fn read(&self, place: &str) -> String {
        std::fs::read_to_string(self.path(place)).unwrap()
    }

    pub fn has(&self, place: &str) -> bool {
        self.path(place).is_file()
    }

    pub fn remove(&self, place: &str) {
        std::fs::remove_file(self.path(place)).unwrap();
    }

    pub fn sync(&self) -> Synced {
        done(self.vault.sync(&self.engine).unwrap())
    }

    /// A sync that ends after so many steps, or else to its end.
    pub fn cut_sync(&self, steps: usize) -> Result<Synced, peri_vault::VaultError> {
        let vault = Vault::new(self.vault.folder(), self.vault.namespace().clone()).ending_after(steps);
        vault.sync(&self.engine).map(done)
    }

    /// Every memory of one side of the trash, the oldest first.
    pub fn memories(&self, trashed: Trashed) -> Vec<Memory> {
        let query = ListQuery { trashed, order: Order::OldestFirst, limit: 1000, ..ListQuery::default() };
        self.engine.list(query).unwrap().memories
    }

    pub fn sources(&self) -> Vec<String> {
        let mut sources: Vec<_> =
            self.memories(Trashed::Without).into_iter().filter_map(|memory| memory.facets.source).collect();
        sources.sort();
        sources
    }

    /// The one memory of a document.
    pub fn memory(&self, place: &str) -> Memory {
        let source = format!("vault:{place}");
        let mut found: Vec<_> = self.memories(Trashed::Without);
        found.retain(|memory| memory.facets.source.as_deref() == Some(&source));
        assert_eq!(found.len(), 1, "{source} in {:?}", self.sources());
        found.remove(0)
    }

    pub fn revise(&self, place: &str, content: &str) {
        let revise = Revise { content: Some(content.to_owned()), ..Revise::default() };
        self.engine.revise(&Scope::All, self.memory(place).id, revise).unwrap();
    }

    /// The sources of what a question finds.
    pub fn ask(&self, question: &str) -> Vec<String> {
        let hits = self.engine.recall(&Recall::new(question)).unwrap().hits;
        hits.into_iter().filter_map(|hit| hit.memory.facets.source).collect()
    }

    pub fn trashed_files(&self) -> Vec<String> {
        let mut found = Vec::new();
        gather(&self.path(".trash"), &mut found);
        found.sort();
        found
    }
}

fn gather(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            gather(&entry.path(), found);
        } else {
            found.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
}

pub fn options(folder: &Path, clock: &Clock) -> Options {
    let time_zone = jiff::tz::TimeZone::UTC;
    Options { chores: Chores::ByHand, clock: clock.clone(), time_zone, ..Options::at(folder) }
}

pub fn done(sync: Sync) -> Synced {
    match sync {
        Sync::Done(synced) => *synced,
        other => panic!("{other:?}"),
    }
}

pub fn keys(keys: &[Key]) -> Vec<String> {
    keys.iter().map(ToString::to_string).collect()
}

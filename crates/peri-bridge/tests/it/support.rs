//! A file, an engine and a bridge in a folder of their own, with a clock that stands still.

use std::path::{Path, PathBuf};

use peri_bridge::{Bridge, BridgeError, BridgeSettings, Change, Exported, Imported, Rehearsal, Synced, What};
use perihelion::{
    Chores, Clock, EngineChoice, IdleTime, Importance, ListQuery, Memory, MemoryId, Namespace, Options,
    Order, Perihelion, Remember, Revise, Scope, Timestamp, Trashed,
};
use tempfile::TempDir;

pub const NOW: &str = "2026-11-16T10:42:05Z";

pub struct Desk {
    pub folder: TempDir,
    pub engine: Perihelion,
    pub clock: Clock,
    pub settings: BridgeSettings,
    pub namespace: Namespace,
    pub file: PathBuf,
}

impl Desk {
    pub fn new() -> Self {
        Self::with_engine(EngineChoice::Bundled)
    }

    pub fn with_engine(engine: EngineChoice) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Clock::manual(NOW.parse::<Timestamp>().unwrap());
        let data = folder.path().join("data");
        let mut options =
            Options { chores: Chores::ByHand, clock: clock.clone(), engine, ..Options::at(data) };
        // Months pass in these tests without anybody asking for anything.
        options.orbit.decay.idle_time = IdleTime::Calendar;
        let engine = Perihelion::open(options).unwrap();
        let file = folder.path().canonicalize().unwrap().join("CLAUDE.md");
        let settings = BridgeSettings::new(|text| text.chars().count().div_ceil(4));
        Self { folder, engine, clock, settings, namespace: Namespace::default(), file }
    }

    /// With a file that says this.
    pub fn saying(text: &str) -> Self {
        let desk = Self::new();
        desk.write(text);
        desk
    }

    pub fn bridge(&self) -> Bridge<'_> {
        Bridge::new(&self.engine, self.settings.clone())
    }

    pub fn write(&self, text: &str) {
        std::fs::write(&self.file, text).unwrap();
    }

    pub fn read(&self) -> String {
        std::fs::read_to_string(&self.file).unwrap()
    }

    /// Changes the file as somebody with an editor does.
    pub fn edit(&self, from: &str, to: &str) {
        let text = self.read();
        assert!(text.contains(from), "{from:?} is not in {text}");
        self.write(&text.replace(from, to));
    }

    pub fn import(&self) -> Imported {
        self.bridge().import(&self.file, &self.namespace, Rehearsal::Real).unwrap()
    }

    pub fn export(&self) -> Exported {
        self.try_export().unwrap()
    }

    pub fn try_export(&self) -> Result<Exported, BridgeError> {
        self.bridge().export(&self.file, &self.namespace, &[], Rehearsal::Real)
    }

    pub fn sync(&self) -> Synced {
        self.sync_with(&[])
    }

    pub fn sync_with(&self, durable: &[String]) -> Synced {
        self.bridge().sync(&self.file, &self.namespace, durable, Rehearsal::Real).unwrap()
    }

    /// Lets time pass until what nobody uses is no longer near.
    pub fn wait(&self) {
        let later: Timestamp = "2027-01-20T00:00:00Z".parse().unwrap();
        self.clock.advance(later.duration_since(self.clock.now()));
        self.engine.reorbit(&Scope::All).unwrap();
    }

    /// A memory that every section shows.
    pub fn pin(&self, content: &str) -> MemoryId {
        let mut request = Remember::new(content);
        request.facets.pinned = true;
        request.importance = Importance::new(0.9).ok();
        self.engine.remember(request).unwrap().id
    }

    pub fn revise(&self, id: MemoryId, content: &str) {
        let request = Revise { content: Some(content.to_owned()), ..Revise::default() };
        self.engine.revise(&Scope::All, id, request).unwrap();
    }

    pub fn memory(&self, id: MemoryId) -> Memory {
        self.engine.get(&Scope::All, id).unwrap()
    }

    /// Every memory of one side of the trash, the oldest first.
    pub fn memories(&self, trashed: Trashed) -> Vec<Memory> {
        let query = ListQuery { trashed, order: Order::OldestFirst, limit: 1000, ..ListQuery::default() };
        self.engine.list(query).unwrap().memories
    }

    /// What is remembered, sorted.
    pub fn contents(&self) -> Vec<String> {
        let mut contents: Vec<_> =
            self.memories(Trashed::Without).into_iter().map(|memory| memory.content).collect();
        contents.sort();
        contents
    }

    /// The one memory with this content.
    pub fn find(&self, content: &str) -> Memory {
        let mut found = self.memories(Trashed::Without);
        found.retain(|memory| memory.content == content);
        assert_eq!(found.len(), 1, "{content:?} in {:?}", self.contents());
        found.remove(0)
    }

    pub fn state_file(&self) -> PathBuf {
        let folder = self.engine.folder().join("bridge");
        let mut found: Vec<_> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        found.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        assert_eq!(found.len(), 1, "{found:?}");
        found.remove(0)
    }

    /// The lines that the section of the file shows.
    pub fn shown(&self) -> Vec<String> {
        shown(&self.read())
    }
}

/// The lines that the section of a text shows.
pub fn shown(text: &str) -> Vec<String> {
    let inside = text.lines().skip_while(|line| !line.starts_with("<!-- perihelion:begin"));
    let inside = inside.take_while(|line| !line.starts_with("<!-- perihelion:end"));
    inside.filter_map(|line| line.strip_prefix("- ").map(str::to_owned)).collect()
}

/// A text without the section.
pub fn outside(text: &str) -> (String, String) {
    let begin = text.find("<!-- perihelion:begin").unwrap();
    let end_mark = "<!-- perihelion:end -->";
    let end = text.find(end_mark).unwrap() + end_mark.len();
    (text[..begin].to_owned(), text[end..].to_owned())
}

pub fn told(changes: &[Change]) -> Vec<(What, &str)> {
    changes.iter().map(|change| (change.what, change.text.as_str())).collect()
}

/// Another file beside the first one.
pub fn beside(file: &Path, name: &str) -> PathBuf {
    file.with_file_name(name)
}

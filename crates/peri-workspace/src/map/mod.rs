//! What is where: languages, sizes, declarations, purposes and beginnings.

mod entries;
mod folders;
mod purpose;
mod symbols;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use entries::{EntryKind, EntryPoint};
pub use folders::FolderMap;
pub(crate) use symbols::symbols;
pub use symbols::{Symbol, SymbolKind, Visibility};

use crate::coverage::Coverage;
use crate::language::Language;
use crate::role::Role;
use crate::source::{Lines, Source};
use crate::workspace::Workspace;

/// The map of a workspace.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Map {
    /// What the map rests on.
    pub coverage: Coverage,
    /// Every file that was read, by path.
    pub files: Vec<FileMap>,
    /// Every folder, by path; the workspace itself is the first, with an empty path.
    pub folders: Vec<FolderMap>,
    /// Where things can be started, programs first.
    pub entry_points: Vec<EntryPoint>,
    /// Files that say how it is built.
    pub build_files: Vec<String>,
    /// The outermost folders that hold nothing but tests.
    pub test_folders: Vec<String>,
}

/// What one file holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileMap {
    /// Its path.
    pub path: String,
    /// The language, by its name.
    pub language: Language,
    /// What it is for.
    pub role: Role,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its lines.
    pub lines: Lines,
    /// What it declares, as far as scanning by lines can tell.
    pub symbols: Vec<Symbol>,
    /// What it says it is about, in a sentence.
    pub purpose: Option<String>,
}

impl Map {
    /// The file at a path.
    pub fn file(&self, path: &str) -> Option<&FileMap> {
        self.files.binary_search_by(|file| file.path.as_str().cmp(path)).ok().map(|at| &self.files[at])
    }

    /// The whole: sizes and languages of everything.
    pub fn whole(&self) -> Option<&FolderMap> {
        self.folders.first()
    }
}

impl Workspace {
    /// The map of all files, or of as many as were read before the caller asked to stop.
    pub fn map(&self, go_on: &dyn Fn() -> bool) -> Map {
        self.map_files(|_| true, go_on)
    }

    /// The map of some files, for callers who know which ones have changed.
    pub fn map_files(&self, wanted: impl Fn(&str) -> bool, go_on: &dyn Fn() -> bool) -> Map {
        let mut map = Map::default();
        let wanted = self.files().iter().filter(|file| wanted(&file.path));
        map.coverage = self.each(wanted, go_on, |file, text| {
            let (file, entries) = file_map(&file.path, text);
            map.entry_points.extend(entries);
            map.files.push(file);
        });
        map.entry_points.sort_by(|a, b| (a.kind, &a.path, &a.name).cmp(&(b.kind, &b.path, &b.name)));
        let builds = map.files.iter().filter(|file| file.role == Role::Build);
        map.build_files = builds.map(|file| file.path.clone()).collect();
        map.folders = folders::folders(&map.files);
        map.test_folders = folders::test_folders(&map.files);
        map
    }
}

fn file_map(path: &str, text: String) -> (FileMap, Vec<EntryPoint>) {
    let language = Language::of(path, &text);
    let role = Role::of(path, language, &text);
    let source = Source::new(text, language);
    let symbols = if role == Role::Generated { Vec::new() } else { symbols(&source, language) };
    let entries = entries::entries(path, language, role, &source, &symbols);
    let file = FileMap {
        path: path.to_owned(),
        language,
        role,
        bytes: source.text.len() as u64,
        lines: source.count(),
        symbols,
        purpose: purpose::purpose(&source, language),
    };
    (file, entries)
}

/// Lines of code per language, most first.
fn by_size(sizes: BTreeMap<Language, usize>) -> Vec<(Language, usize)> {
    let mut sizes: Vec<_> = sizes.into_iter().collect();
    sizes.sort_by_key(|(language, lines)| (std::cmp::Reverse(*lines), *language));
    sizes
}

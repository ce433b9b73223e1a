//! What no test mentions.
//!
//! A mention is not a proof: a test may name a function without checking it, or check a program from outside without
//! naming any. What is listed here is where to look first.

mod mentions;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::{Deserialize, Serialize};

use crate::coverage::Coverage;
use crate::dependencies::{Dependencies, EdgeKind};
use crate::language::Language;
use crate::map::{FileMap, Map, Symbol, SymbolKind, Visibility};
use crate::role::Role;
use crate::source::Source;
use crate::workspace::Workspace;

/// More names of one file than these are counted instead of listed.
const SYMBOLS_LISTED_MAX: usize = 20;
/// A file that is not even used by one that tests mention weighs more.
const UNREACHED_SHARE: f64 = 2.0;

/// What tests mention and what they do not.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TestGaps {
    /// What this rests on.
    pub coverage: Coverage,
    /// Files with functions that some test mentions.
    pub mentioned_files: usize,
    /// Files with functions that no test mentions.
    pub unmentioned_files: usize,
    /// Files with tests, or made of them.
    pub test_files: usize,
    /// Where tests are missing, the weightiest first.
    pub gaps: Vec<TestGap>,
}

/// A file in which something is not mentioned by any test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TestGap {
    /// The file.
    pub path: String,
    /// Whether some test mentions anything of it.
    pub extent: GapExtent,
    /// Public functions and methods that no test mentions, the first twenty.
    pub unmentioned: Vec<Symbol>,
    /// How many there are.
    pub unmentioned_count: usize,
    /// All its public functions and methods.
    pub public_count: usize,
    /// Lines of code.
    pub lines: usize,
    /// How many files use it to work.
    pub fan_in: usize,
    /// How many of the latest commits changed it.
    pub changes: usize,
    /// How many files that use it to work tests do mention: through them some of it may be tested after all.
    pub reached_through: usize,
    /// By what the gaps are ordered: grows with the lines, with who depends on it and with how often it changes.
    pub weight: f64,
}

/// How much of a file is not mentioned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GapExtent {
    /// No test mentions any of it.
    WholeFile,
    /// Tests mention some of its names and not others.
    SomeNames,
}

impl Workspace {
    /// Looks for files and public names that no test mentions. `changes` tells how often files have changed, as
    /// [`Workspace::change_counts`] does; without it, size and use alone decide the order.
    pub fn test_gaps(
        &self,
        map: &Map,
        dependencies: &Dependencies,
        changes: &BTreeMap<String, usize>,
        go_on: &dyn Fn() -> bool,
    ) -> TestGaps {
        let mut known = Known::new(map);
        let files = self.files().iter().filter(|file| {
            map.file(&file.path).is_some_and(|file| {
                file.role == Role::Test || (file.role == Role::Source && file.language == Language::Rust)
            })
        });
        let coverage = self.each(files, go_on, |file, text| known.learn(map, &file.path, text));
        known.follow(dependencies);
        known.find_users(map, dependencies);
        let mut found = TestGaps { coverage, test_files: known.tests.len(), ..TestGaps::default() };
        for file in map.files.iter().filter(|file| is_testable(file)) {
            let gap = known.gap(file, dependencies, changes);
            match gap.as_ref().map(|gap| gap.extent) {
                Some(GapExtent::WholeFile) => found.unmentioned_files += 1,
                _ => found.mentioned_files += 1,
            }
            found.gaps.extend(gap);
        }
        found.gaps.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.path.cmp(&b.path)));
        found
    }
}

/// Only what does something can be tested.
fn is_testable(file: &FileMap) -> bool {
    file.role == Role::Source && file.language != Language::Sql && file.symbols.iter().any(is_function)
}

fn is_function(symbol: &Symbol) -> bool {
    matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method)
}

/// What tests mention, by test.
struct Known<'a> {
    /// In how many files a name is declared.
    declared_in: HashMap<&'a str, usize>,
    /// The names that each test mentions, of those that matter.
    tests: BTreeMap<String, BTreeSet<&'a str>>,
    /// The tests that mention a name.
    by_name: HashMap<&'a str, Vec<String>>,
    /// The tests that import a file.
    importers: HashMap<String, BTreeSet<String>>,
    /// How many files that tests mention use a file.
    reached_through: HashMap<String, usize>,
}

impl<'a> Known<'a> {
    fn new(map: &'a Map) -> Self {
        let mut declared_in: HashMap<&str, usize> = HashMap::new();
        for file in map.files.iter().filter(|file| file.role == Role::Source) {
            let names: BTreeSet<&str> = file
                .symbols
                .iter()
                .flat_map(|symbol| [Some(symbol.name.as_str()), symbol.owner.as_deref()])
                .flatten()
                .collect();
            names.into_iter().for_each(|name| *declared_in.entry(name).or_default() += 1);
            declared_in.entry(stem(&file.path)).or_default();
        }
        Self {
            declared_in,
            tests: BTreeMap::new(),
            by_name: HashMap::new(),
            importers: HashMap::new(),
            reached_through: HashMap::new(),
        }
    }

    fn learn(&mut self, map: &Map, path: &str, text: String) {
        let Some(file) = map.file(path) else { return };
        let source = Source::new(text, file.language);
        let Some(names) = mentions::mentions(&source, file.language, file.role) else { return };
        let known: BTreeSet<&'a str> = names
            .into_iter()
            .filter_map(|name| self.declared_in.get_key_value(name).map(|(name, _)| *name))
            .collect();
        known.iter().for_each(|name| self.by_name.entry(name).or_default().push(path.to_owned()));
        self.tests.insert(path.to_owned(), known);
    }

    fn follow(&mut self, dependencies: &Dependencies) {
        for edge in dependencies.edges.iter().filter(|edge| self.tests.contains_key(&edge.from)) {
            self.importers.entry(edge.to.clone()).or_default().insert(edge.from.clone());
        }
    }

    /// Whether some test mentions anything of a file, or lies in it.
    fn touches(&self, file: &FileMap) -> bool {
        self.tests.contains_key(&file.path) || file.symbols.iter().any(|symbol| self.means(file, symbol))
    }

    fn find_users(&mut self, map: &Map, dependencies: &Dependencies) {
        let touched: BTreeSet<&str> =
            map.files.iter().filter(|file| self.touches(file)).map(|file| file.path.as_str()).collect();
        for edge in dependencies
            .edges
            .iter()
            .filter(|edge| edge.kind == EdgeKind::Use && touched.contains(edge.from.as_str()))
        {
            *self.reached_through.entry(edge.to.clone()).or_default() += 1;
        }
    }

    /// Whether some test means this symbol. The name alone is enough where no other file declares it; otherwise the test
    /// must lie in the file, import it, or mention its type or its module too.
    fn means(&self, file: &FileMap, symbol: &Symbol) -> bool {
        let Some(tests) = self.by_name.get(symbol.name.as_str()) else { return false };
        if self.declared_in.get(symbol.name.as_str()) == Some(&1) {
            return true;
        }
        let importers = self.importers.get(&file.path);
        tests.iter().any(|test| {
            let names = &self.tests[test];
            *test == file.path
                || importers.is_some_and(|importers| importers.contains(test))
                || symbol.owner.as_deref().is_some_and(|owner| names.contains(owner))
                || (stem(&file.path) != symbol.name && names.contains(stem(&file.path)))
        })
    }

    fn gap(
        &self,
        file: &FileMap,
        dependencies: &Dependencies,
        changes: &BTreeMap<String, usize>,
    ) -> Option<TestGap> {
        let public: Vec<&Symbol> = file
            .symbols
            .iter()
            .filter(|symbol| {
                is_function(symbol) && symbol.visibility == Visibility::Public && symbol.name != "main"
            })
            .collect();
        let missing: Vec<&Symbol> =
            public.iter().copied().filter(|symbol| !self.means(file, symbol)).collect();
        let extent = if self.touches(file) { GapExtent::SomeNames } else { GapExtent::WholeFile };
        if extent == GapExtent::SomeNames && missing.is_empty() {
            return None;
        }
        let fan_in = dependencies.file(&file.path).map_or(0, |node| node.fan_in);
        let changes = changes.get(&file.path).copied().unwrap_or(0);
        let reached_through = self.reached_through.get(&file.path).copied().unwrap_or(0);
        let lines = match extent {
            GapExtent::WholeFile => file.lines.code,
            GapExtent::SomeNames => missing.iter().map(|symbol| lines_of(file, symbol)).sum(),
        };
        let share =
            if extent == GapExtent::WholeFile && reached_through == 0 { UNREACHED_SHARE } else { 1.0 };
        let grows = |value: usize| (1.0 + value as f64).ln();
        Some(TestGap {
            path: file.path.clone(),
            extent,
            unmentioned_count: missing.len(),
            public_count: public.len(),
            unmentioned: missing.into_iter().take(SYMBOLS_LISTED_MAX).cloned().collect(),
            lines: file.lines.code,
            fan_in,
            changes,
            reached_through,
            weight: share * (lines as f64).sqrt() * (1.0 + grows(fan_in)) * (1.0 + grows(changes) / 2.0),
        })
    }
}

/// About how long a function is: up to what is declared next.
fn lines_of(file: &FileMap, symbol: &Symbol) -> usize {
    /// What stands behind the last function of a file is often something else.
    const LINES_MAX: usize = 40;
    let next = file.symbols.iter().map(|other| other.line).filter(|line| *line > symbol.line).min();
    next.map_or(LINES_MAX, |next| next - symbol.line).min(LINES_MAX).min(file.lines.code)
}

/// The name of a file without its ending, or that of its folder where the file speaks for it.
fn stem(path: &str) -> &str {
    let mut parts = path.rsplit('/').map(|part| part.split('.').next().unwrap_or(part));
    let own = parts.next().unwrap_or(path);
    if matches!(own, "mod" | "lib" | "main" | "index" | "__init__") {
        parts.next().unwrap_or(own)
    } else {
        own
    }
}

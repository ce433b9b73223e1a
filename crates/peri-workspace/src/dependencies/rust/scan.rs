//! The modules, imports and paths of one Rust file.

use crate::source::{Source, is_word, is_word_start};

/// What one Rust file says about other modules.
#[derive(Debug, Default)]
pub(crate) struct RustFile {
    /// `mod name;`
    pub(super) declared: Vec<Declared>,
    /// `mod name { … }`, as paths from the file's own module.
    pub(super) inline: Vec<(Vec<String>, bool)>,
    /// Everything that names something elsewhere.
    pub(super) mentions: Vec<Mention>,
}

/// A module that lies in a file of its own.
#[derive(Debug)]
pub(super) struct Declared {
    pub(super) inside: Vec<String>,
    pub(super) name: String,
    pub(super) path: Option<String>,
    pub(super) in_test: bool,
}

/// A path that is named, in an import or anywhere else.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mention {
    /// The inline modules around it.
    pub(super) inside: Vec<String>,
    pub(super) path: Vec<String>,
    /// The name under which an import makes it known; `*` for everything in it.
    pub(super) known_as: Option<String>,
    pub(super) line: usize,
    pub(super) in_test: bool,
}

/// Modules and imports that lie deeper than this are not written by people.
const DEPTH_MAX: usize = 32;

/// An open brace.
struct Scope {
    module: bool,
    in_test: bool,
}

pub(crate) fn scan(source: &Source) -> RustFile {
    Scanner {
        source,
        at: 0,
        line: 1,
        inside: Vec::new(),
        scopes: Vec::new(),
        pending: Pending::default(),
        file: RustFile::default(),
    }
    .run()
}

#[derive(Default)]
struct Pending {
    in_test: bool,
    path: Option<String>,
}

struct Scanner<'a> {
    source: &'a Source,
    at: usize,
    line: usize,
    inside: Vec<String>,
    scopes: Vec<Scope>,
    pending: Pending,
    file: RustFile,
}

impl<'a> Scanner<'a> {
    fn run(mut self) -> RustFile {
        while let Some(c) = self.rest().chars().next() {
            match c {
                '#' if self.rest().starts_with("#[") => self.attribute(),
                '{' => self.open(false),
                '}' => self.close(),
                ';' => {
                    self.pending = Pending::default();
                    self.step(1);
                }
                _ if is_word_start(c) => self.word(),
                _ if is_word(c) => {
                    let end = self.rest().find(|c| !is_word(c)).unwrap_or(self.rest().len());
                    self.step(end);
                }
                _ => self.step(c.len_utf8()),
            }
        }
        self.file
    }

    fn rest(&self) -> &'a str {
        &self.source.code[self.at..]
    }

    fn step(&mut self, bytes: usize) {
        self.line += self.rest().as_bytes()[..bytes].iter().filter(|byte| **byte == b'\n').count();
        self.at += bytes;
    }

    fn in_test(&self) -> bool {
        self.pending.in_test || self.scopes.last().is_some_and(|scope| scope.in_test)
    }

    /// `#[cfg(test)]` and `#[path = "…"]` are about what follows.
    fn attribute(&mut self) {
        let mut depth = 0_usize;
        let end = self.rest().char_indices().find(|(_, c)| {
            match c {
                '[' => depth += 1,
                ']' => depth = depth.saturating_sub(1),
                _ => return false,
            }
            depth == 0
        });
        let bytes = end.map_or(self.rest().len(), |(at, _)| at + 1);
        let code = &self.rest()[..bytes];
        let is_test =
            code.starts_with("#[cfg(test)") || code.starts_with("#[cfg(all(test") || code == "#[test]";
        self.pending.in_test |= is_test;
        if code.starts_with("#[path") {
            // The text itself is masked in the code.
            self.pending.path =
                self.source.text[self.at..self.at + bytes].split('"').nth(1).map(str::to_owned);
        }
        self.step(bytes);
    }

    fn open(&mut self, module: bool) {
        let in_test = self.in_test();
        self.scopes.push(Scope { module, in_test });
        self.pending = Pending::default();
        self.step(1);
    }

    fn close(&mut self) {
        if self.scopes.pop().is_some_and(|scope| scope.module) {
            self.inside.pop();
        }
        self.pending = Pending::default();
        self.step(1);
    }

    fn word(&mut self) {
        let rest = self.rest();
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        match &rest[..end] {
            "mod" => {
                self.step(end);
                self.module();
            }
            "use" => {
                self.step(end);
                self.import();
            }
            _ => self.path(),
        }
    }

    fn module(&mut self) {
        let rest = self.rest();
        let trimmed = rest.trim_start();
        let name_end = trimmed.find(|c| !is_word(c)).unwrap_or(trimmed.len());
        let name = trimmed[..name_end].to_owned();
        let after = trimmed[name_end..].trim_start();
        self.step(rest.len() - after.len());
        if name.is_empty() {
            return;
        }
        if after.starts_with('{') && self.inside.len() < DEPTH_MAX {
            self.inside.push(name);
            self.file.inline.push((self.inside.clone(), self.in_test()));
            self.open(true);
        } else if after.starts_with(';') {
            let (inside, in_test) = (self.inside.clone(), self.in_test());
            self.file.declared.push(Declared { inside, name, path: self.pending.path.take(), in_test });
        }
    }

    fn import(&mut self) {
        let rest = self.rest();
        let end = rest.find(';').unwrap_or(rest.len());
        let mut paths = Vec::new();
        leaves(&rest[..end], &mut Vec::new(), &mut paths, 0);
        for (path, known_as) in paths {
            self.mention(path, Some(known_as));
        }
        self.step(end);
    }

    fn path(&mut self) {
        let mut path = Vec::new();
        let (rest, mut at) = (self.rest(), 0);
        loop {
            let end = at + rest[at..].find(|c| !is_word(c)).unwrap_or(rest.len() - at);
            path.push(rest[at..end].to_owned());
            at = end;
            match rest[at..].strip_prefix("::") {
                Some(more) if more.starts_with(is_word_start) => at += 2,
                _ => break,
            }
        }
        if path.len() > 1 {
            self.mention(path, None);
        }
        self.step(at);
    }

    fn mention(&mut self, path: Vec<String>, known_as: Option<String>) {
        let (inside, line, in_test) = (self.inside.clone(), self.line, self.in_test());
        self.file.mentions.push(Mention { inside, path, known_as, line, in_test });
    }
}

/// The leaves of an import's tree, each with the name it is known by.
fn leaves(tree: &str, above: &mut Vec<String>, found: &mut Vec<(Vec<String>, String)>, depth: usize) {
    let tree = tree.trim().trim_start_matches("::").trim_start();
    let before = above.len();
    let mut rest = tree;
    while let Some((segment, more)) =
        rest.split_once("::").filter(|(segment, _)| !segment.contains(['{', ',']))
    {
        above.push(segment.trim().to_owned());
        rest = more.trim_start();
    }
    if let Some(group) = rest.strip_prefix('{') {
        if depth < DEPTH_MAX {
            split(group.trim_end().strip_suffix('}').unwrap_or(group))
                .for_each(|branch| leaves(branch, above, found, depth + 1));
        }
    } else if !rest.is_empty() {
        let (name, known_as) =
            rest.split_once(" as ").map_or((rest, None), |(name, alias)| (name, Some(alias.trim())));
        let mut path = above.clone();
        let name = name.trim();
        if name != "self" || path.is_empty() {
            path.push(name.to_owned());
        }
        let known_as = known_as.or(path.last().map(String::as_str)).unwrap_or(name).to_owned();
        if name == "*" {
            path.pop();
        }
        found.push((path, known_as));
    }
    above.truncate(before);
}

/// The branches of a group, at its own commas.
fn split(group: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    let branches = group.split(move |c| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    branches.map(str::trim).filter(|branch| !branch.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;

    fn mentions(text: &str) -> Vec<(String, Option<String>, bool)> {
        let file = scan(&Source::new(text.to_owned(), Language::Rust));
        let flat = |mention: &Mention| {
            let path = [mention.inside.join("/"), mention.path.join("::")].join(" ").trim().to_owned();
            (path, mention.known_as.clone(), mention.in_test)
        };
        file.mentions.iter().map(flat).collect()
    }

    #[test]
    fn imports_are_taken_apart() {
        let found = mentions("use crate::{a::{B, C as D}, e::{self, *}, f};\nuse ::g::h;");
        let expected = [
            ("crate::a::B", "B"),
            ("crate::a::C", "D"),
            ("crate::e", "e"),
            ("crate::e", "*"),
            ("crate::f", "f"),
            ("g::h", "h"),
        ];
        let expected = expected.map(|(path, name)| (path.to_owned(), Some(name.to_owned()), false));
        assert_eq!(found, expected);
    }

    #[test]
    fn paths_in_code_are_found_and_texts_are_not() {
        let found = mentions("fn f() { crate::a::b(); \"c::d\"; e.f(); g::<u8>::h() } // i::j");
        assert_eq!(found, [("crate::a::b".to_owned(), None, false)]);
    }

    #[test]
    fn what_stands_in_test_modules_is_marked() {
        let found = mentions("#[cfg(test)]\nmod tests { use super::*; }\nuse a::b;");
        assert_eq!(
            found,
            [
                ("tests super".to_owned(), Some("*".to_owned()), true),
                ("a::b".to_owned(), Some("b".to_owned()), false)
            ]
        );
    }

    #[test]
    fn modules_in_files_are_found_with_their_paths() {
        let text =
            "mod a;\n#[path = \"x/b.rs\"]\npub(crate) mod b;\nmod c { mod d; }\n#[cfg(test)]\nmod tests;";
        let file = scan(&Source::new(text.to_owned(), Language::Rust));
        let found: Vec<_> = file
            .declared
            .iter()
            .map(|it| (it.inside.join("/"), it.name.as_str(), it.path.as_deref(), it.in_test))
            .collect();
        let inside = |text: &str| text.to_owned();
        assert_eq!(
            found,
            [
                (inside(""), "a", None, false),
                (inside(""), "b", Some("x/b.rs"), false),
                (inside("c"), "d", None, false),
                (inside(""), "tests", None, true)
            ]
        );
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_scanned_to_its_end(text in "(mod|use|crate|::|\\{|\\}|;|,|#\\[cfg\\(test\\)\\]|a|가| |\n|\\*|self){0,60}") {
            scan(&Source::new(text, Language::Rust));
        }
    }
}

//! Which Rust file uses which: the modules of each crate, and where paths lead.

mod scan;

use std::collections::{BTreeMap, BTreeSet, HashMap};

pub(super) use scan::{RustFile, scan};

use super::manifests::CargoPackage;
use super::{EdgeKind, Edges, Places};

/// Re-exports that lead in circles end here.
const HOPS_MAX: usize = 16;
/// A module that imports everything from more modules than these is followed into the first of them.
const GLOBS_MAX: usize = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ModuleId(usize);

struct Module {
    file: usize,
    parent: Option<ModuleId>,
    root: ModuleId,
    children: HashMap<String, ModuleId>,
    in_test: bool,
    /// What imports make known here.
    names: HashMap<String, Vec<String>>,
    /// Modules of which everything is known here.
    globs: Vec<Vec<String>>,
}

/// The modules of all crates.
pub(super) struct Tree<'a> {
    files: &'a BTreeMap<usize, RustFile>,
    names: &'a [&'a str],
    paths: &'a HashMap<&'a str, usize>,
    modules: Vec<Module>,
    /// Every module that a file makes: from the path inside the file to the module, per crate that uses the file.
    of_file: BTreeMap<usize, Vec<HashMap<Vec<String>, ModuleId>>>,
    /// The library of each crate by the name code uses.
    libraries: HashMap<String, ModuleId>,
    /// What each file declares at its top.
    declares: &'a HashMap<usize, BTreeSet<&'a str>>,
}

/// Adds the edges between Rust files, and gives the files that belong to some crate.
pub(super) fn connect(
    files: &BTreeMap<usize, RustFile>,
    places: &Places<'_>,
    declares: &HashMap<usize, BTreeSet<&str>>,
    packages: &[CargoPackage],
    edges: &mut Edges,
) -> BTreeSet<usize> {
    let mut tree = Tree {
        files,
        names: &places.names,
        paths: &places.numbers,
        modules: Vec::new(),
        of_file: BTreeMap::new(),
        libraries: HashMap::new(),
        declares,
    };
    for package in packages {
        tree.plant(package);
    }
    tree.learn_names();
    tree.draw(edges);
    tree.of_file.keys().copied().collect()
}

impl Tree<'_> {
    fn plant(&mut self, package: &CargoPackage) {
        for root in package.roots(self.paths.keys().copied()) {
            let Some(file) =
                self.paths.get(root.as_str()).copied().filter(|file| self.files.contains_key(file))
            else {
                continue;
            };
            let id = self.grow(file);
            if package.library.as_deref() == Some(root.as_str()) {
                self.libraries.insert(package.library_name.clone(), id);
            }
        }
    }

    /// All modules from one root on.
    fn grow(&mut self, root_file: usize) -> ModuleId {
        let root = self.add(root_file, None, false);
        let mut seen = BTreeSet::from([root_file]);
        let mut waiting = vec![(root_file, root)];
        while let Some((file, id)) = waiting.pop() {
            let files = self.files;
            let Some(facts) = files.get(&file) else { continue };
            let mut own = HashMap::from([(Vec::new(), id)]);
            for (path, in_test) in &facts.inline {
                let Some((name, above)) = path.split_last() else { continue };
                let Some(parent) = own.get(above).copied() else { continue };
                let child = self.child(parent, name, file, *in_test);
                own.insert(path.clone(), child);
            }
            for declared in &facts.declared {
                let Some(parent) = own.get(&declared.inside).copied() else { continue };
                let is_root = id == root;
                let Some(target) = self.file_of(file, is_root, declared) else { continue };
                if !seen.insert(target) {
                    continue;
                }
                let child = self.child(parent, &declared.name, target, declared.in_test);
                waiting.push((target, child));
            }
            self.of_file.entry(file).or_default().push(own);
        }
        root
    }

    fn add(&mut self, file: usize, parent: Option<ModuleId>, in_test: bool) -> ModuleId {
        let id = ModuleId(self.modules.len());
        let root = parent.map_or(id, |parent| self.modules[parent.0].root);
        let in_test = in_test || parent.is_some_and(|parent| self.modules[parent.0].in_test);
        let (children, names, globs) = (HashMap::new(), HashMap::new(), Vec::new());
        self.modules.push(Module { file, parent, root, children, in_test, names, globs });
        id
    }

    fn child(&mut self, parent: ModuleId, name: &str, file: usize, in_test: bool) -> ModuleId {
        let id = self.add(file, Some(parent), in_test);
        self.modules[parent.0].children.insert(name.to_owned(), id);
        id
    }

    /// The file of a declared module, by the rules of the language.
    fn file_of(&self, file: usize, is_root: bool, declared: &scan::Declared) -> Option<usize> {
        let path = self.names[file];
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let join = |folder: &str, rest: &str| {
            let joined = if folder.is_empty() { rest.to_owned() } else { format!("{folder}/{rest}") };
            super::normalized(&joined)
        };
        if let Some(given) = &declared.path {
            return self.paths.get(join(folder, given)?.as_str()).copied();
        }
        let owns_folder = is_root || name == "mod.rs";
        let mut folder =
            if owns_folder { folder.to_owned() } else { join(folder, name.trim_end_matches(".rs"))? };
        for inline in &declared.inside {
            folder = join(&folder, inline)?;
        }
        let candidates = [format!("{}.rs", declared.name), format!("{}/mod.rs", declared.name)];
        candidates.iter().find_map(|candidate| self.paths.get(join(&folder, candidate)?.as_str()).copied())
    }

    fn learn_names(&mut self) {
        for (file, copies) in &self.of_file {
            let files = self.files;
            let Some(facts) = files.get(file) else { continue };
            for own in copies {
                for mention in &facts.mentions {
                    let (Some(known_as), Some(id)) = (&mention.known_as, own.get(&mention.inside)) else {
                        continue;
                    };
                    let module = &mut self.modules[id.0];
                    if known_as == "*" {
                        module.globs.push(mention.path.clone());
                    } else {
                        module.names.insert(known_as.clone(), mention.path.clone());
                    }
                }
            }
        }
    }

    fn draw(&self, edges: &mut Edges) {
        for (file, copies) in &self.of_file {
            let Some(facts) = self.files.get(file) else { continue };
            for own in copies {
                for mention in &facts.mentions {
                    let Some(id) = own.get(&mention.inside) else { continue };
                    let in_test = mention.in_test || self.modules[id.0].in_test;
                    if let Some(target) = self.resolve(*id, &mention.path, 0) {
                        let kind = if in_test { EdgeKind::Test } else { EdgeKind::Use };
                        edges.add(*file, self.modules[target.0].file, mention.line, kind);
                    }
                }
            }
        }
    }

    /// The module that holds what a path names, seen from a module.
    fn resolve(&self, from: ModuleId, path: &[String], hops: usize) -> Option<ModuleId> {
        let (first, rest) = path.split_first()?;
        if hops > HOPS_MAX {
            return None;
        }
        let module = &self.modules[from.0];
        match first.as_str() {
            "crate" => self.descend(module.root, rest, hops),
            "self" => self.descend(from, rest, hops),
            "super" => match rest.first().map(String::as_str) {
                Some("super") => self.resolve(module.parent?, rest, hops + 1),
                _ => self.descend(module.parent?, rest, hops),
            },
            name => {
                if let Some(child) = module.children.get(name) {
                    return self.descend(*child, rest, hops);
                }
                if let Some(known) = module.names.get(name).filter(|known| known.first() != Some(first)) {
                    let holder = self.resolve(from, known, hops + 1)?;
                    // The name may be a module, whose own things the rest is about, or an item in it.
                    return self.descend(holder, rest, hops + 1);
                }
                let library = self.libraries.get(name)?;
                self.descend(*library, rest, hops)
            }
        }
    }

    fn descend(&self, from: ModuleId, path: &[String], hops: usize) -> Option<ModuleId> {
        let Some((name, rest)) = path.split_first() else { return Some(from) };
        let module = &self.modules[from.0];
        if hops > HOPS_MAX {
            return Some(from);
        }
        if let Some(child) = module.children.get(name) {
            return self.descend(*child, rest, hops);
        }
        let declares = |id: ModuleId, name: &str| {
            self.declares.get(&self.modules[id.0].file).is_some_and(|declared| declared.contains(name))
        };
        if declares(from, name) {
            return Some(from);
        }
        if let Some(known) = module.names.get(name) {
            let holder = self.resolve(from, known, hops + 1)?;
            return self.descend(holder, rest, hops + 1);
        }
        // Globs through globs multiply, so few are followed, and not far.
        let globs = module.globs.iter().take(GLOBS_MAX);
        let through = globs.filter_map(|glob| self.resolve(from, glob, hops + HOPS_MAX / 4));
        let holds = |id: &ModuleId| {
            let module = &self.modules[id.0];
            *id != from
                && (module.children.contains_key(name)
                    || module.names.contains_key(name)
                    || declares(*id, name))
        };
        match through.into_iter().find(holds) {
            Some(holder) => self.descend(holder, path, hops + 1),
            None => Some(from),
        }
    }
}

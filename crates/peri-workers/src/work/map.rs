//! Map: the structure of the workspace as knowledge that agents can ask for. Only what changed is written.

use std::collections::{BTreeMap, BTreeSet};

use peri_workspace::{FolderMap, Map, Origin, Package, Workspace};
use perihelion::{AddObservations, DeleteObservations, Entity, Namespace, Relation};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::memories;
use crate::job::{Findings, Job, Trouble};

/// Folders are told of down to this depth.
const DEPTH: usize = 2;

/// At most so many things are told of.
const THINGS: usize = 300;

/// What was written the last time.
#[derive(Default, Serialize, Deserialize)]
struct Written {
    /// The digest of everything that was looked at.
    digest: String,
    commit: Option<String>,
    /// By name: what they are, and what was said of them.
    things: BTreeMap<String, Thing>,
    uses: BTreeSet<(String, String)>,
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct Thing {
    entity_type: String,
    observations: BTreeSet<String>,
}

pub(crate) fn run(job: &Job<'_>) -> Result<Findings, Trouble> {
    let root = job.need_workspace()?;
    let Some(workspace) = memories::workspace(job)? else { return Err(Trouble::Stopped) };
    let before: Written = serde_json::from_value(job.left_behind().clone()).unwrap_or_default();
    let commit = match workspace.origin() {
        Origin::Git { commit, .. } => commit.clone(),
        Origin::Folder { .. } => None,
    };
    let (digests, coverage) = workspace.digests(job.go_on);
    job.check()?;
    let digest = blake3::hash(format!("{digests:?}").as_bytes()).to_hex().to_string();
    if digest == before.digest && !coverage.is_partial() {
        let mut findings = Findings::new(format!("nothing changed in {} files", digests.len()))
            .figure("files", digests.len());
        findings.state = json!(before);
        return Ok(findings);
    }
    let changed = match (&before.commit, &commit) {
        (Some(earlier), Some(_)) => {
            workspace.changed_since(earlier, job.go_on).ok().map(|changes| changes.changed.len())
        }
        _ => None,
    };
    let name =
        root.file_name().map_or_else(|| "workspace".to_owned(), |name| name.to_string_lossy().into_owned());
    let now = picture(&workspace, &name, job);
    job.check()?;
    let now = Written { digest, commit, ..now };
    let written = write(job, &job.settings.namespace, &before, &now)?;
    let mut findings = Findings::new(format!(
        "{} files: {} things known, {} facts written, {} taken away",
        digests.len(),
        now.things.len(),
        written.added,
        written.removed
    ))
    .figure("files", digests.len())
    .figure("things", now.things.len())
    .figure("added", written.added)
    .figure("removed", written.removed)
    .figure("relations", now.uses.len())
    .figure("changed_files", json!(changed));
    findings.state = json!(now);
    Ok(findings)
}

/// What there is to say of a workspace.
fn picture(workspace: &Workspace, name: &str, job: &Job<'_>) -> Written {
    let map = workspace.map(job.go_on);
    let dependencies = workspace.dependencies(&map, job.go_on);
    let mut things = BTreeMap::new();
    let packages: BTreeMap<&str, &Package> =
        dependencies.packages.iter().map(|package| (package.folder.as_str(), package)).collect();
    for folder in map.folders.iter().filter(|folder| is_told(folder, &packages)).take(THINGS) {
        let (entity_type, own) = match (folder.path.is_empty(), packages.get(folder.path.as_str())) {
            (true, _) => ("workspace", name.to_owned()),
            (false, Some(package)) => ("package", named(name, &package.name)),
            (false, None) => ("folder", named(name, &folder.path)),
        };
        let mut observations = said_of(folder);
        if folder.path.is_empty() {
            observations.extend(entries(&map));
        }
        things.insert(own, Thing { entity_type: entity_type.to_owned(), observations });
    }
    let mut uses = BTreeSet::new();
    for package in &dependencies.packages {
        let from = named(name, &package.name);
        for used in &package.uses {
            let to = named(name, used);
            if things.contains_key(&from) && things.contains_key(&to) && from != to {
                uses.insert((from.clone(), to));
            }
        }
    }
    Written { things, uses, ..Written::default() }
}

fn named(workspace: &str, part: &str) -> String {
    format!("{workspace}: {part}")
}

fn is_told(folder: &FolderMap, packages: &BTreeMap<&str, &Package>) -> bool {
    let depth = if folder.path.is_empty() { 0 } else { folder.path.split('/').count() };
    depth <= DEPTH || packages.contains_key(folder.path.as_str())
}

fn said_of(folder: &FolderMap) -> BTreeSet<String> {
    let mut said = BTreeSet::new();
    if let Some(purpose) = &folder.purpose {
        said.insert(purpose.clone());
    }
    let languages: Vec<String> = folder
        .languages
        .iter()
        .take(3)
        .map(|(language, lines)| format!("{} {lines}", language.name()))
        .collect();
    let place = if folder.path.is_empty() { "." } else { &folder.path };
    said.insert(format!(
        "{place} has {} files with {} lines of code ({} of them in tests): {}",
        folder.files,
        folder.lines.code,
        folder.test_lines,
        languages.join(", ")
    ));
    said
}

/// Where things are started, and how they are built.
fn entries(map: &Map) -> BTreeSet<String> {
    const TOLD: usize = 20;
    let mut said: BTreeSet<String> = map
        .entry_points
        .iter()
        .take(TOLD)
        .map(|entry| format!("{} is started in {}:{}", entry.name, entry.path, entry.line))
        .collect();
    if !map.build_files.is_empty() {
        said.insert(format!(
            "built by {}",
            map.build_files.iter().take(TOLD).cloned().collect::<Vec<_>>().join(", ")
        ));
    }
    said
}

/// What was written.
#[derive(Default)]
struct Difference {
    added: usize,
    removed: usize,
}

/// Writes what differs from the last time. What people have said of the same things stays.
fn write(
    job: &Job<'_>,
    namespace: &Namespace,
    before: &Written,
    now: &Written,
) -> Result<Difference, Trouble> {
    let mut difference = Difference::default();
    let gone = before
        .things
        .iter()
        .filter(|(name, thing)| now.things.get(*name).is_none_or(|own| own.entity_type != thing.entity_type));
    let gone: Vec<String> = gone.map(|(name, _)| name.clone()).collect();
    difference.removed += job.engine.delete_entities(namespace, gone)?.deleted.len();
    let entities = now.things.iter().map(|(name, thing)| Entity {
        name: name.clone(),
        entity_type: thing.entity_type.clone(),
        observations: Vec::new(),
    });
    job.engine.create_entities(namespace, entities.collect())?;
    job.check()?;
    let (mut add, mut remove) = (Vec::new(), Vec::new());
    for (name, thing) in &now.things {
        let known = before.things.get(name).map(|thing| thing.observations.clone()).unwrap_or_default();
        let contents: Vec<String> = thing.observations.iter().cloned().collect();
        add.push(AddObservations { entity_name: name.clone(), contents });
        let observations: Vec<String> = known.difference(&thing.observations).cloned().collect();
        if !observations.is_empty() {
            remove.push(DeleteObservations { entity_name: name.clone(), observations });
        }
    }
    difference.removed +=
        usize::try_from(job.engine.delete_observations(namespace, remove)?.deleted_count).unwrap_or(0);
    let added = job.engine.add_observations(namespace, add)?;
    difference.added += added.iter().map(|one| one.added_observations.len()).sum::<usize>();
    let relation = |(from, to): &(String, String)| Relation {
        from: from.clone(),
        to: to.clone(),
        relation_type: "depends_on".to_owned(),
    };
    let old: Vec<Relation> = before.uses.difference(&now.uses).map(relation).collect();
    difference.removed += usize::try_from(job.engine.delete_relations(namespace, old)?).unwrap_or(0);
    difference.added +=
        job.engine.create_relations(namespace, now.uses.iter().map(relation).collect())?.len();
    Ok(difference)
}

//! The packages of a workspace, and which of them use which.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::manifests::{Manifest, Requirement, RequirementKind};
use super::{components, folder_of};

/// A package that a manifest describes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its folder; empty if it is the workspace itself.
    pub folder: String,
    /// The manifest.
    pub manifest: String,
    /// What it asks for, packages of the workspace among them.
    pub requirements: Vec<Requirement>,
    /// Packages of the workspace that it needs to work, by name.
    pub uses: Vec<String>,
    /// Packages of the workspace that need it to work, by name.
    pub used_by: Vec<String>,
    /// How many steps of use lie below it; 0 uses no other package of the workspace.
    pub layer: usize,
}

pub(super) fn packages(manifests: Vec<Manifest>) -> Vec<Package> {
    let shared: BTreeMap<String, String> =
        manifests.iter().flat_map(|manifest| manifest.shared.clone()).collect();
    let named = manifests.into_iter().filter_map(|manifest| {
        let name = manifest.name.clone()?;
        Some(Package {
            name,
            folder: folder_of(&manifest.path).to_owned(),
            manifest: manifest.path,
            requirements: manifest.requirements,
            uses: Vec::new(),
            used_by: Vec::new(),
            layer: 0,
        })
    });
    let mut packages: Vec<Package> = named.collect();
    packages.sort_by(|a, b| a.folder.cmp(&b.folder).then_with(|| a.manifest.cmp(&b.manifest)));
    connect(&mut packages, &shared);
    packages
}

fn connect(packages: &mut [Package], shared: &BTreeMap<String, String>) {
    let numbers: HashMap<String, usize> =
        packages.iter().enumerate().map(|(at, package)| (package.name.clone(), at)).collect();
    let folders: Vec<String> = packages.iter().map(|package| package.folder.clone()).collect();
    let names: Vec<String> = packages.iter().map(|package| package.name.clone()).collect();
    let mut uses: Vec<Vec<usize>> = vec![Vec::new(); packages.len()];
    for (at, package) in packages.iter_mut().enumerate() {
        for wanted in &mut package.requirements {
            if wanted.versions.is_empty() {
                wanted.versions = shared.get(&wanted.name).cloned().unwrap_or_default();
            }
            let Some(target) = numbers.get(&wanted.name).copied().filter(|target| *target != at) else {
                continue;
            };
            wanted.inside = Some(folders[target].clone());
            if wanted.kind != RequirementKind::Development {
                uses[at].push(target);
            }
        }
        uses[at].sort_unstable();
        uses[at].dedup();
    }
    let layers = components::layers(&uses, &components::components(&uses));
    for (at, targets) in uses.iter().enumerate() {
        packages[at].layer = layers[at];
        packages[at].uses = targets.iter().map(|target| names[*target].clone()).collect();
        targets.iter().for_each(|target| packages[*target].used_by.push(names[at].clone()));
    }
}

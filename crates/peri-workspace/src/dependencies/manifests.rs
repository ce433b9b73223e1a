//! What manifests say: names, versions asked for, and where a crate's files begin.

use serde::{Deserialize, Serialize};

use super::{folder_of, join};

/// Something that a package asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requirement {
    /// The name of what is asked for.
    pub name: String,
    /// Which versions would do, as written; empty if that is said elsewhere or not at all.
    pub versions: String,
    /// What it is for.
    pub kind: RequirementKind,
    /// The folder in the workspace where it lies, if it does.
    pub inside: Option<String>,
}

/// What a requirement is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequirementKind {
    /// To work.
    Normal,
    /// To work, if somebody wants it.
    Optional,
    /// To build.
    Build,
    /// To test and develop.
    Development,
}

/// One manifest.
#[derive(Debug, Default)]
pub(super) struct Manifest {
    pub(super) path: String,
    pub(super) name: Option<String>,
    pub(super) main: Option<String>,
    pub(super) requirements: Vec<Requirement>,
    pub(super) cargo: Option<CargoPackage>,
    /// Versions that it says once for all packages of the workspace.
    pub(super) shared: Vec<(String, String)>,
}

/// Where the files of a crate begin.
#[derive(Debug, Clone)]
pub(super) struct CargoPackage {
    folder: String,
    /// The path of the library's first file, and the name that code uses for it.
    pub(super) library: Option<String>,
    pub(super) library_name: String,
    targets: Vec<String>,
}

impl CargoPackage {
    /// The first files of everything that is built: the library, programs, tests, examples.
    pub(super) fn roots<'a>(&self, paths: impl Iterator<Item = &'a str>) -> Vec<String> {
        let inner = paths.filter_map(|path| {
            let inner = if self.folder.is_empty() {
                path
            } else {
                path.strip_prefix(&self.folder)?.strip_prefix('/')?
            };
            is_root(inner).then(|| path.to_owned())
        });
        let mut roots: Vec<String> = inner.chain(self.targets.iter().cloned()).collect();
        roots.sort();
        roots.dedup();
        roots
    }
}

fn is_root(inner: &str) -> bool {
    if matches!(inner, "src/lib.rs" | "src/main.rs" | "build.rs") {
        return true;
    }
    let rest =
        ["src/bin/", "tests/", "examples/", "benches/"].iter().find_map(|folder| inner.strip_prefix(folder));
    rest.is_some_and(|rest| match rest.split_once('/') {
        None => rest.ends_with(".rs"),
        Some((_, name)) => name == "main.rs",
    })
}

/// Whether a file is a manifest that can be read here.
pub(super) fn is_manifest(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    matches!(name, "Cargo.toml" | "package.json" | "pyproject.toml" | "go.mod" | "requirements.txt")
}

/// What a manifest says; none if it cannot be understood, or says nothing about a package.
pub(super) fn read(path: &str, text: &str) -> Option<Manifest> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let manifest = match name {
        "Cargo.toml" => cargo(path, &text.parse().ok()?),
        "package.json" => package(&serde_json::from_str(text).ok()?),
        "pyproject.toml" => project(&text.parse().ok()?),
        "go.mod" => go(text),
        _ => Manifest {
            requirements: text.lines().filter_map(|line| python(line, RequirementKind::Normal)).collect(),
            ..Manifest::default()
        },
    };
    Some(Manifest { path: path.to_owned(), ..manifest })
}

fn cargo(path: &str, table: &toml::Table) -> Manifest {
    let folder = folder_of(path);
    let name = table.get("package").and_then(|package| package.get("name")?.as_str());
    let mut requirements = Vec::new();
    let sections = [
        ("dependencies", RequirementKind::Normal),
        ("build-dependencies", RequirementKind::Build),
        ("dev-dependencies", RequirementKind::Development),
    ];
    let platforms = table.get("target").and_then(toml::Value::as_table);
    let tables = std::iter::once(table)
        .chain(platforms.into_iter().flat_map(toml::Table::values).filter_map(toml::Value::as_table));
    for table in tables {
        for (section, kind) in sections {
            let wanted = table.get(section).and_then(toml::Value::as_table);
            requirements.extend(
                wanted.into_iter().flatten().map(|(name, value)| crate_wanted(folder, name, value, kind)),
            );
        }
    }
    let shared = table.get("workspace").and_then(|workspace| workspace.get("dependencies")?.as_table());
    let shared = shared.into_iter().flatten().map(|(name, value)| {
        let wanted = crate_wanted(folder, name, value, RequirementKind::Normal);
        (wanted.name, wanted.versions)
    });
    let cargo = name.map(|name| cargo_package(folder, name, table));
    Manifest {
        name: name.map(str::to_owned),
        requirements,
        cargo,
        shared: shared.collect(),
        ..Manifest::default()
    }
}

fn crate_wanted(folder: &str, name: &str, value: &toml::Value, kind: RequirementKind) -> Requirement {
    let text = |key: &str| value.get(key).and_then(toml::Value::as_str);
    let versions = value.as_str().or_else(|| text("version")).unwrap_or_default().to_owned();
    let optional = value.get("optional").and_then(toml::Value::as_bool) == Some(true);
    Requirement {
        name: text("package").unwrap_or(name).to_owned(),
        versions,
        kind: if optional { RequirementKind::Optional } else { kind },
        inside: text("path").and_then(|path| join(folder, path)),
    }
}

fn cargo_package(folder: &str, name: &str, table: &toml::Table) -> CargoPackage {
    let inside = |path: &str| join(folder, path).unwrap_or_default();
    let text =
        |value: &toml::Value, key: &str| value.get(key).and_then(toml::Value::as_str).map(str::to_owned);
    let library = table.get("lib");
    let library_path = library
        .and_then(|library| text(library, "path"))
        .map_or_else(|| inside("src/lib.rs"), |path| inside(&path));
    let library_name = library.and_then(|library| text(library, "name")).unwrap_or_else(|| name.to_owned());
    let targets =
        ["bin", "test", "example", "bench"].iter().filter_map(|kind| table.get(*kind)?.as_array()).flatten();
    let mut targets: Vec<String> =
        targets.filter_map(|target| text(target, "path")).map(|path| inside(&path)).collect();
    targets.push(library_path.clone());
    let build = table.get("package").and_then(|package| text(package, "build"));
    targets.extend(build.map(|path| inside(&path)));
    CargoPackage {
        folder: folder.to_owned(),
        library: Some(library_path),
        library_name: library_name.replace('-', "_"),
        targets,
    }
}

fn package(value: &serde_json::Value) -> Manifest {
    let sections = [
        ("dependencies", RequirementKind::Normal),
        ("peerDependencies", RequirementKind::Normal),
        ("optionalDependencies", RequirementKind::Optional),
        ("devDependencies", RequirementKind::Development),
    ];
    let mut requirements = Vec::new();
    for (section, kind) in sections {
        let wanted = value.get(section).and_then(serde_json::Value::as_object);
        requirements.extend(wanted.into_iter().flatten().map(|(name, versions)| Requirement {
            name: name.clone(),
            versions: versions.as_str().unwrap_or_default().to_owned(),
            kind,
            inside: None,
        }));
    }
    let text = |key: &str| value.get(key).and_then(serde_json::Value::as_str).map(str::to_owned);
    Manifest {
        name: text("name"),
        main: text("source").or_else(|| text("module")).or_else(|| text("main")),
        requirements,
        ..Manifest::default()
    }
}

fn project(table: &toml::Table) -> Manifest {
    let project = table.get("project");
    let poetry = table.get("tool").and_then(|tool| tool.get("poetry"));
    let name = project.or(poetry).and_then(|it| it.get("name")?.as_str()).map(str::to_owned);
    let texts = |value: Option<&toml::Value>, kind| {
        let list = value.and_then(toml::Value::as_array).into_iter().flatten();
        list.filter_map(toml::Value::as_str).filter_map(|line| python(line, kind)).collect::<Vec<_>>()
    };
    let mut requirements =
        texts(project.and_then(|project| project.get("dependencies")), RequirementKind::Normal);
    let groups = project.and_then(|project| project.get("optional-dependencies")?.as_table());
    requirements.extend(
        groups
            .into_iter()
            .flat_map(toml::Table::values)
            .flat_map(|list| texts(Some(list), RequirementKind::Optional)),
    );
    let groups = table.get("dependency-groups").and_then(toml::Value::as_table);
    requirements.extend(
        groups
            .into_iter()
            .flat_map(toml::Table::values)
            .flat_map(|list| texts(Some(list), RequirementKind::Development)),
    );
    let wanted = poetry.and_then(|poetry| poetry.get("dependencies")?.as_table());
    let wanted = wanted.into_iter().flatten().filter(|(name, _)| *name != "python");
    requirements.extend(wanted.map(|(name, value)| crate_wanted("", name, value, RequirementKind::Normal)));
    Manifest { name, requirements, ..Manifest::default() }
}

/// A line such as `requests[socks]>=2.0; python_version < "3.9"`.
fn python(line: &str, kind: RequirementKind) -> Option<Requirement> {
    let line = line.split(['#', ';']).next().unwrap_or(line).trim();
    let end =
        line.find(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_' | '.')).unwrap_or(line.len());
    let (name, rest) = line.split_at(end);
    let versions = rest.split_once(']').map_or(rest, |(_, versions)| versions).trim();
    let fits = name.starts_with(char::is_alphanumeric) && !versions.contains("://");
    fits.then(|| Requirement { name: name.to_owned(), versions: versions.to_owned(), kind, inside: None })
}

fn go(text: &str) -> Manifest {
    let (mut manifest, mut in_group) = (Manifest::default(), false);
    for line in text.lines().map(|line| line.split("//").next().unwrap_or(line).trim()) {
        if let Some(name) = line.strip_prefix("module ") {
            manifest.name = Some(name.trim().to_owned());
        }
        let single = line.strip_prefix("require ").filter(|rest| !rest.starts_with('('));
        if let Some((name, versions)) =
            single.or(in_group.then_some(line)).and_then(|wanted| wanted.split_once(' '))
        {
            let (name, versions) = (name.to_owned(), versions.trim().to_owned());
            manifest.requirements.push(Requirement {
                name,
                versions,
                kind: RequirementKind::Normal,
                inside: None,
            });
        }
        in_group = (in_group || line.starts_with("require (")) && line != ")";
    }
    manifest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, text: &str) -> (Option<String>, Vec<String>) {
        let manifest = read(path, text).unwrap();
        let flat = manifest.requirements.iter().map(|wanted| {
            let inside = wanted.inside.as_deref().map(|inside| format!(" in {inside}")).unwrap_or_default();
            format!("{} {} {:?}{inside}", wanted.name, wanted.versions, wanted.kind)
        });
        (manifest.name, flat.collect())
    }

    #[test]
    fn every_kind_of_manifest_is_understood() {
        for (path, text, name, wanted) in [
            (
                "crates/a/Cargo.toml",
                "[package]\nname = \"a\"\n[dependencies]\nb = { path = \"../b\" }\nc = \"1\"\n[target.'cfg(unix)'.dev-dependencies]\nd.workspace = true\n",
                "a",
                vec!["b  Normal in crates/b", "c 1 Normal", "d  Development"],
            ),
            (
                "package.json",
                "{\"name\": \"웹\", \"dependencies\": {\"x\": \"^1\"}, \"devDependencies\": {\"y\": \"*\"}}",
                "웹",
                vec!["x ^1 Normal", "y * Development"],
            ),
            (
                "pyproject.toml",
                "[project]\nname = \"p\"\ndependencies = [\"q[z]>=1; x\", \"r\"]\n[project.optional-dependencies]\ns = [\"t==2\"]\n",
                "p",
                vec!["q >=1 Normal", "r  Normal", "t ==2 Optional"],
            ),
            (
                "go.mod",
                "module example.com/m\n\nrequire example.com/a v1.0.0\nrequire (\n\texample.com/b v2.0.0 // indirect\n)\n",
                "example.com/m",
                vec!["example.com/a v1.0.0 Normal", "example.com/b v2.0.0 Normal"],
            ),
        ] {
            let wanted: Vec<String> = wanted.into_iter().map(str::to_owned).collect();
            assert_eq!(check(path, text), (Some(name.to_owned()), wanted), "{path}");
        }
    }

    #[test]
    fn damaged_manifests_say_nothing() {
        for (path, text) in [("Cargo.toml", "[package"), ("package.json", "{"), ("pyproject.toml", "= 1")] {
            assert!(read(path, text).is_none(), "{path}");
        }
        assert!(
            read("requirements.txt", "# 说明\n-r other.txt\nhttps://a/b\n").unwrap().requirements.is_empty()
        );
    }
}

//! Merging: defaults, then the file, then the environment, then arguments.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::file::{self, Line};
use super::{ConfigError, Origin, Setting, Value};
use crate::suggest;

/// Every setting with its default, annotated for people. No default lives anywhere else.
pub(crate) const DEFAULTS: &str = include_str!("default.toml");

/// So much of a key that means nothing is shown.
const KEY_CHARS_SHOWN: usize = 200;

/// How the name of every variable of this program begins.
const PREFIX: &str = "PERI_";

/// Variables that are no settings but belong to this program. The last one is what the documents call a client's key.
const OTHER_VARIABLES: [&str; 5] = [
    crate::home::VARIABLE,
    super::VARIABLE,
    crate::commands::work::VARIABLE,
    super::encryption::VARIABLE,
    "PERI_KEY",
];

/// Every setting at its default. Which keys exist, and what sort of value each takes, is said by this alone.
pub(super) fn defaults() -> Result<Vec<Setting>, ConfigError> {
    let lines = file::parse(Path::new("default.toml"), DEFAULTS)?;
    let setting = |line: Line| Some(Setting { key: line.key, value: line.value?, origin: Origin::Default });
    Ok(lines.into_iter().filter_map(setting).collect())
}

/// The environment variable of a key.
pub(super) fn variable(key: &str) -> String {
    format!("{PREFIX}{}", key.replace('.', "_").to_uppercase())
}

/// Lays a file over the settings.
pub(super) fn add_file(settings: &mut [Setting], path: &Path, text: &str) -> Result<(), ConfigError> {
    for Line { key, value, line } in file::parse(path, text)? {
        let origin = Origin::File(PathBuf::from(path), line);
        let setting = find(settings, &key, &origin)?;
        let Some(value) = value else {
            return Err(wrong_type(setting, origin));
        };
        put(settings, &key, value, origin)?;
    }
    Ok(())
}

/// Lays the environment over the settings. A variable that is set to nothing counts as not set.
pub(super) fn add_environment(
    settings: &mut [Setting],
    get: impl Fn(&str) -> Option<OsString>,
) -> Result<(), ConfigError> {
    for setting in settings {
        let name = variable(&setting.key);
        let Some(given) = get(&name).filter(|given| !given.is_empty()) else { continue };
        let origin = Origin::Environment(name);
        let Some(value) = given.to_str().and_then(|given| setting.value.like(given)) else {
            return Err(wrong_type(setting, origin));
        };
        (setting.value, setting.origin) = (value, origin);
    }
    Ok(())
}

/// Sets one value, if the key exists and takes such values.
pub(super) fn put(
    settings: &mut [Setting],
    key: &str,
    value: Value,
    origin: Origin,
) -> Result<(), ConfigError> {
    let setting = find(settings, key, &origin)?;
    let Some(value) = setting.value.fitted(value) else {
        return Err(wrong_type(setting, origin));
    };
    (setting.value, setting.origin) = (value, origin);
    Ok(())
}

/// Variables that look like a setting misspelt. They may belong to another program, so they only warn.
pub(super) fn slips(settings: &[Setting], names: &[String]) -> Vec<String> {
    let others = OTHER_VARIABLES.map(ToOwned::to_owned);
    // Settings name the variables in which keys are.
    let named = settings.iter().filter_map(|setting| match &setting.value {
        Value::Text(name) if setting.key.ends_with(".key_variable") => Some(name.clone()),
        _ => None,
    });
    let known: Vec<_> =
        settings.iter().map(|setting| variable(&setting.key)).chain(others).chain(named).collect();
    // What all have in common says nothing about how alike two of them are.
    let bare = || known.iter().filter_map(|name| name.strip_prefix(PREFIX));
    let strange = names.iter().filter(|name| !known.contains(name));
    strange
        .filter_map(|name| {
            let meant = suggest::closest(name.strip_prefix(PREFIX)?, bare())?;
            Some(format!(
                "the environment variable {name} is not known and was ignored; did you mean {PREFIX}{meant}?"
            ))
        })
        .collect()
}

fn find<'a>(settings: &'a mut [Setting], key: &str, origin: &Origin) -> Result<&'a mut Setting, ConfigError> {
    match settings.iter().position(|setting| setting.key == key) {
        Some(at) => Ok(&mut settings[at]),
        None => Err(unknown(settings, key, origin.clone())),
    }
}

fn unknown(settings: &[Setting], key: &str, origin: Origin) -> ConfigError {
    let section = format!("{key}.");
    let hint = if settings.iter().any(|setting| setting.key.starts_with(&section)) {
        format!("{key} is a section: write [{key}] and its keys below")
    } else if let Some(meant) = closest(settings, key) {
        format!("did you mean {meant}? `peri config defaults` lists every key")
    } else {
        "`peri config defaults` lists every key".to_owned()
    };
    // A whole file may stand where a key should; its beginning tells where to look.
    ConfigError::UnknownKey { origin, key: key.chars().take(KEY_CHARS_SHOWN).collect(), hint }
}

/// The key that was meant: one like it, or the same name in another section.
fn closest<'a>(settings: &'a [Setting], key: &str) -> Option<&'a str> {
    let name = |key: &'a str| key.rsplit('.').next().unwrap_or(key);
    let wanted = key.rsplit('.').next().unwrap_or(key);
    let keys = || settings.iter().map(|setting| setting.key.as_str());
    keys().find(|known| name(known) == wanted).or_else(|| suggest::closest(key, keys()))
}

fn wrong_type(setting: &Setting, origin: Origin) -> ConfigError {
    ConfigError::WrongType { origin, key: setting.key.clone(), expected: setting.value.sort() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_a_setting() {
        let lines = file::parse(Path::new("default.toml"), DEFAULTS).unwrap();
        assert_eq!(lines.len(), defaults().unwrap().len());
        assert!(lines.len() > 10);
    }

    #[test]
    fn a_slip_is_told_and_a_stranger_is_left_alone() {
        let mut settings = defaults().unwrap();
        let name = Value::Text("PERI_MODEL_KEY".to_owned());
        put(&mut settings, "embedding.key_variable", name, Origin::Default).unwrap();
        for (name, meant) in [
            ("PERI_HOM", Some("PERI_HOME")),
            ("PERI_CONFG", Some("PERI_CONFIG")),
            ("PERI_RECAL_LIMIT", Some("PERI_RECALL_LIMIT")),
            ("PERI_NAMESPCE", Some("PERI_NAMESPACE")),
            ("PERI_FOO", None),
            ("PERI_SESION", Some("PERI_SESSION")),
            ("PERI_HOME", None),
            ("PERI_SESSION", None),
            ("PERI_KEY", None),
            ("PERI_MODEL_KEY", None),
            ("PATH", None),
        ] {
            let warnings = slips(&settings, &[name.to_owned()]);
            let expected = meant.map(|meant| format!("did you mean {meant}?"));
            match expected {
                Some(expected) => assert!(warnings[0].ends_with(&expected), "{warnings:?}"),
                None => assert_eq!(warnings, [""; 0]),
            }
        }
    }

    #[test]
    fn the_environment_goes_before_the_file_and_bad_values_name_their_key() {
        let mut settings = defaults().unwrap();
        add_file(&mut settings, Path::new("x.toml"), "[recall]\nlimit = 3\nwithout = ['typos']").unwrap();
        add_environment(&mut settings, |name| (name == "PERI_RECALL_LIMIT").then(|| "4".into())).unwrap();
        let limit = settings.iter().find(|setting| setting.key == "recall.limit").unwrap();
        assert_eq!(
            (limit.value.clone(), limit.origin.to_string()),
            (Value::Count(4), "environment PERI_RECALL_LIMIT".into())
        );
        add_file(&mut settings, Path::new("x.toml"), "orbit.weights = { recall = 1, context = 0.5 }")
            .unwrap();
        let value = |key: &str| settings.iter().find(|setting| setting.key == key).unwrap().value.clone();
        assert_eq!(value("orbit.weights.recall"), Value::Number(1.0));
        assert_eq!(value("orbit.weights.context"), Value::Number(0.5));
        for (text, expected) in [
            ("[recall]\nlimt = 3", "x.toml:2: unknown key \"recall.limt\""),
            ("[recall]\nlimit = 'three'", "x.toml:2: recall.limit takes a whole number, zero or more"),
            ("[recall]\nlimit = -1", "x.toml:2: recall.limit takes a whole number, zero or more"),
            ("[orbit]\ncore_min = 'high'", "x.toml:2: orbit.core_min takes a number"),
            ("recall = 3", "x.toml:1: unknown key \"recall\""),
        ] {
            let error = add_file(&mut settings, Path::new("x.toml"), text).unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
    }
}

//! Prompts: texts with places to fill in, which come with the program and which users may override.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// A longer file is taken for a mistake.
const BYTES_MAX: u64 = 256 * 1024;

/// A prompt that comes with the program.
#[derive(Debug, Clone, Copy)]
pub struct PromptFile {
    /// Its name; `observer` is overridden by `observer.md`.
    pub name: &'static str,
    /// Goes up when the text changes.
    pub version: u32,
    /// The text, with places to fill in such as `{{notes}}`.
    pub text: &'static str,
}

/// Where a prompt comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PromptSource {
    /// It comes with the program.
    BuiltIn,
    /// A user's file overrides it.
    File(PathBuf),
}

/// Which prompt was used, as the record of calls shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptStamp {
    /// Its name.
    pub name: String,
    /// The version of the one that comes with the program.
    pub version: u32,
    /// The first 16 digits of the text's BLAKE3 hash.
    pub digest: String,
    /// Where it comes from.
    pub source: PromptSource,
}

/// Why prompts cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PromptError {
    /// A file cannot be read. Look at it, or remove it.
    #[error("the prompt {path} cannot be read: {detail}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        detail: String,
    },
    /// A file overrides nothing. Rename it, or remove it.
    #[error("the prompt {path} overrides nothing: there are {known}")]
    UnknownFile {
        /// The file.
        path: PathBuf,
        /// The prompts there are.
        known: String,
    },
    /// A text has a place to fill in that is malformed. Correct it.
    #[error(
        "the prompt {name} has something in line {line} that is no place to fill in: write it like {{{{notes}}}}"
    )]
    Malformed {
        /// The prompt, or the file that overrides it.
        name: String,
        /// In which line.
        line: usize,
    },
    /// A file has other places to fill in than the prompt it overrides. Correct it.
    #[error("the prompt {path} must have exactly these places to fill in: {wanted}; it has: {found}")]
    OtherPlaces {
        /// The file.
        path: PathBuf,
        /// What has to be there.
        wanted: String,
        /// What is there.
        found: String,
    },
    /// There is no such prompt. This is a mistake in the program: report it.
    #[error("there is no prompt {name}")]
    NoPrompt {
        /// What was asked for.
        name: String,
    },
    /// A place was not filled in, or something was given that has no place. This is a mistake in the program: report
    /// it.
    #[error("the prompt {name} and the program do not agree about {{{{{place}}}}}")]
    Filling {
        /// The prompt.
        name: String,
        /// What is missing or has no place.
        place: String,
    },
}

/// A prompt, ready to be filled in.
#[derive(Debug, Clone)]
pub struct Prompt {
    stamp: PromptStamp,
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Place(String),
}

/// All prompts of the program, by name.
#[derive(Debug, Clone)]
pub struct Prompts(BTreeMap<&'static str, Prompt>);

impl Prompts {
    /// The prompts that come with the program, overridden by the files in a folder if there are some.
    pub fn load(built_in: &[PromptFile], folder: Option<&Path>) -> Result<Self, PromptError> {
        let mut prompts = BTreeMap::new();
        for file in built_in {
            prompts.insert(file.name, Prompt::new(file, file.text, PromptSource::BuiltIn)?);
        }
        for path in folder.map_or(Ok(Vec::new()), overriding)? {
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            let Some(file) = built_in.iter().find(|file| file.name == stem) else {
                let known = built_in.iter().map(|file| file.name).collect::<Vec<_>>().join(", ");
                return Err(PromptError::UnknownFile { path, known });
            };
            let text = read(&path)?;
            let prompt = Prompt::new(file, &text, PromptSource::File(path.clone()))?;
            let (wanted, found) = (prompts[file.name].places(), prompt.places());
            if wanted != found {
                let [wanted, found] = [wanted, found].map(|places| places.join(", "));
                return Err(PromptError::OtherPlaces { path, wanted, found });
            }
            prompts.insert(file.name, prompt);
        }
        Ok(Self(prompts))
    }

    /// The prompt of a name.
    pub fn get(&self, name: &str) -> Result<&Prompt, PromptError> {
        self.0.get(name).ok_or_else(|| PromptError::NoPrompt { name: name.to_owned() })
    }
}

impl Prompt {
    fn new(file: &PromptFile, text: &str, source: PromptSource) -> Result<Self, PromptError> {
        let shown = match &source {
            PromptSource::BuiltIn => file.name.to_owned(),
            PromptSource::File(path) => path.display().to_string(),
        };
        let parts = cut(text).map_err(|line| PromptError::Malformed { name: shown, line })?;
        let digest = blake3::hash(text.as_bytes()).to_hex()[..16].to_owned();
        let stamp = PromptStamp { name: file.name.to_owned(), version: file.version, digest, source };
        Ok(Self { stamp, parts })
    }

    /// Which prompt it is.
    pub fn stamp(&self) -> &PromptStamp {
        &self.stamp
    }

    /// The text with every place filled in. What is filled in is never looked at for places.
    pub fn fill(&self, values: &[(&str, &str)]) -> Result<String, PromptError> {
        let missing =
            |place: &str| PromptError::Filling { name: self.stamp.name.clone(), place: place.to_owned() };
        let places = self.places();
        if let Some((extra, _)) = values.iter().find(|(place, _)| !places.contains(place)) {
            return Err(missing(extra));
        }
        let mut filled = String::new();
        for part in &self.parts {
            filled.push_str(match part {
                Part::Text(text) => text,
                Part::Place(place) => {
                    let value = values.iter().find(|(given, _)| given == place);
                    value.map(|(_, value)| *value).ok_or_else(|| missing(place))?
                }
            });
        }
        Ok(filled)
    }

    /// The names of its places, each once, in order.
    fn places(&self) -> Vec<&str> {
        let mut places: Vec<&str> = self.parts.iter().filter_map(Part::place).collect();
        places.sort_unstable();
        places.dedup();
        places
    }
}

impl Part {
    fn place(&self) -> Option<&str> {
        match self {
            Self::Text(_) => None,
            Self::Place(place) => Some(place),
        }
    }
}

/// Cuts a text at its places; or says in which line one is malformed.
fn cut(text: &str) -> Result<Vec<Part>, usize> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("{{") {
        let line = || text[..text.len() - behind.len()].matches('\n').count() + 1;
        let (place, behind) = behind.split_once("}}").ok_or_else(line)?;
        let is_name = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        if place.is_empty() || !place.bytes().all(is_name) {
            return Err(line());
        }
        parts.push(Part::Text(before.to_owned()));
        parts.push(Part::Place(place.to_owned()));
        rest = behind;
    }
    parts.push(Part::Text(rest.to_owned()));
    Ok(parts)
}

/// The files that override prompts; none if there is no folder.
fn overriding(folder: &Path) -> Result<Vec<PathBuf>, PromptError> {
    let unreadable = |error: std::io::Error| PromptError::Unreadable {
        path: folder.to_owned(),
        detail: error.to_string(),
    };
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(unreadable)?,
    };
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|extension| extension == "md") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

fn read(path: &Path) -> Result<String, PromptError> {
    let unreadable = |detail: String| PromptError::Unreadable { path: path.to_owned(), detail };
    let length = std::fs::metadata(path).map_err(|error| unreadable(error.to_string()))?.len();
    if length > BYTES_MAX {
        return Err(unreadable(format!("it has more than {BYTES_MAX} bytes")));
    }
    let text = peri_private::read_text(path).map_err(|error| unreadable(error.to_string()))?;
    if text.trim().is_empty() {
        return Err(unreadable("it is empty".to_owned()));
    }
    Ok(text)
}

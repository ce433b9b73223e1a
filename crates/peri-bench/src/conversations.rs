//! Conversations with questions and gold answers, stored through the engine as a user would store them.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use perihelion::{MemoryId, Namespace, Perihelion, Remember, Timestamp};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::{Blank, Outcome};

/// One line of a corpus.
#[derive(Deserialize)]
pub(crate) struct Turn {
    pub(crate) id: String,
    pub(crate) session: String,
    pub(crate) time: String,
    pub(crate) speaker: String,
    pub(crate) text: String,
}

/// A question and the turns that answer it.
#[derive(Deserialize)]
pub(crate) struct Question {
    pub(crate) text: String,
    pub(crate) category: String,
    pub(crate) gold: Vec<String>,
}

/// A conversation as its folder holds it.
pub(crate) struct Script {
    pub(crate) name: String,
    pub(crate) namespace: Namespace,
    pub(crate) turns: Vec<Turn>,
    pub(crate) questions: Vec<Question>,
}

/// A conversation that the engine has been told.
pub(crate) struct Conversation {
    pub(crate) name: String,
    pub(crate) namespace: Namespace,
    pub(crate) questions: Vec<Question>,
    /// The memory that holds each turn. Turns that say the same in the same place share one.
    pub(crate) memories: HashMap<String, MemoryId>,
}

/// The folders under `data` that hold a conversation, or `data` itself.
pub(crate) fn folders(data: &Path) -> Outcome<Vec<PathBuf>> {
    if data.join("corpus.jsonl").is_file() {
        return Ok(vec![data.to_owned()]);
    }
    let entries = fs::read_dir(data).map_err(|error| format!("{}: {error}", data.display()))?;
    let mut folders: Vec<_> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    folders.retain(|folder| folder.join("corpus.jsonl").is_file());
    folders.sort();
    if folders.is_empty() {
        Err(format!("{}: no corpus.jsonl here or one level below", data.display()).into())
    } else {
        Ok(folders)
    }
}

/// Reads a conversation.
pub(crate) fn read(folder: &Path) -> Outcome<Script> {
    let name = folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let namespace: Namespace = format!("bench/{name}").parse()?;
    let turns = lines(&folder.join("corpus.jsonl"))?;
    let questions = lines(&folder.join("queries.jsonl"))?;
    Ok(Script { name, namespace, turns, questions })
}

/// Tells the engine a conversation.
pub(crate) fn tell(engine: &Perihelion, folder: &Path, blank: &[Blank]) -> Outcome<Conversation> {
    let Script { name, namespace, turns, questions } = read(folder)?;
    let mut memories = HashMap::new();
    for batch in turns.chunks(512) {
        let requests = batch.iter().map(|turn| request(turn, &namespace, blank)).collect();
        for (turn, receipt) in batch.iter().zip(engine.remember_all(requests)?) {
            memories.insert(turn.id.clone(), receipt.id);
        }
    }
    Ok(Conversation { name, namespace, questions, memories })
}

fn request(turn: &Turn, namespace: &Namespace, blank: &[Blank]) -> Remember {
    let mut request =
        Remember::new(&turn.text).in_namespace(namespace.clone()).said(&turn.session, &turn.speaker);
    request.facets.occurred_at = time(&turn.time);
    for part in blank {
        match part {
            Blank::Speakers => request.facets.speaker = None,
            Blank::Sessions => request.facets.session = None,
            Blank::Times => request.facets.occurred_at = None,
        }
    }
    request
}

/// Times as the sets write them: `1:56 pm on 8 May, 2023`, RFC 3339, `2025-01-31 08:15`, or nothing.
pub(crate) fn time(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(at) = text.parse::<Timestamp>() {
        return Some(at);
    }
    let formats = ["%I:%M %p on %d %B, %Y", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%Y/%m/%d (%a) %H:%M"];
    let civil = formats.iter().find_map(|format| DateTime::strptime(format, text).ok());
    civil.and_then(|civil| civil.to_zoned(TimeZone::UTC).ok()).map(|zoned| zoned.timestamp())
}

/// What each line of a file says.
pub(crate) fn lines<T: DeserializeOwned>(path: &Path) -> Outcome<Vec<T>> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let parsed =
        text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(|(number, line)| {
            serde_json::from_str(line)
                .map_err(|error| format!("{}:{}: {error}", path.display(), number + 1).into())
        });
    parsed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_every_form_the_sets_use() {
        let expected: Timestamp = "2023-05-08T13:56:00Z".parse().unwrap();
        for text in
            ["1:56 pm on 8 May, 2023", "2023-05-08T13:56:00Z", "2023-05-08 13:56", "2023/05/08 (Mon) 13:56"]
        {
            assert_eq!(time(text), Some(expected), "{text}");
        }
        assert_eq!(time(""), None);
    }
}

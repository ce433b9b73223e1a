//! Which patterns an agent was given with which prompt. Whoever is killed before it is written down has given them all the
//! same; then nobody is said to have followed them.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use perihelion::{AgentContext, PatternId, Provenance};
use serde::{Deserialize, Serialize};

use super::positions;

/// Of offers so many bytes are kept; then they begin anew.
const BYTES_MAX: u64 = 256 * 1024;

/// So much of a prompt tells it from others.
const PROMPT_CHARS: usize = 1_000;

/// Patterns that were given with a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Offer {
    prompt: String,
    patterns: Vec<PatternId>,
}

/// What was offered in a session.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Offers(Vec<Offer>);

impl Offers {
    /// The patterns that were given with a prompt.
    pub(super) fn with(&self, prompt: &str) -> Vec<PatternId> {
        let prompt = digest(prompt);
        let offers = self.0.iter().filter(|offer| offer.prompt == prompt);
        let mut patterns: Vec<PatternId> = offers.flat_map(|offer| offer.patterns.clone()).collect();
        patterns.sort();
        patterns.dedup();
        patterns
    }
}

/// Keeps which patterns a context gave; nothing if it gave none.
pub(super) fn keep(
    inbox: &Path,
    transcript: &Path,
    prompt: &str,
    context: &AgentContext,
) -> std::io::Result<()> {
    let given = context.parts.iter().flat_map(|part| &part.given);
    let pattern =
        |from: &Provenance| if let Provenance::Pattern { id, .. } = from { Some(*id) } else { None };
    let patterns: Vec<PatternId> = given.filter_map(|given| pattern(&given.from)).collect();
    if patterns.is_empty() {
        return Ok(());
    }
    add(inbox, transcript, &Offer { prompt: digest(prompt), patterns })
}

fn add(inbox: &Path, transcript: &Path, offer: &Offer) -> std::io::Result<()> {
    let file = file(inbox, transcript);
    if let Some(folder) = file.parent() {
        peri_private::create_folder(folder)?;
    }
    if std::fs::metadata(&file).is_ok_and(|file| file.len() > BYTES_MAX) {
        std::fs::remove_file(&file)?;
    }
    // A line that was cut off before this one stays by itself.
    let line = format!("\n{}\n", serde_json::to_string(offer)?);
    peri_private::file(&file).create(true).append(true).open(file)?.write_all(line.as_bytes())
}

/// What was offered in the session of a transcript. Lines that are not whole are passed over.
pub(super) fn of(inbox: &Path, transcript: &Path) -> Offers {
    let read = peri_private::read_text(file(inbox, transcript)).unwrap_or_default();
    Offers(read.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

/// The session is over.
pub(super) fn clear(inbox: &Path, transcript: &Path) -> std::io::Result<()> {
    match std::fs::remove_file(file(inbox, transcript)) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn digest(prompt: &str) -> String {
    let begin: String = prompt.chars().take(PROMPT_CHARS).collect();
    let words: Vec<&str> = begin.split_whitespace().collect();
    blake3::hash(words.join(" ").as_bytes()).to_hex().as_str().to_owned()
}

fn file(inbox: &Path, transcript: &Path) -> PathBuf {
    positions::file(inbox, transcript).with_extension("offers")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_offered_is_known_by_its_prompt_until_the_session_is_over() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (Path::new("/기록/하나.jsonl"), Path::new("/记录/二.jsonl"));
        let id = |number: u8| PatternId::from_bytes([number; 16]);
        let offer = |prompt: &str, numbers: &[u8]| Offer {
            prompt: digest(prompt),
            patterns: numbers.iter().map(|number| id(*number)).collect(),
        };
        add(folder.path(), one, &offer("로그인을 고쳐 줘", &[2, 1])).unwrap();
        std::fs::OpenOptions::new()
            .append(true)
            .open(file(folder.path(), one))
            .unwrap()
            .write_all(b"{\"prompt\":\"half")
            .unwrap();
        add(folder.path(), one, &offer("修好它", &[3])).unwrap();
        let offers = of(folder.path(), one);
        assert_eq!(offers.with(" 로그인을  고쳐 줘\n"), [id(1), id(2)]);
        assert_eq!(offers.with("修好它"), [id(3)]);
        assert_eq!((offers.with("다른 말"), of(folder.path(), other)), (Vec::new(), Offers::default()));
        clear(folder.path(), one).unwrap();
        assert_eq!(of(folder.path(), one), Offers::default());
    }
}

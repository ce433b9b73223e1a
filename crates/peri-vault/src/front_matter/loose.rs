//! Front matter that is not YAML, key by key: each key that is YAML by itself means what YAML says, and of the others
//! the words count.

use serde_json::{Map, Value};

/// What can be made out. Of a key that stands twice the first counts.
pub(super) fn fields(yaml: &str) -> Map<String, Value> {
    let mut fields = Map::new();
    let mut lines = yaml.lines().peekable();
    while let Some(first) = lines.next() {
        let Some((key, _)) = key_of(first) else { continue };
        let mut block = vec![first];
        while let Some(more) = lines.next_if(|line| line.trim().is_empty() || belongs(line)) {
            block.push(more);
        }
        fields.entry(key).or_insert_with(|| value(&block));
    }
    fields
}

/// The value of a key that stands in these lines: as they are, with spaces for tabs, in one line, or else the words.
fn value(block: &[&str]) -> Value {
    let words: Vec<&str> = block.iter().map(|line| without_remark(line)).collect();
    let whole = block.join("\n");
    let attempts = [whole.clone(), whole.replace('\t', "  "), words.join(" ")];
    let mut read = attempts.iter().filter_map(|attempt| super::fields(attempt).ok());
    if let Some((_, value)) = read.find_map(|own| (own.len() == 1).then_some(own)?.into_iter().next()) {
        return value;
    }
    let words = words.join(" ");
    let words = words.split_once(':').map_or("", |(_, words)| words).trim();
    if words.is_empty() { Value::Null } else { words.into() }
}

/// The key that a line begins with, without its quotes, and what follows the colon.
pub(super) fn key_of(line: &str) -> Option<(String, &str)> {
    let (key, value) = line.split_once(':')?;
    let begins = !key.starts_with([' ', '\t', '#', '-'])
        && (value.is_empty() || value.starts_with(char::is_whitespace));
    let key = key.trim().trim_matches(['"', '\'']);
    (begins && !key.is_empty()).then(|| (key.to_owned(), value))
}

/// Whether a line goes on with what the key above it began.
pub(super) fn belongs(line: &str) -> bool {
    line.starts_with([' ', '\t', ']', '}']) && !line.trim().is_empty()
        || line.starts_with("- ")
        || line.trim_end() == "-"
}

/// A line up to the remark in it, without blank space around it.
pub(super) fn without_remark(line: &str) -> &str {
    line.find(" #").map_or(line, |remark| &line[..remark]).trim()
}

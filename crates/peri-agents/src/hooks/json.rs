//! JSON as agents write it: names in any spelling, text that was cut in the middle of a character.

use serde_json::{Map, Value};

/// Reads JSON, however badly its text is encoded.
pub(super) fn parse(bytes: &[u8]) -> Result<Value, serde_json::Error> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_start_matches('\u{feff}');
    serde_json::from_str(text).or_else(|error| match mended(text) {
        Some(mended) => serde_json::from_str(&mended),
        None => Err(error),
    })
}

/// The text with each half of a surrogate pair that stands alone replaced, as programs write it that cut text after so
/// many UTF-16 units; none if there is no such half.
fn mended(text: &str) -> Option<String> {
    let mut mended = String::with_capacity(text.len());
    let (mut rest, mut changed) = (text, false);
    while let Some(at) = rest.find('\\') {
        mended.push_str(&rest[..at]);
        rest = &rest[at..];
        let taken = match escaped_unit(rest) {
            Some(0xD800..=0xDBFF)
                if matches!(rest.get(6..).and_then(escaped_unit), Some(0xDC00..=0xDFFF)) =>
            {
                12
            }
            Some(0xD800..=0xDFFF) => {
                mended.push_str("\\ufffd");
                changed = true;
                rest = &rest[6..];
                continue;
            }
            Some(_) => 6,
            None => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
        };
        mended.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    mended.push_str(rest);
    changed.then_some(mended)
}

/// The unit of `\uXXXX` that the text begins with.
fn escaped_unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let is_hexadecimal = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    if is_hexadecimal { u16::from_str_radix(digits, 16).ok() } else { None }
}

/// The fields of an object, by their names without case and separators.
pub(super) struct Fields(Map<String, Value>);

impl Fields {
    /// Those of a value; none if it is not an object.
    pub(super) fn of(value: &Value) -> Self {
        let mut fields = Map::new();
        for (name, value) in value.as_object().into_iter().flatten() {
            fields.entry(plain_name(name)).or_insert_with(|| value.clone());
        }
        Self(fields)
    }

    /// The first of these fields that says something, in one line of text or a number.
    pub(super) fn name(&self, names: &[&str]) -> Option<String> {
        names.iter().find_map(|name| match self.0.get(*name)? {
            Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        })
    }

    /// The first of these fields that holds text, as it is or in blocks.
    pub(super) fn text(&self, names: &[&str]) -> Option<String> {
        let texts = names.iter().filter_map(|name| self.0.get(*name)).map(text_of);
        texts.into_iter().find(|text| !text.trim().is_empty())
    }

    /// The first text of a field that is a list, or the field itself, if it says something.
    pub(super) fn first(&self, name: &str) -> Option<String> {
        match self.0.get(name)? {
            Value::Array(all) => all.iter().filter_map(Value::as_str).find(|text| !text.trim().is_empty()),
            Value::String(text) => Some(text.as_str()).filter(|text| !text.trim().is_empty()),
            _ => None,
        }
        .map(str::to_owned)
    }

    /// The fields of a field.
    pub(super) fn inside(&self, name: &str) -> Self {
        self.0.get(name).map_or_else(|| Self(Map::new()), Self::of)
    }
}

/// A name without case, `-` and `_`.
pub(super) fn plain_name(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_')).map(|c| c.to_ascii_lowercase()).collect()
}

/// The text of a message: text itself, or the blocks of it that are text.
pub(super) fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => {
            let texts: Vec<String> = blocks.iter().map(text_of).filter(|text| !text.is_empty()).collect();
            texts.join("\n\n")
        }
        Value::Object(block) => text_of_block(block),
        Value::Null | Value::Bool(_) | Value::Number(_) => String::new(),
    }
}

fn text_of_block(block: &Map<String, Value>) -> String {
    let is_thought = block.get("thought").and_then(Value::as_bool).unwrap_or(false);
    let is_text = block
        .get("type")
        .and_then(Value::as_str)
        .is_none_or(|kind| matches!(plain_name(kind).as_str(), "text" | "inputtext" | "outputtext"));
    let text = block.get("text").and_then(Value::as_str).filter(|_| is_text && !is_thought);
    text.unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_characters_are_replaced_and_whole_ones_stay() {
        let text = r#"{"a":"\ud83d\ude00 \ud83d 한 \ude00","b":"\\ud83d","c":"끝\ud800"}"#;
        let value = parse(text.as_bytes()).unwrap();
        assert_eq!(value["a"], "😀 \u{fffd} 한 \u{fffd}");
        assert_eq!(value["b"], "\\ud83d");
        assert_eq!(value["c"], "끝\u{fffd}");
    }

    #[test]
    fn what_is_no_json_is_refused_however_it_is_mended() {
        for text in ["", "{", "\\", "\\u", "\\ud83d", "{\"a\":\"\\ud83d", "\\u+123", "{\"a\":\"\\한\"}"] {
            assert!(parse(text.as_bytes()).is_err(), "{text}");
        }
        assert_eq!(parse(b"\xEF\xBB\xBF{\"a\":\"\xFF\"}").unwrap()["a"], "\u{fffd}");
    }

    #[test]
    fn only_blocks_of_text_are_text() {
        let content = serde_json::json!([
            {"type": "text", "text": "하나"}, {"type": "thinking", "thinking": "x", "text": "y"}, "둘",
            {"type": "output_text", "text": "三"}, {"text": "넷"}, {"text": "mm", "thought": true},
            {"type": "image"}, 7, null
        ]);
        assert_eq!(text_of(&content), "하나\n\n둘\n\n三\n\n넷");
    }

    #[test]
    fn fields_are_found_in_any_spelling() {
        let fields = Fields::of(&serde_json::json!({
            "sessionId": " 가 ", "workspace-roots": ["", "/집"], "Tool_Info": {"userPrompt": "x"}, "n": 7, "empty": ""
        }));
        assert_eq!(fields.name(&["none", "sessionid"]), Some("가".to_owned()));
        assert_eq!(fields.name(&["n"]), Some("7".to_owned()));
        assert_eq!(fields.name(&["empty", "workspaceroots"]), None);
        assert_eq!(fields.first("workspaceroots"), Some("/집".to_owned()));
        assert_eq!(fields.first("empty"), None);
        assert_eq!(fields.inside("toolinfo").text(&["userprompt"]), Some("x".to_owned()));
        assert_eq!(fields.inside("n").text(&["userprompt"]), None);
    }
}

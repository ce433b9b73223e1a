//! Reads one JSON value at the beginning of a text. Commas before a closing bracket and line ends within strings are
//! put up with.

use serde_json::{Map, Value};

/// Deeper nesting is taken for nonsense.
const DEPTH_MAX: usize = 100;

/// Why reading stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The text ends before the value does.
    Cut,
    /// This is no JSON.
    Broken {
        /// Where.
        at: usize,
        /// What was expected.
        what: &'static str,
        /// Whether a field was begun before, so that it was meant to be JSON.
        begun: bool,
    },
}

/// The value at the beginning of a text, and where it ends.
pub(crate) fn read(text: &str) -> Result<(Value, usize), Stop> {
    let mut reader = Reader { text, at: 0, begun: false, depth: 0 };
    let value = reader.value()?;
    Ok((value, reader.at))
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    begun: bool,
    depth: usize,
}

impl Reader<'_> {
    fn value(&mut self) -> Result<Value, Stop> {
        match self.peek()? {
            b'{' => self.nested(Self::object),
            b'[' => self.nested(Self::array),
            b'"' => self.string().map(Value::String),
            b'-' | b'0'..=b'9' => self.number(),
            _ => self.word(),
        }
    }

    fn nested(&mut self, inner: fn(&mut Self) -> Result<Value, Stop>) -> Result<Value, Stop> {
        if self.depth == DEPTH_MAX {
            // Nor is there anything further inside.
            self.begun = true;
            return self.broken("less nesting was expected");
        }
        self.depth += 1;
        self.at += 1;
        let value = inner(self);
        self.depth -= 1;
        value
    }

    fn object(&mut self) -> Result<Value, Stop> {
        let mut fields = Map::new();
        loop {
            match self.peek()? {
                b'}' => break,
                b'"' => {}
                _ => return self.broken("a field's name in quotes was expected"),
            }
            let name = self.string()?;
            if self.peek()? != b':' {
                return self.broken("a colon was expected");
            }
            self.at += 1;
            self.begun = true;
            let value = self.value()?;
            fields.insert(name, value);
            match self.peek()? {
                b',' => self.at += 1,
                b'}' => break,
                _ => return self.broken("a comma or a closing brace was expected"),
            }
        }
        self.at += 1;
        Ok(Value::Object(fields))
    }

    fn array(&mut self) -> Result<Value, Stop> {
        let mut items = Vec::new();
        while self.peek()? != b']' {
            items.push(self.value()?);
            match self.peek()? {
                b',' => self.at += 1,
                b']' => break,
                _ => return self.broken("a comma or a closing bracket was expected"),
            }
        }
        self.at += 1;
        Ok(Value::Array(items))
    }

    fn string(&mut self) -> Result<String, Stop> {
        let bytes = self.text.as_bytes();
        let start = self.at;
        let mut end = start + 1;
        loop {
            match bytes.get(end) {
                None => return Err(Stop::Cut),
                Some(b'"') => break,
                Some(b'\\') => end += 2,
                Some(_) => end += 1,
            }
        }
        let written = &self.text[start..=end];
        match serde_json::from_str(&escaped(written)) {
            Ok(string) => {
                self.at = end + 1;
                Ok(string)
            }
            Err(_) => self.broken("a string with known escapes was expected"),
        }
    }

    fn number(&mut self) -> Result<Value, Stop> {
        let is_part = |byte: &u8| matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9');
        let rest = &self.text[self.at..];
        let length = rest.bytes().take_while(is_part).count();
        match serde_json::from_str(&rest[..length]) {
            Ok(number) => {
                self.at += length;
                Ok(Value::Number(number))
            }
            Err(_) if length == rest.len() => Err(Stop::Cut),
            Err(_) => self.broken("a number was expected"),
        }
    }

    fn word(&mut self) -> Result<Value, Stop> {
        let rest = &self.text[self.at..];
        for (word, value) in
            [("true", Value::Bool(true)), ("false", Value::Bool(false)), ("null", Value::Null)]
        {
            if rest.starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
            if word.starts_with(rest) {
                return Err(Stop::Cut);
            }
        }
        self.broken("a value was expected")
    }

    /// The next byte that is not space.
    fn peek(&mut self) -> Result<u8, Stop> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text.as_bytes().get(self.at).copied().ok_or(Stop::Cut)
    }

    fn broken<T>(&self, what: &'static str) -> Result<T, Stop> {
        Err(Stop::Broken { at: self.at, what, begun: self.begun })
    }
}

/// A string as it was written, with its raw control characters escaped.
fn escaped(written: &str) -> String {
    let mut escaped = String::with_capacity(written.len());
    for c in written.chars() {
        match c {
            '\0'..='\x1F' => escaped.push_str(&format!("\\u{:04x}", u32::from(c))),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_models_get_wrong_in_json_is_put_up_with() {
        for (text, value) in [
            (r#"{"a": [1, 2,], "b": {"c": null,},}"#, json!({"a": [1, 2], "b": {"c": null}})),
            ("{\"a\": \"두 줄\n입니다\t\"}", json!({"a": "두 줄\n입니다\t"})),
            (r#"{"a":"\"\\\n가"} behind"#, json!({"a": "\"\\\n가"})),
            ("[-1.5e3, true, false]", json!([-1.5e3, true, false])),
        ] {
            assert_eq!(read(text).map(|(value, _)| value), Ok(value), "{text}");
        }
    }

    #[test]
    fn what_is_broken_says_where_and_whether_it_was_meant_to_be_json() {
        let stop = |text| match read(text) {
            Err(Stop::Broken { at, begun, .. }) => (at, begun),
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(stop("{name}"), (1, false));
        assert_eq!(stop("[see below]"), (1, false));
        assert_eq!(stop(r#"{"a": 1 "b": 2}"#), (8, true));
        assert_eq!(stop(r#"{"a": 1,, "b": 2}"#), (8, true));
        assert_eq!(stop(r#"{"a": "\x"}"#), (6, true));
        assert_eq!(stop(r#"{"a" 1}"#), (5, false));
        assert_eq!(stop("[1.2.3]"), (1, false));
        assert_eq!(stop(&"[".repeat(101)), (100, true));
    }
}

//! What a document says about itself between two lines of dashes: reading it, and changing a key of it while every
//! other byte stays as it was. There is no other reader of front matter: the vault and the imports share this one.

mod change;
mod loose;
mod values;

use std::ops::Range;

use serde_json::{Map, Value};

pub use change::{with, with_body};
pub use values::{list, text};

/// The mark that some editors put before the first character.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The front matter of a document.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FrontMatter {
    /// What it says, by key.
    pub fields: Map<String, Value>,
    /// Why there seems to be one and it is not YAML. The whole document is its body then, unless it was read loosely.
    pub problem: Option<String>,
    /// Where its YAML stands in the document; none if there is no front matter.
    pub yaml: Option<Range<usize>>,
    /// Where the body begins.
    pub body_at: usize,
}

/// Reads the front matter off the beginning of a document.
pub fn read(text: &str) -> FrontMatter {
    let start = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 };
    let none = FrontMatter { body_at: start, ..FrontMatter::default() };
    let Some((yaml, body_at)) = bounds(text, start) else { return none };
    match fields(&text[yaml.clone()]) {
        Ok(fields) => FrontMatter { fields, problem: None, yaml: Some(yaml), body_at },
        Err(why) => FrontMatter { problem: Some(why), ..none },
    }
}

/// Reads it as [`read`] does, but what is not YAML key by key: for notes of other programs, which nobody mends before
/// they are taken over. Where no key can be made out either, the whole document is its body.
pub fn read_loosely(text: &str) -> FrontMatter {
    let front = read(text);
    if front.problem.is_none() {
        return front;
    }
    let Some((yaml, body_at)) = bounds(text, front.body_at) else { return front };
    let fields = loose::fields(&text[yaml.clone()]);
    if fields.is_empty() {
        return front;
    }
    FrontMatter { fields, yaml: Some(yaml), body_at, ..front }
}

impl FrontMatter {
    /// What stands behind a key in its own line, without quotes or a remark: as YAML, `1.10` is 1.1 and `007` is 7.
    pub fn written<'a>(&self, document: &'a str, key: &str) -> Option<&'a str> {
        let lines = document.get(self.yaml.clone()?)?.lines();
        let mut found = lines.filter_map(|line| loose::key_of(line).filter(|(own, _)| own == key));
        found.next().map(|(_, value)| loose::without_remark(value))
    }
}

/// Where the YAML stands, and where the body begins after it.
fn bounds(text: &str, start: usize) -> Option<(Range<usize>, usize)> {
    let mut lines = text[start..].split_inclusive('\n');
    let first = lines.next()?;
    if first.trim_end() != "---" {
        return None;
    }
    let begin = start + first.len();
    let mut at = begin;
    for line in lines {
        if matches!(line.trim_end(), "---" | "...") {
            return Some((begin..at, at + line.len()));
        }
        at += line.len();
    }
    None
}

fn fields(yaml: &str) -> Result<Map<String, Value>, String> {
    if yaml.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#')) {
        return Ok(Map::new());
    }
    match serde_saphyr::from_str::<Value>(yaml) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(Value::Null) => Ok(Map::new()),
        Ok(_) => Err("the front matter is not a list of keys with values".to_owned()),
        Err(error) => {
            let error = error.to_string();
            let first = error.lines().next().unwrap_or_default().trim().to_owned();
            Err(format!("the front matter is not YAML: {first}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn it_is_read_with_every_sort_of_value() {
        let text = "---\ntitle: \"Coffee: how\" # a remark\ntags: [커피, \"a, b\"]\naliases:\n  - 咖啡\nnested:\n  key: 3\npinned: true\n---\nbody\n";
        let front = read(text);
        let expected = json!({
            "title": "Coffee: how", "tags": ["커피", "a, b"], "aliases": ["咖啡"], "nested": { "key": 3 }, "pinned": true
        });
        assert_eq!((Value::Object(front.fields), front.problem), (expected, None));
        assert_eq!(&text[front.body_at..], "body\n");
    }

    #[test]
    fn what_is_no_front_matter_is_body_and_what_cannot_be_read_says_why() {
        for text in ["", "body", "---", "---\ntitle: x\n", "----\na: b\n---\n", " ---\na: b\n---\n"] {
            let front = read(text);
            assert_eq!((front.body_at, front.problem, front.fields.len()), (0, None, 0), "{text:?}");
        }
        for text in [
            "---\na: [1\n---\nbody",
            "---\n- a\n---\nbody",
            "---\na: b: c\n---\nbody",
            "---\njust words\n---\n",
        ] {
            let front = read(text);
            assert!(
                front.body_at == 0 && front.problem.is_some_and(|why| why.contains("front matter")),
                "{text:?}"
            );
        }
        assert_eq!(read("---\n---\nbody").body_at, 8);
        assert_eq!(read("---\n# nothing yet\n---\nbody").problem, None);
    }

    #[test]
    fn a_byte_order_mark_and_windows_line_ends_are_no_trouble() {
        let text = "\u{feff}---\r\ntitle: x\r\n---\r\nbody";
        let front = read(text);
        assert_eq!((front.fields["title"].as_str(), &text[front.body_at..]), (Some("x"), "body"));
        let changed = with(text, &[("pinned".to_owned(), Some(json!(true)))]);
        assert_eq!(changed, "\u{feff}---\r\ntitle: x\r\npinned: true\r\n---\r\nbody");
        assert_eq!(read("\u{feff}body").body_at, 3);
    }

    #[test]
    fn what_is_not_yaml_is_read_key_by_key_when_somebody_asks_for_that() {
        let text = "\u{feff}---\r\ntitle: Coffee: how # a remark\r\n제목: 좋은 커피\r\ntags:\r\n\t- 커피\r\n\t- 茶\r\nlong: [a,\r\n  b\r\n]\r\ncreated: 2024-01-05\r\nabout: it: says\r\n  more\r\nempty:\r\n---\r\nbody";
        assert!(read(text).problem.is_some());
        let front = read_loosely(text);
        let expected = json!({
            "title": "Coffee: how", "제목": "좋은 커피", "tags": ["커피", "茶"], "long": ["a", "b"],
            "created": "2024-01-05", "about": "it: says more", "empty": null,
        });
        assert_eq!((Value::Object(front.fields), &text[front.body_at..]), (expected, "body"));
        assert!(front.problem.is_some_and(|why| why.contains("not YAML")));
    }

    #[test]
    fn loosely_too_what_has_no_end_or_no_keys_is_body() {
        for text in ["", "---", "---\ntitle: x: y\n", "---\njust words\n---\nbody", "---\n- a\n---\nbody"] {
            let front = read_loosely(text);
            assert_eq!((front.body_at, front.fields.len(), front.yaml), (0, 0, None), "{text:?}");
        }
        assert_eq!(read_loosely("---\na: [1, 2]\n---\nbody"), read("---\na: [1, 2]\n---\nbody"));
    }

    #[test]
    fn a_value_can_be_had_as_it_was_written() {
        let text = "---\nversion: 1.10 # so far\n'제목': 007\ntags: [a]\n---\n";
        let front = read(text);
        assert_eq!(front.written(text, "version"), Some("1.10"));
        assert_eq!(front.written(text, "제목"), Some("007"));
        assert_eq!(front.written(text, "none"), None);
        assert_eq!(read("version: 1").written("version: 1", "version"), None);
    }

    proptest! {
        #[test]
        fn no_text_makes_reading_panic(text in "(---\n)?[ a-z:\\[\\]{}'\"#|>&*!%@`\\-\n\t]{0,80}(\n---\n)?.{0,20}") {
            for front in [read(&text), read_loosely(&text)] {
                prop_assert!(text.is_char_boundary(front.body_at));
            }
        }
    }
}

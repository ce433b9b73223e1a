//! Changing a key of the front matter while every other byte of the document stays as it was.

use serde_json::Value;

use super::loose::belongs;
use super::{fields, read};

/// The document with other values under some keys; `None` takes a key away. What nobody named stays byte for byte, the
/// body included. Front matter that cannot be read is part of the body, and another one is put before it.
pub fn with(text: &str, changes: &[(String, Option<Value>)]) -> String {
    let front = read(text);
    let changes: Vec<_> =
        changes.iter().filter(|(key, value)| front.fields.get(key) != value.as_ref()).collect();
    if changes.is_empty() {
        return text.to_owned();
    }
    let mut expected = front.fields.clone();
    for (key, value) in &changes {
        match value {
            Some(value) => expected.insert(key.clone(), value.clone()),
            None => expected.remove(key),
        };
    }
    let ending = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let Some(yaml) = front.yaml else {
        let lines: String = expected.iter().map(|(key, value)| line(key, value, ending)).collect();
        let (mark, body) = text.split_at(front.body_at);
        let begin = if lines.is_empty() { String::new() } else { format!("---{ending}{lines}---{ending}") };
        return format!("{mark}{begin}{body}");
    };
    let (before, after) = (&text[..yaml.start], &text[yaml.end..]);
    let mut inner = text[yaml].to_owned();
    for (key, value) in &changes {
        inner = replaced(&inner, key, value.as_ref(), ending);
    }
    if fields(&inner).ok().as_ref() != Some(&expected) {
        // Written in a way that lines cannot be exchanged in: all keys anew, and no value is lost.
        inner = expected.iter().map(|(key, value)| line(key, value, ending)).collect();
    }
    format!("{before}{inner}{after}")
}

/// The document with another body.
pub fn with_body(text: &str, body: &str) -> String {
    format!("{}{body}", &text[..read(text).body_at])
}

/// The lines with a key's lines exchanged, or with new ones at the end.
fn replaced(yaml: &str, key: &str, value: Option<&Value>, ending: &str) -> String {
    let mut lines = yaml.split_inclusive('\n').peekable();
    let (mut out, mut done) = (String::new(), false);
    while let Some(own) = lines.next() {
        if !begins(own, key) {
            out.push_str(own);
            continue;
        }
        while lines.peek().is_some_and(|next| belongs(next)) {
            lines.next();
        }
        if let (Some(value), false) = (value, done) {
            out.push_str(&line(key, value, ending));
        }
        done = true;
    }
    if let (Some(value), false) = (value, done) {
        if !out.is_empty() && !out.ends_with('\n') {
            out.push_str(ending);
        }
        out.push_str(&line(key, value, ending));
    }
    out
}

fn begins(line: &str, key: &str) -> bool {
    let quoted = [format!("{key}:"), format!("\"{key}\":"), format!("'{key}':")];
    quoted.iter().any(|begin| {
        line.strip_prefix(begin.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
    })
}

/// A key with its value. JSON is YAML too, and says every value on one line.
fn line(key: &str, value: &Value, ending: &str) -> String {
    let plain = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
    let plain = plain && key.starts_with(char::is_alphabetic);
    let key = if plain { key.to_owned() } else { Value::from(key).to_string() };
    format!("{key}: {}{ending}", flow(value))
}

fn flow(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", "))
        }
        Value::Object(fields) => {
            let fields: Vec<_> = fields
                .iter()
                .map(|(key, item)| format!("{}: {}", Value::from(key.as_str()), flow(item)))
                .collect();
            format!("{{{}}}", fields.join(", "))
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn changing_a_key_leaves_every_other_byte_as_it_was() {
        let text =
            "---\n# mine\nfoo:   'bar'   # odd\ntags:\n  - a\n  - b\n\nurl: http://x/#y\n---\n# Body\n";
        let changed = with(text, &[("tags".to_owned(), Some(json!(["커피"])))]);
        assert_eq!(
            changed,
            "---\n# mine\nfoo:   'bar'   # odd\ntags: [\"커피\"]\n\nurl: http://x/#y\n---\n# Body\n"
        );
        assert_eq!(with(text, &[("tags".to_owned(), Some(json!(["a", "b"])))]), text);
        let without = with(text, &[("tags".to_owned(), None), ("foo".to_owned(), None)]);
        assert_eq!(without, "---\n# mine\n\nurl: http://x/#y\n---\n# Body\n");
    }

    #[test]
    fn a_document_without_front_matter_gets_one_and_flow_style_loses_nothing() {
        assert_eq!(with("body", &[("pinned".to_owned(), Some(json!(true)))]), "---\npinned: true\n---\nbody");
        let changed = with("---\n{a: 1, b: 2}\n---\nbody", &[("b".to_owned(), Some(json!(3)))]);
        assert_eq!(Value::Object(read(&changed).fields), json!({ "a": 1, "b": 3 }));
        let broken = with("---\na: [1\n---\nbody", &[("pinned".to_owned(), Some(json!(true)))]);
        assert_eq!(broken, "---\npinned: true\n---\n---\na: [1\n---\nbody");
        assert_eq!(with_body("---\na: 1\n---\nold", "new"), "---\na: 1\n---\nnew");
    }

    proptest! {
        #[test]
        fn what_is_written_under_a_key_is_read_back(text in "\\PC{0,40}", key in "[a-z가-힣]{1,8}", value in "\\PC{0,30}") {
            prop_assume!(!text.starts_with("---"));
            let changed = with(&text, &[(key.clone(), Some(Value::from(value.clone())))]);
            let front = read(&changed);
            prop_assert_eq!(front.fields.get(&key), Some(&Value::from(value)), "{}", changed);
            prop_assert_eq!(&changed[front.body_at..], text.trim_start_matches('\u{feff}'));
        }
    }
}

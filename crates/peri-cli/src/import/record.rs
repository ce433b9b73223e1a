//! One line of JSON as a request to remember.

use perihelion::{Circumstance, Context, Importance, Remember, Timestamp};
use serde_json::{Map, Value};

use crate::{suggest, time};

/// Every key that a line may have.
const KEYS: [&str; 21] = [
    "content",
    "text",
    "namespace",
    "kind",
    "layer",
    "importance",
    "tags",
    "aliases",
    "session",
    "speaker",
    "source",
    "occurred_at",
    "time",
    "expires_at",
    "valid_from",
    "valid_until",
    "pinned",
    "context",
    "data",
    "metadata",
    "id",
];

/// Keys that mean the same.
const TWINS: [(&str, &str); 2] = [("content", "text"), ("occurred_at", "time")];

/// The request of a line. What the line leaves out is as in the template.
pub(crate) fn parse(line: &str, template: &Remember) -> Result<Remember, String> {
    let map = match serde_json::from_str(line) {
        Ok(Value::Object(map)) => map,
        Ok(_) => return Err("it is not a JSON object".to_owned()),
        Err(error) => return Err(not_json(&error)),
    };
    for (one, other) in TWINS {
        if map.contains_key(one) && map.contains_key(other) {
            return Err(format!("{one} and {other} mean the same; give one of them"));
        }
    }
    let mut request = template.clone();
    request.content.clear();
    for (key, value) in map {
        set(&mut request, &key, value)?;
    }
    Ok(request)
}

/// What the parser says, without its own count of lines: it sees only this one.
pub(super) fn not_json(error: &serde_json::Error) -> String {
    let said = error.to_string();
    let message = said.split(" at line ").next().unwrap_or(&said);
    format!("it is not JSON: {message} at column {}", error.column())
}

fn set(request: &mut Remember, key: &str, value: Value) -> Result<(), String> {
    // What is null might as well have been left out.
    if value.is_null() && KEYS.contains(&key) {
        return Ok(());
    }
    let facets = &mut request.facets;
    match key {
        "content" | "text" => request.content = text(key, value)?,
        "namespace" => request.namespace = parsed(key, value)?,
        "kind" => request.kind = Some(parsed(key, value)?),
        "layer" => request.layer = Some(parsed(key, value)?),
        "importance" => request.importance = Some(importance(&value)?),
        "tags" => facets.tags.extend(texts(key, value)?),
        "aliases" => facets.aliases.extend(texts(key, value)?),
        "session" => facets.session = Some(text(key, value)?),
        "speaker" => facets.speaker = Some(text(key, value)?),
        "source" => facets.source = Some(text(key, value)?),
        "occurred_at" | "time" => facets.occurred_at = Some(timed(key, value, time::past)?),
        "expires_at" => facets.expires_at = Some(timed(key, value, time::future)?),
        "valid_from" => facets.valid_from = Some(timed(key, value, time::past)?),
        "valid_until" => facets.valid_until = Some(timed(key, value, time::through)?),
        "pinned" => facets.pinned = value.as_bool().ok_or("pinned must be true or false")?,
        "context" => context(&mut facets.context, value)?,
        "data" => facets.data = Some(value),
        "metadata" => facets.metadata = object(value)?,
        "id" => request.id = Some(parsed(key, value)?),
        _ => return Err(unknown(key)),
    }
    Ok(())
}

fn unknown(key: &str) -> String {
    match suggest::closest(key, KEYS) {
        Some(meant) => format!("unknown key {key:?}; did you mean {meant:?}?"),
        None => format!("unknown key {key:?} (known: {})", KEYS.join(", ")),
    }
}

fn text(key: &str, value: Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text),
        _ => Err(format!("{key} must be a text")),
    }
}

fn texts(key: &str, value: Value) -> Result<Vec<String>, String> {
    match value {
        Value::Array(items) => items.into_iter().map(|item| text(key, item)).collect(),
        _ => Err(format!("{key} must be a list of texts")),
    }
}

fn parsed<T: std::str::FromStr<Err: std::fmt::Display>>(key: &str, value: Value) -> Result<T, String> {
    text(key, value)?.parse().map_err(|error: T::Err| error.to_string())
}

fn timed(key: &str, value: Value, read: fn(&str) -> Result<Timestamp, String>) -> Result<Timestamp, String> {
    read(&text(key, value)?).map_err(|error| format!("{key}: {error}"))
}

fn importance(value: &Value) -> Result<Importance, String> {
    let number = value.as_f64().ok_or("importance must be a number between 0 and 1")?;
    Importance::new(number).map_err(|error| error.to_string())
}

/// Circumstances, as export writes them or as people do: `{"spatial":{"place":"office"}}`, or a list of texts such as
/// `spatial.place=office`.
fn context(context: &mut Context, value: Value) -> Result<(), String> {
    let given: Vec<Circumstance> = match value {
        Value::Array(items) => {
            items.into_iter().map(|item| parsed("context", item)).collect::<Result<_, _>>()?
        }
        value => {
            let given: Context =
                serde_json::from_value(value).map_err(|error| format!("context: {error}"))?;
            given.circumstances().collect()
        }
    };
    given.into_iter().for_each(|one| context.add(one));
    Ok(())
}

fn object(value: Value) -> Result<Map<String, Value>, String> {
    match value {
        Value::Object(map) => Ok(map),
        _ => Err("metadata must be an object".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_overrides_the_template_and_a_bad_one_says_why() {
        let template = Remember::new("unused").tags(["import"]);
        let request =
            parse(r#"{"text":"tea","tags":["drink"],"kind":"preference","speaker":null}"#, &template)
                .unwrap();
        assert_eq!((request.content.as_str(), request.facets.tags.len()), ("tea", 2));
        for (line, expected) in [
            ("[1]", "it is not a JSON object"),
            ("{", "it is not JSON: EOF while parsing an object at column 1"),
            (r#"{"contnet":"x"}"#, r#"did you mean "content"?"#),
            (r#"{"content":"x","zzz":1}"#, "known: content"),
            (r#"{"content":1}"#, "content must be a text"),
            (r#"{"content":"x","text":"y"}"#, "mean the same"),
            (r#"{"content":"x","importance":2}"#, "importance 2 is not between 0 and 1"),
            (r#"{"content":"x","kind":"opinion"}"#, "unknown kind"),
            (r#"{"content":"x","namespace":"a b"}"#, "is not a namespace"),
            (r#"{"content":"x","time":"soon"}"#, "time: \"soon\" is not a time"),
            (r#"{"content":"x","id":"7"}"#, "is not a memory id"),
            (r#"{"content":"x","tags":"y"}"#, "tags must be a list"),
            (r#"{"content":"x","context":["place=office"]}"#, "is not a circumstance"),
            (r#"{"content":"x","context":{"lunar":{}}}"#, "context: unknown field"),
            (r#"{"content":"x","context":[1]}"#, "context must be a text"),
        ] {
            let error = parse(line, &template).unwrap_err();
            assert!(error.contains(expected), "{line}: {error}");
        }
    }

    #[test]
    fn a_line_tells_circumstances_and_structure() {
        let template = Remember::default();
        for line in [
            r#"{"data":{"concept":"김치"},"context":{"spatial":{"place":"사무실"},"social":{"with":"小李"}}}"#,
            r#"{"data":{"concept":"김치"},"context":["spatial.place=사무실","social.with=小李"]}"#,
        ] {
            let facets = parse(line, &template).unwrap().facets;
            assert_eq!(facets.data, Some(serde_json::json!({"concept": "김치"})));
            let told: Vec<_> = facets.context.circumstances().map(|one| one.to_string()).collect();
            assert_eq!(told, ["spatial.place=사무실", "social.with=小李"]);
        }
    }
}

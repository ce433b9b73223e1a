//! Finds the JSON that was asked for in what a model wrote.
//!
//! Models put it into code fences, write words around it, think aloud before it, and leave commas behind. All that is
//! put up with. What is cut, broken, missing or said twice with a difference is an error: half an answer is worse than
//! none.

mod reader;
mod reasoning;
#[cfg(test)]
mod tests;

use serde_json::Value;

pub(crate) use reasoning::without_reasoning;

use reader::{Stop, read};

/// Why there is no JSON in what a model wrote. It does not repeat what was written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// Nothing was written.
    #[error("it is empty")]
    Empty,
    /// It ends in the middle. Allow more tokens.
    #[error("it ends in the middle")]
    Cut,
    /// There are only words.
    #[error("it holds no JSON")]
    NoJson,
    /// There is something like JSON, but it is not.
    #[error("its JSON is broken at byte {at}: {what}")]
    Broken {
        /// Where.
        at: usize,
        /// What was expected there.
        what: &'static str,
    },
    /// There is JSON, but not of the kind that was asked for.
    #[error("its JSON is not {wanted}")]
    OtherKind {
        /// What was asked for.
        wanted: &'static str,
    },
    /// A field is missing that was asked for.
    #[error("its JSON has no field `{field}`")]
    Lacking {
        /// The field.
        field: String,
    },
    /// It says different things, and nobody can tell which is meant.
    #[error("it holds {count} different JSON values")]
    Ambiguous {
        /// How many.
        count: usize,
    },
}

/// So many different values are counted in one answer.
const DIFFERENT_MAX: usize = 64;

/// What is looked for, as far as a schema tells at first sight.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Shape {
    kind: Option<Kind>,
    required: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Object,
    Array,
}

impl Shape {
    /// The shape that a JSON schema asks for.
    pub(crate) fn of(schema: &Value) -> Self {
        let kind = match schema.get("type").and_then(Value::as_str) {
            Some("object") => Some(Kind::Object),
            Some("array") => Some(Kind::Array),
            _ => None,
        };
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        Self { kind, required: required.filter_map(Value::as_str).map(str::to_owned).collect() }
    }

    pub(crate) fn check(&self, value: &Value) -> Result<(), Unreadable> {
        match self.kind {
            Some(Kind::Object) if !value.is_object() => {
                return Err(Unreadable::OtherKind { wanted: "an object" });
            }
            Some(Kind::Array) if !value.is_array() => {
                return Err(Unreadable::OtherKind { wanted: "an array" });
            }
            _ => {}
        }
        match self.required.iter().find(|field| value.get(field.as_str()).is_none()) {
            Some(field) => Err(Unreadable::Lacking { field: field.clone() }),
            None => Ok(()),
        }
    }
}

/// The one value of this shape in what a model wrote.
pub(crate) fn find(text: &str, shape: &Shape) -> Result<Value, Unreadable> {
    let text = without_reasoning(text).ok_or(Unreadable::Cut)?.trim();
    if text.is_empty() {
        return Err(Unreadable::Empty);
    }
    match read(text) {
        Ok((value, end)) if text[end..].trim().is_empty() => shape.check(&value).map(|()| value),
        Err(Stop::Cut) => Err(Unreadable::Cut),
        _ => among(text, shape),
    }
}

/// The value of this shape that stands between words. Those without content are figures of speech.
fn among(text: &str, shape: &Shape) -> Result<Value, Unreadable> {
    let mut fitting: Vec<Value> = Vec::new();
    let (mut at, mut wrong) = (0, None);
    while let Some(next) = text[at..].find(['{', '[']) {
        let start = at + next;
        match read(&text[start..]) {
            Ok((value, end)) => {
                at = start + end;
                if is_empty(&value) {
                    continue;
                }
                match shape.check(&value) {
                    Ok(()) if !fitting.contains(&value) => fitting.push(value),
                    Ok(()) => {}
                    Err(error) => wrong = Some(error),
                }
                // So many are as good as any number, and comparing all of a long list would not come to an end.
                if fitting.len() == DIFFERENT_MAX {
                    break;
                }
            }
            Err(Stop::Cut) => return Err(Unreadable::Cut),
            // Within what is broken there may be whole parts; none of them is the answer.
            Err(Stop::Broken { at, what, begun: true }) => {
                return Err(Unreadable::Broken { at: start + at, what });
            }
            Err(Stop::Broken { .. }) => at = start + 1,
        }
    }
    match fitting.len() {
        0 => Err(wrong.unwrap_or(Unreadable::NoJson)),
        1 => Ok(fitting.remove(0)),
        count => Err(Unreadable::Ambiguous { count }),
    }
}

fn is_empty(value: &Value) -> bool {
    value.as_array().is_some_and(Vec::is_empty) || value.as_object().is_some_and(serde_json::Map::is_empty)
}

//! Taking secrets out of a request, and telling about it.

use std::borrow::Cow;

use peri_types::{Aspect, Context, Facets};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A sort of secret that was taken out, and how many of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RedactedSecret {
    /// What it looked like, such as `github-token`.
    pub kind: String,
    /// How many there were.
    pub count: usize,
}

/// Takes the secrets out of a text and counts them.
pub(crate) fn redact_text(text: &mut String, found: &mut Vec<RedactedSecret>) {
    let redacted = peri_text::redact(text);
    for finding in &redacted.found {
        let kind = finding.kind.name().to_owned();
        match found.iter_mut().find(|secret| secret.kind == kind) {
            Some(secret) => secret.count += finding.count,
            None => found.push(RedactedSecret { kind, count: finding.count }),
        }
    }
    let clean = match redacted.text {
        Cow::Borrowed(_) => return,
        Cow::Owned(clean) => clean,
    };
    *text = clean;
}

/// Takes the secrets out of a memory's content and of everything said about it.
pub(crate) fn redact_parts(content: &mut String, facets: &mut Facets, found: &mut Vec<RedactedSecret>) {
    redact_text(content, found);
    let labels = [&mut facets.source, &mut facets.session, &mut facets.speaker].into_iter().flatten();
    labels.for_each(|label| redact_text(label, found));
    let lists = facets.aliases.iter_mut().chain(&mut facets.tags);
    lists.for_each(|label| redact_text(label, found));
    facets.key.iter_mut().for_each(|key| redact_text(key, found));
    redact_fields(&mut facets.metadata, found);
    facets.data.iter_mut().for_each(|value| redact_value(value, found));
    redact_context(&mut facets.context, found);
}

/// Takes the secrets out of an episode's circumstances.
pub(crate) fn redact_context(context: &mut Context, found: &mut Vec<RedactedSecret>) {
    for &aspect in Aspect::ALL {
        context.aspect_mut(aspect).values_mut().for_each(|value| redact_text(value, found));
    }
}

/// Takes the secrets out of a value that has a name: what is called a password is one, however it looks.
fn redact_named(name: &str, value: &mut Value, found: &mut Vec<RedactedSecret>) {
    let before = value.clone();
    redact_value(value, found);
    let Value::String(text) = value else { return };
    if Value::String(text.clone()) != before {
        return;
    }
    let (begin, end) = (format!("{name}=\""), "\"");
    let mut assignment = format!("{begin}{text}{end}");
    redact_text(&mut assignment, found);
    if let Some(kept) = assignment.strip_prefix(&begin).and_then(|rest| rest.strip_suffix(end)) {
        kept.clone_into(text);
    }
}

/// Takes the secrets out of values that have names, and out of the names. Two names that become the same are told apart.
pub(crate) fn redact_fields(fields: &mut Map<String, Value>, found: &mut Vec<RedactedSecret>) {
    fields.iter_mut().for_each(|(name, value)| redact_named(name, value, found));
    let is_secret = |name: &&String| matches!(peri_text::redact(name).text, Cow::Owned(_));
    let secret: Vec<String> = fields.keys().filter(is_secret).cloned().collect();
    for name in secret {
        let Some(value) = fields.remove(&name) else { continue };
        let mut clean = name;
        redact_text(&mut clean, found);
        let (mut free, mut number) = (clean.clone(), 1);
        while fields.contains_key(&free) {
            number += 1;
            free = format!("{clean} {number}");
        }
        fields.insert(free, value);
    }
}

/// Takes the secrets out of every text in a JSON value.
pub(crate) fn redact_value(value: &mut Value, found: &mut Vec<RedactedSecret>) {
    match value {
        Value::String(text) => redact_text(text, found),
        Value::Array(items) => items.iter_mut().for_each(|item| redact_value(item, found)),
        Value::Object(map) => redact_fields(map, found),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_secret_that_is_a_name_is_taken_out_and_no_value_is_lost() {
        let (one, two) =
            ("ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8", "ghp_b1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
        let mut value = json!({ "deep": [{ one: 1, two: 2, "plain": 3 }] });
        let mut found = Vec::new();
        redact_value(&mut value, &mut found);
        let text = value.to_string();
        assert!(!text.contains("ghp_") && text.contains("\"plain\":3"), "{text}");
        assert_eq!(value["deep"][0].as_object().unwrap().len(), 3, "{text}");
        assert_eq!(found.iter().map(|secret| secret.count).sum::<usize>(), 2);
    }
}

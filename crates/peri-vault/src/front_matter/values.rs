//! What a value of the front matter is where one text, or several, are wanted.

use serde_json::Value;

/// One value as a text; none if it is nothing, or several.
pub fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The values under a key: a list, or one text with commas between them. Tags may be written with a `#`.
pub fn list(value: Option<&Value>) -> Vec<String> {
    let items: Vec<String> = match value {
        Some(Value::Array(items)) => items.iter().filter_map(text).collect(),
        Some(Value::String(text)) => text.split(',').map(str::to_owned).collect(),
        Some(other) => text(other).into_iter().collect(),
        None => Vec::new(),
    };
    let items = items.into_iter().map(|item| item.trim().trim_start_matches('#').to_owned());
    items.filter(|item| !item.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_list_is_read_however_it_is_written() {
        for (value, expected) in [
            (json!(["#커피", " 茶 ", 7, true, null, ["deep"], ""]), vec!["커피", "茶", "7", "true"]),
            (json!("a, #b,"), vec!["a", "b"]),
            (json!(2024), vec!["2024"]),
            (json!({ "a": 1 }), vec![]),
            (Value::Null, vec![]),
        ] {
            assert_eq!(list(Some(&value)), expected, "{value}");
        }
        assert_eq!(list(None), Vec::<String>::new());
    }
}

//! Vectors as other stores keep them: dense, of some model, or weights of terms.

use peri_types::{SpaceId, Vector};
use serde_json::Value;

use crate::transfer::Offered;

/// What a value under the name of a vector is.
pub(super) enum Found {
    /// Nothing, or an empty list.
    Nothing,
    /// Weights of terms, or of numbered dimensions.
    Sparse,
    /// A list of numbers.
    Dense(Vec<f32>),
    /// Something else that stands for a vector, such as several of them, or bytes as text.
    Unusable,
}

/// Looks at a value. None: it is no vector at all, whatever it is called.
pub(super) fn found(value: &Value) -> Option<Found> {
    match value {
        Value::Null => Some(Found::Nothing),
        Value::String(_) => Some(Found::Unusable),
        Value::Array(items) if items.is_empty() => Some(Found::Nothing),
        Value::Array(items) if items.iter().all(Value::is_number) => {
            let numbers: Option<Vec<f32>> =
                items.iter().map(|item| item.as_f64().map(|number| number as f32)).collect();
            Some(numbers.map_or(Found::Unusable, Found::Dense))
        }
        Value::Array(items) if items.iter().all(is_weighed_pair) => Some(Found::Sparse),
        Value::Array(items) if items.iter().all(Value::is_array) => Some(Found::Unusable),
        Value::Object(map) if map.is_empty() => Some(Found::Nothing),
        Value::Object(map) if map.values().all(Value::is_number) => Some(Found::Sparse),
        Value::Object(map) if map.contains_key("indices") && map.contains_key("values") => {
            Some(Found::Sparse)
        }
        Value::Object(map) if map.values().all(|value| value.is_array() || value.is_object()) => {
            Some(Found::Unusable)
        }
        _ => None,
    }
}

/// A term or the number of a dimension with its weight.
fn is_weighed_pair(item: &Value) -> bool {
    let pair = item.as_array().filter(|pair| pair.len() == 2);
    pair.is_some_and(|pair| (pair[0].is_string() || pair[0].is_u64()) && pair[1].is_number())
}

/// What of it can be offered to the engine at work, whose space is `space`, if the vector is said to be of `model`.
pub(super) fn offered(found: Found, model: Option<&str>, space: Option<&SpaceId>) -> Offered {
    let values = match found {
        Found::Nothing => return Offered::Nothing,
        Found::Sparse => return Offered::Sparse,
        Found::Unusable => return Offered::Unusable,
        Found::Dense(values) => values,
    };
    let space = space.filter(|space| model.is_some_and(|model| names(model, space)));
    match space.filter(|space| values.len() == space.dimensions as usize) {
        Some(space) => Offered::Dense(Vector { space: space.clone(), values }),
        None => Offered::Unusable,
    }
}

/// Whether a text names a space: the model alone, or with its dimensions.
pub(super) fn names(text: &str, space: &SpaceId) -> bool {
    let text = text.trim();
    text == space.model || text == space.to_string()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use serde_json::json;

    fn space() -> SpaceId {
        SpaceId { model: "minilm@1".to_owned(), dimensions: 3 }
    }

    #[test]
    fn only_a_dense_vector_of_the_space_at_work_is_offered() {
        let dense = Offered::Dense(Vector { space: space(), values: vec![0.5, 0.0, -1.0] });
        for (value, model, expected) in [
            (json!([0.5, 0, -1]), Some("minilm@1"), dense.clone()),
            (json!([0.5, 0, -1]), Some(" minilm@1/3 "), dense),
            (json!([0.5, 0, -1]), Some("minilm"), Offered::Unusable),
            (json!([0.5, 0, -1]), None, Offered::Unusable),
            (json!([0.5, 0]), Some("minilm@1"), Offered::Unusable),
            (json!([[0.5, 0, -1]]), Some("minilm@1"), Offered::Unusable),
            (json!({"default": [0.5, 0, -1]}), Some("minilm@1"), Offered::Unusable),
            (json!({"기억": 0.7, "tea": 0.1}), Some("minilm@1"), Offered::Sparse),
            (json!({"indices": [4, 9], "values": [0.1, 0.2]}), None, Offered::Sparse),
            (json!([["차", 0.3], ["tea", 0.1]]), None, Offered::Sparse),
            (json!([[17, 0.3]]), None, Offered::Sparse),
            (json!("AAAAPwAAAAA="), Some("minilm@1"), Offered::Unusable),
            (json!([]), None, Offered::Nothing),
            (json!({}), None, Offered::Nothing),
            (json!(null), None, Offered::Nothing),
        ] {
            let found = found(&value).unwrap();
            assert_eq!(offered(found, model, Some(&space())), expected, "{value} {model:?}");
        }
        assert_eq!(offered(Found::Dense(vec![1.0; 3]), Some("minilm@1"), None), Offered::Unusable);
    }

    #[test]
    fn what_is_no_vector_is_not_taken_for_one() {
        for value in [json!(3), json!(["a", "b"]), json!({"a": "b"}), json!(true)] {
            assert!(found(&value).is_none(), "{value}");
        }
    }
}

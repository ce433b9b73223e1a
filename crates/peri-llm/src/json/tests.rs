//! Whatever surrounds an answer, it is found whole, or not at all.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e9..1e9_f64).prop_map(Value::from),
        "[a-z가-힣一-鿿\"\\\\{}\\[\\],:\n\t`<>/ ]{0,12}".prop_map(Value::from),
        Just(json!("```json {\"a\": 1} ``` </think> <think>")),
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map("[a-z가-힣]{0,6}", inner, 0..4)
                .prop_map(|fields| fields.into_iter().collect::<Value>()),
        ]
    })
}

fn object() -> impl Strategy<Value = Value> {
    (value(), value()).prop_map(|(a, b)| json!({"answer": a, "more": b}))
}

fn shape() -> Shape {
    Shape::of(&json!({"type": "object", "required": ["answer", "more"]}))
}

/// Puts a comma before every closing bracket that follows something. Strings are left alone.
fn with_trailing_commas(value: &Value) -> String {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            let fields = fields
                .iter()
                .map(|(name, value)| format!("{}:{},", json!(name), with_trailing_commas(value)));
            format!("{{{}}}", fields.collect::<String>())
        }
        Value::Array(items) if !items.is_empty() => {
            format!("[{}]", items.iter().map(|item| with_trailing_commas(item) + " , ").collect::<String>())
        }
        other => other.to_string(),
    }
}

proptest! {
    #[test]
    fn an_answer_is_found_in_whatever_models_put_around_it(
        value in object(), before in "[a-zA-Z가-힣,.:!? \n]{0,30}", behind in "[a-zA-Z가-힣,.:!? \n]{0,30}", form in 0..6,
    ) {
        let pretty = serde_json::to_string_pretty(&value).unwrap();
        let text = match form {
            0 => value.to_string(),
            1 => format!("{before}\n```json\n{pretty}\n```\n{behind}"),
            2 => format!("<think>{before} {{\"answer\": 0, \"more\": 0}}</think>{pretty}"),
            3 => format!("{before}{}{behind}", with_trailing_commas(&value)),
            4 => format!("{before} [see] {{here}} [1]: {value} {behind}"),
            _ => format!("{pretty}\n{behind}"),
        };
        prop_assert_eq!(find(&text, &shape()), Ok(value), "{}", text);
    }

    #[test]
    fn an_answer_that_ends_early_is_cut_wherever_it_ends(value in object(), at in any::<prop::sample::Index>(), words in "[a-z ]{0,5}") {
        let text = value.to_string();
        let mut end = 1 + at.index(text.len() - 1);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        prop_assert_eq!(find(&text[..end], &shape()), Err(Unreadable::Cut));
        prop_assert_eq!(find(&format!("{words}: {}", &text[..end]), &Shape::default()), Err(Unreadable::Cut));
    }

    #[test]
    fn garbage_is_never_an_answer_of_the_shape_that_is_asked_for(text in "[\\PC\n]{0,80}") {
        prop_assert!(find(&text, &shape()).is_err());
    }

    #[test]
    fn brackets_in_any_order_are_read_without_panic(text in "[\\[\\]{}\",:a1\\\\<>/thinktrue -]{0,60}") {
        if let Ok(value) = find(&text, &Shape::default()) {
            let whole = read(without_reasoning(&text).unwrap_or_default().trim());
            prop_assert!(!is_empty(&value) || whole.is_ok());
        }
    }
}

#[test]
fn deep_nesting_is_no_trap() {
    let deep = "[".repeat(200_000);
    assert!(find(&deep, &Shape::default()).is_err());
    assert!(find(&format!("{{\"a\":{deep}"), &Shape::default()).is_err());
}

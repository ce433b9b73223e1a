//! Answers that clients can read. Over HTTP an answer is one event, which holds it twice, as data and as text, and clients
//! read no event of more than 1 MiB. So an answer holds what fits, and a cursor where there is more.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::refusal::Refusal;
use crate::seen::seen;

/// Most bytes of an answer as JSON. The text holds it once more with its quotes escaped: together less than 768 KiB.
pub(crate) const ANSWER_BYTES_MAX: usize = 256 * 1024;
/// Of these, what an answer holds besides its list where that is little.
const AROUND_BYTES: usize = 16 * 1024;

/// How many of these items, from the first on, fit into an answer. The first always does: what it says is cut.
pub(crate) fn that_fit(items: &[impl Serialize]) -> Result<usize, Refusal> {
    that_fit_beside(items, AROUND_BYTES)
}

fn that_fit_beside(items: &[impl Serialize], around: usize) -> Result<usize, Refusal> {
    let mut bytes = around;
    for (at, item) in items.iter().enumerate() {
        let item = seen(serde_json::to_value(item).map_err(|error| Refusal::new(error.to_string()))?);
        bytes += item.to_string().len() + 1;
        if bytes > ANSWER_BYTES_MAX {
            return Ok(at.max(1));
        }
    }
    Ok(items.len())
}

/// Where a later page of a list begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Offset(usize);

/// Takes the cursor of a list that is paged here out of a call's arguments.
pub(crate) fn take_cursor(arguments: &mut Value) -> Result<Offset, Refusal> {
    let cursor = arguments.as_object_mut().and_then(|arguments| arguments.remove("cursor"));
    let read = |text: &str| text.trim().strip_prefix('o')?.parse().ok().map(Offset);
    match cursor {
        None | Some(Value::Null) => Ok(Offset::default()),
        Some(cursor) => cursor.as_str().and_then(read).ok_or_else(|| {
            Refusal::argument(
                "cursor",
                "not one that an earlier answer gave; leave it out for the first page",
            )
        }),
    }
}

/// The page of a list that begins at an offset, with a cursor for the next one.
pub(crate) fn turn(data: &mut Map<String, Value>, list: &str, Offset(from): Offset) -> Result<(), Refusal> {
    let Some(Value::Array(mut items)) = data.remove(list) else { return Ok(()) };
    items.drain(..from.min(items.len()));
    let around = seen(Value::Object(data.clone())).to_string().len();
    let here = that_fit_beside(&items, around.max(AROUND_BYTES))?;
    if here < items.len() {
        items.truncate(here);
        data.insert("next_cursor".to_owned(), Value::String(format!("o{}", from + here)));
    }
    data.insert(list.to_owned(), Value::Array(items));
    Ok(())
}

/// Refuses an answer that is larger than clients read, rather than one that breaks off.
pub(crate) fn check(tool: &str, bytes: usize) -> Result<(), Refusal> {
    if bytes <= ANSWER_BYTES_MAX {
        return Ok(());
    }
    Err(Refusal::new(format!(
        "the answer of {tool} would have {bytes} bytes, more than the {ANSWER_BYTES_MAX} that clients read; ask for less \
         at once, or read it over HTTP or with `peri`"
    )))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn pages_of_a_list_hold_every_item_once_and_each_fits() {
        let items: Vec<Value> =
            (0..40).map(|n| json!({ "n": n, "text": "꿀".repeat(1_000 * (n % 9)) })).collect();
        let (mut offset, mut found) = (Offset::default(), Vec::new());
        loop {
            let mut data = Map::from_iter([("items".to_owned(), json!(items))]);
            turn(&mut data, "items", offset).unwrap();
            assert!(json!(data).to_string().len() <= ANSWER_BYTES_MAX);
            found.extend(data["items"].as_array().unwrap().clone());
            let Some(next) = data.get("next_cursor") else { break };
            offset = take_cursor(&mut json!({ "cursor": next })).unwrap();
        }
        assert_eq!(found, items);
        assert!(take_cursor(&mut json!({ "cursor": "x" })).is_err());
        assert_eq!(take_cursor(&mut json!({})).unwrap(), Offset::default());
    }
}

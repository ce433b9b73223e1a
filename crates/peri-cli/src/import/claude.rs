//! One conversation of Anthropic's export.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::conversations::{ASSISTANT, Conversation, Turn, USER, branch};
use super::moments;

type Object = Map<String, Value>;

/// Reads a conversation.
pub(super) fn conversation(record: &Object) -> Result<Conversation, String> {
    let messages =
        record.get("chat_messages").and_then(Value::as_array).ok_or("it has no messages (chat_messages)")?;
    let text = |key: &str| record.get(key).and_then(Value::as_str).map(str::to_owned);
    let mut conversation = Conversation {
        id: text("uuid").or_else(|| text("id")).unwrap_or_default(),
        title: text("name").or_else(|| text("title")).unwrap_or_default(),
        at: moments::first(record, &["created_at", "updated_at"]),
        ..Conversation::default()
    };
    let messages: Vec<&Object> = messages.iter().filter_map(Value::as_object).collect();
    let shown = shown(&messages, record.get("current_leaf_message_uuid").and_then(Value::as_str));
    let elsewhere = messages.len() - shown.len();
    conversation.left_out.extend(std::iter::repeat_n("messages_of_other_branches", elsewhere));
    for number in shown {
        let message = messages[number];
        let attached = attachments(message).filter(|attachment| pasted(attachment).is_none()).count();
        conversation.left_out.extend(std::iter::repeat_n("attachments", attached));
        match turn(message) {
            Ok(turn) => conversation.turns.push(turn),
            Err(why) => conversation.left_out.push(why),
        }
    }
    Ok(conversation)
}

/// Which messages are shown. Where each says what it answers, that is the branch to the current one, or else to the
/// last one that nobody answered; otherwise it is all of them.
fn shown(messages: &[&Object], current: Option<&str>) -> Vec<usize> {
    let word = |message: &Object, key: &str| message.get(key).and_then(Value::as_str).map(str::to_owned);
    let ids: Option<Vec<String>> = messages.iter().map(|message| word(message, "uuid")).collect();
    let parents: Option<Vec<String>> =
        messages.iter().map(|message| word(message, "parent_message_uuid")).collect();
    let (Some(ids), Some(parents)) = (ids, parents) else { return (0..messages.len()).collect() };
    let numbers: HashMap<&str, usize> = ids.iter().enumerate().map(|(at, id)| (id.as_str(), at)).collect();
    let answered: HashSet<&str> = parents.iter().map(String::as_str).collect();
    let last = || {
        let open = (0..ids.len()).filter(|at| !answered.contains(ids[*at].as_str()));
        open.max_by_key(|at| (moments::first(messages[*at], &["created_at"]), *at))
    };
    match current.and_then(|id| numbers.get(id).copied()).or_else(last) {
        Some(leaf) => branch(leaf, |at| numbers.get(parents[at].as_str()).copied()),
        None => (0..messages.len()).collect(),
    }
}

/// What a message says, or why it is passed over.
fn turn(message: &Object) -> Result<Turn, &'static str> {
    let speaker = match message.get("sender").and_then(Value::as_str) {
        Some("human" | "Human" | "user") => USER,
        Some("assistant" | "Assistant") => ASSISTANT,
        _ => return Err("system_messages"),
    };
    let said = said(message)?;
    let texts = said.into_iter().chain(attachments(message).filter_map(pasted).map(str::to_owned));
    let texts: Vec<String> = texts.filter(|text| !text.trim().is_empty()).collect();
    if texts.is_empty() {
        return Err("empty_messages");
    }
    let id = message.get("uuid").and_then(Value::as_str).unwrap_or_default().to_owned();
    let at = moments::first(message, &["created_at", "updated_at"]);
    Ok(Turn { id, speaker, text: texts.join("\n\n").trim().to_owned(), at })
}

/// The words of a message. Its blocks count, since `text` mixes them with thoughts and with signs for the use of
/// tools; only older exports, and messages without any block, have nothing but `text`.
fn said(message: &Object) -> Result<Vec<String>, &'static str> {
    let blocks = message.get("content").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let kind = |block: &Value| block.get("type").and_then(Value::as_str).map(str::to_owned);
    let words = |block: &Value| block.get("text").and_then(Value::as_str).map(|text| text.trim().to_owned());
    let texts: Vec<String> =
        blocks.iter().filter(|block| kind(block).as_deref() == Some("text")).filter_map(words).collect();
    if texts.iter().any(|text| !text.is_empty()) {
        return Ok(texts);
    }
    if blocks.iter().any(|block| kind(block).as_deref() != Some("text")) {
        // Nothing but thoughts and tools.
        return Err("tool_calls");
    }
    Ok(message.get("text").and_then(Value::as_str).map(str::to_owned).into_iter().collect())
}

fn attachments(message: &Object) -> impl Iterator<Item = &Object> {
    let list = |key: &str| message.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    list("attachments").iter().chain(list("files")).filter_map(Value::as_object)
}

/// The text of an attachment that is nothing but a long text which somebody pasted: it has no file's name.
fn pasted(attachment: &Object) -> Option<&str> {
    let name = attachment.get("file_name").and_then(Value::as_str).unwrap_or_default();
    attachment.get("extracted_content").and_then(Value::as_str).filter(|_| name.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn words_are_taken_and_thoughts_and_tools_are_not() {
        for (message, expected) in [
            (json!({"sender": "human", "text": "old form"}), Ok("old form")),
            (
                json!({"sender": "human", "text": "x", "content": [{"type": "text", "text": "블록의 글"}]}),
                Ok("블록의 글"),
            ),
            (
                json!({"sender": "assistant", "text": "thinking aloud and an answer", "content": [
                    {"type": "thinking", "thinking": "secret"},
                    {"type": "text", "text": "one"},
                    {"type": "tool_use", "name": "search", "input": {}},
                    {"type": "tool_result", "content": [{"type": "text", "text": "found"}]},
                    {"type": "text", "text": "two"}]}),
                Ok("one\n\ntwo"),
            ),
            (
                json!({"sender": "assistant", "text": "This block is not supported", "content": [{"type": "tool_use"}]}),
                Err("tool_calls"),
            ),
            (
                json!({"sender": "human", "text": "", "content": [],
                       "attachments": [{"file_name": "", "extracted_content": "a long paste"},
                                       {"file_name": "report.pdf", "extracted_content": "a file"}]}),
                Ok("a long paste"),
            ),
            (json!({"sender": "human", "text": " "}), Err("empty_messages")),
            (json!({"sender": "system", "text": "be kind"}), Err("system_messages")),
            (json!({"text": "nobody"}), Err("system_messages")),
        ] {
            let turn = turn(message.as_object().unwrap()).map(|turn| turn.text);
            assert_eq!(turn, expected.map(str::to_owned), "{message}");
        }
    }

    #[test]
    fn what_was_said_anew_takes_the_place_of_what_it_replaced() {
        let said = |id: &str, parent: Option<&str>, day: u8| {
            json!({"uuid": id, "parent_message_uuid": parent, "sender": "human", "text": id,
                   "created_at": format!("2025-01-0{day}T00:00:00Z")})
        };
        let told = |messages: Value, leaf: Option<&str>| {
            let record = json!({"chat_messages": messages, "current_leaf_message_uuid": leaf});
            let conversation = conversation(record.as_object().unwrap()).unwrap();
            conversation.turns.into_iter().map(|turn| turn.text).collect::<Vec<_>>().join(" ")
        };
        let tree = json!([
            said("a", Some("00000000-0000-4000-8000-000000000000"), 1),
            said("b", Some("a"), 2),
            said("c", Some("a"), 3),
        ]);
        assert_eq!(told(tree.clone(), None), "a c");
        assert_eq!(told(tree, Some("b")), "a b");
        let flat = json!([said("a", None, 1), said("b", None, 2)]);
        assert_eq!(told(flat, None), "a b");
    }
}

//! One conversation of OpenAI's export: a tree of messages, of which one branch is the conversation as it is shown.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::conversations::{ASSISTANT, Conversation, Turn, USER, branch};
use super::moments;

type Object = Map<String, Value>;

/// Reads a conversation.
pub(super) fn conversation(record: &Object) -> Result<Conversation, String> {
    let mapping = record.get("mapping").and_then(Value::as_object).ok_or("it has no messages (mapping)")?;
    let text = |key: &str| record.get(key).and_then(Value::as_str).map(str::to_owned);
    let mut conversation = Conversation {
        id: text("conversation_id").or_else(|| text("id")).unwrap_or_default(),
        title: text("title").unwrap_or_default(),
        at: moments::first(record, &["create_time", "update_time"]),
        ..Conversation::default()
    };
    let way = shown(mapping, record.get("current_node").and_then(Value::as_str));
    let said = |node: &Value| node.get("message").is_some_and(Value::is_object);
    let on_the_way: HashSet<&str> = way.iter().copied().collect();
    let elsewhere =
        mapping.iter().filter(|(id, node)| said(node) && !on_the_way.contains(id.as_str())).count();
    conversation.left_out.extend(std::iter::repeat_n("messages_of_other_branches", elsewhere));
    for id in way {
        let Some(message) = mapping.get(id).and_then(|node| node.get("message")?.as_object()) else {
            continue;
        };
        match turn(id, message) {
            Ok(turn) => conversation.turns.push(turn),
            Err(why) => conversation.left_out.push(why),
        }
    }
    Ok(conversation)
}

/// The branch that is shown: the one that ends at the current message, or else at the latest one.
fn shown<'a>(mapping: &'a Object, current: Option<&str>) -> Vec<&'a str> {
    let known = |id: &str| mapping.get_key_value(id).map(|(id, _)| id.as_str());
    let parent = |id: &str| mapping.get(id)?.get("parent")?.as_str().and_then(known);
    let latest = || {
        let time = |node: &Value| node.get("message")?.get("create_time")?.as_f64();
        let dated = mapping.iter().filter(|(_, node)| node.get("message").is_some_and(Value::is_object));
        let dated = dated.map(|(id, node)| (time(node).unwrap_or(f64::MIN), id.as_str()));
        dated.max_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(other.1))).map(|(_, id)| id)
    };
    current.and_then(known).or_else(latest).map(|leaf| branch(leaf, parent)).unwrap_or_default()
}

/// What a message says, or why it is passed over.
fn turn(node: &str, message: &Object) -> Result<Turn, &'static str> {
    let word = |path: &str| message.get(path).and_then(Value::as_str);
    let role = message.get("author").and_then(|author| author.get("role")?.as_str());
    let speaker = match role {
        Some("user") => USER,
        Some("assistant") => ASSISTANT,
        Some("tool") => return Err("tool_messages"),
        _ => return Err("system_messages"),
    };
    let hidden = message
        .get("metadata")
        .and_then(|metadata| metadata.get("is_visually_hidden_from_conversation").and_then(Value::as_bool));
    if hidden == Some(true) {
        return Err("hidden_messages");
    }
    if word("recipient").is_some_and(|recipient| recipient != "all") {
        return Err("tool_calls");
    }
    if word("channel") == Some("analysis") {
        return Err("hidden_thoughts");
    }
    let text = text(message.get("content"))?;
    if text.trim().is_empty() {
        return Err("empty_messages");
    }
    let id = word("id").unwrap_or(node).to_owned();
    Ok(Turn { id, speaker, text, at: moments::first(message, &["create_time", "update_time"]) })
}

/// The words of a message; pictures and files are no words.
fn text(content: Option<&Value>) -> Result<String, &'static str> {
    let Some(content) = content.and_then(Value::as_object) else { return Err("empty_messages") };
    match content.get("content_type").and_then(Value::as_str) {
        None | Some("text" | "multimodal_text") => {}
        Some("thoughts" | "reasoning_recap") => return Err("hidden_thoughts"),
        Some("code" | "execution_output") => return Err("tool_calls"),
        Some(_) => return Err("messages_that_are_no_text"),
    }
    let parts = content.get("parts").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let words = parts.iter().filter_map(|part| match part {
        Value::String(text) => Some(text.as_str()),
        // What was spoken comes as a transcript.
        Value::Object(part) => part.get("text").and_then(Value::as_str),
        _ => None,
    });
    let words: Vec<String> = words.map(without_marks).filter(|text| !text.trim().is_empty()).collect();
    Ok(words.join("\n\n").trim().to_owned())
}

/// Takes out marks that only the service's own pages can show, such as references to search results.
fn without_marks(text: &str) -> String {
    const BEGIN: char = '\u{e200}';
    const END: char = '\u{e201}';
    let (mut clean, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, after)) = rest.split_once(BEGIN) {
        clean.push_str(before);
        match after.split_once(END) {
            Some((_, later)) => rest = later,
            None => {
                rest = after;
                break;
            }
        }
    }
    clean.push_str(rest);
    clean
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn message(role: &str, content: Value, more: Value) -> Object {
        let mut message = json!({"id": "m", "author": {"role": role}, "content": content});
        message.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        message.as_object().unwrap().clone()
    }

    #[test]
    fn only_what_was_said_to_the_other_is_taken() {
        let text = |words: &str| json!({"content_type": "text", "parts": [words]});
        for (role, content, more, expected) in [
            ("user", text("hello"), json!({}), Ok("hello")),
            (
                "assistant",
                text("차를 드세요"),
                json!({"recipient": "all", "channel": "final"}),
                Ok("차를 드세요"),
            ),
            ("assistant", json!({"parts": ["a", "", "b"]}), json!({}), Ok("a\n\nb")),
            (
                "user",
                json!({"content_type": "multimodal_text", "parts": [{"asset_pointer": "file"}, {"text": "spoken"}]}),
                json!({}),
                Ok("spoken"),
            ),
            (
                "assistant",
                text("so \u{e200}cite\u{e202}turn0search1\u{e201}it is"),
                json!({}),
                Ok("so it is"),
            ),
            ("assistant", text("half \u{e200}open"), json!({}), Ok("half open")),
            ("user", text("  "), json!({}), Err("empty_messages")),
            ("system", text("be kind"), json!({}), Err("system_messages")),
            ("tool", text("42"), json!({}), Err("tool_messages")),
            ("assistant", text("search"), json!({"recipient": "web"}), Err("tool_calls")),
            ("assistant", text("hm"), json!({"channel": "analysis"}), Err("hidden_thoughts")),
            (
                "assistant",
                json!({"content_type": "thoughts", "thoughts": []}),
                json!({}),
                Err("hidden_thoughts"),
            ),
            ("assistant", json!({"content_type": "code", "text": "1+1"}), json!({}), Err("tool_calls")),
            (
                "user",
                json!({"content_type": "user_editable_context", "user_profile": "x"}),
                json!({}),
                Err("messages_that_are_no_text"),
            ),
            (
                "user",
                text("x"),
                json!({"metadata": {"is_visually_hidden_from_conversation": true}}),
                Err("hidden_messages"),
            ),
            ("user", Value::Null, json!({}), Err("empty_messages")),
        ] {
            let message = message(role, content, more);
            let turn = turn("node", &message).map(|turn| turn.text);
            assert_eq!(turn, expected.map(str::to_owned), "{message:?}");
        }
    }

    #[test]
    fn without_a_current_message_the_branch_of_the_latest_one_is_taken() {
        let node = |parent: &str, at: f64, words: &str| {
            json!({"parent": parent, "message": {"author": {"role": "user"}, "create_time": at,
                   "content": {"content_type": "text", "parts": [words]}}})
        };
        let mut record = json!({"mapping": {
            "root": {"parent": null, "message": null},
            "a": node("root", 1.0, "one"),
            "b": node("a", 2.0, "older answer"),
            "c": node("a", 3.0, "newer answer"),
        }});
        let told = |record: &Value| {
            let conversation = conversation(record.as_object().unwrap()).unwrap();
            let texts = conversation.turns.iter().map(|turn| turn.text.clone()).collect::<Vec<_>>();
            (texts.join(", "), conversation.left_out.len())
        };
        assert_eq!(told(&record), ("one, newer answer".to_owned(), 1));
        record["current_node"] = json!("b");
        assert_eq!(told(&record), ("one, older answer".to_owned(), 1));
        record["current_node"] = json!("gone");
        assert_eq!(told(&record), ("one, newer answer".to_owned(), 1));
        record["mapping"] = json!({});
        assert_eq!(told(&record), (String::new(), 0));
    }
}

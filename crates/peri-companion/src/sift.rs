//! Takes out of messages what nobody notes: traces of tools, data, secrets, and the middle of what is very long.

use peri_notes::{Message, Speaker};
use serde::Serialize;

/// A block of code or data with fewer tokens is left where it is.
const BLOCK_TOKENS_MIN: usize = 60;
/// No token is longer, as far as the end of a text is concerned.
const TOKEN_BYTES_MAX: usize = 16;
/// Tags between which tools speak, and hosts about them.
const TAGS: [&str; 6] =
    ["tool_use", "tool_result", "tool_call", "function_calls", "function_results", "system-reminder"];

/// What was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct LeftOut {
    /// How many messages as a whole.
    pub messages: usize,
    /// How many parts of other messages.
    pub parts: usize,
    /// How many tokens together.
    pub tokens: usize,
}

impl LeftOut {
    pub(crate) fn add(&mut self, other: Self) {
        self.messages += other.messages;
        self.parts += other.parts;
        self.tokens += other.tokens;
    }
}

/// Messages without what nobody notes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sifted {
    /// What is left, with a mark where something was left out.
    pub messages: Vec<Message>,
    /// What was not.
    pub left_out: LeftOut,
}

impl Sifted {
    /// How many tokens there are to read, with some for each message.
    pub(crate) fn weight(&self) -> usize {
        self.messages.iter().map(|message| peri_tokens::count(&message.text) + MESSAGE_TOKENS).sum()
    }
}

/// What a message costs besides its text.
const MESSAGE_TOKENS: usize = 4;

/// Takes out traces of tools and data, and cuts messages of more than so many tokens in the middle.
pub fn sift(messages: &[Message], message_tokens_max: usize) -> Sifted {
    let mut sifted = Sifted::default();
    for message in messages {
        if !is_speech(message) {
            sifted.left_out.add(whole(&message.text));
            continue;
        }
        let mut left_out = LeftOut::default();
        let text = without_tags(&message.text, &mut left_out);
        let text = without_blocks(&text, &mut left_out);
        let text = without_secrets(&text, &mut left_out);
        let text = shortened(&text, message_tokens_max, &mut left_out);
        if text.trim().is_empty() {
            left_out.messages += 1;
        } else {
            sifted.messages.push(Message { text, ..message.clone() });
        }
        sifted.left_out.add(left_out);
    }
    sifted
}

/// Whether somebody speaks whose words may be noted.
pub(crate) fn is_speech(message: &Message) -> bool {
    matches!(message.role, Speaker::User | Speaker::Assistant)
}

/// A whole message that is left out.
pub(crate) fn whole(text: &str) -> LeftOut {
    LeftOut { messages: 1, parts: 0, tokens: peri_tokens::count(text) }
}

fn mark(tokens: usize) -> String {
    format!("[… {tokens} tokens left out …]")
}

/// Puts a mark in the place of a part, and keeps count.
fn leave_out(part: &str, left_out: &mut LeftOut) -> String {
    let tokens = peri_tokens::count(part);
    left_out.parts += 1;
    left_out.tokens += tokens;
    mark(tokens)
}

/// Without what stands between tags of tools. A tag that is never closed takes nothing with it.
fn without_tags(text: &str, left_out: &mut LeftOut) -> String {
    let mut text = text.to_owned();
    for tag in TAGS {
        let (open, close) = (format!("<{tag}"), format!("</{tag}>"));
        let mut done = 0;
        while let Some(start) = text[done..].find(&open).map(|at| done + at) {
            let is_tag = text[start + open.len()..].starts_with(['>', ' ', '\n']);
            let end = text[start..].find(&close).map(|at| start + at + close.len());
            let Some(end) = end.filter(|_| is_tag) else {
                done = start + open.len();
                continue;
            };
            let mark = leave_out(&text[start..end], left_out);
            text.replace_range(start..end, &mark);
            done = start + mark.len();
        }
    }
    text
}

/// Without fenced blocks and JSON values that are long.
fn without_blocks(text: &str, left_out: &mut LeftOut) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let line = rest.split_inclusive('\n').next().unwrap_or(rest);
        let block = fenced(rest).or_else(|| json(rest)).unwrap_or(0);
        if block > 0 && peri_tokens::count(&rest[..block]) >= BLOCK_TOKENS_MIN {
            kept.push_str(&leave_out(&rest[..block], left_out));
            rest = &rest[block..];
            if !rest.is_empty() && !rest.starts_with('\n') {
                kept.push('\n');
            }
        } else {
            let end = block.max(line.len());
            kept.push_str(&rest[..end]);
            rest = &rest[end..];
        }
    }
    kept
}

/// How long the fenced block is with which a text begins; one that is never closed goes to the end.
fn fenced(text: &str) -> Option<usize> {
    let fence = ["```", "~~~"].into_iter().find(|fence| text.trim_start_matches(' ').starts_with(fence))?;
    let mut end = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        end += line.len();
        if number > 0 && line.trim() == fence {
            return Some(end);
        }
    }
    Some(text.len())
}

/// How long the JSON object or list is with which a text begins.
fn json(text: &str) -> Option<usize> {
    if !text.trim_start().starts_with(['{', '[']) {
        return None;
    }
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<serde::de::IgnoredAny>();
    values.next()?.ok()?;
    Some(values.byte_offset())
}

/// Without lines that say a secret in plain words.
fn without_secrets(text: &str, left_out: &mut LeftOut) -> String {
    let mut kept = String::new();
    for line in text.split_inclusive('\n') {
        if peri_observe::tells_secret(line) {
            kept.push_str(&leave_out(line, left_out));
            kept.push('\n');
        } else {
            kept.push_str(line);
        }
    }
    kept
}

/// A text of at most about so many tokens: its beginning and its end, with a mark between them.
fn shortened(text: &str, tokens_max: usize, left_out: &mut LeftOut) -> String {
    if text.len() <= tokens_max || peri_tokens::count(text) <= tokens_max {
        return text.to_owned();
    }
    let beginning = peri_tokens::truncate(text, tokens_max * 2 / 3);
    let end = ending(&text[beginning.len()..], tokens_max / 3);
    let middle = &text[beginning.len()..text.len() - end.len()];
    format!("{beginning} {} {end}", leave_out(middle, left_out))
}

/// The end of a text that has at most so many tokens.
fn ending(text: &str, tokens_max: usize) -> &str {
    let window = text.len().saturating_sub(tokens_max * TOKEN_BYTES_MAX);
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).filter(|at| *at >= window).collect();
    let first = starts.partition_point(|at| peri_tokens::count(&text[*at..]) > tokens_max);
    starts.get(first).map_or("", |at| &text[*at..])
}

#[cfg(test)]
mod tests {
    use peri_types::Timestamp;
    use proptest::prelude::*;

    use super::*;

    fn said(role: Speaker, text: &str) -> Message {
        Message::new(role, text, Timestamp::UNIX_EPOCH)
    }

    fn sifted(text: &str) -> (String, LeftOut) {
        let Sifted { messages, left_out } = sift(&[said(Speaker::User, text)], 100);
        (messages.first().map(|message| message.text.clone()).unwrap_or_default(), left_out)
    }

    #[test]
    fn tools_and_systems_are_not_heard() {
        let messages = [
            said(Speaker::Tool, "exit code 0"),
            said(Speaker::User, "금요일에는 배포하지 마"),
            said(Speaker::System, "be brief"),
        ];
        let sifted = sift(&messages, 100);
        assert_eq!(sifted.messages, [messages[1].clone()]);
        assert_eq!((sifted.left_out.messages, sifted.left_out.tokens), (2, 6));
    }

    #[test]
    fn blocks_tags_and_data_go_and_words_stay() {
        let code = "x = 1;\n".repeat(40);
        let data = serde_json::json!({ "rows": vec!["값"; 60] });
        let pretty = serde_json::to_string_pretty(&data).unwrap();
        for (text, words) in [
            (format!("앞말\n```rust\n{code}```\n뒷말"), ["앞말", "뒷말"]),
            (format!("看这里:\n{data}\n就这样"), ["看这里", "就这样"]),
            (format!("before\n{pretty}\nafter"), ["before", "after"]),
            (format!("before <tool_result id=\"1\">{code}</tool_result> after"), ["before", "after"]),
            (format!("before\n~~~\n{code}"), ["before", "before"]),
        ] {
            let (kept, left_out) = sifted(&text);
            assert!(words.iter().all(|word| kept.contains(word)), "{kept}");
            assert!(kept.contains("tokens left out") && peri_tokens::count(&kept) < 40, "{kept}");
            assert_eq!((left_out.messages, left_out.parts), (0, 1), "{kept}");
        }
    }

    #[test]
    fn short_code_data_and_odd_tags_stay() {
        for text in
            ["run `x`:\n```\nls\n```\n", "{\"port\": 8443}", "a <tool_result> b", "[draft] hi", "<tool_user>"]
        {
            assert_eq!(sifted(text), (text.to_owned(), LeftOut::default()));
        }
        assert_eq!(sifted(" \n ").1.messages, 1);
    }

    #[test]
    fn secrets_in_plain_words_go() {
        for secret in ["My password is hunter2hunter2.", "비밀번호는 abcd1234야", "密码：hunter2hunter2"]
        {
            let (kept, left_out) = sifted(&format!("앞말\n{secret}\n뒷말"));
            assert!(kept.contains("앞말") && kept.contains("뒷말") && !kept.contains(secret), "{kept}");
            assert_eq!(left_out.parts, 1);
        }
    }

    #[test]
    fn what_is_long_loses_its_middle() {
        for word in ["word ", "단어 ", "词语", "🔴"] {
            let (kept, left_out) = sifted(&format!("처음 {} 끝", word.repeat(500)));
            assert!(kept.starts_with("처음") && kept.ends_with('끝') && kept.contains("left out"), "{kept}");
            assert!(peri_tokens::count(&kept) <= 112 && left_out.tokens > 100, "{left_out:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_text_is_sifted_within_bounds(text in "([{}\\[\\]\"`<>/a-z가-힣一-龥🔴\n ]|tool_use|```\n){0,300}") {
            let sifted = sift(&[said(Speaker::Assistant, &text)], 50);
            for message in &sifted.messages {
                prop_assert!(peri_tokens::count(&message.text) <= 64, "{}", message.text);
            }
        }
    }
}

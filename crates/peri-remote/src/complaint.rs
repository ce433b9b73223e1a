//! What servers say about errors, for people.

use serde_json::Value;

/// What a server says about an error, in one line of bounded length.
pub fn complaint(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let parsed: Option<Value> = serde_json::from_slice(body).ok();
    let message = parsed.as_ref().and_then(|body| {
        let nested = ["error", "message", "detail"].iter().find_map(|field| body.get(field));
        nested.and_then(message_of)
    });
    let message = message.unwrap_or_else(|| text.trim());
    if message.is_empty() { "it does not say why".to_owned() } else { shortened(message) }
}

/// The words of an error, which may be all there is or a part of it.
pub fn message_of(error: &Value) -> Option<&str> {
    error.as_str().or_else(|| error.get("message").and_then(Value::as_str))
}

/// A text from outside in one line of bounded length.
pub fn shortened(text: &str) -> String {
    const CHARACTERS_MAX: usize = 300;
    let line: String =
        text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(CHARACTERS_MAX).collect();
    if text.chars().nth(CHARACTERS_MAX).is_some() { format!("{line}…") } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_complain_in_several_shapes_and_at_bounded_length() {
        for (body, told) in [
            (r#"{"error": {"message": "the key is wrong"}}"#, "the key is wrong"),
            (r#"{"error": "모델이 없습니다"}"#, "모델이 없습니다"),
            (r#"{"detail": "输入太长"}"#, "输入太长"),
            ("Bad\r\nGateway", "Bad  Gateway"),
            ("", "it does not say why"),
        ] {
            assert_eq!(complaint(body.as_bytes()), told);
        }
        assert_eq!(complaint("字".repeat(1000).as_bytes()).chars().count(), 301);
    }
}

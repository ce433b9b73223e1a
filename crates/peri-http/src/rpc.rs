//! What stands before MCP: a message that is none is answered as JSON-RPC has it, before anything is made of it.

use std::borrow::Cow;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderName, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use crate::app::App;
use crate::{amplify, extract};

const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");

/// As JSON-RPC numbers them.
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;

/// As much of a message as tells whether it is one.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(default, borrow)]
    method: Option<Cow<'a, str>>,
    /// Said to be null is not the same as not said.
    #[serde(default, deserialize_with = "said")]
    id: Option<Value>,
}

fn said<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(reader).map(Some)
}

/// Looks at each message that is sent, and answers a session that was ended with 204, which clients expect.
pub(crate) async fn look(State(app): State<App>, request: Request, next: Next) -> Response {
    match *request.method() {
        Method::POST if is_json(&request) => {}
        Method::DELETE => {
            let mut response = next.run(request).await;
            if response.status() == StatusCode::ACCEPTED {
                *response.status_mut() = StatusCode::NO_CONTENT;
            }
            return response;
        }
        _ => return next.run(request).await,
    }
    let has_session = request.headers().contains_key(SESSION);
    let (parts, body) = request.into_parts();
    let bytes = match extract::read(Request::new(body), app.settings.body_bytes_max).await {
        Ok(bytes) => bytes,
        Err(problem) => return problem.into_response(),
    };
    if let Err(problem) = amplify::check(&bytes) {
        return problem.into_response();
    }
    match check(&bytes, has_session) {
        Ok(()) => next.run(Request::from_parts(parts, Body::from(bytes))).await,
        Err((code, why)) => refusal(code, &why),
    }
}

fn is_json(request: &Request) -> bool {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("application/json"))
}

fn check(bytes: &[u8], has_session: bool) -> Result<(), (i32, String)> {
    let invalid = |why: &str| Err((INVALID_REQUEST, why.to_owned()));
    if bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[') {
        return invalid("several messages at once are not taken; send one after the other");
    }
    let envelope: Envelope<'_> = match serde_json::from_slice(bytes) {
        Ok(envelope) => envelope,
        Err(error) if error.is_data() => return invalid(&format!("this is no message: {error}")),
        Err(error) => return Err((PARSE_ERROR, format!("this is no JSON: {error}"))),
    };
    match &envelope.id {
        Some(id) if !(id.is_string() || id.is_i64() || id.is_u64()) => {
            invalid("`id` must be a text or a whole number")
        }
        _ if has_session && envelope.method.as_deref() == Some("initialize") => {
            invalid("the session is initialized already; leave out Mcp-Session-Id to begin another one")
        }
        _ => Ok(()),
    }
}

/// As JSON-RPC answers what it cannot name.
fn refusal(code: i32, why: &str) -> Response {
    let answer = json!({ "jsonrpc": "2.0", "id": null, "error": { "code": code, "message": why } });
    (StatusCode::BAD_REQUEST, [(header::CONTENT_TYPE, "application/json")], answer.to_string())
        .into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_message_is_told_from_what_is_one() {
        let code = |text: &str, has_session| check(text.as_bytes(), has_session).err().map(|(code, _)| code);
        for (text, expected) in [
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, None),
            (r#"{"jsonrpc":"2.0","id":"a","result":{"deep":[1]}}"#, None),
            (r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, None),
            (r#"{"jsonrpc":"2.0","id":1,"method":"p\u0069ng"}"#, None),
            ("{", Some(PARSE_ERROR)),
            ("", Some(PARSE_ERROR)),
            ("\u{fffd}", Some(PARSE_ERROR)),
            (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, Some(INVALID_REQUEST)),
            (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, Some(INVALID_REQUEST)),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, Some(INVALID_REQUEST)),
            (r#"{"jsonrpc":"2.0","id":1000000000000000000000000,"method":"ping"}"#, Some(INVALID_REQUEST)),
            (r#"{"id":1,"method":7}"#, Some(INVALID_REQUEST)),
            ("7", Some(INVALID_REQUEST)),
        ] {
            assert_eq!(code(text, true), expected, "{text}");
        }
        let initialize = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#;
        assert_eq!((code(initialize, false), code(initialize, true)), (None, Some(INVALID_REQUEST)));
    }
}

//! Answers are sent compressed to clients that take it, where that saves something.

use std::borrow::Cow;

use axum::extract::Request;
use axum::http::{Extensions, HeaderMap, HeaderValue, StatusCode, Version, header};
use axum::middleware::Next;
use axum::response::Response;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};

/// What fits into one packet arrives no sooner when it is smaller.
const TINY_BYTES: u64 = 1400;
/// Most of what can be saved for a fraction of the time.
const LEVEL: CompressionLevel = CompressionLevel::Precise(4);

/// How the tag of a packed answer ends.
const PACKED: &str = "-gzip";

/// Marks an answer that is sent as it is.
#[derive(Debug, Clone, Copy)]
struct AsItIs;

/// Keeps an answer from being compressed: that of MCP may come piece by piece, each of which is waited for.
pub(crate) async fn leave(mut response: Response) -> Response {
    response.extensions_mut().insert(AsItIs);
    response
}

/// Compresses what is worth it. Events are left alone, since each must arrive when it happens.
pub(crate) fn layer() -> CompressionLayer<impl Predicate> {
    let may = |_: StatusCode, _: Version, _: &HeaderMap, extensions: &Extensions| {
        extensions.get::<AsItIs>().is_none()
    };
    let worth = SizeAbove::new(TINY_BYTES).and(NotForContentType::SSE).and(may);
    CompressionLayer::new().quality(LEVEL).compress_when(worth)
}

/// Leaves of what a client accepts only whether it takes gzip. A client that says it takes nothing we have is answered
/// plainly: the layer would refuse it after the work was done, so that a write would be told as a failure.
pub(crate) async fn accept(mut request: Request) -> Request {
    let headers = request.headers_mut();
    let takes = takes_gzip(headers);
    headers.remove(header::ACCEPT_ENCODING);
    if takes {
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
    }
    request
}

/// A packed answer is another representation, so it has a tag of its own: `"3-17"` becomes `"3-17-gzip"`. Whoever sends
/// either back means the same state, which is why both are taken ([`state_of`]).
pub(crate) async fn tag(request: Request, next: Next) -> Response {
    let known = request.headers().get(header::IF_NONE_MATCH).cloned();
    let mut response = next.run(request).await;
    let is_packed = response.headers().contains_key(header::CONTENT_ENCODING);
    let packed_tag = || {
        let tag = response.headers().get(header::ETAG)?.to_str().ok()?;
        let open = tag.strip_suffix('"').filter(|_| tag.starts_with('"'))?;
        Some(format!("{open}{PACKED}\""))
    };
    let Some(tag) = packed_tag() else { return response };
    let was_packed = || known.is_some_and(|known| known.to_str().is_ok_and(|known| known.contains(&tag)));
    let is_so = is_packed || (response.status() == StatusCode::NOT_MODIFIED && was_packed());
    if let Ok(tag) = HeaderValue::from_str(&tag)
        && is_so
    {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

/// The tag of the state that a tag names, packed or not.
pub(crate) fn state_of(tag: &str) -> Cow<'_, str> {
    let plain = tag.strip_suffix('"').and_then(|open| open.strip_suffix(PACKED));
    plain.map_or(Cow::Borrowed(tag), |open| Cow::Owned(format!("{open}\"")))
}

fn takes_gzip(headers: &HeaderMap) -> bool {
    let given = headers.get_all(header::ACCEPT_ENCODING).into_iter().filter_map(|value| value.to_str().ok());
    given.flat_map(|value| value.split(',')).any(|one| {
        let (name, weight) = one.split_once(';').unwrap_or((one, "q=1"));
        let weight = weight.trim().strip_prefix("q=").and_then(|weight| weight.trim().parse::<f32>().ok());
        name.trim().eq_ignore_ascii_case("gzip") && weight.is_some_and(|weight| weight > 0.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_clients_that_name_gzip_take_it() {
        for (given, takes) in [
            ("gzip", true),
            ("GZIP", true),
            ("br, gzip;q=0.5, *;q=0", true),
            ("deflate, gzip ; q=1.0", true),
            ("gzip;q=0", false),
            ("gzip;q=much", false),
            ("br", false),
            ("*", false),
            ("identity;q=0", false),
            ("", false),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, given.parse().unwrap())]);
            assert_eq!(takes_gzip(&headers), takes, "{given}");
        }
        assert!(!takes_gzip(&HeaderMap::new()));
    }
}

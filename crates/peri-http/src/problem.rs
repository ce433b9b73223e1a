//! Errors as problem details: what happened, what to do, and nothing about what is not the caller's.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use perihelion::{Error, ErrorKind, Namespace, Refused, StoreError};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use crate::surroundings::Failure;

/// The answer to a request that could not be served. Boxed, since it travels in many results and is rare.
#[derive(Debug, Clone, Serialize)]
#[serde(transparent)]
pub(crate) struct Problem(Box<Details>);

/// In the document it is what is in the box: two of the same name would refer to each other for ever.
impl JsonSchema for Problem {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Problem".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<Details>()
    }
}

/// The answer to a request that could not be served.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "Problem")]
struct Details {
    /// What kind of problem it is; stable, for programs.
    #[serde(rename = "type")]
    kind: &'static str,
    /// The kind in words.
    title: &'static str,
    /// The status.
    #[schemars(range(min = 400, max = 599))]
    status: u16,
    /// What happened.
    detail: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    /// Which of several things that were asked for it is about, counted from 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    indexes: Vec<usize>,
    /// The namespaces of the caller that hold what was asked for, where it is not clear which is meant.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    namespaces: Vec<Namespace>,
    /// The request's id, as in the log.
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<String>,
    #[serde(skip)]
    retry_after: Option<u64>,
    /// Why the caller was refused, for the audit.
    #[serde(skip)]
    refusal: Option<&'static str>,
}

impl Problem {
    fn new(status: StatusCode, kind: &'static str, title: &'static str, detail: impl Into<String>) -> Self {
        Self(Box::new(Details {
            kind,
            title,
            status: status.as_u16(),
            detail: detail.into(),
            hint: None,
            indexes: Vec::new(),
            namespaces: Vec::new(),
            request_id: None,
            retry_after: None,
            refusal: None,
        }))
    }

    /// Names the request, unless it is named already.
    pub(crate) fn name(&mut self, request_id: &str) {
        self.0.request_id.get_or_insert_with(|| request_id.to_owned());
    }

    /// Whether the request is named.
    pub(crate) fn is_named(&self) -> bool {
        self.0.request_id.is_some()
    }

    /// Why the caller was refused, in the audit's words; none if the problem is another one.
    pub(crate) fn refusal(&self) -> Option<&'static str> {
        self.0.refusal
    }

    fn hinting(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    pub(crate) fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.0.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// The request must be mended.
    pub(crate) fn invalid(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "/problems/invalid-input", "The request must be mended", detail)
    }

    /// Larger than is taken.
    pub(crate) fn too_large(max: usize) -> Self {
        let detail = format!("the body is larger than the {max} bytes that are taken");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "/problems/too-large", "The request is too large", detail)
            .hinting("send less at once, or raise server.body_mb_max")
    }

    /// Not JSON although it should be.
    pub(crate) fn not_json() -> Self {
        let detail = "the body must be sent as application/json";
        let (kind, title) = ("/problems/unsupported-media-type", "The body is of another type");
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, kind, title, detail)
    }

    /// Of another type than is taken here.
    pub(crate) fn other_type(wanted: &'static str) -> Self {
        let detail = format!("the body must be sent as {wanted}");
        let (kind, title) = ("/problems/unsupported-media-type", "The body is of another type");
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, kind, title, detail)
    }

    /// No key, or none that opens anything. Which of the two is not told.
    pub(crate) fn unauthenticated() -> Self {
        let detail = "this needs a key that is in use";
        Self::new(StatusCode::UNAUTHORIZED, "/problems/unauthenticated", "A key is needed", detail)
            .hinting("send it as `Authorization: Bearer KEY`; `peri key create` makes one")
    }

    /// A key that does not allow it.
    pub(crate) fn forbidden(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "/problems/forbidden", "The key does not allow this", detail)
    }

    /// A host or origin that is not served.
    pub(crate) fn misdirected(detail: impl Into<String>, hint: &'static str) -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "/problems/misdirected",
            "The request was meant for another server",
            detail,
        )
        .hinting(hint)
    }

    /// The change is kept and will be made: no problem at all, but not the answer that was asked for either.
    fn queued(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::ACCEPTED, "/problems/queued", "The change is queued", detail)
    }

    /// Nothing is there.
    pub(crate) fn not_found(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "/problems/not-found", "There is no such thing", detail)
    }

    /// The path is there, the method is not.
    pub(crate) fn no_such_method() -> Self {
        let detail = "this path does not know that method; the Allow header names those it knows";
        let (kind, title) = ("/problems/method-not-allowed", "The method is not known here");
        Self::new(StatusCode::METHOD_NOT_ALLOWED, kind, title, detail)
    }

    /// Contradicts what is stored.
    pub(crate) fn conflict(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, "/problems/conflict", "It contradicts what is stored", detail)
    }

    /// Several namespaces hold what was asked for.
    fn ambiguous(detail: impl Into<String>, namespaces: Vec<Namespace>) -> Self {
        let title = "Several namespaces hold this id";
        let mut problem = Self::new(StatusCode::CONFLICT, "/problems/ambiguous", title, detail)
            .hinting("nothing was changed; say which one with the parameter `namespace`");
        problem.0.namespaces = namespaces;
        problem
    }

    /// The same idempotency key is being worked on.
    pub(crate) fn under_way() -> Self {
        let detail = "a request with this idempotency key is being worked on";
        Self::new(StatusCode::CONFLICT, "/problems/under-way", "The first request has not ended", detail)
            .after(1)
    }

    /// Whether the same idempotency key is being worked on.
    pub(crate) fn is_under_way(&self) -> bool {
        self.0.kind == Self::under_way().0.kind
    }

    /// The idempotency key was used for something else.
    pub(crate) fn key_reused() -> Self {
        let detail = "this idempotency key was used for another request";
        let (kind, title) = ("/problems/idempotency-key-reused", "The idempotency key is taken");
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, kind, title, detail)
            .hinting("use a new key for a new request")
    }

    /// Well formed, but it contradicts itself.
    pub(crate) fn contradiction(detail: impl Into<String>) -> Self {
        let (kind, title) = ("/problems/contradiction", "The request contradicts itself");
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, kind, title, detail)
    }

    /// Texts that the embedding engine has no vector for.
    pub(crate) fn not_understood(indexes: Vec<usize>, space: &str) -> Self {
        let detail = format!("{space} has no vector for {} of the texts: see `indexes`", indexes.len());
        let (kind, title) =
            ("/problems/not-understood", "A text is in a language that the engine does not know");
        let mut problem = Self::new(StatusCode::UNPROCESSABLE_ENTITY, kind, title, detail)
            .hinting("ask again without them; a misleading vector would be worse than none");
        problem.0.indexes = indexes;
        problem
    }

    /// The version is not the one that the caller has seen.
    pub(crate) fn precondition_failed(detail: impl Into<String>) -> Self {
        let (kind, title) = ("/problems/precondition-failed", "Somebody changed it meanwhile");
        Self::new(StatusCode::PRECONDITION_FAILED, kind, title, detail)
            .hinting("read it again, then try again")
    }

    /// More than the key may ask in a minute.
    pub(crate) fn too_many(seconds: u64) -> Self {
        let detail = "more requests than server.requests_per_minute allows";
        Self::new(StatusCode::TOO_MANY_REQUESTS, "/problems/too-many-requests", "Too many requests", detail)
            .after(seconds)
    }

    /// Nobody had time.
    pub(crate) fn overloaded() -> Self {
        let detail = "too many requests at once; nothing was changed";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "/problems/overloaded", "The server is busy", detail)
            .after(1)
    }

    /// The server is about to end.
    pub(crate) fn stopping() -> Self {
        let detail = "the server is stopping; nothing was changed";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "/problems/stopping", "The server is stopping", detail)
            .after(1)
    }

    /// All places are taken.
    pub(crate) fn full(detail: &'static str) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "/problems/overloaded", "The server is busy", detail)
            .after(5)
    }

    /// The server was started without what it would take.
    pub(crate) fn missing_part(detail: &'static str, hint: &'static str) -> Self {
        let (kind, title) = ("/problems/unavailable", "The server was started without it");
        Self::new(StatusCode::SERVICE_UNAVAILABLE, kind, title, detail).hinting(hint)
    }

    /// A mistake of ours. The log knows more.
    pub(crate) fn internal() -> Self {
        let detail = "something unexpected happened; the log tells more under the request's id";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "/problems/internal", "An unexpected failure", detail)
    }

    fn after(mut self, seconds: u64) -> Self {
        self.0.retry_after = Some(seconds);
        self
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match &error {
            Error::Store(StoreError::Ambiguous { namespaces, .. }) => {
                Self::ambiguous(error.to_string(), namespaces.clone())
            }
            Error::MadeBefore => Self::under_way(),
            Error::Store(StoreError::RequestKeyTaken { .. }) => Self::key_reused(),
            error => Self::of(error.kind(), error.to_string(), error.hint()),
        }
    }
}

impl From<Failure> for Problem {
    fn from(Failure { kind, detail, hint }: Failure) -> Self {
        Self::of(kind, detail, hint)
    }
}

impl Problem {
    /// The one table from what went wrong to what is answered.
    fn of(kind: ErrorKind, detail: String, hint: Option<String>) -> Self {
        let mut problem = match kind {
            ErrorKind::InvalidInput => Self::invalid(detail),
            ErrorKind::NotFound => Self::not_found(detail),
            ErrorKind::Conflict => Self::conflict(detail),
            ErrorKind::Busy => {
                let (kind, title) = ("/problems/busy", "Another process is writing");
                Self::new(StatusCode::SERVICE_UNAVAILABLE, kind, title, detail).after(1)
            }
            ErrorKind::Unavailable => {
                tracing::warn!(error = %detail, "a request could not be served");
                let (kind, title) = ("/problems/unavailable", "The store needs somebody");
                Self::new(StatusCode::SERVICE_UNAVAILABLE, kind, title, detail)
            }
            ErrorKind::Corrupt => {
                tracing::error!(error = %detail, "the store is damaged");
                let (kind, title) = ("/problems/corrupt", "The store is damaged");
                Self::new(StatusCode::INTERNAL_SERVER_ERROR, kind, title, detail)
            }
            ErrorKind::Queued => Self::queued(detail),
            ErrorKind::NotKept => {
                tracing::error!(error = %detail, "a write was refused");
                let (kind, title) = ("/problems/not-kept", "Nothing of it was kept");
                Self::new(StatusCode::SERVICE_UNAVAILABLE, kind, title, detail).after(5)
            }
            ErrorKind::Internal => {
                tracing::error!(error = %detail, "a request failed");
                return Self::internal();
            }
        };
        problem.0.hint = hint;
        problem
    }
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        let mut problem = Self::forbidden(refused.to_string());
        problem.0.refusal = Some(match refused {
            Refused::Role { .. } => "role",
            Refused::Scope { .. } => "namespace",
        });
        problem
    }
}

/// The answer to a change that waits on the server's machine until its store can be reached.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct Queued {
    /// Always `queued`.
    outcome: &'static str,
    /// What that means.
    detail: String,
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        if self.status() == StatusCode::ACCEPTED {
            // Nothing is wrong with the request: its change is kept and will be made.
            let queued = Queued { outcome: "queued", detail: self.0.detail };
            return (StatusCode::ACCEPTED, Json(queued)).into_response();
        }
        let (status, retry_after) = (self.status(), self.0.retry_after);
        let mut response = (status, Json(&self)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(seconds) = retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        // The guard adds the request's id, and the audit wants to know what was refused.
        response.extensions_mut().insert(self);
        response
    }
}

//! Idempotency keys: a write that is sent twice is done once, and answered alike both times.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use perihelion::{Caller, Claim, KeptAnswer, NewAnswer, digest_of};
use tracing::Instrument;

use crate::app::App;
use crate::extract::read;
use crate::problem::Problem;

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
/// Longest idempotency key, in bytes.
const KEY_BYTES_MAX: usize = 128;
/// Answers larger than this are not kept; what was written is found again all the same.
const ANSWER_BYTES_MAX: usize = 1024 * 1024;

/// A request under a key that is being worked on; dropping it lets the next one in.
struct UnderWay {
    app: App,
    name: (String, String),
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.app.under_way.lock().remove(&self.name);
    }
}

/// Answers a repeated write with what the first was answered.
pub(crate) async fn once(State(app): State<App>, request: Request, next: Next) -> Response {
    let Some(key) = request.headers().get(IDEMPOTENCY_KEY) else { return next.run(request).await };
    let key = key.to_str().unwrap_or_default().to_owned();
    if key.is_empty() || key.len() > KEY_BYTES_MAX || !key.chars().all(|c| c.is_ascii_graphic()) {
        let detail = format!("an Idempotency-Key has 1 to {KEY_BYTES_MAX} ASCII characters and no blanks");
        return Problem::invalid(detail).into_response();
    }
    // On a task of its own: a client that leaves and asks again must find the answer, not have it done twice.
    let answered = tokio::spawn(answer(app, key, request, next).in_current_span()).await;
    match answered {
        Ok(Ok(response)) => response,
        Ok(Err(problem)) => problem.into_response(),
        Err(error) => {
            tracing::error!(%error, "a request broke off");
            Problem::internal().into_response()
        }
    }
}

async fn answer(app: App, key: String, request: Request, next: Next) -> Result<Response, Problem> {
    let caller = request.extensions().get::<Caller>().and_then(|caller| caller.key);
    let caller = caller.map_or_else(|| "local".to_owned(), |key| key.to_string());
    let name = (caller.clone(), key.clone());
    if !app.under_way.lock().insert(name.clone()) {
        return Err(Problem::under_way());
    }
    let _under_way = UnderWay { app: App::clone(&app), name };
    let (parts, body) = request.into_parts();
    let asked = format!("{} {}", parts.method, parts.uri);
    let bytes = read(Request::new(body), app.settings.body_bytes_max).await?;
    let condition = parts.headers.get(header::IF_MATCH).map_or(&b""[..], HeaderValue::as_bytes);
    let digest = digest_of(&[asked.as_bytes(), condition, &bytes]);
    let named = Claim { caller, key, digest, made: None };
    for again in [false, true] {
        let claim = match look(&app, named.clone()).await? {
            Looked::Answered(kept) => return Ok(replay(kept.status, kept.body)),
            Looked::Open(claim) => claim,
        };
        let was_made = claim.made.is_some();
        let mut request = Request::from_parts(parts.clone(), Body::from(bytes.clone()));
        request.extensions_mut().insert(claim);
        let response = next.clone().run(request).await;
        let made_elsewhere = response.extensions().get::<Problem>().is_some_and(Problem::is_under_way);
        // Another server made it between the look and the write: what it came to is there now.
        if again || !made_elsewhere {
            return keep(&app, named, response, was_made).await;
        }
    }
    Err(Problem::under_way())
}

/// What is known of a request before it is worked on.
enum Looked {
    /// It was answered.
    Answered(KeptAnswer),
    /// It was not answered; perhaps it was made all the same.
    Open(Claim),
}

async fn look(app: &App, claim: Claim) -> Result<Looked, Problem> {
    let (caller, key) = (claim.caller.clone(), claim.key.clone());
    match app.work(move |engine| Ok(engine.kept_answer(&caller, &key)?)).await? {
        None => Ok(Looked::Open(claim)),
        Some(kept) if kept.digest != claim.digest => Err(Problem::key_reused()),
        Some(kept) if kept.status == KeptAnswer::MADE => {
            Ok(Looked::Open(Claim { made: Some(kept.body), ..claim }))
        }
        Some(kept) => Ok(Looked::Answered(kept)),
    }
}

/// Keeps an answer unless the request may be tried again with another outcome.
async fn keep(app: &App, claim: Claim, response: Response, was_made: bool) -> Result<Response, Problem> {
    let status = response.status();
    if !status.is_success() {
        return Ok(response);
    }
    let (mut parts, body) = response.into_parts();
    let bytes = read(Request::new(body), usize::MAX).await?;
    if bytes.len() <= ANSWER_BYTES_MAX {
        let Claim { caller, key, digest, .. } = claim;
        let answer = NewAnswer { caller, key, digest, status: status.as_u16(), body: bytes.to_vec() };
        let kept = app.work(move |engine| {
            // What waits for the store is claimed there when it gets there.
            let waits = status == StatusCode::ACCEPTED;
            Ok(if waits { engine.hold_answer(answer) } else { engine.keep_answer(answer) }?)
        });
        if let Err(problem) = kept.await {
            // The write stands; saying otherwise would have it sent again.
            tracing::warn!(?problem, "an answer could not be kept under its idempotency key");
        }
    }
    if was_made {
        parts.headers.insert(REPLAYED, HeaderValue::from_static("true"));
    }
    Ok(Response::from_parts(parts, Body::from(bytes)))
}

fn replay(status: u16, body: Vec<u8>) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
    let empty = body.is_empty();
    let mut response = (status, body).into_response();
    let headers = response.headers_mut();
    if empty {
        headers.remove(header::CONTENT_TYPE);
    } else {
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    headers.insert(REPLAYED, HeaderValue::from_static("true"));
    response
}

//! What stands before every route: a name for the request, the host and origin, the key, the role, the rate.

use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota};
use http_body_util::BodyExt;
use perihelion::{Awaited, Caller, KeyId, Scope, StoreChoice};
use tracing::Instrument;

use crate::app::App;
use crate::extract::Reached;
use crate::problem::Problem;
use crate::settings::Settings;
use crate::table::Need;
use crate::{metrics, origin, trace};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// How many requests a key or an address may make.
pub(crate) struct Rates(Option<DefaultKeyedRateLimiter<Visitor>>);

/// Whose requests are counted together.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Visitor {
    Key(KeyId),
    Address(IpAddr),
    Unknown,
}

impl Rates {
    pub(crate) fn per_minute(requests: u32) -> Self {
        Self(
            NonZeroU32::new(requests)
                .map(|requests| governor::RateLimiter::keyed(Quota::per_minute(requests))),
        )
    }

    fn check(&self, visitor: &Visitor) -> Result<(), Problem> {
        let Some(limiter) = &self.0 else { return Ok(()) };
        limiter.check_key(visitor).map_err(|until| {
            let wait = until.wait_time_from(DefaultClock::default().now());
            Problem::too_many(wait.max(Duration::from_secs(1)).as_secs())
        })
    }

    /// Lets go of visitors who have not come for a while.
    pub(crate) fn tidy(&self) {
        if let Some(limiter) = &self.0 {
            limiter.retain_recent();
        }
    }
}

/// The outermost guard: names the request, checks where it was meant to go, counts and logs it.
pub(crate) async fn receive(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let began = Instant::now();
    let under_way = app.visits.begin();
    let id = request_id(request.headers());
    let method = request.method().clone();
    // The route and not the path: ids would make a series of every memory.
    let route = matched(&request);
    let span = trace::request(&id, &method, &route, request.headers());
    // Calls of MCP clients are answered on tasks of their own, which look for their span here.
    request.extensions_mut().insert(span.clone());
    let asked = (request.method(), request.uri().path());
    let refused = check_place(&app.settings, request.headers(), request.uri().host(), asked)
        .and_then(|()| check_time(&app, &route))
        .and_then(|()| check_packed(request.headers()))
        .err();
    let mut response = match refused {
        None => next.run(request).instrument(span.clone()).await,
        Some(problem) => problem.into_response(),
    };
    if let Some(mut problem) = response.extensions_mut().remove::<Problem>()
        && !problem.is_named()
    {
        problem.name(&id);
        // What the layers in between have said of it holds all the same: the methods that are known, the origins.
        let said = std::mem::take(response.headers_mut());
        response = problem.into_response();
        keep_said(said, response.headers_mut());
    }
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    response.headers_mut().insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response.headers_mut().extend([origin::policy()]);
    let (status, took) = (response.status().as_u16(), began.elapsed());
    app.metrics.answered(metrics::method_label(&method), &route, status, took);
    span.record("status", status);
    span.in_scope(|| tell_answered(&route, took));
    drop(under_way);
    counted(&app, &route, response)
}

/// Adds headers that are not there yet; how long the body is has changed.
fn keep_said(said: HeaderMap, headers: &mut HeaderMap) {
    let told: Vec<HeaderName> = headers.keys().cloned().collect();
    for name in said.keys().filter(|name| **name != header::CONTENT_LENGTH && !told.contains(name)) {
        for value in said.get_all(name) {
            headers.append(name, value.clone());
        }
    }
}

fn tell_answered(route: &str, took: Duration) {
    let took_us = took.as_micros() as u64;
    // Probes and scrapes come every few seconds and would drown the rest.
    if route.starts_with("/health/") || route == "/metrics" {
        tracing::debug!(took_us, "answered");
    } else {
        tracing::info!(took_us, "answered");
    }
}

/// Counts an answer that has no end of its own for as long as it is open.
fn counted(app: &App, route: &str, response: Response) -> Response {
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    if !kind.is_some_and(|kind| kind.starts_with("text/event-stream")) {
        return response;
    }
    let open = app.metrics.stream(route);
    response.map(|body| {
        Body::new(body.map_frame(move |frame| {
            // Lives as long as the body.
            let _open = &open;
            frame
        }))
    })
}

/// Takes nothing new on when the server stops. Whoever asks how it is gets an answer until the end.
fn check_time(app: &App, route: &str) -> Result<(), Problem> {
    if app.is_stopping() && !route.starts_with("/health/") { Err(Problem::stopping()) } else { Ok(()) }
}

/// Packed bodies are not unpacked; taken as they are they would be nonsense.
fn check_packed(headers: &HeaderMap) -> Result<(), Problem> {
    match headers.get(header::CONTENT_ENCODING) {
        Some(packed) if !packed.as_bytes().eq_ignore_ascii_case(b"identity") => {
            Err(Problem::other_type("it is, without Content-Encoding"))
        }
        _ => Ok(()),
    }
}

/// The client's own name for the request if it is a harmless one, or else a new one.
fn request_id(headers: &HeaderMap) -> String {
    let given = headers.get(REQUEST_ID).and_then(|id| id.to_str().ok()).unwrap_or_default();
    let harmless = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if !given.is_empty() && given.len() <= 64 && given.chars().all(harmless) {
        given.to_owned()
    } else {
        uuid::Uuid::now_v7().simple().to_string()
    }
}

/// Refuses requests that a web page of somebody else sent here. Such a page reaches a server on the same machine
/// by having its own name resolve to it, so names that are not ours are refused; addresses cannot be borrowed so.
fn check_place(
    settings: &Settings,
    headers: &HeaderMap,
    authority: Option<&str>,
    asked: (&Method, &str),
) -> Result<(), Problem> {
    let mut hosts = headers.get_all(header::HOST).into_iter().map(|host| host.to_str().unwrap_or_default());
    let (host, another) = (hosts.next().or(authority), hosts.next());
    let Some(host) = host else {
        return Err(Problem::misdirected("the request names no host", "send a Host header"));
    };
    // A server in between may have gone by the other one.
    if another.is_some()
        || authority.is_some_and(|authority| !host_name(authority).eq_ignore_ascii_case(host_name(host)))
    {
        return Err(Problem::misdirected("the request names two hosts", "send one Host header"));
    }
    if !knows_host(settings, host) {
        return Err(Problem::misdirected(
            "this server is not known by that host name",
            "address it by its IP address or localhost, or add the name to server.hosts",
        ));
    }
    origin::check(settings, headers, host, asked)
}

fn knows_host(settings: &Settings, host: &str) -> bool {
    let name = host_name(host);
    name.eq_ignore_ascii_case("localhost")
        || name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok()
        || settings
            .hosts
            .iter()
            .any(|known| known.eq_ignore_ascii_case(name) || known.eq_ignore_ascii_case(host))
}

/// A host without its port.
fn host_name(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.chars().all(|c| c.is_ascii_digit()) && !name.ends_with(':') => name,
        _ => host,
    }
}

/// The guard of one route: who asks, whether they may, and not too often.
pub(crate) async fn admit(
    State((app, need, reached)): State<(App, Need, Reached)>,
    mut request: Request,
    next: Next,
) -> Response {
    let address = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    let shown = Shown { address, secret: secret(request.headers()).map(ToOwned::to_owned) };
    let action = format!("{} {}", request.method(), matched(&request));
    let caller = match identified(&app, need, shown).await {
        Ok(caller) => caller,
        Err(denied) => {
            tell(&app, &action, denied.key, denied.reason);
            return denied.problem.into_response();
        }
    };
    let key = caller.key;
    request.extensions_mut().insert(caller);
    request.extensions_mut().insert(reached);
    let response = next.run(request).await;
    if let Some(reason) = response.extensions().get::<Problem>().and_then(Problem::refusal) {
        tell(&app, &action, key, reason);
    }
    response
}

/// What a request shows of who makes it.
struct Shown {
    address: Option<IpAddr>,
    secret: Option<String>,
}

/// Why somebody is turned away: what they are told, and what is noted.
struct Denied {
    problem: Problem,
    key: Option<KeyId>,
    reason: &'static str,
}

impl Denied {
    fn because(reason: &'static str, key: Option<KeyId>) -> impl FnOnce(Problem) -> Self {
        move |problem| Self { problem, key, reason }
    }
}

/// Finds out who asks. In the embedded store it is one read by an index, which takes microseconds: less than handing it to
/// another thread would. A store on a server may have to be waited for.
async fn identified(app: &App, need: Need, shown: Shown) -> Result<Caller, Denied> {
    match app.engine.options().store {
        StoreChoice::Embedded => app.engine.awaited(Awaited::Receipt, || identify(app, need, &shown)),
        StoreChoice::Server { .. } => {
            let own = App::clone(app);
            let found = tokio::task::spawn_blocking(move || {
                own.engine.awaited(Awaited::Receipt, || identify(&own, need, &shown))
            });
            let found = found.await;
            found.unwrap_or_else(|error| {
                tracing::error!(%error, "a request broke off");
                Err(Denied::because("unavailable", None)(Problem::internal()))
            })
        }
    }
}

fn identify(app: &App, need: Need, shown: &Shown) -> Result<Caller, Denied> {
    let visitor = shown.address.map_or(Visitor::Unknown, Visitor::Address);
    if need == Need::Nothing {
        return app.rates.check(&visitor).map(|()| nobody()).map_err(Denied::because("rate", None));
    }
    let reason = if shown.secret.is_some() { "wrong key" } else { "no key" };
    let caller = find(app, shown.secret.as_deref()).map_err(Denied::because("unavailable", None))?;
    let Some(caller) = caller else {
        // Guessing keys costs as much as anything else.
        app.rates.check(&visitor).map_err(Denied::because("rate", None))?;
        return Err(Denied::because(reason, None)(Problem::unauthenticated()));
    };
    let visitor = caller.key.map_or(visitor, Visitor::Key);
    app.rates.check(&visitor).map_err(Denied::because("rate", caller.key))?;
    let allowed = match need {
        Need::Nothing => Ok(()),
        Need::Role(role) => caller.may(role),
        Need::Everywhere(role) => caller.may(role).and_then(|()| caller.within(Scope::All).map(|_| ())),
    };
    allowed.map_err(|refused| {
        let problem = Problem::from(refused);
        Denied::because(problem.refusal().unwrap_or("role"), caller.key)(problem)
    })?;
    Ok(caller)
}

/// Whose key it is. Without a key it is whoever sits at the machine, as long as no key is in use and nobody else can
/// reach the server: one that others reach stays closed when its last key is revoked. While a store that was never met
/// does not answer, no key can be known: whoever sits at the machine is let in as before the first key, so that what they
/// write waits and is not lost.
fn find(app: &App, secret: Option<&str>) -> Result<Option<Caller>, Problem> {
    let alone = app.settings.listen.ip().is_loopback();
    let found = match secret {
        Some(secret) => app.engine.authenticate(secret).map(|key| key.map(|key| Caller::of(&key))),
        None => app.engine.has_keys().map(|keys| (alone && !keys).then(Caller::local)),
    };
    match found {
        Err(_) if alone && app.engine.awaits_store() => Ok(Some(Caller::local())),
        found => Ok(found?),
    }
}

/// Somebody of whom nothing is known, on a route that tells nothing.
fn nobody() -> Caller {
    let mut caller = Caller::local();
    caller.role = perihelion::Role::Reader;
    caller
}

/// The key that a request shows.
fn secret(headers: &HeaderMap) -> Option<&str> {
    let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    if let Some(value) = bearer {
        let (scheme, secret) = value.split_once(' ').unwrap_or((value, ""));
        return Some(if scheme.eq_ignore_ascii_case("bearer") { secret.trim() } else { "" });
    }
    headers.get(API_KEY).map(|value| value.to_str().unwrap_or_default().trim())
}

fn matched(request: &Request) -> String {
    request
        .extensions()
        .get::<MatchedPath>()
        .map_or_else(|| "unknown".to_owned(), |path| path.as_str().to_owned())
}

/// Notes a refusal for the audit log.
fn tell(app: &App, action: &str, key: Option<KeyId>, reason: &'static str) {
    tracing::warn!(action, reason, key = key.map(|key| key.to_string()), "refused");
    app.metrics.refused(reason);
    app.engine.tell_refused(None, action, key, reason);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(settings: &Settings, host: &str, origin: Option<&str>) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        check_place(settings, &headers, None, (&Method::GET, "/v1/me")).is_ok()
    }

    #[test]
    fn names_that_are_not_ours_and_pages_of_others_are_refused() {
        let settings = Settings {
            hosts: vec!["memory.example".to_owned()],
            origins: vec!["https://app.example".to_owned()],
            ..Settings::default()
        };
        for (host, origin, fine) in [
            ("127.0.0.1:7437", None, true),
            ("localhost", None, true),
            ("[::1]:7437", None, true),
            ("::1", None, true),
            ("192.168.1.7:7437", None, true),
            ("memory.example", None, true),
            ("memory.example:7437", None, true),
            ("evil.example", None, false),
            ("evil.example:7437", None, false),
            ("localhost.evil.example", None, false),
            ("127.0.0.1.evil.example", None, false),
            ("", None, false),
            ("localhost:7437", Some("http://localhost:7437"), true),
            ("localhost:7437", Some("http://localhost:3000"), false),
            ("localhost:7437", Some("http://evil.example"), false),
            ("localhost:7437", Some("null"), false),
            ("localhost:7437", Some("https://app.example"), true),
            ("localhost:7437", Some("https://app.example.evil"), false),
        ] {
            assert_eq!(place(&settings, host, origin), fine, "{host} {origin:?}");
        }
    }

    #[test]
    fn a_request_keeps_the_name_its_client_gave_it_unless_that_could_do_harm() {
        let mut headers = HeaderMap::new();
        headers.insert(REQUEST_ID, "build-17.a".parse().unwrap());
        assert_eq!(request_id(&headers), "build-17.a");
        for harmful in ["a b", "x\ty", "", &"x".repeat(65)] {
            headers.insert(REQUEST_ID, harmful.parse().unwrap());
            assert_ne!(request_id(&headers), harmful);
        }
    }
}

//! What handlers are given: who asks, and what they ask, read and checked.

use std::str::FromStr;

use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::header;
use axum::http::request::Parts;
use bytes::Bytes;
use perihelion::{Caller, Claim, Filter, Namespace, Perihelion, Scope};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};

use crate::amplify;
use crate::app::App;
use crate::problem::Problem;

/// One request: who makes it, and the server.
pub(crate) struct Visit {
    pub(crate) app: App,
    pub(crate) caller: Caller,
    /// The name of what is asked for.
    operation: &'static str,
    /// What makes it once, if its caller names it.
    pub(crate) claim: Option<Claim>,
}

/// The route that a request has reached, which its guard leaves for the handler.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reached {
    pub(crate) operation: &'static str,
    /// Whether its path names something by an id, so that the query may say in which namespace.
    pub(crate) by_id: bool,
}

/// The parameter by which a route that names something by its id is told where that is.
pub(crate) const NAMESPACE: &str = "namespace";

impl FromRequestParts<App> for Visit {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        // The guard lets nobody through without saying who it is.
        let mut caller = parts.extensions.get::<Caller>().cloned().ok_or_else(Problem::unauthenticated)?;
        let reached = parts.extensions.get::<Reached>().copied();
        if reached.is_some_and(|reached| reached.by_id)
            && let Some(namespace) = named_namespace(parts)?
        {
            // An id is then looked up there alone.
            caller.scope = caller.within(Scope::Exact(namespace))?;
        }
        let operation = reached.map_or("unknown", |reached| reached.operation);
        let claim = parts.extensions.get::<Claim>().cloned();
        Ok(Self { app: App::clone(app), caller, operation, claim })
    }
}

/// The namespace that the query of a request names.
fn named_namespace(parts: &Parts) -> Result<Option<Namespace>, Problem> {
    let pairs = axum::extract::Query::<Vec<(String, String)>>::try_from_uri(&parts.uri);
    let pairs = pairs.map_err(|error| Problem::invalid(format!("the parameters cannot be read: {error}")))?.0;
    let mut given = pairs.into_iter().filter(|(name, _)| name == NAMESPACE).map(|(_, value)| value);
    let Some(text) = given.next() else { return Ok(None) };
    if given.next().is_some() {
        return Err(Problem::invalid("`namespace`: given twice"));
    }
    let parsed = text.parse().map(Some);
    parsed.map_err(|error| Problem::invalid(format!("`namespace`: {error}")))
}

impl Visit {
    /// The namespace of a request that works in exactly one: as named, as the key says, or as configured.
    pub(crate) fn namespace(&self, asked: Option<Namespace>) -> Result<Namespace, Problem> {
        let namespace = match asked {
            Some(namespace) => namespace,
            None => match self.caller.only_namespace() {
                Some(own) => own.clone(),
                None if self.caller.sees(&self.app.settings.namespace) => self.app.settings.namespace.clone(),
                None => return Err(Problem::invalid("say which `namespace`: this key is for several")),
            },
        };
        self.caller.within(Scope::Exact(namespace.clone()))?;
        Ok(namespace)
    }

    /// Where a request looks: as named, or everywhere that is the caller's.
    pub(crate) fn scope(&self, asked: Option<Scope>) -> Result<Scope, Problem> {
        match asked {
            Some(scope) => Ok(self.caller.within(scope)?),
            None => Ok(self.caller.scope.clone()),
        }
    }

    /// Refuses names to look for that no memory can have.
    pub(crate) fn check_filter(&self, filter: &Filter) -> Result<(), Problem> {
        let limits = &self.app.engine.options().limits;
        let names = [("session", &filter.session), ("speaker", &filter.speaker)];
        let tags = filter.tags.iter().map(|tag| ("tag", tag));
        let names = names.into_iter().filter_map(|(what, name)| Some((what, name.as_ref()?)));
        for (what, name) in names.chain(tags) {
            limits.check_label(what, name).map_err(perihelion::Error::from)?;
        }
        Ok(())
    }

    /// Refuses short texts that nothing can be called by.
    pub(crate) fn check_labels(&self, labels: &[(&'static str, &Option<String>)]) -> Result<(), Problem> {
        let limits = &self.app.engine.options().limits;
        let given = labels.iter().filter_map(|(what, label)| Some((*what, label.as_deref()?)));
        for (what, label) in given {
            limits.check_label(what, label).map_err(perihelion::Error::from)?;
        }
        Ok(())
    }

    /// Hands work to the engine.
    pub(crate) async fn work<T, F>(&self, work: F) -> Result<T, Problem>
    where
        T: Send + 'static,
        F: FnOnce(&Perihelion) -> Result<T, Problem> + Send + 'static,
    {
        self.app.call(self.operation, work).await
    }
}

/// A body in JSON. What is wrong with it is told by the name of the field.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<App> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        if !is_json(&request) {
            return Err(Problem::not_json());
        }
        let bytes = read(request, app.settings.body_bytes_max).await?;
        amplify::check(&bytes)?;
        // A list would be taken for the fields in their order, which nobody should have to know.
        if bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[') {
            return Err(Problem::invalid("the body is a list, and not an object"));
        }
        let mut reader = serde_json::Deserializer::from_slice(&bytes);
        let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
            let path = error.path().to_string();
            let why = error.into_inner();
            Problem::invalid(if path == "." { why.to_string() } else { format!("`{path}`: {why}") })
        })?;
        reader.end().map_err(|error| Problem::invalid(format!("more than one JSON document: {error}")))?;
        Ok(Self(value))
    }
}

/// No body, or an empty object: what is asked for is said elsewhere, and nothing that is said is passed over.
pub(crate) struct NoBody;

impl FromRequest<App> for NoBody {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        let bytes = read(request, app.settings.body_bytes_max).await?;
        let is_empty = bytes.iter().filter(|byte| !byte.is_ascii_whitespace()).eq(b"{}")
            || bytes.iter().all(u8::is_ascii_whitespace);
        if is_empty {
            Ok(Self)
        } else {
            Err(Problem::invalid("this takes no body; say it in the address, after a question mark"))
        }
    }
}

fn is_json(request: &Request) -> bool {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| {
        kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
    })
}

/// Reads a body up to a limit.
pub(crate) async fn read(request: Request, max: usize) -> Result<Bytes, Problem> {
    let limited = http_body_util::Limited::new(request.into_body(), max);
    match http_body_util::BodyExt::collect(limited).await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<http_body_util::LengthLimitError>() => Err(Problem::too_large(max)),
        Err(error) => Err(Problem::invalid(format!("the body broke off: {error}"))),
    }
}

/// The parameters after the question mark; lists are repeated parameters.
pub(crate) struct Query<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequestParts<App> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        // What was left open by mistake must not be taken for what was left out: no scope means everything.
        let pairs = parts.uri.query().unwrap_or_default().split('&').filter(|pair| !pair.is_empty());
        for pair in pairs {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            if value.is_empty() {
                return Err(Problem::invalid(format!("`{name}`: a parameter without a value")));
            }
        }
        // Reading it from the parts, other than from the address alone, names the parameter that is wrong.
        let query = axum_extra::extract::Query::<T>::from_request_parts(parts, app).await;
        query.map(|query| Self(query.0)).map_err(|error| {
            let detail =
                std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
            Problem::invalid(format!("the parameters cannot be read: {detail}"))
        })
    }
}

/// Reads a whole number, which in JSON may be written as 3.0 too.
pub(crate) fn whole<'de, N: TryFrom<u64>, D: Deserializer<'de>>(reader: D) -> Result<N, D::Error> {
    let number = serde_json::Number::deserialize(reader)?;
    let float = number.as_f64().filter(|value| value.fract() == 0.0 && *value >= 0.0);
    let value = number.as_u64().or(float.map(|value| value as u64)).filter(|value| *value <= WHOLE_MAX);
    let value = value.and_then(|value| N::try_from(value).ok());
    value
        .ok_or_else(|| D::Error::custom(format_args!("{number} is not a whole number from 0 to {WHOLE_MAX}")))
}

/// The same where it may be left out.
pub(crate) fn optional_whole<'de, N: TryFrom<u64>, D: Deserializer<'de>>(
    reader: D,
) -> Result<Option<N>, D::Error> {
    struct Whole<N>(N);
    impl<'de, N: TryFrom<u64>> Deserialize<'de> for Whole<N> {
        fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
            whole(reader).map(Self)
        }
    }
    Ok(Option::<Whole<N>>::deserialize(reader)?.map(|whole| whole.0))
}

/// The largest whole number that every reader of JSON takes as it is written.
pub(crate) const WHOLE_MAX: u64 = (1 << 53) - 1;

/// The one part of a path that varies.
pub(crate) struct Named<T>(pub(crate) T);

impl<T> FromRequestParts<App> for Named<T>
where
    T: FromStr + Send,
    T::Err: std::fmt::Display,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let text = Path::<String>::from_request_parts(parts, app).await;
        let Ok(Path(text)) = text else { return Err(Problem::invalid("the path cannot be read")) };
        text.parse().map(Self).map_err(|error: T::Err| Problem::invalid(error.to_string()))
    }
}

impl Visit {
    /// How many results a page has: as asked for, within the limits.
    pub(crate) fn limit(&self, asked: Option<usize>, otherwise: usize) -> Result<usize, Problem> {
        let max = self.app.engine.options().limits.results_max;
        match asked {
            None => Ok(otherwise.min(max)),
            Some(limit) if (1..=max).contains(&limit) => Ok(limit),
            Some(limit) => Err(Problem::invalid(format!("`limit`: {limit} is not between 1 and {max}"))),
        }
    }
}

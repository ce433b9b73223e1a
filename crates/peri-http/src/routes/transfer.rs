//! Everything out and in again, as streams of lines.

use axum::Json;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, Method, header};
use axum::response::{IntoResponse, Response};
use perihelion::Role::{Admin, Reader, Writer};
use perihelion::{Error, ImportMode, ImportOptions, Imported, Perihelion, Scope};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::sync::OwnedSemaphorePermit;

use crate::extract::{Query, Visit};
use crate::pipe::{self, Inlet, Outlet};
use crate::problem::Problem;
use crate::table::Need::Role;
use crate::table::Operation;

/// One JSON object a line.
const JSONL: &str = "application/jsonl";

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Role(Reader), Method::GET, "/v1/export", "export", export)
            .says("Everything of a scope, one JSON object a line. It is whole only if the answer ends properly")
            .asks::<ExportAsked>()
            .gives_text(JSONL),
        Operation::new(Role(Writer), Method::POST, "/v1/import", "import", import)
            .says("Take in what an export gave. Sent again, it changes nothing more; to replace, an admin is needed")
            .asks::<ImportAsked>()
            .takes_raw(JSONL)
            .gives::<Imported>(),
    ]
}

/// What to export.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ExportAsked {
    /// A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: Option<Scope>,
}

async fn export(visit: Visit, Query(asked): Query<ExportAsked>) -> Result<Response, Problem> {
    let scope = visit.scope(asked.scope)?;
    let body = written(visit, move |engine, out| engine.export(&scope, out).map(|_| ())).await?;
    let headers = [
        (header::CONTENT_TYPE, JSONL),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"memories.jsonl\""),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, body).into_response())
}

/// A body that the engine writes while it is sent.
pub(super) async fn written<F>(visit: Visit, write: F) -> Result<Body, Problem>
where
    F: FnOnce(&Perihelion, &mut Outlet) -> Result<(), Error> + Send + 'static,
{
    let place = place(&visit)?;
    let (mut outlet, outflow) = pipe::outflow();
    let (app, span) = (visit.app, tracing::Span::current());
    tokio::task::spawn_blocking(move || {
        let (_entered, _place) = (span.enter(), place);
        let outcome = write(&app.engine, &mut outlet).map_err(|error| match error {
            // The client left or stalled, which is nobody's failure here.
            Error::Transfer(_) => Problem::invalid("the client left"),
            error => error.into(),
        });
        outlet.finish(outcome);
    });
    outflow.into_body().await
}

/// How to import.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ImportAsked {
    /// Only into these namespaces; by default into all that the key opens. Lines of others are refused.
    scope: Option<Scope>,
    /// What to do with a memory whose id is there already.
    #[serde(default)]
    on_conflict: Conflict,
}

/// What to do with a memory whose id is there already.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Conflict {
    /// The one that is there stays.
    #[default]
    Keep,
    /// The imported one takes its place, history included.
    Replace,
}

/// A memory brings its history in one line, so lines may be long; they are in memory while they are read.
const LINE_BYTES_MAX: usize = 16 * 1024 * 1024;
/// So many refused lines are listed.
const REFUSED_LISTED_MAX: usize = 1000;

async fn import(
    visit: Visit,
    Query(asked): Query<ImportAsked>,
    request: Request,
) -> Result<Json<Imported>, Problem> {
    if !is_lines(request.headers()) {
        return Err(Problem::other_type(JSONL));
    }
    let within = visit.scope(asked.scope)?;
    let mode = match asked.on_conflict {
        Conflict::Keep => ImportMode::Append,
        Conflict::Replace => {
            // It destroys what was there, as purging does.
            visit.caller.may(Admin)?;
            ImportMode::Upsert
        }
    };
    let (line_bytes_max, refused_listed_max) = (LINE_BYTES_MAX, REFUSED_LISTED_MAX);
    let options =
        ImportOptions { mode, within, line_bytes_max, refused_listed_max, ..ImportOptions::default() };
    let place = place(&visit)?;
    let mut inlet = Inlet::new(request.into_body());
    let (app, span) = (visit.app, tracing::Span::current());
    let done = tokio::task::spawn_blocking(move || {
        let (_entered, _place) = (span.enter(), place);
        app.engine.import(&mut inlet, options).map_err(|error| match error {
            Error::Transfer(why) => {
                Problem::invalid(format!("the body broke off: {why}; what came before is kept"))
            }
            error => error.into(),
        })
    });
    match done.await {
        Ok(imported) => imported.map(Json),
        Err(error) => {
            tracing::error!(%error, "an import broke off");
            Err(Problem::internal())
        }
    }
}

fn is_lines(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    [JSONL, "application/x-ndjson"].iter().any(|known| kind.eq_ignore_ascii_case(known))
}

/// A place among the transfers at once: each holds a thread for as long as its client likes.
fn place(visit: &Visit) -> Result<OwnedSemaphorePermit, Problem> {
    let place = std::sync::Arc::clone(&visit.app.transfers).try_acquire_owned();
    place.map_err(|_| Problem::full("as many exports and imports are under way as may be at once"))
}

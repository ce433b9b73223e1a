//! Everything out and in again, as streams of lines.

use axum::Json;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, Method, header};
use axum::response::{IntoResponse, Response};
use perihelion::Role::{Admin, Reader, Writer};
use perihelion::{
    Circumstance, Error, ExportOptions, ExportedTrash, Filter, ImportMode, ImportOptions, Imported, Kind,
    Layer, Perihelion, Scope, Timestamp,
};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::sync::OwnedSemaphorePermit;

use crate::extract::{Query, Visit};
use crate::pipe::{self, Inlet, Outlet};
use crate::problem::Problem;
use crate::table::Need::Role;
use crate::table::Operation;

/// One JSON object a line.
pub(super) const JSONL: &str = "application/jsonl";

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Role(Reader), Method::GET, "/v1/export", "export", export)
            .says(
                "Everything of a scope, one JSON object a line. It is whole only if the answer ends properly",
            )
            .asks::<ExportAsked>()
            .gives_text(JSONL),
        Operation::new(Role(Writer), Method::POST, "/v1/import", "import", import)
            .says("Take in what an export gave. Sent again, it changes nothing more")
            .asks::<ImportAsked>()
            .takes_raw(JSONL)
            .gives::<Imported>(),
    ]
}

/// What to export. With a condition or a limit it holds the memories that fit and the edges between them.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ExportAsked {
    /// A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: Option<Scope>,
    #[serde(default)]
    layer: Vec<Layer>,
    #[serde(default)]
    kind: Vec<Kind>,
    /// All of them.
    #[serde(default)]
    #[schemars(with = "Vec<crate::routes::Label>")]
    tag: Vec<String>,
    #[schemars(with = "Option<crate::routes::Label>")]
    session: Option<String>,
    #[schemars(with = "Option<crate::routes::Label>")]
    speaker: Option<String>,
    /// Under all of these circumstances, such as `spatial.place=office`.
    #[serde(default)]
    context: Vec<Circumstance>,
    #[schemars(with = "Option<crate::routes::Moment>")]
    since: Option<Timestamp>,
    #[schemars(with = "Option<crate::routes::Moment>")]
    until: Option<Timestamp>,
    /// At most so many memories, the earliest first.
    #[schemars(range(min = 1, max = crate::extract::WHOLE_MAX))]
    limit: Option<u64>,
    #[serde(default)]
    trash: Trash,
}

/// Whether what lies in the trash is exported.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Trash {
    /// It comes along.
    #[default]
    With,
    /// It is left out.
    Without,
}

impl ExportAsked {
    fn options(self, visit: &Visit) -> Result<ExportOptions, Problem> {
        if self.limit.is_some_and(|limit| !(1..=crate::extract::WHOLE_MAX).contains(&limit)) {
            return Err(Problem::invalid("`limit`: not at least 1"));
        }
        let filter = Filter {
            layers: self.layer,
            kinds: self.kind,
            tags: self.tag,
            since: self.since,
            until: self.until,
            session: self.session,
            speaker: self.speaker,
            pinned: None,
            context: self.context,
        };
        visit.check_filter(&filter)?;
        let trash = match self.trash {
            Trash::With => ExportedTrash::With,
            Trash::Without => ExportedTrash::Without,
        };
        Ok(ExportOptions { scope: visit.scope(self.scope)?, filter, limit: self.limit, trash })
    }
}

async fn export(visit: Visit, Query(asked): Query<ExportAsked>) -> Result<Response, Problem> {
    let options = asked.options(&visit)?;
    let body = written(visit, move |engine, out| engine.export(options, out).map(|_| ())).await?;
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
    /// What to do with what is here; for all but append an admin is needed.
    #[serde(default)]
    mode: Mode,
}

/// What to do with what is here.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Mode {
    /// It stays; only memories with new ids come in.
    #[default]
    Append,
    /// Of two memories with the same id the one that was changed later holds; what the other said stays in its history.
    Upsert,
    /// The imported one holds in any case; and what the namespaces of the lines hold beyond them goes to the trash, if the lines are whole.
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
    let mode = match asked.mode {
        Mode::Append => ImportMode::Append,
        Mode::Upsert => ImportMode::Upsert,
        Mode::Replace => ImportMode::Replace,
    };
    if mode != ImportMode::Append {
        // It changes what others said.
        visit.caller.may(Admin)?;
    }
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
pub(super) fn place(visit: &Visit) -> Result<OwnedSemaphorePermit, Problem> {
    let place = std::sync::Arc::clone(&visit.app.transfers).try_acquire_owned();
    place.map_err(|_| Problem::full("as many exports and imports are under way as may be at once"))
}

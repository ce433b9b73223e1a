//! What another store kept, taken over from a stream; and vectors for memories that lack one.

use std::io::BufRead as _;

use axum::Json;
use axum::extract::Request;
use axum::http::{HeaderMap, Method, header};
use perihelion::Role::Writer;
use perihelion::{
    Effect, Error, MigrateOptions, MigrationReport, MigrationSource, Namespace, Perihelion, Scope,
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::transfer::{JSONL, place};
use crate::extract::{Query, Visit};
use crate::pipe::Inlet;
use crate::problem::Problem;
use crate::table::Need::Role;
use crate::table::Operation;

/// A list of records, or an object that holds one.
const JSON: &str = "application/json";
/// Records are in memory while they are read, several clients at a time.
const RECORD_BYTES_MAX: usize = 4 * 1024 * 1024;
/// So many failures are listed.
const ERRORS_LISTED_MAX: usize = 1000;

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Role(Writer), Method::POST, "/api/memory/migrate", "migrate", migrate)
            .says(
                "Take over records of another store, one JSON object a line or a list of them. Sent again, it adds \
                 nothing. An empty body gives vectors to the memories that lack one",
            )
            .asks::<MigrateAsked>()
            .takes_raw(JSONL)
            .gives::<MigrationReport>(),
    ]
}

/// How to migrate.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MigrateAsked {
    /// Where the memories go: by default the key's own namespace or the configured one. With an empty body, whose
    /// memories get vectors: by default those of everything that the key opens.
    namespace: Option<Namespace>,
    /// The model that all vectors are of, whatever the records say.
    #[schemars(with = "Option<crate::routes::Label>")]
    vectors_are: Option<String>,
    /// Only tell what would happen.
    #[serde(default)]
    dry_run: bool,
}

async fn migrate(
    visit: Visit,
    Query(asked): Query<MigrateAsked>,
    request: Request,
) -> Result<Json<MigrationReport>, Problem> {
    visit.check_labels(&[("vectors_are", &asked.vectors_are)])?;
    let lacking = visit.scope(asked.namespace.clone().map(Scope::Exact))?;
    // Found out before the body is looked at, and only told if there is one.
    let target = visit.namespace(asked.namespace.clone());
    let is_json = is_json(request.headers());
    let place = place(&visit)?;
    let mut inlet = Inlet::new(request.into_body());
    let (app, span) = (visit.app, tracing::Span::current());
    let done = tokio::task::spawn_blocking(move || {
        let (_entered, _place) = (span.enter(), place);
        let effect = if asked.dry_run { Effect::Rehearsed } else { Effect::Written };
        if inlet.fill_buf().map_err(broken_off)?.is_empty() {
            let report = app.engine.embed_missing(&lacking, MigrateOptions::BATCH, effect)?;
            return Ok(listed(report));
        }
        if !is_json {
            return Err(Problem::other_type("application/jsonl or application/json"));
        }
        let options = MigrateOptions {
            namespace: target?,
            vectors_are: asked.vectors_are,
            record_bytes_max: RECORD_BYTES_MAX,
            errors_listed_max: ERRORS_LISTED_MAX,
            effect,
            ..MigrateOptions::default()
        };
        take(&app.engine, &mut inlet, &options)
    });
    match done.await {
        Ok(report) => report.map(Json),
        Err(error) => {
            tracing::error!(%error, "a migration broke off");
            Err(Problem::internal())
        }
    }
}

fn take(
    engine: &Perihelion,
    inlet: &mut Inlet,
    options: &MigrateOptions,
) -> Result<MigrationReport, Problem> {
    engine.migrate(MigrationSource::Stream(inlet), options).map_err(|error| match error {
        Error::Transfer(why) => broken_off(why),
        error => error.into(),
    })
}

fn broken_off(why: std::io::Error) -> Problem {
    Problem::invalid(format!("the body broke off: {why}; what came before is kept"))
}

/// The same with as many failures as are listed.
fn listed(mut report: MigrationReport) -> MigrationReport {
    let progress = &mut report.progress;
    let more = progress.errors.len().saturating_sub(ERRORS_LISTED_MAX);
    progress.errors.truncate(ERRORS_LISTED_MAX);
    progress.errors_unlisted += more as u64;
    report
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    [JSONL, "application/x-ndjson", JSON].iter().any(|known| kind.eq_ignore_ascii_case(known))
}

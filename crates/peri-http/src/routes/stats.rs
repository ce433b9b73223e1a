//! What is held, in numbers.

use axum::Json;
use axum::http::Method;
use perihelion::Role::Reader;
use perihelion::{NamespaceStats, Scope, Stats};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::extract::{Query, Visit};
use crate::problem::Problem;
use crate::table::Need::Role;
use crate::table::Operation;

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Role(Reader), Method::GET, "/v1/stats", "stats", stats)
            .says("What is held, in numbers: of the key's namespaces alone")
            .asks::<StatsAsked>()
            .gives::<Numbers>(),
    ]
}

/// Of which namespaces.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StatsAsked {
    /// A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: Option<Scope>,
}

/// What is held in a scope.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Numbers {
    /// Memories outside the trash.
    memories: u64,
    /// Memories in the trash.
    trashed: u64,
    /// Memories that wait for a vector.
    unembedded: u64,
    /// Each namespace by itself.
    namespaces: Vec<NamespaceStats>,
    /// The store as a whole, for keys that open all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    store: Option<Whole>,
}

/// The store as a whole.
#[derive(Debug, Serialize, JsonSchema)]
struct Whole {
    /// Bytes on the disk: the database and its log.
    database_bytes: u64,
    /// Bytes on the disk: saved indexes, which can be deleted at any time.
    index_bytes: u64,
    /// The space new vectors are made in.
    space: Option<String>,
}

async fn stats(visit: Visit, Query(asked): Query<StatsAsked>) -> Result<Json<Numbers>, Problem> {
    let scope = visit.scope(asked.scope)?;
    // How large the whole is tells of others.
    let whole = visit.caller.scope == Scope::All;
    let stats = visit.work(move |engine| Ok(engine.stats(&scope)?)).await?;
    let Stats { memories, trashed, unembedded, namespaces, database_bytes, index_bytes, space } = stats;
    let store = whole.then_some(Whole { database_bytes, index_bytes, space });
    Ok(Json(Numbers { memories, trashed, unembedded, namespaces, store }))
}

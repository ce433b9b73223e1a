//! Namespaces: listed, moved and deleted as a whole.

use axum::Json;
use axum::http::Method;
use perihelion::Role::{Admin, Reader};
use perihelion::{
    Deletion, Destroyed, Error, MovedNamespace, Namespace, Perihelion, Scope, StillHeld, StoreError,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::extract::{Body, Query, Visit};
use crate::problem::Problem;
use crate::table::Need::Role;
use crate::table::Operation;

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Role(Reader), Method::GET, "/v1/namespaces", "listNamespaces", list)
            .says("The namespaces that hold anything")
            .asks::<ListAsked>()
            .gives::<Namespaces>(),
        Operation::new(Role(Admin), Method::POST, "/v1/namespaces/move", "moveNamespace", shift)
            .says("Move everything of a namespace to another one, which may hold memories already")
            .takes::<MoveAsked>()
            .gives::<MovedNamespace>()
            .once(),
        Operation::new(Role(Admin), Method::DELETE, "/v1/namespaces", "deleteNamespace", delete)
            .says("Move all memories of a namespace to the trash, or destroy them")
            .asks::<DeleteAsked>()
            .gives::<Deleted>()
            .once(),
    ]
}

/// Where to look for namespaces.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ListAsked {
    /// A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: Option<Scope>,
}

/// Namespaces that hold anything.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Namespaces {
    namespaces: Vec<Namespace>,
}

async fn list(visit: Visit, Query(asked): Query<ListAsked>) -> Result<Json<Namespaces>, Problem> {
    let scope = visit.scope(asked.scope)?;
    let namespaces = visit.work(move |engine| Ok(engine.namespaces(&scope)?)).await?;
    Ok(Json(Namespaces { namespaces }))
}

/// A namespace to move.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MoveAsked {
    from: Namespace,
    to: Namespace,
}

async fn shift(visit: Visit, Body(asked): Body<MoveAsked>) -> Result<Json<MovedNamespace>, Problem> {
    let MoveAsked { from, to } = asked;
    let from = visit.namespace(Some(from))?;
    let to = visit.namespace(Some(to))?;
    if from == to {
        return Err(Problem::conflict(format!("{from} is there already")));
    }
    let moved = visit.work(move |engine| {
        check_exists(engine, &from)?;
        Ok(engine.move_namespace(&from, &to)?)
    });
    moved.await.map(Json)
}

/// A namespace to delete.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DeleteAsked {
    namespace: Namespace,
    /// Destroy everything at once, what lies in the trash included; there is no way back.
    #[serde(default)]
    purge: bool,
}

/// What was deleted.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Deleted {
    namespace: Namespace,
    /// How many memories that were.
    memories: u64,
    /// Whether they were destroyed; otherwise they lie in the trash.
    purged: bool,
    /// What still holds the words of what was destroyed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    still_held: Vec<StillHeld>,
}

async fn delete(visit: Visit, Query(asked): Query<DeleteAsked>) -> Result<Json<Deleted>, Problem> {
    let (namespace, purged) = (visit.namespace(Some(asked.namespace))?, asked.purge);
    let deletion = if purged { Deletion::Purge } else { Deletion::ToTrash };
    let scope = visit.caller.scope.clone();
    let deleted = visit.work(move |engine| {
        check_exists(engine, &namespace)?;
        let memories = engine.delete_namespace(&namespace, deletion)?;
        let still_held = if purged { engine.still_held() } else { Vec::new() };
        let still_held = Destroyed { memories, still_held }.told_within(&scope).still_held;
        Ok(Deleted { namespace, memories, purged, still_held })
    });
    deleted.await.map(Json)
}

/// A name that was misspelt must not look like work that was done.
fn check_exists(engine: &Perihelion, namespace: &Namespace) -> Result<(), Problem> {
    let scope = Scope::Exact(namespace.clone());
    if engine.namespaces(&scope)?.is_empty() && engine.sessions(&scope, 1)?.is_empty() {
        return Err(Error::Store(StoreError::NoNamespace { namespace: namespace.clone() }).into());
    }
    Ok(())
}

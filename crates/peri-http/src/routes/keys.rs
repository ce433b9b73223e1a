//! Keys: who is let in. An admin handles the keys that open nothing beyond what the own key does.

use axum::Json;
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use perihelion::Role::Admin;
use perihelion::{ApiKey, CreatedKey, Error, KeyId, NewKey, Scope, StoreError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::extract::{Body, Named, Visit};
use crate::problem::Problem;
use crate::table::Need::Role;
use crate::table::Operation;

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Role(Admin), Method::GET, "/v1/keys", "listKeys", list)
            .says("The keys within the own key's namespaces, the revoked ones too")
            .gives::<Keys>(),
        // An answer that is kept for repeated requests would keep the secret on the disk.
        Operation::new(Role(Admin), Method::POST, "/v1/keys", "createKey", create)
            .says("Create a key. The answer holds its secret, which is never told again")
            .takes::<KeyAsked>()
            .answers_with::<CreatedKey>(StatusCode::CREATED),
        Operation::new(Role(Admin), Method::DELETE, "/v1/keys/{key}", "revokeKey", revoke)
            .says("Revoke a key: whoever shows it is let in no more")
            .gives::<ApiKey>(),
    ]
}

/// Keys, the earliest first.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Keys {
    keys: Vec<ApiKey>,
}

async fn list(visit: Visit) -> Result<Json<Keys>, Problem> {
    let scope = visit.caller.scope.clone();
    let mut keys = visit.work(move |engine| Ok(engine.keys()?)).await?;
    keys.retain(|key| scope.covers(&key.scope));
    Ok(Json(Keys { keys }))
}

/// A key to create.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct KeyAsked {
    /// What it is for. Names need not be unique.
    #[schemars(with = "crate::routes::Label")]
    name: String,
    /// What it allows.
    role: perihelion::Role,
    /// Where it allows that: a namespace, `team/*` or `*`; by default everything that the own key opens.
    scope: Option<Scope>,
}

async fn create(visit: Visit, Body(asked): Body<KeyAsked>) -> Result<Response, Problem> {
    let KeyAsked { name, role, scope } = asked;
    let scope = visit.scope(scope)?;
    let created = visit.work(move |engine| Ok(engine.create_key(NewKey { name, role, scope })?)).await?;
    Ok((StatusCode::CREATED, [(header::CACHE_CONTROL, "no-store")], Json(created)).into_response())
}

async fn revoke(visit: Visit, Named(id): Named<KeyId>) -> Result<Json<ApiKey>, Problem> {
    let scope = visit.caller.scope.clone();
    let revoked = visit.work(move |engine| {
        let own = engine.keys()?.into_iter().any(|key| key.id == id && scope.covers(&key.scope));
        // A key that reaches further is told like one that does not exist.
        if !own {
            return Err(Error::Store(StoreError::NoKey { id }).into());
        }
        Ok(engine.revoke_key(id)?)
    });
    revoked.await.map(Json)
}

//! Me: who asks, as the server sees it.

use axum::Json;
use axum::http::Method;
use perihelion::Role::Reader;
use perihelion::{KeyId, Namespace, Scope};
use schemars::JsonSchema;
use serde::Serialize;

use crate::extract::Visit;
use crate::problem::Problem;
use crate::table::Need::Role;
use crate::table::Operation;

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Role(Reader), Method::GET, "/v1/me", "me", me)
            .says("Who the server takes the caller for, and what that allows")
            .gives::<Me>(),
    ]
}

/// Somebody who asks.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Me {
    /// What they may do.
    role: perihelion::Role,
    /// Where they may do it.
    scope: Scope,
    /// Where requests work that name no namespace; null if they have to name one.
    namespace: Option<Namespace>,
    /// The key that was shown; null if there was none.
    key: Option<KeyId>,
    /// Whether they need no key, because they sit at the machine itself.
    local: bool,
    /// The program's version.
    version: &'static str,
    /// Whether nothing can be written.
    read_only: bool,
}

async fn me(visit: Visit) -> Result<Json<Me>, Problem> {
    let caller = &visit.caller;
    Ok(Json(Me {
        role: caller.role,
        scope: caller.scope.clone(),
        namespace: visit.namespace(None).ok(),
        key: caller.key,
        local: caller.key.is_none(),
        version: env!("CARGO_PKG_VERSION"),
        read_only: visit.app.engine.is_read_only(),
    }))
}

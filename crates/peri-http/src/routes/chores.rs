//! Chores by hand: what a server does by itself from time to time.

use axum::Json;
use axum::http::Method;
use perihelion::Role::Admin;
use perihelion::{Destroyed, Reorbited, Scope, StillHeld, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::extract::{Body, Visit};
use crate::problem::Problem;
use crate::table::Need::{Everywhere, Role};
use crate::table::Operation;

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Role(Admin), Method::POST, "/v1/reorbit", "reorbit", reorbit)
            .says("Bring the zones to where they belong by now, and what nobody used for long to the trash")
            .takes::<ReorbitAsked>()
            .gives::<Reorbited>(),
        Operation::new(Everywhere(Admin), Method::POST, "/v1/maintain", "maintain", maintain)
            .says("Do all chores now: vectors, links, the trash, zones and indexes")
            .gives::<Maintained>(),
        Operation::new(Role(Admin), Method::POST, "/v1/trash/purge", "purgeTrash", purge)
            .says("Destroy what lies in the trash, with its history; there is no way back")
            .takes::<PurgeAsked>()
            .gives::<Purged>()
            .once(),
    ]
}

/// Where to reorbit.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReorbitAsked {
    /// A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: Option<Scope>,
}

async fn reorbit(visit: Visit, Body(asked): Body<ReorbitAsked>) -> Result<Json<Reorbited>, Problem> {
    let scope = visit.scope(asked.scope)?;
    visit.work(move |engine| Ok(engine.reorbit(&scope)?)).await.map(Json)
}

/// What the chores left behind.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Maintained {
    /// Memories that were purged after their time in the trash.
    purged: u64,
    /// Memories that still wait for a vector.
    unembedded: u64,
    /// Bytes on the disk: saved indexes.
    index_bytes: u64,
}

async fn maintain(visit: Visit) -> Result<Json<Maintained>, Problem> {
    let maintained = visit.work(|engine| {
        let before = engine.stats(&Scope::All)?;
        engine.maintain()?;
        let after = engine.stats(&Scope::All)?;
        let purged = before.trashed.saturating_sub(after.trashed);
        Ok(Maintained { purged, unembedded: after.unembedded, index_bytes: after.index_bytes })
    });
    maintained.await.map(Json)
}

/// What to destroy.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PurgeAsked {
    /// Only what was moved to the trash before; everything when left out.
    #[schemars(with = "Option<crate::routes::Moment>")]
    before: Option<Timestamp>,
    /// A namespace, `team/*` or `*`; by default everything that the key opens.
    scope: Option<Scope>,
}

/// What was destroyed.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Purged {
    /// How many memories.
    purged: u64,
    /// What still holds their words.
    still_held: Vec<StillHeld>,
}

async fn purge(visit: Visit, Body(asked): Body<PurgeAsked>) -> Result<Json<Purged>, Problem> {
    let scope = visit.scope(asked.scope)?;
    let purged = visit.work(move |engine| {
        // The store compares in whole milliseconds; what was forgotten just now is meant too.
        let now = engine.options().clock.now();
        let soon = Timestamp::from_millisecond(now.as_millisecond().saturating_add(1)).unwrap_or(now);
        Ok(engine.purge_trashed(&scope, asked.before.unwrap_or(soon))?.told_within(&scope))
    });
    let Destroyed { memories: purged, still_held } = purged.await?;
    Ok(Json(Purged { purged, still_held }))
}

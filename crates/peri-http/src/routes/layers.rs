//! Layers: promotion from one to the next and back, and the end of what has had its time.

use axum::Json;
use axum::http::Method;
use axum::response::Response;
use perihelion::Role::{Admin, Writer};
use perihelion::{Layer, MemoryId, Promoted, Swept, Undone};
use schemars::JsonSchema;
use serde::Deserialize;

use super::memories::tagged;
use crate::extract::{Body, Named, Visit};
use crate::problem::Problem;
use crate::table::Need::{Everywhere, Role};
use crate::table::Operation;

/// At most so many memories are promoted together with another: as many edges as a memory may have, with it.
const TOGETHER_MAX: usize = 19;

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Role(Writer), Method::POST, "/v1/memories/{id}/promote", "promote", promote)
            .says("Make a memory of a longer-lived layer out of this one, which is put aside for it")
            .takes::<PromoteAsked>()
            .gives::<Promoted>()
            .once(),
        Operation::new(Role(Writer), Method::POST, "/v1/memories/{id}/undo-promotion", "undoPromotion", undo)
            .says("Bring back what a memory was promoted from")
            .gives::<Undone>()
            .once(),
        Operation::new(Everywhere(Admin), Method::POST, "/v1/sweep", "sweep", sweep)
            .says("End what has reached the end of its time in its layer; what matters is promoted")
            .gives::<Swept>(),
    ]
}

/// What to promote, and to where.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PromoteAsked {
    /// The next longer one when left out.
    to: Option<Layer>,
    /// Others that say the same and become the same memory.
    #[serde(default)]
    #[schemars(length(max = 19))]
    together_with: Vec<MemoryId>,
}

async fn promote(
    visit: Visit,
    Named(id): Named<MemoryId>,
    Body(asked): Body<PromoteAsked>,
) -> Result<Response, Problem> {
    let count = asked.together_with.len();
    if count > TOGETHER_MAX {
        return Err(Problem::invalid(format!("`together_with`: {count} is more than {TOGETHER_MAX}")));
    }
    let scope = visit.caller.scope.clone();
    let ids: Vec<_> = std::iter::once(id).chain(asked.together_with).collect();
    let promoted = visit.work(move |engine| Ok(engine.promote(&scope, &ids, asked.to)?)).await?;
    Ok(tagged(&promoted.memory, Json(&promoted)))
}

async fn undo(visit: Visit, Named(id): Named<MemoryId>) -> Result<Json<Undone>, Problem> {
    let scope = visit.caller.scope.clone();
    visit.work(move |engine| Ok(engine.undo_promotion(&scope, id)?)).await.map(Json)
}

async fn sweep(visit: Visit) -> Result<Json<Swept>, Problem> {
    visit.work(|engine| Ok(engine.sweep()?)).await.map(Json)
}

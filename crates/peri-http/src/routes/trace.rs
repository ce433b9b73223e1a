//! Trace: from a memory to the journal event and the turn that it came from.

use axum::Json;
use axum::http::Method;
use perihelion::Role::Reader;
use perihelion::{MemoryId, Trace};

use crate::extract::{Named, Visit};
use crate::problem::Problem;
use crate::table::Need::Role;
use crate::table::Operation;

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Role(Reader), Method::GET, "/v1/memories/{id}/trace", "traceMemory", trace)
            .says("The journal event and the turn that a memory came from, and what else came from there")
            .gives::<Trace>(),
    ]
}

async fn trace(visit: Visit, Named(id): Named<MemoryId>) -> Result<Json<Trace>, Problem> {
    let scope = visit.caller.scope.clone();
    visit.work(move |engine| Ok(engine.trace(&scope, id)?)).await.map(Json)
}

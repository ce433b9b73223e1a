//! Orbits to look at: where memories are, how they came there, and where they will go.

use axum::Json;
use axum::http::Method;
use perihelion::Role::Reader;
use perihelion::{MemoryId, MemoryOrbit, MovesQuery, Namespace, OrbitMoves, Orbits};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::extract::{Named, Query, Visit};
use crate::problem::Problem;
use crate::table::Need::Role;
use crate::table::Operation;

/// Memories of a picture, unless it says how many.
const BODIES: usize = 10_000;
const BODIES_MAX: usize = 50_000;
/// Moves, unless it says how many.
const MOVES: usize = 50_000;
const MOVES_MAX: usize = 200_000;
/// How far back, unless it says.
const DAYS: u32 = 30;
const DAYS_MAX: u32 = 365;

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Role(Reader), Method::GET, "/v1/orbit", "orbit", orbit)
            .says("Where the memories of a namespace orbit now, the nearest first")
            .asks::<OrbitAsked>()
            .gives::<Orbits>(),
        Operation::new(Role(Reader), Method::GET, "/v1/orbit/moves", "orbitMoves", moves)
            .says("How the memories of a namespace moved, and how they will if nobody uses anything")
            .asks::<MovesAsked>()
            .gives::<OrbitMoves>(),
        Operation::new(Role(Reader), Method::GET, "/v1/memories/{id}/orbit", "memoryOrbit", of_memory)
            .says("Why a memory is where it is: its score with what that is made of, and how it moved")
            .gives::<MemoryOrbit>(),
    ]
}

/// A number as asked for, within its bounds.
pub(super) fn bounded<N: PartialOrd + std::fmt::Display + Copy>(
    name: &str,
    asked: Option<N>,
    otherwise: N,
    (least, most): (N, N),
) -> Result<N, Problem> {
    let number = asked.unwrap_or(otherwise);
    if number < least || number > most {
        return Err(Problem::invalid(format!("`{name}`: {number} is not between {least} and {most}")));
    }
    Ok(number)
}

/// Which orbits.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OrbitAsked {
    /// By default where the key points, or else as configured.
    namespace: Option<Namespace>,
    /// At most so many memories; 10000 when left out.
    #[schemars(range(min = 1, max = 50000))]
    limit: Option<usize>,
}

async fn orbit(visit: Visit, Query(asked): Query<OrbitAsked>) -> Result<Json<Orbits>, Problem> {
    let limit = bounded("limit", asked.limit, BODIES, (1, BODIES_MAX))?;
    let namespace = visit.namespace(asked.namespace)?;
    visit.work(move |engine| Ok(engine.orbits(&namespace, limit)?)).await.map(Json)
}

/// Which moves.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MovesAsked {
    /// By default where the key points, or else as configured.
    namespace: Option<Namespace>,
    /// So many days back; 30 when left out.
    #[schemars(range(max = 365))]
    days: Option<u32>,
    /// So many days ahead; none when left out.
    #[schemars(range(max = 365))]
    ahead_days: Option<u32>,
    /// At most so many moves, those nearest to now; 50000 when left out.
    #[schemars(range(min = 1, max = 200_000))]
    limit: Option<usize>,
}

async fn moves(visit: Visit, Query(asked): Query<MovesAsked>) -> Result<Json<OrbitMoves>, Problem> {
    let days = bounded("days", asked.days, DAYS, (0, DAYS_MAX))?;
    let ahead_days = bounded("ahead_days", asked.ahead_days, 0, (0, DAYS_MAX))?;
    let limit = bounded("limit", asked.limit, MOVES, (1, MOVES_MAX))?;
    let namespace = visit.namespace(asked.namespace)?;
    let query = MovesQuery { namespace, days, ahead_days, limit };
    visit.work(move |engine| Ok(engine.orbit_moves(&query)?)).await.map(Json)
}

async fn of_memory(visit: Visit, Named(id): Named<MemoryId>) -> Result<Json<MemoryOrbit>, Problem> {
    let scope = visit.caller.scope.clone();
    visit.work(move |engine| Ok(engine.memory_orbit(&scope, id)?)).await.map(Json)
}

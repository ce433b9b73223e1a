//! The graph of a namespace to look at.

use axum::Json;
use axum::http::Method;
use perihelion::Role::Reader;
use perihelion::{GraphPicture, Namespace};
use schemars::JsonSchema;
use serde::Deserialize;

use super::orbit::bounded;
use crate::extract::{Query, Visit};
use crate::problem::Problem;
use crate::table::Need::Role;
use crate::table::Operation;

/// Memories of a picture, unless it says how many.
const NODES: usize = 2000;
const NODES_MAX: usize = 20_000;

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Role(Reader), Method::GET, "/v1/graph", "graph", graph)
            .says("The most central memories of a namespace with the edges between them, ranks and groups")
            .asks::<PictureAsked>()
            .gives::<GraphPicture>(),
    ]
}

/// Which graph.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PictureAsked {
    /// By default where the key points, or else as configured.
    namespace: Option<Namespace>,
    /// At most so many memories; 2000 when left out.
    #[schemars(range(min = 1, max = 20000))]
    limit: Option<usize>,
}

async fn graph(visit: Visit, Query(asked): Query<PictureAsked>) -> Result<Json<GraphPicture>, Problem> {
    let limit = bounded("limit", asked.limit, NODES, (1, NODES_MAX))?;
    let namespace = visit.namespace(asked.namespace)?;
    visit.work(move |engine| Ok(engine.graph_picture(&namespace, limit)?)).await.map(Json)
}

//! The sample: something to explore for whoever has no memories yet.

use axum::Json;
use axum::http::Method;
use perihelion::Role::{Reader, Writer};
use perihelion::{Perihelion, SampleLoaded, SampleRemoved, SampleStatus};

use crate::extract::Visit;
use crate::problem::Problem;
use crate::table::Need::Role;
use crate::table::Operation;

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Role(Reader), Method::GET, "/v1/sample", "sampleStatus", status)
            .says("Whether the sample is loaded: the memories of an invented team, to explore")
            .gives::<SampleStatus>(),
        Operation::new(Role(Writer), Method::POST, "/v1/sample", "loadSample", load)
            .says("Load the sample into a namespace of its own, told over the last sixty days")
            .gives::<SampleLoaded>()
            .once(),
        Operation::new(Role(Writer), Method::DELETE, "/v1/sample", "removeSample", remove)
            .says("Remove the sample for good: what came with it, and nothing else. The status tells what stays")
            .gives::<SampleRemoved>()
            .once(),
    ]
}

/// Refuses keys that do not open the sample's namespace.
fn check(visit: &Visit) -> Result<(), Problem> {
    let namespace = Perihelion::SAMPLE.parse().map_err(perihelion::Error::from)?;
    visit.namespace(Some(namespace)).map(drop)
}

async fn status(visit: Visit) -> Result<Json<SampleStatus>, Problem> {
    check(&visit)?;
    visit.work(|engine| Ok(engine.sample_status()?)).await.map(Json)
}

async fn load(visit: Visit) -> Result<Json<SampleLoaded>, Problem> {
    check(&visit)?;
    visit.work(|engine| Ok(engine.load_sample()?)).await.map(Json)
}

async fn remove(visit: Visit) -> Result<Json<SampleRemoved>, Problem> {
    check(&visit)?;
    visit.work(|engine| Ok(engine.remove_sample()?)).await.map(Json)
}

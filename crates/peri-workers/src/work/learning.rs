//! Learning: the router is trained on what was recorded, the adapter on what was judged.

use std::collections::BTreeSet;

use perihelion::Namespace;
use serde_json::json;

use crate::job::{Findings, Job, Trouble};

pub(crate) fn run(job: &Job<'_>) -> Result<Findings, Trouble> {
    let (mut routers, mut adapters) = (Vec::new(), Vec::new());
    // One may have recorded tasks and no memory yet.
    let mut namespaces: BTreeSet<Namespace> = job.engine.namespaces(job.scope)?.into_iter().collect();
    namespaces.extend(job.engine.learning(job.scope)?.namespaces.into_iter().map(|stats| stats.namespace));
    for namespace in namespaces {
        job.check()?;
        if let Some(trained) = job.engine.train_router(&namespace)? {
            routers.push(json!({ "namespace": namespace, "set": trained.set, "outcomes": trained.outcomes }));
        }
        job.check()?;
        if let Some(trained) = job.engine.train_adapter(&namespace, job.go_on)? {
            adapters.push(json!({ "namespace": namespace, "outcome": trained }));
        }
    }
    if routers.is_empty() && adapters.is_empty() {
        return Err(Trouble::Unavailable(
            "there is nothing to learn from yet: no task that names its agent, no judged recall".to_owned(),
        ));
    }
    Ok(Findings::new(format!("{} routers trained, {} adapters tried", routers.len(), adapters.len()))
        .figure("routers", routers)
        .figure("adapters", adapters))
}

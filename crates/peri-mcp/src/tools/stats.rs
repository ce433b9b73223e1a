//! `memory_stats`: what is held, in numbers.

use perihelion::{Kind, Zone};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::desk::Desk;
use crate::refusal::Refusal;

pub(crate) const WHEN: &str = "How much is remembered here: counts by kind and zone.";

/// Nothing is asked but the namespace.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Numbers {
    memories: u64,
    trashed: u64,
    edges: u64,
    kinds: Vec<KindCount>,
    zones: Vec<ZoneCount>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct KindCount {
    kind: Kind,
    memories: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ZoneCount {
    zone: Zone,
    memories: u64,
}

pub(crate) fn stats(desk: &Desk<'_>, _asked: Nothing) -> Result<Numbers, Refusal> {
    numbers(desk)
}

/// The numbers of the call's scope.
pub(crate) fn numbers(desk: &Desk<'_>) -> Result<Numbers, Refusal> {
    let stats = desk.engine.stats(&desk.scope)?;
    let of_kind = |kind: Kind| {
        let found = stats.namespaces.iter().flat_map(|one| &one.kinds).filter(|(own, _)| *own == kind);
        KindCount { kind, memories: found.map(|(_, count)| count).sum() }
    };
    let of_zone = |zone: Zone| {
        let found = stats.namespaces.iter().flat_map(|one| &one.zones).filter(|(own, _)| *own == zone);
        ZoneCount { zone, memories: found.map(|(_, count)| count).sum() }
    };
    Ok(Numbers {
        memories: stats.memories,
        trashed: stats.trashed,
        edges: stats.namespaces.iter().map(|one| one.edges).sum(),
        kinds: Kind::ALL.iter().map(|kind| of_kind(*kind)).filter(|count| count.memories > 0).collect(),
        zones: Zone::ALL.iter().map(|zone| of_zone(*zone)).collect(),
    })
}

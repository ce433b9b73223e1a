//! How the store is at the moment somebody looks, as numbers for Prometheus.

use std::sync::Arc;
use std::time::Instant;

use perihelion::{DiskUse, Health, Perihelion, Timestamp};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::registry::{Registry, Unit};
use tokio::sync::Mutex;

use crate::extract::Visit;
use crate::metrics::PREFIX;
use crate::problem::Problem;

/// Looking at a large store takes a part of a second. What was seen holds for so many times as long as looking took,
/// so that however many look, it costs a twentieth of the time at most.
const HOLDS: u32 = 20;

/// Everything that is looked up rather than counted.
pub(crate) struct Moment {
    pub(crate) sight: Arc<Sight>,
    pub(crate) requests_under_way: u64,
    pub(crate) mcp_sessions: u64,
}

/// What looking at the store shows.
pub(crate) struct Sight {
    health: Health,
    disk: DiskUse,
}

/// The last look at the store.
#[derive(Default)]
pub(crate) struct Sights(Mutex<Option<(Instant, Arc<Sight>)>>);

impl Sights {
    /// How the store is, as seen now or a moment ago. Of many who ask at once, one looks.
    pub(crate) async fn look(&self, visit: &Visit) -> Result<Arc<Sight>, Problem> {
        let mut last = self.0.lock().await;
        if let Some((until, sight)) = last.as_ref()
            && Instant::now() < *until
        {
            return Ok(Arc::clone(sight));
        }
        let look = |engine: &Perihelion| {
            let began = Instant::now();
            let sight = Sight { health: engine.health(), disk: engine.disk_use() };
            Ok((Instant::now() + began.elapsed() * HOLDS, Arc::new(sight)))
        };
        let (until, sight) = visit.work(look).await?;
        *last = Some((until, Arc::clone(&sight)));
        Ok(sight)
    }
}

/// One zone.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct InZone {
    zone: String,
}

/// The numbers of one moment.
pub(crate) fn registry(moment: &Moment) -> Registry {
    let mut registry = Registry::with_prefix(PREFIX);
    let Moment { sight, requests_under_way, mcp_sessions } = moment;
    let Sight { health, disk } = &**sight;
    for (name, help, value) in [
        ("healthy", "Whether memories can be stored and recalled", u64::from(health.healthy)),
        ("store_reachable", "Whether the store answers", u64::from(health.store_reachable)),
        ("scheduler_running", "Whether a process does the chores", u64::from(health.scheduler.running)),
        ("http_requests_under_way", "Requests that are being answered", *requests_under_way),
        ("mcp_sessions", "Sessions of MCP clients that are open", *mcp_sessions),
        ("memories", "Memories outside the trash", health.memories),
        ("memories_trashed", "Memories in the trash", health.trashed),
        ("memories_unembedded", "Memories that wait for a vector", health.unembedded),
        ("memories_unlinked", "Memories whose links have not been looked for", health.queue.unlinked),
        ("edges", "Edges between memories", health.edges),
        ("events_waiting", "Events that wait for the audit log", health.queue.events),
        ("queue_depth", "Writes that wait because the store could not take them", health.queue.writes),
        (
            "queue_disk_full",
            "Whether the queue's disk has no room for writes",
            u64::from(health.queue.disk_full),
        ),
        ("queue_dead", "Queued writes that were given up", health.queue.dead_writes),
        ("index_lag", "Changes that the indexes lack and the next recall adds", health.index_lag),
    ] {
        registry.register(name, help, gauge(value));
    }
    for (name, help, value) in [
        ("database_size", "The database and its log on the disk", Some(disk.database_bytes)),
        ("index_size", "Saved indexes on the disk", Some(disk.index_bytes)),
        ("disk_free", "Room on the disk", health.disk_free_bytes),
    ] {
        if let Some(value) = value {
            registry.register_with_unit(name, help, Unit::Bytes, gauge(value));
        }
    }
    let replayed = ConstCounter::new(health.queue.replayed_writes);
    registry.register("queue_replayed", "Writes that had waited and were made by this process", replayed);
    let lost = ConstCounter::new(health.queue.events_lost);
    registry.register("events_lost", "Events dropped because the audit log could not be written", lost);
    if let Some(settled) = health.scheduler.settled_at {
        let help = "Up to which time all orbits are settled, since the epoch";
        registry.register_with_unit("orbits_settled_time", help, Unit::Seconds, gauge_of_time(settled));
    }
    let zones = Family::<InZone, Gauge>::default();
    for zone in &health.zones {
        let label = InZone { zone: zone.zone.to_string() };
        zones.get_or_create(&label).set(i64::try_from(zone.memories).unwrap_or(i64::MAX));
    }
    registry.register("zone_memories", "Memories by zone", zones);
    registry
}

fn gauge(value: u64) -> ConstGauge<i64> {
    ConstGauge::new(i64::try_from(value).unwrap_or(i64::MAX))
}

fn gauge_of_time(time: Timestamp) -> ConstGauge<f64> {
    ConstGauge::new(time.as_millisecond() as f64 / 1000.0)
}

//! Health: whether everything works, and what somebody should look at.

use jiff::SignedDuration;
use peri_store::{ListQuery, NamespaceStats, Order};
use peri_types::{Namespace, Scope, Timestamp, Zone};
use serde::Serialize;

use crate::chores::CHORES_LEASE;
use crate::deadlines::Awaited;
use crate::disk;
use crate::engine::{Core, Perihelion};
use crate::journal::JournalHealth;
use crate::queue::FOLDER;
use crate::{Chores, ClockLeap, FadingAhead};

/// From this share of its capacity on, a zone is worth a warning.
const ZONE_WARNING: f64 = 0.8;

/// With less room than this on the disk, somebody should make some.
const DISK_WARNING_BYTES: u64 = 512 * 1024 * 1024;

/// Orbits that nobody has settled for so long are overdue: twice the time after which commands settle a large store.
const OVERDUE: SignedDuration = SignedDuration::from_hours(48);

/// So many namespaces are named in a warning.
const NAMED_MAX: usize = 5;

/// The lag of at most so many indexes is looked at, and counted up to so many changes.
const LAGS_MAX: usize = 8;
const LAG_MAX: usize = 10_000;

/// How the engine is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Health {
    /// Whether memories can be stored and recalled.
    pub healthy: bool,
    /// Whether the store answers.
    pub store_reachable: bool,
    /// Whether the folder can only be read.
    pub read_only: bool,
    /// Whether the store in the data folder is encrypted.
    pub encrypted: bool,
    /// The chores.
    pub scheduler: SchedulerHealth,
    /// Memories outside the trash.
    pub memories: u64,
    /// Memories in the trash.
    pub trashed: u64,
    /// Edges between memories.
    pub edges: u64,
    /// How full each zone is, added up over the namespaces.
    pub zones: Vec<ZoneUse>,
    /// What waits to be done.
    pub queue: QueueHealth,
    /// What this process has written down in the journal and the store does not hold yet.
    pub journal: JournalHealth,
    /// How many changes the indexes lack that are in memory or saved, which the next recall adds.
    pub index_lag: u64,
    /// Memories that wait for a vector.
    pub unembedded: u64,
    /// What is wrong with the clock, if something is: nothing fades, expires for good or is purged then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockLeap>,
    /// What will go to the trash within a week in use because nobody uses it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fading: Vec<FadingAhead>,
    /// Bytes that are free on the disk, if that can be told.
    pub disk_free_bytes: Option<u64>,
    /// What somebody should look at. Everything works all the same.
    pub warnings: Vec<String>,
    /// What does not work.
    pub problems: Vec<String>,
}

/// The chores.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SchedulerHealth {
    /// Whether a process is at it.
    pub running: bool,
    /// Up to which time all orbits are settled; none if some have never been.
    pub settled_at: Option<Timestamp>,
}

/// How full a zone is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ZoneUse {
    /// Which zone.
    pub zone: Zone,
    /// How many memories are in it.
    pub memories: u64,
    /// How many fit into it, in each namespace; none if there is no bound.
    pub capacity: Option<u64>,
    /// How full it is in the fullest namespace, in percent.
    pub percent: Option<u64>,
}

/// What waits to be done.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct QueueHealth {
    /// Events that wait for the audit log.
    pub events: u64,
    /// Events that were dropped because the log could not be written for too long.
    pub events_lost: u64,
    /// Memories whose links have not been looked for.
    pub unlinked: u64,
    /// Writes that wait on this machine because the store cannot take them.
    pub writes: u64,
    /// When the first of those was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oldest_write_at: Option<Timestamp>,
    /// Writes that were given up and wait for somebody to decide.
    pub dead_writes: u64,
    /// Writes that had waited and were made by this process.
    pub replayed_writes: u64,
    /// Whether the disk of the queue is full, so that no write can wait.
    pub disk_full: bool,
}

impl Perihelion {
    /// Whether the store answers and is in its place, found out by one short read.
    pub fn store_answers(&self) -> bool {
        self.core.store.has_keys().is_ok() && self.core.store.in_place().is_ok()
    }

    /// How the engine is. It never fails: what cannot be found out is a problem that it tells of.
    pub fn health(&self) -> Health {
        self.awaited(Awaited::Answer, || self.found_health())
    }

    fn found_health(&self) -> Health {
        let core = &self.core;
        // Where a thread ships events all the time, whoever looks must not wait for the writer.
        if core.options.chores == Chores::ByHand {
            core.flush_events();
        }
        let mut health = Health {
            healthy: true,
            store_reachable: true,
            read_only: core.store.is_read_only(),
            encrypted: core.seal.is_on(),
            scheduler: SchedulerHealth::default(),
            memories: 0,
            trashed: 0,
            edges: 0,
            zones: Vec::new(),
            queue: QueueHealth::default(),
            journal: core.journal_health(),
            index_lag: 0,
            unembedded: 0,
            clock: None,
            fading: Vec::new(),
            disk_free_bytes: disk::free_bytes(&core.options.folder),
            warnings: Vec::new(),
            problems: Vec::new(),
        };
        core.look_at_encryption(&mut health);
        if let Err(error) = core.store.in_place() {
            health.problems.push(format!("what is written would be lost, and is not taken: {error}"));
        }
        match core.store.stats(&Scope::All) {
            Ok(stats) => {
                core.look_at_memories(&mut health, &stats);
                core.look_at_scheduler(&mut health, &stats);
                core.look_at_fading(&mut health, &stats);
                core.look_at_indexes(&mut health, &stats);
                core.look_at_graphs(&mut health, &stats);
            }
            Err(error) => {
                health.store_reachable = false;
                health.problems.push(format!("the store cannot be read: {error}"));
            }
        }
        core.look_at_clock(&mut health);
        if self.awaits_store() {
            health.warnings.push(
                "the store was never met from this folder: writes wait on this machine until it answers, and its keys are \
                 not known yet"
                    .to_owned(),
            );
        }
        core.look_at_events(&mut health);
        core.look_at_queue(&mut health);
        core.look_at_waits(&mut health);
        look_at_folder(&mut health);
        if let Some((detail, _)) = crate::privacy::told(self.folder(), &self.open_to_others()) {
            // Health is told to whoever may ask; where the folder is, is not.
            health.warnings.push(format!("{detail}; `peri doctor` says how to close it"));
        }
        health.healthy = health.problems.is_empty();
        health
    }
}

impl Core {
    fn look_at_encryption(&self, health: &mut Health) {
        match crate::is_unfinished(&self.options.folder) {
            Ok(false) => {}
            Ok(true) => {
                let what = "a move to another key is not finished; files may lie in the folder as they were before it: \
                            run the same `peri encrypt` or `peri decrypt` again";
                health.warnings.push(what.to_owned());
            }
            Err(error) => {
                let what = "whether a move to another key is unfinished cannot be told";
                health.warnings.push(format!("{what}: {error}"));
            }
        }
    }

    fn look_at_queue(&self, health: &mut Health) {
        let Some(queue) = &self.queue else { return };
        let status = match queue.status() {
            Ok(status) => status,
            Err(error) => {
                health.problems.push(format!("the queue of writes cannot be read: {error}"));
                return;
            }
        };
        let own = &mut health.queue;
        (own.writes, own.dead_writes, own.oldest_write_at) = (status.depth, status.dead, status.oldest_at);
        own.replayed_writes = status.replayed;
        if let Some(oldest) = status.oldest_at {
            let why = status.last_error.map_or_else(String::new, |why| format!(": {why}"));
            health.warnings.push(format!(
                "{} writes wait on this machine, the first since {}, and are made when the store takes them{why}",
                status.depth,
                self.told(oldest)
            ));
        }
        if status.disk_full {
            health.problems.push(
                "the disk of the data folder is full: a write that the store cannot take is refused as \"not kept\"; \
                 make room on it"
                    .to_owned(),
            );
        } else if let Some(trouble) = status.trouble {
            health.warnings.push(format!("the queue of writes could not be written last: {trouble}"));
        }
        own.disk_full = status.disk_full;
        if status.dead > 0 {
            health.warnings.push(format!(
                "{} queued writes were given up; `peri queue list` tells why, `peri queue replay` tries them again",
                status.dead
            ));
        }
        if status.damaged > 0 {
            health.warnings.push(format!(
                "{} queued writes could not be read and were put aside in {FOLDER}/",
                status.damaged
            ));
        }
    }

    /// What others waited for in vain. Where it is the warning need not say: health is told to whoever may ask.
    fn look_at_waits(&self, health: &mut Health) {
        for (party, hung) in self.breaker.all() {
            let what = match party.split_once(' ').map_or("", |(sort, _)| sort) {
                "store" => "the server that holds the memories",
                "writer" => "the lock of those who write",
                _ => "the server that embeds",
            };
            health.warnings.push(format!(
                "{what} was waited for in vain since {}; until {} nobody waits for it",
                self.told(hung.since),
                self.told(hung.until)
            ));
        }
    }

    fn look_at_memories(&self, health: &mut Health, stats: &[NamespaceStats]) {
        let total = |part: fn(&NamespaceStats) -> u64| stats.iter().map(part).sum();
        health.memories = total(|stats| stats.memories);
        health.trashed = total(|stats| stats.trashed);
        health.edges = total(|stats| stats.edges);
        health.unembedded = total(|stats| stats.unembedded);
        health.queue.unlinked = total(|stats| stats.unlinked);
        health.warnings.extend(self.space_warning(health.memories));
        if health.unembedded > 0 && self.sense().engine.is_some() {
            health.warnings.push(format!(
                "{} memories wait for a vector and are found by their words only; the chores give them one",
                health.unembedded
            ));
        }
        let capacities = &self.options.orbit.capacities;
        for zone in Zone::ALL.iter().copied() {
            let capacity = match zone {
                Zone::Core => Some(capacities.core as u64),
                Zone::Inner => Some(capacities.inner as u64),
                Zone::Outer => Some(capacities.outer as u64),
                Zone::Belt | Zone::Cloud => None,
            };
            let in_zone = |stats: &NamespaceStats| {
                stats.zones.iter().find(|(own, _)| *own == zone).map_or(0, |(_, count)| *count)
            };
            let fullest = stats.iter().map(in_zone).max().unwrap_or(0);
            let percent = capacity.map(|capacity| fullest * 100 / capacity.max(1));
            let memories = stats.iter().map(in_zone).sum();
            health.zones.push(ZoneUse { zone, memories, capacity, percent });
            let Some(capacity) = capacity else { continue };
            let full = |one: &&NamespaceStats| in_zone(one) as f64 >= capacity as f64 * ZONE_WARNING;
            let full: Vec<&Namespace> = stats.iter().filter(full).map(|stats| &stats.namespace).collect();
            if let Some(percent) = percent.filter(|_| !full.is_empty()) {
                let place = named(&full);
                health.warnings.push(format!("the {zone} zone is at {percent} % of its capacity in {place}"));
            }
        }
    }

    fn look_at_clock(&self, health: &mut Health) {
        health.clock = self.clock_leap();
        if let Some(leap) = &health.clock {
            health.warnings.push(leap.to_string());
        }
    }

    /// What fades soon is told before it does.
    fn look_at_fading(&self, health: &mut Health, stats: &[NamespaceStats]) {
        let in_cloud = |stats: &&NamespaceStats| {
            stats.zones.iter().any(|(zone, count)| *zone == Zone::Cloud && *count > 0)
        };
        for stats in stats.iter().filter(in_cloud).take(LAGS_MAX) {
            match self.fading_ahead(&stats.namespace) {
                Ok(found) => health.fading.extend(found),
                Err(error) => tracing::debug!(%error, "what will fade cannot be told"),
            }
        }
        health.warnings.extend(health.fading.iter().map(FadingAhead::told));
    }

    fn look_at_scheduler(&self, health: &mut Health, stats: &[NamespaceStats]) {
        let now = self.now();
        match self.store.lease(CHORES_LEASE) {
            Ok(lease) => health.scheduler.running = lease.is_some_and(|lease| lease.expires_at > now),
            Err(error) => health.problems.push(format!("the leases cannot be read: {error}")),
        }
        let held: Vec<_> = stats.iter().filter(|stats| stats.memories > 0).collect();
        health.scheduler.settled_at = held.iter().map(|stats| stats.settled_at).min().flatten();
        if held.is_empty() || health.scheduler.running {
            return;
        }
        let (since, settled) = match health.scheduler.settled_at {
            Some(at) => (Some(at), format!("the orbits are those of {}", self.told(at))),
            None => (self.oldest(&held), "the orbits were never settled".to_owned()),
        };
        // Commands that answer and leave do the chores too, now and then.
        if since.is_some_and(|since| now.duration_since(since) > OVERDUE) {
            health.warnings.push(format!(
                "no process is doing the chores, and {settled}; `peri reorbit` does them by hand"
            ));
        }
    }

    /// When the first memory came of those namespaces that were never settled.
    fn oldest(&self, held: &[&NamespaceStats]) -> Option<Timestamp> {
        let unsettled = held.iter().filter(|stats| stats.settled_at.is_none()).take(LAGS_MAX);
        let first = unsettled.filter_map(|stats| {
            let scope = Scope::Exact(stats.namespace.clone());
            let query = ListQuery { scope, order: Order::OldestFirst, limit: 1, ..ListQuery::default() };
            self.store.list(&query).ok()?.memories.pop().map(|memory| memory.updated_at)
        });
        first.min()
    }

    /// A time as people of this place read it.
    fn told(&self, at: Timestamp) -> String {
        at.to_zoned(self.options.time_zone.clone()).strftime("%Y-%m-%d %H:%M:%S").to_string()
    }

    fn look_at_indexes(&self, health: &mut Health, stats: &[NamespaceStats]) {
        let sense = self.senses.now();
        for stats in stats.iter().filter(|stats| stats.memories > 0).take(LAGS_MAX) {
            let lag = match self.search_lag(&sense, &stats.namespace, LAG_MAX) {
                Ok(None) => sense.indexes.lag(&*self.store, &stats.namespace, LAG_MAX),
                Ok(Some(lag)) => Ok(lag),
                Err(error) => Err(error),
            };
            match lag {
                Ok(lag) => health.index_lag += lag,
                Err(error) => health.problems.push(format!("an index cannot be read: {error}")),
            }
        }
        if let Some(why) = self.pools.missing() {
            health.warnings.push(format!(
                "namespaces of {} memories and more are searched in memory, since the database cannot: {why}",
                self.options.search.in_database_from
            ));
        }
    }

    fn look_at_graphs(&self, health: &mut Health, stats: &[NamespaceStats]) {
        let linked = stats.iter().filter(|stats| stats.edges > 0).take(LAGS_MAX);
        for stats in linked {
            if let Err(error) = self.graphs.probe(&*self.store, &stats.namespace) {
                health.warnings.push(format!(
                    "the graph of {} cannot be read, recall goes on without it: {error}",
                    stats.namespace
                ));
            }
        }
    }

    fn look_at_events(&self, health: &mut Health) {
        match self.store.events(u64::MAX >> 1, 0) {
            Ok(page) => {
                health.queue.events = page.waiting;
                health.queue.events_lost = page.lost;
            }
            Err(error) if health.store_reachable => {
                health.problems.push(format!("events cannot be read: {error}"));
            }
            Err(_) => {}
        }
        if let Some(trouble) = self.audit.trouble() {
            let waiting = health.queue.events;
            health
                .warnings
                .push(format!("the audit log cannot be written ({trouble}); {waiting} events wait"));
        }
        if health.queue.events_lost > 0 {
            let lost = health.queue.events_lost;
            health
                .warnings
                .push(format!("{lost} events were dropped while the audit log could not be written"));
        }
    }
}

fn look_at_folder(health: &mut Health) {
    if health.read_only && health.queue.disk_full {
        health
            .problems
            .push("the disk is full, so that the store is only read and nothing can be stored".to_owned());
    } else if health.read_only {
        health.problems.push("the folder can only be read, so nothing can be stored".to_owned());
    }
    if let Some(free) = health.disk_free_bytes.filter(|free| *free < DISK_WARNING_BYTES) {
        health.warnings.push(format!("only {} MB are free on the disk", free / 1_000_000));
    }
}

fn named(namespaces: &[&Namespace]) -> String {
    let mut names: Vec<String> = namespaces.iter().take(NAMED_MAX).map(ToString::to_string).collect();
    if namespaces.len() > NAMED_MAX {
        names.push(format!("{} more", namespaces.len() - NAMED_MAX));
    }
    names.join(", ")
}

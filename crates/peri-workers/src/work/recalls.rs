//! Recalls as events tell of them. A process reads each of them once and keeps what its next run needs.

use std::collections::{BTreeMap, VecDeque};

use perihelion::{Event, EventKind, Happening, LogQuery, MemoryId, Namespace, Timestamp};

use crate::job::{Job, Trouble};

/// So many recalls are kept, of all namespaces together.
const KEPT: usize = 2000;

/// So many of the results of a recall count: what stands further down was hardly read.
const READ: usize = 3;

/// So much of a question is kept: enough to ask it again in order to warm what answers it.
const QUERY_CHARS: usize = 200;

/// The log is looked at so many events back.
const LOOKED_BACK: u64 = 50_000;

/// So many of the latest events may not be in the log yet, while another process writes them there.
const LATE: u64 = 2000;

/// Events are read so many at a time.
const PAGE: usize = 500;

/// Whoever is further behind reads the log anew, from its end.
const BEHIND_MAX: u64 = 10_000;

/// The recalls of the audit log after a number, the latest so many, and up to which number that are all.
pub(super) fn logged(job: &Job<'_>, after: Option<u64>, limit: usize) -> Result<(Vec<Event>, u64), Trouble> {
    let last = job.engine.last_event_number()?;
    let after = after.unwrap_or(0).max(last.saturating_sub(LOOKED_BACK));
    let query = LogQuery {
        limit,
        kinds: vec![EventKind::Recalled],
        scope: job.scope.clone(),
        after_number: Some(after),
        ..LogQuery::default()
    };
    let events = job.engine.events(&query)?.events;
    let reached = events.last().map_or(after, |event| event.number);
    Ok((events, reached.max(last.saturating_sub(LATE))))
}

/// What a process knows of the latest recalls.
#[derive(Default)]
pub(crate) struct Recalls {
    /// Events up to this number were read; none if none were.
    through: Option<u64>,
    /// The earliest first.
    latest: VecDeque<(Namespace, Recalled)>,
    /// What answers recalls up to this number was warmed in this process; none if nothing was.
    pub(super) warmed_through: Option<u64>,
}

/// A recall.
pub(super) struct Recalled {
    pub(super) number: u64,
    pub(super) at: Timestamp,
    pub(super) query: String,
    pub(super) ids: Vec<MemoryId>,
}

impl Recalls {
    /// Reads what was told since the last time; how many events that were.
    pub(super) fn follow(&mut self, job: &Job<'_>) -> Result<u64, Trouble> {
        let last = job.engine.last_event_number()?;
        let mut read = 0;
        // Numbers that go back are those of an older copy of the store.
        let known =
            self.through.filter(|through| (*through..=through.saturating_add(BEHIND_MAX)).contains(&last));
        let mut through = match known {
            Some(through) => through,
            None => {
                let (events, through) = logged(job, None, KEPT)?;
                *self = Self::default();
                read += events.len() as u64;
                events.into_iter().for_each(|event| self.add(event));
                through
            }
        };
        self.through = Some(through);
        while through < last {
            job.breathe()?;
            let events = job.engine.events_after(through, PAGE)?;
            let Some(newest) = events.last() else { break };
            through = newest.number;
            read += events.len() as u64;
            events.into_iter().filter(|event| is_within(job, event)).for_each(|event| self.add(event));
            self.through = Some(through);
        }
        Ok(read)
    }

    fn add(&mut self, event: Event) {
        let (Some(namespace), Happening::Recalled { query, mut ids, .. }) = (event.namespace, event.what)
        else {
            return;
        };
        ids.truncate(READ);
        let query = query.chars().take(QUERY_CHARS).collect();
        self.latest.push_back((namespace, Recalled { number: event.number, at: event.at, query, ids }));
        if self.latest.len() > KEPT {
            self.latest.pop_front();
        }
    }

    /// The number of the latest recall, if there was one.
    pub(super) fn newest(&self) -> Option<u64> {
        self.latest.back().map(|(_, recalled)| recalled.number)
    }

    /// The recalls of each namespace, the earliest first.
    pub(super) fn by_namespace(&self) -> BTreeMap<&Namespace, Vec<&Recalled>> {
        let mut places: BTreeMap<&Namespace, Vec<&Recalled>> = BTreeMap::new();
        self.latest.iter().for_each(|(namespace, one)| places.entry(namespace).or_default().push(one));
        places
    }
}

fn is_within(job: &Job<'_>, event: &Event) -> bool {
    event.namespace.as_ref().is_some_and(|namespace| job.scope.contains(namespace))
}

//! How long recalls took, over time: counted from the events, like reports.

use std::time::Duration;

use peri_types::{EventKind, Happening, Scope, Timestamp};
use serde::Serialize;

use crate::Error;
use crate::engine::Perihelion;
use crate::report::{Span, Wanted, percentile};

/// Which times to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LatencyQuery {
    /// Where. Recalls over several namespaces are in [`Scope::All`] alone.
    pub scope: Scope,
    /// So many hours back.
    pub hours: u32,
    /// In at most so many parts of equal length.
    pub buckets: u32,
}

/// How long recalls took, over time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Latencies {
    /// When the first part begins.
    pub from: Timestamp,
    /// When the last part ends. It has not ended yet, so that the same parts are told by whoever asks again.
    pub until: Timestamp,
    /// How long each part is.
    pub bucket_seconds: u64,
    /// Whether every event since then is known.
    pub complete: bool,
    /// The parts, the earliest first.
    pub buckets: Vec<LatencyBucket>,
}

/// What happened in a part of the time. So many percent of the recalls that were measured took at most so long, in
/// millionths of a second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LatencyBucket {
    /// When it begins.
    pub at: Timestamp,
    /// Questions that were answered.
    pub recalls: u64,
    /// Those of them that were measured.
    pub measured: u64,
    /// Half of these; none if there are none.
    pub p50_micros: Option<u64>,
    /// 95 percent.
    pub p95_micros: Option<u64>,
    /// The slowest.
    pub max_micros: Option<u64>,
    /// New memories.
    pub stored: u64,
}

/// What is counted of a part.
#[derive(Debug, Clone, Default)]
struct Counted {
    recalls: u64,
    stored: u64,
    micros: Vec<u64>,
}

impl Perihelion {
    /// How long recalls took in the last hours, part by part.
    pub fn latencies(&self, query: &LatencyQuery) -> Result<Latencies, Error> {
        let seconds = u64::from(query.hours.max(1)) * 3600;
        let bucket_seconds = seconds.div_ceil(u64::from(query.buckets.max(1)));
        let count = seconds.div_ceil(bucket_seconds);
        let (span, length) = span_of(self.core.now(), bucket_seconds, count);
        let kinds = vec![EventKind::Recalled, EventKind::Stored];
        // Most lines of a log are of other kinds, and need not be read to know that.
        let texts = kinds.iter().map(|kind| format!("\"{kind}\"")).collect();
        let wanted = Wanted { kinds, texts };
        let gathered = self.core.gather(&span, &query.scope, &wanted)?;
        let mut counted = vec![Counted::default(); count as usize];
        for event in gathered.events.iter().filter(|event| span.holds(event.at)) {
            let passed = event.at.as_millisecond() - span.from.as_millisecond();
            let Some(own) = usize::try_from(passed / length).ok().and_then(|place| counted.get_mut(place))
            else {
                continue;
            };
            match event.what {
                Happening::Recalled { micros, .. } => {
                    own.recalls += 1;
                    own.micros.extend(micros);
                }
                Happening::Stored { .. } => own.stored += 1,
                _ => {}
            }
        }
        let at = |place: usize| later(span.from, length.saturating_mul(place as i64));
        let buckets = counted.into_iter().enumerate().map(|(place, own)| own.told(at(place))).collect();
        let Span { from, until } = span;
        Ok(Latencies { from, until, bucket_seconds, complete: gathered.trust(&span).0, buckets })
    }
}

impl Counted {
    fn told(mut self, at: Timestamp) -> LatencyBucket {
        self.micros.sort_unstable();
        let percent = |percent| (!self.micros.is_empty()).then(|| percentile(&self.micros, percent));
        LatencyBucket {
            at,
            recalls: self.recalls,
            measured: self.micros.len() as u64,
            p50_micros: percent(50),
            p95_micros: percent(95),
            max_micros: self.micros.last().copied(),
            stored: self.stored,
        }
    }
}

/// So many parts up to the end of the one that is now, which begin at whole multiples of their length; and that length
/// in milliseconds.
fn span_of(now: Timestamp, bucket_seconds: u64, count: u64) -> (Span, i64) {
    let length = Duration::from_secs(bucket_seconds).as_millis();
    let length = i64::try_from(length).unwrap_or(i64::MAX).max(1);
    let begin = now.as_millisecond().div_euclid(length).saturating_mul(length);
    let until = later(Timestamp::UNIX_EPOCH, begin.saturating_add(length));
    let all = length.saturating_mul(i64::try_from(count).unwrap_or(i64::MAX));
    (Span { from: later(until, all.saturating_neg()), until }, length)
}

fn later(at: Timestamp, millis: i64) -> Timestamp {
    Timestamp::from_millisecond(at.as_millisecond().saturating_add(millis)).unwrap_or(at)
}

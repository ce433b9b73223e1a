//! Predict: what sessions will need next, from what was recalled after what. What was predicted is warmed, and measured
//! by how much of it was recalled until the next run.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

use perihelion::{Event, EventKind, Happening, LogQuery, MemoryId, Namespace, Recall, Scope, Timestamp};
use serde_json::{Value, json};

use crate::job::{Findings, Job, Trouble};

/// So many recalls are looked at.
const RECALLS: usize = 2000;

/// What was recalled within so long after something followed it.
const FOLLOWS: Duration = Duration::from_secs(30 * 60);

/// So many of the results of a recall count: what stands further down was hardly read.
const READ: usize = 3;

/// So many memories are predicted for a namespace.
const PREDICTED: usize = 10;

/// So many namespaces are warmed.
const WARMED: usize = 16;

pub(crate) fn run(job: &Job<'_>) -> Result<Findings, Trouble> {
    let query = LogQuery {
        limit: RECALLS,
        kinds: vec![EventKind::Recalled],
        scope: job.scope.clone(),
        ..LogQuery::default()
    };
    let mut places: BTreeMap<Namespace, Vec<Recalled>> = BTreeMap::new();
    for event in job.engine.events(&query)?.events {
        if let Some((namespace, recalled)) = Recalled::of(event) {
            places.entry(namespace).or_default().push(recalled);
        }
    }
    if places.is_empty() {
        return Err(Trouble::Unavailable(
            "nothing was recalled yet, or recalls are no events (events.recalls)".to_owned(),
        ));
    }
    let measured = measure(job.left_behind(), &places);
    let now = job.engine.now();
    let active_since = now.checked_sub(FOLLOWS).unwrap_or(Timestamp::MIN);
    let mut predicted = BTreeMap::new();
    let mut warmed = 0;
    for (namespace, recalls) in &places {
        job.check()?;
        predicted.insert(namespace.to_string(), predictions(recalls));
        let last = recalls.last().filter(|last| last.at >= active_since);
        if let Some(last) = last.filter(|_| warmed < WARMED) {
            // Whoever asks next finds the index in memory.
            job.engine
                .search(&Recall::new(&last.query).in_scope(Scope::Exact(namespace.clone())).limit(1))?;
            warmed += 1;
        }
    }
    let told = match measured.rate() {
        Some(rate) => format!(
            "{:.0} % of what was recalled since had been predicted ({:.0} % by popularity alone)",
            rate * 100.0,
            measured.popular_rate().unwrap_or(0.0) * 100.0
        ),
        None => "nothing was recalled since the last prediction".to_owned(),
    };
    let mut findings =
        Findings::new(format!("{told}; predicted for {} namespaces, {warmed} warmed", predicted.len()))
            .figure("recalled", measured.recalled)
            .figure("hits", measured.hits)
            .figure("hit_rate", json!(measured.rate()))
            .figure("popular_hit_rate", json!(measured.popular_rate()))
            .figure("warmed", warmed);
    let popular: BTreeMap<String, Vec<MemoryId>> =
        places.iter().map(|(namespace, recalls)| (namespace.to_string(), popular(recalls))).collect();
    findings.state = json!({ "at": now, "predicted": predicted, "popular": popular });
    Ok(findings)
}

/// A recall.
struct Recalled {
    at: Timestamp,
    query: String,
    ids: Vec<MemoryId>,
}

impl Recalled {
    fn of(event: Event) -> Option<(Namespace, Self)> {
        let (namespace, Happening::Recalled { query, mut ids, .. }) = (event.namespace?, event.what) else {
            return None;
        };
        ids.truncate(READ);
        Some((namespace, Self { at: event.at, query, ids }))
    }
}

/// What is likely to be recalled next: what followed what was recalled last, and beyond that what is recalled often.
fn predictions(recalls: &[Recalled]) -> Vec<MemoryId> {
    let mut after: HashMap<MemoryId, HashMap<MemoryId, f64>> = HashMap::new();
    for pair in recalls.windows(2) {
        let gap = pair[1].at.duration_since(pair[0].at);
        if gap.is_negative() || gap.unsigned_abs() > FOLLOWS {
            continue;
        }
        for first in &pair[0].ids {
            let followers = after.entry(*first).or_default();
            pair[1].ids.iter().for_each(|next| *followers.entry(*next).or_default() += 1.0);
        }
    }
    let mut weights: HashMap<MemoryId, f64> = HashMap::new();
    // What is recalled again and again is a weak prediction by itself.
    let often = 0.1 / recalls.len().max(1) as f64;
    recalls.iter().flat_map(|one| &one.ids).for_each(|id| *weights.entry(*id).or_default() += often);
    for id in recalls.last().map(|last| last.ids.as_slice()).unwrap_or_default() {
        let Some(followers) = after.get(id) else { continue };
        let all: f64 = followers.values().sum();
        followers.iter().for_each(|(next, count)| *weights.entry(*next).or_default() += count / all);
    }
    best(weights)
}

fn popular(recalls: &[Recalled]) -> Vec<MemoryId> {
    let mut weights: HashMap<MemoryId, f64> = HashMap::new();
    recalls.iter().flat_map(|one| &one.ids).for_each(|id| *weights.entry(*id).or_default() += 1.0);
    best(weights)
}

fn best(weights: HashMap<MemoryId, f64>) -> Vec<MemoryId> {
    let mut weights: Vec<(MemoryId, f64)> = weights.into_iter().collect();
    weights.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    weights.into_iter().take(PREDICTED).map(|(id, _)| id).collect()
}

/// How the last prediction fared.
#[derive(Default)]
struct Measure {
    recalled: u64,
    hits: u64,
    popular_hits: u64,
}

impl Measure {
    fn rate(&self) -> Option<f64> {
        (self.recalled > 0).then(|| self.hits as f64 / self.recalled as f64)
    }

    fn popular_rate(&self) -> Option<f64> {
        (self.recalled > 0).then(|| self.popular_hits as f64 / self.recalled as f64)
    }
}

fn measure(left: &Value, places: &BTreeMap<Namespace, Vec<Recalled>>) -> Measure {
    let mut measured = Measure::default();
    let Some(at) = left.get("at").and_then(|at| at.as_str()?.parse::<Timestamp>().ok()) else {
        return measured;
    };
    let set = |name: &str, namespace: &Namespace| -> HashSet<MemoryId> {
        let ids = left.get(name).and_then(|all| all.get(namespace.as_str())?.as_array());
        ids.into_iter().flatten().filter_map(|id| id.as_str()?.parse().ok()).collect()
    };
    for (namespace, recalls) in places {
        let (predicted, popular) = (set("predicted", namespace), set("popular", namespace));
        if predicted.is_empty() {
            continue;
        }
        for id in recalls.iter().filter(|one| one.at > at).flat_map(|one| &one.ids) {
            measured.recalled += 1;
            measured.hits += u64::from(predicted.contains(id));
            measured.popular_hits += u64::from(popular.contains(id));
        }
    }
    measured
}

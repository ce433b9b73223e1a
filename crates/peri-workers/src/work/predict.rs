//! Predict: what sessions will need next, from what was recalled after what. What was predicted is warmed, and measured
//! by how much of it was recalled until the next run. Without a recall since the last run there is nothing to do.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

use perihelion::{MemoryId, Namespace, Recall, Scope, Timestamp};
use serde_json::{Value, json};

use super::recalls::{Recalled, Recalls};
use crate::job::{Findings, Job, Trouble};

/// What was recalled within so long after something followed it.
const FOLLOWS: Duration = Duration::from_secs(30 * 60);

/// So many memories are predicted for a namespace.
const PREDICTED: usize = 10;

/// So many namespaces are warmed.
const WARMED: usize = 16;

pub(crate) fn run(job: &Job<'_>) -> Result<Findings, Trouble> {
    // Nobody waits for it: of a kind one is at work at a time.
    let mut recalls = job.recalls.lock();
    let read = recalls.follow(job)?;
    let Some(newest) = recalls.newest() else {
        return Err(Trouble::Unavailable(
            "nothing was recalled yet, or recalls are no events (events.recalls)".to_owned(),
        ));
    };
    let left = job.left_behind();
    // What another process predicted stands too, but what it warmed is in its own memory.
    let is_known = recalls.warmed_through.is_some() && predicted_through(left) == Some(newest);
    let findings = if is_known { unchanged(left) } else { predicted(job, &recalls, newest)? };
    recalls.warmed_through = Some(newest);
    Ok(findings.figure("events_read", read))
}

/// The findings of a run before which nothing was recalled.
fn unchanged(left: &Value) -> Findings {
    let told = "nothing was recalled since the last run: what was predicted then stands";
    let mut findings = figures(Findings::new(told), &Measure::default(), 0);
    findings.state = left.clone();
    findings
}

fn predicted(job: &Job<'_>, recalls: &Recalls, newest: u64) -> Result<Findings, Trouble> {
    let places = recalls.by_namespace();
    let measured = measure(job.left_behind(), &places);
    let (mut predicted, mut popular) = (BTreeMap::new(), BTreeMap::new());
    for (namespace, recalls) in &places {
        job.check()?;
        predicted.insert(namespace.to_string(), predictions(recalls));
        popular.insert(namespace.to_string(), most_recalled(recalls));
    }
    let warmed = warm(job, recalls, &places)?;
    let told = match (measured.rate(), predicted_through(job.left_behind())) {
        (Some(rate), _) => format!(
            "{:.0} % of what was recalled since had been predicted ({:.0} % by popularity alone)",
            rate * 100.0,
            measured.popular_rate().unwrap_or(0.0) * 100.0
        ),
        (None, Some(_)) => "nothing was recalled since the last prediction".to_owned(),
        (None, None) => "nothing was predicted before".to_owned(),
    };
    let told = format!("{told}; predicted for {} namespaces, {warmed} warmed", predicted.len());
    let mut findings = figures(Findings::new(told), &measured, warmed);
    findings.state = json!({ "through": newest, "predicted": predicted, "popular": popular });
    Ok(findings)
}

fn figures(findings: Findings, measured: &Measure, warmed: usize) -> Findings {
    findings
        .figure("recalled", measured.recalled)
        .figure("hits", measured.hits)
        .figure("hit_rate", json!(measured.rate()))
        .figure("popular_hit_rate", json!(measured.popular_rate()))
        .figure("warmed", warmed)
}

/// Makes the index of each namespace ready in which something new was recalled lately: whoever asks next finds it in
/// memory. How many that are.
fn warm(
    job: &Job<'_>,
    recalls: &Recalls,
    places: &BTreeMap<&Namespace, Vec<&Recalled>>,
) -> Result<usize, Trouble> {
    let active_since = job.engine.now().checked_sub(FOLLOWS).unwrap_or(Timestamp::MIN);
    let is_new = |last: &Recalled| recalls.warmed_through.is_none_or(|through| last.number > through);
    let is_due = |last: &&&Recalled| last.at >= active_since && is_new(last);
    let mut due: Vec<(&Recalled, &Namespace)> = places
        .iter()
        .filter_map(|(namespace, recalls)| Some((*recalls.last().filter(is_due)?, *namespace)))
        .collect();
    // Where somebody asked last, somebody is most likely to ask again.
    due.sort_by_key(|(last, _)| std::cmp::Reverse(last.number));
    due.truncate(WARMED);
    for (last, namespace) in &due {
        job.breathe()?;
        job.engine.search(&Recall::new(&last.query).in_scope(Scope::Exact((*namespace).clone())).limit(1))?;
    }
    Ok(due.len())
}

/// What is likely to be recalled next: what followed what was recalled last, and beyond that what is recalled often.
fn predictions(recalls: &[&Recalled]) -> Vec<MemoryId> {
    let last = recalls.last().map(|last| last.ids.as_slice()).unwrap_or_default();
    let mut after: HashMap<MemoryId, HashMap<MemoryId, f64>> = HashMap::new();
    for pair in recalls.windows(2) {
        let gap = pair[1].at.duration_since(pair[0].at);
        if gap.is_negative() || gap.unsigned_abs() > FOLLOWS {
            continue;
        }
        for first in pair[0].ids.iter().filter(|id| last.contains(id)) {
            let followers = after.entry(*first).or_default();
            pair[1].ids.iter().for_each(|next| *followers.entry(*next).or_default() += 1.0);
        }
    }
    let mut weights: HashMap<MemoryId, f64> = HashMap::new();
    // What is recalled again and again is a weak prediction by itself.
    let often = 0.1 / recalls.len().max(1) as f64;
    recalls.iter().flat_map(|one| &one.ids).for_each(|id| *weights.entry(*id).or_default() += often);
    for id in last {
        let Some(followers) = after.get(id) else { continue };
        let all: f64 = followers.values().sum();
        followers.iter().for_each(|(next, count)| *weights.entry(*next).or_default() += count / all);
    }
    best(weights)
}

fn most_recalled(recalls: &[&Recalled]) -> Vec<MemoryId> {
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

/// The number of the last recall that a prediction knew of.
fn predicted_through(left: &Value) -> Option<u64> {
    left.get("through").and_then(Value::as_u64)
}

/// Counts what the last prediction did not know of. By numbers rather than times: a recall is told of a little after it
/// was answered, and none may be counted twice or never.
fn measure(left: &Value, places: &BTreeMap<&Namespace, Vec<&Recalled>>) -> Measure {
    let mut measured = Measure::default();
    let Some(through) = predicted_through(left) else { return measured };
    let set = |name: &str, namespace: &Namespace| -> HashSet<MemoryId> {
        let ids = left.get(name).and_then(|all| all.get(namespace.as_str())?.as_array());
        ids.into_iter().flatten().filter_map(|id| id.as_str()?.parse().ok()).collect()
    };
    for (namespace, recalls) in places {
        let (predicted, popular) = (set("predicted", namespace), set("popular", namespace));
        if predicted.is_empty() {
            continue;
        }
        for id in recalls.iter().filter(|one| one.number > through).flat_map(|one| &one.ids) {
            measured.recalled += 1;
            measured.hits += u64::from(predicted.contains(id));
            measured.popular_hits += u64::from(popular.contains(id));
        }
    }
    measured
}

//! Trajectories whose tasks are about the same.

use std::collections::{BTreeMap, BTreeSet};

use peri_text::{TermClass, analyze_query};

use super::{DistilSettings, Traced};
use crate::bank::likeness::cosine;

/// One group while it grows. Its middle is the sum of its vectors, each of length one.
struct Cluster<'a> {
    members: Vec<&'a Traced<'a>>,
    middle: Option<Vec<f32>>,
    words: BTreeSet<String>,
}

/// Groups trajectories by namespace and field, then each with the group that is closest, in the order they are given.
pub(super) fn groups<'a>(traced: &'a [Traced<'a>], settings: &DistilSettings) -> Vec<Vec<&'a Traced<'a>>> {
    let mut fields: BTreeMap<_, Vec<Cluster<'a>>> = BTreeMap::new();
    for one in traced {
        let field = fields.entry((&one.trajectory.namespace, one.trajectory.domain.as_str())).or_default();
        let words = content_words(&one.trajectory.task);
        let likeness = |cluster: &Cluster<'_>| cluster.likeness(one, &words, settings);
        let closest =
            field.iter().enumerate().filter_map(|(place, cluster)| Some((place, likeness(cluster)?)));
        // Of equally close groups the first one is taken.
        match closest.max_by(|one, other| one.1.total_cmp(&other.1).then(other.0.cmp(&one.0))) {
            Some((place, _)) => field[place].add(one),
            None => {
                let middle = one.vector.map(unit);
                field.push(Cluster { members: vec![one], middle, words });
            }
        }
    }
    fields.into_values().flatten().map(|cluster| cluster.members).collect()
}

impl<'a> Cluster<'a> {
    /// How close a task is to the group; none if it is about something else.
    fn likeness(&self, one: &Traced<'_>, words: &BTreeSet<String>, settings: &DistilSettings) -> Option<f32> {
        let vectors = self.middle.as_deref().zip(one.vector);
        if let Some(cosine) = vectors.and_then(|(middle, vector)| cosine(middle, vector)) {
            return (cosine >= settings.task_cosine).then_some(cosine);
        }
        let shorter = self.words.len().min(words.len());
        let both = self.words.intersection(words).count();
        let overlap = both as f32 / shorter.max(1) as f32;
        (both >= shorter.clamp(1, 2) && overlap >= settings.task_words).then_some(overlap)
    }

    fn add(&mut self, one: &'a Traced<'a>) {
        match (&mut self.middle, one.vector) {
            (Some(middle), Some(vector)) if middle.len() == vector.len() => {
                middle.iter_mut().zip(unit(vector)).for_each(|(sum, part)| *sum += part);
            }
            (None, Some(vector)) => self.middle = Some(unit(vector)),
            _ => {}
        }
        self.members.push(one);
    }
}

fn unit(vector: &[f32]) -> Vec<f32> {
    let length = vector.iter().map(|part| f64::from(*part).powi(2)).sum::<f64>().sqrt();
    vector.iter().map(|part| (f64::from(*part) / length.max(f64::MIN_POSITIVE)) as f32).collect()
}

/// What a task is about: its stems and, in Korean and Chinese, its pairs of characters.
fn content_words(task: &str) -> BTreeSet<String> {
    let says_something = |class: TermClass| !matches!(class, TermClass::StopWord | TermClass::Number);
    analyze_query(task).into_iter().filter(|term| says_something(term.class)).map(|term| term.text).collect()
}

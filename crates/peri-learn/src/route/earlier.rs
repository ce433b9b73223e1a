//! The latest outcomes: gone over again with every new one, and shown as reasons.

use std::collections::VecDeque;

use peri_types::TaskOutcome;

use super::features::{BUCKETS, Features};
use super::model::Input;
use super::table::{AGENTS, votes};

/// How much of a task's text is kept to be shown.
const EXCERPT_CHARS_MAX: usize = 120;
/// Tasks that share less are not called similar.
const SIMILAR_MIN: f32 = 0.3;

/// A vector in one byte a number, which is as exact as a memory of it needs to be.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rounded {
    pub scale: f32,
    pub values: Vec<i8>,
}

impl Rounded {
    fn of(vector: &[f32]) -> Self {
        let largest = vector.iter().fold(0.0_f32, |largest, value| largest.max(value.abs()));
        let scale = largest.max(f32::MIN_POSITIVE) / 127.0;
        Self { scale, values: vector.iter().map(|value| (value / scale).round() as i8).collect() }
    }

    pub(super) fn to_vector(&self) -> Vec<f32> {
        self.values.iter().map(|value| f32::from(*value) * self.scale).collect()
    }
}

/// One outcome, as far as it is needed to learn from it again.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Earlier {
    pub excerpt: String,
    pub buckets: Vec<u16>,
    /// How many of the buckets are of terms.
    pub words: usize,
    pub votes: [u8; AGENTS.len()],
    pub vector: Option<Rounded>,
    pub agent: usize,
    pub outcome: TaskOutcome,
}

impl Earlier {
    pub(super) fn of(
        text: &str,
        features: &Features,
        vector: Option<&[f32]>,
        done: (usize, TaskOutcome),
    ) -> Self {
        Self {
            excerpt: excerpt(text),
            buckets: features.buckets.clone(),
            words: features.words,
            votes: votes(&features.matched),
            vector: vector.map(Rounded::of),
            agent: done.0,
            outcome: done.1,
        }
    }

    /// The task in numbers; `vector` is what [`Rounded::to_vector`] gave.
    pub(super) fn input<'a>(&'a self, vector: Option<&'a [f32]>) -> Input<'a> {
        Input { buckets: &self.buckets, votes: self.votes, vector }
    }
}

/// The beginning of a text on one line, without secrets.
fn excerpt(text: &str) -> String {
    // A secret that the cut would halve might not be known as one, so more is looked at than is kept.
    let begin: String = text.chars().take(4 * EXCERPT_CHARS_MAX).collect();
    let plain = peri_text::redact(&begin).text;
    let line = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let visible = line.chars().filter(|c| !c.is_control());
    visible.take(EXCERPT_CHARS_MAX).collect()
}

/// The latest outcomes in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Past {
    pub outcomes: VecDeque<Earlier>,
    /// Whose turn it is to be gone over again.
    pub next: usize,
}

impl Past {
    pub(super) fn push(&mut self, earlier: Earlier, max: usize) {
        self.outcomes.push_back(earlier);
        while self.outcomes.len() > max {
            self.outcomes.pop_front();
            self.next = self.next.saturating_sub(1);
        }
    }

    /// The next places to go over again, in order and around.
    pub(super) fn turn(&mut self, count: usize) -> Vec<usize> {
        let len = self.outcomes.len();
        let count = count.min(len);
        let places = (0..count).map(|step| (self.next + step) % len.max(1)).collect();
        self.next = (self.next + count) % len.max(1);
        places
    }

    /// The outcomes whose tasks share the most words with this one, most similar first.
    pub(super) fn similar(&self, features: &Features, limit: usize) -> Vec<(f32, &Earlier)> {
        let mut own = vec![0_u64; BUCKETS / 64];
        let words = &features.buckets[..features.words];
        words.iter().for_each(|bucket| own[usize::from(*bucket) / 64] |= 1 << (bucket % 64));
        let is_own = |bucket: &&u16| own[usize::from(**bucket) / 64] >> (**bucket % 64) & 1 == 1;
        let similarity = |earlier: &Earlier| {
            let shared = earlier.buckets[..earlier.words].iter().filter(is_own).count() as f32;
            shared / (words.len().max(1) as f32 * earlier.words.max(1) as f32).sqrt()
        };
        let mut found: Vec<(f32, &Earlier)> =
            self.outcomes.iter().map(|earlier| (similarity(earlier), earlier)).collect();
        found.retain(|(similarity, _)| *similarity >= SIMILAR_MIN);
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        found.truncate(limit);
        found
    }
}

//! What is kept of feedback until it is learned from.

use super::kernel::dot;
use super::{AdaptError, Example, ModeSettings};

/// Questions whose vectors are at least so close ask about the same.
const ALIKE: f32 = 0.9;

/// The examples of one namespace, at most as many as its mode keeps.
#[derive(Debug, Clone)]
pub struct Memory {
    settings: ModeSettings,
    dimensions: usize,
    /// In the order in which they came.
    examples: Vec<Example>,
    /// How many others each is like.
    alike: Vec<usize>,
    since_training: usize,
}

impl Memory {
    /// An empty one for vectors of so many dimensions.
    pub fn new(settings: ModeSettings, dimensions: usize) -> Self {
        Self { settings, dimensions, examples: Vec::new(), alike: Vec::new(), since_training: 0 }
    }

    /// Keeps an example. When there is no room, the oldest of those that are like most others goes, so that what is
    /// asked seldom is not pushed out by what is asked all the time.
    pub fn record(&mut self, example: Example) -> Result<(), AdaptError> {
        example.check(self.dimensions)?;
        let like = |other: &Example| dot(&other.query, &example.query) >= ALIKE;
        let likes: Vec<bool> = self.examples.iter().map(like).collect();
        self.alike.iter_mut().zip(&likes).for_each(|(alike, like)| *alike += usize::from(*like));
        self.alike.push(likes.iter().filter(|like| **like).count());
        self.examples.push(example);
        self.since_training = self.since_training.saturating_add(1);
        while self.examples.len() > self.settings.capacity.max(1) {
            self.evict();
        }
        Ok(())
    }

    fn evict(&mut self) {
        let most = self.alike.iter().copied().max().unwrap_or(0);
        let Some(at) = self.alike.iter().position(|alike| *alike == most) else { return };
        let gone = self.examples.remove(at);
        self.alike.remove(at);
        for (alike, other) in self.alike.iter_mut().zip(&self.examples) {
            *alike -= usize::from(dot(&other.query, &gone.query) >= ALIKE).min(*alike);
        }
    }

    /// What is kept, in the order in which it came.
    pub fn examples(&self) -> &[Example] {
        &self.examples
    }

    /// Whether enough has come since the last training for another.
    pub fn is_due(&self) -> bool {
        self.since_training >= self.settings.train_every
    }

    /// Notes that was trained.
    pub fn trained(&mut self) {
        self.since_training = 0;
    }
}

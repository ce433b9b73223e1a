//! How long notes may become, and how short they are made then.

use peri_notes::{Item, Priority};

/// The longest that notes may be, and what they are condensed to, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Limit {
    pub(super) tokens_max: usize,
    pub(super) target_tokens: usize,
}

impl Limit {
    /// What must be remembered is never dropped. If it alone is more than the target, there is some room besides it:
    /// other notes would otherwise be dropped as soon as they come, and it would be condensed at each step.
    pub(super) fn of(items: &[Item], tokens_max: usize, target_tokens: usize) -> Self {
        let must = items.iter().filter(|item| item.priority == Priority::High);
        let must = tokens_of(must.cloned().collect::<Vec<_>>().as_slice());
        if must <= target_tokens {
            return Self { tokens_max, target_tokens };
        }
        Self {
            tokens_max: tokens_max.max(must + target_tokens / 2),
            target_tokens: target_tokens.max(must + target_tokens / 4),
        }
    }
}

/// How many tokens notes have.
pub(super) fn tokens_of(items: &[Item]) -> usize {
    items.iter().map(|item| peri_tokens::count(&item.text)).sum()
}

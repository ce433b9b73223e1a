//! Keeps a list of items within a budget by picking from it, never by rewriting.
//!
//! Items that say the same become one; what is done or superseded goes first, then what is minor, then what is
//! least worth keeping. What must be remembered stays, even if it alone is too much, and then the answer says so.

mod merge;
mod worth;

use jiff::civil::DateTime;

use crate::finding::Priority;
use crate::item::{Item, ItemState};

use worth::Worth;

/// Whether what was kept is within the budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    /// It is.
    Within,
    /// What must be remembered alone exceeds it by so many tokens.
    Exceeded {
        /// How many tokens are too many.
        by_tokens: usize,
    },
}

/// What was kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Condensed {
    /// The items, in the order they came in.
    pub items: Vec<Item>,
    /// How many tokens their texts have together.
    pub tokens: usize,
    /// Whether that is within the budget.
    pub fit: Fit,
    /// The ids of items that were dropped, the first one first.
    pub dropped: Vec<String>,
    /// Items that became part of another one: their id, and the id of the one that was kept.
    pub merged: Vec<(String, String)>,
}

/// Condenses the notes of a session: an item loses half its worth in two weeks.
///
/// `count` gives the tokens of a text. Doing it twice changes nothing more.
pub fn reflect(
    items: &[Item],
    budget_tokens: usize,
    now: DateTime,
    count: &dyn Fn(&str) -> usize,
) -> Condensed {
    condense(items, budget_tokens, count, &Worth::of_session(now))
}

/// Condenses durable notes: they age slowly, and what is general is worth more than what was about one day.
///
/// `count` gives the tokens of a text. Doing it twice changes nothing more.
pub fn compact(
    items: &[Item],
    budget_tokens: usize,
    now: DateTime,
    count: &dyn Fn(&str) -> usize,
) -> Condensed {
    condense(items, budget_tokens, count, &Worth::of_durable(now))
}

fn condense(items: &[Item], budget_tokens: usize, count: &dyn Fn(&str) -> usize, worth: &Worth) -> Condensed {
    let (items, merged) = merge::merge(items);
    let costs: Vec<usize> = items.iter().map(|item| count(&item.text)).collect();
    let mut tokens: usize = costs.iter().sum();
    let mut is_kept = vec![true; items.len()];
    let mut dropped = Vec::new();
    if tokens > budget_tokens {
        for place in order_of_leaving(&items, worth) {
            if tokens <= budget_tokens {
                break;
            }
            tokens -= costs[place];
            is_kept[place] = false;
            dropped.push(items[place].id.clone());
        }
    }
    let fit = match tokens.checked_sub(budget_tokens) {
        None | Some(0) => Fit::Within,
        Some(by_tokens) => Fit::Exceeded { by_tokens },
    };
    let items =
        items.into_iter().zip(is_kept).filter_map(|(item, is_kept)| is_kept.then_some(item)).collect();
    Condensed { items, tokens, fit, dropped, merged }
}

/// Everything that may be dropped, the first to go first.
fn order_of_leaving(items: &[Item], worth: &Worth) -> Vec<usize> {
    let mut closed = Vec::new();
    let mut minor = Vec::new();
    let mut useful = Vec::new();
    for (place, item) in items.iter().enumerate() {
        match (item.priority, item.state) {
            (Priority::High, _) => {}
            (_, ItemState::Done | ItemState::Superseded) => closed.push(place),
            (Priority::Low, ItemState::Open) => minor.push(place),
            (Priority::Medium, ItemState::Open) => useful.push(place),
        }
    }
    closed.sort_by_key(|place| (items[*place].state != ItemState::Superseded, items[*place].made, *place));
    minor.sort_by_key(|place| (items[*place].made, *place));
    let worths = worth.of_all(items);
    useful.sort_by(|one, other| worths[*one].total_cmp(&worths[*other]).then(one.cmp(other)));
    closed.into_iter().chain(minor).chain(useful).collect()
}

//! Items that say the same become one.

use std::collections::HashMap;

use crate::item::Item;
use crate::likeness::Likeness;

/// The items without repetitions, in their order, and which ones became part of which.
///
/// The one of the highest priority is kept, and of those the latest; it takes over the days of the others. No two of
/// the items that are left say the same, so that merging again changes nothing.
pub(super) fn merge(items: &[Item]) -> (Vec<Item>, Vec<(String, String)>) {
    let words: Vec<Likeness> = items.iter().map(|item| Likeness::of(&item.text)).collect();
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by(|one, other| {
        let (a, b) = (&items[*one], &items[*other]);
        b.priority.cmp(&a.priority).then(b.made.cmp(&a.made)).then(one.cmp(other))
    });
    let mut kept: Vec<Option<Item>> = vec![None; items.len()];
    let mut holders: HashMap<&str, Vec<usize>> = HashMap::new();
    let mut merged = Vec::new();
    for place in order {
        let item = &items[place];
        match twin(place, items, &words, &holders) {
            Some(other) => {
                if let Some(own) = &mut kept[other] {
                    own.days.extend(item.days.iter().copied());
                    own.days.insert(item.made.date());
                    merged.push((item.id.clone(), own.id.clone()));
                }
            }
            None => {
                words[place].terms().iter().for_each(|term| holders.entry(term).or_default().push(place));
                kept[place] = Some(item.clone());
            }
        }
    }
    (kept.into_iter().flatten().collect(), merged)
}

/// The kept item that says the same.
fn twin(
    place: usize,
    items: &[Item],
    words: &[Likeness],
    holders: &HashMap<&str, Vec<usize>>,
) -> Option<usize> {
    let mut shared: HashMap<usize, usize> = HashMap::new();
    for term in words[place].terms() {
        for other in holders.get(term.as_str()).into_iter().flatten() {
            *shared.entry(*other).or_default() += 1;
        }
    }
    let fits = |other: &usize| {
        let (one, other_item) = (&items[place], &items[*other]);
        let is_same_kind = one.kind.is_none() || other_item.kind.is_none() || one.kind == other_item.kind;
        one.state == other_item.state && is_same_kind && words[place].is_like(&words[*other])
    };
    let own = words[place].terms().len();
    let near = shared.into_iter().filter(|(other, count)| 2 * count >= own.min(words[*other].terms().len()));
    let mut near: Vec<usize> = near.map(|(other, _)| other).collect();
    near.sort_unstable();
    near.into_iter().find(fits)
}

//! Two sheets become one, and nothing of either is lost.

use std::collections::BTreeMap;

use jiff::civil::Date;

use super::{Block, Sheet, add_origins};
use crate::item::{Item, ItemId};

impl Sheet {
    /// Takes in what another sheet holds. A note that says the same as one that is here becomes part of it; the others
    /// get new ids. Answers what each note of the other sheet is called here.
    pub(crate) fn join(&mut self, other: &Self) -> BTreeMap<ItemId, ItemId> {
        let mut ids = BTreeMap::new();
        for block in &other.blocks {
            match block {
                Block::Item(item) => {
                    ids.insert(item.id, self.take_in(item));
                }
                Block::Text { date, text } if self.says(*date, text) => {}
                Block::Text { date, .. } => {
                    let at = self.place_for(*date);
                    self.blocks.insert(at, block.clone());
                }
            }
        }
        self.settle();
        ids
    }

    /// What a note of another sheet, which may be gone from it, is called here.
    pub(crate) fn called(&mut self, ids: &mut BTreeMap<ItemId, ItemId>, id: ItemId) -> ItemId {
        *ids.entry(id).or_insert_with(|| self.next_id())
    }

    /// Whether a text stands under a day, alone or with others.
    fn says(&self, date: Option<Date>, text: &str) -> bool {
        let (first, last) = (format!("{text}\n\n"), format!("\n\n{text}"));
        self.blocks.iter().any(|block| match block {
            Block::Text { date: own_date, text: own } if *own_date == date => {
                own == text
                    || own.starts_with(&first)
                    || own.ends_with(&last)
                    || own.contains(&format!("{last}\n\n"))
            }
            _ => false,
        })
    }

    fn take_in(&mut self, item: &Item) -> ItemId {
        let is_same = |own: &&mut Item| own.text == item.text && own.progress == item.progress;
        let mut items = self.blocks.iter_mut().filter_map(|block| match block {
            Block::Item(own) => Some(own),
            Block::Text { .. } => None,
        });
        if let Some(own) = items.find(is_same) {
            own.priority = own.priority.max(item.priority);
            own.kind = own.kind.take().or_else(|| item.kind.clone());
            add_origins(&mut own.origins, item.origins.clone());
            return own.id;
        }
        let id = self.next_id();
        self.place(Item { id, ..item.clone() });
        id
    }
}

//! Two sheets become one, and nothing of either is lost.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;

use super::{Block, Sheet, add_origins};
use crate::item::{Item, ItemId};

/// What came onto a sheet from another one.
#[derive(Debug, Default)]
pub(crate) struct Brought {
    /// What the notes of the other sheet are called here, but for those that are left out.
    pub(crate) ids: BTreeMap<ItemId, ItemId>,
    /// Those that were not here, as they are called here.
    pub(crate) added: BTreeSet<ItemId>,
}

impl Sheet {
    /// Takes in the notes and texts of another sheet that are not here and not left out. What is here stays as it is. A
    /// note keeps its id unless it was ever given here. To do so again changes nothing.
    pub(crate) fn bring(&mut self, other: &Self, is_left_out: impl Fn(&Item) -> bool) -> Brought {
        let mut brought = Brought::default();
        for block in &other.blocks {
            match block {
                Block::Item(item) => {
                    let same = |own: &&Item| own.text == item.text;
                    let here = self.item(item.id).filter(same).or_else(|| self.items().find(same));
                    match here.map(|own| own.id) {
                        Some(id) => {
                            brought.ids.insert(item.id, id);
                        }
                        None if is_left_out(item) => {}
                        None => {
                            let id = self.id_for(item);
                            self.place(Item { id, ..item.clone() });
                            brought.ids.insert(item.id, id);
                            brought.added.insert(id);
                        }
                    }
                }
                Block::Text { date, text } if self.says(*date, text) => {}
                Block::Text { date, .. } => {
                    let at = self.place_for(*date);
                    self.blocks.insert(at, block.clone());
                }
            }
        }
        self.last_number = self.last_number.max(other.last_number);
        self.settle();
        brought
    }

    /// The id of a note that comes from elsewhere: its own, unless it was ever given here.
    fn id_for(&mut self, item: &Item) -> ItemId {
        if item.id.number() <= self.last_number {
            return self.next_id();
        }
        self.last_number = item.id.number();
        item.id
    }

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

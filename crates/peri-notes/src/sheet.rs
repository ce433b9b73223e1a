//! A sheet of notes by day, with whatever else people wrote between them.

mod join;
mod markdown;

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use peri_types::Timestamp;
use serde::{Deserialize, Serialize};

pub(crate) use join::Brought;

use crate::item::{Draft, Item, ItemId, Origin, Owner, Source, tidied};

/// A part of a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// A note.
    Item(Item),
    /// Text of a person that is no note. It is kept as it is.
    Text {
        /// The day under which it stands.
        date: Option<Date>,
        /// The text.
        text: String,
    },
}

impl Block {
    /// The day under which it stands; none above all days.
    pub fn date(&self) -> Option<Date> {
        match self {
            Self::Item(item) => item.date,
            Self::Text { date, .. } => *date,
        }
    }
}

/// The notes of a session, or of a digest, in the order in which they stand.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sheet {
    owner: Owner,
    blocks: Vec<Block>,
    /// The highest number that was ever given; numbers are not given twice.
    last_number: u64,
}

/// What is known of a note besides what the Markdown says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Detail {
    made_at: Timestamp,
    source: Source,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    origins: Vec<Origin>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
}

/// What is known of the notes of a sheet besides what the Markdown says.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Details {
    #[serde(default)]
    last_number: u64,
    #[serde(default)]
    items: BTreeMap<ItemId, Detail>,
}

impl Details {
    /// The notes that are known.
    pub(crate) fn ids(&self) -> impl Iterator<Item = ItemId> {
        self.items.keys().copied()
    }
}

/// Numbers that a person typed are believed below this, so that there are always higher ones.
const TYPED_NUMBER_MAX: u64 = 1_000_000_000_000;

impl Sheet {
    /// An empty sheet.
    pub fn new(owner: Owner) -> Self {
        Self { owner, ..Self::default() }
    }

    /// Everything on it, in its order.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The notes on it, in their order.
    pub fn items(&self) -> impl Iterator<Item = &Item> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Item(item) => Some(item),
            Block::Text { .. } => None,
        })
    }

    /// One note.
    pub fn item(&self, id: ItemId) -> Option<&Item> {
        self.items().find(|item| item.id == id)
    }

    /// Whether nothing is on it.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Adds a note below the others of its day, whatever id the draft names. None if it says nothing.
    pub fn add(&mut self, draft: Draft, now: Timestamp) -> Option<ItemId> {
        let text = tidied(&draft.text);
        if text.is_empty() {
            return None;
        }
        let id = self.next_id();
        let date = Some(draft.date.unwrap_or_else(|| day_of(now)));
        let Draft { priority, progress, source, kind, .. } = draft;
        let mut origins = Vec::new();
        add_origins(&mut origins, draft.origins);
        self.place(Item { id, priority, progress, text, date, made_at: now, source, origins, kind });
        Some(id)
    }

    /// Takes a note off the sheet.
    pub fn remove(&mut self, id: ItemId) -> Option<Item> {
        let at = self.position(id)?;
        let Block::Item(item) = self.blocks.remove(at) else { return None };
        self.settle();
        Some(item)
    }

    /// Puts a note in the words of the draft that names it. Answers whether there is such a note and words for it.
    pub fn revise(&mut self, draft: Draft) -> Option<ItemId> {
        let at = self.position(draft.id?)?;
        let text = tidied(&draft.text);
        let Block::Item(item) = &mut self.blocks[at] else { return None };
        if text.is_empty() {
            return None;
        }
        add_origins(&mut item.origins, draft.origins);
        (item.text, item.priority, item.progress, item.source) =
            (text, draft.priority, draft.progress, draft.source);
        item.kind = draft.kind.or(item.kind.take());
        let (id, moved) = (item.id, draft.date.is_some() && draft.date != item.date);
        if moved && let Some(mut item) = self.remove(id) {
            item.date = draft.date;
            self.place(item);
        }
        Some(id)
    }

    /// Brings the sheet to what somebody made of its notes as they were in `base`: notes that are missing go, notes that
    /// are named are revised, the others are added. What a person changed or added since `base` stays as it is, and
    /// nothing goes if nothing at all was made of it.
    pub fn merge(&mut self, base: &[Item], drafts: Vec<Draft>, now: Timestamp) {
        if drafts.iter().all(|draft| tidied(&draft.text).is_empty()) {
            return;
        }
        let untouched =
            |sheet: &Self, old: &Item| sheet.item(old.id).is_some_and(|item| same_words(item, old));
        let mut named = BTreeSet::new();
        for draft in drafts {
            match draft.id.and_then(|id| base.iter().find(|old| old.id == id)) {
                Some(old) if named.insert(old.id) => {
                    if untouched(self, old) && !says_the_same(&draft, old) {
                        self.revise(draft);
                    }
                }
                _ => {
                    self.add(draft, now);
                }
            }
        }
        for old in base {
            if !named.contains(&old.id) && untouched(self, old) {
                self.remove(old.id);
            }
        }
    }

    /// The sheet that Markdown and details describe. Notes that a person wrote get ids here.
    pub(crate) fn read(owner: Owner, text: &str, details: &Details, now: Timestamp) -> Self {
        let lines = markdown::parse(text);
        let believed = |id: ItemId| details.items.contains_key(&id) || id.number() < TYPED_NUMBER_MAX;
        let typed = |line: &markdown::Line| line.id().filter(|id| id.owner() == owner && believed(*id));
        let highest = lines.iter().filter_map(typed).map(ItemId::number).max().unwrap_or(0);
        let mut sheet = Self { owner, blocks: Vec::new(), last_number: details.last_number.max(highest) };
        let mut seen = BTreeSet::new();
        for line in lines {
            let id = typed(&line).filter(|id| seen.insert(*id));
            let block = match line {
                markdown::Line::Text { date, text } => Block::Text { date, text },
                markdown::Line::Item { priority, progress, text, date, .. } => {
                    let id = id.unwrap_or_else(|| sheet.next_id());
                    let detail = details.items.get(&id).cloned();
                    let Detail { made_at, source, origins, kind } = detail.unwrap_or(Detail {
                        made_at: now,
                        source: Source::Person,
                        origins: Vec::new(),
                        kind: None,
                    });
                    Block::Item(Item { id, priority, progress, text, date, made_at, source, origins, kind })
                }
            };
            sheet.blocks.push(block);
        }
        sheet.settle();
        sheet
    }

    /// As Markdown that people can read and edit, and that reads back as the same sheet.
    pub fn to_markdown(&self) -> String {
        markdown::render(&self.blocks)
    }

    /// What the Markdown does not say.
    pub(crate) fn details(&self) -> Details {
        let detail = |item: &Item| Detail {
            made_at: item.made_at,
            source: item.source,
            origins: item.origins.clone(),
            kind: item.kind.clone(),
        };
        Details {
            last_number: self.last_number,
            items: self.items().map(|item| (item.id, detail(item))).collect(),
        }
    }

    fn next_id(&mut self) -> ItemId {
        self.last_number += 1;
        ItemId::new(self.owner, self.last_number)
    }

    fn position(&self, id: ItemId) -> Option<usize> {
        self.blocks.iter().position(|block| matches!(block, Block::Item(item) if item.id == id))
    }

    /// Puts a note below the others of its day, and a day that is not there yet before the first later one.
    fn place(&mut self, item: Item) {
        let at = self.place_for(item.date);
        self.blocks.insert(at, Block::Item(item));
    }

    fn place_for(&self, date: Option<Date>) -> usize {
        let same = self.blocks.iter().rposition(|block| block.date() == date).map(|at| at + 1);
        let later = || self.blocks.iter().position(|block| block.date() > date);
        same.or_else(later).unwrap_or(self.blocks.len())
    }

    /// Changes each note where it stands.
    pub(crate) fn each_item(&mut self, mut change: impl FnMut(&mut Item)) {
        for block in &mut self.blocks {
            if let Block::Item(item) = block {
                change(item);
            }
        }
    }

    /// Texts that have come to stand next to each other are one, and text below a note is not part of it: as they would
    /// be read back.
    fn settle(&mut self) {
        self.blocks.dedup_by(|next, first| match (first, next) {
            (Block::Text { date, text }, Block::Text { date: next_date, text: next })
                if date == next_date =>
            {
                text.push_str("\n\n");
                text.push_str(next);
                true
            }
            (Block::Item(item), Block::Text { date, text }) if item.date == *date => {
                *text = text.trim_start().to_owned();
                false
            }
            _ => false,
        });
    }
}

/// Adds what a note was made from, each once.
fn add_origins(origins: &mut Vec<Origin>, more: Vec<Origin>) {
    for origin in more {
        if !origins.contains(&origin) {
            origins.push(origin);
        }
    }
}

/// The day of a time, by UTC.
pub(crate) fn day_of(at: Timestamp) -> Date {
    at.to_zoned(TimeZone::UTC).date()
}

fn same_words(one: &Item, other: &Item) -> bool {
    one.text == other.text && one.priority == other.priority && one.progress == other.progress
}

fn says_the_same(draft: &Draft, item: &Item) -> bool {
    let same_day = draft.date.is_none() || draft.date == item.date;
    let known = draft.origins.iter().all(|origin| item.origins.contains(origin));
    let same_kind = draft.kind.is_none() || draft.kind == item.kind;
    same_day
        && known
        && same_kind
        && draft.priority == item.priority
        && draft.progress == item.progress
        && tidied(&draft.text) == item.text
}

#[cfg(test)]
mod tests;

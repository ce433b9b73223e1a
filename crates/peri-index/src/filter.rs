//! Which documents a search may return.

use std::sync::Arc;

use peri_types::{Circumstance, Filter, Timestamp};

use crate::bits::Bits;
use crate::table::Table;
use crate::{Index, Mask};

/// What a search sees of an index, whatever its filter asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    /// The time of asking: what has expired by then is invisible.
    pub now: Timestamp,
    /// What becomes of memories that others took the place of.
    pub superseded: Superseded,
}

/// Whether memories that others took the place of are let through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Superseded {
    /// Only what is current is let through.
    LeftOut,
    /// They are let through like any other.
    Included,
    /// Only they are let through, as if they had not ended.
    Only,
}

/// The conditions that are checked document by document, with names turned into numbers.
struct Conditions {
    layers: u8,
    kinds: u8,
    since: i64,
    until: Option<i64>,
    speaker: Option<u32>,
    pinned: Option<bool>,
}

impl Index {
    /// The documents of a view that a filter lets through. Without conditions this shares the index's own set
    /// and copies nothing.
    pub fn mask(&self, filter: &Filter, view: View) -> Mask {
        let (table, now) = (&self.table, view.now.as_millisecond());
        let base = match view.superseded {
            Superseded::LeftOut => &table.current,
            Superseded::Included => &table.alive,
            Superseded::Only => return self.mask_of_replaced(filter),
        };
        let Some(candidates) = self.candidates(filter) else { return Mask::new(Bits::empty(0)) };
        let Some(conditions) = Conditions::of(filter, table) else { return Mask::new(Bits::empty(0)) };
        let mut bits = match candidates {
            None if conditions.any() => filter_bits(base, base.iter(), |doc| conditions.hold(table, doc)),
            None => return self.without_expired(base, now),
            Some(docs) => filter_bits(base, docs.into_iter(), |doc| conditions.hold(table, doc)),
        };
        self.expired(now).for_each(|doc| bits.remove(doc));
        Mask::new(bits)
    }

    /// The documents worth checking where tags or a session narrow them: `Some(None)` means all, None
    /// that the filter names something unknown and so matches nothing.
    #[allow(clippy::option_option)]
    fn candidates(&self, filter: &Filter) -> Option<Option<Vec<usize>>> {
        let mut narrowed: Option<Vec<usize>> = None;
        if let Some(name) = &filter.session {
            let docs =
                self.sessions.numbers_of(name).flat_map(|number| &self.sessions.all[number as usize].docs);
            narrowed = Some(docs.map(|doc| doc.index()).collect());
        }
        let circumstances = filter.context.iter().map(circumstance_tag);
        for tag in filter.tags.iter().cloned().chain(circumstances) {
            let docs = &self.table.tag_docs[self.table.tags.find(&tag)? as usize];
            narrowed = Some(match narrowed {
                None => docs.iter().map(|&doc| doc as usize).collect(),
                Some(mut kept) => {
                    kept.retain(|&doc| docs.binary_search(&(doc as u32)).is_ok());
                    kept
                }
            });
        }
        Some(narrowed)
    }

    /// The documents that a filter lets through and that others took the place of.
    fn mask_of_replaced(&self, filter: &Filter) -> Mask {
        let table = &self.table;
        let Some(conditions) = Conditions::of(filter, table) else { return Mask::new(Bits::empty(0)) };
        if table.alive.ones() == table.current.ones() {
            return Mask::new(Bits::empty(0));
        }
        let replaced = table.alive.iter().filter(|doc| !table.current.get(*doc));
        Mask::new(filter_bits(&table.alive, replaced, |doc| conditions.hold(table, doc)))
    }

    fn without_expired(&self, base: &Arc<Bits>, now: i64) -> Mask {
        let mut mask = Mask { bits: Arc::clone(base) };
        for doc in self.expired(now) {
            Arc::make_mut(&mut mask.bits).remove(doc);
        }
        mask
    }

    fn expired(&self, now: i64) -> impl Iterator<Item = usize> + '_ {
        let expired = move |doc: &usize| self.table.expires_at[*doc] <= now && self.table.alive.get(*doc);
        self.table.expiring.iter().map(|&doc| doc as usize).filter(expired)
    }
}

impl Conditions {
    /// None if the filter names a speaker nobody has heard of.
    fn of(filter: &Filter, table: &Table) -> Option<Self> {
        let speaker = match &filter.speaker {
            Some(name) => Some(table.speakers.find(name)?),
            None => None,
        };
        Some(Self {
            layers: set_of(filter.layers.iter().map(|layer| layer.code())),
            kinds: set_of(filter.kinds.iter().map(|kind| kind.code())),
            since: filter.since_millis().unwrap_or(i64::MIN),
            until: filter.until_millis(),
            speaker,
            pinned: filter.pinned,
        })
    }

    fn any(&self) -> bool {
        let classes = self.layers != u8::MAX || self.kinds != u8::MAX;
        let times = self.since != i64::MIN || self.until.is_some();
        classes || times || self.speaker.is_some() || self.pinned.is_some()
    }

    fn hold(&self, table: &Table, doc: usize) -> bool {
        self.layers >> table.layer[doc] & 1 == 1
            && self.kinds >> table.kind[doc] & 1 == 1
            && table.at[doc] >= self.since
            && self.until.is_none_or(|until| table.at[doc] < until)
            && self.speaker.is_none_or(|speaker| table.speaker[doc] == speaker)
            && self.pinned.is_none_or(|pinned| table.pinned.get(doc) == pinned)
    }
}

/// Codes as a set of bits; no codes mean all. Layers and kinds have codes below eight.
fn set_of(codes: impl Iterator<Item = u8>) -> u8 {
    match codes.fold(0_u8, |set, code| set | 1 << (code % 8)) {
        0 => u8::MAX,
        set => set,
    }
}

/// A circumstance is entered like a tag, told apart by a character that no tag begins with.
pub fn circumstance_tag(circumstance: &Circumstance) -> String {
    format!("\u{1}{circumstance}")
}

fn filter_bits(base: &Bits, docs: impl Iterator<Item = usize>, holds: impl Fn(usize) -> bool) -> Bits {
    let mut bits = Bits::empty(base.len());
    docs.filter(|&doc| base.get(doc) && holds(doc)).for_each(|doc| bits.insert(doc));
    bits
}

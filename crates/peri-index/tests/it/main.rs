//! The index against naive models of what it should answer.
#![allow(clippy::unwrap_used)]

mod model;
mod snapshot;
mod vectors;

use peri_index::{Entry, Index, Superseded, View};
use peri_types::{
    ChangeNumber, Facets, Importance, Kind, Layer, Memory, MemoryId, Namespace, SpaceId, Timestamp,
};

/// A memory as the tests think of it.
#[derive(Debug, Clone)]
pub(crate) struct Note {
    pub(crate) id: u128,
    pub(crate) at: i64,
    pub(crate) layer: Layer,
    pub(crate) kind: Kind,
    pub(crate) pinned: bool,
    pub(crate) expires_at: Option<i64>,
    pub(crate) superseded: bool,
    pub(crate) session: Option<String>,
    pub(crate) speaker: Option<String>,
    pub(crate) tags: Vec<String>,
    pub(crate) terms: Vec<(String, u16)>,
    pub(crate) vector: Option<Vec<f32>>,
}

impl Default for Note {
    fn default() -> Self {
        Self {
            id: 1,
            at: 0,
            layer: Layer::LongTerm,
            kind: Kind::Fact,
            pinned: false,
            expires_at: None,
            superseded: false,
            session: None,
            speaker: None,
            tags: Vec::new(),
            terms: Vec::new(),
            vector: None,
        }
    }
}

impl Note {
    pub(crate) fn length(&self) -> u32 {
        self.terms.iter().map(|(_, times)| u32::from(*times)).sum::<u32>() + 1
    }

    /// A day for some of them, few enough days that several share one.
    pub(crate) fn day(&self) -> Option<i32> {
        (self.at % 2 == 0).then_some((self.at % 3) as i32)
    }

    pub(crate) fn tokens(&self) -> Vec<u16> {
        (0..self.id as u16 % 4).collect()
    }

    /// The memory it would be an entry of.
    pub(crate) fn memory(&self) -> Memory {
        Memory {
            id: id(self.id),
            namespace: Namespace::default(),
            content: String::new(),
            layer: self.layer,
            kind: self.kind,
            importance: Importance::ORDINARY,
            zone: peri_types::Zone::Outer,
            facets: Facets {
                tags: self.tags.clone(),
                session: self.session.clone(),
                speaker: self.speaker.clone(),
                expires_at: self.expires_at.map(time),
                pinned: self.pinned,
                ..Facets::default()
            },
            created_at: time(self.at),
            updated_at: time(self.at),
            version: 1,
            trashed_at: None,
            trashed_by: None,
            space: None,
            change: ChangeNumber(1),
        }
    }

    pub(crate) fn enter(&self, index: &mut Index) {
        index.upsert(&Entry {
            id: id(self.id),
            at: self.at,
            day: self.day(),
            layer: self.layer,
            kind: self.kind,
            pinned: self.pinned,
            importance: 0.25,
            expires_at: self.expires_at,
            superseded: self.superseded,
            session: self.session.as_deref(),
            speaker: self.speaker.as_deref(),
            tags: &self.tags,
            terms: &self.terms,
            tokens: &self.tokens(),
            length: self.length(),
            flags: self.id as u8,
            vector: self.vector.as_deref(),
        });
    }
}

/// A time in milliseconds since 1970.
pub(crate) fn time(millis: i64) -> Timestamp {
    Timestamp::from_millisecond(millis).unwrap()
}

/// What recall sees at a time in milliseconds since 1970.
pub(crate) fn at(now: i64) -> View {
    View { now: time(now), superseded: Superseded::LeftOut }
}

pub(crate) fn id(number: u128) -> MemoryId {
    MemoryId::from_bytes(number.to_be_bytes())
}

pub(crate) fn empty(dimensions: u32) -> Index {
    Index::new(Some(SpaceId { model: "test".to_owned(), dimensions }), 3)
}

/// Numbers that look random and are the same on every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn normal(&mut self) -> f32 {
        (0..4).map(|_| (self.next() >> 40) as f32 / (1 << 24) as f32 - 0.5).sum::<f32>() * 1.73
    }
}

/// Vectors like those of text: a common direction, topics, and dimensions of unequal weight.
pub(crate) fn text_like(count: usize, dimensions: usize, seed: u64) -> Vec<Vec<f32>> {
    let mut random = Random(seed);
    let mut draw = |weight: f32| -> Vec<f32> {
        (0..dimensions).map(|at| weight * random.normal() / (1.0 + at as f32 / 64.0)).collect()
    };
    let common = draw(1.0);
    let topics: Vec<Vec<f32>> = (0..count / 40 + 1).map(|_| draw(0.6)).collect();
    (0..count)
        .map(|number| {
            let (topic, other, own) =
                (&topics[number * 7919 % topics.len()], &topics[number * 104_729 % topics.len()], draw(0.5));
            (0..dimensions).map(|at| common[at] + topic[at] + 0.7 * other[at] + own[at]).collect()
        })
        .collect()
}

//! How the memories of a part come to their vectors: most are made by the engine at work, and one that came along is
//! taken if it is of that engine's space.

use std::collections::HashSet;

use peri_store::{Adopted, Embedding, Written};
use peri_types::{SpaceId, Vector};

use super::import::Effect;
use super::memory_line::Offered;
use super::parts::Waiting;
use crate::engine::Core;
use crate::reindex::Sense;
use crate::remember::is_sound;

/// Of the vectors of a part so many are compared with what the engine makes of their texts, before any is taken: names
/// of models are written by hand, and vectors of another space would never be noticed again.
const COMPARED: usize = 2;
/// The least cosine between what came along and what the engine makes. Rounding and other hardware cost far less, and
/// unrelated spaces come nowhere near.
const ALIKE_MIN: f32 = 0.95;

/// How new memories came to their vectors.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// With one that came along.
    pub(crate) taken: u64,
    /// With one that the engine made.
    pub(crate) made: u64,
    /// Without one: the engine failed, does not know the language, or there is none.
    pub(crate) without: u64,
    /// Those whose own was of another space or damaged.
    pub(crate) unusable: u64,
    /// Those that brought weights of terms.
    pub(crate) sparse: u64,
}

impl Tally {
    /// Counts a memory if it is new here.
    pub(super) fn count(&mut self, fate: Option<Fate>, written: &Written) {
        let Some(fate) = fate.filter(|_| *written == Written::Adopted(Adopted::Added)) else { return };
        match fate.got {
            Got::Taken => self.taken += 1,
            Got::Made => self.made += 1,
            Got::None => self.without += 1,
        }
        match fate.came {
            Came::Dense if fate.got != Got::Taken => self.unusable += 1,
            Came::Sparse => self.sparse += 1,
            Came::Dense | Came::Nothing => {}
        }
    }
}

/// What a memory brought along, and what it got.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fate {
    came: Came,
    got: Got,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Came {
    Nothing,
    Sparse,
    Dense,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Got {
    Taken,
    Made,
    None,
}

/// What becomes of one text.
pub(super) struct Meaning {
    pub(super) embedding: Embedding,
    pub(super) fate: Fate,
}

/// The meanings of what has one, in order: memories and patterns. Memories that are here already, by their lines, keep
/// theirs, so that nothing is asked for them.
pub(super) fn of(
    core: &Core,
    waiting: &[(u64, Waiting)],
    known: &HashSet<u64>,
    effect: Effect,
) -> Vec<Meaning> {
    let sense = core.sense();
    let space = sense.engine.as_ref().map(|engine| engine.space());
    let asked =
        waiting.iter().filter_map(|(number, waiting)| Asked::of(waiting, space, known.contains(number)));
    let mut asked: Vec<Asked<'_>> = asked.collect();
    if effect == Effect::Rehearsed {
        return asked.into_iter().map(|one| one.foreseen(space.is_some())).collect();
    }
    if !agree(core, &sense, &asked) {
        asked.iter_mut().for_each(|one| one.offered = None);
    }
    let texts: Vec<&str> = asked.iter().filter(|one| one.needs_vector()).map(|one| one.text).collect();
    let made = if texts.is_empty() { Vec::new() } else { core.embed_with(&sense, &texts) };
    let mut made = made.into_iter();
    asked.into_iter().map(|one| one.meaning(&mut made)).collect()
}

/// A text whose meaning is wanted.
struct Asked<'a> {
    text: &'a str,
    /// A vector of the space at work that came along.
    offered: Option<Vector>,
    came: Came,
    known: bool,
}

impl<'a> Asked<'a> {
    fn of(waiting: &'a Waiting, space: Option<&SpaceId>, known: bool) -> Option<Self> {
        match waiting {
            Waiting::Memory(line) => {
                let (came, offered) = match &line.vector {
                    Offered::Nothing => (Came::Nothing, None),
                    Offered::Sparse => (Came::Sparse, None),
                    Offered::Unusable => (Came::Dense, None),
                    Offered::Dense(vector) => (Came::Dense, of_space(vector, space)),
                };
                let offered = offered.filter(|_| !known);
                Some(Self { text: &line.memory.content, offered, came, known })
            }
            Waiting::Pattern(pattern) => {
                Some(Self { text: &pattern.strategy, offered: None, came: Came::Nothing, known })
            }
            _ => None,
        }
    }

    fn needs_vector(&self) -> bool {
        self.offered.is_none() && !self.known
    }

    fn meaning(self, made: &mut impl Iterator<Item = Embedding>) -> Meaning {
        let needs = self.needs_vector();
        let (embedding, got) = match self.offered {
            Some(vector) => (Embedding::Ready(vector), Got::Taken),
            None => match made.by_ref().take(usize::from(needs)).next() {
                Some(embedding @ Embedding::Ready(_)) => (embedding, Got::Made),
                other => (other.unwrap_or(Embedding::Pending), Got::None),
            },
        };
        Meaning { embedding, fate: Fate { came: self.came, got } }
    }

    /// What would become of it, as far as that can be told without the engine.
    fn foreseen(self, has_engine: bool) -> Meaning {
        let got = match (self.offered, has_engine) {
            (Some(_), _) => Got::Taken,
            (None, true) => Got::Made,
            (None, false) => Got::None,
        };
        Meaning { embedding: Embedding::Pending, fate: Fate { came: self.came, got } }
    }
}

/// The same vector with a length of one, if it can be of the space.
fn of_space(vector: &Vector, space: Option<&SpaceId>) -> Option<Vector> {
    let space = space.filter(|space| **space == vector.space && is_sound(&vector.values, space))?;
    let length = vector.values.iter().map(|value| f64::from(*value).powi(2)).sum::<f64>().sqrt();
    if length < f64::EPSILON {
        return None;
    }
    let values = vector.values.iter().map(|value| (f64::from(*value) / length) as f32).collect();
    Some(Vector { space: space.clone(), values })
}

/// Whether the vectors that came along are such as the engine makes. What it cannot say is a no.
fn agree(core: &Core, sense: &Sense, asked: &[Asked<'_>]) -> bool {
    let compared: Vec<_> = asked.iter().filter(|one| one.offered.is_some()).take(COMPARED).collect();
    if compared.is_empty() {
        return true;
    }
    let texts: Vec<&str> = compared.iter().map(|one| one.text).collect();
    let made = core.embed_with(sense, &texts);
    let alike: Vec<f32> = compared.iter().zip(&made).filter_map(|(one, made)| cosine(one, made)).collect();
    let agree = !alike.is_empty() && alike.iter().all(|cosine| *cosine >= ALIKE_MIN);
    if !agree {
        tracing::warn!(?alike, "vectors that came along are not what the engine makes, and are made anew");
    }
    agree
}

fn cosine(one: &Asked<'_>, made: &Embedding) -> Option<f32> {
    let (Some(own), Embedding::Ready(made)) = (&one.offered, made) else { return None };
    Some(own.values.iter().zip(&made.values).map(|(own, made)| own * made).sum())
}

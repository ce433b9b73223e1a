//! The adapter itself: what it does to a query vector, and how it is written down.

use peri_types::SpaceId;
use serde::{Deserialize, Serialize};

use super::AdaptError;
use super::kernel::{add_scaled, dot, unit};

/// The number of the format that adapters are written in.
pub const FORMAT: u32 = 1;

/// The largest rank of an adapter: beyond it, adapting costs more than it could bring.
pub const RANK_MAX: usize = 64;

/// The most dimensions that an adapter's space may have.
pub const DIMENSIONS_MAX: usize = 8192;

/// The largest weight that is believed: adapted vectors are scaled to length one, so that no sound adapter comes near.
const WEIGHT_MAX: f32 = 1e6;

/// A low-rank correction of the query vectors of one space: `q' = unit(q + U (V q))`.
///
/// A new one changes nothing. Stored vectors are never touched, so that taking an adapter away brings back exactly
/// what was before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Adapter {
    space: SpaceId,
    rank: usize,
    /// What is added, one row of the space's dimensions for each of the rank.
    u: Vec<f32>,
    /// What is looked for in a query, in rows like `u`.
    v: Vec<f32>,
}

/// Whether a query vector was adapted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Adapted {
    /// It was, and has length one.
    Yes,
    /// It is as it was: not of the adapter's space, without a direction, or the adapter knows nothing.
    Untouched,
}

impl Adapter {
    /// An adapter that changes nothing yet.
    pub fn new(space: SpaceId, rank: usize) -> Result<Self, AdaptError> {
        let size = size_of(&space, rank)?;
        Ok(Self { space, rank, u: vec![0.0; size], v: vec![0.0; size] })
    }

    /// An adapter of these weights, each `rank` rows of the space's dimensions.
    pub fn of(space: SpaceId, rank: usize, u: Vec<f32>, v: Vec<f32>) -> Result<Self, AdaptError> {
        let size = size_of(&space, rank)?;
        for weights in [&u, &v] {
            if weights.len() != size {
                return Err(AdaptError::Size { expected: size, given: weights.len() });
            }
            // Written so that a weight that is no number fails too.
            if !weights.iter().all(|weight| weight.abs() <= WEIGHT_MAX) {
                return Err(AdaptError::NotANumber { what: "a weight of the adapter" });
            }
        }
        Ok(Self { space, rank, u, v })
    }

    /// The space of the vectors that it adapts.
    pub fn space(&self) -> &SpaceId {
        &self.space
    }

    /// How many directions of a query it looks at.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// What is added, row by row.
    pub fn u(&self) -> &[f32] {
        &self.u
    }

    /// What is looked for in a query, row by row.
    pub fn v(&self) -> &[f32] {
        &self.v
    }

    /// How many dimensions its vectors have.
    pub fn dimensions(&self) -> usize {
        self.space.dimensions as usize
    }

    /// Whether it changes nothing.
    pub fn is_identity(&self) -> bool {
        self.u.iter().all(|weight| *weight == 0.0) || self.v.iter().all(|weight| *weight == 0.0)
    }

    /// Adapts a query vector in place. One that does not belong to the space, or would lose its direction, stays.
    pub fn adapt(&self, query: &mut [f32]) -> Adapted {
        let dimensions = self.dimensions();
        if query.len() != dimensions {
            return Adapted::Untouched;
        }
        let mut found = [0.0_f32; RANK_MAX];
        for (found, row) in found.iter_mut().zip(self.v.chunks_exact(dimensions)) {
            *found = dot(row, query);
        }
        let found = &found[..self.rank];
        if found.iter().all(|value| *value == 0.0) || !found.iter().all(|value| value.is_finite()) {
            return Adapted::Untouched;
        }
        let mut bent = query.to_vec();
        for (found, row) in found.iter().zip(self.u.chunks_exact(dimensions)) {
            add_scaled(&mut bent, row, *found);
        }
        if bent == query || !unit(&mut bent) {
            return Adapted::Untouched;
        }
        query.copy_from_slice(&bent);
        Adapted::Yes
    }
}

/// How many weights each half of an adapter has.
fn size_of(space: &SpaceId, rank: usize) -> Result<usize, AdaptError> {
    let dimensions = space.dimensions as usize;
    if dimensions == 0 || dimensions > DIMENSIONS_MAX {
        return Err(AdaptError::Dimensions { given: dimensions, most: DIMENSIONS_MAX });
    }
    if rank == 0 || rank > RANK_MAX {
        return Err(AdaptError::Rank { given: rank, most: RANK_MAX });
    }
    Ok(dimensions * rank)
}

/// An adapter as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    format: u32,
    space: SpaceId,
    rank: usize,
    u: Vec<f32>,
    v: Vec<f32>,
}

impl TryFrom<Written> for Adapter {
    type Error = AdaptError;

    fn try_from(written: Written) -> Result<Self, AdaptError> {
        if written.format != FORMAT {
            return Err(AdaptError::Format { given: written.format });
        }
        Self::of(written.space, written.rank, written.u, written.v)
    }
}

impl From<Adapter> for Written {
    fn from(adapter: Adapter) -> Self {
        let Adapter { space, rank, u, v } = adapter;
        Self { format: FORMAT, space, rank, u, v }
    }
}

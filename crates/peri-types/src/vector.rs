//! Vectors and the spaces they live in.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One embedding model's vector space. Vectors of two spaces are never compared.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SpaceId {
    /// The model, with everything that changes its output, such as a revision.
    pub model: String,
    /// How many dimensions its vectors have.
    pub dimensions: u32,
}

impl fmt::Display for SpaceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.model, self.dimensions)
    }
}

/// A vector of length one and the space it belongs to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Vector {
    /// Where it lives.
    pub space: SpaceId,
    /// Its coordinates; as many as the space has dimensions.
    pub values: Vec<f32>,
}

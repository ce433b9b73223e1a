//! One recall with feedback: what was asked, what was of use, and what was shown in vain.

use super::AdaptError;

/// No coordinate of a vector of length one is larger; a little is allowed for rounding.
const COORDINATE_MAX: f32 = 1.001;

/// Feedback falls into so many parts, each of which is held out once.
pub const PARTS: usize = 5;

/// The vectors of one recall's query and of the memories that it showed. All are of one space and of length one.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// What was asked, before any adapter.
    pub query: Vec<f32>,
    /// The results that were of use.
    pub used: Vec<Vec<f32>>,
    /// The results that were shown in vain, as far as they have a vector.
    pub unused: Vec<Vec<f32>>,
}

impl Example {
    /// Says what is wrong with it, if anything is.
    pub fn check(&self, dimensions: usize) -> Result<(), AdaptError> {
        for vector in std::iter::once(&self.query).chain(&self.used).chain(&self.unused) {
            if vector.len() != dimensions {
                return Err(AdaptError::Size { expected: dimensions, given: vector.len() });
            }
            // Written so that a coordinate that is no number fails too.
            let sound = vector.iter().all(|value| value.abs() <= COORDINATE_MAX);
            if !sound || vector.iter().all(|value| *value == 0.0) {
                return Err(AdaptError::NotANumber { what: "a coordinate of a vector" });
            }
        }
        if self.used.is_empty() || self.unused.is_empty() { Err(AdaptError::TellsNothing) } else { Ok(()) }
    }

    /// The part that it belongs to, by the query's own vector, so that a question that is asked again is never learned
    /// from where it is held out.
    pub fn part(&self) -> usize {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for byte in self.query.iter().flat_map(|value| value.to_le_bytes()) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        // The lowest bits of this hash depend on few of the bytes, so the upper half decides.
        ((hash >> 32) % PARTS as u64) as usize
    }
}

/// Those of the examples that can be learned from.
pub fn usable(examples: &[Example], dimensions: usize) -> Vec<&Example> {
    examples.iter().filter(|example| example.check(dimensions).is_ok()).collect()
}

//! What every embedding engine can do.

use peri_types::SpaceId;

use crate::EmbedError;

/// What an engine makes a text's vector from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// From its words, each by itself, in whatever order.
    Words,
    /// From the sentence as a whole.
    Sentence,
}

/// Turns texts into vectors of one space.
///
/// An engine that does not know a text's language must not vote on it: it answers `None`, and whoever
/// ranks goes by the words alone.
pub trait Engine: Send + Sync {
    /// The space that the vectors live in. It changes whenever the same text would give another vector.
    fn space(&self) -> &SpaceId;

    /// What its vectors are made from, which ranking takes into account.
    fn reading(&self) -> Reading {
        Reading::Sentence
    }

    /// What somebody should know about how the engine fares, if it knows of any trouble. Nobody is asked for it.
    fn trouble(&self) -> Option<String> {
        None
    }

    /// One answer a text, in order: a vector of length one, or `None` for a text in a language that the
    /// engine does not know or without a token that says anything.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, EmbedError>;
}

/// A vector of single precision that was scaled to length one is off by less.
const ROUNDING: f64 = 1e-6;

/// The vector scaled to length one; `None` if it has no direction.
///
/// One that has this length already, as far as its numbers can tell, is left as it is: it may come from an engine that
/// scaled it before, and is to be the same vector.
pub fn unit(mut vector: Vec<f32>) -> Option<Vec<f32>> {
    let length = vector.iter().map(|&value| f64::from(value) * f64::from(value)).sum::<f64>().sqrt();
    if !length.is_finite() || length <= f64::EPSILON {
        return None;
    }
    if (length - 1.0).abs() <= ROUNDING {
        return Some(vector);
    }
    let factor = (1.0 / length) as f32;
    vector.iter_mut().for_each(|value| *value *= factor);
    Some(vector)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_without_a_direction_has_no_unit() {
        assert_eq!(unit(vec![0.0; 4]), None);
        assert_eq!(unit(vec![f32::NAN, 1.0]), None);
        assert_eq!(unit(vec![3.0, 4.0]), Some(vec![0.6, 0.8]));
    }

    #[test]
    fn a_vector_that_was_scaled_before_stays_the_same_to_the_last_digit() {
        let vector = unit((0..384_u16).map(|at| (f32::from(at) * 0.37).sin()).collect());
        assert_eq!(vector.clone().and_then(unit), vector);
    }
}

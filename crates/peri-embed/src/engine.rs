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

    /// One answer a text, in order: a vector of length one, or `None` for a text in a language that the
    /// engine does not know or without a token that says anything.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, EmbedError>;
}

/// The vector scaled to length one; `None` if it has no direction.
pub(crate) fn unit(mut vector: Vec<f32>) -> Option<Vec<f32>> {
    let length = vector.iter().map(|&value| f64::from(value) * f64::from(value)).sum::<f64>().sqrt();
    if !length.is_finite() || length <= f64::EPSILON {
        return None;
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
}

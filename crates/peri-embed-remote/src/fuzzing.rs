//! What servers answer, for the fuzz targets alone.

use crate::wire;

/// The vectors of an answer to so many texts, or nothing.
pub fn answer(body: &[u8], texts: usize, dimensions: Option<u32>) -> Option<Vec<Vec<f32>>> {
    wire::not_understood(body, texts);
    wire::read(body, texts, dimensions).ok()
}

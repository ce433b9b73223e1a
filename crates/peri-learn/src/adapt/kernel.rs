//! Sums over vectors, written so that the compiler can take several numbers at a time.

/// So many sums run side by side; adding them in another order would give another last digit.
const LANES: usize = 8;

/// The product of two vectors of the same length.
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0_f32; LANES];
    let (left, right) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest: f32 = left.remainder().iter().zip(right.remainder()).map(|(a, b)| a * b).sum();
    for (left, right) in left.zip(right) {
        for lane in 0..LANES {
            sums[lane] += left[lane] * right[lane];
        }
    }
    sums.iter().sum::<f32>() + rest
}

/// Adds a multiple of a row to a vector.
pub(super) fn add_scaled(vector: &mut [f32], row: &[f32], factor: f32) {
    for (value, row) in vector.iter_mut().zip(row) {
        *value += factor * row;
    }
}

/// Scales a vector to length one; whether it has a direction at all.
pub(super) fn unit(vector: &mut [f32]) -> bool {
    let square: f64 = vector.iter().map(|value| f64::from(*value) * f64::from(*value)).sum();
    let length = square.sqrt();
    if !length.is_finite() || length <= 1e-6 {
        return false;
    }
    vector.iter_mut().for_each(|value| *value = (f64::from(*value) / length) as f32);
    true
}

/// The product of exact weights and a vector.
pub(super) fn dot_wide(weights: &[f64], vector: &[f32]) -> f64 {
    let mut sums = [0.0_f64; LANES];
    let (left, right) = (weights.chunks_exact(LANES), vector.chunks_exact(LANES));
    let rest: f64 = left.remainder().iter().zip(right.remainder()).map(|(a, b)| a * f64::from(*b)).sum();
    for (left, right) in left.zip(right) {
        for lane in 0..LANES {
            sums[lane] += left[lane] * f64::from(right[lane]);
        }
    }
    sums.iter().sum::<f64>() + rest
}

//! Small loops over numbers, compiled once for each width of the processor's registers.
//!
//! `fearless_simd` chooses at run time. The bodies are plain Rust where the compiler vectorises it; sums
//! are kept in [`LANES`] parts because the compiler may not reorder them by itself.

use fearless_simd::{Level, dispatch};

pub(crate) const LANES: usize = 16;

/// Adds `factor` times a row of whole numbers to a sum.
pub(crate) fn add_scaled(level: Level, sum: &mut [f32], row: &[i8], factor: f32) {
    dispatch!(level, _simd => {
        for (total, value) in sum.iter_mut().zip(row) {
            *total += f32::from(*value) * factor;
        }
    });
}

/// The inner product of two rows of whole numbers.
pub(crate) fn dot_whole(level: Level, a: &[i8], b: &[i8]) -> i32 {
    dispatch!(level, _simd => a.iter().zip(b).map(|(x, y)| i32::from(*x) * i32::from(*y)).sum())
}

/// The sum of what `term` makes of each number.
#[inline(always)]
pub(crate) fn sum_of(values: &[f32], term: impl Fn(f32) -> f32) -> f32 {
    let (whole, rest) = values.as_chunks::<LANES>();
    let mut parts = [0f32; LANES];
    for chunk in whole {
        for (part, value) in parts.iter_mut().zip(chunk) {
            *part += term(*value);
        }
    }
    parts.iter().sum::<f32>() + rest.iter().map(|value| term(*value)).sum::<f32>()
}

/// `exp`, within three units in the last place, in a form that the compiler can vectorise.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    // Adding and taking away this number rounds to a whole one.
    const ROUNDER: f32 = 12_582_912.0;
    let x = x.clamp(-87.0, 88.0);
    let shifted = x * std::f32::consts::LOG2_E + ROUNDER;
    let whole = shifted - ROUNDER;
    // ln 2 in two parts, so that the remainder keeps its digits.
    let rest = (x - whole * 0.693_359_4) + whole * 2.121_944_4e-4;
    let mut series = 1.0 / 5040.0;
    for coefficient in [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        series = series * rest + coefficient;
    }
    let power = (shifted.to_bits() << 23).wrapping_add(1.0f32.to_bits());
    series * f32::from_bits(power)
}

/// The error function after Abramowitz and Stegun 7.1.26, within 3e-7.
#[inline(always)]
pub(crate) fn erf(x: f32) -> f32 {
    let size = x.abs();
    let t = 1.0 / (1.0 + 0.327_591_1 * size);
    let mut series = 1.061_405_4;
    for coefficient in [-1.453_152_1, 1.421_413_8, -0.284_496_72, 0.254_829_6, 0.0] {
        series = series * t + coefficient;
    }
    (1.0 - series * exp(-size * size)).copysign(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_is_close_everywhere() {
        for step in -870..=880 {
            let x = step as f32 / 10.0;
            let exact = f64::from(x).exp();
            assert!(((f64::from(exp(x)) - exact) / exact).abs() < 4e-7, "{x}: {} {exact}", exp(x));
        }
        assert!(exp(-1e9) < 1e-37 && exp(f32::NEG_INFINITY) < 1e-37);
    }

    #[test]
    fn erf_has_the_published_values() {
        for (x, exact) in [(0.0, 0.0), (0.5, 0.520_499_9), (1.0, 0.842_700_8), (2.0, 0.995_322_3), (5.0, 1.0)]
        {
            assert!((erf(x) - exact).abs() < 5e-7 && (erf(-x) + exact).abs() < 5e-7, "{x}");
        }
    }

    #[test]
    fn sums_do_not_depend_on_the_length() {
        for length in 0..50 {
            let values: Vec<f32> = (0..length).map(|value| value as f32).collect();
            assert_eq!(sum_of(&values, |value| value), values.iter().sum::<f32>());
        }
    }
}

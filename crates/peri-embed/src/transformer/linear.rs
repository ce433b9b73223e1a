//! Matrix products with weights that were laid out for the processor at load time.

use fearless_simd::{Level, Simd, SimdBase, dispatch, prelude::*};

/// Rows computed together: twelve sums of two registers each, which is what sixteen registers hold
/// beside the operands.
const ROWS: usize = 6;

/// `x · Wᵀ + b`, with `W` cut into panels of as many columns as two registers hold, so that the inner
/// loop reads it from front to back.
pub(crate) struct Linear {
    inputs: usize,
    outputs: usize,
    panel: usize,
    /// For each panel, for each input, `panel` weights; missing columns are zero.
    weights: Vec<f32>,
    bias: Vec<f32>,
    level: Level,
}

impl Linear {
    /// Takes weights in rows of `inputs`, one row an output, and one bias an output.
    pub(crate) fn new(level: Level, inputs: usize, weights: &[f32], bias: &[f32]) -> Self {
        let panel = dispatch!(level, simd => panel_width(simd));
        let outputs = bias.len();
        let panels = outputs.div_ceil(panel);
        let mut packed = vec![0.0; panels * inputs * panel];
        for (output, row) in weights.chunks_exact(inputs).enumerate() {
            let start = output / panel * inputs * panel + output % panel;
            for (place, weight) in packed[start..].iter_mut().step_by(panel).zip(row) {
                *place = *weight;
            }
        }
        let mut bias = bias.to_vec();
        bias.resize(panels * panel, 0.0);
        Self { inputs, outputs, panel, weights: packed, bias, level }
    }

    /// Fills `out`, one row of outputs for each row of inputs in `x`. `scratch` is only kept to save
    /// allocations.
    pub(crate) fn apply(&self, x: &[f32], out: &mut Vec<f32>, scratch: &mut Vec<f32>) {
        let rows = x.len() / self.inputs;
        out.clear();
        out.resize(rows * self.outputs, 0.0);
        interleave(x, self.inputs, scratch);
        let panels =
            self.weights.chunks_exact(self.inputs * self.panel).zip(self.bias.chunks_exact(self.panel));
        dispatch!(self.level, simd => {
            for (number, (weights, bias)) in panels.enumerate() {
                let columns = number * self.panel..self.outputs.min((number + 1) * self.panel);
                let blocks = scratch.chunks_exact(self.inputs * ROWS);
                for (block, target) in blocks.zip(out.chunks_mut(self.outputs * ROWS)) {
                    multiply(simd, block, weights, bias, |row, low, high| {
                        let Some(line) = target.get_mut(row * self.outputs..(row + 1) * self.outputs) else { return };
                        store(&mut line[columns.clone()], low, high);
                    });
                }
            }
        });
    }
}

#[inline(always)]
fn panel_width<S: Simd>(_: S) -> usize {
    2 * S::f32s::LEN
}

/// Lays rows out in blocks of [`ROWS`]: first input of each row, second input of each row, and so on.
fn interleave(x: &[f32], inputs: usize, blocks: &mut Vec<f32>) {
    let count = (x.len() / inputs).div_ceil(ROWS);
    blocks.clear();
    blocks.resize(count * ROWS * inputs, 0.0);
    for (row, values) in x.chunks_exact(inputs).enumerate() {
        let start = row / ROWS * ROWS * inputs + row % ROWS;
        for (place, value) in blocks[start..].iter_mut().step_by(ROWS).zip(values) {
            *place = *value;
        }
    }
}

/// One block of rows by one panel of weights; hands each finished row to `done`.
#[inline(always)]
fn multiply<S: Simd>(
    simd: S,
    block: &[f32],
    weights: &[f32],
    bias: &[f32],
    mut done: impl FnMut(usize, &[f32], &[f32]),
) {
    let width = S::f32s::LEN;
    let mut low = [S::f32s::from_slice(simd, &bias[..width]); ROWS];
    let mut high = [S::f32s::from_slice(simd, &bias[width..2 * width]); ROWS];
    for (inputs, pair) in block.as_chunks::<ROWS>().0.iter().zip(weights.chunks_exact(2 * width)) {
        let left = S::f32s::from_slice(simd, &pair[..width]);
        let right = S::f32s::from_slice(simd, &pair[width..]);
        for row in 0..ROWS {
            let input = S::f32s::splat(simd, inputs[row]);
            low[row] = input.mul_add(left, low[row]);
            high[row] = input.mul_add(right, high[row]);
        }
    }
    for row in 0..ROWS {
        done(row, low[row].as_slice(), high[row].as_slice());
    }
}

/// Copies as much of a panel's row as the matrix has columns for.
#[inline(always)]
fn store(line: &mut [f32], low: &[f32], high: &[f32]) {
    let middle = line.len().min(low.len());
    let (left, right) = line.split_at_mut(middle);
    left.copy_from_slice(&low[..left.len()]);
    right.copy_from_slice(&high[..right.len()]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_gives_the_plain_product_at_every_register_width() {
        for level in [Level::new(), Level::baseline()] {
            for (rows, inputs, outputs) in [(1, 1, 1), (5, 7, 3), (6, 16, 32), (13, 33, 65), (7, 384, 50)] {
                check(level, rows, inputs, outputs);
            }
        }
    }

    fn check(level: Level, rows: usize, inputs: usize, outputs: usize) {
        let number = |seed: usize| ((seed * 7919 % 101) as f32 - 50.0) / 50.0;
        let x: Vec<f32> = (0..rows * inputs).map(number).collect();
        let weights: Vec<f32> = (0..outputs * inputs).map(|at| number(at + 13)).collect();
        let bias: Vec<f32> = (0..outputs).map(number).collect();
        let mut out = Vec::new();
        Linear::new(level, inputs, &weights, &bias).apply(&x, &mut out, &mut Vec::new());
        assert_eq!(out.len(), rows * outputs);
        for (at, value) in out.iter().enumerate() {
            let (row, column) = (at / outputs, at % outputs);
            let line = &x[row * inputs..][..inputs];
            let plain: f32 = line.iter().zip(&weights[column * inputs..]).map(|(a, b)| a * b).sum();
            assert!((value - plain - bias[column]).abs() < 1e-3, "{rows}x{inputs}x{outputs} at {at}");
        }
    }
}

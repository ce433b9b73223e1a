//! The innermost loops, in the widest instructions the processor has. This module and `x86` below it are the only ones with
//! unsafe code.
//!
//! Each has a portable form that gives the same answer (exactly for codes, up to the order
//! of additions for products of vectors) and that tests compare with whatever this machine has.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod x86;

use std::sync::LazyLock;

use half::f16;

/// What this processor can do, found out once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

static LEVEL: LazyLock<Level> = LazyLock::new(detect);

#[cfg(target_arch = "x86_64")]
fn detect() -> Level {
    let avx2 = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("f16c");
    let avx512 = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vnni");
    match (avx2, avx512) {
        (true, true) => Level::Avx512,
        (true, false) => Level::Avx2,
        _ => Level::Portable,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn detect() -> Level {
    Level::Portable
}

/// The product of a query with a row of half-precision numbers (given as their bits).
/// Where the lengths differ, the shorter one counts.
pub(crate) fn dot(query: &[f32], row: &[u16]) -> f32 {
    let len = query.len().min(row.len());
    let (query, row) = (&query[..len], &row[..len]);
    match *LEVEL {
        Level::Portable => dot_portable(query, row),
        // SAFETY: the level says that the processor has AVX2, FMA and F16C; the lengths are equal.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => unsafe { x86::dot_avx2(query, row) },
        // SAFETY: the level says that the processor has AVX-512 F; the lengths are equal.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => unsafe { x86::dot_avx512(query, row) },
    }
}

/// The product of two rows of half-precision numbers; where the lengths differ, the shorter one counts.
pub(crate) fn dot_halves(a: &[u16], b: &[u16]) -> f32 {
    let len = a.len().min(b.len());
    let (a, b) = (&a[..len], &b[..len]);
    match *LEVEL {
        Level::Portable => dot_halves_portable(a, b),
        // SAFETY: the level says that the processor has AVX2, FMA and F16C; the lengths are equal.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 | Level::Avx512 => unsafe { x86::dot_halves_avx2(a, b) },
    }
}

/// The product of a query with each of the codes, which lie one after the other. A code of `n` bytes holds
/// `2n` numbers of four bits: the low halves come first, then the high ones. The query has `2n` numbers, and
/// `n` is a multiple of [`CODE_BYTES`].
pub(crate) fn code_scores(query: &[i8], codes: &[u8], scores: &mut [i32]) {
    let bytes = query.len() / 2;
    assert!(bytes.is_multiple_of(CODE_BYTES) && codes.len() >= scores.len() * bytes, "codes fit the query");
    match *LEVEL {
        Level::Portable => code_scores_portable(query, codes, scores),
        // SAFETY: the level says that the processor has AVX2; the sizes were checked above.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => unsafe { x86::code_scores_avx2(query, codes, scores) },
        // SAFETY: the level says that the processor has AVX-512 F and VNNI; the sizes were checked above.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => unsafe { x86::code_scores_avx512(query, codes, scores) },
    }
}

/// The same for the codes of some documents, wherever they lie: they are asked for some documents ahead, because a walk
/// over the graph waits for memory more than it computes.
pub(crate) fn code_scores_at(query: &[i8], codes: &[u8], docs: &[u32], scores: &mut [i32]) {
    let bytes = query.len() / 2;
    assert!(bytes.is_multiple_of(CODE_BYTES) && docs.len() == scores.len(), "codes fit the query");
    match *LEVEL {
        Level::Portable => {
            for (score, &doc) in scores.iter_mut().zip(docs) {
                code_scores_portable(
                    query,
                    &codes[doc as usize * bytes..][..bytes],
                    std::slice::from_mut(score),
                );
            }
        }
        // SAFETY: the level says that the processor has AVX2; the sizes were checked above.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => unsafe { x86::code_scores_at_avx2(query, codes, docs, scores) },
        // SAFETY: the level says that the processor has AVX-512 F and VNNI; the sizes were checked above.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => unsafe { x86::code_scores_at_avx512(query, codes, docs, scores) },
    }
}

/// Whether rough codes are compared faster than others: their numbers are looked up, many in one instruction, which the
/// portable form has to do one by one.
pub(crate) fn is_rough_faster() -> bool {
    *LEVEL != Level::Portable
}

/// The scores of rough codes, [`ROUGH_TOGETHER`] documents a block. A block has a row for each byte of a code, and in it
/// that byte of every document; `table` has two times sixteen numbers for each row, for the lower and the upper half of a
/// byte. None is above 63, a score fits, and the number of rows is even.
pub(crate) fn rough_scores(table: &[u8], blocks: &[u8], scores: &mut [i16]) {
    let (rows, _) = table.as_chunks::<{ 2 * HALVES }>();
    let (groups, rest) = scores.as_chunks_mut::<ROUGH_TOGETHER>();
    let bytes = rows.len() * ROUGH_TOGETHER;
    assert!(rest.is_empty() && rows.len().is_multiple_of(2), "whole blocks with rows in pairs");
    assert!(blocks.len() >= groups.len() * bytes, "as many blocks as scores");
    match *LEVEL {
        Level::Portable => {
            for (scores, block) in groups.iter_mut().zip(blocks.chunks_exact(bytes.max(1))) {
                rough_block_portable(rows, block, scores);
            }
        }
        // SAFETY: the level says what the processor has; there are as many blocks as groups of scores, and each has a row
        // for each of the table.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => unsafe { x86::rough_blocks_avx2(rows, blocks, groups) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => unsafe { x86::rough_blocks_avx512(rows, blocks, groups) },
    }
}

/// Which of the scores of a block reach a bar, the first in the lowest bit.
pub(crate) fn at_least(scores: &[i16; ROUGH_TOGETHER], bar: i16) -> u32 {
    match *LEVEL {
        Level::Portable => at_least_portable(scores, bar),
        // SAFETY: either level says that the processor has AVX2.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 | Level::Avx512 => unsafe { x86::at_least_avx2(scores, bar) },
    }
}

fn at_least_portable(scores: &[i16; ROUGH_TOGETHER], bar: i16) -> u32 {
    scores.iter().enumerate().fold(0, |bits, (at, &score)| bits | u32::from(score >= bar) << at)
}

/// Documents of one block of rough codes.
pub(crate) const ROUGH_TOGETHER: usize = 32;
/// What half a byte can be.
pub(crate) const HALVES: usize = 16;

fn rough_block_portable(table: &[[u8; 2 * HALVES]], block: &[u8], scores: &mut [i16; ROUGH_TOGETHER]) {
    scores.fill(0);
    for (row, table) in block.chunks_exact(ROUGH_TOGETHER).zip(table) {
        for (score, &byte) in scores.iter_mut().zip(row) {
            let (lower, upper) = (usize::from(byte & 15), HALVES + usize::from(byte >> 4));
            *score += i16::from(table[lower]) + i16::from(table[upper]);
        }
    }
}

/// Codes of so many documents are asked for before the first is compared.
const AHEAD: usize = 8;

/// Codes are padded to a multiple of this: the width of the widest register.
pub(crate) const CODE_BYTES: usize = 64;

fn dot_portable(query: &[f32], row: &[u16]) -> f32 {
    query.iter().zip(row).map(|(&a, &b)| a * f16::from_bits(b).to_f32()).sum()
}

fn dot_halves_portable(a: &[u16], b: &[u16]) -> f32 {
    a.iter().zip(b).map(|(&a, &b)| f16::from_bits(a).to_f32() * f16::from_bits(b).to_f32()).sum()
}

fn code_scores_portable(query: &[i8], codes: &[u8], scores: &mut [i32]) {
    let bytes = query.len() / 2;
    for (at, score) in scores.iter_mut().enumerate() {
        let code = &codes[at * bytes..][..bytes];
        let low = code.iter().zip(query).map(|(&c, &q)| i32::from(c & 15) * i32::from(q));
        let high = code.iter().zip(&query[bytes..]).map(|(&c, &q)| i32::from(c >> 4) * i32::from(q));
        *score = low.sum::<i32>() + high.sum::<i32>();
    }
}

/// Asks the processor to fetch numbers that will be needed soon.
#[inline]
pub(crate) fn prefetch<T>(numbers: &[T]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let ask = |number: &T| {
            // SAFETY: prefetching reads nothing and may be given any address; this one lies in a live slice.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(number).cast()) }
        };
        numbers.iter().step_by(64 / size_of::<T>().clamp(1, 64)).for_each(ask);
        // They may begin in the middle of a line, and then end in one more.
        numbers.last().into_iter().for_each(ask);
    }
    #[cfg(not(target_arch = "x86_64"))]
    std::hint::black_box(numbers.len());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(seed: u64) -> impl Iterator<Item = u64> {
        std::iter::successors(Some(seed), |x| {
            Some(x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99))
        })
        .map(|x| x ^ (x >> 29))
        .skip(1)
    }

    #[test]
    fn products_agree_with_the_portable_form_at_every_length() {
        for len in (0..=130).chain([256, 257, 384, 1000]) {
            let query: Vec<f32> = numbers(1).take(len).map(|x| (x % 2001) as f32 / 1000.0 - 1.0).collect();
            let row: Vec<u16> = numbers(2)
                .take(len)
                .map(|x| f16::from_f32((x % 2001) as f32 / 1000.0 - 1.0).to_bits())
                .collect();
            let wanted = dot_portable(&query, &row);
            assert!((dot(&query, &row) - wanted).abs() < 1e-3, "{len}: {} {wanted}", dot(&query, &row));
            #[cfg(target_arch = "x86_64")]
            if *LEVEL != Level::Portable {
                // SAFETY: both higher levels have what this one needs; the lengths are equal.
                let narrow = unsafe { x86::dot_avx2(&query, &row) };
                assert!((narrow - wanted).abs() < 1e-3, "{len}: {narrow} {wanted}");
            }
        }
        let a: Vec<u16> =
            numbers(5).take(300).map(|x| f16::from_f32((x % 99) as f32 / 99.0).to_bits()).collect();
        let wanted = dot_halves_portable(&a[..291], &a[9..]);
        assert!((dot_halves(&a[..291], &a[9..]) - wanted).abs() < 1e-3);
        assert_eq!(dot(&[1.0, 1.0], &[f16::ONE.to_bits()]), 1.0);
    }

    #[test]
    fn scores_of_rough_codes_equal_the_portable_form() {
        // Those that are looked up together, and some that are left.
        const BLOCKS: usize = 11;
        for rows in [2, 32, 64, 96, 260] {
            for most in [3, 63] {
                let table: Vec<u8> =
                    numbers(5).take(rows * 2 * HALVES).map(|x| (x % (most + 1)) as u8).collect();
                let blocks: Vec<u8> =
                    numbers(6).take(rows * ROUGH_TOGETHER * BLOCKS).map(|x| x as u8).collect();
                let (mut wanted, mut found) = ([[7; ROUGH_TOGETHER]; BLOCKS], [[0; ROUGH_TOGETHER]; BLOCKS]);
                for (scores, block) in wanted.iter_mut().zip(blocks.chunks_exact(rows * ROUGH_TOGETHER)) {
                    rough_block_portable(table.as_chunks().0, block, scores);
                }
                rough_scores(&table, &blocks, found.as_flattened_mut());
                assert_eq!(found, wanted, "{rows} {most}");
                #[cfg(target_arch = "x86_64")]
                if *LEVEL == Level::Avx512 {
                    found = [[0; ROUGH_TOGETHER]; BLOCKS];
                    // SAFETY: the higher level has what this one needs; the sizes are as it asks.
                    unsafe { x86::rough_blocks_avx2(table.as_chunks().0, &blocks, &mut found) };
                    assert_eq!(found, wanted, "{rows} {most}");
                }
                for bar in [i16::MIN, 0, found[0][0], found[1][31], found[2][16] + 1, i16::MAX] {
                    assert_eq!(
                        found.map(|own| at_least(&own, bar)),
                        found.map(|own| at_least_portable(&own, bar))
                    );
                }
            }
        }
    }

    #[test]
    fn scores_of_codes_equal_the_portable_form_at_every_width() {
        for blocks in 0..=5 {
            let bytes = blocks * CODE_BYTES;
            // Small multipliers reach both ends of the range, where sixteen-bit sums would overflow first.
            let query: Vec<i8> =
                numbers(3).take(bytes * 2).map(|x| if x % 3 == 0 { -128 } else { x as i8 }).collect();
            let codes: Vec<u8> =
                numbers(4).take(bytes * 67).map(|x| if x % 3 == 0 { 255 } else { x as u8 }).collect();
            let (mut wanted, mut found) = (vec![7; 67], vec![0; 67]);
            code_scores_portable(&query, &codes, &mut wanted);
            code_scores(&query, &codes, &mut found);
            #[cfg(target_arch = "x86_64")]
            if *LEVEL != Level::Portable && blocks > 0 {
                assert_eq!(found, wanted);
                // SAFETY: both higher levels have what this one needs; the sizes are as it asks.
                unsafe { x86::code_scores_avx2(&query, &codes, &mut found) };
            }
            assert!(found == wanted || blocks == 0);
            let docs: Vec<u32> = (0..67).map(|at| at * 41 % 67).collect();
            let mut picked = vec![0; 67];
            code_scores_at(&query, &codes, &docs, &mut picked);
            assert!(
                docs.iter().zip(&picked).all(|(&doc, &score)| blocks == 0 || score == wanted[doc as usize])
            );
        }
    }
}

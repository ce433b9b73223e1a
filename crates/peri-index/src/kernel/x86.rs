//! The forms for AVX2 and AVX-512.

use std::arch::x86_64::*;

use super::{AHEAD, HALVES, ROUGH_TOGETHER, dot_halves_portable, dot_portable, prefetch};

/// # Safety
/// The processor has AVX2, FMA and F16C; `row` is at least as long as `query`.
#[target_feature(enable = "avx2,fma,f16c")]
pub(super) unsafe fn dot_avx2(query: &[f32], row: &[u16]) -> f32 {
    debug_assert!(row.len() >= query.len());
    let mut sums = [_mm256_setzero_ps(); 4];
    let whole = query.len() / 32 * 32;
    for at in (0..whole).step_by(32) {
        for (lane, sum) in sums.iter_mut().enumerate() {
            let from = at + lane * 8;
            // SAFETY: from + 8 <= whole <= the length of both slices; the loads need no alignment.
            let (a, b) = unsafe {
                (_mm256_loadu_ps(query.as_ptr().add(from)), _mm_loadu_si128(row.as_ptr().add(from).cast()))
            };
            *sum = _mm256_fmadd_ps(a, _mm256_cvtph_ps(b), *sum);
        }
    }
    add_up(sums) + dot_portable(&query[whole..], &row[whole..])
}

/// # Safety
/// The processor has AVX2, FMA and F16C; `b` is at least as long as `a`.
#[target_feature(enable = "avx2,fma,f16c")]
pub(super) unsafe fn dot_halves_avx2(a: &[u16], b: &[u16]) -> f32 {
    debug_assert!(b.len() >= a.len());
    let mut sums = [_mm256_setzero_ps(); 4];
    let whole = a.len() / 32 * 32;
    for at in (0..whole).step_by(32) {
        for (lane, sum) in sums.iter_mut().enumerate() {
            let from = at + lane * 8;
            // SAFETY: from + 8 <= whole <= the length of both slices; the loads need no alignment.
            let (a, b) = unsafe {
                (_mm_loadu_si128(a.as_ptr().add(from).cast()), _mm_loadu_si128(b.as_ptr().add(from).cast()))
            };
            *sum = _mm256_fmadd_ps(_mm256_cvtph_ps(a), _mm256_cvtph_ps(b), *sum);
        }
    }
    add_up(sums) + dot_halves_portable(&a[whole..], &b[whole..])
}

#[target_feature(enable = "avx2")]
fn add_up(sums: [__m256; 4]) -> f32 {
    let sum = _mm256_add_ps(_mm256_add_ps(sums[0], sums[1]), _mm256_add_ps(sums[2], sums[3]));
    let half = _mm_add_ps(_mm256_castps256_ps128(sum), _mm256_extractf128_ps::<1>(sum));
    let pair = _mm_add_ps(half, _mm_movehl_ps(half, half));
    _mm_cvtss_f32(_mm_add_ss(pair, _mm_shuffle_ps::<1>(pair, pair)))
}

/// # Safety
/// The processor has AVX-512 F; `row` is at least as long as `query`.
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn dot_avx512(query: &[f32], row: &[u16]) -> f32 {
    debug_assert!(row.len() >= query.len());
    let mut sums = [_mm512_setzero_ps(); 4];
    let whole = query.len() / 64 * 64;
    for at in (0..whole).step_by(64) {
        for (lane, sum) in sums.iter_mut().enumerate() {
            let from = at + lane * 16;
            // SAFETY: from + 16 <= whole <= the length of both slices; the loads need no alignment.
            let (a, b) = unsafe {
                (_mm512_loadu_ps(query.as_ptr().add(from)), _mm256_loadu_si256(row.as_ptr().add(from).cast()))
            };
            *sum = _mm512_fmadd_ps(a, _mm512_cvtph_ps(b), *sum);
        }
    }
    let sum = _mm512_add_ps(_mm512_add_ps(sums[0], sums[1]), _mm512_add_ps(sums[2], sums[3]));
    _mm512_reduce_add_ps(sum) + dot_portable(&query[whole..], &row[whole..])
}

/// # Safety
/// The processor has AVX2; `query` has 2n numbers with n a multiple of 32, and `codes` has at least n
/// bytes for each score.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn code_scores_avx2(query: &[i8], codes: &[u8], scores: &mut [i32]) {
    let bytes = query.len() / 2;
    let (low, high) = query.split_at(bytes);
    let (fours, rest) = scores.as_chunks_mut::<4>();
    let (codes, rest_codes) = codes.split_at(fours.len() * 4 * bytes);
    for (scores, four) in fours.iter_mut().zip(codes.chunks_exact((4 * bytes).max(1))) {
        // SAFETY: each is given n bytes of code and as many numbers of either half of the query.
        let sums = std::array::from_fn::<_, 4, _>(|at| unsafe {
            code_sums_avx2(low, high, &four[at * bytes..][..bytes])
        });
        // Four sums of eight lanes are added up together: alone each would take as long as a third of its code.
        let pairs =
            _mm256_hadd_epi32(_mm256_hadd_epi32(sums[0], sums[1]), _mm256_hadd_epi32(sums[2], sums[3]));
        let all = _mm_add_epi32(_mm256_castsi256_si128(pairs), _mm256_extracti128_si256::<1>(pairs));
        // SAFETY: four scores are sixteen bytes; the store needs no alignment.
        unsafe { _mm_storeu_si128(scores.as_mut_ptr().cast(), all) };
    }
    for (score, code) in rest.iter_mut().zip(rest_codes.chunks_exact(bytes.max(1))) {
        // SAFETY: as above.
        *score = add_up_integers(unsafe { code_sums_avx2(low, high, code) });
    }
}

/// # Safety
/// The processor has AVX2; `query` has 2n numbers with n a multiple of 32.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn code_scores_at_avx2(query: &[i8], codes: &[u8], docs: &[u32], scores: &mut [i32]) {
    let bytes = query.len() / 2;
    let (low, high) = query.split_at(bytes);
    let code = |doc: u32| &codes[doc as usize * bytes..][..bytes];
    docs.iter().take(AHEAD).for_each(|&doc| prefetch(code(doc)));
    for (at, (score, &doc)) in scores.iter_mut().zip(docs).enumerate() {
        docs.get(at + AHEAD).into_iter().for_each(|&doc| prefetch(code(doc)));
        // SAFETY: the code has n bytes, as has either half of the query.
        *score = add_up_integers(unsafe { code_sums_avx2(low, high, code(doc)) });
    }
}

/// Eight partial sums of the products of one code.
///
/// # Safety
/// The processor has AVX2; `low`, `high` and `code` have the same length, a multiple of 32.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn code_sums_avx2(low: &[i8], high: &[i8], code: &[u8]) -> __m256i {
    let (fifteen, one) = (_mm256_set1_epi8(15), _mm256_set1_epi16(1));
    let mut sum = _mm256_setzero_si256();
    for block in (0..code.len()).step_by(SHORT_BYTES) {
        let mut products = _mm256_setzero_si256();
        for at in (block..code.len().min(block + SHORT_BYTES)).step_by(32) {
            // SAFETY: at + 32 <= the length of all three slices; the loads need no alignment.
            let (both, low, high) = unsafe {
                (
                    _mm256_loadu_si256(code.as_ptr().add(at).cast()),
                    _mm256_loadu_si256(low.as_ptr().add(at).cast()),
                    _mm256_loadu_si256(high.as_ptr().add(at).cast()),
                )
            };
            let first = _mm256_maddubs_epi16(_mm256_and_si256(both, fifteen), low);
            let upper = _mm256_and_si256(_mm256_srli_epi16::<4>(both), fifteen);
            let second = _mm256_maddubs_epi16(upper, high);
            products = _mm256_add_epi16(products, _mm256_add_epi16(first, second));
        }
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(products, one));
    }
    sum
}

/// So many bytes of a code are added up in sixteen bits: 4 * 4 products of at most 15 * 128 fit.
const SHORT_BYTES: usize = 128;

#[target_feature(enable = "avx2")]
fn add_up_integers(sum: __m256i) -> i32 {
    let half = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
    let pair = _mm_add_epi32(half, _mm_shuffle_epi32::<0b1110>(half));
    _mm_cvtsi128_si32(_mm_add_epi32(pair, _mm_shuffle_epi32::<1>(pair)))
}

/// # Safety
/// The processor has AVX2. The number of rows of `table` is even, and for each of `groups` there is a block with
/// [`ROUGH_TOGETHER`] bytes for each of them.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn rough_blocks_avx2(
    table: &[[u8; 2 * HALVES]],
    blocks: &[u8],
    groups: &mut [[i16; ROUGH_TOGETHER]],
) {
    let bytes = table.len() * ROUGH_TOGETHER;
    for (scores, block) in groups.iter_mut().zip(blocks.chunks_exact(bytes.max(1))) {
        // SAFETY: the block has a row for each of the table.
        unsafe { rough_block_avx2(table, block, scores) };
    }
}

/// # Safety
/// The processor has AVX-512 F and BW; the rest as for [`rough_blocks_avx2`].
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) unsafe fn rough_blocks_avx512(
    table: &[[u8; 2 * HALVES]],
    blocks: &[u8],
    groups: &mut [[i16; ROUGH_TOGETHER]],
) {
    // What is looked up serves several blocks once it is in registers.
    const AT_ONCE: usize = 4;
    let bytes = table.len() * ROUGH_TOGETHER;
    let (several, rest) = groups.as_chunks_mut::<AT_ONCE>();
    let (first, last) = blocks.split_at(several.len() * AT_ONCE * bytes);
    for (scores, blocks) in several.iter_mut().zip(first.chunks_exact((AT_ONCE * bytes).max(1))) {
        // SAFETY: so many blocks, each with a row for each of the table.
        unsafe { rough_several_avx512(table, blocks, scores) };
    }
    for (scores, block) in rest.as_chunks_mut::<1>().0.iter_mut().zip(last.chunks_exact(bytes.max(1))) {
        // SAFETY: one block, with a row for each of the table.
        unsafe { rough_several_avx512(table, block, scores) };
    }
}

/// # Safety
/// The processor has AVX-512 F and BW; `blocks` has `N` times [`ROUGH_TOGETHER`] bytes for each of `table`, whose number is
/// even.
#[target_feature(enable = "avx512f,avx512bw")]
unsafe fn rough_several_avx512<const N: usize>(
    table: &[[u8; 2 * HALVES]],
    blocks: &[u8],
    scores: &mut [[i16; ROUGH_TOGETHER]; N],
) {
    let bytes = table.len() * ROUGH_TOGETHER;
    debug_assert!(blocks.len() == N * bytes && table.len().is_multiple_of(2));
    let lower_half = _mm512_set1_epi8(15);
    let (mut even, mut odd) = ([_mm512_setzero_si512(); N], [_mm512_setzero_si512(); N]);
    // Four numbers of at most 63 fit into a byte; only their sum is made wider. A register holds two rows.
    let mut at = 0;
    while at < table.len() {
        let pairs = if at + 4 <= table.len() { 2 } else { 1 };
        let mut sums = [_mm512_setzero_si512(); N];
        for row in (at..at + 2 * pairs).step_by(2) {
            // SAFETY: two rows of the table follow, which are 64 bytes; the load needs no alignment.
            let both = unsafe { _mm512_loadu_si512(table.as_ptr().add(row).cast()) };
            // The lower halves of the first row twice, then those of the second; and the same of the upper ones.
            let lower = _mm512_shuffle_i64x2::<0b10_10_00_00>(both, both);
            let upper = _mm512_shuffle_i64x2::<0b11_11_01_01>(both, both);
            for (number, sum) in sums.iter_mut().enumerate() {
                // SAFETY: two rows of this block follow, which are 64 bytes; the load needs no alignment.
                let bytes = unsafe {
                    _mm512_loadu_si512(blocks.as_ptr().add(number * bytes + row * ROUGH_TOGETHER).cast())
                };
                let first = _mm512_shuffle_epi8(lower, _mm512_and_si512(bytes, lower_half));
                let above = _mm512_and_si512(_mm512_srli_epi16::<4>(bytes), lower_half);
                *sum = _mm512_add_epi8(*sum, _mm512_add_epi8(first, _mm512_shuffle_epi8(upper, above)));
            }
        }
        for ((even, odd), sum) in even.iter_mut().zip(&mut odd).zip(sums) {
            // The even lanes carry the odd ones in their upper bytes, which are taken off at the end.
            *even = _mm512_add_epi16(*even, sum);
            *odd = _mm512_add_epi16(*odd, _mm512_srli_epi16::<8>(sum));
        }
        at += 2 * pairs;
    }
    for ((scores, even), odd) in scores.iter_mut().zip(even).zip(odd) {
        let even = _mm512_sub_epi16(even, _mm512_slli_epi16::<8>(odd));
        // The two rows of each register are the same documents.
        let even = _mm256_add_epi16(_mm512_castsi512_si256(even), _mm512_extracti64x4_epi64::<1>(even));
        let odd = _mm256_add_epi16(_mm512_castsi512_si256(odd), _mm512_extracti64x4_epi64::<1>(odd));
        // SAFETY: there is AVX2 where there is AVX-512.
        unsafe { in_turn(even, odd, scores) };
    }
}

/// # Safety
/// The processor has AVX2; `block` has [`ROUGH_TOGETHER`] bytes for each of `table`, whose number is even.
#[target_feature(enable = "avx2")]
unsafe fn rough_block_avx2(table: &[[u8; 2 * HALVES]], block: &[u8], scores: &mut [i16; ROUGH_TOGETHER]) {
    debug_assert!(block.len() == table.len() * ROUGH_TOGETHER && table.len().is_multiple_of(2));
    let lower_half = _mm256_set1_epi8(15);
    let mut even = _mm256_setzero_si256();
    let mut odd = _mm256_setzero_si256();
    for at in (0..table.len()).step_by(2) {
        // Four numbers of at most 63 fit into a byte; only their sum is made wider.
        let mut sum = _mm256_setzero_si256();
        for row in at..at + 2 {
            // SAFETY: the row is one of the table's, with two times sixteen bytes, and of the block's, with 32 bytes;
            // the loads need no alignment.
            let (bytes, lower, upper) = unsafe {
                let numbers = table.as_ptr().add(row).cast::<__m128i>();
                (
                    _mm256_loadu_si256(block.as_ptr().add(row * ROUGH_TOGETHER).cast()),
                    _mm_loadu_si128(numbers),
                    _mm_loadu_si128(numbers.add(1)),
                )
            };
            let (lower, upper) = (_mm256_broadcastsi128_si256(lower), _mm256_broadcastsi128_si256(upper));
            let first = _mm256_shuffle_epi8(lower, _mm256_and_si256(bytes, lower_half));
            let above = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), lower_half);
            sum = _mm256_add_epi8(sum, _mm256_add_epi8(first, _mm256_shuffle_epi8(upper, above)));
        }
        // The even lanes carry the odd ones in their upper bytes, which are taken off at the end.
        even = _mm256_add_epi16(even, sum);
        odd = _mm256_add_epi16(odd, _mm256_srli_epi16::<8>(sum));
    }
    even = _mm256_sub_epi16(even, _mm256_slli_epi16::<8>(odd));
    // SAFETY: the processor has AVX2.
    unsafe { in_turn(even, odd, scores) };
}

/// Writes the scores of every second document, and of those between them, in their order.
///
/// # Safety
/// The processor has AVX2.
#[target_feature(enable = "avx2")]
unsafe fn in_turn(even: __m256i, odd: __m256i, scores: &mut [i16; ROUGH_TOGETHER]) {
    let (low, high) = (_mm256_unpacklo_epi16(even, odd), _mm256_unpackhi_epi16(even, odd));
    let [first, second] =
        [_mm256_permute2x128_si256::<0x20>(low, high), _mm256_permute2x128_si256::<0x31>(low, high)];
    // SAFETY: 32 scores are 64 bytes; the stores need no alignment.
    unsafe {
        let to = scores.as_mut_ptr();
        _mm256_storeu_si256(to.cast(), first);
        _mm256_storeu_si256(to.add(16).cast(), second);
    }
}

/// # Safety
/// The processor has AVX2.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn at_least_avx2(scores: &[i16; ROUGH_TOGETHER], bar: i16) -> u32 {
    let bar = _mm256_set1_epi16(bar);
    let below = |from: usize| {
        // SAFETY: sixteen of the 32 scores follow; the load needs no alignment.
        let scores = unsafe { _mm256_loadu_si256(scores.as_ptr().add(from).cast()) };
        _mm256_cmpgt_epi16(bar, scores)
    };
    // Packing takes eight of either in turn, which are put in order again.
    let bytes = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi16(below(0), below(16)));
    !_mm256_movemask_epi8(bytes) as u32
}

/// # Safety
/// The processor has AVX-512 F, BW and VNNI; `query` has 2n numbers with n a multiple of 64, and `codes`
/// has at least n bytes for each score.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) unsafe fn code_scores_avx512(query: &[i8], codes: &[u8], scores: &mut [i32]) {
    let bytes = query.len() / 2;
    let (low, high) = query.split_at(bytes);
    let fifteen = _mm512_set1_epi8(15);
    for (score, code) in scores.iter_mut().zip(codes.chunks_exact(bytes.max(1))) {
        let mut sums = [_mm512_setzero_si512(); 2];
        for at in (0..bytes).step_by(64) {
            // SAFETY: at + 64 <= bytes, which is the length of all three slices.
            let (both, low, high) = unsafe {
                (
                    _mm512_loadu_si512(code.as_ptr().add(at).cast()),
                    _mm512_loadu_si512(low.as_ptr().add(at).cast()),
                    _mm512_loadu_si512(high.as_ptr().add(at).cast()),
                )
            };
            sums[0] = _mm512_dpbusd_epi32(sums[0], _mm512_and_si512(both, fifteen), low);
            let upper = _mm512_and_si512(_mm512_srli_epi16::<4>(both), fifteen);
            sums[1] = _mm512_dpbusd_epi32(sums[1], upper, high);
        }
        *score = _mm512_reduce_add_epi32(_mm512_add_epi32(sums[0], sums[1]));
    }
}

/// # Safety
/// As for [`code_scores_avx512`], but codes are looked up by document.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) unsafe fn code_scores_at_avx512(query: &[i8], codes: &[u8], docs: &[u32], scores: &mut [i32]) {
    let bytes = query.len() / 2;
    let code = |doc: u32| &codes[doc as usize * bytes..][..bytes];
    docs.iter().take(AHEAD).for_each(|&doc| prefetch(code(doc)));
    for (at, (score, &doc)) in scores.iter_mut().zip(docs).enumerate() {
        docs.get(at + AHEAD).into_iter().for_each(|&doc| prefetch(code(doc)));
        // SAFETY: the code has as many bytes as one score needs.
        unsafe { code_scores_avx512(query, code(doc), std::slice::from_mut(score)) };
    }
}

//! The vocabulary, looked up where it lies in the program.

/// The same as in `build.rs`, which says how the table is laid out.
const BUCKETS: usize = 1 << 15;
const TOKENS_AT: usize = 4 * (BUCKETS + 1);
/// No token is longer.
pub(crate) const LONGEST: usize = 128;

static TABLE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/o200k.table"));

/// The number of a token, which is also its rank: the lower, the earlier it is merged.
pub(crate) fn rank(bytes: &[u8]) -> Option<u32> {
    if bytes.len() > LONGEST {
        return None;
    }
    bucket(hash(bytes) & (BUCKETS - 1)).find(|(token, _)| *token == bytes).map(|(_, number)| number)
}

/// The tokens of a bucket with their numbers.
fn bucket(index: usize) -> impl Iterator<Item = (&'static [u8], u32)> {
    let (start, end) = (number_at(4 * index), number_at(4 * index + 4));
    let mut rest = &TABLE[TOKENS_AT + start as usize..TOKENS_AT + end as usize];
    std::iter::from_fn(move || {
        let (&[low, middle, high, length], behind) = rest.split_first_chunk()?;
        let (token, behind) = behind.split_at_checked(usize::from(length))?;
        rest = behind;
        Some((token, u32::from_le_bytes([low, middle, high, 0])))
    })
}

fn number_at(at: usize) -> u32 {
    TABLE[at..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

/// The same as in `build.rs`.
fn hash(bytes: &[u8]) -> usize {
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    for byte in bytes {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3);
    }
    (hash ^ (hash >> 32)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_token_is_found_by_its_bytes_under_its_number() {
        let mut numbers = Vec::new();
        let mut longest = 0;
        for (bytes, number) in (0..BUCKETS).flat_map(bucket) {
            longest = longest.max(bytes.len());
            assert_eq!(rank(bytes), Some(number), "{bytes:?}");
            numbers.push(number);
        }
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..199_998));
        assert_eq!(longest, LONGEST);
    }

    #[test]
    fn every_single_byte_is_a_token_and_nonsense_is_none() {
        assert!((0..=255).all(|byte| rank(&[byte]).is_some()));
        assert_eq!(rank(b""), None);
        assert_eq!(rank(b"zqxjzqxjk"), None);
        assert_eq!(rank(&[b' '; LONGEST + 1]), None);
    }
}

//! The vocabulary, looked up where it lies in the program.

/// How many tokens there are.
const TOKENS: usize = include!(concat!(env!("OUT_DIR"), "/tokens.rs"));
/// The same as in `build.rs`, which says how the table is laid out.
const SLOTS: usize = 1 << 19;
const SLOTS_AT: usize = 4 * (TOKENS + 1);
const BYTES_AT: usize = SLOTS_AT + 4 * SLOTS;
/// No token is longer.
pub(crate) const LONGEST: usize = 128;

static TABLE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/o200k.table"));

/// The number of a token, which is also its rank: the lower, the earlier it is merged.
pub(crate) fn rank(bytes: &[u8]) -> Option<u32> {
    if bytes.len() > LONGEST {
        return None;
    }
    let mut slot = hash(bytes) & (SLOTS - 1);
    loop {
        let number = number_at(SLOTS_AT + 4 * slot).checked_sub(1)?;
        if token(number as usize) == bytes {
            return Some(number);
        }
        slot = (slot + 1) & (SLOTS - 1);
    }
}

fn token(number: usize) -> &'static [u8] {
    let (start, end) = (number_at(4 * number), number_at(4 * number + 4));
    &TABLE[BYTES_AT + start as usize..BYTES_AT + end as usize]
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
        let mut longest = 0;
        for number in 0..TOKENS {
            let bytes = token(number);
            longest = longest.max(bytes.len());
            assert_eq!(rank(bytes), Some(number as u32), "{bytes:?}");
        }
        assert_eq!((TOKENS, longest), (199_998, LONGEST));
    }

    #[test]
    fn every_single_byte_is_a_token_and_nonsense_is_none() {
        assert!((0..=255).all(|byte| rank(&[byte]).is_some()));
        assert_eq!(rank(b""), None);
        assert_eq!(rank(b"zqxjzqxjk"), None);
        assert_eq!(rank(&[b' '; LONGEST + 1]), None);
    }
}

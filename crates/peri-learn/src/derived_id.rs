//! Ids that follow from what they stand for, so that doing a thing twice does not make two of it.

use jiff::Timestamp;

const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

/// The bytes of a UUID of version 7 with this time, and with a fingerprint where others have chance. The fingerprint
/// (FNV-1a, 128 bits) is the same on every machine and in every release.
pub(crate) fn of(bytes: &[u8], time: Timestamp) -> [u8; 16] {
    let fingerprint = bytes.iter().fold(OFFSET, |hash, byte| (hash ^ u128::from(*byte)).wrapping_mul(PRIME));
    // The upper half alone would leave the last bytes of what is hashed with little say.
    let mut id = (fingerprint ^ (fingerprint << 64)).to_be_bytes();
    let millis = u64::try_from(time.as_millisecond()).unwrap_or(0).to_be_bytes();
    id.copy_within(0..10, 6);
    id[..6].copy_from_slice(&millis[2..]);
    id[6] = (id[6] & 0x0f) | 0x70;
    id[8] = (id[8] & 0x3f) | 0x80;
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_follows_from_time_and_content_and_looks_like_any_other() {
        let id = of("가".as_bytes(), Timestamp::UNIX_EPOCH);
        assert_eq!(id, of("가".as_bytes(), Timestamp::UNIX_EPOCH));
        assert_ne!(id, of("나".as_bytes(), Timestamp::UNIX_EPOCH));
        assert_eq!((id[6] >> 4, id[8] >> 6), (7, 2));
        let later: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
        assert!(of(b"x", Timestamp::UNIX_EPOCH) < of(b"x", later));
    }
}

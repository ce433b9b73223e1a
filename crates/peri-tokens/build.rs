//! Lays the vocabulary out so that it can be looked up where it lies in the program, with nothing to load.
//!
//! Tokens lie in buckets by their hash. The result holds, all numbers little-endian: where each bucket begins among the
//! tokens (four bytes each, one more than there are buckets), then the tokens, bucket after bucket: a token's number in
//! three bytes, its length in one, its bytes.

use std::error::Error;
use std::io::Write as _;
use std::path::PathBuf;

/// The same as in `src/vocabulary.rs`.
const BUCKETS: usize = 1 << 15;

fn main() -> Result<(), Box<dyn Error>> {
    let asset = "assets/o200k.bin";
    // What cargo reads from a build script.
    writeln!(std::io::stdout(), "cargo::rerun-if-changed={asset}\ncargo::rerun-if-changed=build.rs")?;
    let packed = std::fs::read(asset)?;
    let tokens = unpack(&packed).ok_or("the vocabulary is cut")?;
    let laid = lay_out(&tokens)?;
    let folder = PathBuf::from(std::env::var("OUT_DIR")?);
    std::fs::write(folder.join("o200k.table"), laid)?;
    Ok(())
}

/// Each token is its length in one byte, then its bytes.
fn unpack(mut rest: &[u8]) -> Option<Vec<&[u8]>> {
    let mut tokens = Vec::new();
    while let Some((&length, behind)) = rest.split_first() {
        let (token, behind) = behind.split_at_checked(usize::from(length))?;
        tokens.push(token);
        rest = behind;
    }
    Some(tokens)
}

fn lay_out(tokens: &[&[u8]]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut buckets = vec![Vec::new(); BUCKETS];
    for (number, token) in tokens.iter().enumerate() {
        let bucket = &mut buckets[hash(token) & (BUCKETS - 1)];
        let [number @ .., high] = u32::try_from(number)?.to_le_bytes();
        if high != 0 {
            return Err("more tokens than three bytes count".into());
        }
        bucket.extend_from_slice(&number);
        bucket.push(u8::try_from(token.len())?);
        bucket.extend_from_slice(token);
    }
    let mut starts = vec![0_u32];
    for bucket in &buckets {
        starts.push(starts[starts.len() - 1] + u32::try_from(bucket.len())?);
    }
    Ok(starts.into_iter().flat_map(u32::to_le_bytes).chain(buckets.concat()).collect())
}

/// FNV-1a, the same as in `src/vocabulary.rs`, folded so that the low bits depend on all.
fn hash(bytes: &[u8]) -> usize {
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    for byte in bytes {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3);
    }
    (hash ^ (hash >> 32)) as usize
}

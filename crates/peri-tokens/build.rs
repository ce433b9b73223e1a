//! Lays the vocabulary out so that it can be looked up where it lies in the program, with nothing to load.
//!
//! The result holds, all numbers little-endian: where each token begins in the bytes (one number more than there are
//! tokens), a table from a hash to a token's number plus one, and the bytes of all tokens one after the other.

use std::error::Error;
use std::io::Write as _;
use std::path::PathBuf;

/// The same as in `src/vocabulary.rs`.
const SLOTS: usize = 1 << 19;

fn main() -> Result<(), Box<dyn Error>> {
    let asset = "assets/o200k.bin";
    // What cargo reads from a build script.
    writeln!(std::io::stdout(), "cargo::rerun-if-changed={asset}\ncargo::rerun-if-changed=build.rs")?;
    let packed = std::fs::read(asset)?;
    let tokens = unpack(&packed).ok_or("the vocabulary is cut")?;
    let laid = lay_out(&tokens)?;
    let folder = PathBuf::from(std::env::var("OUT_DIR")?);
    std::fs::write(folder.join("o200k.table"), laid)?;
    std::fs::write(folder.join("tokens.rs"), format!("{}", tokens.len()))?;
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
    let (mut starts, mut slots, mut bytes) = (vec![0_u32], vec![0_u32; SLOTS], Vec::new());
    for (number, token) in tokens.iter().enumerate() {
        bytes.extend_from_slice(token);
        starts.push(u32::try_from(bytes.len())?);
        let mut slot = hash(token) & (SLOTS - 1);
        while slots[slot] != 0 {
            slot = (slot + 1) & (SLOTS - 1);
        }
        slots[slot] = u32::try_from(number + 1)?;
    }
    let numbers = starts.into_iter().chain(slots);
    Ok(numbers.flat_map(u32::to_le_bytes).chain(bytes).collect())
}

/// FNV-1a, the same as in `src/vocabulary.rs`, folded so that the low bits depend on all.
fn hash(bytes: &[u8]) -> usize {
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    for byte in bytes {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3);
    }
    (hash ^ (hash >> 32)) as usize
}

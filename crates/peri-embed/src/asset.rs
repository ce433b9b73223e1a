//! The bundled table: its layout, and a reader that copies nothing.
//!
//! All numbers are little-endian. `bench/distill/pack.py` writes it; both change together.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `PERISTAT` |
//! | 7 × 4 | format, revision of the rows, rows *r*, dimensions *d*, slots *s*, bytes of the pieces *p*, CRC-32 of all after the header |
//! | to 64 | zero |
//! | 4(*r* + 1) | where each piece starts, and where the last one ends |
//! | 4*s* | hash table of the pieces |
//! | 4*r* | the factor of each row, `f32` |
//! | *p* | the pieces, one after the other |
//! | *rd* | the rows, `i8` |

use crate::EmbedError;
use crate::text::{TokenId, Vocabulary};

static BUNDLED: &[u8] = include_bytes!("../assets/static-minilm-256.bin");

const MAGIC: &[u8] = b"PERISTAT";
const FORMAT: u32 = 1;
const HEADER_BYTES: usize = 64;

/// The piece that stands for what the vocabulary lacks.
pub(crate) const UNKNOWN: TokenId = TokenId(1);

/// The sections of a table.
pub(crate) struct Asset {
    pub revision: u32,
    pub dimensions: usize,
    pub rows: &'static [i8],
    scales: &'static [u8],
    offsets: &'static [u8],
    slots: &'static [u8],
    strings: &'static [u8],
}

impl Asset {
    /// The table that is part of the program. Only its outline is checked, so that starting costs
    /// nothing; [`verify`] reads every byte.
    pub(crate) fn bundled() -> Result<Self, EmbedError> {
        Self::parse(BUNDLED)
    }

    fn parse(bytes: &'static [u8]) -> Result<Self, EmbedError> {
        let header = Header::parse(bytes)?;
        let mut rest = &bytes[HEADER_BYTES..];
        let mut section = |length: usize| {
            let (head, tail) = rest.split_at_checked(length).ok_or(damaged("it is cut short"))?;
            rest = tail;
            Ok::<_, EmbedError>(head)
        };
        let asset = Self {
            revision: header.revision,
            dimensions: header.dimensions,
            offsets: section(4 * (header.rows + 1))?,
            slots: section(4 * header.slots)?,
            scales: section(4 * header.rows)?,
            strings: section(header.strings)?,
            rows: bytemuck::cast_slice(section(header.rows * header.dimensions)?),
        };
        if rest.is_empty() { Ok(asset) } else { Err(damaged("something follows its end")) }
    }

    pub(crate) fn vocabulary(&self) -> Vocabulary {
        Vocabulary::from_sections(self.offsets, self.slots, self.strings)
    }

    /// The factor that makes a row's whole numbers real ones.
    pub(crate) fn scale(&self, token: TokenId) -> Option<f32> {
        self.scales.as_chunks::<4>().0.get(token.0 as usize).map(|bytes| f32::from_le_bytes(*bytes))
    }
}

struct Header {
    revision: u32,
    rows: usize,
    dimensions: usize,
    slots: usize,
    strings: usize,
    checksum: u32,
}

impl Header {
    fn parse(bytes: &[u8]) -> Result<Self, EmbedError> {
        let header = bytes.get(..HEADER_BYTES).ok_or(damaged("it has no header"))?;
        let numbers = header.strip_prefix(MAGIC).ok_or(damaged("it does not begin as a table does"))?;
        let number = |at: usize| u32::from_le_bytes(numbers.as_chunks::<4>().0[at]);
        if number(0) != FORMAT {
            return Err(damaged("it is of another format"));
        }
        let [rows, dimensions, slots, strings] = [2, 3, 4, 5].map(|at| number(at) as usize);
        if !slots.is_power_of_two() || slots <= rows || dimensions == 0 {
            return Err(damaged("its sizes do not fit each other"));
        }
        Ok(Self { revision: number(1), rows, dimensions, slots, strings, checksum: number(6) })
    }
}

/// Reads the whole bundled table and compares it with its checksum.
pub(crate) fn verify() -> Result<(), EmbedError> {
    let header = Header::parse(BUNDLED)?;
    if crc32(&BUNDLED[HEADER_BYTES..]) == header.checksum {
        Ok(())
    } else {
        Err(damaged("its checksum differs"))
    }
}

fn damaged(reason: &'static str) -> EmbedError {
    EmbedError::DamagedAsset { reason }
}

/// CRC-32 as zlib computes it, which is what the packing script has at hand.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| CRC_TABLE[usize::from(crc as u8 ^ byte)] ^ (crc >> 8))
}

static CRC_TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut at = 0;
    while at < 256 {
        let mut value = at as u32;
        let mut bit = 0;
        while bit < 8 {
            value = if value & 1 == 1 { 0xEDB8_8320 ^ (value >> 1) } else { value >> 1 };
            bit += 1;
        }
        table[at] = value;
        at += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bundled_table_is_whole() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        verify().unwrap();
        let asset = Asset::bundled().unwrap();
        assert_eq!(asset.rows.len(), asset.dimensions * asset.vocabulary().len());
        assert_eq!(asset.vocabulary().find("[UNK]"), Some(UNKNOWN));
    }

    #[test]
    fn damage_is_noticed_and_never_panics() {
        for length in [0, 7, 63, 64, 5_000, BUNDLED.len() - 1] {
            assert!(Asset::parse(&BUNDLED[..length]).is_err(), "{length} bytes");
        }
        // Magic, format, rows, dimensions, slots, bytes of the pieces.
        for at in [0, 8, 16, 20, 24, 28] {
            let mut copy = BUNDLED.to_vec();
            copy[at] ^= 0x55;
            assert!(Asset::parse(copy.leak()).is_err(), "byte {at}");
        }
    }
}

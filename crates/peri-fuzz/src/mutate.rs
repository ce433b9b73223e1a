//! Changes of examples that follow from a seed alone, for a test that needs no fuzzer.

/// Numbers in an order that follows from a seed.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// Beginning with a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed ^ 0x9e37_79b9_7f4a_7c15)
    }

    /// The next number below one that is not zero.
    pub fn below(&mut self, max: usize) -> usize {
        // Splitmix: each step is a bijection of the state, and the mix spreads every bit of it.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let wide = u128::from(mixed ^ (mixed >> 31)) * max.max(1) as u128;
        usize::try_from(wide >> 64).unwrap_or(0)
    }
}

/// Pieces that steer parsers.
pub const PIECES: &[&[u8]] = &[
    b"\"",
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b":",
    b",",
    b"\n",
    b"\r\n",
    b"\0",
    b"\xff",
    b"\xef\xbb\xbf",
    b"---\n",
    b"null",
    b"true",
    b"-1",
    b"0",
    b"1e999",
    b"18446744073709551616",
    b"-9223372036854775809",
    b"\\ud800",
    b"\\u0000",
    b"#",
    b"```",
    b"[[",
    b"](",
    b"<!-- n1 -->",
    b"/",
    b"*",
    b"..",
    b"%00",
    b"=",
    b"&",
    b" ago",
    b"9999-12-31",
    b"-9999-01-01",
    b"2026-02-30T25:61:61Z",
    b"password=",
    b"://",
    b"@",
    b"'",
    "가".as_bytes(),
    "年".as_bytes(),
    "👩‍👧".as_bytes(),
    "\u{202e}".as_bytes(),
    "é".as_bytes(),
    "İ".as_bytes(),
];

/// An example with a few changes; at most `bytes_max` long.
pub fn mutated(example: &[u8], other: &[u8], random: &mut Random, bytes_max: usize) -> Vec<u8> {
    let mut bytes = example.to_vec();
    for _ in 0..=random.below(4) {
        change(&mut bytes, other, random);
    }
    bytes.truncate(bytes_max);
    bytes
}

fn change(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    match random.below(8) {
        0 => bytes.truncate(at),
        1 => put(bytes, at, PIECES[random.below(PIECES.len())]),
        2 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
        3 if at < bytes.len() => {
            let end = (at + 1 + random.below(16)).min(bytes.len());
            bytes.drain(at..end);
        }
        4 => {
            // The same again, several times: what grows faster than its input shows here.
            let end = (at + 1 + random.below(32)).min(bytes.len());
            let piece = bytes[at..end].repeat(1 + random.below(40));
            put(bytes, at, &piece);
        }
        5 => {
            let from = random.below(other.len() + 1);
            let end = (from + random.below(64)).min(other.len());
            put(bytes, at, &other[from..end]);
        }
        6 => {
            let piece = PIECES[random.below(PIECES.len())];
            let end = (at + piece.len()).min(bytes.len());
            bytes.splice(at..end, piece.iter().copied());
        }
        _ => put(bytes, at, &[u8::try_from(random.below(256)).unwrap_or(0)]),
    }
}

fn put(bytes: &mut Vec<u8>, at: usize, piece: &[u8]) {
    bytes.splice(at..at, piece.iter().copied());
}

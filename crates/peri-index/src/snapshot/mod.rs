//! An index as bytes, so that a start need not read the whole store.
//!
//! A snapshot is a header, then sections (a number, a length, bytes), then a BLAKE3 hash of all that. The
//! order of sections is fixed; numbers are little-endian. Nothing in it is trusted: the hash finds what was
//! damaged, and every length, number and link is checked before it is used, so that even a forged snapshot
//! gives an error. A snapshot that cannot be read is thrown away and the index rebuilt from the store.

mod read;
mod write;

pub use read::SnapshotError;

/// The first bytes of every snapshot.
const MAGIC: [u8; 8] = *b"PERIIDX\0";
/// Changes whenever the sections do.
const FORMAT: u32 = 1;
/// More dimensions than any model has; a header that claims more is wrong.
const DIMENSIONS_MAX: usize = 1 << 16;

/// The sections in the order they are written. The numbers never change their meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Section {
    Head = 1,
    Model,
    Ids,
    At,
    ExpiresAt,
    Importance,
    Length,
    Session,
    Speaker,
    Layer,
    Kind,
    Flags,
    Day,
    Tokens,
    TokenEnds,
    Pinned,
    Alive,
    Current,
    SpeakerText,
    SpeakerEnds,
    TagText,
    TagEnds,
    TagDocs,
    TagDocEnds,
    SessionText,
    SessionEnds,
    TermText,
    TermEnds,
    Postings,
    PostingEnds,
    Matrix,
    Present,
    Sum,
    QuantiserLow,
    QuantiserStep,
    Codes,
    GraphBase,
    GraphUpper,
}

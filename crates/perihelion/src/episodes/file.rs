//! What a snapshot's file looks like: a first line that tells what it is, then the lines of the episodes.
//!
//! The two are compressed apart and put one after the other, which every reader of zstd takes for one stream: how many
//! episodes there are is known only after they were written, and should be read without reading them.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Seek, Write};

use peri_types::{ChangeNumber, Namespace, Timestamp};
use serde::{Deserialize, Serialize};

use crate::transfer::single::FORMAT;

/// Fast, and about as small as the slower ones for texts of this length.
const LEVEL: i32 = 3;

/// No first line is longer: it names every namespace.
const HEADER_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// What the first line tells.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct About {
    /// When it was taken.
    pub(super) at: Timestamp,
    /// How many episodes follow.
    pub(super) episodes: u64,
    /// Which store they are of.
    pub(super) store: String,
    /// The last change of each namespace before they were read.
    pub(super) heads: BTreeMap<Namespace, ChangeNumber>,
    /// The digest of the lines that follow.
    pub(super) digest: String,
}

/// The first line: that of an export, and what import passes over.
#[derive(Serialize, Deserialize)]
struct Header {
    record: String,
    perihelion: u32,
    partial: bool,
    snapshot: About,
}

/// Where the lines are gathered: in a file, or in memory if they may not lie in one as they are.
pub(super) trait Medium: Read + Write + Seek {}

impl<T: Read + Write + Seek> Medium for T {}

/// The lines of the episodes while they are written.
pub(super) struct Body {
    encoder: zstd::Encoder<'static, Box<dyn Medium>>,
    hasher: blake3::Hasher,
}

impl Body {
    pub(super) fn new(medium: Box<dyn Medium>) -> io::Result<Self> {
        Ok(Self { encoder: encoder(medium)?, hasher: blake3::Hasher::new() })
    }

    /// Ends it, and gives the digest of what was written and where that is, ready to be read.
    pub(super) fn finish(self) -> io::Result<(String, Box<dyn Medium>)> {
        let mut file = self.encoder.finish()?;
        file.rewind()?;
        Ok((self.hasher.finalize().to_hex().to_string(), file))
    }
}

impl Write for Body {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.encoder.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.encoder.flush()
    }
}

/// Writes the first line and a body that was written before.
pub(super) fn join<W: Write>(about: &About, body: &mut dyn Medium, out: W) -> io::Result<W> {
    let header =
        Header { record: "header".to_owned(), perihelion: FORMAT, partial: true, snapshot: about.clone() };
    let mut first = encoder(out)?;
    serde_json::to_writer(&mut first, &header)?;
    first.write_all(b"\n")?;
    let mut out = first.finish()?;
    io::copy(body, &mut out)?;
    Ok(out)
}

/// What a file tells of itself.
pub(super) fn about(file: impl Read) -> io::Result<About> {
    read_about(&mut BufReader::new(zstd::Decoder::new(file)?))
}

/// Reads a file to its end and compares it with what it tells of itself.
pub(super) fn verify(file: impl Read) -> io::Result<()> {
    let mut lines = BufReader::new(zstd::Decoder::new(file).map_err(damaged)?);
    let about = read_about(&mut lines)?;
    let mut hasher = blake3::Hasher::new();
    io::copy(&mut lines, &mut hasher).map_err(damaged)?;
    if hasher.finalize().to_hex().as_str() == about.digest { Ok(()) } else { Err(damaged("it is cut")) }
}

fn read_about(lines: &mut impl BufRead) -> io::Result<About> {
    let mut line = Vec::new();
    lines.take(HEADER_BYTES_MAX).read_until(b'\n', &mut line).map_err(damaged)?;
    let header: Header = serde_json::from_slice(&line).map_err(|error| damaged(error.to_string()))?;
    Ok(header.snapshot)
}

fn encoder<W: Write>(out: W) -> io::Result<zstd::Encoder<'static, W>> {
    let mut encoder = zstd::Encoder::new(out, LEVEL)?;
    encoder.include_checksum(true)?;
    Ok(encoder)
}

fn damaged(why: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

//! What is unpacked while it is read, and watched: what unpacks to far more than any export was made to fill a machine.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// More than this is not unpacked from one archive.
const UNPACKED_BYTES_MAX: u64 = 16 * 1024 * 1024 * 1024;
/// Text is packed to a tenth, repeated text to a fiftieth. What is packed tighter was made to fill a machine.
const RATIO_MAX: u64 = 200;
/// Below this a ratio says nothing.
const RATIO_BYTES_MIN: u64 = 64 * 1024 * 1024;

/// How much was packed.
#[derive(Debug, Clone)]
pub(crate) enum Packed {
    /// As an archive says of an entry.
    Bytes(u64),
    /// As [`Counted`] has read so far.
    SoFar(Arc<AtomicU64>),
}

/// What comes out of something packed.
pub(crate) struct Unpacked<R> {
    reader: R,
    packed: Packed,
    unpacked: u64,
    /// With what came out of the same archive before.
    pub(crate) total: u64,
}

impl<R> Unpacked<R> {
    pub(crate) fn new(reader: R, packed: Packed, total: u64) -> Self {
        Self { reader, packed, unpacked: 0, total }
    }
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.unpacked += read as u64;
        self.total += read as u64;
        let packed = match &self.packed {
            Packed::Bytes(bytes) => *bytes,
            Packed::SoFar(bytes) => bytes.load(Ordering::Relaxed),
        };
        let is_bomb = self.unpacked > RATIO_BYTES_MIN && self.unpacked / RATIO_MAX > packed
            || self.total > UNPACKED_BYTES_MAX;
        if is_bomb {
            return Err(io::Error::other("it unpacks to far more than an export would"));
        }
        Ok(read)
    }
}

/// Counts what is read.
pub(crate) struct Counted<R> {
    reader: R,
    bytes: Arc<AtomicU64>,
}

impl<R> Counted<R> {
    /// What is read through it, and how much that is so far.
    pub(crate) fn new(reader: R) -> (Self, Packed) {
        let bytes = Arc::new(AtomicU64::new(0));
        (Self { reader, bytes: Arc::clone(&bytes) }, Packed::SoFar(bytes))
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.bytes.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_too_tightly_is_not_unpacked_to_its_end() {
        let mut bomb = Unpacked::new(io::repeat(b' '), Packed::Bytes(1024), 0);
        let error = io::copy(&mut bomb, &mut io::sink()).unwrap_err();
        assert!(error.to_string().contains("far more"), "{error}");
        assert!(bomb.unpacked <= RATIO_BYTES_MIN + (1 << 20), "{}", bomb.unpacked);
    }

    #[test]
    fn a_stream_that_unpacks_too_far_is_not_read_to_its_end_and_an_honest_one_is() {
        let pack = |bytes: &mut dyn Read| zstd::encode_all(bytes, 3).unwrap();
        let through = |packed: &[u8]| {
            let (counted, so_far) = Counted::new(packed);
            let plain = zstd::Decoder::new(counted).unwrap();
            io::copy(&mut Unpacked::new(plain, so_far, 0), &mut io::sink())
        };
        let bomb = pack(&mut io::repeat(b'\n').take(4 * RATIO_BYTES_MIN));
        assert!(through(&bomb).unwrap_err().to_string().contains("far more"));
        let lines: String =
            (0..2_000).map(|n| format!("{{\"content\":\"line {n} of {}\"}}\n", n * n)).collect();
        assert_eq!(through(&pack(&mut lines.as_bytes())).unwrap(), lines.len() as u64);
    }
}

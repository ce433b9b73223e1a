//! Streams that are measured as they pass.

use std::io::{Read, Result, Write};

use crate::Halt;

/// How many bytes have passed, and their hash.
#[derive(Debug, Default)]
pub(crate) struct Measure {
    hasher: blake3::Hasher,
    size: u64,
}

impl Measure {
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    pub(crate) fn hash(&self) -> String {
        self.hasher.finalize().to_hex().to_string()
    }

    fn add(&mut self, bytes: &[u8]) {
        self.hasher.update(bytes);
        self.size += bytes.len() as u64;
    }
}

/// A reader that is measured.
pub(crate) struct Measured<'a, R> {
    pub(crate) inner: R,
    pub(crate) measure: &'a mut Measure,
    /// Told how many bytes have passed.
    pub(crate) progress: &'a mut dyn FnMut(u64),
    /// Tells when to stop reading.
    pub(crate) halt: &'a Halt,
}

impl<R: Read> Read for Measured<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        self.halt.check_reading()?;
        let read = self.inner.read(buffer)?;
        self.measure.add(&buffer[..read]);
        (self.progress)(read as u64);
        Ok(read)
    }
}

/// A writer that is measured and refuses what goes beyond a size.
pub(crate) struct Bounded<W> {
    pub(crate) inner: W,
    pub(crate) measure: Measure,
    pub(crate) most: u64,
}

impl<W: Write> Bounded<W> {
    pub(crate) fn new(inner: W, most: u64) -> Self {
        Self { inner, measure: Measure::default(), most }
    }
}

impl<W: Write> Write for Bounded<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        if self.measure.size + bytes.len() as u64 > self.most {
            return Err(std::io::Error::other("it is longer than it was"));
        }
        let written = self.inner.write(bytes)?;
        self.measure.add(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> Result<()> {
        self.inner.flush()
    }
}

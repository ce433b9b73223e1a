//! Writing a snapshot.

use std::io::{self, Write};

use super::{FORMAT, MAGIC, Section};
use crate::Index;
use crate::lexicon::Lexicon;
use crate::names::Names;
use crate::table::{NONE, Table};

/// Numbers are turned into bytes in pieces of this size.
const PIECE: usize = 1 << 15;

impl Index {
    /// The index as bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.memory_bytes());
        self.write_to(&mut bytes).expect("writing to memory does not fail");
        bytes
    }

    /// Writes the index as bytes. Dead documents are left out when they have become many, and the graph with
    /// them, because its ways may have led over them.
    pub fn write_to(&self, to: &mut impl Write) -> io::Result<()> {
        if self.wants_compaction() {
            return self.compacted().write_to(to);
        }
        let mut out = Writer { to, hasher: blake3::Hasher::new() };
        out.put(&MAGIC)?;
        out.put(&FORMAT.to_le_bytes())?;
        self.write_head(&mut out)?;
        self.table.write(&mut out)?;
        out.names(Section::SessionText, Section::SessionEnds, &self.sessions.names)?;
        self.lexicon.write(&mut out)?;
        self.write_vectors(&mut out)?;
        let hash = out.hasher.finalize();
        out.to.write_all(hash.as_bytes())
    }

    fn write_head<W: Write>(&self, out: &mut Writer<'_, W>) -> io::Result<()> {
        let quantiser = self.vectors.quantiser.as_ref();
        let numbers = [
            self.head.0,
            u64::from(self.analysis_version),
            self.table.len() as u64,
            self.space.as_ref().map_or(u64::MAX, |space| u64::from(space.dimensions)),
            quantiser.map_or(u64::MAX, |quantiser| quantiser.learned_at as u64),
            self.graph.m as u64,
            u64::from(self.graph.entry.unwrap_or(NONE)),
        ];
        out.u64s(Section::Head, &numbers)?;
        out.bytes(Section::Model, self.space.as_ref().map_or("", |space| &space.model).as_bytes())
    }

    fn write_vectors<W: Write>(&self, out: &mut Writer<'_, W>) -> io::Result<()> {
        let vectors = &self.vectors;
        out.numbers(Section::Matrix, vectors.matrix.len(), vectors.matrix.iter().map(|n| n.to_le_bytes()))?;
        out.u64s(Section::Present, vectors.present.words())?;
        out.numbers(Section::Sum, vectors.sum.len(), vectors.sum.iter().map(|n| n.to_le_bytes()))?;
        let (low, step) =
            vectors.quantiser.as_ref().map_or((&[][..], &[][..]), |known| (&known.low, &known.step));
        out.numbers(Section::QuantiserLow, low.len(), low.iter().map(|n| n.to_le_bytes()))?;
        out.numbers(Section::QuantiserStep, step.len(), step.iter().map(|n| n.to_le_bytes()))?;
        out.bytes(Section::Codes, &vectors.codes)?;
        out.u32s(Section::GraphBase, &self.graph.base)?;
        out.u32s(Section::GraphUpper, &self.graph.upper)
    }
}

impl Table {
    fn write<W: Write>(&self, out: &mut Writer<'_, W>) -> io::Result<()> {
        out.numbers(Section::Ids, self.len(), self.ids.iter().map(|id| *id.as_bytes()))?;
        out.numbers(Section::At, self.len(), self.at.iter().map(|at| at.to_le_bytes()))?;
        out.numbers(Section::ExpiresAt, self.len(), self.expires_at.iter().map(|at| at.to_le_bytes()))?;
        out.numbers(Section::Importance, self.len(), self.importance.iter().map(|n| n.to_le_bytes()))?;
        out.u32s(Section::Length, &self.length)?;
        out.u32s(Section::Session, &self.session)?;
        out.u32s(Section::Speaker, &self.speaker)?;
        out.bytes(Section::Layer, &self.layer)?;
        out.bytes(Section::Kind, &self.kind)?;
        out.bytes(Section::Flags, &self.flags)?;
        out.numbers(Section::Day, self.len(), self.day.iter().map(|day| day.to_le_bytes()))?;
        out.numbers(Section::Tokens, self.tokens.all.len(), self.tokens.all.iter().map(|n| n.to_le_bytes()))?;
        out.u32s(Section::TokenEnds, &self.tokens.ends)?;
        out.u64s(Section::Pinned, self.pinned.words())?;
        out.u64s(Section::Alive, self.alive.words())?;
        out.u64s(Section::Current, self.current.words())?;
        out.names(Section::SpeakerText, Section::SpeakerEnds, &self.speakers)?;
        out.names(Section::TagText, Section::TagEnds, &self.tags)?;
        out.u32s(Section::TagDocs, &self.tag_docs.concat())?;
        out.u32s(Section::TagDocEnds, &ends_of(self.tag_docs.iter().map(Vec::len)))
    }
}

impl Lexicon {
    fn write<W: Write>(&self, out: &mut Writer<'_, W>) -> io::Result<()> {
        out.names(Section::TermText, Section::TermEnds, &self.names)?;
        let parts = (0..self.terms.len() as u32).map(|term| self.parts(term));
        let lengths: Vec<usize> = parts.clone().map(|[base, tail]| base.len() + tail.len()).collect();
        out.start(Section::Postings, lengths.iter().sum())?;
        for part in parts.flatten() {
            out.put(part)?;
        }
        out.u32s(Section::PostingEnds, &ends_of(lengths.into_iter()))
    }
}

fn ends_of(lengths: impl Iterator<Item = usize>) -> Vec<u32> {
    lengths
        .scan(0_u32, |end, length| {
            *end = end.saturating_add(u32::try_from(length).unwrap_or(u32::MAX));
            Some(*end)
        })
        .collect()
}

/// Writes sections and hashes what it writes.
struct Writer<'a, W> {
    to: &'a mut W,
    hasher: blake3::Hasher,
}

impl<W: Write> Writer<'_, W> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hasher.update(bytes);
        self.to.write_all(bytes)
    }

    fn start(&mut self, section: Section, length: usize) -> io::Result<()> {
        self.put(&[section as u8])?;
        self.put(&(length as u64).to_le_bytes())
    }

    fn bytes(&mut self, section: Section, bytes: &[u8]) -> io::Result<()> {
        self.start(section, bytes.len())?;
        self.put(bytes)
    }

    fn u32s(&mut self, section: Section, numbers: &[u32]) -> io::Result<()> {
        self.numbers(section, numbers.len(), numbers.iter().map(|number| number.to_le_bytes()))
    }

    fn u64s(&mut self, section: Section, numbers: &[u64]) -> io::Result<()> {
        self.numbers(section, numbers.len(), numbers.iter().map(|number| number.to_le_bytes()))
    }

    fn numbers<const N: usize>(
        &mut self,
        section: Section,
        count: usize,
        mut numbers: impl Iterator<Item = [u8; N]>,
    ) -> io::Result<()> {
        self.start(section, count * N)?;
        let mut piece = vec![[0; N]; PIECE.min(count)];
        let mut left = count;
        while left > 0 {
            let now = &mut piece[..PIECE.min(left)];
            now.iter_mut().zip(numbers.by_ref()).for_each(|(to, number)| *to = number);
            self.put(now.as_flattened())?;
            left -= now.len();
        }
        Ok(())
    }

    fn names(&mut self, text: Section, ends: Section, names: &Names) -> io::Result<()> {
        self.bytes(text, names.arena().as_bytes())?;
        self.u32s(ends, names.ends())
    }
}

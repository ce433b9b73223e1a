//! Reading a snapshot.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use peri_types::{ChangeNumber, Kind, Layer, MemoryId, SpaceId};

use super::{DIMENSIONS_MAX, FORMAT, MAGIC, Section};
use crate::bits::Bits;
use crate::codes::{Quantiser, code_bytes};
use crate::days::Days;
use crate::graph::Graph;
use crate::lexicon::{Lexicon, Term, read_posting};
use crate::lines::Lines;
use crate::names::Names;
use crate::sessions::Sessions;
use crate::table::{NEVER, NONE, Table};
use crate::tokens::Tokens;
use crate::vectors::Vectors;
use crate::{Index, VectorSettings};

/// Why bytes are not a snapshot that can be used. In every case the index is rebuilt from the store.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SnapshotError {
    /// It is something else, or too short to be anything.
    #[error("not an index snapshot")]
    NotASnapshot,
    /// Another version of the program wrote it.
    #[error("index snapshot of format {found}, expected {expected}")]
    OtherFormat {
        /// The format it has.
        found: u32,
        /// The format this version reads.
        expected: u32,
    },
    /// Its hash does not fit its bytes: it was damaged or cut short.
    #[error("index snapshot is damaged: its checksum does not match")]
    Damaged,
    /// Its bytes are as they were written, but what was written makes no sense.
    #[error("index snapshot is malformed: {part}")]
    Malformed {
        /// The part that makes no sense.
        part: String,
    },
}

/// Snapshots from this size on are checked in a thread of their own.
const THREAD_FROM: usize = 1 << 20;
/// Bytes that are read at once, and how many such pieces wait to be decoded at most.
const PIECE_BYTES: usize = 1 << 20;
const PIECES_WAITING: usize = 4;
/// Bytes of numbers that are decoded at once; a multiple of the size of every number.
const NUMBERS_BYTES: usize = 1 << 14;
/// Bytes of the hash at the end.
const HASH_BYTES: usize = 32;

/// What the first section says.
struct Head {
    documents: usize,
    dimensions: Option<usize>,
    learned_at: Option<usize>,
    m: usize,
    entry: u32,
}

impl Index {
    /// The index that [`Index::encode`] made bytes of.
    pub fn decode(bytes: &[u8]) -> Result<Self, SnapshotError> {
        let (hashed, hash) = bytes.split_last_chunk::<HASH_BYTES>().ok_or_else(|| too_short(bytes))?;
        let reader = Reader::open(hashed, hashed.len())?;
        let check =
            || if blake3::hash(hashed).as_bytes() == hash { Ok(()) } else { Err(SnapshotError::Damaged) };
        if bytes.len() < THREAD_FROM {
            return check().and_then(|()| Self::read(reader));
        }
        // Reading trusts nothing, so that it may run beside the check of the hash, which takes as long.
        thread::scope(|scope| {
            let check = scope.spawn(check);
            let index = Self::read(reader);
            check.join().unwrap_or(Err(SnapshotError::Damaged)).and(index)
        })
    }

    /// The same from a file or whatever else can be read, of so many bytes. They are never in memory all at once.
    pub fn decode_from(mut source: impl Read + Send, length: u64) -> Result<Self, SnapshotError> {
        let length = usize::try_from(length).map_err(|_| SnapshotError::NotASnapshot)?;
        if length < THREAD_FROM {
            let mut bytes = vec![0; length];
            source.read_exact(&mut bytes).map_err(|_| SnapshotError::Damaged)?;
            return Self::decode(&bytes);
        }
        let (sender, pieces) = sync_channel(PIECES_WAITING);
        thread::scope(|scope| {
            let fed = scope.spawn(move || feed(source, length - HASH_BYTES, &sender));
            let reader = Reader::open(Piped { pieces, piece: Vec::new(), at: 0 }, length - HASH_BYTES);
            // What waits is dropped with the reader, so that a feeder that would wait for ever ends.
            let index = reader.and_then(Self::read);
            match (fed.join(), index) {
                (_, Err(error @ (SnapshotError::NotASnapshot | SnapshotError::OtherFormat { .. }))) => {
                    Err(error)
                }
                (Ok(Fed::Whole), index) => index,
                _ => Err(SnapshotError::Damaged),
            }
        })
    }

    fn read<R: Read>(mut reader: Reader<R>) -> Result<Self, SnapshotError> {
        let numbers = reader.u64s(Section::Head)?;
        let &[change, analysis, documents, dimensions, learned_at, m, entry] = numbers.as_slice() else {
            return Err(malformed(Section::Head));
        };
        let size = |number: u64, max: usize| match usize::try_from(number) {
            Ok(size) if size <= max => Ok(size),
            _ => Err(malformed(Section::Head)),
        };
        let given = |number: u64| (number != u64::MAX).then_some(number);
        let head = Head {
            documents: size(documents, NONE as usize)?,
            dimensions: given(dimensions).map(|number| size(number, DIMENSIONS_MAX)).transpose()?,
            learned_at: given(learned_at).map(|number| size(number, NONE as usize)).transpose()?,
            m: size(m, 1024)?,
            entry: size(entry, NONE as usize)? as u32,
        };
        let model = String::from_utf8(reader.bytes(Section::Model)?);
        let model = model.map_err(|_| malformed(Section::Model))?;
        let space = head.dimensions.map(|dimensions| SpaceId { model, dimensions: dimensions as u32 });
        let table = reader.table(head.documents)?;
        let sessions = reader.sessions(&table)?;
        let lexicon = reader.lexicon(head.documents)?;
        let vectors = reader.vectors(&head)?;
        let graph = reader.graph(&head, &vectors)?;
        reader.end()?;
        let analysis_version = u32::try_from(analysis).map_err(|_| malformed(Section::Head))?;
        let (head, settings) = (ChangeNumber(change), VectorSettings::default());
        let settings = VectorSettings { m: graph.m, ..settings };
        let days = Days::of_table(&table);
        let census = None;
        Ok(Self {
            space,
            analysis_version,
            head,
            table,
            sessions,
            days,
            lexicon,
            vectors,
            graph,
            settings,
            census,
        })
    }
}

/// How a file was read.
#[derive(PartialEq, Eq)]
enum Fed {
    /// To its end, with the hash that it should have.
    Whole,
    Damaged,
}

/// Reads everything but the hash, piece by piece, and compares the hash. A decoder that gave up ends it too.
fn feed(mut source: impl Read, mut left: usize, pieces: &SyncSender<Vec<u8>>) -> Fed {
    let mut hasher = blake3::Hasher::new();
    while left > 0 {
        let mut piece = vec![0; left.min(PIECE_BYTES)];
        if source.read_exact(&mut piece).is_err() {
            return Fed::Damaged;
        }
        hasher.update(&piece);
        left -= piece.len();
        if pieces.send(piece).is_err() {
            return Fed::Damaged;
        }
    }
    let mut hash = [0; HASH_BYTES];
    let fits = source.read_exact(&mut hash).is_ok() && *hasher.finalize().as_bytes() == hash;
    if fits { Fed::Whole } else { Fed::Damaged }
}

/// The pieces as one stream.
struct Piped {
    pieces: Receiver<Vec<u8>>,
    piece: Vec<u8>,
    at: usize,
}

impl Read for Piped {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.at == self.piece.len() {
            // A feeder that is gone has nothing more: the end.
            self.piece = self.pieces.recv().unwrap_or_default();
            self.at = 0;
        }
        let read = (&self.piece[self.at..]).read(into)?;
        self.at += read;
        Ok(read)
    }
}

fn too_short(bytes: &[u8]) -> SnapshotError {
    if bytes.starts_with(&MAGIC) { SnapshotError::Damaged } else { SnapshotError::NotASnapshot }
}

/// Takes sections off the front of what is left.
struct Reader<R> {
    source: R,
    /// Bytes that are left of the sections.
    left: usize,
}

impl<R: Read> Reader<R> {
    /// Checks the first bytes and the format, which are among so many bytes without the hash.
    fn open(mut source: R, length: usize) -> Result<Self, SnapshotError> {
        let (mut magic, mut format) = ([0; MAGIC.len()], [0; 4]);
        let left = length.checked_sub(magic.len() + format.len()).ok_or(SnapshotError::NotASnapshot)?;
        source.read_exact(&mut magic).map_err(|_| SnapshotError::NotASnapshot)?;
        source.read_exact(&mut format).map_err(|_| SnapshotError::NotASnapshot)?;
        let found = u32::from_le_bytes(format);
        match (magic == MAGIC, found == FORMAT) {
            (false, _) => Err(SnapshotError::NotASnapshot),
            (true, false) => Err(SnapshotError::OtherFormat { found, expected: FORMAT }),
            (true, true) => Ok(Self { source, left }),
        }
    }

    fn fill(&mut self, into: &mut [u8], section: Section) -> Result<(), SnapshotError> {
        self.left = self.left.checked_sub(into.len()).ok_or_else(|| malformed(section))?;
        self.source.read_exact(into).map_err(|_| SnapshotError::Damaged)
    }

    /// Begins a section, and says how many bytes it has: never more than are left.
    fn section(&mut self, section: Section) -> Result<usize, SnapshotError> {
        let (mut number, mut length) = ([0], [0; 8]);
        self.fill(&mut number, section)?;
        self.fill(&mut length, section)?;
        let length = usize::try_from(u64::from_le_bytes(length)).map_err(|_| malformed(section))?;
        if number == [section as u8] && length <= self.left { Ok(length) } else { Err(malformed(section)) }
    }

    fn end(&self) -> Result<(), SnapshotError> {
        if self.left == 0 { Ok(()) } else { Err(SnapshotError::Malformed { part: "end".to_owned() }) }
    }

    /// A section of bytes.
    fn bytes(&mut self, section: Section) -> Result<Vec<u8>, SnapshotError> {
        let mut bytes = vec![0; self.section(section)?];
        self.fill(&mut bytes, section)?;
        Ok(bytes)
    }

    /// A section of numbers of `N` bytes each.
    fn numbers<const N: usize, T>(
        &mut self,
        section: Section,
        number: impl Fn([u8; N]) -> T,
    ) -> Result<Vec<T>, SnapshotError> {
        let count = self.count::<N>(section)?;
        let mut numbers = Vec::with_capacity(count);
        self.each(section, count, |chunk| numbers.extend(chunk.iter().map(|&bytes| number(bytes))))?;
        Ok(numbers)
    }

    /// The same, where rows begin at lines.
    fn lines<const N: usize, T: Copy + Default>(
        &mut self,
        section: Section,
        number: impl Fn([u8; N]) -> T,
    ) -> Result<Lines<T>, SnapshotError> {
        let count = self.count::<N>(section)?;
        let mut lines = Lines::default();
        lines.make_room(count, T::default());
        self.each(section, count, |chunk| lines.extend(chunk.iter().map(|&bytes| number(bytes))))?;
        Ok(lines)
    }

    /// Begins a section of numbers, and says how many there are.
    fn count<const N: usize>(&mut self, section: Section) -> Result<usize, SnapshotError> {
        let length = self.section(section)?;
        if length.is_multiple_of(N) { Ok(length / N) } else { Err(malformed(section)) }
    }

    /// So many numbers, some at a time.
    fn each<const N: usize>(
        &mut self,
        section: Section,
        count: usize,
        mut take: impl FnMut(&[[u8; N]]),
    ) -> Result<(), SnapshotError> {
        let mut buffer = [0; NUMBERS_BYTES];
        let mut left = count * N;
        while left > 0 {
            let bytes = &mut buffer[..left.min(NUMBERS_BYTES)];
            self.fill(bytes, section)?;
            take(bytes.as_chunks::<N>().0);
            left -= bytes.len();
        }
        Ok(())
    }

    fn u32s(&mut self, section: Section) -> Result<Vec<u32>, SnapshotError> {
        self.numbers(section, u32::from_le_bytes)
    }

    fn u64s(&mut self, section: Section) -> Result<Vec<u64>, SnapshotError> {
        self.numbers(section, u64::from_le_bytes)
    }

    fn bits(&mut self, section: Section, len: usize) -> Result<Bits, SnapshotError> {
        Bits::from_words(self.u64s(section)?, len).ok_or_else(|| malformed(section))
    }

    fn names(&mut self, text: Section, ends: Section) -> Result<Names, SnapshotError> {
        let text = self.bytes(text)?;
        Names::from_parts(text, self.u32s(ends)?).ok_or_else(|| malformed(ends))
    }

    fn table(&mut self, documents: usize) -> Result<Table, SnapshotError> {
        let mut table = Table {
            ids: self.numbers(Section::Ids, MemoryId::from_bytes)?,
            at: self.numbers(Section::At, i64::from_le_bytes)?,
            expires_at: self.numbers(Section::ExpiresAt, i64::from_le_bytes)?,
            importance: self.numbers(Section::Importance, f32::from_le_bytes)?,
            length: self.u32s(Section::Length)?,
            session: self.u32s(Section::Session)?,
            speaker: self.u32s(Section::Speaker)?,
            layer: self.bytes(Section::Layer)?,
            kind: self.bytes(Section::Kind)?,
            flags: self.bytes(Section::Flags)?,
            day: self.numbers(Section::Day, i32::from_le_bytes)?,
            tokens: self.tokens(documents)?,
            pinned: self.bits(Section::Pinned, documents)?,
            alive: Arc::new(self.bits(Section::Alive, documents)?),
            current: Arc::new(self.bits(Section::Current, documents)?),
            speakers: self.names(Section::SpeakerText, Section::SpeakerEnds)?,
            tags: self.names(Section::TagText, Section::TagEnds)?,
            ..Table::default()
        };
        table.tag_docs = self.tag_docs(table.tags.len(), documents)?;
        check_table(&table, documents)?;
        let expires = |&doc: &usize| table.expires_at[doc] != NEVER;
        table.expiring = table.alive.iter().filter(expires).map(|doc| doc as u32).collect();
        table.words_total = table.alive.iter().map(|doc| u64::from(table.length[doc])).sum();
        table.index_ids();
        let distinct =
            table.alive.iter().all(|doc| table.find(table.ids[doc]).is_some_and(|own| own.index() == doc));
        if distinct { Ok(table) } else { Err(malformed(Section::Ids)) }
    }

    fn tokens(&mut self, documents: usize) -> Result<Tokens, SnapshotError> {
        let all = self.numbers(Section::Tokens, u16::from_le_bytes)?;
        let ends = self.u32s(Section::TokenEnds)?;
        let tokens = Tokens::from_parts(all, ends).filter(|tokens| tokens.ends.len() == documents);
        tokens.ok_or_else(|| malformed(Section::TokenEnds))
    }

    fn tag_docs(&mut self, tags: usize, documents: usize) -> Result<Vec<Vec<u32>>, SnapshotError> {
        let docs = self.u32s(Section::TagDocs)?;
        let ends = self.u32s(Section::TagDocEnds)?;
        let mut start = 0;
        let mut tag_docs = Vec::with_capacity(ends.len());
        for &end in &ends {
            let own = docs.get(start as usize..end as usize).ok_or_else(|| malformed(Section::TagDocEnds))?;
            let sound = own.is_sorted() && own.last().is_none_or(|&last| (last as usize) < documents);
            if !sound {
                return Err(malformed(Section::TagDocs));
            }
            tag_docs.push(own.to_vec());
            start = end;
        }
        if ends.len() == tags { Ok(tag_docs) } else { Err(malformed(Section::TagDocEnds)) }
    }

    fn sessions(&mut self, table: &Table) -> Result<Sessions, SnapshotError> {
        let names = self.names(Section::SessionText, Section::SessionEnds)?;
        let known = |&number: &u32| number == NONE || (number as usize) < names.len();
        if !table.session.iter().all(known) {
            return Err(malformed(Section::Session));
        }
        Ok(Sessions::of_table(names, table))
    }

    fn lexicon(&mut self, documents: usize) -> Result<Lexicon, SnapshotError> {
        let names = self.names(Section::TermText, Section::TermEnds)?;
        let arena = self.bytes(Section::Postings)?;
        let arena_ends = self.u32s(Section::PostingEnds)?;
        let mut terms = Vec::with_capacity(arena_ends.len());
        let mut start = 0;
        for &end in &arena_ends {
            let bytes =
                arena.get(start as usize..end as usize).ok_or_else(|| malformed(Section::PostingEnds))?;
            terms.push(check_postings(bytes, documents).ok_or_else(|| malformed(Section::Postings))?);
            start = end;
        }
        if terms.len() != names.len() || start as usize != arena.len() {
            return Err(malformed(Section::PostingEnds));
        }
        Ok(Lexicon { names, terms, arena, arena_ends, ..Lexicon::default() })
    }

    fn vectors(&mut self, head: &Head) -> Result<Vectors, SnapshotError> {
        let dimensions = head.dimensions.unwrap_or(0);
        let matrix = self.numbers(Section::Matrix, u16::from_le_bytes)?;
        let present = self.bits(Section::Present, head.documents)?;
        let sum = self.numbers(Section::Sum, f64::from_le_bytes)?;
        if sum.len() != dimensions {
            return Err(malformed(Section::Sum));
        }
        let low = self.numbers(Section::QuantiserLow, f32::from_le_bytes)?;
        let step = self.numbers(Section::QuantiserStep, f32::from_le_bytes)?;
        let codes = self.lines(Section::Codes, |[byte]| byte)?;
        let quantiser = head.learned_at.map(|learned_at| Quantiser { low, step, learned_at });
        if Some(matrix.len()) != head.documents.checked_mul(dimensions)
            || (dimensions == 0 && present.ones() > 0)
        {
            return Err(malformed(Section::Matrix));
        }
        let coded = match &quantiser {
            Some(known) if known.low.len() == dimensions && known.step.len() == dimensions => {
                known.learned_at > 0 && codes.len() == head.documents * code_bytes(dimensions)
            }
            Some(_) => false,
            None => codes.is_empty(),
        };
        if coded {
            let rough = Lines::default();
            let mut vectors = Vectors { dimensions, matrix, present, sum, quantiser, codes, rough };
            vectors.roughen_all();
            Ok(vectors)
        } else {
            Err(malformed(Section::Codes))
        }
    }

    fn graph(&mut self, head: &Head, vectors: &Vectors) -> Result<Graph, SnapshotError> {
        let base = self.lines(Section::GraphBase, u32::from_le_bytes)?;
        let upper = self.u32s(Section::GraphUpper)?;
        let graph =
            Graph::from_parts(head.m, head.entry, base, upper).filter(|graph| graph.covered <= vectors.len());
        graph.ok_or_else(|| malformed(Section::GraphBase))
    }
}

/// Every column has an item per document, and every item a meaning.
fn check_table(table: &Table, documents: usize) -> Result<(), SnapshotError> {
    let lengths = [
        (Section::Ids, table.ids.len()),
        (Section::At, table.at.len()),
        (Section::ExpiresAt, table.expires_at.len()),
        (Section::Importance, table.importance.len()),
        (Section::Length, table.length.len()),
        (Section::Session, table.session.len()),
        (Section::Speaker, table.speaker.len()),
        (Section::Layer, table.layer.len()),
        (Section::Kind, table.kind.len()),
        (Section::Flags, table.flags.len()),
        (Section::Day, table.day.len()),
    ];
    if let Some(&(section, _)) = lengths.iter().find(|&&(_, length)| length != documents) {
        return Err(malformed(section));
    }
    let speaker_known = |&number: &u32| number == NONE || (number as usize) < table.speakers.len();
    let within =
        |inner: &Bits, outer: &Bits| inner.words().iter().zip(outer.words()).all(|(a, b)| a & !b == 0);
    let checks = [
        (Section::Layer, table.layer.iter().all(|&code| Layer::from_code(code).is_some())),
        (Section::Kind, table.kind.iter().all(|&code| Kind::from_code(code).is_some())),
        (Section::Speaker, table.speaker.iter().all(speaker_known)),
        (Section::Current, within(&table.current, &table.alive)),
    ];
    match checks.iter().find(|&&(_, sound)| !sound) {
        Some(&(section, _)) => Err(malformed(section)),
        None => Ok(()),
    }
}

/// Reads a term's occurrences through: documents must ascend and exist.
fn check_postings(mut bytes: &[u8], documents: usize) -> Option<Term> {
    let mut term = Term::default();
    while !bytes.is_empty() {
        let (delta, _) = read_posting(&mut bytes)?;
        let doc = if term.count == 0 { delta } else { term.last.checked_add(delta).filter(|_| delta > 0)? };
        term.last = doc;
        term.count += 1;
        if doc as usize >= documents {
            return None;
        }
    }
    Some(term)
}

fn malformed(section: Section) -> SnapshotError {
    SnapshotError::Malformed { part: format!("{section:?}") }
}

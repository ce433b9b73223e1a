//! Where words occur, packed.
//!
//! The latest occurrences of a word are appended to its row, each by itself. When they have become many they are spilled
//! into blocks: of documents, the ones in which the word counts most first; of conversations and of days, added up. Blocks
//! are merged into larger runs as they grow in number, each run once it has seven others beside it, so that a word that
//! occurs everywhere is rewritten a few times and read in few pieces.
//!
//! A document that is there no longer stays in the blocks; nobody finds its record. What it added to its conversation and
//! its day is taken back by an occurrence that counts less than nothing.

use std::collections::BTreeMap;

/// The occurrences in a block, at most.
pub(super) const BLOCK: usize = 512;

/// The latest occurrences of a word are spilled beyond so many bytes.
pub(super) const SPILLED_FROM: usize = 1000;

/// So many runs become one.
const RUNS: u64 = 8;

/// What a block is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Class {
    Documents,
    Conversations,
    Days,
}

impl Class {
    pub(super) const ALL: [Self; 3] = [Self::Documents, Self::Conversations, Self::Days];

    pub(super) fn code(self) -> i64 {
        match self {
            Self::Documents => 0,
            Self::Conversations => 1,
            Self::Days => 2,
        }
    }

    pub(super) fn of_code(code: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.code() == code)
    }
}

/// One occurrence of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Occurrence {
    pub(super) document: i64,
    /// How much the word counts in it, up to 255; none if it is there no longer.
    pub(super) impact: Option<u8>,
    pub(super) times: u16,
    pub(super) conversation: Option<i64>,
    pub(super) day: Option<i32>,
}

/// A block to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) class: Class,
    /// How much the word counts at most.
    pub(super) top: u8,
    pub(super) data: Vec<u8>,
}

/// Where a word occurs, gathered from its latest occurrences and its blocks.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub(super) documents: Vec<(i64, u8)>,
    pub(super) conversations: BTreeMap<i64, i64>,
    pub(super) days: BTreeMap<i64, i64>,
}

/// To which level the runs of a word are merged when it is spilled for the so-manieth time; none if they stay.
pub(super) fn level_of(spills: u64) -> u8 {
    let (mut level, mut left) = (0, spills);
    while left > 0 && left.is_multiple_of(RUNS) {
        level += 1;
        left /= RUNS;
    }
    level
}

impl Occurrence {
    /// Appends it to the latest ones.
    pub(super) fn append_to(&self, bytes: &mut Vec<u8>) {
        put_number(bytes, self.document.unsigned_abs());
        bytes.push(self.impact.unwrap_or(0));
        put_number(bytes, u64::from(self.times));
        put_number(bytes, self.conversation.map_or(0, |number| number.unsigned_abs() + 1));
        put_number(bytes, self.day.map_or(0, |day| folded(i64::from(day)) + 1));
    }

    fn take_from(bytes: &mut &[u8]) -> Option<Self> {
        let document = take_number(bytes)?.cast_signed();
        let (&impact, rest) = bytes.split_first()?;
        *bytes = rest;
        let times = u16::try_from(take_number(bytes)?).ok()?;
        let conversation = take_number(bytes)?.checked_sub(1).map(u64::cast_signed);
        let day = take_number(bytes)?.checked_sub(1).and_then(|day| i32::try_from(unfolded(day)).ok());
        Some(Self { document, impact: (impact > 0).then_some(impact), times, conversation, day })
    }
}

impl Gathered {
    /// Adds the latest occurrences.
    pub(super) fn add_latest(&mut self, mut bytes: &[u8]) -> Option<()> {
        while !bytes.is_empty() {
            self.add(Occurrence::take_from(&mut bytes)?);
        }
        Some(())
    }

    fn add(&mut self, one: Occurrence) {
        let times = if one.impact.is_some() { i64::from(one.times) } else { -i64::from(one.times) };
        self.documents.extend(one.impact.map(|impact| (one.document, impact)));
        if let Some(conversation) = one.conversation {
            *self.conversations.entry(conversation).or_default() += times;
        }
        if let Some(day) = one.day {
            *self.days.entry(i64::from(day)).or_default() += times;
        }
    }

    /// Adds a block.
    pub(super) fn add_block(&mut self, class: Class, mut bytes: &[u8]) -> Option<()> {
        let mut last = 0_i64;
        while !bytes.is_empty() {
            last = last.wrapping_add(unfolded(take_number(&mut bytes)?));
            if class == Class::Documents {
                let (&impact, rest) = bytes.split_first()?;
                bytes = rest;
                self.documents.push((last, impact));
            } else {
                let times = unfolded(take_number(&mut bytes)?);
                let groups = if class == Class::Days { &mut self.days } else { &mut self.conversations };
                let sum = groups.entry(last).or_default();
                *sum = sum.wrapping_add(times);
            }
        }
        Some(())
    }

    /// The blocks that hold all of it.
    pub(super) fn into_blocks(self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut documents = self.documents;
        documents.sort_unstable_by_key(|(document, impact)| (u8::MAX - impact, *document));
        for some in documents.chunks_mut(BLOCK) {
            let top = some.first().map_or(0, |(_, impact)| *impact);
            some.sort_unstable();
            blocks.push(Block {
                class: Class::Documents,
                top,
                data: packed(some, |bytes, impact| bytes.push(*impact)),
            });
        }
        for (class, groups) in [(Class::Conversations, self.conversations), (Class::Days, self.days)] {
            let groups: Vec<(i64, i64)> = groups.into_iter().filter(|(_, times)| *times != 0).collect();
            for some in groups.chunks(BLOCK) {
                let data = packed(some, |bytes, times| put_number(bytes, folded(*times)));
                blocks.push(Block { class, top: 0, data });
            }
        }
        blocks
    }
}

/// Numbers in ascending order with something each.
fn packed<T>(some: &[(i64, T)], put: impl Fn(&mut Vec<u8>, &T)) -> Vec<u8> {
    let (mut bytes, mut last) = (Vec::with_capacity(some.len() * 3), 0_i64);
    for (number, value) in some {
        put_number(&mut bytes, folded(number.wrapping_sub(last)));
        put(&mut bytes, value);
        last = *number;
    }
    bytes
}

/// The words of a document, packed: their numbers and how often each occurs.
pub(super) fn pack_terms(mut terms: Vec<(i64, u16)>) -> Vec<u8> {
    terms.sort_unstable();
    packed(&terms, |bytes, times| put_number(bytes, u64::from(*times)))
}

/// What [`pack_terms`] packed; none if it cannot be read.
pub(super) fn unpack_terms(mut bytes: &[u8]) -> Option<Vec<(i64, u16)>> {
    let (mut terms, mut last) = (Vec::new(), 0_i64);
    while !bytes.is_empty() {
        last = last.wrapping_add(unfolded(take_number(&mut bytes)?));
        terms.push((last, u16::try_from(take_number(&mut bytes)?).ok()?));
    }
    Some(terms)
}

/// A number that may be less than zero, as one that is small when it is near zero.
fn folded(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)).cast_unsigned()
}

fn unfolded(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -((number & 1).cast_signed())
}

/// Seven bits a byte, the lowest first; the eighth says that there are more.
fn put_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for (at, byte) in bytes.iter().enumerate().take(10) {
        number |= u64::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            *bytes = &bytes[at + 1..];
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn occurrence() -> impl Strategy<Value = Occurrence> {
        let (document, conversation) = (1_i64..1 << 40, proptest::option::of(1_i64..500));
        let day = proptest::option::of(-30_000_i32..60_000);
        (document, proptest::option::of(1_u8..), 1_u16.., conversation, day).prop_map(
            |(document, impact, times, conversation, day)| Occurrence {
                document,
                impact,
                times,
                conversation,
                day,
            },
        )
    }

    fn gathered(occurrences: &[Occurrence]) -> Gathered {
        let mut bytes = Vec::new();
        occurrences.iter().for_each(|one| one.append_to(&mut bytes));
        let mut gathered = Gathered::default();
        gathered.add_latest(&bytes).unwrap();
        gathered
    }

    proptest! {
        #[test]
        fn blocks_hold_what_was_gathered(occurrences in proptest::collection::vec(occurrence(), 0..1500)) {
            let whole = gathered(&occurrences);
            let mut documents = whole.documents.clone();
            let mut other = Gathered::default();
            let mut top = u8::MAX;
            let (conversations, days) = (whole.conversations.clone(), whole.days.clone());
            for block in whole.into_blocks() {
                if block.class == Class::Documents {
                    prop_assert!(block.top <= top, "what counts most comes first");
                    top = block.top;
                }
                other.add_block(block.class, &block.data).unwrap();
            }
            documents.sort_unstable();
            other.documents.sort_unstable();
            prop_assert_eq!(documents, other.documents);
            let counted = |groups: BTreeMap<i64, i64>| groups.into_iter().filter(|one| one.1 != 0).collect::<Vec<_>>();
            prop_assert_eq!(counted(conversations), counted(other.conversations));
            prop_assert_eq!(counted(days), counted(other.days));
        }

        #[test]
        fn terms_read_back_as_they_were(terms in proptest::collection::btree_map(0_i64..1 << 50, 1_u16.., 0..200)) {
            let terms: Vec<(i64, u16)> = terms.into_iter().collect();
            prop_assert_eq!(unpack_terms(&pack_terms(terms.clone())), Some(terms));
        }

        #[test]
        fn torn_bytes_are_refused_and_never_looped_over(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            unpack_terms(&bytes);
            Gathered::default().add_latest(&bytes);
            for class in Class::ALL {
                Gathered::default().add_block(class, &bytes);
            }
        }
    }

    #[test]
    fn what_is_taken_back_counts_for_nothing() {
        let one = Occurrence { document: 7, impact: Some(9), times: 2, conversation: Some(3), day: Some(-5) };
        let both = gathered(&[one, Occurrence { impact: None, ..one }]);
        assert_eq!(
            both.into_blocks().iter().map(|block| block.class).collect::<Vec<_>>(),
            [Class::Documents]
        );
    }

    #[test]
    fn runs_are_merged_when_there_are_eight() {
        let levels: Vec<u8> = [1, 7, 8, 9, 16, 63, 64, 512, 0].into_iter().map(level_of).collect();
        assert_eq!(levels, [0, 0, 1, 0, 1, 0, 2, 3, 0]);
    }
}

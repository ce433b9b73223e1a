//! Each document's word tokens, end to end: what a ranking compares word by word.

/// One list per document.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tokens {
    pub(crate) all: Vec<u16>,
    /// Where each document's list ends.
    pub(crate) ends: Vec<u32>,
}

impl Tokens {
    pub(crate) fn push(&mut self, tokens: &[u16]) {
        self.all.extend_from_slice(tokens);
        let end =
            u32::try_from(self.all.len()).expect("an index holds fewer than four thousand million tokens");
        self.ends.push(end);
    }

    pub(crate) fn of(&self, doc: usize) -> &[u16] {
        let start = doc.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        self.ends.get(doc).map_or(&[], |&end| &self.all[start..end as usize])
    }

    /// The lists with these ends; None if they do not fit.
    pub(crate) fn from_parts(all: Vec<u16>, ends: Vec<u32>) -> Option<Self> {
        let fits = ends.is_sorted() && ends.last().copied().unwrap_or(0) as usize == all.len();
        fits.then_some(Self { all, ends })
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.all.capacity() * 2 + self.ends.capacity() * 4
    }
}

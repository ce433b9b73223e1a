//! Leaving the dead behind: the same index with its living documents numbered anew.

use std::sync::Arc;

use crate::Index;
use crate::bits::Bits;
use crate::days::Days;
use crate::graph::Graph;
use crate::lexicon::{Lexicon, Term, write_posting};
use crate::names::Names;
use crate::sessions::Sessions;
use crate::table::{NEVER, NONE, Table};
use crate::tokens::Tokens;
use crate::vectors::Vectors;

/// Dead documents are left behind when they are more than one in this many.
const DEAD_SHARE: usize = 4;

/// Which documents stay, and their new numbers.
struct Renumbering {
    /// The old numbers of those that stay, ascending.
    kept: Vec<u32>,
    /// Per old number the new one, or [`NONE`].
    new: Vec<u32>,
}

impl Index {
    /// Whether so many documents are dead that [`Index::compact`] pays: it makes searches faster and gives
    /// memory back, at the price of a new graph.
    pub fn wants_compaction(&self) -> bool {
        self.table.dead() * DEAD_SHARE > self.table.len()
    }

    /// Numbers the living documents anew and forgets the dead. Every [`crate::Doc`] and [`crate::Mask`] from
    /// before is void.
    pub fn compact(&mut self) {
        if self.table.dead() > 0 {
            *self = self.compacted();
        }
    }

    /// The same without the dead, for whoever can only read this one.
    pub fn compacted(&self) -> Self {
        let numbers = Renumbering::of(&self.table);
        let (session_names, session) = numbers.rename(&self.table.session, &self.sessions.names);
        let mut table = numbers.table(&self.table);
        table.session = session;
        let sessions = Sessions::of_table(session_names, &table);
        Self {
            space: self.space.clone(),
            analysis_version: self.analysis_version,
            head: self.head,
            days: Days::of_table(&table),
            table,
            sessions,
            lexicon: numbers.lexicon(&self.lexicon),
            vectors: numbers.vectors(&self.vectors),
            graph: Graph::new(self.graph.m),
            settings: self.settings,
            census: self.census.clone(),
        }
    }
}

impl Renumbering {
    fn of(table: &Table) -> Self {
        let kept: Vec<u32> = table.alive.iter().map(|doc| doc as u32).collect();
        let mut new = vec![NONE; table.len()];
        kept.iter().enumerate().for_each(|(number, &doc)| new[doc as usize] = number as u32);
        Self { kept, new }
    }

    fn pick<T: Copy>(&self, column: &[T]) -> Vec<T> {
        self.kept.iter().map(|&doc| column[doc as usize]).collect()
    }

    fn bits(&self, bits: &Bits) -> Bits {
        let mut picked = Bits::default();
        self.kept.iter().for_each(|&doc| picked.push(bits.get(doc as usize)));
        picked
    }

    /// A column of names' numbers, and the names that are still used.
    fn rename(&self, column: &[u32], names: &Names) -> (Names, Vec<u32>) {
        let mut used = Names::default();
        let rename = |number: u32| if number == NONE { NONE } else { used.intern(names.get(number)) };
        let column = self.pick(column).into_iter().map(rename).collect();
        (used, column)
    }

    fn table(&self, old: &Table) -> Table {
        let (speakers, speaker) = self.rename(&old.speaker, &old.speakers);
        let mut table = Table {
            ids: self.pick(&old.ids),
            at: self.pick(&old.at),
            expires_at: self.pick(&old.expires_at),
            importance: self.pick(&old.importance),
            length: self.pick(&old.length),
            day: self.pick(&old.day),
            tokens: self.tokens(&old.tokens),
            speaker,
            layer: self.pick(&old.layer),
            kind: self.pick(&old.kind),
            flags: self.pick(&old.flags),
            pinned: self.bits(&old.pinned),
            alive: Arc::new(self.bits(&old.alive)),
            current: Arc::new(self.bits(&old.current)),
            speakers,
            words_total: old.words_total,
            ..Table::default()
        };
        for (number, docs) in old.tag_docs.iter().enumerate() {
            let docs: Vec<u32> =
                docs.iter().map(|&doc| self.new[doc as usize]).filter(|&doc| doc != NONE).collect();
            if !docs.is_empty() {
                table.tags.intern(old.tags.get(number as u32));
                table.tag_docs.push(docs);
            }
        }
        let expiring = (0..table.len() as u32).filter(|&doc| table.expires_at[doc as usize] != NEVER);
        table.expiring = expiring.collect();
        table.index_ids();
        table
    }

    fn tokens(&self, old: &Tokens) -> Tokens {
        let mut new = Tokens::default();
        self.kept.iter().for_each(|&doc| new.push(old.of(doc as usize)));
        new
    }

    fn lexicon(&self, old: &Lexicon) -> Lexicon {
        let mut new = Lexicon::default();
        for number in 0..old.terms.len() as u32 {
            let mut term = Term::default();
            old.for_each(number, |doc, times| {
                let doc = self.new[doc as usize];
                if doc != NONE {
                    write_posting(&mut new.arena, doc - term.last, times);
                    (term.count, term.last) = (term.count + 1, doc);
                }
            });
            if term.count > 0 {
                new.names.intern(old.names.get(number));
                new.terms.push(term);
                new.arena_ends.push(u32::try_from(new.arena.len()).expect("postings take less than 4 GiB"));
            }
        }
        new
    }

    fn vectors(&self, old: &Vectors) -> Vectors {
        let mut new = Vectors::new(old.dimensions);
        new.present = self.bits(&old.present);
        new.matrix.reserve_exact(self.kept.len() * old.dimensions);
        self.kept.iter().for_each(|&doc| new.matrix.extend_from_slice(old.row(doc as usize)));
        new.add_up();
        if old.quantiser.is_some() {
            new.learn();
        }
        new
    }
}

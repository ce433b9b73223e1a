//! What observers do with notes, on any shelf.

mod candidates;
mod confirm;
mod delivery;
mod digest;
mod given;
mod lend;
mod logs;
mod moving;
mod overview;
mod records;
mod told;
mod travel;
mod troubles;
mod turns;

use std::sync::Arc;

use peri_types::{Clock, Namespace};

pub use candidates::{AllCandidates, SessionCandidates};
pub use confirm::Confirmed;
pub use delivery::Handover;
pub use given::Asked;
pub use lend::{Loan, LoanId, Wanted};
pub use logs::{Batch, Cleared};
pub use overview::Overview;
pub use records::{Revised, Reviser, Revision};
pub use told::{Told, Untold};
pub use travel::{InvalidParcel, Meeting, Parcel, Unpacked};
pub use troubles::{Place, Trouble};
pub use turns::Kept;

use crate::item::Item;
use crate::sheet::{Block, Sheet};
use crate::shelf::{Change, Commit, Expected, Key, Shelf};
use crate::{NotesError, Prompted};

/// Somebody who counts the tokens of a text.
pub trait CountTokens: Send + Sync {
    /// How many tokens a text has.
    fn count(&self, text: &str) -> usize;
}

impl<F: Fn(&str) -> usize + Send + Sync> CountTokens for F {
    fn count(&self, text: &str) -> usize {
        self(text)
    }
}

/// The notes of all sessions and namespaces on a shelf.
///
/// Every method reads, computes and commits, and begins anew if somebody else was faster; so any number of processes may
/// use one shelf, and none waits for another's model.
#[derive(Clone)]
pub struct Notes {
    shelf: Arc<dyn Shelf>,
    clock: Clock,
    tokens: Arc<dyn CountTokens>,
}

/// How often somebody else may be faster before it is given up. Each time, somebody got done.
const ATTEMPTS_MAX: usize = 1000;

/// What to commit, and what to answer if nobody was faster.
struct Plan<T> {
    changes: Vec<Change>,
    expected: Vec<(Key, Expected)>,
    answer: T,
}

impl<T> Plan<T> {
    /// Nothing is to be changed.
    fn nothing(answer: T) -> Self {
        Self { changes: Vec::new(), expected: Vec::new(), answer }
    }
}

impl Notes {
    /// Notes on a shelf.
    pub fn new(shelf: Arc<dyn Shelf>, clock: Clock, tokens: impl CountTokens + 'static) -> Self {
        Self { shelf, clock, tokens: Arc::new(tokens) }
    }

    /// The namespaces that have any notes, sorted.
    pub fn namespaces(&self) -> Result<Vec<Namespace>, NotesError> {
        Ok(self.shelf.namespaces()?)
    }

    /// A sheet as an agent is given it today, in at most so many tokens.
    pub fn prompt(&self, sheet: &Sheet, tokens_max: usize) -> Prompted {
        self.prompt_blocks(sheet.blocks(), tokens_max)
    }

    /// The same for notes that were taken to be handed over.
    pub fn prompt_items(&self, items: &[Item], tokens_max: usize) -> Prompted {
        let blocks: Vec<Block> = items.iter().cloned().map(Block::Item).collect();
        self.prompt_blocks(&blocks, tokens_max)
    }

    fn prompt_blocks(&self, blocks: &[Block], tokens_max: usize) -> Prompted {
        let today = crate::sheet::day_of(self.clock.now());
        crate::for_prompt(blocks, today, tokens_max, &|text| self.tokens.count(text))
    }

    /// Makes a plan and commits it, and makes another one as often as somebody was faster.
    fn commit<T>(
        &self,
        namespace: &Namespace,
        name: &str,
        mut plan: impl FnMut() -> Result<Plan<T>, NotesError>,
    ) -> Result<T, NotesError> {
        for _ in 0..ATTEMPTS_MAX {
            let Plan { changes, expected, answer } = plan()?;
            if changes.is_empty() {
                return Ok(answer);
            }
            match self.shelf.commit(namespace, &changes, &expected)? {
                Commit::Done => return Ok(answer),
                Commit::Stale => {}
            }
        }
        Err(NotesError::Contended { name: name.to_owned(), attempts: ATTEMPTS_MAX })
    }

    /// How many tokens the notes of a sheet have.
    fn count(&self, sheet: &Sheet) -> usize {
        sheet.items().map(|item| self.tokens.count(&item.text)).sum()
    }
}

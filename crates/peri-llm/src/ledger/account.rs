//! The sum of a day, kept up to date by reading only what is new.

use std::collections::HashMap;
use std::path::Path;

use jiff::civil::Date;
use peri_seal::Seal;
use uuid::Uuid;

use super::{Entry, LedgerError, file};

/// What is spent and reserved of a day.
#[derive(Debug, Default)]
pub(crate) struct Account {
    day: Date,
    /// So much of the day's file is taken in.
    read: u64,
    settled: u64,
    reserved: HashMap<Uuid, u64>,
}

impl Account {
    /// Takes in what was added to a day's file.
    pub(crate) fn catch_up(&mut self, path: &Path, day: Date, seal: &Seal) -> Result<(), LedgerError> {
        if self.day != day || file::length(path)? < self.read {
            *self = Self { day, ..Self::default() };
        }
        let (entries, read) = file::entries(path, self.read, seal)?;
        self.read = read;
        entries.into_iter().for_each(|entry| self.take_in(entry));
        Ok(())
    }

    /// A settlement counts once, and only for a reservation that is there.
    fn take_in(&mut self, entry: Entry) {
        match entry {
            Entry::Reserved { id, tokens, .. } => {
                self.reserved.insert(id, tokens);
            }
            Entry::Settled { id, tokens, .. } => {
                if self.reserved.remove(&id).is_some() {
                    self.settled = self.settled.saturating_add(tokens);
                }
            }
            Entry::Call(_) => {}
        }
    }

    /// The sum; what is reserved counts in full.
    pub(crate) fn spent(&self) -> u64 {
        self.reserved.values().fold(self.settled, |sum, tokens| sum.saturating_add(*tokens))
    }
}

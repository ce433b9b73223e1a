//! The records at the front of a queue that are held in memory.

use std::collections::VecDeque;

use crate::{QueueSettings, Record};

/// Where to go on reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) segment: u64,
    pub(crate) offset: u64,
}

/// The front of a queue: every record that waits before a place, and none after it.
pub(crate) struct Window {
    pub(crate) records: VecDeque<Record>,
    bytes: usize,
    records_max: usize,
    bytes_max: usize,
    /// Where what is not in memory begins.
    pub(crate) next: Place,
}

impl Window {
    pub(crate) fn new(settings: &QueueSettings, segment: u64) -> Self {
        let (records_max, bytes_max) = (settings.in_memory_max.max(1), settings.in_memory_bytes_max);
        let next = Place { segment, offset: 0 };
        Self { records: VecDeque::new(), bytes: 0, records_max, bytes_max, next }
    }

    /// Whether another record may be held. One always may.
    pub(crate) fn has_room(&self) -> bool {
        self.records.is_empty() || (self.records.len() < self.records_max && self.bytes < self.bytes_max)
    }

    pub(crate) fn push(&mut self, record: Record) {
        self.bytes += record.payload.len();
        self.records.push_back(record);
    }

    /// Takes a record out, if it is here. It is nearly always the first.
    pub(crate) fn remove(&mut self, number: u64) -> Option<Record> {
        let at = self.records.iter().position(|record| record.number == number)?;
        let record = self.records.remove(at)?;
        self.bytes -= record.payload.len();
        Some(record)
    }

    pub(crate) fn clear(&mut self, next: Place) {
        self.records.clear();
        (self.bytes, self.next) = (0, next);
    }
}

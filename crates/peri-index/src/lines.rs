//! Rows that begin where a line of the processor's cache begins.
//!
//! A code and the links of a document are two lines each. From an allocator they come sixteen bytes off, and then lie
//! on three, so that a walk over the graph, which waits for memory, waits half as long again.

use std::ops::{Deref, DerefMut};

/// Bytes of a line.
const LINE: usize = 64;

/// A growing array of numbers whose first one lies at the beginning of a line.
#[derive(Debug, Default)]
pub(crate) struct Lines<T> {
    /// Some numbers that nobody reads, then the array.
    numbers: Vec<T>,
    start: usize,
}

impl<T: Copy> Lines<T> {
    /// The same numbers, each row at its place.
    pub(crate) fn of(numbers: &[T]) -> Self {
        let mut lines = Self { numbers: Vec::new(), start: 0 };
        if let Some(&any) = numbers.first() {
            lines.make_room(numbers.len(), any);
            lines.numbers.extend_from_slice(numbers);
        }
        lines
    }

    /// Adds numbers, for which room was made.
    pub(crate) fn extend(&mut self, more: impl Iterator<Item = T>) {
        self.numbers.extend(more);
    }

    /// Adds so many numbers, all the same, and returns them.
    pub(crate) fn grow(&mut self, more: usize, value: T) -> &mut [T] {
        if self.numbers.capacity() - self.numbers.len() < more {
            // An eighth at a time: doubling would leave half of a large array unused.
            self.make_room((self.len() / 8).max(more * 64), value);
        }
        let old = self.numbers.len();
        self.numbers.resize(old + more, value);
        &mut self.numbers[old..]
    }

    /// Moves to a place with room for so many more.
    pub(crate) fn make_room(&mut self, more: usize, any: T) {
        let mut moved: Vec<T> = Vec::with_capacity(self.len() + more + LINE);
        let start = moved.as_ptr().align_offset(LINE).min(LINE);
        moved.resize(start, any);
        moved.extend_from_slice(self);
        *self = Self { numbers: moved, start };
    }

    /// Bytes it takes.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.numbers.capacity() * size_of::<T>()
    }
}

impl<T: Copy> Clone for Lines<T> {
    fn clone(&self) -> Self {
        Self::of(self)
    }
}

impl<T> Deref for Lines<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.numbers[self.start..]
    }
}

impl<T> DerefMut for Lines<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.numbers[self.start..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn however_it_came_about_the_first_number_begins_a_line() {
        let mut lines: Lines<u32> = Lines::default();
        for at in 0..1000 {
            lines.grow(3, at).copy_from_slice(&[at, at + 1, at + 2]);
            assert_eq!(lines.as_ptr().align_offset(LINE), 0);
        }
        assert_eq!((lines.len(), lines[2999], lines[0]), (3000, 1001, 0));
        for copy in [lines.clone(), Lines::of(&lines)] {
            assert_eq!(copy.as_ptr().align_offset(LINE), 0);
            assert_eq!(copy[..], lines[..]);
        }
        assert!(Lines::<u8>::of(&[]).is_empty());
    }
}

//! The learning file: one record a line between two marks.

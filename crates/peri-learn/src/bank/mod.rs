//! The rules of the pattern bank: what is the same, how good a pattern is, when it is promoted and when it is retired.

//! Embedding engines on other machines.

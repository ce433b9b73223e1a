//! Full disks, read-only folders, damaged files, and a store that fails at every call in turn.

mod disk;
mod files;
mod place;
pub mod store;

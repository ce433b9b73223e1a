//! A folder of Markdown documents that Perihelion remembers and follows.
//!
//! A [`Vault`] holds two sorts of documents. Config documents (`md/`) are read whole by whoever asks for them. Documents
//! of knowledge (`knowledge/`) become memories, one each or one for each part of a long one, and are recalled like any
//! other; each says in its source which file it comes from. [`Vault::sync`] brings files and memories into step, and a
//! [`Follower`] does so whenever something changes.
//!
//! Files are the truth: nothing merges, replaces or forgets the memory of a document by itself. What is changed on both
//! sides is kept as two documents.
//!
//! ```
//! use peri_vault::{Key, Sync, Vault};
//! use perihelion::{Namespace, Options, Perihelion, Recall};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! let engine = Perihelion::open(Options::at(folder.path()))?;
//! let vault = Vault::new(folder.path().join("vault"), Namespace::default());
//! vault.put(&Key::parse("knowledge/facts/coffee")?, "Ana grinds her coffee by hand.\n")?;
//! let Sync::Done(synced) = vault.sync(&engine)? else { panic!("nobody else is here") };
//! assert_eq!(synced.added.len(), 1);
//!
//! let hits = engine.recall(&Recall::new("how does Ana grind coffee?"))?.hits;
//! assert_eq!(hits[0].memory.facets.source.as_deref(), Some("vault:knowledge/facts/coffee.md"));
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

mod document;
mod error;
mod files;
mod follow;
pub mod front_matter;
#[doc(hidden)]
pub mod fuzzing;
mod key;
mod marks;
mod metadata;
mod parts;
mod scan;
mod steps;
mod sync;
mod vault;

pub use error::VaultError;
pub use follow::Follower;
pub use key::{Class, Key};
pub use scan::Problem;
pub use sync::{Conflict, Missing, Sync, Synced, Vanished};
pub use vault::{Listed, Put, Status, Text, Vault};

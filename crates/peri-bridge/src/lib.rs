//! Between Perihelion and the memory files of agents: MEMORY.md, CLAUDE.md, AGENTS.md.
//!
//! A [`Bridge`] makes memories of what people wrote in such a file ([`Bridge::import`]), writes the memories that matter
//! most into a section of it ([`Bridge::export`]), and does both while it takes over what people edit within that section
//! ([`Bridge::sync`]). Outside its section it never changes a byte; inside, whoever edits a line edits its memory.
//!
//! What a file said and showed when it was last looked at is kept in the data folder, so that an edit on either side is
//! told from what was there before. Where both sides changed, the file wins, and the memory's former text stays in its
//! history.
//!
//! ```
//! use peri_bridge::{Bridge, BridgeSettings, Rehearsal};
//! use perihelion::{Namespace, Options, Perihelion, Recall, Remember};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let file = folder.path().join("CLAUDE.md");
//! let engine = Perihelion::open(Options::at(folder.path()))?;
//! let bridge = Bridge::new(&engine, BridgeSettings::new(|text| text.len() / 3));
//! let namespace = Namespace::default();
//!
//! std::fs::write(&file, "# Orbit\n\n## Testing\n\n- Always run the tests with nextest.\n")?;
//! bridge.import(&file, &namespace, Rehearsal::Real)?;
//! let hits = engine.recall(&Recall::new("how are tests run?"))?.hits;
//! assert_eq!(hits[0].memory.content, "Testing: Always run the tests with nextest.");
//!
//! let mut pinned = Remember::new("The staging server is called Ganymede");
//! pinned.facets.pinned = true;
//! engine.remember(pinned)?;
//! bridge.sync(&file, &namespace, &[], Rehearsal::Real)?;
//! assert!(std::fs::read_to_string(&file)?.contains("- The staging server is called Ganymede\n"));
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

mod bridge;
mod choose;
mod edits;
mod error;
mod export;
mod fences;
mod files;
mod import;
mod kind;
mod markers;
mod pair;
mod pass;
mod read;
mod rebuild;
mod render;
mod report;
mod settings;
mod state;

pub use bridge::Bridge;
pub use error::BridgeError;
pub use markers::Damage;
pub use report::{Change, Counts, Edits, Exported, FileFate, Imported, SectionState, Status, Synced, What};
pub use settings::{BridgeSettings, CountTokens, Rehearsal};
